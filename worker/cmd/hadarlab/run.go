//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"hadarlab/core/csv"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/own/starlark" // programs that somebody wrote
	"hadarlab/core/program"
	"hadarlab/core/scenario"
)

func runCommand(c command, io_ streams, args []string) int {
	f := c.flags()
	policies := f.String("policy", "",
		"`IDS` of the policies, comma-separated (default those of the scenario); hadar:forced is its lane with forced choices, "+
			"own:FILE a program, exec:COMMAND one outside, replay:FILE recorded decisions")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	seed := seedFlag(f, 0, "seed `N` in place of the scenario's")
	var replicates int
	wholeFlag(f, &replicates, "replicates", 1, 1, "run `N` seeds per policy, counted up from the scenario's own, and compare them")
	noise := noiseFlag(f)
	window := windowFlag(f)
	format := choiceFlag(f, "format", "output `FORMAT`: table, json or csv", "table", "json", "csv")
	timing := f.Bool("timing", false, "add wall-clock times to JSON, which are not reproducible")
	whole := f.Bool("with-scenario", false, "put the scenario into the JSON result, so that verify needs no other file")
	arg, code, ok := c.read(io_, f, args, "scenario")
	if !ok {
		return code
	}
	if *whole && *format != "json" {
		fmt.Fprintln(io_.err, "--with-scenario: only the JSON result can hold the scenario (add --format json)")
		return exitUsage
	}
	if *noise != 0 && replicates == 1 {
		fmt.Fprintln(io_.err, "--length-noise: it varies from seed to seed (add --replicates N)")
		return exitUsage
	}
	doc, sound, code := loadToRun(io_, arg, seed, window)
	if doc == nil {
		return code
	}
	if sound {
		tellLoad(io_, doc)
	}
	started := time.Now()
	if replicates != 1 {
		res, code := runSweep(io_, doc, *policies, set, nil, replicates, *noise)
		if res != nil {
			replicated(io_, doc, res, *format, *whole, time.Since(started), *timing)
		}
		return code
	}
	refs, code := choose(io_, doc, *policies, set)
	if code != exitOK {
		return code
	}
	_, res, code := runLanes(io_, doc, refs, nil)
	if res == nil {
		return code
	}
	switch *format {
	case "json":
		writeJSON(io_.out, doc, res, *whole, time.Since(started), *timing)
	case "csv":
		writeCSV(io_.out, res)
	default:
		writeTable(io_.out, doc, res)
	}
	return code
}

// tellLoad says beforehand how much work jobs offer that arrive one after the other, where they are drawn so or some of
// them are measured.
func tellLoad(io_ streams, doc *scenario.Document) {
	if doc.Scenario.Generator == nil && doc.Scenario.Window == nil {
		return
	}
	if l, ok := doc.Offered(); ok {
		says := l.Says()
		if doc.Scenario.Window != nil && l.Least > 1 {
			says = says[:1] // a warning has said the rest
		}
		for _, text := range says {
			fmt.Fprintln(io_.err, text)
		}
	}
}

// runLanes runs every policy, on all cores, with a progress line on a terminal, and gives the session too, which has
// the traces. Lanes that cannot run are said on stderr; the others are returned. Ctrl C ends it with what is done, and
// a second one at once; a run that was stopped has exit code 1. watch sees the session before it runs, if it is given.
func runLanes(io_ streams, doc *scenario.Document, refs []message.PolicyRef, watch func(*lab.Session)) (*lab.Session,
	*message.Result, int) {
	s := lab.NewBatch()
	s.Bare = true
	diags := s.Start(&message.RunRequest{Scenario: doc.Marshal(false), Policies: refs})
	if diags.HasErrors() {
		report(io_.err, diags, true)
		return nil, nil, exitUsage
	}
	report(io_.err, slices.DeleteFunc(diags, func(d jsondoc.Diagnostic) bool { // those of the document have been said
		return !strings.HasPrefix(d.Path, "/scenario/policies/")
	}), false)
	if watch != nil {
		watch(s)
	}
	res := &message.Result{Engine: lab.Engine, ScenarioID: s.ScenarioID()}
	bar := newProgress(io_.err)
	interrupted, off := interrupts()
	defer off()
	code, lanes := exitOK, s.Split()
	inOrder(len(lanes), func(i int) (out []*message.Message) {
		for stopped := false; ; {
			// Few, so that Ctrl C is heard; but telling of each would take more than many an event itself.
			some, more := lanes[i].Spend(16)
			for _, m := range some {
				if m.Progress != nil {
					bar.follow(m.Progress)
				} else {
					out = append(out, m)
				}
			}
			if !more {
				return out
			}
			if interrupted() && !stopped {
				stopped = true
				lanes[i].Stop()
			}
		}
	}, func(out []*message.Message) bool {
		for _, m := range out {
			switch {
			case m.Lane != nil:
				res.Runs = append(res.Runs, *m.Lane)
			case m.Failure != nil:
				bar.clear()
				report(io_.err, m.Failure.Diagnostics, true)
				code = exitUsage
			}
		}
		return true
	}, bar.show)
	bar.clear()
	if interrupted() {
		fmt.Fprintln(io_.err, "stopped; what was not finished by then is left out of the figures")
		code = exitFailed
	}
	if len(res.Runs) == 0 {
		return nil, nil, code
	}
	return s, res, code
}

