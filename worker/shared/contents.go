package shared

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/worker/vault"
)

// Scenario is what a short link names, /s/SCENARIO or /s/SCENARIO-TEXT: a scenario, and perhaps what people say of it.
// They are two contents with ids of their own. So the first who shares a scenario does not settle its title for all
// others, and an address without a text shows none.
type Scenario struct {
	vault.Content                // the scenario
	Text          *vault.Content // nil = none is named
}

// ID is how a link names it.
func (sh Scenario) ID() string {
	if sh.Text == nil {
		return sh.Content.ID
	}
	return sh.Content.ID + "-" + sh.Text.ID
}

// sum stands for all that is shown.
func (sh Scenario) sum() string {
	if sh.Text == nil {
		return sh.Sum
	}
	return vault.Sum([]byte(sh.Sum + sh.Text.Sum))
}

// Document is both as one scenario document.
func (sh Scenario) Document() []byte {
	var meta []byte
	if sh.Text != nil {
		meta = bytes.Join([][]byte{[]byte(`"meta":`), sh.Text.Doc, []byte(",")}, nil)
	}
	return bytes.Join([][]byte{[]byte(`{"kind":"scenario","version":1,`), meta, []byte(`"scenario":`), sh.Doc,
		[]byte("}\n")}, nil)
}

// share stores a document, for a client, as the contents that a link to it names.
func (s *API) share(ctx context.Context, doc *scenario.Document, owner string) (sh Scenario, err error) {
	def := s.Defaults
	if sh.Content, err = s.put(ctx, vault.Scenarios, doc.Digest(def), doc.Canonical(def), owner); err != nil {
		return sh, err
	}
	meta := doc.Meta
	meta.DerivedFrom = s.origin(doc)
	if said := meta.Canonical(); said != nil {
		text, err := s.put(ctx, vault.Texts, sha256.Sum256(append([]byte("hadarlab text v1\n"), said...)), said,
			owner)
		if err != nil {
			return sh, err
		}
		sh.Text = &text
	}
	return sh, nil
}

// origin is what a document was made from, where that is told by a content id. An address could be anything.
func (s *API) origin(doc *scenario.Document) string {
	id := contentID(doc.Meta.DerivedFrom)
	if isID(id) && id != doc.ID(s.Defaults) {
		return id
	}
	return ""
}

// put stores doc under the shortest id that is free or already holds the same content. The ids are ever longer
// prefixes of the content's digest, so they depend on nothing but content and rivals.
func (s *API) put(ctx context.Context, kind vault.Kind, digest [sha256.Size]byte, doc []byte,
	owner string) (vault.Content, error) {
	long := vault.ID(digest)
	for _, n := range []int{12, 16, 26, len(long)} {
		c := vault.Content{ID: long[:n], Doc: doc, CreatedMS: s.Now().UnixMilli(), Owner: owner}
		c.Seal()
		created, err := s.Store.Put(ctx, kind, c)
		if created || err != nil {
			return c, err
		}
		there, err := s.Store.Get(ctx, kind, c.ID)
		if err != nil {
			return c, err
		}
		if there.Whole() && bytes.Equal(there.Doc, doc) { // a damaged row counts as a rival
			return there, nil
		}
	}
	return vault.Content{}, fmt.Errorf("shared: every id of %s is taken", long)
}

// contentID is the id of the scenario in what a link names.
func contentID(link string) string {
	id, _, _ := strings.Cut(strings.ToLower(link), "-")
	return id
}

// Find reads what a link names, and checks it. Ids are shown on slides, so capitals are forgiven.
func (s *API) Find(ctx context.Context, id string) (sh Scenario, err error) {
	id, text, said := strings.Cut(strings.ToLower(id), "-")
	if sh.Content, err = s.get(ctx, vault.Scenarios, id); err != nil || !said {
		return sh, err
	}
	t, err := s.get(ctx, vault.Texts, text)
	sh.Text = &t
	return sh, err
}

func (s *API) get(ctx context.Context, kind vault.Kind, id string) (vault.Content, error) {
	if !isID(id) {
		return vault.Content{}, vault.ErrNotFound
	}
	c, err := s.Store.Get(ctx, kind, id)
	if err == nil && !c.Whole() {
		err = fmt.Errorf("%w: row %s of %s", vault.ErrDamaged, id, kind)
	}
	return c, err
}

func isID(id string) bool {
	return len(id) >= 8 && len(id) <= 52 && vault.Spells(id)
}
