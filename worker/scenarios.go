package worker

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
	"hadarlab/worker/queue"
)

// postScenario stores what is valid, under ids that its content and its text give, up to the size that is run here.
func (s *server) postScenario(w http.ResponseWriter, r *http.Request) {
	body, done, ok := s.readKept(w, r, s.RunBytes)
	if !ok {
		return
	}
	defer done()
	lim := scenario.FileLimits
	lim.Bytes, lim.Jobs = len(body), scenario.LinkLimits.Jobs
	if s.Runner != nil {
		lim.Jobs = max(lim.Jobs, s.Runner.Size)
	}
	doc, ok := s.parse(w, r, body, lim)
	if !ok {
		return
	}
	if _, diags := scenario.Compile(doc, lab.Defaults()); diags.HasErrors() {
		invalid(w, r, diags.Errors())
		return
	}
	sh, err := s.share(r.Context(), doc, s.payer(w, r))
	switch limit := (*LimitError)(nil); {
	case errors.As(err, &limit):
		s.refuseLarge(w, r, limit)
	case err != nil:
		s.fail(w, r, err)
	default:
		answer := struct {
			ID   string `json:"id"`
			Text string `json:"text,omitempty"`
			URL  string `json:"url"`
		}{ID: sh.ID, URL: s.Base + "/s/" + sh.id()}
		if sh.text != nil {
			answer.Text = sh.text.ID
		}
		w.Header().Set("Location", "/s/"+sh.id())
		w.Header().Set("Cache-Control", "no-store")
		writeJSON(w, r, http.StatusCreated, answer)
	}
}

// payer is whose share of large scenarios a request takes: that of its token, or what all have together who send none.
func (s *server) payer(w http.ResponseWriter, r *http.Request) string {
	if s.Runner == nil || w.Header().Get(clientHeader) != "" { // it was given one just now
		return ""
	}
	return queue.Hash(r.Header.Get(clientHeader))
}

// refuseLarge answers what the store takes no more of, for now or for good.
func (s *server) refuseLarge(w http.ResponseWriter, r *http.Request, limit *LimitError) {
	status := http.StatusRequestEntityTooLarge
	msg := words.Say("compressed the scenario takes more than the {0} bytes that are kept here", limit.Bytes)
	switch limit.Err {
	case ErrShare:
		later(w, limit.Wait)
		status = http.StatusTooManyRequests
		msg = words.Say("one client, or all without a token, may store {0} bytes of large scenarios in an hour",
			limit.Bytes)
	case ErrLargeFull:
		status = http.StatusInsufficientStorage
		msg = words.Say("all large scenarios together may take {0} bytes here", limit.Bytes)
	}
	problem(w, r, status, "the scenario is too large to be stored here, or just now",
		text.Error("", "too-large", msg, words.Say("keep it as a file")))
}

// getScenario returns a stored scenario, with its text where the id names one. Neither ever changes, so the answer may
// be kept for ever.
func (s *server) getScenario(w http.ResponseWriter, r *http.Request) {
	s.scenario(w, r, r.PathValue("id"))
}

func (s *server) scenario(w http.ResponseWriter, r *http.Request, id string) {
	sh, err := s.find(r.Context(), id)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if !s.unchanged(w, r, sh.sum()) {
		writeBytes(w, r, http.StatusOK, "application/json", sh.document())
	}
}

// parse reads a document; if it is not ok the problem has been answered.
func (s *server) parse(w http.ResponseWriter, r *http.Request, body []byte,
	lim scenario.Limits) (*scenario.Document, bool) {
	doc, diags := scenario.Parse(body, lim)
	if doc == nil {
		problem(w, r, http.StatusBadRequest, "the body is not a scenario document", diags.Errors()...)
		return nil, false
	}
	if diags.HasErrors() {
		invalid(w, r, diags.Errors())
		return nil, false
	}
	return doc, true
}

func invalid(w http.ResponseWriter, r *http.Request, errs []text.Diagnostic) {
	detail := "the scenario has 1 fault"
	if len(errs) != 1 {
		detail = fmt.Sprintf("the scenario has %d faults", len(errs))
	}
	problem(w, r, http.StatusUnprocessableEntity, detail, errs...)
}

// fail answers an error of the store. What it says about a row names the row, never the database.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch id := r.PathValue("id"); {
	case errors.Is(err, ErrNotFound):
		problem(w, r, http.StatusNotFound,
			"there is no scenario, or no text of one, with this id; it may have been mistyped or never stored here")
	case errors.Is(err, errDamaged):
		s.Damaged.Store(true)
		s.Log.Error("damaged row", "error", err)
		problem(w, r, http.StatusInternalServerError, "the stored scenario is damaged and is not shown",
			text.Error("/s/"+id, "damaged-row", words.Own(strings.TrimPrefix(err.Error(), "worker: ")),
				words.Say("share the scenario again from its file or its long link")))
	case errors.Is(err, ErrFull) && s.Store.State(r.Context()) == ReadOnly:
		problem(w, r, http.StatusInsufficientStorage, "the server's database cannot be written",
			text.Error("", "read-only",
				words.Say("the server's database cannot be written just now; what is stored can be read"),
				words.Say("keep it as a file or as a long link, which holds the whole scenario")))
	case errors.Is(err, ErrFull): // the store has said so once
		problem(w, r, http.StatusInsufficientStorage, "the server has no room to store more",
			text.Error("", "storage-full",
				words.Say("the server's database, or its disk, is full; what is stored can be read"),
				words.Say("keep it as a file or as a long link, which holds the whole scenario")))
	default:
		s.Log.Error("store", "route", r.Pattern, "error", err)
		problem(w, r, http.StatusInternalServerError, "the store cannot be used just now; the server has logged why")
	}
}
