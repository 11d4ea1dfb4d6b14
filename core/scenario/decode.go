package scenario

import (
	"slices"

	"hadarlab/core/text"
)

// The members of every object of a document, in the order of the human form.
var (
	documentMembers = members{need: []string{"scenario"},
		may: []string{"$schema", "kind", "version", "requires", "meta", "x"}}
	metaMembers     = members{may: []string{"title", "question", "notes", "derived_from", "license"}}
	scenarioMembers = members{need: []string{"cluster", "throughputs", "jobs"},
		may: []string{"seed", "round_s", "horizon_s", "tenants", "overheads", "faults", "knowledge", "policies"}}
	clusterMembers     = members{need: []string{"nodes"}, may: []string{"gpu_types", "changes"}}
	nodeMembers        = members{need: []string{"id"}, may: []string{"rack", "gpus"}}
	gpuTypeMembers     = members{may: []string{"usd_per_h", "watts", "memory_gib"}}
	throughputsMembers = members{need: []string{"rows"}, may: []string{"unit", "pairs"}}
	rowMembers         = members{need: []string{"model"}, may: []string{"batch", "per_gpu", "gang", "spread", "source"}}
	jobMembers         = members{need: []string{"id", "model", "gpus", "steps"},
		may: []string{"batch", "arrival_s", "weight", "tenant", "slo_s", "elastic"}}
	elasticMembers = members{need: []string{"min", "max"}}
	policyMembers  = members{need: []string{"id"}, may: []string{"rev", "params", "force"}}
)

// Defaults of members whose zero value means something else.
const (
	DefaultRoundS = 360           // s, of a round
	DefaultRack   = "r1"          // of a node
	DefaultWeight = 1             // of a job, a tenant or a share
	DefaultRev    = 1             // of a policy
	StepsPerS     = "steps_per_s" // the only unit of throughputs
)

func (r *reader) document(d *Document) {
	d.Kind, d.Version = Kind, Version
	d.Scenario = Scenario{RoundS: DefaultRoundS, Throughputs: Throughputs{Unit: StepsPerS}}
	if r.has("cluster") && r.has("jobs") {
		r.loose = `Put cluster, throughputs and jobs inside "scenario":{…}.`
	}
	d.Extra = r.object(0, &documentMembers, func(name string, v int) {
		switch name {
		case "$schema":
			r.text(v, &d.Schema)
		case "kind":
			r.text(v, &d.Kind)
			d.Kind = orDefault(d.Kind, Kind)
		case "version":
			r.count(v, &d.Version)
			if d.Version == 0 { // made in code, 0 stands for the current version; in a text it is a mistake
				r.fail("/version", codeVersion, "version is 0; versions start at 1", "Set version to 1.")
			}
		case "requires":
			d.Requires = slices.Grow([]string(nil), r.entries(v))
			r.list(v, "a text", func(v int) {
				var s string
				r.text(v, &s)
				d.Requires = append(d.Requires, s)
			})
		case "meta":
			r.meta(v, &d.Meta)
		case "scenario":
			r.scenario(v, &d.Scenario)
		case "x":
			d.X = r.keep(v)
		}
	})
	if !r.short && !r.has("kind") {
		r.add(LevelNote, "/kind", codeAssumed, "kind is missing; scenario is assumed", `Add "kind":"scenario".`)
	}
	if !r.short && !r.has("version") {
		r.add(LevelNote, "/version", codeAssumed, "version is missing; 1 is assumed", `Add "version":1.`)
	}
}

// has says whether the document itself has a member.
func (r *reader) has(name string) bool {
	i := r.t.child(0, name)
	return i >= 0 && r.t.kind(i) != kNull
}

func (r *reader) meta(i int, m *Meta) {
	m.Extra = r.object(i, &metaMembers, func(name string, v int) {
		switch name {
		case "title":
			r.text(v, &m.Title)
		case "question":
			r.text(v, &m.Question)
		case "notes":
			r.text(v, &m.Notes)
		case "derived_from":
			r.text(v, &m.DerivedFrom)
		case "license":
			r.text(v, &m.License)
		}
	})
}

func (r *reader) scenario(i int, s *Scenario) {
	s.Extra = r.object(i, &scenarioMembers, func(name string, v int) {
		switch name {
		case "seed":
			r.seed(v, &s.Seed)
		case "round_s":
			r.number(v, &s.RoundS)
		case "horizon_s":
			r.number(v, &s.HorizonS)
		case "cluster":
			r.cluster(v, &s.Cluster)
		case "throughputs":
			r.throughputs(v, &s.Throughputs)
		case "tenants":
			s.Tenants = slices.Grow([]Tenant(nil), r.entries(v))
			r.list(v, "an object", func(v int) {
				var q Tenant
				q.Extra = r.fields(v, &tenantMembers, tenantFields, q.at(), nil)
				s.Tenants = append(s.Tenants, q)
			})
		case "jobs":
			if r.t.kind(v) == kObject {
				s.Generator = r.generator(v)
				return
			}
			s.Jobs = make([]Job, 0, r.entries(v))
			r.list(v, "an object", func(v int) { s.Jobs = append(s.Jobs, r.job(v)) })
		case "overheads":
			r.overheads(v, &s.Overheads)
		case "faults":
			r.faults(v, &s.Faults)
		case "knowledge":
			s.Knowledge.Extra = r.fields(v, &knowledgeMembers, knowledgeFields, s.Knowledge.at(), nil)
		case "policies":
			s.Policies = slices.Grow([]Policy(nil), r.entries(v))
			r.list(v, "an object", func(v int) { s.Policies = append(s.Policies, r.policy(v)) })
		}
	})
}

