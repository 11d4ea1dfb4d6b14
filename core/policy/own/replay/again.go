package replay

import (
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	"hadarlab/core/record"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Spec is the policy that a record is, to be registered by whoever has read it, for as long as that runs.
func Spec(rec *record.Record, id, title string) *policy.Spec {
	s := described
	s.ID, s.Title, s.Cadence = id, title, policy.Fixed(cadence(&rec.Head))
	s.New = func(m model.Public, _ policy.Values) (sim.Policy, error) { return newAgain(rec, rec.Policy, m) }
	return &s
}

var described = policy.Spec{
	Rev:     1,
	Summary: "Decisions that were recorded elsewhere, taken again.",
	Source:  "whoever decided them",
	Formula: "as recorded",

	Recorded: true,
}

// Offer registers the policy of records that stand in documents, for programs that run what their own user has opened:
// the page and the command line. To others, servers among them, there is no such policy.
func Offer() {
	if _, err := policy.Find(record.Policy); err == nil {
		return
	}
	s := described
	s.ID, s.Title = record.Policy, "Recorded decisions"
	s.Params = []policy.Param{
		{Name: "of", Title: "Whose decisions", Kind: policy.Text, Default: "",
			Help: "What decided when this was recorded."},
		{Name: "decisions", Title: "The record", Kind: policy.Record, Default: "",
			Help: "Packed; it comes from a file."}}
	s.Cadence = func(_ model.Public, v policy.Values) sim.Cadence {
		h, err := record.UnpackHead(v["decisions"].(string))
		if err != nil {
			return sim.Cadence{On: sim.Arrival} // New has failed
		}
		return cadence(h)
	}
	s.New = func(m model.Public, v policy.Values) (sim.Policy, error) {
		rec, err := record.Unpack(v["decisions"].(string))
		if err != nil {
			return nil, err
		}
		return newAgain(rec, jsondoc.Clip(v["of"].(string)), m)
	}
	policy.Register(&s)
}

// newAgain takes the decisions of a record, if it is of that cluster.
func newAgain(rec *record.Record, of string, m model.Public) (sim.Policy, error) {
	if says := otherCluster(rec, m.Cluster); !says.IsZero() {
		return nil, &record.Error{Line: 1, Says: says}
	}
	return &again{rec: rec, of: of, public: m}, nil
}

// otherCluster says in what the record's cluster is another one, if it is.
func otherCluster(rec *record.Record, c *model.Cluster) words.Text {
	here := slotsOf(c)
	for i := range max(len(here), len(rec.Slots)) {
		switch {
		case i >= len(here):
			return words.Say("The record is of another cluster: it has {0} of {1} too.", rec.Slots[i].Type,
				rec.Slots[i].Node)
		case i >= len(rec.Slots):
			return words.Say("The record is of another cluster: it lacks {0} of {1}.", here[i].Type, here[i].Node)
		case here[i] != rec.Slots[i]:
			return words.Say("The record is of another cluster: it has {0} {1} of {2} in the place of {3} {4} of {5}.",
				rec.Slots[i].GPUs, rec.Slots[i].Type, rec.Slots[i].Node, here[i].GPUs, here[i].Type, here[i].Node)
		}
	}
	return words.Text{}
}

// again takes the decisions of a record. It remembers nothing.
type again struct {
	rec    *record.Record
	of     string // who decided
	public model.Public
}

// Clone takes the same decisions: the kernel says which is next.
func (a *again) Clone() sim.Policy { return a }

// Decide takes the record's decision, if it is of this moment of this run.
func (a *again) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	if v.Decision() >= len(a.rec.Decisions) {
		p.Fail(sim.Fault{Says: words.Say("The record has no more decisions.")})
		return
	}
	d := &a.rec.Decisions[v.Decision()]
	if says := a.take(v, p, w, d); !says.IsZero() {
		p.Fail(sim.Fault{Says: words.Say("Line {0} of the record: {1}", d.Line, says)})
		return
	}
	a.explain(v, p, w, d)
}

// explain says of every job that it was decided so, and where that is known from: why, nobody has recorded.
func (a *again) explain(v sim.View, p *sim.Plan, w *sim.Why, d *record.Decision) {
	free, _ := place.Free(a.public.Cluster, p)
	for _, j := range v.Active() {
		if !p.Holds(j) {
			w.Wait(j, trace.WaitChoice, float64(v.Shape(j).Size), float64(free), 0)
		}
		if w.Detail == nil {
			continue
		}
		says := words.Say("a recorded decision, taken at {0} in the run of {1} (line {2} of the record)",
			sim.Instant(d.Now), a.of, d.Line)
		if a.of == "" {
			says = words.Say("a recorded decision, taken at {0} (line {1} of the record)", sim.Instant(d.Now), d.Line)
		}
		w.Detail.Of(j).Says = says
	}
}

