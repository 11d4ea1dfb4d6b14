package scenario

import (
	"cmp"

	"hadarlab/core/text"
	"hadarlab/core/words"
)

// The members of every object of a document, in the order of the human form.
var (
	documentMembers = text.Members{Need: []string{"scenario"},
		May: []string{"$schema", "kind", "version", "requires", "meta", "x"}}
	scenarioMembers = text.Members{Need: []string{"cluster", "throughputs", "jobs"},
		May: []string{"seed", "round_s", "horizon_s", "tenants", "overheads", "faults", "knowledge", "policies"}}
	clusterMembers     = text.Members{Need: []string{"nodes"}, May: []string{"gpu_types", "changes"}}
	nodeMembers        = text.Members{Need: []string{"id"}, May: []string{"rack", "gpus"}}
	throughputsMembers = text.Members{Need: []string{"rows"}, May: []string{"unit", "pairs"}}
	rowMembers         = text.Members{Need: []string{"model"}, May: []string{"batch", "per_gpu", "gang", "spread",
		"source"}}
	policyMembers = text.Members{Need: []string{"id"}, May: []string{"rev", "params", "force"}}
)

// The members that hold one number or text, of objects that have few others.
var (
	metaFields = table{{name: "title"}, {name: "question", high: maxQuestion}, {name: "notes", high: maxNotes},
		{name: "derived_from", high: maxSource}, {name: "license", high: maxSource}}
	gpuTypeFields = table{{name: "usd_per_h", high: maxGPUFigure}, {name: "watts", high: maxGPUFigure},
		{name: "memory_gib", high: maxGPUFigure}}
	jobFields = table{{name: "id", need: true}, {name: "model", need: true, model: true},
		{name: "batch", high: MaxBatch}, {name: "arrival_s", high: MaxSeconds, unit: " s"},
		{name: "gpus", need: true, low: 1, high: MaxGangGPUs}, {name: "steps", need: true, above: true, high: MaxSteps},
		{name: "weight", above: true, high: MaxWeight, def: DefaultWeight}, {name: "tenant"},
		{name: "slo_s", high: MaxSeconds, unit: " s"}}
	elasticFields = table{{name: "min", need: true}, {name: "max", need: true}}

	runFields = table{{name: "round_s", low: 1, high: MaxSeconds, def: DefaultRoundS, unit: " s"},
		{name: "horizon_s", high: MaxSeconds, unit: " s"}, {name: "seed", high: text.MaxSafe}}

	metaMembers    = metaFields.members()
	gpuTypeMembers = gpuTypeFields.members()
	jobMembers     = jobFields.members("elastic")
	elasticMembers = elasticFields.members()
)

// at has the numbers of a run that stand beside its objects.
func (s *Scenario) at() []any { return []any{&s.RoundS, &s.HorizonS, &s.Seed} }

func (m *Meta) at() []any { return []any{&m.Title, &m.Question, &m.Notes, &m.DerivedFrom, &m.License} }

func (g *GPUType) at() []any { return []any{&g.USDPerH, &g.Watts, &g.MemoryGiB} }

func (r *Row) at() []any { return []any{&r.Model, &r.Batch} }

func (j *Job) at() []any {
	return []any{&j.ID, &j.Model, &j.Batch, &j.ArrivalS, &j.GPUs, &j.Steps, &j.Weight, &j.Tenant, &j.SLOS}
}

func (e *Elastic) at() []any { return []any{&e.Min, &e.Max} }

// Defaults of members whose zero value means something else.
const (
	DefaultRoundS = 360           // s, of a round
	DefaultRack   = "r1"          // of a node
	DefaultWeight = 1             // of a job, a tenant or a share
	DefaultRev    = 1             // of a policy
	StepsPerS     = "steps_per_s" // the only unit of throughputs
)

// reader reads the objects of a document.
type reader struct {
	*text.Reader
	short bool // the payload of a link: kind and version may be absent
}

