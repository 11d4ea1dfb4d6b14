// Package page is what people open: the page under its many addresses, with a card for programs that show links, and
// the files that it is made of.
package page

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/worker/answer"
	"hadarlab/worker/shared"
	"hadarlab/worker/vault"
)

// The one page answers many addresses. It is a file of the build, changed in two ways: it names its files from where it
// lies (="./), which below a folder is further up; and where it is served it has a card with whole addresses
// (content="./). Few new functions, since all of this is at the edge, too.

// Site answers with the page and its files. Use New.
type Site struct {
	Options
	files *files
}

// Options says what a Site stands on.
type Options struct {
	// Shared finds the scenarios that addresses name. Required.
	Shared *shared.API
	// Web is the build folder that `make run` fills; nil = only the placeholder page.
	// At the edge the runtime serves these files before the handler is asked.
	Web fs.FS
	// Shell returns the page as the build made it, nil where there is none. Default that of Web.
	Shell func(*http.Request) ([]byte, error)
	// Pack compresses a page by gzip; sum is its hash. Default none: at the edge the platform does it.
	Pack func(sum string, page []byte) []byte
}

// New makes one.
func New(o Options) *Site {
	s := &Site{o, newFiles(o.Web)}
	if s.Shell == nil {
		s.Shell = s.files.page
	}
	return s
}

// Routes are the methods and paths that this answers; all others that are no file's are Static's, too.
func (s *Site) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /s/{id}": s.short,
		"GET /e":      s.embed,
		"GET /e/{id}": s.embed,
		"GET /o":      s.shell,
	}
}

// short answers /s/{id} with the page, and /s/{id}.json, .svg and .png with what they name.
func (s *Site) short(w http.ResponseWriter, r *http.Request) {
	if !s.Shared.File(w, r, r.PathValue("id")) {
		s.shortPage(w, r)
	}
}

// card is what other programs show in place of a link that was pasted into them, by the names of Open Graph.
type card struct{ title, question, path, picture string }

// quoted makes a text of what is none of ours; package html would bring its table of names to the edge.
var quoted = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// The build's page has the card of the lab between these marks.
const cardFrom, cardTo = "<!-- card -->", "<!-- /card -->"

// meta is the card as HTML. Nothing in it is a result: whoever pastes a link may want its readers to predict first,
// and that stands in the part of the address that no server sees.
func (c *card) meta() string {
	s := ""
	for i, value := range [...]string{"Hadarlab", "website", c.title, c.question, "./" + c.path, "./" + c.picture,
		"summary_large_image"} {
		s += `<meta property="` + properties[i] + `" content="` + quoted.Replace(value) + "\">\n"
	}
	return s
}

// properties are those of a card, in the order of card.meta.
var properties = [...]string{"og:site_name", "og:type", "og:title", "og:description", "og:url", "og:image",
	"twitter:card"}

// cardOf is the card of a stored scenario, nil where nobody has said anything of it. The text is one of ours: it was
// read when it was stored.
func (s *Site) cardOf(sh shared.Scenario) *card {
	if sh.Text == nil {
		return nil
	}
	var meta scenario.Meta
	if json.Unmarshal(sh.Text.Doc, &meta) != nil || meta.Title == "" {
		return nil
	}
	c := &card{jsondoc.ClipTo(meta.Title, 120), jsondoc.ClipTo(meta.Question, 300), "s/" + sh.ID(), "web/card.png"}
	if s.Shared.Picture != nil {
		c.picture = c.path + ".png"
	}
	return c
}

// shortPage answers with the page, which then asks for the scenario itself.
func (s *Site) shortPage(w http.ResponseWriter, r *http.Request) {
	// a mail filter has escaped the # before a view, once or twice
	id, _, _ := strings.Cut(strings.Replace(r.PathValue("id"), "%23", "#", 1), "#")
	sh, err := s.Shared.Find(r.Context(), id)
	switch {
	case errors.Is(err, vault.ErrNotFound):
		s.notFound(w, r)
	case errors.Is(err, vault.ErrDamaged): // the page itself says what is wrong with it
		s.Shared.Damaged.Store(true)
		s.show(w, r, nil)
	case err != nil:
		s.Shared.Fail(w, r, err)
	default:
		s.show(w, r, s.cardOf(sh))
	}
}

// embed answers with the page for other sites to show: only here they may. /e takes a link after its #.
func (s *Site) embed(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'",
		"frame-ancestors *", 1))
	if r.PathValue("id") == "" {
		s.shell(w, r)
		return
	}
	s.shortPage(w, r)
}

// shell answers with the page whatever the query. /o?s=PAYLOAD is the link for places that cut off what
// follows a #: the page reads the payload and says that the server has seen it.
func (s *Site) shell(w http.ResponseWriter, r *http.Request) { s.show(w, r, nil) }

// index answers with the lab's page. ?built asks for the bytes of the build, which the service worker compares.
func (s *Site) index(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "built" || !s.files.serve(w, r, "index.html") {
		s.show(w, r, nil)
	}
}

// show answers with the page and a card, nil = that of the lab.
func (s *Site) show(w http.ResponseWriter, r *http.Request, c *card) {
	b, err := s.Shell(r)
	if err != nil {
		s.Shared.Fail(w, r, err)
		return
	}
	if b == nil {
		w.Header().Set("Cache-Control", "no-store")
		answer.Bytes(w, r, http.StatusOK, types[".html"], placeholder)
		return
	}
	page := string(b)
	if before, rest, _ := strings.Cut(page, cardFrom); c != nil {
		_, after, _ := strings.Cut(rest, cardTo)
		page = before + c.meta() + after
	}
	b = placed(strings.ReplaceAll(page, `content="./`, `content="`+quoted.Replace(s.home(r))+"/"), r)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Vary", "Accept-Encoding")
	sum := vault.Sum(b)
	if answer.Has(w, r, sum) {
		return
	}
	if s.Pack != nil && weight(r, "gzip") > 0 {
		b = s.Pack(sum, b)
		w.Header().Set("Content-Encoding", "gzip")
	}
	answer.Bytes(w, r, http.StatusOK, types[".html"], b)
}

// placed has a page name its files from where it was asked for.
func placed(page string, r *http.Request) []byte {
	below := strings.Count(r.URL.EscapedPath(), "/") - 1
	return []byte(strings.ReplaceAll(page, `="./`, `="./`+strings.Repeat("../", below)))
}

// home is the whole address of the lab as its reader has it, without the slash at the end. The name was let in, or
// comes from the platform. A proxy says whether it was asked by TLS; who lies about that gets an address of no use.
func (s *Site) home(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.URL.Scheme == "https" || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	return scheme + "://" + r.Host + s.Shared.Base
}
