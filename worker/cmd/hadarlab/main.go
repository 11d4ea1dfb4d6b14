//go:build !js

// Command hadarlab is the native program: the server and the command line.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1 // the work could not be done
	exitUsage  = 2 // wrong usage or invalid input, said on stderr
)

// streams are a command's standard streams, replaced in tests.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is one subcommand.
type command struct {
	name    string
	args    string // what follows the name, for the usage line
	summary string
	example string
	run     func(c command, std streams, args []string) int
}

// commands lists every subcommand, in the order of the help.
func commands() []command { return slices.Concat(simulating(), documents(), keeping()) }

// simulating are the commands that run policies.
func simulating() []command {
	return []command{
		{
			"run",
			"[--policy A,B] [--set POLICY.PARAM=V]… [--seed N] [--window FROM,JOBS] [--replicates N [--length-noise E]] [--format table|json|csv] [--timing] [--with-scenario] SCENARIO",
			"simulate a scenario under one or more policies",
			"hadarlab run --policy hadar,gavel-las preset:odd-gpus-out", runCommand,
		},
		{
			"sweep",
			"[--policy A,B] [--set POLICY.PARAM=V]… [--seed N] [--window FROM,JOBS] --vary PATH=V1,V2,… [--replicates N [--length-noise E]] [--format csv|json] SCENARIO",
			"run a grid of scenarios, one row a run",
			"hadarlab sweep --policy hadar,gavel-las --vary /scenario/round_s=60,360 preset:odd-gpus-out", sweepCommand,
		},
		{
			"explain", "--policy ID [--set POLICY.PARAM=V]… --round N [--job ID] [--format table|json] SCENARIO",
			"show one decision with every number",
			"hadarlab explain --policy hadar --round 0 --job j3 preset:odd-gpus-out", explainCommand,
		},
		{
			"allocate", "--policy ID [--set POLICY.PARAM=V]… FILE",
			"solve one linear program of the Gavel family, as JSON",
			"hadarlab allocate --policy gavel-las --set gavel-las.use_weights=false scenarios/examples/instance.json",
			allocateCommand,
		},
		{
			"goodput", "FILE",
			"evaluate Pollux’s formulas on a job, an allocation or measurements, as JSON",
			"hadarlab goodput scenarios/examples/goodput.json", goodputCommand,
		},
		{
			"mixes", "[--seed N] [--format table|csv|json] [--show N]",
			"compare HadarE, Hadar and Gavel on ten mixes of jobs, our own, on five unequal nodes",
			"hadarlab mixes --seed 1", mixesCommand,
		},
		{
			"study",
			"[--seeds N] [--jobs N] [--policy A,B] [--workload NAMES] [--stalls with|without|both] [--split even|balanced|learned] [--switches] [--format table|csv|json]",
			"compare Hadar and HadarE with the baselines on 60 mixed GPUs, three workloads, many seeds",
			"hadarlab study --seeds 1 --jobs 60 --policy hadar,hadare --stalls with", studyCommand,
		},
		{
			"score",
			"[--policy A,B] [--set POLICY.PARAM=V]… [--suite NAMES] [--seeds N] [--jobs N] [--metric NAME] [--format table|csv|html] [--show N] [FILE…]",
			"rank policies over a suite of scenarios, with intervals: the presets, Gavel’s mix at three loads, Pollux’s workload 6, or files",
			"hadarlab score --policy hadar,gavel-las,srtf --suite pollux --format csv", scoreCommand,
		},
		{
			"claims",
			"[--all] [--small] [--movers] [--seeds N] [--keep DIR] [--record FILE] [--ranks FILE] [--format table|csv|json|markdown] [ID…]",
			"the paper board: headline claims of papers with what was measured of them; named ones, or all, are run anew",
			"hadarlab claims --small --seeds 3 hadar-2025-total-time", claimsCommand,
		},
		{
			"train",
			"[--seed N] [--seeds N] [--rounds N] [--speeds X,Y,…] [--round-s S] [--stall-s S] [--learning-rate RATE] [--points N] [--sharding rounds|none] [--averaging both|steps|plain] [--format table|csv|json]",
			"try HadarE's merge on a small model and synthetic data: copies, synchronous training and one node",
			"hadarlab train --seeds 2 --rounds 2", trainCommand,
		},
	}
}

// documents are those that turn scenarios, traces and results into others, or check them.
func documents() []command {
	return []command{
		{
			"import",
			"[--from FORMAT] [--throughputs FILE] [--cluster TYPE=N,…] [--template SCENARIO] [--sample N --seed N] [FLAGS] FILE",
			"turn a job trace into a scenario",
			"hadarlab import --from csv --template preset:odd-gpus-out scenarios/examples/jobs.csv > scenario.json",
			importCommand,
		},
		{
			"export",
			"--format chrome|jobs-csv|events-csv|evalys|svg|png|decisions|csv|vega [--chart NAME [--at X]] [--policy A,B] [--set POLICY.PARAM=V]… [--seed N] [--window FROM,JOBS] SCENARIO",
			"run one policy and print the run for other programs",
			"hadarlab export --format chrome --policy hadar,gavel-las preset:odd-gpus-out > trace.json", exportCommand,
		},
		{
			"verify", "[--scenario SCENARIO] RESULT",
			"run a result again and compare",
			"hadarlab run --format json --with-scenario preset:odd-gpus-out | hadarlab verify -", verifyCommand,
		},
		{
			"grade",
			"[--vote first|second|best] [--each N] [--task N] [--questions A,B] [--due TIME --late PERCENT] [--format table|moodle|canvas] FILE…",
			"points of saved classes, or of the files that students hand in, by one rule; to grade again, run it with another",
			"hadarlab grade --vote best --due 2026-11-24T18:00+01:00 --late 25 scenarios/examples/class.json > grades.csv",
			gradeCommand,
		},
		{
			"link", "encode SCENARIO | decode LINK",
			"turn a scenario into a share link and back",
			"hadarlab link encode preset:odd-gpus-out", linkCommand,
		},
		{
			"freeze", "SCENARIO",
			"write out the jobs and faults that a scenario's generators draw",
			"hadarlab freeze scenarios/examples/generated.json > scenario.json", freezeCommand,
		},
		{
			"schema", "",
			"print the JSON Schema of the scenario document",
			"hadarlab schema > scenario-1.schema.json", schemaCommand,
		},
	}
}