func newReader(t *text.Tree, f *text.Findings) *reader {
	r := &reader{Reader: text.NewReader(t, f)}
	r.Singular, r.Keyed = singular, "gpu_types"
	return r
}

// singular names the entries of a document's lists.
var singular = map[string]string{"nodes": "node {0}", "rows": "row {0}", "jobs": "job {0}", "tenants": "tenant {0}",
	"pairs": "pair {0}", "faults": "fault {0}", "changes": "change {0}", "models": "entry {0}",
	"policies": "policy {0}", "force": "forced choice {0}", "gangs": "gang {0}", "": "entry {0}",
	"requires": "entry {0}"}

func (r *reader) document(d *Document) {
	d.Kind, d.Version = Kind, Version
	d.Scenario = Scenario{RoundS: DefaultRoundS, Throughputs: Throughputs{Unit: StepsPerS}}
	if r.has("cluster") && r.has("jobs") {
		r.Ways = map[string]words.Text{"scenario": words.Say(
			`Put cluster, throughputs and jobs inside "scenario":{…}.`)}
	}
	d.Extra = r.Object(0, &documentMembers, func(name string, v int) {
		switch name {
		case "$schema":
			r.Text(v, &d.Schema)
		case "kind":
			r.Text(v, &d.Kind)
			d.Kind = cmp.Or(d.Kind, Kind)
		case "version":
			r.Count(v, &d.Version)
			if d.Version == 0 { // made in code, 0 stands for the current version; in a text it is a mistake
				r.Fail("/version", codeVersion, words.Say("version is {0}; versions start at 1", 0),
					words.Say("Set version to 1."))
			}
		case "requires":
			d.Requires = text.Entries(r.Reader, v, "a text", func(v int) (s string) { r.Text(v, &s); return })
		case "meta":
			d.Meta.Extra = r.fields(v, &metaMembers, metaFields, d.Meta.at(), nil)
		case "scenario":
			r.scenario(v, &d.Scenario)
		case "x":
			d.X = r.Keep(v)
		}
	})
	if !r.short && !r.has("kind") {
		r.Add(text.LevelNote, "/kind", codeAssumed, words.Say("kind is missing; scenario is assumed"),
			words.Say(`Add "kind":"scenario".`))
	}
	if !r.short && !r.has("version") {
		r.Add(text.LevelNote, "/version", codeAssumed, words.Say("version is missing; 1 is assumed"),
			words.Say(`Add "version":1.`))
	}
}

// has says whether the document itself has a member.
func (r *reader) has(name string) bool {
	i := r.Tree.Child(0, name)
	return i >= 0 && r.Tree.Kind(i) != text.KindNull
}

func (r *reader) scenario(i int, s *Scenario) {
	s.Extra = r.Object(i, &scenarioMembers, func(name string, v int) {
		switch name {
		case "seed":
			r.seed(v, &s.Seed)
		case "round_s":
			r.Number(v, &s.RoundS)
		case "horizon_s":
			r.Number(v, &s.HorizonS)
		case "cluster":
			r.cluster(v, &s.Cluster)
		case "throughputs":
			r.throughputs(v, &s.Throughputs)
		case "tenants":
			s.Tenants = text.Entries(r.Reader, v, "an object", func(v int) (q Tenant) {
				q.Extra = r.fields(v, &tenantMembers, tenantFields, q.at(), nil)
				return q
			})
		case "jobs":
			if r.Tree.Kind(v) == text.KindObject {
				s.Generator = r.generator(v)
				return
			}
			s.Jobs = text.Entries(r.Reader, v, "an object", r.job)
		case "overheads":
			r.overheads(v, &s.Overheads)
		case "faults":
			r.faults(v, &s.Faults)
		case "knowledge":
			s.Knowledge.Extra = r.fields(v, &knowledgeMembers, knowledgeFields, s.Knowledge.at(), nil)
		case "policies":
			s.Policies = text.Entries(r.Reader, v, "an object", r.policy)
		}
	})
}

