package network

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// virtualColumns are those of the table of copies.
var virtualColumns = []sim.Column{{Name: "Job"}, {Name: "Size on the virtual machine", Unit: "s"},
	{Name: "Left there", Unit: "s"}, {Name: "Its copy ends", Unit: unit.Instant}}

// explain shows the virtual machine as it stands, and says of each job where its copy is.
func (a *asrpt) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	m, d, head := &a.machine, w.Detail, model.JobID(model.None) // the job in the queue that only smaller ones may pass
	copies := &sim.Table{Title: words.Say("The virtual machine"), Columns: virtualColumns}
	at, sum := m.now, 0.0
	for i := range len(m.past) + len(m.live) {
		var j model.JobID
		if i < len(m.past) {
			j = m.past[i]
		} else {
			j = m.live[i-len(m.past)]
		}
		c := m.copy[j]
		if c.end < 0 {
			at += c.left
			c.end = at
		}
		if a.over[j] {
			continue
		}
		d.Order = append(d.Order, j)
		row := sim.Row{Cells: []any{j, nil, nil, nil}}
		if a.speeds(v, j) {
			sum += (c.end - v.Arrive(j)).Seconds()
			row.Cells = []any{j, c.size.Seconds(), c.left.Seconds(), c.end.Seconds()}
		}
		copies.Rows = append(copies.Rows, row)
		a.explainJob(d.Of(j), v, p, w, head, c)
		if code, _ := w.Given(j); code == trace.WaitFull || code == trace.WaitShape {
			head = j
		}
	}
	section := &sim.Section{Table: copies, Title: words.Say(
		"One machine as fast as the whole cluster serves copies of the jobs, shortest remaining time first; who ends there first comes first here, and in the queue only smaller jobs pass one that does not fit"),
		Terms: []sim.Term{sim.Named("sum of completion times of these on the virtual machine, if nobody else comes", sum, "s")}}
	if n, all := place.InService(a.cluster, v); n < all {
		section.Note = words.Say("The virtual machine is as fast as every GPU that the cluster ever has; in service now are {0} of {1}.", n, all)
	}
	d.Sections = append(d.Sections, section)
}

// speeds says whether a job has a speed on one node; the size of another's copy means nothing.
func (a *asrpt) speeds(v sim.View, j model.JobID) bool { return policy.BestRate(a.cluster, v, j) > 0 }

// declines says why a job lets the GPUs be that it would get, by the numbers of WaitCloser. Others, closer together,
// may be free beside them: of another type, or on more nodes of one rack.
func declines(num [3]float64) words.Text {
	there, times := far(model.Tier(num[2])), sim.Fixed{Value: num[0], Decimals: 2}
	if num[1] >= endless {
		return words.Say("the GPUs that it would get, free ones of one type from as few nodes as hold it, lie {0}, where a step takes {1} times as long as on GPUs of that type close together; it waits for closer ones, however long that takes",
			there, times)
	}
	return words.Say("the GPUs that it would get, free ones of one type from as few nodes as hold it, lie {0}, where a step takes {1} times as long as on GPUs of that type close together; it waits for closer ones, {2} more at most",
		there, times, sim.Seconds(num[1]))
}

// explainJob says of one job why it runs or waits; c is its copy, with the end that it will have if nobody comes.
func (a *asrpt) explainJob(c *sim.Choice, v sim.View, p *sim.Plan, w *sim.Why, head model.JobID, of virtualCopy) {
	j := c.Job
	size, gpus := v.Shape(j).Size, a.cluster.GPUs()
	total, _ := v.Total(j)
	ended := words.Say("its copy ended at {0}", sim.Instant(of.end.Seconds()))
	code, num := w.Given(j)
	switch {
	case !a.speeds(v, j) && !p.Holds(j):
		c.Says = words.Say("it has no speed on one node, so that its copy never ends; {0}", policy.Room(a.cluster, v, p, j))
		return
	case v.Holds(j):
		c.Says = words.Say("no other job takes GPUs from one that runs")
	case code == trace.WaitVirtual:
		c.Says = words.Say("its copy on the virtual machine still needs {0} there, and no job may start before its copy has ended",
			sim.Seconds(num[0]))
		if a.guard {
			c.Says = words.Say("its copy on the virtual machine still needs {0} there, and none may start before its copy has ended while others are in the queue",
				sim.Seconds(num[0]))
		}
	case code == trace.WaitCloser:
		c.Says = declines(num)
	case code == trace.WaitOrder:
		c.Says = words.Say("{0}; {1} comes first and does not fit, and only jobs smaller than its {2} may pass; this one has {3}",
			ended, head, sim.Seconds(a.machine.copy[head].size.Seconds()), sim.Seconds(of.size.Seconds()))
	case of.left > 0 && p.Holds(j):
		c.Says = words.Say(
			"nobody is in the queue, and its size on the virtual machine is {0}: of those whose copies still run the smallest that fit start on idle GPUs",
			sim.Seconds(of.size.Seconds()))
	case of.left > 0:
		c.Says = words.Say("nobody is in the queue, and it might start early with a size of {0} on the virtual machine, but {1}",
			sim.Seconds(of.size.Seconds()), policy.Room(a.cluster, v, p, j))
	case p.Holds(j) && head >= 0:
		c.Says = words.Say(
			"{0}; {1} comes first and does not fit, and a job smaller than its {2} may pass: this one has {3}",
			ended, head, sim.Seconds(a.machine.copy[head].size.Seconds()), sim.Seconds(of.size.Seconds()))
	case p.Holds(j):
		c.Says = words.Say("{0}, and it is its turn", ended)
	default:
		c.Says = words.Say("{0}, but {1}", ended, policy.Room(a.cluster, v, p, j))
	}
	if slices.Contains(a.spent, j) {
		c.Says = words.Say("{0}; it has waited for closer GPUs as long as it may", c.Says)
	}
	s := &sim.Section{Title: words.Say("The job on the virtual machine"), Terms: []sim.Term{
		sim.Named("time on the virtual machine, from arrival to end", (of.end - v.Arrive(j)).Seconds(), "s")}}
	if best := policy.BestRate(a.cluster, v, j); virtualSize(total, best, size,
		gpus) == of.size { // as believed when it came
		s.Formula = append([]words.Text{policy.Line("size = steps ÷ best speed × its GPUs ÷ all GPUs = {0} ÷ {1} × {2} ÷ {3} = {4} s",
			float64(total), best, float64(size), float64(gpus), of.size.Seconds())},
			policy.BestOutOfReach(a.cluster, v, j)...)
	}
	c.Sections = append(c.Sections, s)
}
