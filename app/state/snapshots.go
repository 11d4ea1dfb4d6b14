package state

import (
	"encoding/json"
	"slices"
	"strings"

	"hadarlab/core/words"
)

// Snapshot is a scenario that this browser keeps until it is forgotten.
type Snapshot struct {
	Name string `json:"name"`
	At   string `json:"at"`             // when, as the reader's clock says it
	What string `json:"what,omitempty"` // was changed since what it was made from
	Text string `json:"text"`
}

const (
	// mostSnapshots is how many are kept at once.
	mostSnapshots = 40
	// largestSnapshot is how long a document may be to be kept, in bytes. Browsers give a site some 5 MB.
	largestSnapshot = 512 << 10
)

// The turns of the snapshots. Kept is what the browser has at that moment: other tabs change it too.
type (
	// ListSnapshots shows them.
	ListSnapshots struct{ Kept string }
	// TakeSnapshot keeps the scenario as it stands.
	TakeSnapshot struct{ Kept, At string }
	// OpenSnapshot opens one, by its place in the list.
	OpenSnapshot struct{ At int }
	// DropSnapshot forgets the one of a name, KeepAgain takes that back.
	DropSnapshot struct{ Kept, Name string }
	KeepAgain    struct {
		Kept string
		Snapshot
	}
	// NoRoom says that the browser did not take what was to be kept.
	NoRoom struct{}
)

// readSnapshots takes up what the browser kept.
func (s *State) readSnapshots(kept string) {
	s.Snapshots = parseSnapshots(kept)
	s.FormRev++
}

// parseSnapshots reads what the browser kept; what is no list of snapshots counts as none.
func parseSnapshots(kept string) (list []Snapshot) {
	if json.Unmarshal([]byte(kept), &list) != nil {
		return nil
	}
	return list
}

// freeName is a name that no snapshot in a list has, made of a title; there says that one of them has the text already.
func freeName(list []Snapshot, title, text string) (name string, there bool) {
	name = title
	for n := 2; ; n++ {
		at := slices.IndexFunc(list, func(k Snapshot) bool { return k.Name == name })
		if at < 0 || list[at].Text == text {
			return name, at >= 0
		}
		name = title + " " + itoa(n)
	}
}

// storeSnapshots keeps the list, and says so.
func (s *State) storeSnapshots(says string) []Effect {
	b, _ := json.Marshal(s.Snapshots) // texts always encode
	return append([]Effect{Store{SnapshotsName, string(b)}}, s.toast(says, false)...)
}

func (a ListSnapshots) on(s *State) []Effect { s.readSnapshots(a.Kept); return nil }

func (a TakeSnapshot) on(s *State) []Effect {
	s.readSnapshots(a.Kept)
	text := string(s.Doc.Marshal(false))
	switch {
	case len(text) > largestSnapshot:
		return s.toast(words.T("This scenario is too large to be kept in the browser. Save it as a file."), false)
	case len(s.Snapshots) >= mostSnapshots:
		return s.toast(
			words.F("The browser keeps {0} snapshots at most. Forget one first, or save the scenario as a file.",
				itoa(mostSnapshots)), false)
	}
	name, there := freeName(s.Snapshots, s.Title(), text)
	if there {
		return s.toast(words.F("This browser keeps it already, as “{0}”.", name), false)
	}
	s.Snapshots = append([]Snapshot{{Name: name, At: a.At, What: s.changesInBrief(), Text: text}}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", name))
}

// changesInBrief tells the first changes since what the scenario was made from.
func (s *State) changesInBrief() string {
	_, l := s.shared()
	return l.brief()
}

// brief tells the first changes.
func (l *Lineage) brief() string {
	if l == nil {
		return ""
	}
	const most = 3
	var said []string
	for _, c := range l.Changes[:min(most, len(l.Changes))] {
		said = append(said, c.Words)
	}
	if n := len(l.Changes) - most; n > 0 {
		said = append(said, words.F("and {0} more", itoa(n)))
	}
	return strings.Join(said, "; ")
}

func (a OpenSnapshot) on(s *State) []Effect {
	if a.At < 0 || a.At >= len(s.Snapshots) {
		return nil
	}
	k := s.Snapshots[a.At]
	said := words.F("Snapshot “{0}” opened.", k.Name)
	return s.open([]byte(k.Text), Load{Sentence: words.F("Opened snapshot “{0}”", k.Name), Toast: said, Opens: true},
		words.F("The snapshot “{0}” cannot be read.", k.Name), false)
}

func (a DropSnapshot) on(s *State) []Effect {
	s.readSnapshots(a.Kept)
	at := slices.IndexFunc(s.Snapshots, func(k Snapshot) bool { return k.Name == a.Name })
	if at < 0 {
		return nil
	}
	gone := s.Snapshots[at]
	s.Snapshots = slices.Delete(s.Snapshots, at, at+1)
	effects := s.storeSnapshots(words.F("Snapshot “{0}” forgotten.", a.Name))
	s.Toast.Forgotten = &gone
	return effects
}

func (a KeepAgain) on(s *State) []Effect {
	s.readSnapshots(a.Kept)
	s.Snapshots = append([]Snapshot{a.Snapshot}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", a.Name))
}

func (NoRoom) on(s *State) []Effect {
	return s.toast(words.T("This browser has no room for it, or keeps nothing. Save the scenario as a file."), false)
}
