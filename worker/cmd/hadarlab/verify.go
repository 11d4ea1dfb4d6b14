//go:build !js

package main

import (
	"fmt"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
)

func verifyCommand(c command, std streams, args []string) int {
	f := c.flags()
	from := f.String("scenario", "", "`SCENARIO` that was run, for results printed without --with-scenario")
	arg, code, ok := c.read(std, f, args, "result")
	if !ok {
		return code
	}
	if arg == "-" && *from == "-" {
		fmt.Fprintln(std.err,
			"--scenario: the result and the scenario cannot both come from standard input (name a file for one)")
		return exitUsage
	}
	data, err := readAll(std, arg)
	if err != nil {
		fmt.Fprintf(std.err, "%s: cannot be read: %v (name a result file; - reads standard input)\n", arg, err)
		return exitUsage
	}
	file, diags := lab.ParseResult(data)
	if report(std.err, diags, file == nil) {
		return exitUsage
	}
	doc, code := ranScenario(std, file, *from)
	if doc == nil {
		return code
	}
	for i := range file.Runs {
		if verifyRun(std, doc, file.Engine, &file.Runs[i], file.Summary.LengthNoise) != exitOK {
			code = exitFailed
		}
	}
	return code
}

// ranScenario is the scenario of a result: the one inside, or the one named, which must have its id.
func ranScenario(std streams, file *lab.ResultFile, from string) (*scenario.Document, int) {
	var doc *scenario.Document
	switch {
	case from != "":
		var code int
		if doc, code = load(std, from); doc == nil {
			return nil, code
		}
	case file.Scenario == nil:
		fmt.Fprintln(std.err,
			"/scenario: the result does not hold its scenario (name it with --scenario, or print results with run --with-scenario)")
		return nil, exitUsage
	default:
		var diags jsondoc.Diagnostics
		doc, diags = scenario.Parse(file.Scenario, scenario.FileLimits)
		if report(std.err, diags, doc == nil || diags.HasErrors()) {
			return nil, exitUsage
		}
	}
	id := doc.ID(lab.Defaults())
	for i := 0; i < len(file.Runs) && id != file.ScenarioID; i++ { // run --seed counts for the id
		seeded := doc.Clone()
		seeded.Scenario.Seed = file.Runs[i].Seed
		if seeded.ID(lab.Defaults()) == file.ScenarioID {
			return seeded, exitOK
		}
	}
	if id != file.ScenarioID {
		fmt.Fprintf(std.err,
			"/scenario_id: the result is of scenario %q, and this one is %s (name the scenario that was run)\n",
			file.ScenarioID, id)
		return nil, exitUsage
	}
	return doc, exitOK
}

// verifyRun runs one entry again, with lengths that vary as they did, and prints what came out. Of an entry that
// another version made it says so: what differs there proves nothing.
func verifyRun(std streams, doc *scenario.Document, engine string, r *lab.ResultRun, noise float64) int {
	again := doc
	if r.Seed != doc.Scenario.Seed {
		again = doc.Clone()
		again.Scenario.Seed = r.Seed
	}
	if noise > 0 {
		again = scenario.Lengthened(again, noise)
	}
	name, old := fmt.Sprintf("%s, seed %d", r.Policy, r.Seed), lab.RunOld(engine, r.Policy, r.Rev)
	if kind, _, _ := strings.Cut(r.Policy, "-"); kind == outside || kind == recorded || kind == record.Policy {
		fmt.Fprintf(std.out, "%s: not run again: the result does not hold the program or record that decided "+
			"(hand on its decisions: export --format decisions, then run --policy replay:FILE)\n", name)
		return exitFailed
	}
	_, res, code := runLanes(std, again,
		[]message.PolicyRef{{ID: r.Policy, Params: r.Params, Force: r.Force}}, nil)
	if res == nil || code != exitOK {
		fmt.Fprintf(std.out, "%s: cannot be run again\n", name)
		return exitFailed
	}
	differences := r.Compare(&res.Runs[0])
	if len(differences) == 0 {
		fmt.Fprintf(std.out, "%s: same\n", name)
		return exitOK
	}
	if old {
		does := "decides"
		if r.TraceHash == res.Runs[0].TraceHash { // the schedule is the same, a figure of it is not
			does = "counts"
		}
		fmt.Fprintf(std.out, "%s: made by version %s, revision %d; this is version %s, revision %d, which %s otherwise\n",
			name, engine, max(r.Rev, 1), lab.Engine, max(res.Runs[0].Rev, 1), does)
	} else {
		fmt.Fprintf(std.out, "%s: differs\n", name)
	}
	const most = 20
	for i, d := range differences {
		if i == most {
			fmt.Fprintf(std.out, "  and %d more\n", len(differences)-most)
			break
		}
		fmt.Fprintf(std.out, "  %s: %s in the file, %s now\n", d.What, d.Was, d.Is)
	}
	return exitFailed
}
