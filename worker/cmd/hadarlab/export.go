//go:build !js

package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own/replay"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/worker/picture"
)

func exportCommand(c command, std streams, args []string) int {
	f := c.flags()
	formats := append(slices.Clone(lab.ExportFormats), "png", "decisions", "csv", "vega")
	format := f.String("format", "", "`FORMAT`: "+strings.Join(formats, ", ")+
		"; decisions are for replay:FILE, csv and vega (a self-contained Vega-Lite specification) of a chart")
	policies := f.String("policy", "",
		"`ID` of the policy; chrome, csv and vega take several, comma-separated (default those of the scenario)")
	chartName := f.String("chart", "", "`NAME` of the chart, for csv and vega: "+chartNames())
	at := f.Float64("at", 0, "instant of the chart network, in `X` s")
	seed := seedFlag(f, 0, "seed `N` in place of the scenario's")
	window := windowFlag(f)
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	arg, code, ok := c.read(std, f, args, "scenario")
	if !ok {
		return code
	}
	if !slices.Contains(formats, *format) {
		fmt.Fprintf(std.err, "--format: %q is not known (choose %s)\n", *format, strings.Join(formats, ", "))
		return exitUsage
	}
	charted := *format == "csv" || *format == "vega"
	switch {
	case charted && data.Find(*chartName) == nil:
		fmt.Fprintf(std.err, "--chart: %q is not known (choose %s)\n", *chartName, chartNames())
		return exitUsage
	case !charted && *chartName != "":
		fmt.Fprintf(std.err, "--chart: %s holds no chart (leave --chart out, or use --format csv or vega)\n", *format)
		return exitUsage
	case !(*at >= 0 && *at <= scenario.MaxSeconds):
		fmt.Fprintf(std.err, "--at: %g is not a time from 0 to %d s (give one of the run)\n", *at, int(scenario.MaxSeconds))
		return exitUsage
	}
	doc, _, code := loadToRun(std, arg, seed, window)
	if doc == nil {
		return code
	}
	refs, code := choose(std, doc, *policies, set)
	if code != exitOK {
		return code
	}
	if len(refs) != 1 && *format != "chrome" && !charted {
		fmt.Fprintf(std.err, "--policy: %s holds one run, and %d policies are named (name one)\n", *format, len(refs))
		return exitUsage
	}
	var record *replay.Recorder
	s, res, code := runLanes(std, doc, refs, func(s *lab.Session) {
		if *format == "decisions" {
			record = recorder(s, &refs[0], doc)
		}
	})
	if res == nil || code != exitOK {
		return code
	}
	if charted {
		return c.exportChart(std, doc, s, res, *chartName, *format, unit.Seconds(*at))
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
		lanes[i] = lab.ExportLane{Policy: res.Runs[i].Policy, Title: title, Trace: s.Trace(i),
			Problem: s.Problem().Under(res.Runs[i].Params)}
		unfinished(std.err, &lanes[i])
	}
	out := bufio.NewWriter(std.out)
	var err error
	switch {
	case record != nil:
		err = record.Ended(s.Trace(0), out)
	case *format == "png":
		var b []byte
		if b, err = picture.Timeline(nil, lanes[0].Trace, lanes[0].Title); err == nil {
			_, err = out.Write(b)
		}
	default:
		err = lab.Export(out, *format, lanes)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// chartNames are those of the registry of charts.
func chartNames() string {
	var names []string
	for _, k := range data.Charts() {
		names = append(names, k.ID)
	}
	return strings.Join(names, ", ")
}

// exportChart prints a chart of runs as CSV or as a Vega-Lite specification.
func (c command) exportChart(std streams, doc *scenario.Document, s *lab.Session, res *message.Result,
	name, format string, at unit.Tick) int {
	source := data.Source{At: at, Rack: racksOf(doc), Problem: s.Problem}
	count := map[string]int{}
	for i := range res.Runs {
		r := &res.Runs[i]
		unfinished(std.err, &lab.ExportLane{Policy: r.Policy, Trace: s.Trace(i)})
		label := r.Policy
		if count[label]++; count[label] > 1 {
			label += " " + strconv.Itoa(count[label])
		}
		source.Runs = append(source.Runs, data.Run{Name: label, Trace: s.Trace(i), Meta: r})
	}
	table, lacks := data.Of(name, &source)
	if table == nil {
		fmt.Fprintf(std.err, "--chart %s: %s (choose another chart, policy or scenario)\n", name,
			strings.TrimSuffix(lacks.String(), "."))
		return exitUsage
	}
	var err error
	if format == "csv" {
		err = table.CSV(std.out)
	} else {
		title := table.Chart.Title
		if doc.Meta.Title != "" {
			title = doc.Meta.Title + ": " + title
		}
		err = table.Vega(std.out, nil, title)
	}
	if errors.Is(err, data.ErrRows) {
		fmt.Fprintf(std.err, "--format vega: chart %s has too many rows: the most is %d (use --format csv)\n", name,
			data.MostRows)
		return exitUsage
	}
	if err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// racksOf says in which rack a node stands.
func racksOf(doc *scenario.Document) func(node string) string {
	of := map[string]string{}
	for i := range doc.Scenario.Cluster.Nodes {
		n := &doc.Scenario.Cluster.Nodes[i]
		of[n.ID] = cmp.Or(n.Rack, scenario.DefaultRack)
	}
	return func(node string) string { return of[node] }
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
