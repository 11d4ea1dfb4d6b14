package scenario

import (
	"cmp"
	"reflect"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Stragglers are nodes that are slow for a while: as listed, or drawn.
type Stragglers struct {
	List      []Spell
	Generator *SpellGenerator // instead of a list
	Extra     jsondoc.Extra   // of the object that holds the generator
}

var _ = describe[Stragglers](table{
	{name: "generator", need: true},
})

// Spell is a time in which a node runs at a part of its speed. Those of one node do not overlap.
type Spell struct {
	Node       string
	FromS, ToS float64
	Speed      float64 // the part of its speed that is left
	Extra      jsondoc.Extra
}

var _ = describe[Spell](table{
	{name: "node", need: true},
	{name: "from_s", need: true, high: MaxSeconds, unit: " s"},
	{name: "to_s", need: true, high: MaxSeconds, unit: " s"},
	{name: "speed", need: true, low: leastSpeed, high: 1},
})

// SpellGenerator lets each node be slow now and then, by a random stream of its own. Both times are exponential.
type SpellGenerator struct {
	PerH   float64 // spells in an hour at full speed: the mean time from one to the next is 1/PerH hours
	MeanS  float64 // mean length of a spell, in s
	Speed  float64 // the part of its speed that is left to the node
	UntilS float64 // no spell begins after it; 0 = horizon_s, or 30 days after the last arrival
	Extra  jsondoc.Extra
}

var _ = describe[SpellGenerator](table{
	{name: "per_h", need: true, low: leastPerH, high: maxPerH},
	{name: "mean_s", need: true, low: generate.LeastRepairS, high: MaxSeconds, unit: " s"},
	{name: "speed", need: true, low: leastSpeed, high: 1},
	{name: "until_s", high: MaxSeconds, unit: " s"},
})

// Redundancy is what a job does against slow members of its gang (model.Redundancy): backups, or coding.
type Redundancy struct {
	Backup  int // how many of the job's GPUs are backups; 0 = none
	Coding  int // how often each part of the batch is computed; 0 = once, no coding
	Groups  int // in which members code; Parse fills the default, 1
	Dynamic bool
	Extra   jsondoc.Extra
}

var _ = describe[Redundancy](table{
	{name: "backup", high: MaxGangGPUs},
	{name: "coding", high: MaxGangGPUs},
	{name: "groups", high: MaxGangGPUs, def: 1},
	{name: "dynamic"},
})

const (
	leastSpeed        = 0.001
	leastPerH         = 1e-6
	maxPerH           = 3600
	atStragglers      = "/scenario/stragglers"
	atStragglersDrawn = "/scenario/stragglers/generator"
)

func readStragglers(r *reader, v int, in any) {
	f := &in.(*Scenario).Stragglers
	r.either(v, &f.List, f)
}

func writeStragglers(w *writer, in any) {
	if f := &in.(*Scenario).Stragglers; f.Generator != nil {
		w.Member("stragglers")
		w.object(f)
	} else if len(f.List) > 0 {
		w.Member("stragglers")
		w.list(reflect.ValueOf(f.List))
	}
}

// model is the redundancy for a run.
func (r *Redundancy) model() model.Redundancy {
	if r == nil {
		return model.Redundancy{}
	}
	return model.Redundancy{Backup: int32(r.Backup), Fold: int32(r.Coding), Groups: int32(r.Groups), Dynamic: r.Dynamic}
}

func (c *checker) stragglers(s *Scenario) {
	f := &s.Stragglers
	c.Most(atStragglers, words.Say("spells"), len(f.List), maxFaults)
	for i := range f.List {
		q := &f.List[i]
		p, who := jsondoc.EntryAt(atStragglers, i), words.Say("spell {0}", i+1)
		c.fields(p, who, q)
		if jsondoc.Round9(q.ToS) <= jsondoc.Round9(q.FromS) && !c.Tainted(p.String()) {
			c.Fail(p.At("to_s").String(), codeSpell, words.Say("{0} ends at {1} s and begins at {2} s", who,
				jsondoc.Number(q.ToS), jsondoc.Number(q.FromS)), words.Say("Set to_s to a later time."))
		}
	}
	c.apart(f.List)
	g := f.Generator
	if g == nil {
		return
	}
	p := jsondoc.ObjectAt(atStragglersDrawn)
	c.fields(p, words.Text{}, g)
	if c.Tainted(atStragglersDrawn) {
		return
	}
	until := s.drawnUntil(g.UntilS)
	if n := float64(len(s.Cluster.Nodes)) * until / (3600/g.PerH + g.MeanS); n > maxFaults {
		c.Fail(p.At("per_h").String(), jsondoc.CodeMany,
			words.Say("about {0} spells would be drawn until {1} s; the most is {2}",
				jsondoc.Number(float64(int64(n))), jsondoc.Number(until), maxFaults),
			words.Say("Lower per_h, or set until_s to an earlier end."))
	}
}

// apart checks that no spell of a node begins in another one.
func (c *checker) apart(list []Spell) {
	if c.Tainted(atStragglers) {
		return
	}
	order := unit.Order(len(list), func(a, b int32) int {
		x, y := &list[a], &list[b]
		return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(jsondoc.Round9(x.FromS), jsondoc.Round9(y.FromS)))
	})
	for k := 1; k < len(order); k++ {
		x, y := &list[order[k-1]], &list[order[k]]
		if x.Node == y.Node && jsondoc.Round9(y.FromS) < jsondoc.Round9(x.ToS) {
			c.Fail(jsondoc.EntryAt(atStragglers, int(order[k])).At("from_s").String(), codeSpell,
				words.Say("spell {0} of {1} begins at {2} s, before spell {3} ends at {4} s", order[k]+1,
					jsondoc.Clip(y.Node), jsondoc.Number(y.FromS), order[k-1]+1, jsondoc.Number(x.ToS)),
				words.Say("Let one end before the next begins, or make one of the two."))
		}
	}
}

