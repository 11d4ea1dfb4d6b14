//go:build !js

package main

import (
	"fmt"
	"io"
	"strconv"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own/replay"
)

// recorded is what stands before the file of a policy that is a record: replay:mine.jsonl.
const recorded = "replay"

// record is a file of decisions that are taken again. Like a program outside, it is known to this process alone.
type record struct {
	*replay.Record
	file string
}

// records are those of this process, by the id of their policy.
var records = map[string]record{}

// startAgain makes a policy of a record, and gives its id.
func startAgain(std streams, file string) (id string, err error) {
	from := std.in
	if file != "-" {
		f, err := open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	}
	rec, err := replay.Read(from)
	if err != nil {
		return "", err
	}
	if id = recorded; len(records) > 0 {
		id += "-" + strconv.Itoa(len(records)+1)
	}
	records[id] = record{rec, file}
	policy.Register(rec.Spec(id, recorded+":"+file))
	return id, nil
}

// recorder records the session's first lane, a run of policy; nil if it cannot run.
func recorder(s *lab.Session, policy string) *replay.Recorder {
	run := s.Sim(0)
	if run == nil {
		return nil
	}
	r := replay.NewRecorder(s.Problem(), run.Cadence(), s.ScenarioID(), policy)
	run.Observe(r.Decided)
	return r
}

// otherRun says whether a lane took all decisions of a record and came to another run than the recorded one.
func otherRun(w io.Writer, l *message.Lane) bool {
	rec, ok := records[l.Policy]
	if !ok || rec.Trace == "" || rec.Trace == l.TraceHash || l.Outcome == "stopped" {
		return false
	}
	fmt.Fprintf(w, "replay:%s: the decisions lead to another run here than the recorded one (it was of %s, scenario %s)\n",
		rec.file, rec.Policy, rec.Scenario)
	return true
}
