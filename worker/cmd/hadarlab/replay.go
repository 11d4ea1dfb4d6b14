//go:build !js

package main

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own/replay"
	"hadarlab/core/program"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
)

// recorded is what stands before the file of a policy that is a record: replay:mine.jsonl.
const recorded = "replay"

// records are those of this process, by the id of their policy. Like a program outside, each is known to it alone.
var records = map[string]*record.Record{}

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
	rec, err := record.Read(from, record.OnDisk)
	if err != nil {
		return "", err
	}
	if id = recorded; len(records) > 0 {
		id += "-" + strconv.Itoa(len(records)+1)
	}
	records[id] = rec
	policy.Register(replay.Spec(rec, id, recorded+":"+file))
	return id, nil
}

// recorder records the session's first lane, a run of a policy on a document; nil if it cannot run.
func recorder(s *lab.Session, ref *message.PolicyRef, doc *scenario.Document) *replay.Recorder {
	run := s.Sim(0)
	if run == nil {
		return nil
	}
	r := replay.NewRecorder(s.Problem(), run.Cadence(), s.ScenarioID(), decider(ref), doc.Marshal(false))
	run.Observe(r.Decided)
	return r
}

// decider is what a record calls who decided: a policy's id, a program's name, or the command of a program outside
// without its folders, since the record is handed on.
func decider(ref *message.PolicyRef) string {
	if from, ok := records[ref.ID]; ok {
		return from.Policy
	}
	if of, ok := ref.Params["of"].(string); ok && ref.ID == record.Policy {
		return of
	}
	if kind, _, _ := strings.Cut(ref.ID, "-"); kind == outside {
		command := strings.Fields(lab.Title(ref.ID))
		for i := range command {
			command[i] = filepath.Base(command[i])
		}
		return strings.Join(command, " ")
	}
	src, _ := ref.Params["program"].(string)
	return cmp.Or(program.Name(src), ref.ID)
}