// redundancy checks that a job's gang can have it.
func (c *checker) redundancy(p jsondoc.Place, who words.Text, j *Job, profiled bool) {
	r := j.Redundancy
	c.fields(p, who, r)
	if c.Tainted(p.String()) || j.GPUs < 1 {
		return
	}
	groups := max(r.Groups, 1)
	fail := func(at string, what, fix words.Text) {
		c.Fail(p.At(at).String(), codeRedundancy, what, fix)
	}
	switch {
	case (r.Backup > 0) == (r.Coding > 0):
		c.Fail(p.String(), codeRedundancy, words.Say("{0}: redundancy has to be either backup or coding", who),
			words.Say("Set one of the two, or take redundancy out."))
	case r.Backup >= j.GPUs:
		fail("backup", words.Say("{0}: {1} of its {2} GPUs are backups; at least one has to work", who, r.Backup, j.GPUs),
			words.Say("Set backup to a number below gpus."))
	case r.Coding == 1:
		fail("coding", words.Say("{0}: coding is 1, which is no redundancy", who),
			words.Say("Set it to 2 or more, or take redundancy out."))
	case groups > 1 && r.Coding == 0:
		fail("groups", words.Say("{0}: only coding has groups", who), words.Say("Take groups out."))
	case r.Dynamic && groups == 1:
		fail("dynamic", words.Say("{0}: one group cannot be dynamic", who), words.Say("Set groups to 2 or more."))
	case j.GPUs%groups != 0:
		fail("groups", words.Say("{0}: its {1} GPUs do not make {2} groups of one size", who, j.GPUs, groups),
			words.Say("Set groups to a divisor of gpus."))
	case r.Coding > j.GPUs/groups:
		fail("coding", words.Say("{0}: coding is {1}, and a group has {2} members", who, r.Coding, j.GPUs/groups),
			words.Say("Set it to {0} or less, or have fewer groups.", j.GPUs/groups))
	case j.Elastic != nil:
		c.Fail(p.String(), codeRedundancy, words.Say("{0}: an elastic job has no redundancy", who),
			words.Say("Take elastic or redundancy out."))
	case j.BatchSplit != "":
		c.Fail(p.String(), codeRedundancy, words.Say("{0}: a job whose batch is split by speed has no redundancy", who),
			words.Say("Take batch_split or redundancy out."))
	case profiled:
		c.Fail(p.String(), codeRedundancy, words.Say("{0}: a job of a model with a profile has no redundancy", who),
			words.Say("Take redundancy out, or give the model a row of speeds."))
	}
}

