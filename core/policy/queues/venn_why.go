package queues

import (
	"math/bits"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// explain says what each set is asked, how scarce that makes what a job can use, and who goes before it.
func (x *venn) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	order := x.sort(v, v.Active())
	explainQueue(x.cluster, v, p, w, order, model.None, x.measure(v))
	if x.order == 0 || x.spare {
		table := &sim.Table{Title: words.Say("What is asked of the GPUs"), Columns: []sim.Column{{Name: "Can use"},
			{Name: "In service"}, {Name: "GPUs asked"}}}
		for _, d := range x.sets {
			table.Rows = append(table.Rows, sim.Row{Cells: []any{x.named(d.types), d.supply, d.asked}})
		}
		w.Detail.Sections = append(w.Detail.Sections, &sim.Section{
			Title: words.Say("By what jobs can use: the GPUs of it in service, and those that jobs ask for which can use just that, running or not"),
			Table: table})
	}
	if x.spare {
		table := &sim.Table{Title: words.Say("What is asked of each type"), Columns: []sim.Column{{Name: "GPU type"},
			{Name: "In service"}, {Name: "Asked of each GPU"}}}
		for t := range model.TypeID(len(x.cluster.Types)) {
			table.Rows = append(table.Rows, sim.Row{Cells: []any{t, v.CapacityOf(t), x.loads[t]}})
		}
		w.Detail.Sections = append(w.Detail.Sections, &sim.Section{
			Title: words.Say("A job goes to the type with room of which least is asked: the sum, over the sets with it, of GPUs asked ÷ in service"),
			Table: table})
	}
}

// named is a set of types as a text.
func (x *venn) named(set uint64) (says words.Text) {
	for t := range model.TypeID(len(x.cluster.Types)) {
		if set&bitOf(t) != 0 {
			says = policy.Plus(says, t)
		}
	}
	if says.IsZero() {
		return words.Say("none")
	}
	return says
}

// measure is what the order goes by.
func (x *venn) measure(v sim.View) measure {
	if x.order == 1 {
		return byArrival(v)
	}
	if x.order == 2 {
		return byNumber("As drawn, the least first", "Drawn", "", "it drew {0}",
			func(j model.JobID) float64 { return x.key(v, j) })
	}
	scarcity := func(j model.JobID) float64 { return x.scarcity(v, x.setOf(v, j)) }
	m := byNumber("Who can use only what is scarcest goes first", "Asked of each GPU", "",
		"what is asked of each GPU that it can use comes to {0}", scarcity)
	m.columns = []sim.Column{{Name: "Can use"}, {Name: "In service"}, {Name: "Asked of each GPU"}}
	m.cells = func(j model.JobID) []any {
		set := x.setOf(v, j)
		return []any{x.named(set), x.supply(v, set), scarcity(j)}
	}
	m.key = func(j model.JobID) float64 { return -scarcity(j) }
	m.tie = func(first, second model.JobID) words.Text {
		a, b := x.setOf(v, first), x.setOf(v, second)
		switch {
		case x.supply(v, a) != x.supply(v, b):
			return words.Say("of those as scarce who can use fewer GPUs goes first, {0} before {1}", x.supply(v, a),
				x.supply(v, b))
		case bits.OnesCount64(a) != bits.OnesCount64(b):
			return words.Say("of those as scarce who can use fewer GPU types goes first")
		case x.left(v, first) != x.left(v, second):
			return words.Say("of those as scarce the shortest goes first")
		}
		return policy.ByAge(v, first, second)
	}
	m.sum = func(j model.JobID) []words.Text {
		set := x.setOf(v, j)
		supply, sum := x.supply(v, set), words.Text{}
		if supply == 0 {
			return []words.Text{words.Say("none of what it can use is in service")}
		}
		for _, d := range x.sets {
			switch both := x.supply(v, d.types&set); {
			case both == 0:
			case both == d.supply:
				sum = policy.Plus(sum, d.asked)
			default:
				sum = policy.Plus(sum, words.Say("{0} × {1} ÷ {2}", d.asked, both, d.supply))
			}
		}
		return []words.Text{words.Say("asked of each GPU = ({0}) ÷ {1} = {2}", sum, supply,
			sim.Digits{Value: scarcity(j), N: 4})}
	}
	return m
}