// keeping are those about the program, and the server with what it keeps.
func keeping() []command {
	return []command{
		{
			"policies", "[--format table|json]",
			"list the policies with their parameters",
			"hadarlab policies --format json", policiesCommand,
		},
		{
			"presets", "[--format table|json]",
			"list the scenarios that come with the program",
			"hadarlab presets", presetsCommand,
		},
		{
			"template", "[--list] [NAME]",
			"print a program to begin with, for run --policy own:FILE, or list them",
			"hadarlab template srtf > mine.star", templateCommand,
		},
		{
			"docs", "[--dir DIR] [--text TEXT]",
			"write the manual that the server publishes below /docs, or print its text about a scheduler",
			"hadarlab docs --dir build/docs", docsCommand,
		},
		{
			"data",
			"list [--format table|json] | delete ID… | check | backup FILE | restore [--force] FILE | class [--new-key CODE], each with [--data DIR]",
			"look after what the server keeps: list it, remove by id, check that all is as it was stored, copy and check it while the server runs, put a copy back, list classes",
			"hadarlab data backup --data data hadarlab-backup.db", dataCommand,
		},
		{
			"serve", "[--class ASSIGNMENT] [--addr HOST:PORT] [--host NAME]… [--data DIR] [--web DIR] [--metrics HOST:PORT] [--access-log] [FLAGS]",
			"serve the page, keep shared scenarios and hold classes",
			"hadarlab serve --addr 127.0.0.1:8080 --data data --web build/web", serve,
		},
		{
			"site", "-o DIR [--address URL]",
			"write the page as files for a host without a server",
			"hadarlab site -o site --address https://lab.example/hadarlab/", siteCommand,
		},
		{
			"version", "",
			"say the version and the commit of this program",
			"hadarlab version", versionCommand,
		},
	}
}

func main() {
	os.Exit(run(streams{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

func run(std streams, args []string) int {
	std = std.protect()
	if len(args) == 0 {
		usage(std.err)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			args = []string{args[1], "--help"}
			break
		}
		usage(std.out)
		return exitOK
	case "-version", "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(c, std, args[1:])
		}
	}
	fmt.Fprintf(std.err, "hadarlab: there is no command %q (run `hadarlab help`)\n", args[0])
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Hadarlab simulates schedulers of deep-learning clusters.\n\nUsage: hadarlab COMMAND [ARGUMENTS]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\n`hadarlab help COMMAND` shows a command's flags and an example.\n")
}

// flags returns the command's flag set; help and faults are printed by parse.
func (c command) flags() *flag.FlagSet {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse reads flags, before and after the arguments. If it is not ok the command ends with code.
func (c command) parse(std streams, f *flag.FlagSet, args []string) (rest []string, code int, ok bool) {
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			c.help(std.out, f)
			return nil, exitOK, false
		}
		if err != nil {
			wrong := wrongFlag(f, err).Error()
			if !strings.HasSuffix(wrong, ")") { // it does not say what to choose
				wrong = fmt.Sprintf("hadarlab %s: %s (see `hadarlab %s --help`)", c.name, wrong, c.name)
			}
			fmt.Fprintln(std.err, wrong)
			return nil, exitUsage, false
		}
		if f.NArg() == 0 {
			return rest, exitOK, true
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
}

// read is parse for a command with one argument, what is said, or with none where that is "".
func (c command) read(std streams, f *flag.FlagSet, args []string, what string) (arg string, code int, ok bool) {
	rest, code, ok := c.parse(std, f, args)
	switch {
	case !ok:
		return "", code, false
	case what == "" && len(rest) > 0:
		fmt.Fprintf(std.err, "hadarlab %s: takes no arguments (leave %q out)\n", c.name, rest[0])
		return "", exitUsage, false
	case what == "":
		return "", exitOK, true
	case len(rest) == 1:
		return rest[0], exitOK, true
	}
	fmt.Fprintf(std.err, "hadarlab %s: one %s is needed, %d are given (see `hadarlab %s --help`)\n", c.name, what,
		len(rest), c.name)
	return "", exitUsage, false
}

// printJSON prints a document that people may read.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(v)
}

// broken reports that the output could not be written.
func (c command) broken(std streams, err error) int {
	fmt.Fprintf(std.err, "hadarlab %s: the output cannot be written: %v\n", c.name, err)
	return exitFailed
}

// moreHelp is what the help of a command says besides its flags.
var moreHelp = map[string]func() string{"import": importColumns}

func (c command) help(w io.Writer, f *flag.FlagSet) {
	fmt.Fprintf(w, "hadarlab %s: %s\n\nUsage: hadarlab %s %s\n\n", c.name, c.summary, c.name, c.args)
	f.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			usage += " (default " + f.DefValue + ")"
		}
		name := "--" + f.Name
		if len(f.Name) == 1 {
			name = "-" + f.Name
		}
		fmt.Fprintf(w, "  %-24s %s\n", strings.TrimSpace(name+" "+value), usage)
	})
	if more := moreHelp[c.name]; more != nil {
		fmt.Fprint(w, "\n", more())
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", c.example)
}
