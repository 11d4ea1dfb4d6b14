//go:build !js

package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/policy"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func exportCommand(c command, std streams, args []string) int {
	f := c.flags()
	format := f.String("format", "", "`FORMAT`: "+strings.Join(lab.ExportFormats, ", "))
	policies := f.String("policy", "",
		"`ID` of the policy; chrome takes several, comma-separated (default those of the scenario)")
	seed := seedFlag(f, 0, "seed `N` in place of the scenario's")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	arg, code, ok := c.read(std, f, args, "scenario")
	if !ok {
		return code
	}
	if !slices.Contains(lab.ExportFormats, *format) {
		fmt.Fprintf(std.err, "--format: %q is not known (choose %s)\n", *format, strings.Join(lab.ExportFormats, ", "))
		return exitUsage
	}
	doc, code := loadSeeded(std, arg, seed)
	if doc == nil {
		return code
	}
	refs, code := choose(std, doc, *policies, set)
	if code != exitOK {
		return code
	}
	if len(refs) != 1 && *format != "chrome" {
		fmt.Fprintf(std.err, "--policy: %s holds one run, and %d policies are named (name one)\n", *format, len(refs))
		return exitUsage
	}
	s, res, code := runLanes(std, doc, refs)
	if res == nil || code != exitOK {
		return code
	}
	lanes := make([]lab.ExportLane, len(refs))
	for i := range lanes {
		title := res.Runs[i].Policy
		if spec, err := policy.Find(title); err == nil {
			title = spec.Title
		}
		if doc.Meta.Title != "" {
			title = doc.Meta.Title + ": " + title
		}
		lanes[i] = lab.ExportLane{Policy: res.Runs[i].Policy, Title: title, Trace: s.Trace(i)}
		unfinished(std.err, &lanes[i])
	}
	out := bufio.NewWriter(std.out)
	err := lab.Export(out, *format, lanes)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// unfinished says what a run that ended early leaves empty.
func unfinished(w io.Writer, l *lab.ExportLane) {
	if l.Trace.Outcome == trace.Done {
		return
	}
	left := 0
	for i := range l.Trace.Jobs {
		if l.Trace.Jobs[i].Finish < 0 {
			left++
		}
	}
	fmt.Fprintf(
		w, "%s: the run ended at %g s (%s) with %d of %d jobs unfinished; what has not happened is left empty\n",
		l.Policy, unit.Tick(l.Trace.End).Seconds(), l.Trace.Outcome, left, len(l.Trace.Jobs))
}
