//go:build !js

package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"hadarlab/core/scenario"
)

// importFlags are the flags of import as given.
type importFlags struct {
	from, throughputs, template, cluster string
	options                              scenario.ImportOptions
}

func importCommand(c command, std streams, args []string) int {
	f := c.flags()
	var in importFlags
	f.StringVar(&in.from, "from", "", "`FORMAT` of the trace: gavel-csv, csv (columns id, model, batch, arrival_s, gpus, steps, weight)")
	f.StringVar(&in.throughputs, "throughputs", "", "`FILE` of measured throughputs (JSON)")
	f.StringVar(&in.template, "template", "", "`SCENARIO` that gives cluster and throughputs, for csv")
	f.StringVar(&in.cluster, "cluster", "v100=8,p100=16,k80=24", "`TYPE=N,…` GPUs of the cluster")
	f.IntVar(&in.options.GPUsPerNode, "gpus-per-node", 4, "`N` GPUs on a node, all of one type")
	f.IntVar(&in.options.First, "first", 0, "only the first `N` jobs; 0 = all")
	f.Float64Var(&in.options.ArrivalDivisor, "arrival-divisor", 1, "divide arrival times by `X`")
	f.BoolVar(&in.options.Spread, "spread", false, "take over the speeds of gangs over several nodes")
	rest, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	if in.from != "gavel-csv" && in.from != "csv" && len(rest) == 1 {
		fmt.Fprintf(std.err, "--from: %q is not known (choose gavel-csv or csv)\n", in.from)
		return exitUsage
	}
	if code, ok := c.one(std, rest, "trace"); !ok {
		return code
	}
	o, code := in.read(std, f, rest[0])
	if code != exitOK {
		return code
	}
	table := std.in
	if rest[0] != "-" {
		file, err := os.Open(rest[0])
		if err != nil {
			fmt.Fprintf(std.err, "%s: cannot be read: %v (name a CSV file; - reads standard input)\n", rest[0], err)
			return exitUsage
		}
		defer file.Close()
		table = file
	}
	var doc *scenario.Document
	var rep scenario.Report
	var diags scenario.Diagnostics
	if in.from == "csv" {
		doc, rep, diags = scenario.ImportCSV(table, o)
	} else {
		doc, rep, diags = scenario.ImportGavelCSV(table, o.Throughputs, o.ImportOptions)
	}
	if doc == nil {
		reportImport(std.err, &rep)
		report(std.err, diags, true)
		return exitUsage
	}
	reportImport(std.err, &rep)
	if _, err := std.out.Write(doc.Marshal(true)); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// read reads what the flags name.
func (in *importFlags) read(std streams, f *flag.FlagSet, trace string) (o scenario.CSVOptions, code int) {
	o.ImportOptions = in.options
	refuse := func(format string, args ...any) (scenario.CSVOptions, int) {
		fmt.Fprintf(std.err, format+"\n", args...)
		return o, exitUsage
	}
	var err error
	if o.Cluster, err = scenario.ParseCluster(in.cluster); err != nil {
		return refuse("--cluster: %v (write for example v100=8,p100=16,k80=24)", err)
	}
	if in.throughputs != "" {
		if o.Throughputs, err = os.ReadFile(in.throughputs); err != nil {
			return refuse("--throughputs: cannot be read: %v (name a JSON file of throughputs)", err)
		}
	}
	if in.template == "" {
		return o, exitOK
	}
	var idle []string // flags that a template leaves without meaning
	f.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "cluster", "gpus-per-node", "spread", "throughputs":
			idle = append(idle, "--"+f.Name)
		}
	})
	switch {
	case in.from != "csv":
		return refuse("--template: a trace of format %s brings its own cluster and speeds (leave --template out)", in.from)
	case len(idle) > 0:
		return refuse("--template: the template gives cluster and speeds, and so does %s (leave one out)", strings.Join(idle, ", "))
	case in.template == "-" && trace == "-":
		return refuse("--template: the template and the trace cannot both come from standard input (name a file for one)")
	}
	o.Template, code = load(std, in.template)
	return o, code
}

// reportImport says what the import did with its rows.
func reportImport(w io.Writer, rep *scenario.Report) {
	if rep.Read == 0 {
		return
	}
	fmt.Fprintf(w, "%d rows read, %d kept, %d dropped\n", rep.Read, rep.Kept, rep.Dropped)
	for _, d := range rep.Reasons {
		fmt.Fprintf(w, "  line %d dropped: %s\n", d.Line, d.Reason)
	}
	if more := rep.Dropped - len(rep.Reasons); more > 0 {
		fmt.Fprintf(w, "  %d more are not listed\n", more)
	}
	if len(rep.Unused) > 0 {
		fmt.Fprintf(w, "  columns not used: %s\n", strings.Join(rep.Unused, ", "))
	}
	for _, a := range rep.Assumptions {
		fmt.Fprintf(w, "  assumed: %s\n", a)
	}
}
