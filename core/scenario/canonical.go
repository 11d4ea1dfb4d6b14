package scenario

import (
	"bytes"
	"cmp"
	"crypto/sha256"

	"hadarlab/core/text"
)

// Defaults are the default values of policy parameters: policy id → parameter → value. The
// canonical form omits parameters that equal them.
type Defaults map[string]PolicyDefaults

// PolicyDefaults are those of one policy. Defaults and meanings belong to a revision: of a policy of another one
// nothing is known, and all its parameters are written.
type PolicyDefaults struct {
	Rev    int
	Params map[string]any
}

// of is the default of a parameter of the policy, nil when it is not known.
func (d Defaults) of(p *Policy, name string) any {
	if known := d[p.ID]; known.Rev == cmp.Or(p.Rev, DefaultRev) {
		return known.Params[name]
	}
	return nil
}

// identityLabel separates the hashes of scenarios from those of anything else.
const identityLabel = "hadarlab scenario v1\n"

// Canonical is the scenario member alone in the form of RFC 8785: sorted names, ECMAScript numbers
// of 9 significant digits (the seed is exact), defaults omitted. Equal scenarios give equal bytes.
// Ids and model names are ASCII, so no normal form of Unicode enters but by sources and unknown
// members, which are taken as written.
func (d *Document) Canonical(def Defaults) []byte {
	w := newWriter(true, def)
	w.scenario(&d.Scenario)
	return w.Bytes()
}

// Digest is the identity of the scenario: SHA-256 over a label and the canonical bytes.
func (d *Document) Digest(def Defaults) [32]byte {
	return sha256.Sum256(append([]byte(identityLabel), d.Canonical(def)...))
}

// ID is the short form of Digest.
func (d *Document) ID(def Defaults) string { return ShortID(d.Digest(def)) }

// ShortID is the first 60 bits of a digest as 12 characters of Crockford's base 32, lower case.
func ShortID(digest [32]byte) string {
	var id [12]byte
	for i := range id {
		bit := 5 * i
		pair := uint(digest[bit/8])<<8 | uint(digest[bit/8+1])
		id[i] = text.Crockford[pair>>(11-bit%8)&31]
	}
	return string(id[:])
}

// Marshal is the human form: members in a fixed order, unknown ones last, defaults omitted except
// seed and round_s, which people look for. Parsing it gives the same document.
func (d *Document) Marshal(indented bool) []byte {
	w := newWriter(false, nil)
	w.Begin()
	w.TextOr("$schema", d.Schema, "")
	w.Member("kind")
	w.Text(cmp.Or(d.Kind, Kind))
	w.Member("version")
	w.Whole(cmp.Or(d.Version, Version))
	w.Some("requires", len(d.Requires), func(i int) { w.Text(d.Requires[i]) })
	w.fieldsIn("meta", metaFields, d.Meta.at(), d.Meta.Extra)
	w.Member("scenario")
	w.scenario(&d.Scenario)
	if d.X != nil {
		w.Member("x")
		w.Raw(d.X)
	}
	w.Extra(d.Extra)
	w.End()
	if indented {
		return text.Indent(w.Bytes())
	}
	return w.Bytes()
}

// Short is the document as a link carries it: the scenario in canonical form with its title, question, origin and
// requires, without kind and version. ParseShort reads it.
func (d *Document) Short(def Defaults) []byte {
	w := newWriter(true, def)
	w.Begin()
	w.Some("requires", len(d.Requires), func(i int) { w.Text(d.Requires[i]) })
	told := Meta{Title: d.Meta.Title, Question: d.Meta.Question, DerivedFrom: d.Meta.DerivedFrom}
	w.fieldsIn("meta", metaFields, told.at(), nil)
	w.Member("scenario")
	w.scenario(&d.Scenario)
	w.End()
	return w.Bytes()
}

// Canonical is what m tells people, in the form of RFC 8785; nil when it tells nothing. Members that this version does
// not know are left out.
func (m *Meta) Canonical() []byte {
	w := newWriter(true, nil)
	w.entry(metaFields, m.at(), nil)
	if string(w.Bytes()) == "{}" {
		return nil
	}
	return w.Bytes()
}

// writer writes the objects of a document.
type writer struct {
	*text.Writer
	def Defaults
}

func newWriter(canonical bool, def Defaults) *writer {
	return &writer{text.NewWriter(canonical), def}
}

