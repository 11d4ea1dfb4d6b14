package claims

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"hadarlab/core/csv"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// Say is a figure of a row in words.
func (u Unit) Say(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case u == Times || u == Bound:
		return figure.Sig(nil, v, 3) + "×"
	case u == Hours:
		return figure.Sig(nil, v, 4) + " h"
	case u == Less: // as the change that it is
		return strings.Replace(strings.Replace(fmt.Sprintf("%+.1f %%", -100*v), "-", "−", 1), "+0.0", "0.0", 1)
	}
	return strings.Replace(fmt.Sprintf("%+.4f", v), "-", "−", 1)
}

// PublishedText is the figure of the paper in words.
func (c *Claim) PublishedText() string {
	switch b := c.Published; {
	case c.Unit == Bound:
		return "at least 1× in every case"
	case math.IsNaN(b.Low):
		return "better, without a figure"
	case b.Low == b.High:
		return c.Unit.Say(b.Low)
	case math.IsInf(b.High, 1):
		return "over " + c.Unit.Say(b.Low)
	default:
		return c.Unit.ends(b.Low, b.High)
	}
}

// Spread is the interval of an estimate in words, "" of one seed.
func (u Unit) Spread(e message.Estimate) string {
	if e.Low == nil {
		return ""
	}
	return u.ends(*e.Low, *e.High)
}

// ends are the ends of an interval in words, the lesser first as it is said.
func (u Unit) ends(low, high float64) string {
	if u == Less {
		low, high = high, low
	}
	return u.Say(low) + " to " + u.Say(high)
}

// csvHead are the columns of the values that figures rest on: a row for each scenario of each seed.
var csvHead = []string{"claim", "form", "choice", "value", "seed", "scenario", "scenario_id", "metric", "of", "against",
	"value_of", "value_against", "figure", "unit", "published_low", "published_high", "verdict"}

// CSV writes every value that the rows rest on, with the ids of the scenarios, so that anybody can recompute them.
func CSV(w io.Writer, board []*Standing) {
	out := csv.NewWriter(w)
	out.Row(csvHead...)
	for _, s := range board {
		s.each(func(form, choice, value string, w *World, x *Series) {
			for k, of := range x.Of {
				ids := make([]string, len(of))
				if w.Docs != nil {
					for i, doc := range w.Docs(uint64(k + 1)) {
						ids[i] = doc.ID(lab.Defaults())
					}
				}
				for i, v := range of {
					against, cell := 0.0, ""
					if x.Against != nil {
						against = x.Against[k][i]
						cell = message.Number(against)
					}
					out.Row(s.Claim.ID, form, choice, value, strconv.Itoa(k+1), strconv.Itoa(i+1), ids[i], w.Value.Name,
						w.Of.Name, w.Against.Name, message.Number(v), cell,
						message.Number(s.Unit.Figure(w.Value.Good, v, against)), units[s.Unit], end(s.Published.Low),
						end(s.Published.High), s.Verdict.Code())
				}
			}
		})
	}
	out.Flush()
}

// each calls f with every series of a row.
func (s *Standing) each(f func(form, choice, value string, w *World, x *Series)) {
	if s.Record == nil || s.World == nil {
		return
	}
	if s.Full != nil {
		f("full", "", "", s.World, s.Full)
	}
	if s.Record.Small != nil {
		f("small", "", "", s.Browser(), s.Record.Small)
	}
	for i := range s.Moves {
		for _, m := range s.Movers {
			if x := &s.Moves[i]; m.Choice == x.Choice && m.Value == x.Value {
				f("mover", m.Choice, m.Value, m.World, &x.Series)
			}
		}
	}
}

func end(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	if math.IsInf(v, 1) {
		return "inf"
	}
	return message.Number(v)
}

// Row is a row of the board as a program reads it; a figure that is not there is null.
type Row struct {
	ID        string     `json:"id"`
	Paper     string     `json:"paper"`
	Link      string     `json:"link,omitempty"`
	Claim     string     `json:"claim"`
	Where     string     `json:"where"`
	Published []*float64 `json:"published"` // the ends of its band; an end that is open is null
	Unit      string     `json:"unit"`
	None      *float64   `json:"no_difference"`
	Ours      OurRow     `json:"ours"`
	Verdict   string     `json:"verdict"` // Verdict.Code
	Known     string     `json:"known"`
	Choices   string     `json:"choices"` // of ours, where it is not known
	Reason    string     `json:"reason"`
	Scenario  string     `json:"scenario"` // a link of its first seed's, "" = none; JSON leaves it to its caller
	Date      string     `json:"date,omitempty"`
	Engine    string     `json:"engine,omitempty"`
	Moved     []MoveRow  `json:"moved,omitempty"`
	Picture   *Picture   `json:"picture,omitempty"` // what the schedulers come to, with published points
}