// drawnSpells lists the spells of the generator.
func (s *Scenario) drawnSpells() (out []Spell) {
	g := s.Stragglers.Generator
	nodes := s.Cluster.ids()
	from := generate.Faults{Of: "stragglers", Seed: s.Seed, MTBFH: 1 / jsondoc.Round9(g.PerH), MTTRS: g.MeanS,
		UntilS: s.drawnUntil(g.UntilS), Most: 4 * maxFaults}
	for _, q := range from.Draw(nodes) {
		to := jsondoc.Round9(q.AtS + q.RepairS)
		if n := len(out); n > 0 && out[n-1].Node == nodes[q.Node] && q.AtS < out[n-1].ToS {
			q.AtS = out[n-1].ToS // rounded into it
		}
		if q.AtS < to {
			out = append(out, Spell{Node: nodes[q.Node], FromS: q.AtS, ToS: to, Speed: g.Speed})
		}
	}
	return out
}

// ids are those of the cluster's own nodes.
func (cl *Cluster) ids() (out []string) {
	for i := range cl.Nodes {
		if !cl.Nodes[i].rented {
			out = append(out, cl.Nodes[i].ID)
		}
	}
	return out
}

// compileSpeeds turns spells into the speed of each node, step by step.
func compileSpeeds(s *Scenario) (out []model.SpeedChange) {
	list := s.Stragglers.List
	if s.Stragglers.Generator != nil {
		list = s.drawnSpells()
	}
	if len(list) == 0 {
		return nil
	}
	index := make(map[string]model.NodeID, len(s.Cluster.Nodes))
	for i, id := range s.Cluster.ids() {
		index[id] = model.NodeID(i)
	}
	var ends []model.SpeedChange
	for i := range list {
		q := &list[i]
		from, to, speed := unit.Seconds(jsondoc.Round9(q.FromS)), unit.Seconds(jsondoc.Round9(q.ToS)),
			jsondoc.Round9(q.Speed)
		if from < to && speed < 1 { // else it is over before a tick has passed, or no spell
			out = append(out, model.SpeedChange{At: from, Node: index[q.Node], Speed: speed})
			ends = append(ends, model.SpeedChange{At: to, Node: index[q.Node], Speed: 1})
		}
	}
	out = append(ends, out...) // where one spell follows another at once, the end comes first
	unit.Sort(out, func(a, b model.SpeedChange) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Node, b.Node))
	})
	last := 0
	for i := range out {
		if i+1 < len(out) && out[i+1].At == out[i].At && out[i+1].Node == out[i].Node {
			continue // the one that begins then counts
		}
		out[last] = out[i]
		last++
	}
	return out[:last]
}

// redundant gives a job with redundancy the table that its speeds have with it.
func (x *profileTables) redundant(to *model.Job, row int32) {
	r := to.Shape.Redundancy
	if r == (model.Redundancy{}) {
		return
	}
	k := redundantKey{row, to.Shape.Size, r.Backup, r.Fold}
	at, ok := x.redundancy[k]
	if !ok {
		at = x.add(row, x.p.Tables[to.Phases[0].Tables[0]].Redundant(to.Shape.Size, r))
		x.redundancy[k] = at
	}
	to.Phases = []model.Phase{{Tables: []int32{at}}}
}

// redundantKey is what a table with redundancy depends on.
type redundantKey struct{ row, size, backup, fold int32 }
