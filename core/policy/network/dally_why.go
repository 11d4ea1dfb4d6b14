package network

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// far says how far apart GPUs lie, as the chart of locality does.
func far(t model.Tier) words.Text {
	switch t {
	case model.OneNode:
		return words.Say("on one node")
	case model.OneRack:
		return words.Say("on several nodes of one rack")
	}
	return words.Say("over several racks")
}

// atMost is a timer of so many seconds for people.
func atMost(s float64) words.Text {
	if s >= endless {
		return words.Say("as long as it takes")
	}
	return words.Say("at most {0}", sim.Seconds(s))
}

// refuses says why a job lets free GPUs be, by the numbers of WaitCloser, slower among them for the very GPUs that are
// free. Where timers follow past waits, the present one is no promise.
func refuses(num [3]float64, slower float64, tuned bool) words.Text {
	there, times := far(model.Tier(num[2])), sim.Fixed{Value: slower, Decimals: 2}
	if num[1] >= endless {
		return words.Say("the GPUs that are free lie {0}, where a step takes {1} times as long as on the closest GPUs it could have; it waits for closer ones, however long that takes",
			there, times)
	}
	if tuned {
		return words.Say("the GPUs that are free lie {0}, where a step takes {1} times as long as on the closest GPUs it could have; it waits for closer ones, {2} more as its timer stands",
			there, times, sim.Seconds(num[1]))
	}
	return words.Say("the GPUs that are free lie {0}, where a step takes {1} times as long as on the closest GPUs it could have; it waits for closer ones, {2} more at most",
		there, times, sim.Seconds(num[1]))
}

// starts says why a job starts where it does, by the numbers of its choice.
func (d *dally) starts(s *sensitive, num [3]float64) words.Text {
	for i := range d.cleared {
		if x := &d.cleared[i]; x.job == s.job {
			return words.Say("its GPUs lie {0}; {1} for it, which saves {2} and costs {3}",
				far(s.best), gaveWay(x.victims), sim.GPUSeconds(x.saves), sim.GPUSeconds(x.costs))
		}
	}
	x := &d.jobs[s.job]
	switch {
	case x.offered > s.best && num[2] == 0:
		return words.Say("its GPUs lie {0}, and it does not wait for closer ones", far(x.offered))
	case x.offered > s.best && d.clock == 1:
		return words.Say(
			"its GPUs lie {0}; it takes such when {1} have passed since it last held GPUs, or came, and {2} have",
			far(x.offered), sim.Seconds(num[2]), sim.Seconds(num[1]))
	case x.offered > s.best && d.clock == 2:
		return words.Say("its GPUs lie {0}; it takes such when {1} have passed since it came, and {2} have",
			far(x.offered), sim.Seconds(num[2]), sim.Seconds(num[1]))
	case x.offered > s.best:
		return words.Say("its GPUs lie {0}; from its first refusal on it waits {1} for closer ones, and {2} have passed",
			far(x.offered), atMost(num[2]), sim.Seconds(num[1]))
	case x.lasted > 0:
		return words.Say("its GPUs lie {0}, and it can have none that are closer together; it first refused others {1} ago",
			far(x.offered), sim.Seconds(x.lasted.Seconds()))
	}
	return words.Say("its GPUs lie {0}, and it can have none that are closer together", far(x.offered))
}

// gaveWay is a list of who gave way.
func gaveWay(who []any) words.Text {
	switch len(who) {
	case 1:
		return words.Say("{0} gave way", who...)
	case 2:
		return words.Say("{0} and {1} gave way", who...)
	case 3:
		return words.Say("{0}, {1} and one more gave way", who[:2]...)
	}
	return words.Say("{0}, {1} and {2} more gave way", who[0], who[1], len(who)-2)
}

