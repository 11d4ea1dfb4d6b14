//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

func explainCommand(c command, io_ streams, args []string) int {
	f := c.flags()
	id := f.String("policy", "hadar", "`ID` of the policy; hadar:forced is the scenario's lane with forced choices")
	round := f.Int("round", 0, "`N`, counted from 0")
	job := f.String("job", "", "`ID` of one job (default all active jobs)")
	format := f.String("format", "table", "output `FORMAT`: table or json")
	var set settings
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	rest, code, ok := c.parse(io_, f, args)
	if !ok {
		return code
	}
	if len(rest) != 1 {
		fmt.Fprintf(io_.err, "hadarlab explain: one scenario is needed, %d are given (see `hadarlab explain --help`)\n", len(rest))
		return exitUsage
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
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc.Marshal(false), Policy: refs[0], Round: *round, Job: *job})
	if e == nil {
		report(io_.err, diags, true)
		return exitUsage
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
		fmt.Fprintf(w, "total payoff %s, primal %s%s (1/s)\n", number(*e.TotalPayoff), number(*e.Primal), bound)
	}
	writeTerms(w, "", e.Terms)
	if len(e.Order) > 0 {
		fmt.Fprintf(w, "queue order: %s\n", strings.Join(e.Order, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(e.Prices) > 0 {
		fmt.Fprint(t, "\nNODE\tTYPE\tUSED\tPRICE 1/s\n")
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
			fmt.Fprintf(t, "  %s%s\t%s steps/s\tutility %s\tcost %s\tpayoff %s\t%s\n", part, gangText(k.Gang), number(k.RatePerS), number(k.Utility),
				number(k.Cost), number(k.Payoff), k.Verdict)
		}
		for _, s := range j.Shares {
			fmt.Fprintf(t, "  %s\t%s steps/s\ttarget %s\treceived %s\tpriority %s\tdeficit %s s\n", s.Type, number(s.RatePerS), number(s.Target),
				number(s.Received), number(s.Priority), number(s.Deficit))
		}
		t.Flush()
		for _, k := range j.Copies {
			fmt.Fprintf(t, "  copy on %s\t%d %s\tphase %d\t%s steps/s\tquota %s of %s steps\tmerge weight %s\t%d GPUs left idle\n", k.Node, k.Count, k.Type, k.Phase,
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
