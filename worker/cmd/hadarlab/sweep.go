//go:build !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"hadarlab/core/csv"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// axes collects --vary PATH=v1,v2,… flags.
type axes []message.Axis

func (a *axes) String() string { return "" }

func (a *axes) Set(s string) error {
	path, list, ok := strings.Cut(s, "=")
	if !ok || !strings.HasPrefix(path, "/") {
		return errors.New("is not PATH=v1,v2,…, as /scenario/round_s=60,360")
	}
	axis := message.Axis{Path: path}
	for text := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || v-v != 0 {
			return fmt.Errorf("has %q, which is not a number", text)
		}
		axis.Values = append(axis.Values, v)
	}
	*a = append(*a, axis)
	return nil
}

func sweepCommand(c command, std streams, args []string) int {
	f := c.flags()
	policies := f.String("policy", "", "`IDS` of the policies, comma-separated (default those of the scenario)")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	var vary axes
	f.Var(&vary, "vary",
		"`PATH=v1,v2,…`: a number of the document by its JSON pointer, and the values it takes; may be repeated, for a grid")
	seed := seedFlag(f, 0, "seed `N` in place of the scenario's")
	var replicates int
	wholeFlag(f, &replicates, "replicates", 1, 1, "run `N` seeds at each point, counted up from the scenario's own")
	noise := noiseFlag(f)
	window := windowFlag(f)
	format := choiceFlag(f, "format", "output `FORMAT`: csv, one row a run, or json, with summaries", "csv", "json")
	arg, code, ok := c.read(std, f, args, "scenario")
	if !ok {
		return code
	}
	if len(vary) == 0 {
		fmt.Fprintln(std.err,
			"--vary: a sweep varies something (write for example --vary /scenario/round_s=60,360, or use `hadarlab run`)")
		return exitUsage
	}
	doc, _, code := loadToRun(std, arg, seed, window)
	if doc == nil {
		return code
	}
	res, code := runSweep(std, doc, *policies, set, vary, replicates, *noise)
	if res == nil {
		return code
	}
	if *format == "json" {
		if err := printJSON(std.out, res); err != nil {
			return c.broken(std, err)
		}
		return code
	}
	writeSweep(std.out, res)
	return code
}

// noiseFlag varies how long jobs take from seed to seed.
func noiseFlag(f *flag.FlagSet) *float64 {
	return f.Float64("length-noise", 0,
		"with replicates, multiply each job's steps by exp(`E` × z), z standard normal and drawn for each seed; 0 to 2")
}

// runSweep runs a grid with a progress line on a terminal. Ctrl-C ends it with what is done, and a second
// one at once; a stopped sweep has exit code 1.
func runSweep(std streams, doc *scenario.Document, ids string, set list, vary axes,
	replicates int, noise float64) (*message.SweepResult, int) {
	refs, code := choose(std, doc, ids, set)
	if code != exitOK {
		return nil, code
	}
	if ids == "" && len(set) == 0 && len(doc.Scenario.Policies) > 0 {
		refs = nil // those of the document, whose parameters may be varied
	} else {
		refs = varied(refs, vary)
	}
	sweep, diags := lab.NewSweep(&message.SweepRequest{Scenario: doc.Marshal(false), Policies: refs, Vary: vary,
		Replicates: replicates, LengthNoise: noise})
	if sweep == nil {
		report(std.err, diags, true)
		return nil, exitUsage
	}
	interrupted, off := interrupts()
	defer off()
	return work(std, sweep, interrupted)
}

// varied leaves a policy's parameters to the document where the sweep varies them.
func varied(refs []message.PolicyRef, vary axes) []message.PolicyRef {
	for _, a := range vary {
		rest, ok := strings.CutPrefix(a.Path, "/scenario/policies/")
		_, param, ok2 := strings.Cut(rest, "/params/")
		for i := range refs {
			if ok && ok2 {
				param, _, _ = strings.Cut(param, "/") // a number of a program
				delete(refs[i].Params, param)
			}
		}
	}
	return refs
}

