package ui

import (
	"cmp"
	"strconv"
	"strings"

	"hadarlab/app/board"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
	. "hadarlab/app/ui/html"
	"hadarlab/core/class"
)

// maxFile is the largest file that is opened, in bytes.
const maxFile = 64 << 20

// carryOut carries out an effect. Those on the page wait until it is mounted; the engine works meanwhile.
func (h *Host) carryOut(e state.Effect) {
	switch e := e.(type) {
	case room.Ask:
		h.engine.Send(e.Request)
		return
	case state.End:
		h.engine.End(e.ID, e.Keep)
		return
	}
	if !h.Stands() {
		h.Guard(func() { h.carryOut(e) })
		return
	}
	switch e := e.(type) {
	case room.After:
		h.Later(e.Ms, func() { h.Do(e.Action) })
	case state.Save:
		if kept := h.tab.keep(e.Kept); kept == h.S.KeepFailed { // as long as it stays so, nothing is said
			h.Later(0, func() { h.Do(state.SaveEnded{Kept: kept}) })
		}
	case room.Store:
		if !platform.Store(e.Name, e.Text) {
			h.Later(0, func() { h.Do(state.NoRoom{}) })
		}
	case room.SetAddress:
		platform.SetAddress(e.Path, e.Opening, e.Push)
	case state.Copy:
		platform.Copy(e.Text, func(ok bool) { h.Send(state.Copied{Text: e.Text, OK: ok}) })
	case board.Tell:
		h.Later(e.Ms, func() { h.Do(board.Told{Ms: platform.Millis()}) })
	case board.KeepKey:
		if platform.Store(board.KeyName(e.Code, e.Key), e.Key) {
			platform.SetAddress("/#board="+e.Code, platform.Opening(), false)
		} else {
			h.Later(0, func() { h.Do(board.KeyStays{}) })
		}
	case student.Visit:
		platform.Visit(e.Address)
	case room.Call:
		platform.Fetch(e.Method, e.Path, e.Token, e.Body,
			func(status int, body []byte) { h.Send(e.Then(status, body)) })
	case room.Follow:
		platform.Follow(e.Path, func(status int, body string) { h.Send(e.Then(status, []byte(body))) })
	case state.Post:
		platform.Fetch("POST", "/api/v1/scenarios", "", e.Body,
			func(status int, body []byte) { h.Send(state.Posted{Status: status, Body: body}) })
	case state.Fetch:
		platform.Fetch("GET", "/api/v1/scenarios/"+e.ID, "", nil,
			func(status int, body []byte) { h.Send(state.Fetched{ID: e.ID, Status: status, Body: body}) })
	case room.Download:
		if e.Type == "image/png" {
			platform.DownloadPNG(e.Name, string(e.Data))
		} else {
			platform.Download(e.Name, e.Type, platform.Bytes(e.Data))
		}
	case state.Write:
		h.write(e)
	case state.StopWriting:
		h.saves = 0
	case state.See:
		h.see()
	case room.Measure:
		h.Later(elm.Instant, h.measure) // the layout follows with the next frames
	case state.ReadTrace:
		h.readTrace(e)
	case room.Focus:
		platform.Focus(selector(&h.S.Lab, e.Part))
	case state.Point:
		platform.PointTo(e.Path, e.From, e.To)
	case state.Reveal:
		platform.Reveal(selector(&h.S.Lab, e.Part))
	case state.SendToServer:
		asJSON(e.Request, func(body []byte) { platform.RunOnServer(e.ID, body, h.serverAnswers) })
	case state.StopOnServer:
		platform.StopOnServer(e.Drop)
	case state.AskServer:
		platform.AskServer(h.S.Boot.Engine, func(takes bool) { h.Send(state.ServerKnown{Takes: takes}) })
	case state.SendSweep:
		asJSON(e.Request, func(body []byte) {
			platform.SweepOnServer(e.ID, len(e.Request.Vary) > 0, body, h.serverAnswers)
		})
	case state.StopSweepOnServer:
		platform.StopSweepOnServer(e.ID, e.Drop)
	case state.Clock:
		h.Later(e.Ms, func() { h.tick(e) })
	case room.PrintPage:
		platform.Print()
	}
}

// see tells which panels the window shows now. The browser says by itself when that has changed, but only with the
// coming frames.
func (h *Host) see() {
	h.Do(state.Seen{Sight: state.Sight{Why: platform.InSight(selectors[room.PartWhy]),
		Numbers: platform.InSight(selectors[room.PartNumbers])}})
}

// keyOf is the key of a class that this browser keeps: the teacher's, else the assistants'.
func keyOf(code string) string {
	return cmp.Or(platform.Stored(board.KeyName(code, "")), platform.Stored(board.KeyName(code, class.AssistantKey)))
}

