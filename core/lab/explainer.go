package lab

import (
	"math"
	"slices"

	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// explainer turns a decision's ids into names, its figures into numbers that can be read, and its texts into words.
type explainer struct {
	p     *model.Problem
	l     *lane
	d     *sim.Detail
	t     *trace.Trace
	in    words.Catalogue
	worth figure.Scale // of all utilities, costs and prices of the decision
	// digits of the numbers of the lines that are being written, if any are
	digits map[float64]int
}

// explanation is the whole decision.
func (x *explainer) explanation(round int) *message.Explanation {
	worth := x.l.worth()
	e := &message.Explanation{Policy: x.l.ref.ID, Unit: worth.Unit, PerRound: worth.PerRound, Most: x.most(),
		Round: round,
		TimeS: x.t.Rounds[round].At.Seconds(), Order: []string{}}
	x.worth = figure.ScaleFor(e.Most, worth.Unit)
	for _, j := range x.d.Order {
		e.Order = append(e.Order, x.p.Jobs[j].Name)
	}
	x.addGets()
	e.Sections = x.sections(x.d.Sections, nil)
	if x.d.Altered != nil {
		e.Sections = append(e.Sections, message.Section{
			Note: x.in.T("The figures of the whole decision are the policy’s own, before your choice took its place.")})
	}
	if note := x.believed(); note != "" {
		e.Sections = append(e.Sections, message.Section{Note: note})
	}
	for i := range x.d.Choices {
		e.Jobs = append(e.Jobs, x.choice(x.d.Choices[i]))
	}
	return e
}

// believed says what of the numbers is wrong because the scenario has policies believe it; "" where nothing is.
func (x *explainer) believed() string {
	switch k := &x.p.Know; {
	case k.Tables != nil && k.LengthFactor != nil:
		return x.in.T("What stands here of speeds and lengths is what the policy believes, which this scenario makes wrong.")
	case k.Tables != nil:
		return x.in.T("What stands here of speeds is what the policy believes, which this scenario makes wrong.")
	case k.LengthFactor != nil:
		return x.in.T("What stands here of lengths is what the policy believes, which this scenario makes wrong.")
	}
	return ""
}

// most is the largest worth among the placements that were weighed, by which all such figures are scaled.
func (x *explainer) most() (most float64) {
	for i := range x.d.Choices {
		for _, s := range x.d.Choices[i].Sections {
			for _, w := range s.Weighed {
				most = max(most, math.Abs(w.Worth))
			}
		}
	}
	return most
}

// addGets adds to the tables of jobs what each job gets.
func (x *explainer) addGets() {
	for i := range x.d.Sections {
		t := x.d.Sections[i].Table
		if t == nil || len(t.Rows) == 0 || t.Listed {
			continue
		}
		if _, ok := t.Rows[0].Cells[0].(model.JobID); !ok {
			continue
		}
		t.Columns = append(t.Columns, sim.Column{Name: "Gets"})
		for k := range t.Rows {
			var gang []model.Shard
			for _, g := range x.d.Of(t.Rows[k].Cells[0].(model.JobID)).Gangs {
				gang = append(gang, g...)
			}
			if gang == nil {
				t.Rows[k].Cells = append(t.Rows[k].Cells, words.Say("waits"))
			} else {
				t.Rows[k].Cells = append(t.Rows[k].Cells, gang)
			}
		}
	}
}

func (x *explainer) choice(c *sim.Choice) message.JobChoice {
	j := message.JobChoice{ID: x.p.Jobs[c.Job].Name, Action: action(c), Reason: c.Reason.String(),
		RatePerS: float64(c.Rate), Gangs: [][]message.Shard{}, Sentence: x.sentence(c),
		Sections: x.sections(c.Sections, c)}
	if c.Altered != nil && c.Altered.By == c.Job {
		j.Reason = trace.Forced.String()
	}
	for _, g := range c.Gangs {
		j.Gangs = append(j.Gangs, x.shards(g))
	}
	return j
}

func action(c *sim.Choice) string {
	if c.Action == trace.NoReason || c.Action.Waits() {
		return "waits"
	}
	return c.Action.String()
}

// sections are those of a choice, or of the whole decision.
func (x *explainer) sections(all []*sim.Section, c *sim.Choice) (out []message.Section) {
	for i := range all {
		s := all[i]
		m := message.Section{Title: x.say(s.Title), Note: x.say(s.Note), Folded: s.Folded, Table: x.table(s.Table, c)}
		for _, w := range s.Weighed {
			m.Weighed = append(m.Weighed, message.Weighed{Who: x.say(w.Who), Worth: w.Worth, Cost: w.Cost,
				Utility: w.Utility, Rounds: w.Rounds})
		}
		if k := s.Curve; k != nil {
			m.Curve = &message.Curve{Along: x.in.T(k.Along), Unit: k.Unit, Values: k.Values, From: k.From, To: k.To,
				Says: x.say(k.Says)}
		}
		m.Formula = append(m.Formula, x.lines(s.Formula)...)
		for _, t := range s.Terms {
			m.Terms = append(m.Terms, x.term(t))
		}
		out = append(out, m)
	}
	return out
}

// term is a named figure in the unit in which it is exported.
func (x *explainer) term(t sim.Term) message.NamedValue {
	n := message.NamedValue{Key: t.Key, Name: x.in.T(t.Name), Value: t.Value, Unit: t.Unit}
	if t.Of != nil {
		n.Name = x.in.F(t.Name, x.word(t.Of))
	}
	return n
}

// table gives a table's cells their names. Of a choice that somebody forced, what the job has is told from what its
// policy chose.
func (x *explainer) table(t *sim.Table, c *sim.Choice) *message.Table {
	if t == nil {
		return nil
	}
	m := &message.Table{Key: t.Key, Title: x.say(t.Title), Choices: t.Choices, Listed: t.Listed,
		Rows: []message.Row{}}
	for _, k := range t.Columns {
		m.Columns = append(m.Columns, message.TableColumn{Key: k.Key, Name: x.in.T(k.Name), Unit: k.Unit})
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := message.Row{Chosen: r.Chosen, Verdict: x.say(r.Verdict)}
		for _, cell := range r.Cells {
			row.Cells = append(row.Cells, x.cell(cell))
		}
		for _, g := range r.Gangs {
			row.Gangs = append(row.Gangs, x.shards(g))
		}
		if t.Choices && r.Gangs != nil {
			x.verdict(&row, r, c)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// verdict says which placement the job has, and whether its policy or somebody else chose it.
func (x *explainer) verdict(row *message.Row, r *sim.Row, c *sim.Choice) {
	switch has := c.Altered != nil && sameGangs(c.Gangs, r.Gangs); {
	case has:
		row.Chosen, row.Verdict = true, x.in.T("forced by you")
	case r.Chosen && c.Altered != nil:
		row.Chosen, row.Verdict = false, x.in.F("{0}’s choice", x.l.short(x.in))
	case r.Chosen:
		row.Verdict = x.in.T("chosen")
	}
}

// cell is what stands in a table.
func (x *explainer) cell(v any) message.Cell {
	switch v := v.(type) {
	case nil:
	case model.JobID:
		return message.Cell{Job: x.p.Jobs[v].Name}
	case model.TypeID:
		return message.Cell{Type: x.p.Cluster.Types[v].Name}
	case []model.Shard:
		return message.Cell{Gang: x.shards(v)}
	case sim.Noted:
		c := x.cell(v.Cell)
		c.Note = x.say(v.Note)
		return c
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return message.Cell{Number: &v}
		}
	case int, int32, int64:
		n := whole(v)
		return message.Cell{Number: &n}
	default:
		return message.Cell{Text: x.word(v)}
	}
	return message.Cell{}
}

// whole is a whole number as figures have it.
func whole(v any) float64 {
	switch v := v.(type) {
	case int32:
		return float64(v)
	case int64:
		return float64(v)
	}
	return float64(v.(int))
}

// shards are GPUs by name.
func (x *explainer) shards(g []model.Shard) []message.Shard {
	out := []message.Shard{}
	for _, sh := range g {
		s := x.p.Cluster.Slots[sh.Slot]
		out = append(out, message.Shard{Node: x.p.Cluster.Nodes[s.Node].Name, Type: x.p.Cluster.Types[s.Type].Name,
			Count: int(sh.N)})
	}
	return out
}

// lines are those of a formula: a number is written alike in all of them, with as many digits as the one needs that
// needs most.
func (x *explainer) lines(formula []words.Text) (out []string) {
	x.digits = map[float64]int{}
	for range 2 {
		out = nil
		for _, line := range formula {
			out = append(out, x.say(line))
		}
	}
	x.digits = nil
	return out
}

// say puts a text into words.
func (x *explainer) say(t words.Text) string { return t.With(x.in, x.word) }

// word is what stands at a place of a text.
func (x *explainer) word(a any) string {
	switch a := a.(type) {
	case words.Text:
		return x.say(a)
	case sim.Worth:
		return x.worth.Say(x.in, float64(a))
	case sim.Seconds:
		return figure.Say(x.in, float64(a), "s")
	case sim.Instant:
		return figure.Say(x.in, float64(a), unit.Instant)
	case sim.GPUSeconds:
		return figure.Say(x.in, float64(a), "GPU-s")
	case sim.Share:
		return figure.Say(x.in, float64(a), unit.Share)
	case unit.Rate:
		return figure.Say(x.in, float64(a), "steps/s")
	case float64:
		return figure.Say(x.in, a, "")
	case sim.Fixed:
		return figure.Fixed(x.in, a.Value, a.Decimals)
	case sim.Digits:
		n := a.N
		if x.digits != nil {
			same := policy.AsPrinted(a.Value, 12)
			n = max(n, x.digits[same])
			x.digits[same] = n
		}
		return figure.Sig(x.in, a.Value, n)
	case model.JobID:
		return x.p.Jobs[a].Name
	case model.TypeID:
		return figure.TypeTitle(x.p.Cluster.Types[a].Name)
	case model.NodeID:
		return x.p.Cluster.Nodes[a].Name
	case []model.Shard:
		return x.gangWords([][]model.Shard{a})
	case string:
		return a
	}
	return figure.Fixed(x.in, whole(a), 0)
}

func sameGangs(a, b [][]model.Shard) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]model.Shard])
}
