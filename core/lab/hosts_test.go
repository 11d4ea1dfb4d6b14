package lab_test

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
)

// TestChromeHasHosts: beside the use of GPUs stands that of hosts, by hand of the preset. By GPUs three jobs have all
// 24 CPUs, and use 6, 4 and 2; tuned they have and use 18, 4 and 2.
func TestChromeHasHosts(t *testing.T) {
	preset, _ := lab.Preset("who-feeds-the-gpus")
	for split, want := range map[string]string{"proportional": "0.5", "tuned": "1"} {
		ref := message.PolicyRef{ID: "fifo", Params: map[string]any{"host_split": split}}
		s := lab.NewBatch()
		req := &message.RunRequest{Scenario: preset, Policies: []message.PolicyRef{ref}}
		if diags := s.Start(req); diags.HasErrors() {
			t.Fatal(diags)
		}
		out := export(t, "chrome", lab.ExportLane{Policy: "fifo", Trace: s.Trace(0),
			Problem: s.Problem().Under(ref.Params)})
		for name, value := range map[string]string{"cpus of jobs": "1", "cpus in use": want} {
			_, rest, _ := strings.Cut(string(out), `"name":"`+name+`"`)
			event, _, _ := strings.Cut(rest, "\n")
			if !strings.Contains(event, `{"ratio":`+value+`}`) {
				t.Errorf("%s: %s begins as %s, by hand %s", split, name, event, value)
			}
		}
	}
}

// TestLanesShareHosts: for every policy a lane that shares hosts in a way of its own runs as in the scenario that
// shares them so, and its reasons and its chart are that run's.
func TestLanesShareHosts(t *testing.T) {
	preset, _ := lab.Preset("who-feeds-the-gpus")
	under := func(split string) []byte {
		return []byte(strings.Replace(string(preset), `"nodes": [`, `"host_split": "`+split+`", "nodes": [`, 1))
	}
	run := func(doc []byte, id, split string) (hash, why, chart string) {
		ref := message.PolicyRef{ID: id, Params: map[string]any{"host_split": split}}
		s := lab.NewSession()
		if diags := s.Start(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{ref}}); diags.HasErrors() {
			t.Fatal(diags)
		}
		of := data.Source{Problem: s.Problem}
		for more := true; more; {
			var out []*message.Message
			out, more = s.Spend(1 << 20)
			for _, m := range out {
				if m.Failure != nil {
					return "refused", "", ""
				}
				if m.Lane != nil {
					hash = m.Lane.TraceHash
					of.Runs = append(of.Runs, data.Run{Name: id, Trace: s.Trace(0), Meta: m.Lane})
				}
			}
		}
		e, diags := s.Explain(&message.ExplainRequest{Policy: ref, Round: 0})
		if e == nil {
			t.Fatal(id, diags)
		}
		for i := range e.Jobs {
			for _, section := range e.Jobs[i].Sections {
				why += fmt.Sprintln(section.Title, section.Note)
			}
		}
		table, lacks := data.Of("hosts", &of)
		if table == nil {
			t.Fatal(lacks)
		}
		var csv strings.Builder
		if err := table.CSV(&csv); err != nil {
			t.Fatal(err)
		}
		return hash, why, csv.String()
	}
	differ, ran := 0, 0
	for _, spec := range policy.All() {
		var hashes []string
		for _, split := range []string{"proportional", "tuned"} {
			other := map[string]string{"proportional": "tuned", "tuned": "proportional"}[split]
			hash, why, chart := run(under(split), spec.ID, "scenario")
			if h, w, c := run(under(other), spec.ID, split); h != hash || w != why || c != chart {
				t.Errorf("%s, %s: the lane has the trace %.8s, the scenario %.8s; the same reasons %v, the same chart %v",
					spec.ID, split, h, hash, w == why, c == chart)
			}
			hashes = append(hashes, hash)
		}
		if hashes[0] != "refused" {
			ran++
		}
		if hashes[0] != hashes[1] {
			differ++
		}
	}
	if ran < 20 || differ < ran*3/4 {
		t.Errorf("%d policies run, and %d of them otherwise when tuned", ran, differ)
	}
}
