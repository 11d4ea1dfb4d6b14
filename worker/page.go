package worker

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

// The one page answers many addresses. It is a file of the build, changed in two ways: it names its files from where it
// lies (="./), which below a folder is further up; and where it is served it has a card with whole addresses
// (content="./). Few new functions, since all of this is at the edge, too.

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
func (s *server) cardOf(sh shared) *card {
	if sh.text == nil {
		return nil
	}
	var meta scenario.Meta
	if json.Unmarshal(sh.text.Doc, &meta) != nil || meta.Title == "" {
		return nil
	}
	c := &card{text.ClipTo(meta.Title, 120), text.ClipTo(meta.Question, 300), "s/" + sh.id(), "web/card.png"}
	if s.Picture != nil {
		c.picture = c.path + ".png"
	}
	return c
}

// short answers /s/{id} with the page, which then asks for the scenario itself.
func (s *server) shortPage(w http.ResponseWriter, r *http.Request) {
	// a mail filter has escaped the # before a view, once or twice
	id, _, _ := strings.Cut(strings.Replace(r.PathValue("id"), "%23", "#", 1), "#")
	sh, err := s.find(r.Context(), id)
	switch {
	case errors.Is(err, ErrNotFound):
		s.notFound(w, r)
	case errors.Is(err, errDamaged): // the page itself says what is wrong with it
		s.Damaged.Store(true)
		s.show(w, r, nil)
	case err != nil:
		s.fail(w, r, err)
	default:
		s.show(w, r, s.cardOf(sh))
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
	s.shortPage(w, r)
}

// shell answers with the page whatever the query. /o?s=PAYLOAD is the link for places that cut off what
// follows a #: the page reads the payload and says that the server has seen it.
func (s *server) shell(w http.ResponseWriter, r *http.Request) { s.show(w, r, nil) }

// index answers with the lab's page. ?built asks for the bytes of the build, which the service worker compares.
func (s *server) index(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "built" || !s.files.serve(w, r, "index.html") {
		s.show(w, r, nil)
	}
}

// show answers with the page and a card, nil = that of the lab.
func (s *server) show(w http.ResponseWriter, r *http.Request, c *card) {
	b, err := s.Shell(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if b == nil {
		w.Header().Set("Cache-Control", "no-store")
		writeBytes(w, r, http.StatusOK, types[".html"], placeholder)
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
	sum := sum(b)
	if has(w, r, sum) {
		return
	}
	if s.Pack != nil && weight(r, "gzip") > 0 {
		b = s.Pack(sum, b)
		w.Header().Set("Content-Encoding", "gzip")
	}
	writeBytes(w, r, http.StatusOK, types[".html"], b)
}

// placed has a page name its files from where it was asked for.
func placed(page string, r *http.Request) []byte {
	below := strings.Count(r.URL.EscapedPath(), "/") - 1
	return []byte(strings.ReplaceAll(page, `="./`, `="./`+strings.Repeat("../", below)))
}

// home is the whole address of the lab as its reader has it, without the slash at the end. The name was let in, or
// comes from the platform. A proxy says whether it was asked by TLS; who lies about that gets an address of no use.
func (s *server) home(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.URL.Scheme == "https" || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	return scheme + "://" + r.Host + s.Base
}
