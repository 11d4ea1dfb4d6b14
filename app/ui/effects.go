package ui

import (
	"strconv"
	"strings"

	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
)

// maxFile is the largest file that is opened, in bytes.
const maxFile = 64 << 20

// carryOut carries out an effect. Those on the page wait until it is mounted; the engine works meanwhile.
func (h *Host) carryOut(e state.Effect) {
	switch e := e.(type) {
	case state.Ask:
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
	case state.After:
		h.Later(e.Ms, func() { h.Do(e.Action) })
	case state.Save:
		if kept := h.tab.keep(e.Kept); kept == h.S.KeepFailed { // as long as it stays so, nothing is said
			h.Later(0, func() { h.Do(state.SaveEnded{Kept: kept}) })
		}
	case state.Store:
		if !platform.Store(e.Name, e.Text) {
			h.Later(0, func() { h.Do(state.NoRoom{}) })
		}
	case state.SetAddress:
		platform.SetAddress(e.Path, e.Opening, e.Push)
	case state.Copy:
		platform.Copy(e.Text, func(ok bool) { h.Send(state.Copied{Text: e.Text, OK: ok}) })
	case state.Tell:
		h.Later(e.Ms, func() { h.Do(state.Told{Ms: platform.Millis()}) })
	case state.KeepKey:
		if platform.Store(state.BoardName(e.Code), e.Key) {
			platform.SetAddress("/#board="+e.Code, platform.Opening(), false)
		} else {
			h.Later(0, func() { h.Do(state.KeyStays{}) })
		}
	case state.Visit:
		platform.Visit(e.Address)
	case state.Call:
		platform.Fetch(e.Method, e.Path, e.Token, e.Body,
			func(status int, body []byte) { h.Send(e.Then(status, body)) })
	case state.Follow:
		platform.Follow(e.Path, func(status int, body string) { h.Send(e.Then(status, []byte(body))) })
	case state.Post:
		platform.Fetch("POST", "/api/v1/scenarios", "", e.Body, func(status int,
			body []byte) {
			h.Send(state.Posted{Status: status, Body: body})
		})
	case state.Fetch:
		platform.Fetch("GET", "/api/v1/scenarios/"+e.ID, "", nil,
			func(status int, body []byte) { h.Send(state.Fetched{ID: e.ID, Status: status, Body: body}) })
	case state.Download:
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
	case state.Measure:
		h.Later(elm.Instant, h.measure) // the layout follows with the next frames
	case state.ReadTrace:
		h.readTrace(e)
	case state.Focus:
		platform.Focus(selector(h.S, e.Part))
	case state.Point:
		platform.PointTo(e.Path, e.From, e.To)
	case state.Reveal:
		platform.Reveal(selector(h.S, e.Part))
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
	case state.PrintPage:
		platform.Print()
	}
}

// see tells which panels the window shows now. The browser says by itself when that has changed, but only with the
// coming frames.
func (h *Host) see() {
	h.Do(state.Sight{Why: platform.InSight(selectors[state.PartWhy]),
		Numbers: platform.InSight(selectors[state.PartNumbers])})
}

// openAddress goes where the browser has come to: to what it remembers, else to what the address says, a link after #
// or a short link in the path.
func (h *Host) openAddress(start bool) {
	path, query, fragment := platform.Address()
	address := path
	if fragment != "" {
		address += "#" + fragment
	}
	if room, arg := state.RoomAt(fragment); room != state.LabRoom && !h.S.Embed {
		kept := state.StudentName(arg)
		if room == state.BoardRoom {
			kept = state.BoardName(arg)
		}
		h.Do(state.EnterRoom{Room: room, Arg: arg, Kept: platform.Stored(kept),
			Drafts: platform.Stored(state.DraftsName), Start: start, Opening: platform.Opening()})
		return
	}
	if h.S.Room >= state.BoardRoom {
		h.Do(state.LeaveBoard{})
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
	if problem == "" && h.S.Room >= state.BoardRoom {
		h.Send(state.BoardFile{Name: name, Text: string(data)})
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
	state.PartHeadline: ".head", state.PartNumbers: "[aria-labelledby=h-numbers]",
	state.PartSpans: "[data-twin=spans]:not([hidden])", state.PartDifferences: ".diffrow",
	state.PartBar:     "[data-role=outline] [data-part=focus]",
	state.PartPredict: ".head .predict", state.PartPresets: "#presets > summary", state.PartUseImport: "#import-use",
	state.PartShareShort: "#share-short",

	state.PartEditor: ".editor h2", state.PartOpenEditor: "#editor-open",
	state.PartGPUs:   "[data-field^='gpus/']",
	state.PartLesson: ".guide h2", state.PartLessonBecause: ".because",

	state.PartLane: ".lane[aria-labelledby=h-lane-{lane}]", state.PartForced: ".lane[data-forced]",
	state.PartNewForced: ".lane[aria-labelledby=h-lane-{lane}][data-forced]", state.PartWhy: ".why",
	state.PartCurve: ".why[data-job={job}] [data-role=price-curve]", state.PartPayoff: ".why[data-job={job}] .terms",
	state.PartPhases: ".why[data-job={job}] [data-table]",

	state.PartReplicates: "[aria-labelledby=h-sure]:has(#sure-body:not([hidden]))",
	state.PartStep:       ".class .now h2",
	state.PartVary:       "[aria-labelledby=h-vary]:has(#vary-body:not([hidden]))", state.PartVaryAxes: ".axes",
	state.PartVarySays: "[data-says=vary-says]", state.PartWinnersSays: "[data-says=hunt-says]",
}

// selector is where a part of the page is. In a lesson, whose sheet may cover it, it is there only once the sheet is.
func selector(s *state.State, p state.Part) string {
	v := &s.View
	at := strings.NewReplacer("{lane}", Itoa(v.WhyLane), "{job}", strconv.Quote(v.Job)).Replace(selectors[p])
	if s.Learn.Lesson != nil {
		at = "body:has(.guide) " + at
	}
	return at
}
