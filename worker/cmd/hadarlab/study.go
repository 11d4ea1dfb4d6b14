//go:build !js

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"hadarlab/core/csv"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

func studyCommand(c command, std streams, args []string) int {
	lanes, cases, format, code := studyFlags(c, std, args)
	if lanes == nil {
		return code
	}
	bar, rows := newProgress(std.err), []study.Row(nil)
	for i := range cases {
		bar.sweep(message.SweepProgress{Done: i * len(lanes), Runs: len(cases) * len(lanes), Now: cases[i].Name()})
		more, diags := cases[i].Run(lanes)
		if more == nil {
			bar.clear()
			report(std.err, diags, true)
			return exitFailed
		}
		rows = append(rows, more...)
	}
	bar.clear()
	sums := study.Summarise(rows)
	switch format {
	case "json":
		printJSON(std.out, struct {
			Engine string      `json:"engine"`
			Base   string      `json:"base"`
			Sums   []study.Sum `json:"sums"`
			Rows   []study.Row `json:"rows"`
		}{lab.Engine, study.Base, sums, rows})
	case "csv":
		studyCSV(std.out, rows)
	default:
		studyTable(std.out, sums)
	}
	return exitOK
}

// studyFlags reads which policies are compared in which scenarios, and the form of the output; no policies, with the
// exit code, when the flags ask for no study.
func studyFlags(c command, std streams, args []string) (lanes []study.Lane, cases []study.Case, form string, code int) {
	f := c.flags()
	seeds := f.Int("seeds", 5, "seeds `N` of each workload")
	jobs := f.Int("jobs", 480, "jobs `N` of each scenario")
	only := f.String("policy", "", "`IDS` of the policies beside "+study.Base+
		", comma-separated (default all of the study); own:FILE and exec:COMMAND are yours")
	workloads := f.String("workload", "", "`NAMES` of the workloads, comma-separated (default all: "+
		strings.Join(study.Workloads, ",")+")")
	stalls := choiceFlag(f, "stalls", "`WHICH` scenarios: with, without or both", "both", "with", "without")
	split := choiceFlag(f, "split", "`HOW` jobs share a batch among GPUs of several types: even, balanced, or learned with a fifth of a step staying as it is", study.Splits...)
	switches := f.Bool("switches", false, "run each policy's switches too, one at a time")
	format := choiceFlag(f, "format", "output `FORMAT`: table of geometric means, csv with a row a run, or json with both", "table", "csv", "json")
	_, code, ok := c.read(std, f, args, "")
	usage := func(format string, args ...any) ([]study.Lane, []study.Case, string, int) {
		fmt.Fprintf(std.err, format+"\n", args...)
		return nil, nil, "", exitUsage
	}
	switch {
	case !ok:
		return nil, nil, "", code
	case *seeds < 1 || *seeds > 1000:
		return usage("--seeds: %d is not a number of seeds (choose 1 to 1000)", *seeds)
	case *jobs < 1 || *jobs > 20000:
		return usage("--jobs: %d is not a number of jobs (choose 1 to 20000)", *jobs)
	}
	lanes = study.Policies()
	if *switches {
		lanes = append(lanes, study.Switches()...)
	}
	if ids := parts(*only); ids != nil {
		var yours []study.Lane
		for _, id := range ids {
			if strings.Contains(id, ":") {
				refs, code := choose(std, &scenario.Document{}, id, nil)
				if code != exitOK {
					return nil, nil, "", code
				}
				yours = append(yours, study.Lane{Name: id, PolicyRef: refs[0]})
				continue
			}
			if !slices.ContainsFunc(lanes, func(l study.Lane) bool { return l.ID == id }) {
				return usage("--policy: %s is not in the study (choose among %s)", id, laneIDs(lanes))
			}
		}
		lanes = slices.DeleteFunc(lanes, func(l study.Lane) bool {
			return l.ID != study.Base && !slices.Contains(ids, l.ID)
		})
		lanes = append(lanes, yours...)
	}
	chosen := parts(*workloads)
	for _, name := range chosen {
		if !slices.Contains(study.Workloads, name) {
			return usage("--workload: %s is not known (choose among %s)", name, strings.Join(study.Workloads, ", "))
		}
	}
	cases = slices.DeleteFunc(study.Cases(*seeds, *jobs), func(x study.Case) bool {
		return chosen != nil && !slices.Contains(chosen, x.Workload) || *stalls == "with" && !x.Stalls ||
			*stalls == "without" && x.Stalls
	})
	for i := range cases {
		cases[i].Split(*split)
	}
	return lanes, cases, *format, exitOK
}

// parts splits a comma-separated list; nil when it is empty.
func parts(list string) (out []string) {
	for p := range strings.SplitSeq(list, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func laneIDs(lanes []study.Lane) string {
	var ids []string
	for _, l := range lanes {
		if !slices.Contains(ids, l.ID) {
			ids = append(ids, l.ID)
		}
	}
	return strings.Join(ids, ", ")
}

func studyCSV(w io.Writer, rows []study.Row) {
	out := csv.NewWriter(w)
	head := []string{"workload", "arrivals", "seed", "stalls", "policy", "outcome"}
	for i := range message.AllMetrics {
		head = append(head, message.AllMetrics[i].Name)
	}
	out.Row(head...)
	for i := range rows {
		r := &rows[i]
		row := []string{r.Workload, r.Arrivals, strconv.FormatUint(r.Seed, 10), strconv.FormatBool(r.Stalls), r.Policy,
			r.Outcome}
		for k := range message.AllMetrics {
			row = append(row, message.Number(message.AllMetrics[k].Of(&r.Metrics)))
		}
		out.Row(row...)
	}
	out.Flush()
}

// studyTable prints a line a policy, with stalls and without.
func studyTable(w io.Writer, sums []study.Sum) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, s := range sums {
		if i == 0 || sums[i-1].Stalls != s.Stalls {
			if i > 0 {
				fmt.Fprintln(t)
			}
			what := "without stalls"
			if s.Stalls {
				what = "with stalls"
			}
			fmt.Fprintf(t, "%s %s, against %s\tmean completion\tleast to most\ttotal time\t"+
				"fairness median\tp95\tpreemptions\tnodes busy\tbeyond asked\n", figure.Plural(nil, s.Cases, "scenario"),
				what, study.Base)
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.2f to %.2f\t%.3f\t", s.Policy, s.JCT, s.JCTLeast, s.JCTMost, s.Makespan)
		fmt.Fprintf(t, "%.2f\t%.2f\t%.0f\t%.3f\t%.0f %%\n", s.FTFP50, s.FTFP95, s.Preemptions, s.Nodes, 100*s.GPUOver)
	}
	t.Flush()
}
