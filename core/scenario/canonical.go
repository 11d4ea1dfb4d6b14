package scenario

import (
	"bytes"
	"crypto/sha256"
	"strconv"

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
	if known := d[p.ID]; known.Rev == orDefault(p.Rev, DefaultRev) {
		return known.Params[name]
	}
	return nil
}

// identityLabel separates the hashes of scenarios from those of anything else.
const identityLabel = "hadarlab scenario v1\n"

// crockford is Crockford's base 32 in lower case: no i, l, o, u.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// Canonical is the scenario member alone in the form of RFC 8785: sorted names, ECMAScript numbers
// of 9 significant digits (the seed is exact), defaults omitted. Equal scenarios give equal bytes.
// Ids and model names are ASCII, so no normal form of Unicode enters but by sources and unknown
// members, which are taken as written.
func (d *Document) Canonical(def Defaults) []byte {
	w := &writer{canonical: true, def: def}
	w.scenario(&d.Scenario)
	return w.b
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
		id[i] = crockford[pair>>(11-bit%8)&31]
	}
	return string(id[:])
}

// Marshal is the human form: members in a fixed order, unknown ones last, defaults omitted except
// seed and round_s, which people look for. Parsing it gives the same document.
func (d *Document) Marshal(indented bool) []byte {
	w := &writer{}
	w.begin()
	w.textOr("$schema", d.Schema, "")
	w.member("kind")
	w.text(orDefault(d.Kind, Kind))
	w.member("version")
	w.whole(orDefault(d.Version, Version))
	w.requires(d.Requires)
	w.meta(&d.Meta)
	w.member("scenario")
	w.scenario(&d.Scenario)
	if d.X != nil {
		w.member("x")
		w.raw(d.X)
	}
	w.extra(d.Extra)
	w.end()
	if indented {
		return indent(w.b)
	}
	return w.b
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func (w *writer) requires(r []string) {
	if len(r) > 0 {
		w.member("requires")
		w.list(len(r), func(i int) { w.text(r[i]) })
	}
}

func (w *writer) meta(m *Meta) {
	if m.Title == "" && m.Notes == "" && m.Question == "" && m.DerivedFrom == "" && m.License == "" &&
		len(m.Extra) == 0 {
		return
	}
	w.member("meta")
	w.begin()
	w.texts(m)
	w.extra(m.Extra)
	w.end()
}

func (w *writer) scenario(s *Scenario) {
	w.begin()
	if !w.canonical || s.Seed != 0 {
		w.member("seed")
		w.b = strconv.AppendUint(w.b, s.Seed, 10)
	}
	if !w.canonical || text.Round9(s.RoundS) != DefaultRoundS {
		w.member("round_s")
		w.quantity(s.RoundS)
	}
	w.numberOr("horizon_s", s.HorizonS, 0)
	w.cluster(&s.Cluster)
	w.throughputs(&s.Throughputs)
	w.some("tenants", len(s.Tenants), func(i int) { w.entry(tenantFields, s.Tenants[i].at(), s.Tenants[i].Extra) })
	w.member("jobs")
	if s.Generator != nil {
		w.generator(s.Generator)
	} else {
		w.list(len(s.Jobs), func(i int) { w.job(&s.Jobs[i]) })
	}
	w.overheads(&s.Overheads)
	w.faults(&s.Faults)
	w.fieldsIn("knowledge", knowledgeFields, s.Knowledge.at(), s.Knowledge.Extra)
	if len(s.Policies) > 0 {
		w.member("policies")
		w.list(len(s.Policies), func(i int) { w.policy(&s.Policies[i]) })
	}
	w.extra(s.Extra)
	w.end()
}

func (w *writer) cluster(c *Cluster) {
	w.member("cluster")
	w.begin()
	w.member("nodes")
	w.list(len(c.Nodes), func(i int) { w.node(&c.Nodes[i]) })
	w.mapping("gpu_types", len(c.GPUTypes), func() {
		for _, name := range keys(c.GPUTypes) {
			g := c.GPUTypes[name]
			w.mapping(name, 1, func() {
				w.numberPtr("usd_per_h", g.USDPerH)
				w.numberPtr("watts", g.Watts)
				w.numberPtr("memory_gib", g.MemoryGiB)
				w.extra(g.Extra)
			})
		}
	})
	w.some("changes", len(c.Changes), func(i int) { w.entry(changeFields, c.Changes[i].at(), c.Changes[i].Extra) })
	w.extra(c.Extra)
	w.end()
}

func (w *writer) numberPtr(name string, v *float64) {
	if v != nil {
		w.member(name)
		w.quantity(*v)
	}
}

func (w *writer) node(n *Node) {
	w.begin()
	w.member("id")
	w.text(n.ID)
	w.textOr("rack", orDefault(n.Rack, DefaultRack), DefaultRack)
	w.mapping("gpus", len(n.GPUs), func() {
		for _, name := range keys(n.GPUs) {
			if count := n.GPUs[name]; count != 0 || !w.canonical {
				w.member(name)
				w.whole(count)
			}
		}
	})
	w.extra(n.Extra)
	w.end()
}

// mapping writes an object whose names are data. Without entries it is left out; the canonical form
// also leaves it out when no entry says anything.
func (w *writer) mapping(name string, n int, fill func()) {
	if n == 0 {
		return
	}
	before, spans := len(w.b), len(w.spans)
	w.member(name)
	inside := len(w.b)
	w.begin()
	fill()
	w.end()
	if w.canonical && len(w.b) == inside+len("{}") {
		w.b, w.spans = w.b[:before], w.spans[:spans]
	}
}

func (w *writer) throughputs(t *Throughputs) {
	w.member("throughputs")
	w.begin()
	w.textOr("unit", orDefault(t.Unit, StepsPerS), StepsPerS)
	w.member("rows")
	w.list(len(t.Rows), func(i int) { w.row(&t.Rows[i]) })
	w.some("pairs", len(t.Pairs), func(i int) { w.pair(&t.Pairs[i]) })
	w.extra(t.Extra)
	w.end()
}

func (w *writer) row(r *Row) {
	w.begin()
	w.member("model")
	w.text(r.Model)
	w.wholeOr("batch", r.Batch, 0)
	w.mapping("per_gpu", len(r.PerGPU), func() { w.rates(r.PerGPU, w.canonical) })
	w.sizes("gang", r.Gang)
	w.sizes("spread", r.Spread)
	w.textOr("source", r.Source, "")
	w.extra(r.Extra)
	w.end()
}

// rates writes speeds by name. A speed of 0 says the same as no speed for one GPU, not for a gang.
func (w *writer) rates(m map[string]float64, dropZero bool) {
	for _, key := range keys(m) {
		if v := m[key]; v != 0 || !dropZero {
			w.member(key)
			w.quantity(v)
		}
	}
}

func (w *writer) sizes(name string, m map[string]map[string]float64) {
	w.mapping(name, len(m), func() {
		for _, typ := range keys(m) {
			w.mapping(typ, 1, func() { w.rates(m[typ], false) })
		}
	})
}

func (w *writer) job(j *Job) {
	w.begin()
	w.member("id")
	w.text(j.ID)
	w.member("model")
	w.text(j.Model)
	w.wholeOr("batch", j.Batch, 0)
	w.numberOr("arrival_s", j.ArrivalS, 0)
	w.member("gpus")
	w.whole(j.GPUs)
	w.member("steps")
	w.quantity(j.Steps)
	w.numberOr("weight", j.Weight, DefaultWeight)
	w.textOr("tenant", j.Tenant, "")
	w.numberOr("slo_s", j.SLOS, 0)
	if e := j.Elastic; e != nil {
		w.member("elastic")
		w.begin()
		w.member("min")
		w.whole(e.Min)
		w.member("max")
		w.whole(e.Max)
		w.extra(e.Extra)
		w.end()
	}
	w.extra(j.Extra)
	w.end()
}

func (w *writer) policy(p *Policy) {
	w.begin()
	w.member("id")
	w.text(p.ID)
	w.wholeOr("rev", orDefault(p.Rev, DefaultRev), DefaultRev)
	w.mapping("params", len(p.Params), func() {
		for _, name := range keys(p.Params) {
			if def := w.def.of(p, name); def != nil && sameValue(def, p.Params[name]) {
				continue
			}
			w.member(name)
			w.value(p.Params[name])
		}
	})
	if len(p.Force) > 0 {
		w.member("force")
		w.forces(p.Force)
	}
	w.extra(p.Extra)
	w.end()
}

// sameValue compares two parameter values as the canonical form has them.
func sameValue(a, b any) bool {
	wa, wb := &writer{canonical: true}, &writer{canonical: true}
	wa.value(a)
	wb.value(b)
	return bytes.Equal(wa.b, wb.b)
}
