package why

import (
	"math"
	"slices"
	"strings"

	"hadarlab/app/run"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// explained draws the sections of an explanation: first what the policy says of the job, then of the whole decision.
type explained struct {
	w     *Why
	e     *message.Explanation
	c     *message.JobChoice
	types []string
	lane  int
	worth figure.Scale
}

// details are the numbers behind the sentence, as the policy has them.
func (w *Why) details(r *run.Result, lane int, e *message.Explanation, c *message.JobChoice) []app.UI {
	x := &explained{w: w, e: e, c: c, types: TypesOf(r.Lanes[lane].Trace), lane: lane,
		worth: figure.ScaleFor(e.Most, e.Unit)}
	var out []app.UI
	choices := false
	for _, list := range [...][]message.Section{c.Sections, e.Sections} {
		var open, folded []app.UI
		for i := range list {
			s := &list[i]
			choices = choices || s.Table != nil && s.Table.Choices && len(s.Table.Rows) > 0
			if kids := x.section(s); len(kids) == 0 {
				continue
			} else if s.Folded {
				folded = append(folded, El("details.solver|data-test=why-folded",
					append([]app.UI{Txt("summary", s.Title)}, kids...)...))
			} else {
				open = append(open, El("div", kids...))
			}
		}
		out = append(append(out, El("div.parts", open...)), folded...)
	}
	if !choices {
		out = append(out, w.forcible(r, lane, c))
	}
	return out
}

// section is what can be seen of a section.
func (x *explained) section(s *message.Section) (kids []app.UI) {
	if len(s.Weighed) > 0 {
		kids = append(kids, x.weighed(s.Weighed))
	}
	switch t := s.Table; {
	case t == nil || len(t.Rows) == 0:
	case !t.Listed:
		kids = append(kids, x.table(t))
	default:
		kids = append(kids, x.listed(t)...)
	}
	if s.Curve != nil {
		kids = append(kids, app.Raw("<div>"+draw.CurveSVG(words.Now(), s.Curve, s.Title, x.scale(s.Curve.Values,
			s.Curve.Unit))+"</div>"),
			Txt("p.xs soft", s.Curve.Says+". "+words.T(
				"A dot is a count, written below it; at the large one the job begins, and the thick line is what it takes.")))
	}
	for _, line := range s.Formula {
		kids = append(kids, El("p.equation", Defined(line)...))
	}
	shown := slices.DeleteFunc(slices.Clone(s.Terms), func(t message.NamedValue) bool { return t.Name == "" })
	if len(shown) > 0 {
		kids = append(kids, Terms(shown, x.worth))
	}
	if s.Note != "" {
		kids = append(kids, El("p.xs soft", Defined(s.Note)...))
	}
	if len(kids) > 0 && s.Title != "" && !s.Folded {
		kids = append([]app.UI{Txt("h3", s.Title)}, kids...)
	}
	return kids
}

// weighed are placements as what they are worth and cost, drawn to one scale.
func (x *explained) weighed(list []message.Weighed) app.UI {
	most := 0.0
	for _, p := range list {
		most = max(most, p.Worth, p.Cost)
	}
	rows := Each(len(list), func(i int) app.UI {
		p := list[i]
		worth, cost, gain := x.worth.Difference(words.Now(), p.Worth, p.Cost)
		return El("div", Txt("p.xs", p.Who), app.Raw("<div>"+draw.WeighedSVG(words.Now(), p, most, x.worth)+"</div>"),
			El("p.equation", El("i.key|data-part=worth"),
				Text(words.T("worth")+" "+x.share(&p)), Bold(worth), Text(" − "),
				El("i.key|data-part=cost"), Text(words.T("cost")+" "), Bold(cost), Text(" = "), Bold(gain),
				Txt("span.mute", " "+x.worth.Unit.In(words.Now()))))
	})
	n := El("div.terms|data-test=why-payoff", rows...)
	for _, s := range x.c.Sections {
		for _, t := range s.Terms {
			if t.Key != "" && !strings.Contains(t.Key, "/") {
				n = Set(n, "data-"+t.Key, markup.Exact(t.Value))
			}
		}
	}
	return n
}

// share begins a worth with what it is a share of, as 0.6 ÷ 4 = .
func (x *explained) share(p *message.Weighed) string {
	if p.Rounds <= 0 {
		return ""
	}
	worth, _, _ := x.worth.Difference(nil, p.Worth, p.Cost)
	rounds := float64(p.Rounds)
	return x.worth.Dividend(words.Now(), p.Utility, rounds, worth) + " ÷ " + words.Fixed(rounds, 0) + " = "
}

// scale is that of numbers which stand together.
func (x *explained) scale(values []float64, of string) figure.Scale {
	if of == unit.Worth {
		return x.worth
	}
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return figure.ScaleFor(most, of)
}

// around is how many rows of a table of jobs are shown before and after the panel's job.
const around = 4

// table is a table of figures that its numbers sort: a table of jobs around the panel's job, one of placements with
// what became of each and the way to force it.
func (x *explained) table(t *message.Table) app.UI {
	from, to := 0, len(t.Rows)
	if at := slices.IndexFunc(t.Rows,
		func(r message.Row) bool { return r.Cells[0].Job == x.w.Job }); t.Rows[0].Cells[0].Job != "" {
		from, to = max(0, at-around), min(len(t.Rows), max(at, 0)+around+1)
	}
	shown := slices.Clone(t.Rows[from:to])
	if waits := len(x.c.Gangs) == 0; t.Choices {
		shown = append(shown, x.wait(t, waits))
	}
	var head []string
	scales, numbers := make([]figure.Scale, len(t.Columns)), make([][]float64, len(shown))
	numeric := make([]bool, len(t.Columns))
	for k, c := range t.Columns {
		if c.Name == "" {
			continue
		}
		values, number := column(t.Rows, k)
		scales[k] = x.scale(values, c.Unit)
		if numeric[k] = number; !number {
			head = append(head, c.Name)
			continue
		}
		title := c.Name
		if u := scales[k].Unit.In(words.Now()); u != "" && c.Unit != unit.Share && c.Unit != unit.Instant {
			title += ", " + u
		}
		head = append(head, "#"+title)
		for i := range shown {
			v := math.Inf(-1)
			if n := shown[i].Cells[k].Number; n != nil {
				v = *n
			}
			numbers[i] = append(numbers[i], v)
		}
	}
	if t.Choices {
		head = append(head, "Verdict")
	}
	rows := Each(len(shown), func(i int) app.UI { return x.row(t, &shown[i], scales, numeric) })
	kids := []app.UI{x.w.sorted("", t.Title, head, rows, numbers)}
	if to-from < len(t.Rows) {
		kids = append(kids, Txt("p.xs mute", words.F("{0} to {1} of {2}", Itoa(from+1), Itoa(to), Itoa(len(t.Rows)))))
	}
	return Set(El("div|data-test=why-table", kids...), "data-table", t.Key)
}

// listed is the panel's job in a table, or its only row, with a line for each column.
func (x *explained) listed(t *message.Table) []app.UI {
	cells, columns := t.Rows[0].Cells, t.Columns
	if cells[0].Job != "" {
		at := slices.IndexFunc(t.Rows, func(r message.Row) bool { return r.Cells[0].Job == x.w.Job })
		if at < 0 {
			return nil
		}
		cells, columns = t.Rows[at].Cells[1:], columns[1:]
	}
	lines := Each(len(cells), func(k int) app.UI {
		return El("tr", El("th|scope=row", Txt("code", columns[k].Name)), El("td", x.cell(&cells[k])...),
			Say("td.mute", columns[k].Unit))
	})
	return []app.UI{Set(El("table.facts|data-test=why-listed", El("tbody", lines...)), "aria-label", t.Title)}
}

// column is the numbers of a column, and whether it has any.
func column(rows []message.Row, k int) (values []float64, number bool) {
	for i := range rows {
		if v := rows[i].Cells[k].Number; v != nil {
			values, number = append(values, *v), true
		}
	}
	return values, number
}

// wait is the choice to wait, which is worth and costs nothing.
func (x *explained) wait(t *message.Table, waits bool) message.Row {
	zero := 0.0
	r := message.Row{Chosen: waits, Gangs: [][]message.Shard{{}}, Verdict: made(x.c, waits),
		Cells: make([]message.Cell, len(t.Columns))}
	for k, c := range t.Columns {
		if c.Unit == unit.Worth {
			r.Cells[k].Number = &zero
		}
	}
	r.Cells[0].Text = words.T("wait")
	return r
}

// row is a row with its exact figures as attributes. What stands in a column of numbers stands as they do.
func (x *explained) row(t *message.Table, r *message.Row, scales []figure.Scale, numeric []bool) app.UI {
	var cells []app.UI
	row := El("tr")
	for k, c := range t.Columns {
		cell := &r.Cells[k]
		if c.Key != "" && (cell.Number != nil || cell.Type+cell.Text != "") {
			v := cell.Type + cell.Text
			if cell.Number != nil {
				v = markup.Exact(*cell.Number)
			}
			row = Set(row, "data-"+strings.ReplaceAll(c.Key, "_", "-"), v)
		}
		if c.Name == "" {
			continue
		}
		switch {
		case k == 0 && cell.Number != nil:
			cells = append(cells, Txt("th|scope=row", scales[k].Cell(words.Now(), *cell.Number, c.Unit)))
		case k == 0:
			cells = append(cells, El("th|scope=row", append(x.cell(cell), Txt("span.rate", cell.Note))...))
		case cell.Number != nil:
			cells = append(cells, Set(TdNum(scales[k].Cell(words.Now(), *cell.Number, c.Unit)), "data-value",
				markup.Exact(*cell.Number)))
		case numeric[k]:
			cells = append(cells, El("td.num", x.cell(cell)...))
		default:
			cells = append(cells, El("td", x.cell(cell)...))
		}
	}
	if t.Choices {
		cells = append(cells, x.w.verdict(x.lane, r.Verdict, r.Chosen || r.Gangs == nil, r.Gangs...))
	}
	return Set(row.(app.HTMLElem).Body(cells...), "data-test", "why-row",
		"aria-selected", OnOff(r.Chosen || r.Cells[0].Job != "" && r.Cells[0].Job == x.w.Job))
}

// cell is what is no number.
func (x *explained) cell(c *message.Cell) []app.UI {
	switch {
	case c.Job != "":
		return []app.UI{JobButton(x.w.Result, c.Job, x.w.Job)}
	case c.Type != "":
		return []app.UI{TypeMark(x.types, c.Type)}
	case c.Gang != nil:
		return gang(x.types, c.Gang)
	case c.Number != nil:
		return []app.UI{Text(words.Sig(*c.Number, 6))}
	case c.Text == "":
		return []app.UI{Text("–")}
	}
	return []app.UI{Text(c.Text)}
}
