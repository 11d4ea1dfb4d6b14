// Package shared is the scenarios that people share: kept by their content, read back, compared and drawn.
package shared

import (
	"errors"
	"net/http"
	"time"

	"hadarlab/core/chart/draw"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/gate"
	"hadarlab/worker/vault"
)

// API answers what is asked about shared scenarios.
type API struct {
	answer.Faults
	Gate *gate.Gate
	// Defaults are those of the policies here.
	Defaults scenario.Defaults
	// Bytes bounds what is sent, and Jobs how many jobs it may have where that is more than a link may.
	Bytes int64
	Jobs  int
	// Base is what comes before the server's own paths where people open it.
	Base string
	// Picture draws a stored scenario as a PNG; nil = it is not drawn so.
	Picture func(*draw.Preview) ([]byte, error)
	Now     func() time.Time
}

// Routes are the methods and paths of the interface that this answers.
func (s *API) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /api/v1/scenarios":     s.postScenario,
		"GET /api/v1/scenarios/{id}": s.getScenario,
		"GET /s/{id}/diff/{other}":   s.getDifference,
	}
}

// postScenario stores what is valid, under ids that its content and its text give, up to the size that is run here.
func (s *API) postScenario(w http.ResponseWriter, r *http.Request) {
	body, done, ok := s.Gate.ReadKept(w, r, s.Bytes)
	if !ok {
		return
	}
	defer done()
	lim := scenario.SharedLimits
	lim.Bytes, lim.Jobs = len(body), max(scenario.LinkLimits.Jobs, s.Jobs)
	lim.Drawn = lim.Jobs
	doc, ok := Parse(w, r, body, lim)
	if !ok {
		return
	}
	if _, diags := scenario.Compile(doc, s.Defaults); diags.HasErrors() {
		answer.Invalid(w, r, diags.Errors())
		return
	}
	sh, err := s.share(r.Context(), doc, s.Gate.Payer(w, r))
	switch limit := (*vault.LimitError)(nil); {
	case errors.As(err, &limit):
		s.refuseLarge(w, r, limit)
	case err != nil:
		s.Fail(w, r, err)
	default:
		created := struct {
			ID   string `json:"id"`
			Text string `json:"text,omitempty"`
			URL  string `json:"url"`
		}{ID: sh.Content.ID, URL: s.Base + "/s/" + sh.ID()}
		if sh.Text != nil {
			created.Text = sh.Text.ID
		}
		w.Header().Set("Location", "/s/"+sh.ID())
		w.Header().Set("Cache-Control", "no-store")
		answer.JSON(w, r, http.StatusCreated, created)
	}
}

// refuseLarge answers what the store takes no more of, for now or for good.
func (s *API) refuseLarge(w http.ResponseWriter, r *http.Request, limit *vault.LimitError) {
	status := http.StatusRequestEntityTooLarge
	msg := words.Say("compressed the scenario takes more than the {0} bytes that are kept here", limit.Bytes)
	switch limit.Err {
	case vault.ErrShare:
		answer.Later(w, limit.Wait)
		status = http.StatusTooManyRequests
		msg = words.Say("one client, or all without a token, may store {0} bytes of large scenarios in an hour",
			limit.Bytes)
	case vault.ErrLargeFull:
		status = http.StatusInsufficientStorage
		msg = words.Say("all large scenarios together may take {0} bytes here", limit.Bytes)
	}
	answer.Refuse(w, r, status, "the scenario is too large to be stored here, or just now",
		jsondoc.Error("", "too-large", msg, words.Say("keep it as a file")))
}

// getScenario returns a stored scenario, with its text where the id names one. Neither ever changes, so the answer may
// be kept for ever.
func (s *API) getScenario(w http.ResponseWriter, r *http.Request) {
	s.scenario(w, r, r.PathValue("id"))
}

func (s *API) scenario(w http.ResponseWriter, r *http.Request, id string) {
	sh, err := s.Find(r.Context(), id)
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	if !answer.Unchanged(w, r, sh.sum()) {
		answer.Bytes(w, r, http.StatusOK, "application/json", sh.Document())
	}
}

// Parse reads a document; if it is not ok the problem has been answered.
func Parse(w http.ResponseWriter, r *http.Request, body []byte,
	lim scenario.Limits) (*scenario.Document, bool) {
	doc, diags := scenario.Parse(body, lim)
	if doc == nil {
		answer.Refuse(w, r, http.StatusBadRequest, "the body is not a scenario document", diags.Errors()...)
		return nil, false
	}
	if diags.HasErrors() {
		answer.Invalid(w, r, diags.Errors())
		return nil, false
	}
	return doc, true
}