func (w *writer) scenario(s *Scenario) {
	w.Begin()
	if !w.Canonical || s.Seed != 0 {
		w.Member("seed")
		w.Unsigned(s.Seed)
	}
	if !w.Canonical || text.Round9(s.RoundS) != DefaultRoundS {
		w.Member("round_s")
		w.Quantity(s.RoundS)
	}
	if text.Round9(s.HorizonS) != 0 {
		w.Member("horizon_s")
		w.Quantity(s.HorizonS)
	}
	w.cluster(&s.Cluster)
	w.throughputs(&s.Throughputs)
	w.Some("tenants", len(s.Tenants), func(i int) { w.entry(tenantFields, s.Tenants[i].at(), s.Tenants[i].Extra) })
	w.Member("jobs")
	if s.Generator != nil {
		w.generator(s.Generator)
	} else {
		w.List(len(s.Jobs), func(i int) { w.job(&s.Jobs[i]) })
	}
	w.overheads(&s.Overheads)
	w.faults(&s.Faults)
	w.fieldsIn("knowledge", knowledgeFields, s.Knowledge.at(), s.Knowledge.Extra)
	w.Some("policies", len(s.Policies), func(i int) { w.policy(&s.Policies[i]) })
	w.Extra(s.Extra)
	w.End()
}

func (w *writer) cluster(c *Cluster) {
	w.Member("cluster")
	w.Begin()
	w.Member("nodes")
	w.List(len(c.Nodes), func(i int) { w.node(&c.Nodes[i]) })
	w.Mapping("gpu_types", len(c.GPUTypes), func() {
		for _, name := range text.Keys(c.GPUTypes) {
			g := c.GPUTypes[name]
			w.Mapping(name, 1, func() {
				w.fields(gpuTypeFields, g.at())
				w.Extra(g.Extra)
			})
		}
	})
	w.Some("changes", len(c.Changes), func(i int) { w.entry(changeFields, c.Changes[i].at(), c.Changes[i].Extra) })
	w.Extra(c.Extra)
	w.End()
}

func (w *writer) node(n *Node) {
	w.Begin()
	w.Member("id")
	w.Text(n.ID)
	w.TextOr("rack", cmp.Or(n.Rack, DefaultRack), DefaultRack)
	w.Mapping("gpus", len(n.GPUs), func() {
		for _, name := range text.Keys(n.GPUs) {
			if count := n.GPUs[name]; count != 0 || !w.Canonical {
				w.Member(name)
				w.Whole(count)
			}
		}
	})
	w.Extra(n.Extra)
	w.End()
}

func (w *writer) throughputs(t *Throughputs) {
	w.Member("throughputs")
	w.Begin()
	w.TextOr("unit", cmp.Or(t.Unit, StepsPerS), StepsPerS)
	w.Member("rows")
	w.List(len(t.Rows), func(i int) { w.row(&t.Rows[i]) })
	w.Some("pairs", len(t.Pairs), func(i int) { w.pair(&t.Pairs[i]) })
	w.Extra(t.Extra)
	w.End()
}

func (w *writer) row(r *Row) {
	w.Begin()
	w.fields(rowNameFields, r.at())
	w.Mapping("per_gpu", len(r.PerGPU), func() { w.rates(r.PerGPU, w.Canonical) })
	w.sizes("gang", r.Gang)
	w.sizes("spread", r.Spread)
	w.TextOr("source", r.Source, "")
	w.Extra(r.Extra)
	w.End()
}

// rates writes speeds by name. A speed of 0 says the same as no speed for one GPU, not for a gang.
func (w *writer) rates(m map[string]float64, dropZero bool) {
	for _, key := range text.Keys(m) {
		if v := m[key]; v != 0 || !dropZero {
			w.Member(key)
			w.Quantity(v)
		}
	}
}

func (w *writer) sizes(name string, m map[string]map[string]float64) {
	w.Mapping(name, len(m), func() {
		for _, typ := range text.Keys(m) {
			w.Mapping(typ, 1, func() { w.rates(m[typ], false) })
		}
	})
}

func (w *writer) job(j *Job) {
	w.Begin()
	w.fields(jobFields, j.at())
	if e := j.Elastic; e != nil {
		w.Member("elastic")
		w.entry(elasticFields, e.at(), e.Extra)
	}
	w.Extra(j.Extra)
	w.End()
}

func (w *writer) policy(p *Policy) {
	w.Begin()
	w.Member("id")
	w.Text(p.ID)
	if cmp.Or(p.Rev, DefaultRev) != DefaultRev {
		w.Member("rev")
		w.Whole(p.Rev)
	}
	w.Mapping("params", len(p.Params), func() {
		for _, name := range text.Keys(p.Params) {
			if def := w.def.of(p, name); def != nil && sameValue(def, p.Params[name]) {
				continue
			}
			w.Member(name)
			w.Value(p.Params[name])
		}
	})
	if len(p.Force) > 0 {
		w.Member("force")
		w.forces(p.Force)
	}
	w.Extra(p.Extra)
	w.End()
}

// sameValue compares two parameter values as the canonical form has them.
func sameValue(a, b any) bool {
	wa, wb := newWriter(true, nil), newWriter(true, nil)
	wa.Value(a)
	wb.Value(b)
	return bytes.Equal(wa.Bytes(), wb.Bytes())
}