// explain says what each job was offered and how patient it is, the timers, and how the network bears on each job.
func (d *dally) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	read := d.Clone().(*dally) // reading a timer tunes it, and an explanation changes nothing
	harm := &sim.Table{Key: "sensitivity", Title: words.Say("Sensitivity to the network"), Columns: []sim.Column{
		{Name: "Job", Key: "job"}, {Name: "Progress against the closest", Key: "efficiency", Unit: unit.Share},
		{Key: "best"},
		{Name: "Slower in one rack", Key: "slow_rack"}, {Name: "Slower over racks", Key: "slow_network"}}}
	all := append(slices.Clone(d.queue), d.others...)
	slices.SortFunc(all, byHarm)
	for i := range all {
		s := &all[i]
		if i > 0 && all[i-1].job == s.job { // it gave way and stands in both lists
			continue
		}
		row := sim.Row{Cells: []any{s.job, s.progress, far(s.best)}}
		for _, slow := range s.slow[model.OneRack:] {
			if math.IsInf(slow, 1) { // it does not run there
				row.Cells = append(row.Cells, nil)
			} else {
				row.Cells = append(row.Cells, slow)
			}
		}
		harm.Rows = append(harm.Rows, row)
		c := w.Detail.Of(s.job)
		w.Detail.Order = append(w.Detail.Order, s.job)
		if held := v.Attained(s.job).Seconds() / float64(v.Shape(s.job).Size); held > 0 && s.progress < 1 {
			c.Sections = append(c.Sections, &sim.Section{Formula: []words.Text{policy.Line(
				"progress against the closest = steps done ÷ speed on the closest GPUs it could have ÷ time on GPUs = {0} ÷ {1} ÷ {2} = {3} %",
				float64(v.Done(s.job)), s.rate, held, 100*s.progress)}})
		}
		code, num := w.Given(s.job)
		switch {
		case code == trace.WaitCloser:
			waited := d.waited(v, s.job) / 1000
			c.Says = refuses(num, d.jobs[s.job].slower, d.tune)
			since := sim.Named("since it first refused GPUs", waited, "s")
			switch d.clock {
			case 1:
				since = sim.Named("since it last held GPUs, or came", waited, "s")
			case 2:
				since = sim.Named("since it came", waited, "s")
			}
			since.Key = "waited"
			c.Sections = append(c.Sections, &sim.Section{Title: words.Say("Its patience"), Terms: []sim.Term{
				since,
				{Key: "timer", Name: "takes these after", Value: min(waited+num[1], endless), Unit: "s"},
				{Key: "slowdown", Name: "a step there takes so many times as long as on the closest GPUs it could have", Value: d.jobs[s.job].slower}}})
		case !p.Holds(s.job):
			c.Says = policy.Room(d.cluster, v, p, s.job)
		case s.mixed:
			c.Says = words.Say("no GPU type that it can use holds it alone, so it takes a mix of its fastest types")
		case code == trace.Placed && !v.Holds(s.job):
			c.Says = d.starts(s, num)
		default:
			if _, tier := sim.Measure(d.cluster, v.Gang(s.job, 0)); code != trace.Placed {
				c.Says = words.Say("its GPUs lie {0}, and it can have none that are closer together", far(tier))
				if rate := float64(v.Rate(s.job, 0, v.Gang(s.job, 0))); tier > s.best && rate > 0 {
					c.Says = words.Say("its GPUs lie {0}, where a step takes {1} times as long as on the closest GPUs it could have, {2}", far(tier),
						sim.Fixed{Value: s.rate / rate, Decimals: 2}, far(s.best))
				}
			}
		}
	}
	timers := &sim.Table{Key: "timers", Title: words.Say("Timers"), Columns: []sim.Column{{Name: "GPUs", Key: "gpus"},
		{Name: "Wait for one node", Key: "node", Unit: "s"},
		{Name: "Further wait for one rack", Key: "rack", Unit: "s"},
		{Name: "Waits for a node", Key: "node_samples"}, {Name: "Waits for a rack", Key: "rack_samples"}}}
	var sizes []int32
	for i := range all {
		sizes = append(sizes, v.Shape(all[i].job).Size)
	}
	slices.Sort(sizes)
	now := float64(v.Now())
	for _, g := range slices.Compact(sizes) {
		if g == 1 {
			continue
		}
		row := sim.Row{Cells: []any{int(g)}}
		for l := range 2 {
			row.Cells = append(row.Cells, min(read.timer(now, g, l, true)/1000, endless))
		}
		for l := range 2 {
			n := 0
			if d.tune {
				n = len(read.of(g).past[l])
			}
			row.Cells = append(row.Cells, n)
		}
		timers.Rows = append(timers.Rows, row)
	}
	sections := &w.Detail.Sections
	*sections = append(*sections, &sim.Section{Title: words.Say("Who has progressed least against its speed on the closest GPUs it could have goes first"), Table: harm})
	if d.byArrival {
		(*sections)[0].Title = words.Say("Who came first is asked first; the network bears on the jobs as follows")
	}
	if len(timers.Rows) > 0 {
		*sections = append(*sections,
			&sim.Section{Title: words.Say("How long jobs wait for closer GPUs"), Table: timers})
	}
	if len(d.told) > 0 {
		*sections = append(*sections, &sim.Section{Title: words.Say("Moves"), Formula: d.told})
	}
}