// work works a sweep off on all cores until it is over or stop says so: then the runs before the first that is not done
// are kept.
func work(std streams, sweep *lab.Sweep, stop func() bool) (*message.SweepResult, int) {
	bar := newProgress(std.err)
	var over atomic.Bool // nothing that is under way is wanted any more
	type part struct {
		lanes  []message.Lane
		whole  bool
		faults jsondoc.Diagnostics
	}
	var faults jsondoc.Diagnostics
	look := func() {
		bar.sweep(sweep.Progress())
		if stop() {
			over.Store(true)
		}
	}
	inOrder(sweep.Parts(), func(i int) (p part) {
		if over.Load() {
			return p
		}
		session, faults := sweep.Part(i)
		if faults != nil {
			return part{faults: faults}
		}
		for !p.whole && !over.Load() {
			out, more := session.Spend(1)
			p.whole = !more
			for _, m := range out {
				switch {
				case m.Lane != nil:
					p.lanes = append(p.lanes, *m.Lane)
				case m.Failure != nil:
					return part{faults: m.Failure.Diagnostics}
				}
			}
		}
		return p
	}, func(p part) bool {
		if faults = p.faults; !p.whole {
			over.Store(true)
			return false
		}
		sweep.Put(sweep.Kept(p.lanes))
		look()
		return !over.Load()
	}, look)
	bar.clear()
	if over.Load() {
		sweep.Stop()
		sweep.Spend(1) // closes what is done
	}
	res, _ := sweep.Result()
	code := exitOK
	switch p := sweep.Progress(); {
	case faults != nil:
		report(std.err, faults, true)
		code = exitFailed
	case res.Stopped:
		fmt.Fprintf(std.err, "stopped after %d of %d runs; the result holds those\n", p.Done, p.Runs)
		code = exitFailed
	}
	if len(res.Points) == 0 {
		return nil, code
	}
	return res, code
}

func (p *progress) sweep(at message.SweepProgress) {
	if !p.on {
		return
	}
	p.last = time.Now()
	done := 30 * at.Done / max(1, at.Runs)
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d runs ", strings.Repeat("#", done), strings.Repeat(".", 30-done), at.Done,
		at.Runs)
}

// writeSweep writes one row a run: the values of its point, then the columns of `run --format csv`.
func writeSweep(w io.Writer, res *message.SweepResult) {
	out := csv.NewWriter(w)
	var head []string
	for _, a := range res.Vary {
		head = append(head, a.Path)
	}
	out.Row(append(head, message.RunHead()...)...)
	for _, p := range res.Points {
		var at []string
		for _, v := range p.Values {
			at = append(at, message.Number(v))
		}
		for i := range p.Runs {
			out.Row(append(at[:len(at):len(at)], p.Runs[i].Row()...)...)
		}
	}
	out.Flush()
}

// replicated prints a result with replicates in one of run's formats.
func replicated(std streams, doc *scenario.Document, res *message.SweepResult, format string, whole bool,
	wall time.Duration, timing bool) {
	out := &message.Result{Engine: res.Engine, ScenarioID: res.ScenarioID, Runs: res.Points[0].Runs,
		Summary: res.Points[0].Summary}
	switch format {
	case "json":
		writeJSON(std.out, doc, out, whole, wall, timing)
	case "csv":
		writeCSV(std.out, out)
	default:
		if doc.Meta.Title != "" {
			fmt.Fprintf(std.out, "%s (%s)\n", doc.Meta.Title, res.ScenarioID)
		}
		if out.Summary != nil {
			writeSummary(std.out, out.Summary)
		}
	}
}

// writeSummary prints means with half the width of their interval, and a sentence for each policy that the first is
// compared with.
func writeSummary(w io.Writer, s *message.Summary) {
	fmt.Fprintf(w, "mean of %s ± half the %g %% interval\n", figure.Plural(nil, s.Replicates, "seed"), 100*s.Confidence)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, p := range s.Policies {
		fmt.Fprintf(t, "\t%s", p.Policy)
	}
	fmt.Fprint(t, "\t\n")
	for i := range message.AllMetrics {
		c := &message.AllMetrics[i]
		fmt.Fprint(t, c.Name)
		for _, p := range s.Policies {
			cell := "–"
			for _, e := range p.Metrics {
				if e.Metric == c.Name {
					cell = spread(e)
				}
			}
			fmt.Fprint(t, "\t"+cell)
		}
		fmt.Fprint(t, "\t\n")
	}
	t.Flush()
	for _, p := range s.Policies[1:] {
		for _, e := range p.Differences {
			if e.Metric != "jct_s" {
				continue
			}
			fmt.Fprintf(w, "%s against %s, same jobs: %s s a job; the sign agrees in %d of %d\n", s.Policies[0].Policy,
				p.Policy, spread(e.Turned()), e.SameSign, e.N)
		}
	}
}

// spread is a mean with half the width of its interval, to two digits of that: no more are sure.
func spread(e message.Estimate) string {
	half, ok := e.Half()
	if half == 0 {
		mean := strconv.FormatFloat(e.Mean, 'f', 3, 64)
		if ok {
			return mean + " ± 0"
		}
		return mean
	}
	digits := 0
	for h := half; h < 10 && digits < 6; h *= 10 {
		digits++
	}
	return strconv.FormatFloat(e.Mean, 'f', digits, 64) + " ± " + strconv.FormatFloat(half, 'f', digits, 64)
}
