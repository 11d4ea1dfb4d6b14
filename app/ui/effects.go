package ui

import (
	"hadarlab/app/board"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
)

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
	case board.ReadClock:
		h.Later(e.Ms, func() { h.Do(board.ClockRead{Ms: platform.Millis()}) })
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