// choose joins the policies named on the command line with the parameters of the scenario and of
// --set, which win.
func choose(io_ streams, doc *scenario.Document, ids string, set list) ([]message.PolicyRef, int) {
	type chosen struct {
		id     string
		forced bool
	}
	var refs []message.PolicyRef
	named := map[chosen]int{}
	if ids == "" {
		for _, p := range doc.Scenario.Policies {
			refs = append(refs, own(&p))
		}
		if len(refs) == 0 {
			refs = []message.PolicyRef{{ID: "hadar"}, {ID: "gavel-las"}}
		}
	} else {
		for id := range strings.SplitSeq(ids, ",") {
			id, forced := strings.CutSuffix(strings.TrimSpace(id), message.ForcedSuffix)
			id, file, has := strings.Cut(id, ":")
			if has && id == outside {
				refs = append(refs, message.PolicyRef{ID: startOutside(file)})
				continue
			}
			if has && id == recorded {
				id, err := startAgain(io_, file)
				if err != nil {
					fmt.Fprintf(io_.err, "--policy %s:%s: %v\n", recorded, file, err)
					return nil, exitUsage
				}
				refs = append(refs, message.PolicyRef{ID: id})
				continue
			}
			if id == "" {
				fmt.Fprintf(io_.err, "--policy: %q names an empty policy (write for example hadar,gavel-las)\n", ids)
				return nil, exitUsage
			}
			if spec, err := policy.Find(id); err == nil {
				id = spec.ID
			}
			ref := message.PolicyRef{ID: id}
			at, nth := -1, 0 // named a second time it is the second lane of the policy, if there is one
			for k, p := range doc.Scenario.Policies {
				if p.ID == id && (!forced || len(p.Force) > 0) && nth <= named[chosen{id, forced}] {
					at = k
					nth++
				}
			}
			if named[chosen{id, forced}]++; at >= 0 {
				ref = own(&doc.Scenario.Policies[at])
			} else if forced {
				fmt.Fprintf(io_.err, "--policy: the scenario forces nothing upon %s (leave %q out)\n", id,
					message.ForcedSuffix)
				return nil, exitUsage
			}
			if !forced {
				ref.Force = nil
			}
			if has {
				if code := readProgram(io_, &ref, file); code != exitOK {
					return nil, code
				}
			}
			refs = append(refs, ref)
		}
	}
	for _, s := range set {
		if code := assign(io_, refs, s); code != exitOK {
			return nil, code
		}
	}
	return refs, exitOK
}

// readProgram takes a lane's program from a file, as in own:mine.star.
func readProgram(io_ streams, ref *message.PolicyRef, file string) int {
	refuse := func(msg, fix string) int {
		fmt.Fprintf(io_.err, "--policy %s:%s: %s (%s)\n", ref.ID, file, msg, strings.TrimSuffix(fix, "."))
		return exitUsage
	}
	param := programOf(ref.ID)
	if param == nil {
		return refuse("only the policy own is a program", "write for example own:mine.star")
	}
	src, err := readAll(io_, file)
	if err != nil {
		return refuse(err.Error(), "name a file that holds the program")
	}
	v, fault := param.ParseValue(string(src))
	if !fault.Message.IsZero() {
		return refuse(fault.Message.String(), fault.Fix.String())
	}
	if ref.Params == nil {
		ref.Params = map[string]any{}
	}
	ref.Params[param.Name] = v
	return exitOK
}