func (r *reader) seed(v int, to *uint64) {
	n, ok := r.whole(v)
	if ok && n < 0 {
		r.fail(r.pointer(), codeRange, "seed is "+text.Number(float64(n))+"; the least is 0", "Set seed to 0 or more.")
		return
	}
	if ok {
		*to = uint64(n)
	}
}

func (r *reader) cluster(i int, c *Cluster) {
	c.Extra = r.object(i, &clusterMembers, func(name string, v int) {
		switch name {
		case "nodes":
			c.Nodes = make([]Node, 0, r.entries(v))
			r.list(v, "an object", func(v int) { c.Nodes = append(c.Nodes, r.node(v)) })
		case "gpu_types":
			c.GPUTypes = mapping(r, v, r.gpuType)
		case "changes":
			c.Changes = slices.Grow([]Change(nil), r.entries(v))
			r.list(v, "an object", func(v int) {
				var q Change
				q.Extra = r.fields(v, &changeMembers, changeFields, q.at(), nil)
				c.Changes = append(c.Changes, q)
			})
		}
	})
}

func (r *reader) node(i int) Node {
	n := Node{Rack: DefaultRack}
	n.Extra = r.object(i, &nodeMembers, func(name string, v int) {
		switch name {
		case "id":
			r.text(v, &n.ID)
		case "rack":
			r.text(v, &n.Rack)
			n.Rack = orDefault(n.Rack, DefaultRack)
		case "gpus":
			n.GPUs = mapping(r, v, func(v int) (count int) { r.count(v, &count); return })
		}
	})
	return n
}

func (r *reader) gpuType(i int) (g GPUType) {
	g.Extra = r.object(i, &gpuTypeMembers, func(name string, v int) {
		x := new(float64)
		r.number(v, x)
		switch name {
		case "usd_per_h":
			g.USDPerH = x
		case "watts":
			g.Watts = x
		case "memory_gib":
			g.MemoryGiB = x
		}
	})
	return g
}

func (r *reader) throughputs(i int, t *Throughputs) {
	t.Extra = r.object(i, &throughputsMembers, func(name string, v int) {
		switch name {
		case "unit":
			r.text(v, &t.Unit)
			t.Unit = orDefault(t.Unit, StepsPerS)
		case "rows":
			t.Rows = make([]Row, 0, r.entries(v))
			r.list(v, "an object", func(v int) { t.Rows = append(t.Rows, r.row(v)) })
		case "pairs":
			t.Pairs = slices.Grow([]Pair(nil), r.entries(v))
			r.list(v, "an object", func(v int) { t.Pairs = append(t.Pairs, r.pair(v)) })
		}
	})
}

func (r *reader) row(i int) (row Row) {
	row.Extra = r.object(i, &rowMembers, func(name string, v int) {
		switch name {
		case "model":
			r.text(v, &row.Model)
		case "batch":
			r.count(v, &row.Batch)
		case "per_gpu":
			row.PerGPU = r.rates(v)
		case "gang":
			row.Gang = r.sizes(v)
		case "spread":
			row.Spread = r.sizes(v)
		case "source":
			r.text(v, &row.Source)
		}
	})
	return row
}

func (r *reader) rates(i int) map[string]float64 {
	return mapping(r, i, func(v int) (x float64) { r.number(v, &x); return })
}

func (r *reader) sizes(i int) map[string]map[string]float64 { return mapping(r, i, r.rates) }

func (r *reader) job(i int) Job {
	j := Job{Weight: DefaultWeight}
	j.Extra = r.object(i, &jobMembers, func(name string, v int) {
		switch name {
		case "id":
			r.text(v, &j.ID)
		case "model":
			r.text(v, &j.Model)
		case "batch":
			r.count(v, &j.Batch)
		case "arrival_s":
			r.number(v, &j.ArrivalS)
		case "gpus":
			r.count(v, &j.GPUs)
		case "steps":
			r.number(v, &j.Steps)
		case "weight":
			r.number(v, &j.Weight)
		case "tenant":
			r.text(v, &j.Tenant)
		case "slo_s":
			r.number(v, &j.SLOS)
		case "elastic":
			j.Elastic = &Elastic{}
			j.Elastic.Extra = r.object(v, &elasticMembers, func(name string, v int) {
				switch name {
				case "min":
					r.count(v, &j.Elastic.Min)
				case "max":
					r.count(v, &j.Elastic.Max)
				}
			})
		}
	})
	return j
}

func (r *reader) policy(i int) Policy {
	p := Policy{Rev: DefaultRev}
	p.Extra = r.object(i, &policyMembers, func(name string, v int) {
		switch name {
		case "id":
			r.text(v, &p.ID)
			if p.ID == "gavel" { // an alias; results and hooks name gavel-las
				p.ID = "gavel-las"
			}
		case "rev":
			r.count(v, &p.Rev)
			p.Rev = orDefault(p.Rev, DefaultRev)
		case "params":
			p.Params = mapping(r, v, r.value)
		case "force":
			p.Force = r.forces(v)
		}
	})
	return p
}
