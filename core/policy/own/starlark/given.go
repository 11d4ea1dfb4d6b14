package starlark

import (
	"strings"

	"hadarlab/core/model"
	"hadarlab/core/policy/own"
	"hadarlab/core/sim"
	"hadarlab/core/star"
	"hadarlab/core/words"
)

// What of a decision is told of what the program was given: of so many jobs and slots, and of so many elements of a
// list.
const (
	mostJobs  = 500
	mostSlots = 40
	mostItems = 20
)

// given is what the program was given in the decision: every member with a value of its own that the manual tells of,
// as the program would print it.
func (b *binding) given() (list []*sim.Section) {
	add := func(title words.Text, t *sim.Table, told, all int) {
		s := &sim.Section{Title: title, Folded: true, Table: t}
		if t.Title = title; told < all {
			s.Note = words.Say("The table tells of the first {0} of {1}.", told, all)
		}
		list = append(list, s)
	}
	whole := &sim.Table{Listed: true, Rows: []sim.Row{{}}}
	if b.shown != nil {
		b.describe(whole, "view", b.shown, true)
	}
	b.describe(whole, "cluster", b.cluster(), true)
	add(words.Say("What the program was given"), whole, 0, 0)

	jobs := &sim.Table{Listed: true, Columns: []sim.Column{{Name: "Job"}}}
	active := b.view.Active()
	for i, j := range active[:min(len(active), mostJobs)] {
		jobs.Rows = append(jobs.Rows, sim.Row{Cells: []any{j}})
		b.describe(jobs, "job", b.job(j), i == 0)
	}
	add(words.Say("What it was given of the job"), jobs, len(jobs.Rows), len(active))

	if n := len(b.public.Cluster.Slots); n > 0 && b.shown != nil {
		slots := &sim.Table{}
		b.slot(0)
		items, _ := b.slots.Items()
		for i, s := range items[:min(n, mostSlots)] {
			host, _ := s.AsHost()
			slots.Rows = append(slots.Rows, sim.Row{})
			b.describe(slots, "slot", host, i == 0)
		}
		add(words.Say("What it was given of the slots"), slots, len(slots.Rows), n)
	}
	return list
}

// describe adds to a table's last row what an object has, and to its columns, if they are not there yet, what it is.
func (b *binding) describe(t *sim.Table, of string, h star.Host, columns bool) {
	row := &t.Rows[len(t.Rows)-1]
	for _, f := range own.Given(of) {
		if columns {
			t.Columns = append(t.Columns, sim.Column{Name: f.As, Unit: f.Unit})
		}
		v, _ := h.Attr(strings.TrimPrefix(f.As, of+"."))
		row.Cells = append(row.Cells, short(b.written(v)))
	}
	job, is := h.(*jobHost)
	if !is {
		return
	}
	for i := range b.public.Cluster.Types { // what most programs ask for beside
		if columns {
			t.Columns = append(t.Columns, sim.Column{Unit: "steps/s",
				Name: "job.speed_on(\"" + b.public.Cluster.Types[i].Name + "\")"})
		}
		row.Cells = append(row.Cells, star.Text(job.speedOnType(model.TypeID(i), b.view.Shape(job.id).Size)))
	}
}

// written is a value as print writes it; objects, of which print tells no more than what they are, are written by name.
func (b *binding) written(v star.Value) string {
	host, _ := v.AsHost()
	switch h := host.(type) {
	case *jobHost:
		return b.view.Name(h.id)
	case *slotHost:
		node, _ := h.Attr("node")
		kind, _ := h.Attr("type")
		return star.Text(node) + "/" + star.Text(kind)
	}
	items, is := v.Items()
	if !is || v.Type() != "tuple" {
		return star.Text(v)
	}
	var parts []string
	for _, item := range items[:min(len(items), mostItems)] {
		parts = append(parts, b.written(item))
	}
	if len(items) > mostItems {
		parts = append(parts, "… "+star.Text(star.Int(int64(len(items)))))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
