package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// errDamaged marks a row whose document is not what was stored.
var errDamaged = errors.New("worker: stored scenario is damaged")

// postScenario stores what is valid, under an id that its content gives.
func (s *server) postScenario(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r, int64(scenario.ShareLimits.Bytes))
	if !ok {
		return
	}
	doc, ok := s.parse(w, r, body, scenario.ShareLimits)
	if !ok {
		return
	}
	if _, diags := scenario.Compile(doc, lab.Defaults()); diags.HasErrors() {
		invalid(w, r, diags.Errors())
		return
	}
	canonical := doc.Canonical(lab.Defaults())
	row := Scenario{Sum: sum(canonical), Title: doc.Meta.Title, Origin: origin(doc), Doc: canonical, CreatedMS: s.Now().UnixMilli()}
	id, err := s.put(r, doc, row)
	switch {
	case errors.Is(err, ErrTooLarge):
		problem(w, r, http.StatusRequestEntityTooLarge, "the scenario is larger than a stored row may be")
	case err != nil:
		s.fail(w, r, err)
	default:
		url := "/s/" + id
		w.Header().Set("Location", url)
		w.Header().Set("Cache-Control", "no-store")
		writeJSON(w, r, http.StatusCreated, map[string]string{"id": id, "url": url})
	}
}

// put stores row under the shortest id that is free or already holds the same content. The ids are
// ever longer prefixes of the content's digest, so they depend on nothing but content and rivals.
func (s *server) put(r *http.Request, doc *scenario.Document, row Scenario) (id string, err error) {
	digest := doc.Digest(lab.Defaults())
	long := crockford.EncodeToString(digest[:])
	for _, row.ID = range []string{doc.ID(lab.Defaults()), long[:16], long[:26], long} {
		created, err := s.Store.PutScenario(r.Context(), row)
		if created || err != nil {
			return row.ID, err
		}
		there, err := s.Store.GetScenario(r.Context(), row.ID)
		if err != nil {
			return "", err
		}
		if there.Sum == row.Sum && sum(there.Doc) == there.Sum { // a damaged row counts as a rival
			return row.ID, nil
		}
	}
	return "", fmt.Errorf("worker: every id of %s is taken", long)
}

// origin is what a document was made from, where that is told by a content id. An address could be anything.
func origin(doc *scenario.Document) string {
	if id := strings.ToLower(doc.Meta.DerivedFrom); isID(id) && id != doc.ID(lab.Defaults()) {
		return id
	}
	return ""
}

func isID(id string) bool {
	return len(id) >= 8 && len(id) <= 52 && strings.Trim(id, crockfordAlphabet) == ""
}

// crockfordAlphabet is that of ids: no i, l, o, u, which are misread aloud or on a slide.
const crockfordAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var crockford = base32.NewEncoding(crockfordAlphabet).WithPadding(base32.NoPadding)

func sum(doc []byte) string {
	h := sha256.Sum256(doc)
	return hex.EncodeToString(h[:])
}

// getScenario returns a stored scenario. An id's content never changes, so it may be kept for ever.
func (s *server) getScenario(w http.ResponseWriter, r *http.Request) {
	s.scenario(w, r, r.PathValue("id"))
}

func (s *server) scenario(w http.ResponseWriter, r *http.Request, id string) {
	row, err := s.find(r, id)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if !s.unchanged(w, r, row.Sum) {
		writeBytes(w, r, http.StatusOK, "application/json", row.document())
	}
}

// find reads a row and checks it. Ids are shown on slides, so capitals are forgiven.
func (s *server) find(r *http.Request, id string) (Scenario, error) {
	id = strings.ToLower(id)
	if !isID(id) {
		return Scenario{}, ErrNotFound
	}
	row, err := s.Store.GetScenario(r.Context(), id)
	if err == nil && sum(row.Doc) != row.Sum {
		err = fmt.Errorf("%w: row %s", errDamaged, id)
	}
	return row, err
}

// document is the row as a scenario document.
func (sc Scenario) document() []byte {
	meta, _ := json.Marshal(struct { // strings always encode
		Title  string `json:"title"`
		Origin string `json:"derived_from,omitempty"`
	}{sc.Title, sc.Origin})
	return bytes.Join([][]byte{
		[]byte(`{"kind":"scenario","version":1,"meta":`), meta, []byte(`,"scenario":`), sc.Doc, []byte("}\n"),
	}, nil)
}

// page answers /s/{id} with the page, which then asks for the scenario itself.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	id, _, _ := strings.Cut(r.PathValue("id"), "#") // a mail filter has escaped the # before a view
	_, err := s.find(r, id)
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
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors *", 1))
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
func (s *server) parse(w http.ResponseWriter, r *http.Request, body []byte, lim scenario.Limits) (*scenario.Document, bool) {
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

func invalid(w http.ResponseWriter, r *http.Request, errs []message.Diagnostic) {
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
		problem(w, r, http.StatusNotFound, "there is no scenario with this id; it may have been mistyped or never stored here")
	case errors.Is(err, errDamaged):
		s.Log.Error("damaged row", "error", err)
		problem(w, r, http.StatusInternalServerError, "the stored scenario is damaged and is not shown", message.Diagnostic{
			Path: "/s/" + id, Level: "error", Code: "damaged-row",
			Message: strings.TrimPrefix(err.Error(), "worker: "), Fix: "share the scenario again from its file or its long link",
		})
	default:
		s.Log.Error("store", "path", r.URL.Path, "error", err)
		problem(w, r, http.StatusInternalServerError, "the store cannot be used just now; the server has logged why")
	}
}