// programOf is the parameter of a policy that is a program, nil if it has none.
func programOf(id string) *policy.Param {
	spec, err := policy.Find(id)
	if err != nil {
		return nil
	}
	at := slices.IndexFunc(spec.Params, func(p policy.Param) bool { return p.Kind == policy.Program })
	if at < 0 {
		return nil
	}
	return &spec.Params[at]
}

// turn sets a number of the programs of a policy's lanes; ok is false if none has it.
func turn(refs []message.PolicyRef, id, name string, value float64) (ok bool) {
	param := programOf(id)
	for i := range refs {
		if param == nil || refs[i].ID != id {
			continue
		}
		src, _ := refs[i].Params[param.Name].(string)
		if turned, has := program.Turn(src, name, value); has {
			refs[i].Params[param.Name], ok = turned, true
		}
	}
	return ok
}

// own is a lane of the scenario, with parameters to change.
func own(p *scenario.Policy) message.PolicyRef {
	ref := p.Ref()
	ref.Params = maps.Clone(ref.Params)
	return ref
}

// assign sets policy.param=value in the chosen policies.
func assign(io_ streams, refs []message.PolicyRef, s string) int {
	refuse := func(msg, fix string) int {
		fmt.Fprintf(io_.err, "--set %s: %s (%s)\n", s, msg, strings.TrimSuffix(fix, "."))
		return exitUsage
	}
	name, value, ok := strings.Cut(s, "=")
	id, param, dotted := strings.Cut(name, ".")
	if !ok || !dotted {
		return refuse("is not policy.param=value", "write for example hadar.cost=round")
	}
	spec, err := policy.Find(id)
	if err != nil {
		return refuse("there is no policy "+id, "see `hadarlab policies`")
	}
	params := slices.Concat(spec.Params, policy.Unlisted)
	for i := range params {
		p := &params[i]
		if p.Name != param {
			continue
		}
		v, fault := p.ParseValue(value)
		if !fault.Message.IsZero() {
			return refuse(fault.Message.String(), fault.Fix.String())
		}
		found := false
		for k := range refs {
			if refs[k].ID == spec.ID {
				if refs[k].Params == nil {
					refs[k].Params = map[string]any{}
				}
				refs[k].Params[param], found = v, true
			}
		}
		if !found {
			return refuse(spec.ID+" is not among the policies to run", "add it to --policy")
		}
		return exitOK
	}
	if v, err := strconv.ParseFloat(value, 64); err == nil && v-v == 0 && turn(refs, spec.ID, param, v) {
		return exitOK
	}
	_, faults := spec.Check(map[string]any{param: value})
	return refuse(faults[0].Message.String(), faults[0].Fix.String())
}

// resultDocument is the contract's result with what flags add to it.
type resultDocument struct {
	*message.Result
	Timing   map[string]float64 `json:"timing,omitempty"`
	Scenario json.RawMessage    `json:"scenario,omitempty"`
}

// writeJSON prints the result document, with what the flags add.
func writeJSON(w io.Writer, doc *scenario.Document, res *message.Result, whole bool, wall time.Duration, timing bool) {
	out := resultDocument{Result: res}
	if timing {
		out.Timing = map[string]float64{"wall_s": wall.Seconds()}
	}
	if whole {
		out.Scenario = doc.Marshal(false)
	}
	printJSON(w, out)
}

func writeCSV(w io.Writer, res *message.Result) {
	out := csv.NewWriter(w)
	out.Row(message.RunHead()...)
	for i := range res.Runs {
		out.Row(res.Runs[i].Row()...)
	}
	out.Flush()
}