// openAddress goes where the browser has come to: to what it remembers, else to what the address says, a link after #
// or a short link in the path.
func (h *Host) openAddress(start bool) {
	path, query, fragment := platform.Address()
	address := path
	if fragment != "" {
		address += "#" + fragment
	}
	if to, arg := room.At(fragment); to != room.Lab && !h.S.Embed {
		var kept string
		switch to {
		case room.Board:
			kept = keyOf(arg)
		case room.Wall:
			kept = keyOf(board.WallCode(arg))
		case room.Teach:
			kept = platform.Stored(board.DraftName)
		default:
			kept = platform.Stored(student.Name(arg))
		}
		h.Do(room.Enter{Room: to, Arg: arg, Kept: kept,
			Drafts: platform.Stored(student.DraftsName), Start: start, Opening: platform.Opening()})
		return
	}
	if h.S.Room >= room.Board {
		h.Do(board.LeaveBoard{})
	}
	var open state.Action
	switch {
	case isEmbed(path):
		h.openEmbed(path, fragment)
		return
	case strings.HasPrefix(path, "/s/"):
		id, view := shortLink(path, fragment)
		open = state.OpenShort{Address: address, ID: id, View: view, Start: start}
	case path == "/o":
		address += query
		open = state.OpenLink{Address: address, Link: strings.TrimPrefix(query, "?s="), Logged: true, Start: start}
	case escapedMark(path):
		address += query
		open = state.OpenLink{Address: address, Link: address, Logged: true, Start: start}
	case fragment != "":
		open = state.OpenLink{Address: address, Link: fragment, Start: start}
	}
	h.Do(state.Moved{Address: address, Opening: platform.Opening(), Open: open})
}

// shortLink is the id and the view of /s/{id}#v={view}, or /e/, also with its # escaped by a mail filter, once or
// twice.
func shortLink(path, fragment string) (id, view string) {
	id, escaped, _ := strings.Cut(strings.Replace(path[len("/s/"):], "%2523", "%23", 1), "%23")
	if escaped != "" {
		fragment = escaped
	}
	return id, strings.TrimPrefix(fragment, "v=")
}

// escapedMark says that a mail filter has escaped the # of a link, once or twice, so that it went to the server.
func escapedMark(path string) bool {
	return strings.HasPrefix(path, "/%23") || strings.HasPrefix(path, "/%2523")
}

// entry is the entry of the history that stands.
func (h *Host) entry() int64 { return h.S.History.Stands().ID }

// file takes a file that was chosen or dropped, when an entry of the history stood.
func (h *Host) file(name string, data []byte, problem string, since int64) {
	if problem == "" && h.S.Room >= room.Board {
		h.Send(board.BoardFile{Name: name, Text: string(data)})
		return
	}
	if problem != "" {
		h.Send(state.FileProblem{Name: name, Message: problem})
		return
	}
	h.Send(state.OpenFile{Name: name, Data: data, Since: since})
}

// PickFile lets the reader choose a file, and opens it.
func (h *Host) PickFile(accept string) { platform.PickFile(accept, maxFile, h.entry, h.file) }

// selectors say where the parts of the page are drawn, or will be: {lane} is the lane that the Why panel explains, and
// {job} its job. None is a hook of tests.
var selectors = [...]string{
	room.PartHeadline: ".head", room.PartNumbers: "[aria-labelledby=h-numbers], .firsts",
	room.PartSpans: "[data-twin=spans]:not([hidden])", room.PartDifferences: ".axisrow",
	room.PartBar:     "[data-role=outline] [data-part=focus]",
	room.PartPredict: ".head .predict", room.PartPresets: "#presets > summary", room.PartUseImport: "#import-use",
	room.PartShareShort: "#share-short",

	room.PartEditor: ".editor h2", room.PartOpenEditor: "#editor-open, #first-edit",
	room.PartGPUs:   "[data-field^='gpus/']",
	room.PartLesson: ".guide h2", room.PartLessonBecause: ".because",

	room.PartLane: ".lane[aria-labelledby=h-lane-{lane}]", room.PartForced: ".lane[data-forced]",
	room.PartNewForced: ".lane[aria-labelledby=h-lane-{lane}][data-forced]", room.PartWhy: ".why",
	room.PartCurve: ".why[data-job={job}] [data-role=price-curve]", room.PartPayoff: ".why[data-job={job}] .terms",
	room.PartPhases: ".why[data-job={job}] [data-table]",

	room.PartReplicates: "[aria-labelledby=h-sure]:has(#sure-body:not([hidden]))",
	room.PartStep:       ".class .now h2",
	room.PartVary:       "[aria-labelledby=h-vary]:has(#vary-body:not([hidden]))", room.PartVaryAxes: ".axes",
	room.PartVarySays: "[data-says=vary-says]", room.PartWinnersSays: "[data-says=hunt-says]",
}

// selector is where a part of the page is. In a lesson, whose sheet may cover it, it is there only once the sheet is.
func selector(s *state.Lab, p room.Part) string {
	v := &s.View
	at := strings.NewReplacer("{lane}", Itoa(v.WhyLane), "{job}", strconv.Quote(v.Job)).Replace(selectors[p])
	if s.Learn.Lesson != nil {
		at = "body:has(.guide) " + at
	}
	return at
}
