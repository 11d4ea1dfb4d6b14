//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"hadarlab/core/findings"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

func explainCommand(c command, io_ streams, args []string) int {
	f := c.flags()
	id := f.String("policy", "hadar", "`ID` of the policy; hadar:forced is the scenario's lane with forced choices")
	var round int
	wholeFlag(f, &round, "round", 0, 0, "`N`, counted from 0")
	job := f.String("job", "", "`ID` of one job (default all active jobs)")
	format := f.String("format", "table", "output `FORMAT`: table or json")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	rest, code, ok := c.parse(io_, f, args)
	if !ok {
		return code
	}
	if code, ok := c.one(io_, rest, "scenario"); !ok {
		return code
	}
	if *format != "table" && *format != "json" {
		fmt.Fprintf(io_.err, "--format: %q is not known (choose table or json)\n", *format)
		return exitUsage
	}
	doc, code := load(io_, rest[0])
	if doc == nil {
		return code
	}
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
		enc := json.NewEncoder(io_.out)
		enc.SetIndent("", " ")
		enc.Encode(e)
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

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func writeExplanation(w io.Writer, e *message.Explanation) {
	fmt.Fprintf(w, "%s, round %d at %s s\n", e.Policy, e.Round, number(e.TimeS))
	if c := e.Constants; c != nil {
		fmt.Fprintf(w, "eta %s, alpha %s, horizon %s s\n", number(c.Eta), number(c.Alpha), number(c.HorizonS))
	}
	if e.TotalPayoff != nil {
		bound := ""
		if e.DualBound != nil {
			bound = ", dual bound " + number(*e.DualBound)
		}
		per := ""
		if e.PerRound {
			per = " per round"
		}
		fmt.Fprintf(w, "total payoff %s%s; whole-life primal %s%s (%s)\n", number(*e.TotalPayoff), per,
			number(*e.Primal), bound, findings.PriceUnit(e.Unit))
	}
	writeTerms(w, "", e.Terms)
	if len(e.Order) > 0 {
		fmt.Fprintf(w, "queue order: %s\n", strings.Join(e.Order, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(e.Prices) > 0 {
		fmt.Fprintf(t, "\nNODE\tTYPE\tUSED\tPRICE, %s\n", findings.PriceUnit(e.Unit))
		for _, p := range e.Prices {
			fmt.Fprintf(t, "%s\t%s\t%d of %d\t%s\n", p.Node, p.Type, p.Used, p.Capacity, number(p.Price))
		}
	}
	t.Flush()
	for i := range e.Jobs {
		j := &e.Jobs[i]
		fmt.Fprintf(w, "\n%s\n", j.Sentence)
		for _, k := range j.Candidates {
			part := ""
			if k.Phase > 0 {
				part = fmt.Sprintf("phase %d: ", k.Phase)
			}
			fmt.Fprintf(t, "  %s%s\t%s steps/s\tutility %s\tcost %s\tpayoff %s\t%s\n", part, gangText(k.Gang),
				number(k.RatePerS), number(k.Utility),
				number(k.Cost), number(k.Payoff), k.Verdict)
		}
		for _, s := range j.Shares {
			fmt.Fprintf(t, "  %s\t%s steps/s\ttarget %s\treceived %s\tpriority %s\tdeficit %s s\n", s.Type,
				number(s.RatePerS), number(s.Target),
				number(s.Received), number(s.Priority), number(s.Deficit))
		}
		t.Flush()
		for _, k := range j.Copies {
			fmt.Fprintf(
				t,
				"  copy on %s\t%d %s\tphase %d\t%s steps/s\tquota %s of %s steps\tmerge weight %s\t%d GPUs left idle\n",
				k.Node, k.Count, k.Type, k.Phase,
				number(k.RatePerS), number(k.Quota), number(k.Most), number(k.Weight), k.Left)
		}
		t.Flush()
		writeTerms(w, "  ", j.Terms)
	}
}

// writeTerms prints named figures in one line.
func writeTerms(w io.Writer, indent string, terms []message.NamedValue) {
	var parts []string
	for _, t := range terms {
		parts = append(parts, strings.TrimSuffix(t.Name+" "+number(t.Value)+" "+t.Unit, " "))
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "%s%s\n", indent, strings.Join(parts, ", "))
	}
}

func gangText(g []message.Shard) string {
	var parts []string
	for _, s := range g {
		parts = append(parts, fmt.Sprintf("%d %s on %s", s.Count, s.Type, s.Node))
	}
	return strings.Join(parts, " + ")
}