func writeTable(w io.Writer, doc *scenario.Document, res *message.Result) {
	if doc.Meta.Title != "" {
		fmt.Fprintf(w, "%s (%s)\n", doc.Meta.Title, res.ScenarioID)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i := range res.Runs {
		fmt.Fprintf(t, "\t%s", res.Runs[i].Name())
	}
	fmt.Fprint(t, "\t\n")
	for k := range message.AllMetrics {
		c := &message.AllMetrics[k]
		fmt.Fprint(t, c.Name)
		for i := range res.Runs {
			v := c.Of(&res.Runs[i].Metrics)
			digits := 1
			if strings.HasPrefix(c.Name, "ftf") || strings.HasSuffix(c.Name, "utilization") ||
				strings.HasSuffix(c.Name, "kwh") {
				digits = 3
			} else if v == float64(int64(v)) {
				digits = 0
			}
			if math.IsNaN(v) {
				fmt.Fprint(t, "\t–")
				continue
			}
			fmt.Fprintf(t, "\t%s", strconv.FormatFloat(v, 'f', digits, 64))
		}
		fmt.Fprint(t, "\t\n")
	}
	for _, c := range bounds {
		fmt.Fprint(t, c.name)
		for i := range res.Runs {
			fmt.Fprintf(t, "\t%s", c.of(&res.Runs[i]))
		}
		fmt.Fprint(t, "\t\n")
	}
	fmt.Fprint(t, "outcome")
	for i := range res.Runs {
		fmt.Fprintf(t, "\t%s", res.Runs[i].Outcome)
	}
	fmt.Fprint(t, "\t\n")
	t.Flush()
	for i := range res.Runs {
		if win := res.Runs[i].Window; win != nil {
			fmt.Fprintf(w, "%s:", res.Runs[i].Name())
			for _, says := range win.Says() {
				fmt.Fprintf(w, " %v", says)
			}
			fmt.Fprintln(w)
		}
		jobs := res.Runs[i].Counted()
		if n := done(jobs); n < len(jobs) {
			fmt.Fprintf(w, "%s: %d of %s complete; makespan, jct and ftf are of no others\n", res.Runs[i].Name(), n,
				figure.Plural(nil, len(jobs), "job"))
		}
		for _, note := range res.Runs[i].Notes {
			fmt.Fprintf(w, "%s: %s\n", res.Runs[i].Name(), note)
		}
		for _, m := range res.Runs[i].Measured {
			fmt.Fprintf(w, "%s: %s: %s\n", res.Runs[i].Policy, m.Name, strings.TrimSpace(number(m.Value)+" "+m.Unit))
		}
	}
}

// done is how many jobs of a run are complete.
func done(jobs []message.JobRow) (n int) {
	for i := range jobs {
		if jobs[i].FinishS != nil {
			n++
		}
	}
	return n
}

// bounds are the lower bounds and what the run is over them, which has a meaning when every job finished.
var bounds = []struct {
	name string
	of   func(*message.Lane) string
}{
	{"makespan_bound_s", func(l *message.Lane) string {
		return atLeast(l, false, func(b *message.Bounds) float64 { return b.MakespanS }, 1)
	}},
	{"makespan_over_bound", func(l *message.Lane) string {
		return atLeast(l, true, func(b *message.Bounds) float64 { return b.MakespanS }, l.Metrics.MakespanS)
	}},
	{"avg_jct_bound_s", func(l *message.Lane) string {
		return atLeast(l, false, func(b *message.Bounds) float64 { return b.AvgJCTS }, 1)
	}},
	{"avg_jct_over_bound", func(l *message.Lane) string {
		return atLeast(l, true, func(b *message.Bounds) float64 { return b.AvgJCTS }, l.Metrics.AvgJCTS)
	}},
}

func atLeast(l *message.Lane, ratio bool, of func(*message.Bounds) float64, v float64) string {
	switch {
	case l.Bounds == nil || ratio && (l.Outcome != "done" || of(l.Bounds) <= 0):
		return "–"
	case ratio:
		return strconv.FormatFloat(v/of(l.Bounds), 'f', 3, 64)
	}
	return strconv.FormatFloat(of(l.Bounds), 'f', 1, 64)
}

// progress draws a bar on a terminal, and nothing anywhere else.
type progress struct {
	w    io.Writer
	on   bool
	last time.Time
	mu   sync.Mutex
	at   []message.Progress // of the lanes begun, by lane
}

func newProgress(w io.Writer) *progress {
	if s, ok := w.(*screen); ok {
		return &progress{w: s.w, on: s.terminal} // it moves the cursor
	}
	return &progress{w: w}
}

// follow takes how far a lane is, from whoever runs it.
func (p *progress) follow(m *message.Progress) {
	if !p.on {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.at) <= m.Lane {
		p.at = append(p.at, message.Progress{})
	}
	p.at[m.Lane] = *m
}

// show draws the lane that is furthest behind of those begun.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var m *message.Progress
	for i := range p.at {
		if l := &p.at[i]; l.Finished < l.Jobs && (m == nil || l.Finished < m.Finished) {
			m = l
		}
	}
	if m == nil {
		return
	}
	p.last = time.Now()
	done := 30 * m.Finished / m.Jobs
	fmt.Fprintf(p.w, "\r%-12s [%s%s] %d of %d jobs, round %d ", m.Policy, strings.Repeat("#", done),
		strings.Repeat(".", 30-done), m.Finished, m.Jobs, m.Round)
}

func (p *progress) clear() {
	if p.on && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
