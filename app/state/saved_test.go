package state

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// saved is the file that an action hands out.
func (d *desk) saved(a Action) room.Download {
	d.t.Helper()
	for _, e := range d.s.Reduce(a) {
		if f, ok := e.(room.Download); ok {
			return f
		}
	}
	d.t.Fatalf("%T hands out nothing", a)
	return room.Download{}
}

// A run that was cancelled is not taken for a whole one: the files' names and contents say so.
func TestFilesOfAStoppedRunSaySo(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	for _, a := range []Action{SaveResult{}, SaveResult{CSV: true}, SaveSVG{0}} {
		if f := d.saved(a); strings.Contains(f.Name, "partial") || strings.Contains(string(f.Data), "stopped") {
			t.Errorf("%s of a whole run calls it partial", f.Name)
		}
	}
	d.held = true
	d.do(RunNow{})
	r := d.runs[0]
	session := lab.NewSession()
	session.SetID(r.ID)
	session.Start(r.Request)
	session.Spend(20)
	d.do(Cancel{})
	session.Stop()
	for more := true; more; {
		var out []*message.Message
		out, more = session.Spend(20)
		for _, m := range out {
			d.do(Answer{m})
		}
	}
	if d.s.Result.Lanes[0].Meta.Outcome != "stopped" || d.s.Result.Lanes[0].Trace == nil {
		t.Fatalf("the first lane ended as %q", d.s.Result.Lanes[0].Meta.Outcome)
	}
	for _, c := range []struct {
		save       Action
		name, says string
	}{
		{SaveResult{}, "odd-gpus-out-result-partial.json", `"outcome": "stopped"`},
		{SaveResult{CSV: true}, "odd-gpus-out-jobs-partial.csv", ",stopped\n"},
		{SaveSVG{0}, "odd-gpus-out-hadar-partial.svg", "not the whole run"},
	} {
		if f := d.saved(c.save); f.Name != c.name || !strings.Contains(string(f.Data), c.says) {
			t.Errorf("%s, want %s with %q in it: %.200q", f.Name, c.name, c.says, f.Data)
		}
	}
}

// TestCharts: a chart is handed out as numbers, or it is said why there are none.
func TestCharts(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	shown := 0
	for _, kind := range data.Charts() {
		for _, a := range []SaveChart{{Of: kind.ID}, {Of: kind.ID, Vega: true}} {
			d.s.Notice = nil
			effects := d.s.Reduce(a)
			f, ok := room.Download{}, false
			for _, e := range effects {
				if down, is := e.(room.Download); is {
					f, ok = down, true
				}
			}
			switch {
			case ok == (d.s.Notice != nil):
				t.Errorf("%s: a file %v, a notice %+v", kind.ID, ok, d.s.Notice)
			case ok && a.Vega:
				shown++
				if !json.Valid(f.Data) || f.Name != "odd-gpus-out-"+kind.ID+".json" {
					t.Errorf("%s: %s", f.Name, f.Data)
				}
			case ok && !strings.Contains(string(f.Data), "\n"):
				t.Errorf("%s: %s", f.Name, f.Data)
			}
		}
	}
	if shown < 11 {
		t.Errorf("only %d charts", shown)
	}
}

// TestWinnersAreThePicture: of three lanes the saved chart compares those that the picture and the headline compare,
// the best against the next, and not the first two.
func TestWinnersAreThePicture(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.edit(edit.Rewrite{Sentence: "lanes", Make: func(doc *scenario.Document) {
		doc.Scenario.Policies = []scenario.Policy{{ID: "gavel-las"}, {ID: "fifo"}, {ID: "hadar"}}
	}})
	d.pass(1000)
	one, base := d.s.Result.Pair()
	if len(d.s.Result.Lanes) != 3 || one == d.s.Result.Lanes[0] {
		t.Fatalf("%d lanes, the best is %s", len(d.s.Result.Lanes), one.Title)
	}
	vega := string(d.saved(SaveChart{Of: "winners", Vega: true}).Data)
	if want := "Sooner under " + one.Title + " than under " + base.Title + ", s"; !strings.Contains(vega, want) {
		t.Errorf("the file does not hold %q: %s", want, vega)
	}
	took := func(l *run.Lane) string {
		j := &l.Trace.Jobs[0]
		return strconv.FormatFloat((j.Finish - j.Arrive).Seconds(), 'f', -1, 64)
	}
	row := "\n" + one.Trace.Jobs[0].Name + ","
	_, row, _ = strings.Cut(string(d.saved(SaveChart{Of: "winners"}).Data), row)
	row, _, _ = strings.Cut(row, "\n")
	cells := strings.Split(strings.TrimSpace(row), ",")
	if len(cells) != 3 || cells[1] != took(one) || cells[2] != took(base) {
		t.Errorf("the first job's row is %q, want %s and %s", row, took(one), took(base))
	}
}

// TestReport: the report holds finding, figures, link and hashes, and a title has no power over it (it has no lines).
func TestReport(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.edit(edit.Rewrite{Sentence: "title",
		Make: func(doc *scenario.Document) { doc.Meta.Title = "a|b <img onerror=x> [c](d) # e" }})
	f := d.saved(SaveReport{Origin: "http://lab", Table: "| |\n"})
	text := string(f.Data)
	r := d.s.Result
	for _, want := range []string{`# a\|b \<img onerror=x\> \[c\](d) \# e` + "\n",
		"**" + r.Finding.Claim + "** " + r.Finding.Because, "| |\n",
		"(http://lab" + ResultLink(r, d.s.Defaults) + ")",
		"`" + r.Lanes[0].Meta.TraceHash + "`", "`" + r.Doc.ID(d.s.Defaults) + "`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	text = string(d.saved(SaveReport{}).Data)
	for _, want := range []string{"4 nodes with 2 K80, 6 P100, 1 V100; 6 jobs; a round is 360 s.\n",
		"- V100 on n1: 3 to 1 GPUs\n", "\n| j4 | "} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(f.Name, "-report.md") {
		t.Errorf("it is called %s", f.Name)
	}
}