// OurRow is what was measured of a claim: the mean of its seeds with the 95 % interval.
type OurRow struct {
	Value *float64  `json:"value"`
	Low   *float64  `json:"low"`
	High  *float64  `json:"high"`
	Least *float64  `json:"least,omitempty"` // of a bound, which is judged by it
	Seeds []float64 `json:"seeds"`           // a figure each
}

// MoveRow is what a choice made otherwise comes to.
type MoveRow struct {
	Choice string   `json:"choice"`
	Value  string   `json:"value"`
	From   float64  `json:"from"` // the figure as it is set, over the same seeds
	Mean   float64  `json:"mean"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// units are the names of units in JSON.
var units = map[Unit]string{Times: "times better", Less: "part less", More: "difference", Bound: "bound over value",
	Hours: "h"}

// JSON is the board for programs.
func JSON(board []*Standing) (out []Row) {
	for _, s := range board {
		r := Row{ID: s.Claim.ID, Paper: s.Paper.Whole(), Link: s.Paper.Link, Claim: s.Says, Where: s.Where,
			Unit: units[s.Unit], Verdict: s.Verdict.Code(), Known: s.Known,
			Choices: s.Claim.Ours, Reason: s.Why(), Ours: OurRow{Seeds: []float64{}}}
		if none := s.Unit.None(); !math.IsNaN(none) {
			r.None = &none
		}
		if !math.IsNaN(s.Published.Low) {
			r.Published = []*float64{&s.Published.Low, &s.Published.High}
			if math.IsInf(s.Published.High, 1) {
				r.Published[1] = nil
			}
		}
		if s.Ours.N > 0 {
			r.Ours.Value, r.Ours.Low, r.Ours.High = &s.Ours.Mean, s.Ours.Low, s.Ours.High
			r.Ours.Seeds, _ = s.Full.Figures(s.Unit, s.World.Value.Good)
			r.Date, r.Engine = s.Date, s.Engine
			if s.Unit == Bound {
				r.Ours.Least = &s.Least
			}
		}
		for _, m := range s.Moved {
			r.Moved = append(r.Moved, MoveRow{m.Choice, m.Value, m.From, m.To.Mean, m.To.Low, m.To.High})
		}
		r.Picture = s.Picture()
		out = append(out, r)
	}
	return out
}

// LeastSays names the least figure of a bound, by which it is judged; "" of other rows.
func (s *Standing) LeastSays() string {
	if s.Unit != Bound {
		return ""
	}
	return ", the least of them " + s.Unit.Say(s.Least)
}

// Why is what to make of a row, or why it cannot be tried.
func (s *Standing) Why() string {
	if s.World == nil {
		return s.Untried
	}
	return s.Reason
}

const printHead = `# The paper board

The headline claims that could be read of the papers that the lab’s schedulers come from, and some of their curves,
tried where that can be done. ` + "`make papers`" + ` makes this file
and ` + "`core/claims/results.json`" + ` anew; the page *Paper board* of the manual has the same with pictures, and a
link that opens one seed of each row. ` + "`hadarlab claims ID`" + ` runs a row.

`

// Markdown is the board as PAPERS.md has it.
func Markdown(board []*Standing) string {
	var b strings.Builder
	b.WriteString(printHead + Rule + "\n\n")
	b.WriteString("| Claim | Published | Ours | 95 % interval | Verdict |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range board {
		ours, spread := "–", "–"
		if s.Ours.N > 0 {
			ours, spread = s.Unit.Say(s.Ours.Mean), s.Unit.Spread(s.Ours)
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | **%s** |\n", s.Says, s.Paper.Short(), s.PublishedText(), ours, spread,
			s.Verdict)
	}
	var paper *Paper
	for _, s := range board {
		if s.Paper != paper {
			paper = s.Paper
			believe := Believe(paper, board)
			cite := paper.Whole()
			if paper.Link != "" {
				cite = "[" + cite + "](" + paper.Link + ")"
			}
			fmt.Fprintf(&b, "\n## %s\n\n%s. Read: %s.\n", paper.Short(), cite, paper.Read)
			if believe != "" {
				b.WriteString("\n" + believe + "\n")
			}
		}
		fmt.Fprintf(&b, "\n### %s\n\n`%s`: **%s**. Published (%s): %s.", s.Says, s.Claim.ID, s.Verdict, s.Where, s.PublishedText())
		if s.Ours.N > 0 {
			fmt.Fprintf(&b, " Ours: %s (%s) over %s%s, engine %s, %s.", s.Unit.Say(s.Ours.Mean), s.Unit.Spread(s.Ours),
				figure.Plural(nil, s.Ours.N, "seed"), s.LeastSays(), s.Engine, s.Date)
		}
		b.WriteString("\n\n")
		fmt.Fprintf(&b, "- Known: %s.\n", s.Known)
		if s.World != nil {
			fmt.Fprintf(&b, "- Ours: %s\n", s.Claim.Ours)
		}
		fmt.Fprintf(&b, "- %s\n", s.Why())
		if s.Cut.N > 0 && s.Claim.Small != nil {
			fmt.Fprintf(&b, "- Cut down (%s), as the page opens it: %s over %s.\n", s.Claim.Cut, s.Unit.Say(s.Cut.Mean),
				figure.Plural(nil, s.Cut.N, "seed"))
		}
		if len(s.Moved) > 0 {
			fmt.Fprintf(&b, "\n| Choice | Figure as set, %s | Figure then | 95 %% interval |\n| --- | --- | --- | --- |\n",
				figure.Plural(nil, s.Moved[0].To.N, "seed"))
			for i := range s.Moved {
				m := &s.Moved[i]
				fmt.Fprintf(&b, "| %s: %s | %s | %s | %s |\n", m.Choice, m.Value, s.Unit.Say(m.From), m.Then(s.Unit),
					s.Unit.Spread(m.To))
			}
		}
		if p := s.Picture(); p != nil {
			p.markdown(&b)
		}
	}
	return b.String()
}

// Then is the figure after the choice in words.
func (m *Moved) Then(u Unit) string {
	if m.Nothing {
		return "moves nothing"
	}
	return u.Say(m.To.Mean)
}

// markdown has the numbers of a picture.
func (p *Picture) markdown(b *strings.Builder) {
	title := p.Title
	if p.Unit != "" {
		title += ", " + p.Unit
	}
	head, rows := p.Table()
	fmt.Fprintf(b, "\n%s. %s\n\n| %s |\n|%s\n", title, p.Says, strings.Join(head, " | "),
		strings.Repeat(" --- |", len(head)))
	for _, cells := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// Believe is what a paper's text says with the figures of its rows in it.
func Believe(p *Paper, board []*Standing) string {
	text := p.Believe
	for _, s := range board {
		text = strings.ReplaceAll(text, "{"+s.Claim.ID+"}", s.Unit.Say(s.Ours.Mean))
	}
	return text
}

// OpenSays is what is to be seen of seed 1 in the lab, and how that is cut down.
func (s *Standing) OpenSays() string {
	series, n := s.Record.Small, 0
	if series == nil {
		return ""
	}
	w := s.Browser()
	against := 0.0
	if series.Against != nil {
		against = series.Against[0][0]
	}
	says := w.Value.Name + ", there: " + s.Unit.Say(s.Unit.Figure(w.Value.Good, series.Of[0][0], against))
	if n = len(series.Of[0]); n > 1 {
		says += ", the first of its " + strconv.Itoa(n) + " scenarios"
	}
	if s.Claim.Small != nil {
		says = "Cut down: " + s.Claim.Cut + ". " + says
	}
	return says + "."
}

// Whole is the citation with the whole title.
func (p *Paper) Whole() string {
	if p.Title == "" {
		return p.Cite
	}
	return p.Cite + ", “" + p.Title + "”"
}

// Short names a paper in a line.
func (p *Paper) Short() string {
	name, _, _ := strings.Cut(p.Cite[strings.LastIndex(p.Cite, ": ")+1:], " (")
	name = strings.TrimSpace(name)
	return name + " " + strconv.Itoa(p.Year)
}
