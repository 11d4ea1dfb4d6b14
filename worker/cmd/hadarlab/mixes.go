//go:build !js

package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"hadarlab/core/csv"
	"hadarlab/core/message"
	"hadarlab/core/study"
)

func mixesCommand(c command, std streams, args []string) int {
	f := c.flags()
	seed := seedFlag(f, 1, "seed `N` of the job lengths (default 1)")
	format := choiceFlag(f, "format", "output `FORMAT`: table, csv or json", "table", "csv", "json")
	var show int
	wholeFlag(f, &show, "show", 0, 0, "print the scenario of mix `N` instead of running")
	_, code, ok := c.read(std, f, args, "")
	mixes := study.Mixes(seed.value)
	switch {
	case !ok:
		return code
	case show > len(mixes):
		fmt.Fprintf(std.err, "--show: there is no mix %d (choose 1 to %d)\n", show, len(mixes))
		return exitUsage
	case show > 0:
		std.out.Write(mixes[show-1].Marshal(true))
		return exitOK
	}
	rows, diags := study.MixTable(seed.value)
	if rows == nil {
		report(std.err, diags, true)
		return exitFailed
	}
	switch *format {
	case "json":
		printJSON(std.out, rows)
	case "csv":
		mixesCSV(std.out, rows)
	default:
		mixesTable(std.out, rows)
	}
	return exitOK
}

func mixesCSV(w io.Writer, rows []study.MixRow) {
	out := csv.NewWriter(w)
	out.Row("mix", "jobs", "policy", "makespan_s", "avg_jct_s", "node_utilization", "outcome", "gpu_over")
	for _, r := range rows {
		out.Row(strconv.Itoa(r.Mix), strconv.Itoa(r.Jobs), r.Policy, message.Number(r.MakespanS),
			message.Number(r.AvgJCTS), message.Number(r.NodeUtilization), r.Outcome, message.Number(r.GPUOver))
	}
	out.Flush()
}

// mixesTable prints a line a mix: every policy's makespan and node utilisation, and what part of the GPU time that its
// jobs hold is beyond what they asked for.
func mixesTable(w io.Writer, rows []study.MixRow) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t\tmakespan_s\t\t\tnode_utilization\t\t\tgpu_over\t\t\t\nmix\tjobs\t")
	for range 3 {
		for _, id := range study.MixPolicies {
			fmt.Fprintf(t, "%s\t", id)
		}
	}
	n := len(study.MixPolicies)
	for i := 0; i+n <= len(rows); i += n {
		fmt.Fprintf(t, "\n%d\t%d\t", rows[i].Mix, rows[i].Jobs)
		for _, r := range rows[i : i+n] {
			fmt.Fprintf(t, "%.0f\t", r.MakespanS)
		}
		for _, r := range rows[i : i+n] {
			fmt.Fprintf(t, "%.3f\t", r.NodeUtilization)
		}
		for _, r := range rows[i : i+n] {
			fmt.Fprintf(t, "%.3f\t", r.GPUOver)
		}
	}
	fmt.Fprintln(t)
	t.Flush()
}
