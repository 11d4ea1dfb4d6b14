package ui

import (
	"encoding/json"

	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/core/message"
)

// asJSON hands a request on as it is sent to the server; a document that stands is JSON.
func asJSON(request any, send func(body []byte)) {
	if body, err := json.Marshal(request); err == nil {
		send(body)
	}
}

// serverAnswers takes a message in which the server's answers are told.
func (h *Host) serverAnswers(b []byte) {
	if m, err := message.Decode(b); err == nil {
		h.Guard(func() { h.Do(state.Answer{Message: m}) })
	}
}

// tick tells the time, and what is known of the server where that is asked.
func (h *Host) tick(e state.Clock) {
	h.Do(state.Ticked{Run: e.Run, Ms: platform.Millis(), Takes: e.Ask && platform.TakesRuns(h.S.Boot.Engine)})
}
