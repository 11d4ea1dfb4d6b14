//go:build !js

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func explainCommand(c command, io_ streams, args []string) int {
	f := c.flags()
	id := f.String("policy", "hadar", "`ID` of the policy; hadar:forced is the scenario's lane with forced choices")
	var round int
	wholeFlag(f, &round, "round", 0, 0, "`N`, counted from 0")
	job := f.String("job", "", "`ID` of one job (default all active jobs)")
	format := choiceFlag(f, "format", "output `FORMAT`: table or json", "table", "json")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	arg, code, ok := c.read(io_, f, args, "scenario")
	if !ok {
		return code
	}
	doc, code := load(io_, arg)
	if doc == nil {
		return code
	}
	warn(io_, doc)
	refs, code := choose(io_, doc, *id, set)
	if code != exitOK {
		return code
	}
	if len(refs) > 1 && *id != "" {
		fmt.Fprintf(io_.err, "--policy: one decision has one policy, and %d are named (name one)\n", len(refs))
		return exitUsage
	}
	e, code := explain(io_, &message.ExplainRequest{Scenario: doc.Marshal(false), Policy: refs[0], Round: round,
		Job: *job})
	if e == nil {
		return code
	}
	if *format == "json" {
		printJSON(io_.out, e.Export())
		return exitOK
	}
	writeExplanation(io_.out, e)
	return exitOK
}

// explain runs a policy up to a decision, with a progress line on a terminal.
func explain(std streams, req *message.ExplainRequest) (*message.Explanation, int) {
	q, diags := lab.NewSession().Inquire(req)
	if q == nil {
		report(std.err, diags, true)
		return nil, exitUsage
	}
	bar := newProgress(std.err)
	for workFor(lookUp, func() bool { return q.Spend(1) }) {
		bar.past(q.Round(), req.Round)
	}
	bar.clear()
	e, diags := q.Result()
	if e == nil {
		report(std.err, diags, true)
		return nil, exitUsage
	}
	return e, exitOK
}

func (p *progress) past(round, of int) {
	if p.on {
		p.last = time.Now()
		fmt.Fprintf(p.w, "\rround %d of %d ", round, of)
	}
}

func number(v float64) string { return words.Number(v, 6) }

// writeExplanation prints the sentences, the figures as exported and the tables.
func writeExplanation(w io.Writer, e *message.Explanation) {
	per := ""
	if e.PerRound {
		per = ", placements compared per round"
	}
	fmt.Fprintf(w, "%s, round %d at %s s%s\n", e.Policy, e.Round, number(e.TimeS), per)
	if len(e.Order) > 0 {
		fmt.Fprintf(w, "order: %s\n", strings.Join(e.Order, ", "))
	}
	writeSections(w, "", e.Sections)
	for i := range e.Jobs {
		j := &e.Jobs[i]
		fmt.Fprintf(w, "\n%s\n", j.Sentence)
		writeSections(w, "  ", j.Sections)
	}
}

// writeSections prints what sections hold; the picture of a placement is in its table too.
func writeSections(w io.Writer, indent string, sections []message.Section) {
	for i := range sections {
		s := &sections[i]
		if s.Title != "" && s.Curve == nil { // the page draws curves
			fmt.Fprintf(w, "%s%s\n", indent, s.Title)
		}
		if s.Table != nil {
			writeFigures(w, indent+"  ", s.Table)
		}
		for _, line := range s.Formula {
			fmt.Fprintf(w, "%s  %s\n", indent, line)
		}
		writeTerms(w, indent+"  ", s.Terms)
		if s.Note != "" {
			fmt.Fprintf(w, "%s%s\n", indent, s.Note)
		}
	}
}

// writeFigures prints the columns that are read, with exact figures.
func writeFigures(w io.Writer, indent string, t *message.Table) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := []string{}
	for _, c := range t.Columns {
		if c.Name != "" {
			line = append(line, c.Name)
		}
	}
	fmt.Fprintf(out, "%s%s\n", indent, strings.Join(line, "\t"))
	for i := range t.Rows {
		r := &t.Rows[i]
		line = line[:0]
		for k, c := range t.Columns {
			if c.Name != "" {
				line = append(line, cellText(&r.Cells[k]))
			}
		}
		fmt.Fprintf(out, "%s%s\n", indent, strings.Join(append(line, r.Verdict), "\t"))
	}
	out.Flush()
}

// cellText is what stands in a cell.
func cellText(c *message.Cell) string {
	switch {
	case c.Number != nil:
		return strings.TrimSpace(number(*c.Number) + " " + c.Note)
	case c.Gang != nil:
		return gangText(c.Gang)
	}
	return c.Job + c.Type + c.Text
}

// writeTerms prints named figures in one line.
func writeTerms(w io.Writer, indent string, terms []message.NamedValue) {
	var parts []string
	for _, t := range terms {
		of := t.Unit
		if of == unit.Worth || of == unit.Instant {
			of = ""
		}
		if t.Name != "" { // the others are in the export
			parts = append(parts, strings.TrimSuffix(t.Name+" "+number(t.Value)+" "+of, " "))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "%s%s\n", indent, strings.Join(parts, "; "))
	}
}

func gangText(g []message.Shard) string {
	if len(g) == 0 {
		return "nothing"
	}
	var parts []string
	for _, s := range g {
		parts = append(parts, fmt.Sprintf("%d %s on %s", s.Count, s.Type, s.Node))
	}
	return strings.Join(parts, " + ")
}
