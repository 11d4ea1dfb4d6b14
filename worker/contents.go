package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
)

// errDamaged marks a row whose document is not what was stored.
var errDamaged = errors.New("worker: stored scenario is damaged")

// shared is what a short link names, /s/SCENARIO or /s/SCENARIO-TEXT: a scenario, and perhaps what people say of it.
// They are two contents with ids of their own. So the first who shares a scenario does not settle its title for all
// others, and an address without a text shows none.
type shared struct {
	Content          // the scenario
	text    *Content // nil = none is named
}

// id is how a link names it.
func (sh shared) id() string {
	if sh.text == nil {
		return sh.ID
	}
	return sh.ID + "-" + sh.text.ID
}

// sum stands for all that is shown.
func (sh shared) sum() string {
	if sh.text == nil {
		return sh.Sum
	}
	return sum([]byte(sh.Sum + sh.text.Sum))
}

// document is both as one scenario document.
func (sh shared) document() []byte {
	var meta []byte
	if sh.text != nil {
		meta = bytes.Join([][]byte{[]byte(`"meta":`), sh.text.Doc, []byte(",")}, nil)
	}
	return bytes.Join([][]byte{[]byte(`{"kind":"scenario","version":1,`), meta, []byte(`"scenario":`), sh.Doc,
		[]byte("}\n")}, nil)
}

// share stores a document, for a client, as the contents that a link to it names.
func (s *server) share(ctx context.Context, doc *scenario.Document, owner string) (sh shared, err error) {
	def := lab.Defaults()
	if sh.Content, err = s.put(ctx, Scenarios, doc.Digest(def), doc.Canonical(def), owner); err != nil {
		return sh, err
	}
	meta := doc.Meta
	meta.DerivedFrom = origin(doc)
	if said := meta.Canonical(); said != nil {
		text, err := s.put(ctx, Texts, sha256.Sum256(append([]byte("hadarlab text v1\n"), said...)), said,
			owner)
		if err != nil {
			return sh, err
		}
		sh.text = &text
	}
	return sh, nil
}

// origin is what a document was made from, where that is told by a content id. An address could be anything.
func origin(doc *scenario.Document) string {
	id := contentID(doc.Meta.DerivedFrom)
	if isID(id) && id != doc.ID(lab.Defaults()) {
		return id
	}
	return ""
}

// put stores doc under the shortest id that is free or already holds the same content. The ids are ever longer
// prefixes of the content's digest, so they depend on nothing but content and rivals.
func (s *server) put(ctx context.Context, kind Kind, digest [sha256.Size]byte, doc []byte,
	owner string) (Content, error) {
	long := crockford.EncodeToString(digest[:])
	for _, n := range []int{12, 16, 26, len(long)} {
		c := Content{ID: long[:n], Doc: doc, CreatedMS: s.Now().UnixMilli(), Owner: owner}
		c.Sum = c.sum()
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
	return Content{}, fmt.Errorf("worker: every id of %s is taken", long)
}

// contentID is the id of the scenario in what a link names.
func contentID(link string) string {
	id, _, _ := strings.Cut(strings.ToLower(link), "-")
	return id
}

// find reads what a link names, and checks it. Ids are shown on slides, so capitals are forgiven.
func (s *server) find(ctx context.Context, id string) (sh shared, err error) {
	id, text, said := strings.Cut(strings.ToLower(id), "-")
	if sh.Content, err = s.get(ctx, Scenarios, id); err != nil || !said {
		return sh, err
	}
	t, err := s.get(ctx, Texts, text)
	sh.text = &t
	return sh, err
}

func (s *server) get(ctx context.Context, kind Kind, id string) (Content, error) {
	if !isID(id) {
		return Content{}, ErrNotFound
	}
	c, err := s.Store.Get(ctx, kind, id)
	if err == nil && !c.Whole() {
		err = fmt.Errorf("%w: row %s of %s", errDamaged, id, kind)
	}
	return c, err
}

// Whole tells whether a row is as it was stored. The checksum of a row from before there were texts covers its
// document only.
func (c *Content) Whole() bool { return c.Sum == c.sum() || c.Sum == sum(c.Doc) }

func (c *Content) sum() string {
	return sum(bytes.Join([][]byte{[]byte(c.ID), strconv.AppendInt(nil, c.CreatedMS, 10), c.Doc}, []byte("\n")))
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func isID(id string) bool {
	return len(id) >= 8 && len(id) <= 52 && strings.Trim(id, crockfordAlphabet) == ""
}

// crockfordAlphabet is that of ids: no i, l, o, u, which are misread aloud or on a slide.
const crockfordAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var crockford = base32.NewEncoding(crockfordAlphabet).WithPadding(base32.NoPadding)
