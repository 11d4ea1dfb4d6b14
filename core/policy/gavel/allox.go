package gavel

import (
	"cmp"
	"slices"

	"hadarlab/core/assign"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// AlloX serves jobs of one GPU each. It asks which job should run on which type, and in which order
// there, so that the sum of completion times is least. As in Gavel's baselines the question is asked at
// each allocation of Gavel's rounds, over the jobs that have no GPU of their own yet. The first in each
// GPU's queue gets it as its own until it ends or too few are in service; the rounds give what nobody is due
// to whoever can use it.
//
// The matching has a row for each such job and a column for each place in a type's queue. Its work
// grows with the cube of the rows, so the parameters limit them.
func init() {
	policy.Register(&policy.Spec{
		ID: "allox", Title: "AlloX", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Matches jobs with GPUs and places in their queues so that the sum of their completion times is least; GPUs left over go round by round to whoever can use them.",
		Source:  "AlloX (EuroSys 2020), as in Gavel's baselines, with Gavel's rounds; the limit on matched jobs ours; its fairness among users and its trial runs for speeds are left out",
		Formula: "Target: 1 for the first in each GPU’s queue, until it ends or too few are in service; queues of the least sum of k × time there, a job k-th from the end; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Needs:   policy.Needs{Lengths: true, SingleGPU: true},
		Params: []policy.Param{minReset,
			{Name: "alpha", Title: "Part of the waiting jobs that is matched", Kind: policy.Float, Default: 1.0, Min: 0,
				Max:  1,
				Help: "The oldest, but at least as many as there are free GPUs. With less than 1 young jobs are not matched yet, and have only what is left over; who is served sooner by that differs from scenario to scenario."},
			{Name: "rows", Title: "Most jobs matched at once", Kind: policy.Int, Default: 256.0, Min: 1, Max: 1024,
				Help: "A longer queue is cut after its oldest jobs, but not below the number of free GPUs."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			s := &completion{cluster: m.Cluster, alpha: v.Float("alpha"), limit: v.Int("rows")}
			return &allox{newGavel(m, v, s, false), s}, nil
		},
	})
}

// allox is the rounds of Gavel's family around a matching, and its reasons.
type allox struct {
	*gavel
	sums *completion
}

// Clone copies the rounds and who has which GPU.
func (a *allox) Clone() sim.Policy {
	g := a.gavel.Clone().(*gavel)
	return &allox{g, g.sharer.(*completion)}
}

// Decide is a round of rounds with the reasons of the matching.
func (a *allox) Decide(v sim.View, p *sim.Plan, w *sim.Why) { a.decide(v, p, w, a) }

// completion is the sharer of the least sum of completion times. It keeps between allocations who has a
// GPU as its own, and what the last matching said of the others.
type completion struct {
	cluster *model.Cluster
	alpha   float64
	limit   int
	jobs    policy.ByJob[matched]

	match assign.Matching
	free  []int32        // by type, GPUs that are nobody's own
	types []model.TypeID // with such a GPU, fastest first
	rows  []int32        // positions of the jobs that are matched, oldest first
	slots []int32        // rows of one type by run time, the earlier start first
	queue []int32        // the same, the older job first
}

// matched is what the matching has said of a job.
type matched struct {
	on     model.TypeID // None = it was not matched
	own    bool         // a GPU of the type is its own, while there are enough
	place  int32        // from the end of the GPU's queue; 0 = not in the last matching
	before int32        // jobs of the last matching that go before it there
	takes  unit.Tick    // from then on, there
	cut    bool         // left out because older jobs fill the rows
	absent bool         // it could not run at the last matching; what is said here, but place, is of one before
}

// clone copies what lives from one allocation to the next.
func (a *completion) clone() sharer {
	return &completion{cluster: a.cluster, alpha: a.alpha, limit: a.limit, jobs: slices.Clone(a.jobs)}
}

// terms gives nothing: the matching has a table of its own.
func (a *completion) terms(sim.View, model.JobID, []float64) []sim.Term { return nil }

// fractions matches the jobs without a GPU of their own with (GPU, place from the end of its queue). Those
// whose place comes first have all the time of the GPU's type from now on. Places count from the end
// because a job delays itself and those after it: the k-th from the end adds k times its run time to the
// sum of completion times.
func (a *completion) fractions(in *shareInput, x []float64) {
	a.keep(in)
	a.collect(in)
	spots := a.match.Solve(len(a.rows))
	for g, t := range a.types {
		a.queue = a.queue[:0]
		for r := range spots {
			if spots[r].Group == int32(g) {
				a.queue = append(a.queue, int32(r))
			}
		}
		a.slots = append(a.slots[:0], a.queue...)
		faster := func(x, y int32) int { return cmp.Compare(a.match.Cost(x, g), a.match.Cost(y, g)) }
		slices.SortStableFunc(a.queue, faster)
		slices.SortStableFunc(a.slots, func(x, y int32) int {
			return cmp.Or(faster(x, y), cmp.Compare(spots[x].Before, spots[y].Before))
		})
		// Of jobs that take equally long the oldest has the first start: they may swap places at no cost.
		for k, r := range a.queue {
			at := &spots[a.slots[k]]
			a.jobs[in.ids[a.rows[r]]] = matched{on: t, own: at.Before == 0, place: at.Place, before: at.Before,
				takes: unit.Tick(a.match.Cost(r, g))}
		}
	}
	for i, j := range in.ids {
		if m := &a.jobs[j]; m.own {
			x[i*len(in.Capacity)+int(m.on)] = 1
		}
	}
}

// keep leaves each job the GPU that is its own, as long as there are so many and the job can use it, and
// fills free and types.
func (a *completion) keep(in *shareInput) {
	a.free = a.free[:0]
	for _, n := range in.Capacity {
		a.free = append(a.free, int32(n))
	}
	for j := range a.jobs {
		a.jobs[j].absent, a.jobs[j].place = true, 0
	}
	for i, j := range in.ids {
		m := a.jobs.Of(j, matched{on: model.None})
		if m.absent = false; m.own && a.free[m.on] > 0 && in.Rates[i*len(a.free)+int(m.on)] > 0 {
			a.free[m.on]--
		} else {
			*m = matched{on: model.None}
		}
	}
	a.types = a.types[:0]
	for _, t := range a.cluster.BySpeed {
		if a.free[t] > 0 {
			a.types = append(a.types, t)
		}
	}
}

// collect makes rows of the matching: of the jobs without a GPU of their own those that can run on a
// free one, a part alpha of them, the oldest, but at least as many as there are free GPUs.
func (a *completion) collect(in *shareInput) {
	free := 0
	a.rows = a.rows[:0]
	a.match.Begin(len(a.types))
	for g, t := range a.types {
		a.match.Room[g] = a.free[t]
		free += int(a.free[t])
	}
	for i, j := range in.ids {
		if a.jobs[j].own {
			continue
		}
		left, _ := in.view.Remaining(j)
		runs := false
		for _, t := range a.types {
			c := assign.NoMatch
			if r := unit.Rate(in.Rates[i*len(a.free)+int(t)]); r > 0 {
				c, runs = min(int64(r.Until(left)), assign.NoMatch-1), true
			}
			a.match.Costs = append(a.match.Costs, c)
		}
		if runs {
			a.rows = append(a.rows, int32(i))
		} else {
			a.match.Costs = a.match.Costs[:len(a.rows)*len(a.types)]
		}
	}
	most := max(min(int(a.alpha*float64(len(a.rows))), a.limit), free)
	for len(a.rows) > most {
		last := len(a.rows) - 1
		a.jobs[in.ids[a.rows[last]]].cut = true
		a.rows = a.rows[:last]
	}
}

// record states what the rounds do, and of a job that waits without a GPU of its own what the matching says.
func (a *allox) record(v sim.View, w *sim.Why) {
	a.gavel.record(v, w)
	for _, j := range v.Active() {
		if code, _ := w.Given(j); code != trace.WaitShare || a.sums.jobs[j].own {
			continue
		}
		if m := &a.sums.jobs[j]; m.on < 0 {
			w.Wait(j, trace.WaitMatch, -1, 0, 0)
		} else {
			w.Wait(j, trace.WaitMatch, float64(m.before), m.takes.Seconds(), float64(m.on))
		}
	}
	if sim.Explains && w.Detail != nil {
		a.explain(v, w)
	}
}

// matchColumns are those of the matching.
var matchColumns = []sim.Column{{Name: "Job"}, {Name: "GPU type"}, {Name: "Place from the end"},
	{Name: "Run time there", Unit: "s"}}

// explain adds the matching to what the rounds say: what it gave each job, and the rows that it had.
func (a *allox) explain(v sim.View, w *sim.Why) {
	queue := &sim.Table{Title: words.Say("The matching"), Columns: matchColumns}
	for _, j := range v.Active() {
		if int(j) >= len(a.sums.jobs) {
			break // it came after the last matching, as did those behind it
		}
		m := &a.sums.jobs[j]
		takes := sim.Seconds(m.takes.Seconds())
		if m.place > 0 {
			queue.Rows = append(queue.Rows, sim.Row{Cells: []any{j, m.on, m.place, float64(takes)}})
		}
		c, on := w.Detail.Of(j), a.picked(j)
		if m.place > 0 {
			c.Sections = append(c.Sections, &sim.Section{Formula: []words.Text{policy.Line(
				"adds to the sum of completion times = place from the end × run time = {0} × {1} = {2} s",
				float64(m.place), float64(takes), float64(m.place)*float64(takes))}})
		}
		switch code, _ := w.Given(j); {
		case on != nil && m.own && on.Type != m.on && !inService(a.cluster, v, m.on):
			c.Says = words.Say("a {0} is its own, but none is in service; meanwhile it runs on a {1} that is left over",
				m.on, on.Type)
		case on != nil && m.own && slices.Index(a.types, on.Type) > slices.Index(a.types, m.on):
			c.Says = words.Say(
				"a {0} is its own, but others of whom that is true as well have all that are in service; meanwhile it runs on a {1} that is left over",
				m.on, on.Type)
		case on != nil && m.own && on.Type != m.on:
			c.Says = words.Say("a {0} is its own, but a {1} is left over, and that type chooses first",
				m.on, on.Type)
		case on != nil && m.own && m.place > 0:
			c.Says = words.Say(
				"a {1} is its own until it ends or too few are in service: from the last matching on it takes {0} there, and this way the sum of the completion times of those that were matched is smallest",
				takes, m.on)
		case on != nil && m.own:
			c.Says = words.Say("a {0} is its own until it ends or too few are in service", m.on)
		case on != nil && m.absent:
			c.Says = words.Say("it could not run when jobs were matched last; meanwhile it runs where a GPU is left over")
		case on != nil && m.on >= 0:
			c.Says = words.Say("{0}; meanwhile it runs where a GPU is left over", m.says())
		case code != trace.WaitMatch:
		case m.absent:
			c.Says = words.Say("it could not run when jobs were matched last, and {0}", a.leftOver(v, j))
		case m.on >= 0:
			c.Says = words.Say("{0}; {1}", m.says(), a.leftOver(v, j))
		case m.cut:
			c.Says = words.Say(
				"it is not among the oldest jobs, which alone are matched with GPUs for now, and {0}", a.leftOver(v, j))
		default:
			c.Says = words.Say(
				"when jobs were matched last, all GPUs in service that it can use were other jobs' own, and {0}",
				a.leftOver(v, j))
		}
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Table: queue, Title: words.Say(
		"The last matching, whose completion times have the smallest sum; a job counts for itself and for those behind it")})
}

// inService says whether a GPU of a type is.
func inService(c *model.Cluster, v sim.View, t model.TypeID) bool {
	for s, slot := range c.Slots {
		if slot.Type == t && v.Capacity(model.SlotID(s)) > 0 {
			return true
		}
	}
	return false
}

// says is why a job does not go first on the GPU that it is matched with.
func (m *matched) says() words.Text {
	return words.Count(int(m.before),
		"the sum of the completion times of those that were matched is smallest when {0} job goes before it on a {1}, where it takes {2}",
		"the sum of the completion times of those that were matched is smallest when {0} jobs go before it on a {1}, where it takes {2}",
		m.on,
		sim.Seconds(m.takes.Seconds()))
}