// Otherwise says in what a run that is over is not the recorded one, if it is not.
func (a *again) Otherwise(t *trace.Trace) words.Text {
	switch n := len(t.Rounds); {
	case n < len(a.rec.Decisions):
		next := &a.rec.Decisions[n]
		return words.Say("Line {0} of the record: it has one more decision at {1} s, and the run is over.", next.Line,
			next.Now)
	case a.rec.Trace != "" && a.rec.Trace != t.Hash():
		return words.Say("The decisions lead to another run here than the recorded one.")
	}
	return words.Text{}
}

// take states the plan; it says what is in the way, or nothing.
func (a *again) take(v sim.View, p *sim.Plan, w *sim.Why, d *record.Decision) words.Text {
	if says := a.elsewhere(v, d); !says.IsZero() {
		return says
	}
	for _, j := range d.Keep {
		if !active(v, j) || v.Gangs(model.JobID(j)) == 0 {
			return words.Say("Job {0} keeps its GPUs in the record, and holds none here.", a.rec.Jobs[j])
		}
	}
	for _, j := range v.Active() {
		if _, keeps := slices.BinarySearch(d.Keep, int32(j)); !keeps {
			p.Drop(j)
		} else {
			w.Chose(j, 0, 0, 0)
		}
	}
	for i := range d.Gangs {
		g := &d.Gangs[i]
		if j := model.JobID(g.Job); !a.state(v, p, g) {
			return words.Say("The record gives job {0} GPUs that it cannot have here: {1}", a.rec.Jobs[j],
				a.refusal(v, p, g))
		}
		w.Chose(model.JobID(g.Job), 0, 0, 0)
		for _, m := range g.With {
			w.Chose(model.JobID(m.Job), 0, 0, 0)
		}
	}
	if d.Wake != nil {
		p.WakeAt(unit.Seconds(*d.Wake))
	}
	return words.Text{}
}

// elsewhere says in what this is not the moment of the recorded decision, if it is not.
func (a *again) elsewhere(v sim.View, d *record.Decision) words.Text {
	if less, more := apart(v.Arrived(), d.Arrived); less != model.None {
		return words.Say("Job {0} has arrived in the record, and not here.", a.rec.Jobs[less])
	} else if more != model.None {
		return words.Say("Job {0} has arrived, and not in the record.", v.Name(more))
	}
	if less, more := apart(v.Ended(), d.Ended); less != model.None {
		return words.Say("Job {0} has ended in the record, and not here.", a.rec.Jobs[less])
	} else if more != model.None {
		return words.Say("Job {0} has ended, and not in the record.", v.Name(more))
	}
	for _, j := range v.Arrived() {
		if name := a.rec.Jobs[j]; name != v.Name(j) {
			return words.Say("Job {0} is {1} in the record.", v.Name(j), name)
		}
	}
	if unit.Seconds(d.Now) != v.Now() {
		return words.Say("The record has this decision at {0} s.", d.Now)
	}
	return words.Text{}
}

// apart is the first job that only the record has, and the first that is only here; model.None = there is none.
func apart(here []model.JobID, recorded []int32) (less, more model.JobID) {
	less, more = model.None, model.None
	for _, j := range recorded {
		if j := model.JobID(j); !slices.Contains(here, j) {
			less = j
			break
		}
	}
	for _, j := range here {
		if !slices.Contains(recorded, int32(j)) {
			more = j
			break
		}
	}
	return less, more
}

// state states a gang; it is false where the plan does not take it.
func (a *again) state(v sim.View, p *sim.Plan, g *record.Gang) bool {
	if !active(v, g.Job) {
		return false
	}
	if g.Copy {
		p.OpenCopy(model.JobID(g.Job), sim.Config(g.Config))
	} else {
		p.Open(model.JobID(g.Job), sim.Config(g.Config))
	}
	limit(p, g.Quota)
	for _, m := range g.With {
		if !active(v, m.Job) {
			return false
		}
		p.Join(model.JobID(m.Job))
		limit(p, m.Quota)
	}
	for _, part := range g.GPUs {
		p.Take(model.SlotID(part[0]), part[1])
	}
	return p.Close()
}

// active says whether the job has come and is not done.
func active(v sim.View, j int32) bool {
	_, is := slices.BinarySearch(v.Active(), model.JobID(j))
	return is
}

func limit(p *sim.Plan, quota *float64) {
	if quota != nil {
		p.Quota(unit.Work(*quota))
	}
}

// refusal is why the plan does not take a gang, with the names of types and nodes.
func (a *again) refusal(v sim.View, p *sim.Plan, g *record.Gang) words.Text {
	j, c := model.JobID(g.Job), a.public.Cluster
	if !active(v, g.Job) {
		return words.Say("it is not there now")
	}
	var gang []model.Shard
	for _, part := range g.GPUs {
		gang = append(gang, model.Shard{Slot: model.SlotID(part[0]), N: part[1]})
	}
	return own.WithNames(c, own.WrongGang(c, v, p, j, gang))
}
