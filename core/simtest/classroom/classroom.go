// Package classroom makes a class for tests.
package classroom

import (
	"strconv"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// Made is what a board gets of a class of n made students in the middle of the last discussion of the first
// shipped assignment: answers, votes and sentences by a fixed rule, and submissions that the engine has run.
func Made(n int) (*class.Assignment, *class.Update) {
	data, _ := scenarios.Assignment(scenarios.Assignments[0])
	a, diags := class.Parse(data)
	if a == nil {
		panic(diags.Errors()[0].Message.String())
	}
	u := &class.Update{Verifies: true, Truth: a.Truth(Run(a.Document())), CreateMS: 1_790_000_000_000,
		GoneMS: 1_790_000_000_000 + 120*86_400_000}
	u.State = class.State{Code: "7KQM3XPA", Title: a.Title, Engine: lab.Engine, Phase: class.Change,
		SinceMS: u.CreateMS + 900_000, EndsMS: u.CreateMS + 1_320_000, NowMS: u.CreateMS + 1_070_000,
		Revealed: []string{"sooner"}}
	add := func(student int, minute int64, kind string, body class.Body) *class.Entry {
		u.State.Seq++
		u.Entries = append(u.Entries, class.Entry{Seq: u.State.Seq, Student: student, Kind: kind,
			AtMS: u.CreateMS + minute*60_000 + int64(student)*1000, Hash: "made" + strconv.FormatInt(u.State.Seq, 10),
			Body: body})
		return &u.Entries[len(u.Entries)-1]
	}
	ran := map[string][]class.Lane{}
	for s := 1; s <= n; s++ {
		u.Students = append(u.Students, class.Student{N: s, Name: class.Name(7, s),
			JoinedMS: u.CreateMS + int64(s)*1500})
		u.State.Counts.Joined++
		if s%15 == 14 {
			continue // has not answered
		}
		choice := []string{"hadar", "hadar", "gavel-las", "hadar", "same", "hadar", "gavel-las", "hadar", "gavel-las",
			"hadar"}[s%10]
		add(s, 3, class.Answers, class.Body{Answers: map[string]class.Answer{"sooner": {Option: choice,
			Sure: 1 + (s*7)%5},
			"by": {Option: []string{"0-2", "2-10", "10-30", "10-30", "30"}[s%5], Sure: 1 + (s*3)%5}}})
		u.State.Counts.Committed++
		if s%4 != 0 {
			add(s, 8, class.Sentence, class.Body{Text: []string{
				"Hadar gives j3 one GPU of each type, so nobody waits.", "Gavel lets the jobs take turns, and turns cost time.",
				"One V100 and one P100 are left over under Gavel.", "<b>Mixed</b> gangs run at the slower speed, but they run."}[s%4]})
			u.State.Counts.Explained++
		}
		if s%5 != 0 {
			to := choice
			if s%3 == 0 {
				to = "hadar"
			}
			add(s, 14, class.Vote, class.Body{Answers: map[string]class.Answer{"sooner": {Option: to, Sure: 2 + s%4}}})
			u.State.Counts.Voted++
		}
		if s%6 == 5 {
			continue // has not submitted
		}
		path, value := change(s)
		doc := a.Document().Clone()
		if !doc.Alter(path, value) {
			panic(path)
		}
		key := path + strconv.FormatFloat(value, 'g', -1, 64)
		if ran[key] == nil {
			for _, l := range Run(doc) {
				ran[key] = append(ran[key], class.LaneOf(&l))
			}
		}
		edits := a.Edits(doc, scenario.Defaults{})
		e := add(s, 18, class.Submission, class.Body{Changes: edits, Engine: lab.Engine, Lanes: ran[key]})
		if e.Verdict = class.Verified; s%9 == 0 {
			e.Verdict = class.Pending
		}
		u.State.Counts.Submitted++
	}
	return a, u
}

// change is what a made student changes.
func change(s int) (path string, value float64) {
	switch s % 10 {
	case 0, 1, 2:
		return "/scenario/cluster/nodes/0/gpus/v100", 6
	case 3:
		return "/scenario/jobs/2/gpus", 1
	case 4:
		return "/scenario/cluster/nodes/1/gpus/p100", 4
	case 6:
		return "/scenario/throughputs/rows/0/per_gpu/p100", 10
	case 7:
		return "/scenario/jobs/2/arrival_s", 1200
	case 8:
		return "/scenario/throughputs/rows/0/per_gpu/p100", 4
	}
	return "/scenario/throughputs/rows/0/per_gpu/v100", 24
}

// Run runs every policy of a scenario.
func Run(doc *scenario.Document) (lanes []message.Lane) {
	s := lab.NewSession()
	if diags := s.Start(&message.RunRequest{Scenario: doc.Marshal(false)}); diags.HasErrors() {
		panic(diags.Errors()[0].Message.String())
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Lane != nil {
				lanes = append(lanes, *m.Lane)
			}
		}
	}
	return lanes
}
