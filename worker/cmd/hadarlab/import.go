//go:build !js

package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/imports"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// importFlags are the flags of import as given.
type importFlags struct {
	from, throughputs, template, cluster, speeds string
	options                                      imports.Options
}

func importCommand(c command, std streams, args []string) int {
	f := c.flags()
	var in importFlags
	var formats []string
	for _, known := range imports.Formats() {
		formats = append(formats, known.ID)
	}
	o := &in.options
	f.StringVar(&in.from, "from", "", "`FORMAT` of the trace: "+strings.Join(formats, ", ")+
		"; left out, it is told from the content")
	f.StringVar(&in.throughputs, "throughputs", "",
		"`FILE` of measured throughputs (JSON), for gavel, gavel-csv and csv; left out, the built-in ones, measured for Gavel")
	f.StringVar(&in.template, "template", "",
		"`SCENARIO` that gives cluster and throughputs, for csv, as the page takes those of the scenario that is open")
	f.StringVar(&in.cluster, "cluster", "",
		"`TYPE=N,…` GPUs of the cluster; left out, v100=8,p100=16,k80=24, and what a format knows better")
	f.StringVar(&o.Workload, "workload", "",
		"workload `NAME` of a pollux-csv file that holds several; left out, the first")
	f.BoolVar(&o.Untuned, "untuned", false, "what users who do not tune ask for, for pollux-csv with columns of it")
	wholeFlag(f, &o.GPUsPerNode, "gpus-per-node", 0, 0, "`N` GPUs on a node, all of one type; 0 = 4")
	wholeFlag(f, &o.First, "first", 0, 0, "only the first `N` rows; 0 = all")
	wholeFlag(f, &o.Sample, "sample", 0, 0, "only `N` jobs, drawn at random; 0 = all")
	draw := seedFlag(f, 0, "seed `N` of the draw")
	f.StringVar(&o.Reference, "reference", "",
		"GPU `TYPE` on which the recorded times count, for philly, helios, pai and swf; left out, the first of the cluster")
	f.StringVar(&in.speeds, "speed", "",
		"`TYPE=X,…` how many times as fast as the recorded type (--reference; v100 for Gavel's, t4 for pollux-csv) a GPU type is; left out, as measured or estimated, which the report says")
	f.Float64Var(&o.ArrivalDivisor, "arrival-divisor", 1, "divide arrival times by `X`")
	f.BoolVar(&o.Spread, "spread", false, "take over the speeds of gangs over several nodes, for gavel and gavel-csv")
	arg, code, ok := c.read(std, f, args, "trace")
	if !ok {
		return code
	}
	o.Seed = draw.value
	if in.from != "" && !slices.Contains(formats, in.from) {
		fmt.Fprintf(std.err, "--from: %q is not known (choose one of %s)\n", in.from, strings.Join(formats, ", "))
		return exitUsage
	}
	if code := in.read(std, f, arg); code != exitOK {
		return code
	}
	table := std.in
	if arg != "-" {
		file, err := open(arg)
		if err != nil {
			fmt.Fprintf(std.err, "%s: cannot be read: %v (name a trace file; - reads standard input)\n", arg, err)
			return exitUsage
		}
		defer file.Close()
		table = file
	}
	doc, rep, diags := imports.Read(table, in.from, *o)
	if o.Template != nil && rep.Format != "" && rep.Format != "csv" {
		fmt.Fprintf(std.err, "%s: read as %s, told from the content\n"+noTemplate+"\n", arg, rep.Format)
		return exitUsage
	}
	reportImport(std.err, &rep)
	if doc == nil {
		for i := range diags {
			diags[i].Path = arg
		}
		report(std.err, diags, true)
		return exitUsage
	}
	if _, err := std.out.Write(doc.Marshal(true)); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// importColumns lists the columns of tables of jobs, as the importer reads them.
func importColumns() string {
	var b strings.Builder
	for _, format := range []string{"csv", "gavel-csv"} {
		fmt.Fprintf(&b, "Columns of %s, named in the first row, in any order; others are passed over:\n", format)
		for _, c := range imports.Columns(format) {
			empty := "needed"
			if !c.Need {
				empty = "if empty or absent, " + c.Empty
			}
			fmt.Fprintf(&b, "  %-16s %s (%s)\n", c.Name, c.Range, empty)
		}
	}
	return b.String()
}

const noTemplate = "--template: only a trace of format csv takes cluster and speeds from elsewhere (leave --template out, or add --from csv)"

// read reads what the flags name into the options.
func (in *importFlags) read(std streams, f *flag.FlagSet, trace string) int {
	o := &in.options
	refuse := func(format string, args ...any) int {
		fmt.Fprintf(std.err, format+"\n", args...)
		return exitUsage
	}
	var err error
	if in.cluster != "" {
		if o.Cluster, err = scenario.ParseCluster(in.cluster); err != nil {
			return refuse("--cluster: %v (write for example v100=8,p100=16,k80=24)", err)
		}
	}
	if in.speeds != "" {
		if o.Speeds, err = scenario.ParseSpeeds(in.speeds); err != nil {
			return refuse("--speed: %v (write for example a100=2.3,l4=0.6: types in small letters, each once, factors above 0)", err)
		}
	}
	if in.throughputs != "" {
		if o.Throughputs, err = readAll(std, in.throughputs); err != nil {
			return refuse("--throughputs %s: cannot be read: %v (name a JSON file of throughputs)", in.throughputs, err)
		}
	}
	if in.template == "" {
		return exitOK
	}
	var idle []string // flags that a template leaves without meaning
	f.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "cluster", "gpus-per-node", "spread", "throughputs", "reference", "speed":
			idle = append(idle, "--"+f.Name)
		}
	})
	switch {
	case in.from != "" && in.from != "csv":
		return refuse(noTemplate)
	case len(idle) > 0:
		return refuse("--template: the template gives cluster and speeds, and so does %s (leave one out)",
			strings.Join(idle, ", "))
	case in.template == "-" && trace == "-":
		return refuse(
			"--template: the template and the trace cannot both come from standard input (name a file for one)")
	}
	var code int
	o.Template, code = load(std, in.template)
	return code
}

// reportImport says what the import did with its rows.
func reportImport(w io.Writer, rep *message.ImportReport) {
	if rep.Format != "" && rep.Guessed {
		fmt.Fprintf(w, "format %s, told from the content (--from names another)\n", rep.Format)
	}
	if rep.Read == 0 {
		return
	}
	fmt.Fprintf(w, "%s read, %d kept, %d dropped; jobs: %d\n", figure.Plural(nil, rep.Read, "row"), rep.Kept, rep.Dropped, rep.Jobs)
	if rep.Sampled {
		fmt.Fprintf(w, "  the jobs are a random sample, seed %d\n", rep.Seed)
	}
	for _, d := range rep.Reasons {
		fmt.Fprintf(w, "  %d dropped: %s; first at line %d: %s\n", d.Count, d.Reason, d.Line, d.First)
	}
	if len(rep.Unused) > 0 {
		fmt.Fprintf(w, "  columns not used: %s\n", strings.Join(rep.Unused, ", "))
	}
	for _, a := range rep.Assumptions {
		fmt.Fprintf(w, "  assumed: %s\n", a)
	}
}
