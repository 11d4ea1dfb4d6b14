package ui

import (
	"encoding/json"
	"strings"

	"hadarlab/app/platform"
	"hadarlab/app/state"
)

// maxFile is the largest file that is opened, in bytes.
const maxFile = 64 << 20

// keptName is where the document of this tab is kept.
const keptName = "hadarlab"

// kept is what is kept for this tab.
type kept struct {
	Address string             `json:"address"` // the document was opened from, "" = none
	Preset  string             `json:"preset"`
	Edited  bool               `json:"edited"`
	Text    string             `json:"text"`
	Lesson  *state.SavedLesson `json:"lesson,omitempty"`
	Away    bool               `json:"away,omitempty"` // the server runs it
	Predict int                `json:"predict,omitempty"`
}

func (h *Host) carryOut(e state.Effect) {
	switch e := e.(type) {
	case state.StartRun:
		h.engine.Run(e.ID, e.Request)
	case state.CancelRun:
		h.engine.Cancel(e.ID)
	case state.StopRun:
		h.engine.Stop(e.ID)
	case state.Ask:
		h.engine.Explain(e.ID, e.Request)
	case state.SeekFlip:
		h.engine.Flip(e.ID, e.Request)
	case state.StartSweep:
		h.engine.Sweep(e.ID, e.Request)
	case state.After:
		h.later(e.Ms, func() { h.Do(e.Action) })
	case state.Save:
		h.keep(e)
	case state.Store:
		if !platform.Store(e.Name, e.Text) {
			h.later(0, func() { h.Do(state.NoRoom{}) })
		}
	case state.SetAddress:
		platform.SetAddress(e.Path)
	case state.Copy:
		platform.Copy(e.Text, func(ok bool) { h.send(state.Copied{OK: ok}) })
	case state.Post:
		platform.Fetch("POST", "/api/v1/scenarios", e.Body, func(status int, body []byte) { h.send(state.Posted{Status: status, Body: body}) })
	case state.Fetch:
		platform.Fetch("GET", "/api/v1/scenarios/"+e.ID, nil, func(status int, body []byte) { h.send(state.Fetched{ID: e.ID, Status: status, Body: body}) })
	case state.Download:
		platform.Download(e.Name, e.Type, e.Data)
	case state.Measure:
		h.later(60, h.measure) // the layout follows with the next frames
	case state.ReadTrace:
		h.readTrace(e)
	case state.Focus:
		platform.Focus(e.Selector)
	case state.Point:
		platform.PointTo(e.Path, e.From, e.To)
	case state.Reveal:
		platform.Reveal(e.Selector)
	case state.DownloadPNG:
		platform.DownloadPNG(e.Name, e.SVG)
	case state.RunAway:
		h.runAway(e)
	case state.StopAway:
		platform.StopOnServer(e.Drop)
	case state.Clock:
		h.later(e.Ms, func() { h.tick(e) })
	case state.PrintPage:
		platform.Print()
	}
}

// later calls f on the page's goroutine after some ms. The wait is the browser's: a timer of Go's that is
// due would go on within the present task, and the pieces of a long work would hold up the page together.
func (h *Host) later(ms int, f func()) { platform.After(ms, func() { h.guard(f) }) }

func (h *Host) keep(e state.Save) {
	b, err := json.Marshal(kept{e.Address, e.Preset, e.Edited, string(e.Text), e.Lesson, e.Away, e.Predict})
	if err == nil && !platform.Keep(keptName, string(b)) {
		h.S.KeepFailed = true
	}
}

// openAddress opens what the address says: a link after #, or a short link in the path.
func (h *Host) openAddress() {
	path, query, fragment := platform.Address()
	address := path
	if fragment != "" {
		address += "#" + fragment
	}
	switch {
	case isEmbed(path):
		h.openEmbed(path, fragment)
	case address == h.S.Origin:
	case strings.HasPrefix(path, "/s/"):
		id, view := shortLink(path, fragment)
		h.Do(state.OpenShort{Address: address, ID: id, View: view})
	case path == "/o":
		h.Do(state.OpenLink{Address: path, Link: strings.TrimPrefix(query, "?s="), Logged: true})
	case escapedMark(path):
		h.Do(state.OpenLink{Address: path, Link: path + query, Logged: true})
	case fragment != "":
		h.Do(state.OpenLink{Address: address, Link: fragment})
	}
}

// shortLink is the id and the view of /s/{id}#v={view}, or /e/, also with its # escaped by a mail filter.
func shortLink(path, fragment string) (id, view string) {
	id, escaped, _ := strings.Cut(path[len("/s/"):], "%23")
	if escaped != "" {
		fragment = escaped
	}
	return id, strings.TrimPrefix(fragment, "v=")
}

// escapedMark says that a mail filter has escaped the # of a link, once or twice, so that it went to the server.
func escapedMark(path string) bool {
	return strings.HasPrefix(path, "/%23") || strings.HasPrefix(path, "/%2523")
}

// openKept goes on with what this tab had, unless another address or ?safe asks for something else.
func (h *Host) openKept() {
	if h.S.Embed {
		return
	}
	text := platform.Kept(keptName)
	if text == "" {
		return
	}
	path, query, fragment := platform.Address()
	for _, q := range strings.Split(strings.TrimPrefix(query, "?"), "&") {
		if name, _, _ := strings.Cut(q, "="); name == "safe" {
			return
		}
	}
	var k kept
	if json.Unmarshal([]byte(text), &k) != nil {
		return
	}
	if fragment != "" || path == "/o" || strings.HasPrefix(path, "/s/") || escapedMark(path) {
		return // the address says what to open; edits of it have cleared the address
	}
	h.Do(state.Restore{Text: []byte(k.Text), Address: "", Preset: k.Preset, Edited: k.Edited, Lesson: k.Lesson, Away: k.Away, Predict: k.Predict})
}

// file takes a file that was chosen or dropped.
func (h *Host) file(name string, data []byte, problem string) {
	if problem != "" {
		h.send(state.FileProblem{Name: name, Message: problem})
		return
	}
	h.send(state.OpenFile{Name: name, Data: data})
}
