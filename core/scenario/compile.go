package scenario

import (
	"cmp"
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Compile turns a document into the Problem that a run needs, with its numbers rounded to 9
// significant digits. It reports every error of d, and the warnings and notes that come from its
// parts not matching; those about single values Parse has reported. The Problem is nil exactly when
// there are errors. def says which parameters the identity in the Problem omits.
func Compile(d *Document, def Defaults) (*model.Problem, jsondoc.Diagnostics) {
	whole, diags := check(d)
	if diags.HasErrors() {
		return nil, diags
	}
	return compile(&whole.Scenario, d.Digest(def)), diags
}

// Check reports what Compile reports, without a Problem and its identity, which take as long again.
func Check(d *Document) jsondoc.Diagnostics {
	_, diags := check(d)
	return diags
}

// check finds what is wrong with a document; whole is the document with its jobs drawn.
func check(d *Document) (whole *Document, diags jsondoc.Diagnostics) {
	f := &jsondoc.Collector{ErrorsOnly: true}
	c := &checker{Collector: f, d: d, lim: FileLimits}
	c.values()
	f.ErrorsOnly = false
	whole = c.whole()
	return whole, f.Finish(d.tree)
}

func compile(s *Scenario, digest [32]byte) *model.Problem {
	p := &model.Problem{
		Cluster: compileCluster(&s.Cluster),
		Tuned:   s.Cluster.HostSplit == "tuned",
		Round:   unit.Seconds(jsondoc.Round9(s.RoundS)),
		Horizon: unit.Never,
		Window:  s.Window.model(),
		Links:   s.Cluster.shared(),
		Seed:    s.Seed,
		Digest:  digest,
	}
	if h := jsondoc.Round9(s.HorizonS); h > 0 {
		p.Horizon = unit.Seconds(h)
	}
	var tables []int32 // by row
	p.Tables, tables = compileTables(s, &p.Cluster)
	one := make([][]model.Phase, len(tables)) // shared: a Problem never changes
	rowOf := make([]int32, len(p.Tables))
	for row, t := range tables {
		if one[row] = []model.Phase{{Tables: []int32{t}}}; t >= 0 {
			rowOf[t] = int32(row)
		}
	}
	prof := newProfileTables(s, p, rowOf)
	rows := rowIndex(s)
	p.Pairs = compilePairs(s, &p.Cluster, rows, tables)
	var tenants map[string]int32
	p.Tenants, tenants = compileTenants(s)
	p.Jobs = make([]model.Job, len(s.Jobs))
	split := splits{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		row := rows[j.row()]
		p.Jobs[i] = model.Job{
			Name: j.ID, Model: j.Model, Batch: int32(j.Batch), Doc: int32(i),
			Arrive: unit.Seconds(jsondoc.Round9(j.ArrivalS)), Work: unit.Work(jsondoc.Round9(j.Steps)),
			Shape:  j.shape(len(s.Cluster.Nodes)),
			Phases: one[row], Weight: jsondoc.Round9(j.Weight),
			Tenant: tenants[j.Tenant], SLO: unit.Seconds(jsondoc.Round9(j.SLOS)), Profile: model.None,
		}
		p.Jobs[i].Shape.Split = split.of(j)
		prof.job(&p.Jobs[i], j, int32(row))
		prof.redundant(&p.Jobs[i], int32(row))
	}
	unit.Sort(p.Jobs, func(a, b model.Job) int {
		return cmp.Or(cmp.Compare(a.Arrive, b.Arrive), cmp.Compare(a.Doc, b.Doc))
	})
	p.DefaultCosts, p.Costs = compileCosts(s, p.Jobs)
	p.Changes, p.Speeds = compileChanges(s, &p.Cluster), compileSpeeds(s)
	p.Cloud = compileCloud(s, &p.Cluster)
	compileNeeds(s, p, rows)
	compileFusion(s, p, rows, prof)
	compileKnowledge(s, p, len(tables), prof.rowOf)
	return p
}

func compileCluster(c *Cluster) model.Cluster {
	var out model.Cluster
	index := map[string]model.TypeID{}
	for i, name := range newSupply(c).types {
		t, _ := CatalogueType(name)
		own := c.GPUTypes[name]
		for _, set := range [...]struct {
			from *float64
			to   *float64
		}{{own.Watts, &t.Watts}, {own.USDPerH, &t.USDPerHour}, {own.MemoryGiB, &t.MemoryGiB}} {
			if set.from != nil {
				*set.to = jsondoc.Round9(*set.from)
			}
		}
		index[name] = model.TypeID(i)
		out.Types = append(out.Types, t)
		out.BySpeed = append(out.BySpeed, model.TypeID(i))
	}
	slices.SortStableFunc(out.BySpeed, func(a, b model.TypeID) int { // ties stay by name
		return cmp.Compare(out.Types[b].FP32TFLOPS, out.Types[a].FP32TFLOPS)
	})
	racks := map[string]int32{}
	most := c.most()
	for i := range c.Nodes {
		n := &c.Nodes[i]
		rack := cmp.Or(n.Rack, DefaultRack)
		if _, ok := racks[rack]; !ok {
			racks[rack] = int32(len(out.Racks))
			out.Racks = append(out.Racks, rack)
		}
		out.Nodes = append(out.Nodes, model.Node{Name: n.ID, Rack: racks[rack], Host: n.host()})
		for _, typ := range jsondoc.Keys(most[i]) {
			if most[i][typ] > 0 {
				out.Slots = append(out.Slots, model.Slot{Node: model.NodeID(i), Type: index[typ],
					Cap: int32(most[i][typ])})
			}
		}
	}
	return out
}

func rowIndex(s *Scenario) map[rowKey]int {
	rows := make(map[rowKey]int, len(s.Throughputs.Rows))
	for i := range s.Throughputs.Rows {
		rows[s.Throughputs.Rows[i].key()] = i
	}
	return rows
}

// tableName is the model and batch of a row's table.
func (r *Row) tableName() string {
	name := r.Model
	if r.Batch > 0 {
		name += " " + strconv.Itoa(r.Batch)
	}
	if r.only != "" {
		name += " (" + r.only + ")"
	}
	return name
}

// compileTables makes one table per row that a job uses and that has no profile, and gives the table of each row, None
// for the others. A table
// reaches to the largest gang of its jobs, and to the largest slot, which copies of a job may fill.
func compileTables(s *Scenario, c *model.Cluster) (tables []model.Throughput, of []int32) {
	var slot int32
	for _, sl := range c.Slots {
		slot = max(slot, sl.Cap)
	}
	rows, have := rowIndex(s), newSupply(&s.Cluster)
	most := make([]int32, len(s.Throughputs.Rows))
	for i := range s.Jobs {
		row := rows[s.Jobs[i].row()]
		most[row] = max(most[row], int32(s.Jobs[i].most()), slot)
	}
	of = make([]int32, len(most))
	for row, size := range most {
		r := &s.Throughputs.Rows[row]
		if of[row] = model.None; size == 0 || r.profile != nil {
			continue
		}
		t := model.NewThroughput(r.tableName(), len(c.Types), size)
		for typ := range c.Types {
			for n := int32(1); n <= size; n++ {
				name := c.Types[typ].Name
				at := func(tier model.Tier) unit.Rate { return unit.Rate(r.rate(have, name, int(n), tier)) }
				t.Set(model.TypeID(typ), n, at(model.OneNode), at(model.OneRack), at(model.Network))
			}
		}
		if s.Cluster.Network != nil && s.Cluster.Network.SharedLinks && r.sharesLinks() {
			t.Gradients = jsondoc.Round9(r.GradientMB) * 1e6
		}
		of[row] = int32(len(tables))
		tables = append(tables, t)
	}
	return tables, of
}
