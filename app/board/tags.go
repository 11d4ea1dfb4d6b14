package board

import (
	"encoding/json"
	"strings"

	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/class"
)

// Who may join a class, and who may help on its board.
type (
	// TypeTags takes what is typed as the list of tags; SetTags makes its lines those that alone may join. LiftTags
	// lets everybody join.
	TypeTags struct{ Text string }
	SetTags  struct{}
	LiftTags struct{}
	// MakeAssistant makes a key for assistants; the one that they had opens nothing then. DropAssistant takes it back.
	MakeAssistant struct{}
	DropAssistant struct{}
	madeAssistant struct {
		status int
		body   []byte
	}
	setTags struct {
		status int
		body   []byte
	}
)

// Recorded is nothing: tags are of students.
func (TypeTags) Recorded() any { return nil }

func (a TypeTags) on(m *Model) []room.Effect { m.Typed = &a.Text; return nil }

func (SetTags) on(m *Model) []room.Effect {
	if m.Typed == nil {
		return nil // it stands there already
	}
	tags, diags := class.ReadTags(strings.Split(*m.Typed, "\n"))
	if m.Faults = nil; diags.HasErrors() {
		for _, d := range diags.Errors() {
			m.Faults = append(m.Faults, d.Message.In(words.Now())+" ("+d.Fix.In(words.Now())+")")
		}
		m.Announcement = m.Faults[0]
		return nil
	}
	return m.list(tags)
}

func (LiftTags) on(m *Model) []room.Effect { return m.list(nil) }

// list gives the class a list of tags.
func (m *Model) list(tags []string) []room.Effect {
	if m.Class.Local() {
		return nil
	}
	tags = append([]string{}, tags...) // none is [] to the server
	return []room.Effect{m.callClass("PATCH", "", class.Settings{Tags: &tags}, func(status int, body []byte) action {
		return setTags{status, body}
	})}
}

func (a setTags) on(m *Model) []room.Effect {
	if a.status == 200 {
		m.Faults, m.Typed, m.Announcement = nil, nil, words.T("The list is changed.")
	}
	return changed{a.status, a.body}.on(m)
}

func (MakeAssistant) on(m *Model) []room.Effect {
	return []room.Effect{m.callClass("POST", "/assistant", nil, func(status int, body []byte) action {
		return madeAssistant{status, body}
	})}
}

func (a madeAssistant) on(m *Model) []room.Effect {
	var c class.Created
	if a.status == 201 && json.Unmarshal(a.body, &c) == nil && c.Key != "" {
		m.Assistant, m.Announcement = c.Key, words.T("The assistants’ link is made.")
	}
	return changed{a.status, a.body}.on(m)
}

func (DropAssistant) on(m *Model) []room.Effect {
	m.Assistant = ""
	return []room.Effect{m.callClass("DELETE", "/assistant", nil,
		func(status int, body []byte) action { return changed{status, body} })}
}