func (r *reader) seed(v int, to *uint64) {
	n, ok := r.Whole(v)
	if ok && n < 0 {
		r.Fail(r.Pointer(), text.CodeRange,
			words.Say("{0} is {1}; the least is {2}", "seed", text.Number(float64(n)), 0),
			words.Say("Set {0} to {1} or more.", "seed", 0))
		return
	}
	if ok {
		*to = uint64(n)
	}
}

func (r *reader) cluster(i int, c *Cluster) {
	c.Extra = r.Object(i, &clusterMembers, func(name string, v int) {
		switch name {
		case "nodes":
			c.Nodes = text.Entries(r.Reader, v, "an object", r.node)
		case "gpu_types":
			c.GPUTypes = text.Mapping(r.Reader, v, r.gpuType)
		case "changes":
			c.Changes = text.Entries(r.Reader, v, "an object", func(v int) (q Change) {
				q.Extra = r.fields(v, &changeMembers, changeFields, q.at(), nil)
				return q
			})
		}
	})
}

func (r *reader) node(i int) Node {
	n := Node{Rack: DefaultRack}
	n.Extra = r.Object(i, &nodeMembers, func(name string, v int) {
		switch name {
		case "id":
			r.Text(v, &n.ID)
		case "rack":
			r.Text(v, &n.Rack)
			n.Rack = cmp.Or(n.Rack, DefaultRack)
		case "gpus":
			n.GPUs = text.Mapping(r.Reader, v, func(v int) (count int) { r.Count(v, &count); return })
		}
	})
	return n
}

func (r *reader) gpuType(i int) (g GPUType) {
	g.Extra = r.fields(i, &gpuTypeMembers, gpuTypeFields, g.at(), nil)
	return g
}

func (r *reader) throughputs(i int, t *Throughputs) {
	t.Extra = r.Object(i, &throughputsMembers, func(name string, v int) {
		switch name {
		case "unit":
			r.Text(v, &t.Unit)
			t.Unit = cmp.Or(t.Unit, StepsPerS)
		case "rows":
			t.Rows = text.Entries(r.Reader, v, "an object", r.row)
		case "pairs":
			t.Pairs = text.Entries(r.Reader, v, "an object", r.pair)
		}
	})
}

func (r *reader) row(i int) (row Row) {
	row.Extra = r.fields(i, &rowMembers, rowNameFields, row.at(), func(name string, v int) {
		switch name {
		case "per_gpu":
			row.PerGPU = r.rates(v)
		case "gang":
			row.Gang = r.sizes(v)
		case "spread":
			row.Spread = r.sizes(v)
		case "source":
			r.Text(v, &row.Source)
		}
	})
	return row
}

func (r *reader) rates(i int) map[string]float64 {
	return text.Mapping(r.Reader, i, func(v int) (x float64) { r.Number(v, &x); return })
}

func (r *reader) sizes(i int) map[string]map[string]float64 {
	return text.Mapping(r.Reader, i, r.rates)
}

func (r *reader) job(i int) (j Job) {
	j.Extra = r.fields(i, &jobMembers, jobFields, j.at(), func(_ string, v int) {
		j.Elastic = &Elastic{}
		j.Elastic.Extra = r.fields(v, &elasticMembers, elasticFields, j.Elastic.at(), nil)
	})
	return j
}

func (r *reader) policy(i int) Policy {
	p := Policy{Rev: DefaultRev}
	p.Extra = r.Object(i, &policyMembers, func(name string, v int) {
		switch name {
		case "id":
			r.Text(v, &p.ID)
			if p.ID == "gavel" { // an alias; results and hooks name gavel-las
				p.ID = "gavel-las"
			}
		case "rev":
			r.Count(v, &p.Rev)
			p.Rev = cmp.Or(p.Rev, DefaultRev)
		case "params":
			p.Params = text.Mapping(r.Reader, v, r.Value)
		case "force":
			p.Force = r.forces(v)
		}
	})
	return p
}
