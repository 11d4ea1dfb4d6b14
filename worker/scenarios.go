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
)

// postScenario stores what is valid, under ids that its content and its text give.
func (s *server) postScenario(w http.ResponseWriter, r *http.Request) {
	body, done, ok := s.readKept(w, r, int64(scenario.ShareLimits.Bytes))
	if !ok {
		return
	}
	defer done()
	doc, ok := s.parse(w, r, body, scenario.ShareLimits)
	if !ok {
		return
	}
	if _, diags := scenario.Compile(doc, lab.Defaults()); diags.HasErrors() {
		invalid(w, r, diags.Errors())
		return
	}
	sh, err := s.share(r.Context(), doc)
	switch {
	case errors.Is(err, ErrTooLarge):
		problem(w, r, http.StatusRequestEntityTooLarge, "the scenario is larger than a stored row may be")
	case err != nil:
		s.fail(w, r, err)
	default:
		answer := struct {
			ID   string `json:"id"`
			Text string `json:"text,omitempty"`
			URL  string `json:"url"`
		}{ID: sh.ID, URL: "/s/" + sh.id()}
		if sh.text != nil {
			answer.Text = sh.text.ID
		}
		w.Header().Set("Location", answer.URL)
		w.Header().Set("Cache-Control", "no-store")
		writeJSON(w, r, http.StatusCreated, answer)
	}
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

// page answers /s/{id} with the page, which then asks for the scenario itself.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	// a mail filter has escaped the # before a view, once or twice
	id, _, _ := strings.Cut(strings.Replace(r.PathValue("id"), "%23", "#", 1), "#")
	_, err := s.find(r.Context(), id)
	switch {
	case errors.Is(err, ErrNotFound):
		s.notFound(w, r)
	case err != nil && !errors.Is(err, errDamaged): // the page itself says what is wrong with a damaged one
		s.fail(w, r, err)
	default:
		s.shell(w, r)
	}
}

// embed answers with the page for other sites to show: only here they may. /e takes a link after its #.
func (s *server) embed(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'",
		"frame-ancestors *", 1))
	if r.PathValue("id") == "" {
		s.shell(w, r)
		return
	}
	s.page(w, r)
}

// shell answers with the page whatever the query. /o?s=PAYLOAD is the link for places that cut off what
// follows a #: the page reads the payload and says that the server has seen it.
func (s *server) shell(w http.ResponseWriter, r *http.Request) {
	if s.Shell == nil {
		s.index(w, r)
		return
	}
	html, err := s.Shell(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	writeBytes(w, r, http.StatusOK, "text/html; charset=utf-8", html)
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
		s.Log.Error("damaged row", "error", err)
		problem(w, r, http.StatusInternalServerError, "the stored scenario is damaged and is not shown",
			text.Error("/s/"+id, "damaged-row", words.Own(strings.TrimPrefix(err.Error(), "worker: ")),
				words.Say("share the scenario again from its file or its long link")))
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
