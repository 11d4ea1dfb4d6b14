//go:build !js

package main

import (
	"fmt"
	"io"
	"os"

	"hadarlab/core/scenario"
)

func importCommand(c command, io_ streams, args []string) int {
	f := c.flags()
	from := f.String("from", "", "`FORMAT` of the trace: gavel-csv")
	throughputs := f.String("throughputs", "", "`FILE` of measured throughputs (JSON)")
	cluster := f.String("cluster", "v100=8,p100=16,k80=24", "`TYPE=N,…` GPUs of the cluster")
	perNode := f.Int("gpus-per-node", 4, "`N` GPUs on a node, all of one type")
	first := f.Int("first", 0, "only the first `N` jobs; 0 = all")
	divisor := f.Float64("arrival-divisor", 1, "divide arrival times by `X`")
	spread := f.Bool("spread", false, "take over the speeds of gangs over several nodes")
	rest, code, ok := c.parse(io_, f, args)
	if !ok {
		return code
	}
	switch {
	case len(rest) != 1:
		fmt.Fprintf(io_.err, "hadarlab import: one trace is needed, %d are given (see `hadarlab import --help`)\n", len(rest))
		return exitUsage
	case *from != "gavel-csv":
		fmt.Fprintf(io_.err, "--from: %q is not known (choose gavel-csv)\n", *from)
		return exitUsage
	}
	counts, err := scenario.ParseCluster(*cluster)
	if err != nil {
		fmt.Fprintf(io_.err, "--cluster: %v (write for example v100=8,p100=16,k80=24)\n", err)
		return exitUsage
	}
	var table []byte
	if *throughputs != "" {
		if table, err = os.ReadFile(*throughputs); err != nil {
			fmt.Fprintf(io_.err, "--throughputs: cannot be read: %v (name a JSON file of throughputs)\n", err)
			return exitUsage
		}
	}
	var in io.Reader = io_.in
	if rest[0] != "-" {
		file, err := os.Open(rest[0])
		if err != nil {
			fmt.Fprintf(io_.err, "%s: cannot be read: %v (name a CSV file; - reads standard input)\n", rest[0], err)
			return exitUsage
		}
		defer file.Close()
		in = file
	}
	doc, rep, diags := scenario.ImportGavelCSV(in, table, scenario.ImportOptions{Cluster: counts, GPUsPerNode: *perNode, First: *first,
		ArrivalDivisor: *divisor, Spread: *spread})
	if report(io_.err, diags, doc == nil || diags.HasErrors()) {
		return exitUsage
	}
	fmt.Fprintf(io_.err, "%d rows read, %d kept, %d dropped\n", rep.Read, rep.Kept, rep.Dropped)
	for _, d := range rep.Reasons {
		fmt.Fprintf(io_.err, "  line %d dropped: %s\n", d.Line, d.Reason)
	}
	for _, a := range rep.Assumptions {
		fmt.Fprintf(io_.err, "  assumed: %s\n", a)
	}
	io_.out.Write(doc.Marshal(true))
	fmt.Fprintln(io_.out)
	return exitOK
}
