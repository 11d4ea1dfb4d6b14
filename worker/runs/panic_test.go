//go:build !js

package runs

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// broken is a sweep that panics while it works, and again when it is asked what it has.
type broken struct{ sweep }

func (broken) Spend(int) bool                  { panic("secret") }
func (broken) Bound(int)                       {}
func (broken) OnPart(func([]message.Lane))     {}
func (broken) Full() bool                      { return false }
func (broken) Jobs() int                       { return 0 }
func (broken) Stop()                           {}
func (broken) Progress() message.SweepProgress { return message.SweepProgress{Runs: 1} }
func (broken) Result() (*message.SweepResult, jsondoc.Diagnostics) {
	panic("secret of the result")
}

// TestRunThatPanicsTwice: what panicked may panic again when it is asked for what it has. The run has failed then,
// and the server goes on.
func TestRunThatPanicsTwice(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	store := sqlstore.New(db)
	q := NewPool(Options{Store: store, Table: store})
	defer q.Close(t.Context())
	q.newSweep = func(*message.SweepRequest) (sweep, jsondoc.Diagnostics) { return broken{}, nil }
	preset, _ := scenarios.Preset(scenarios.Names[0])
	b := &runBody{Scenario: preset}
	doc, diags := scenario.Parse(b.Scenario, scenario.FileLimits)
	if doc == nil {
		t.Fatal(diags)
	}
	for _, of := range []kind{sweeps, runs} {
		b.Vary = nil
		if of == sweeps {
			b.Vary = []message.Axis{{Path: "/scenario/round_s", Values: []float64{60, 360}}}
		}
		x, _, err := q.ask(t.Context(), newRun(of, b, doc), "somebody", b)
		if err != nil {
			t.Fatal(err)
		}
		<-x.ended
		l := x.snapshot()
		if of == runs && l.State != done || of == sweeps && (l.State != failed || len(l.Errors) != 1 ||
			l.Errors[0].Code != "run-failed" || strings.Contains(fmt.Sprint(l.Errors), "secret")) {
			t.Errorf("the %s is %s: %v", of, l.State, l.Errors)
		}
	}
}
