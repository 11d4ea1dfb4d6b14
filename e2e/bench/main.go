//go:build linux || darwin

// bench measures whole processes of the command line, each figure in a process of its own. What counts is processor
// time in user mode, which other work on the machine disturbs less than a clock; where all cores are tried, the clock.
//
//	bench pairs [-base COMMIT] [-n PAIRS] [WORK=POLICIES]…   this tree against another commit; fails if it is slower
//	bench growth [-n RUNS] [-limit TIME] [-policy IDS] [jobs|both]…   how time and memory grow with the work
//	bench cores [-n PAIRS] [WORK=POLICY]   a sweep of 32 runs on two cores against one
//
// WORK is JOBSxGPUS, drawn like those of Gavel's generator and as many as keep the GPUs at 0.85 of what they can serve,
// or a scenario as the command line takes it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	modes := map[string]func(*flag.FlagSet, []string) error{"pairs": pairs, "growth": growth, "cores": cores,
		"one": one}
	if len(os.Args) < 2 || modes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: bench pairs|growth|cores [FLAGS] [WORK]…")
		os.Exit(2)
	}
	mode := os.Args[1]
	if err := modes[mode](flag.NewFlagSet("bench "+mode, flag.ExitOnError), os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "bench %s: %v\n", mode, err)
		os.Exit(1)
	}
}

// work is a scenario, as the command line takes it, and policies that it is run under, each by itself.
type work struct {
	name, scenario string
	policies       []string
}

// works reads WORK=POLICIES and writes the scenarios that it draws into dir.
func works(dir string, args []string) (all []work, err error) {
	for _, arg := range args {
		name, ids, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q names no policies: write for example 480x60=hadar,fifo", arg)
		}
		w := work{name, name, strings.Split(ids, ",")}
		var jobs, gpus int
		if _, err := fmt.Sscanf(name, "%dx%d", &jobs, &gpus); err == nil {
			w.scenario = filepath.Join(dir, name+".json")
			if _, err := (size{jobs, gpus}).write(w.scenario, false); err != nil {
				return nil, err
			}
		}
		all = append(all, w)
	}
	return all, nil
}

// drawn is a scenario of jobs like those of Gavel's generator, so many arriving an hour, on nodes of four GPUs, a third
// each V100, P100 and K80.
func drawn(jobs, gpus int, perHour float64) []byte {
	types, nodes := [...]string{"v100", "p100", "k80"}, make([]string, gpus/4)
	for n := range nodes {
		nodes[n] = fmt.Sprintf(`{"id": "n%d", "gpus": {%q: 4}}`, n+1, types[n*3/len(nodes)])
	}
	return fmt.Appendf(nil, `{"kind": "scenario", "version": 1, "scenario": {"seed": 1, "round_s": 360,
		"cluster": {"nodes": [%s]}, "throughputs": {"rows": []},
		"jobs": {"generator": {"count": %d, "arrivals": {"process": "poisson", "rate_per_h": %.9g}}}}}`,
		strings.Join(nodes, ", "), jobs, perHour)
}
