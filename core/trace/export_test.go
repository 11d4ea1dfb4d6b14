package trace

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// cutShort is a run of three jobs that a horizon of 100 s ends: a moves once and finishes, =b is
// preempted and runs again when the run ends, c never starts, d has not arrived.
func cutShort() (*Trace, []Placement) {
	s := func(v int) unit.Tick { return unit.Tick(v) * unit.Second }
	t := &Trace{
		Types: []string{"k80", "v100"}, Nodes: []string{"n1", "n2"},
		Slots: []Slot{{0, 1, 2}, {1, 0, 1}, {1, 1, 1}},
		Jobs: []Job{{Name: "a", GPUs: 2, Arrive: 0, Start: 0, Finish: s(60), Starts: 1, Moved: 1},
			{Name: "=b", GPUs: 1, Arrive: s(5), Start: s(10), Finish: -1, Starts: 2, Preempted: 1},
			{Name: "c", GPUs: 4, Arrive: s(20), Start: -1, Finish: -1},
			{Name: "d", GPUs: 1, Arrive: s(200), Start: -1, Finish: -1}},
		Rounds: []Decision{{0, 0}, {s(10), 1}}, Reasons: []Reason{{Code: Placed, Job: 0}, {Code: Placed, Job: 1}},
		Outcome: Horizon, End: s(100),
	}
	span := func(job int32, kind Kind, from, to int, shards ...model.Shard) {
		p := &t.Spans
		p.Job, p.Gang, p.With, p.Kind, p.Rate = append(p.Job, job), append(p.Gang, 0), append(p.With, -1),
			append(p.Kind, kind), append(p.Rate, 1)
		p.From, p.To = append(p.From, s(from)), append(p.To, s(to))
		if len(p.ShardAt) == 0 {
			p.ShardAt = []int32{0}
		}
		p.Shards = append(p.Shards, shards...)
		p.ShardAt = append(p.ShardAt, int32(len(p.Shards)))
	}
	span(0, Stall, 0, 5, model.Shard{Slot: 0, N: 2})
	span(0, Run, 5, 40, model.Shard{Slot: 0, N: 2})
	span(0, Run, 40, 60, model.Shard{Slot: 0, N: 1}, model.Shard{Slot: 2, N: 1})
	span(1, Run, 10, 30, model.Shard{Slot: 1, N: 1})
	span(1, Run, 70, 100, model.Shard{Slot: 1, N: 1})
	return t, []Placement{
		{Job: 0, With: -1, From: 0, To: s(40), GPUs: []int32{0, 1}, Pauses: []Pause{{Stall, 0, s(5)}}},
		{Job: 0, With: -1, From: s(40), To: s(60), GPUs: []int32{0, 3}},
		{Job: 1, With: -1, From: s(10), To: s(30), GPUs: []int32{2}},
		{Job: 1, With: -1, From: s(70), To: s(100), GPUs: []int32{2}},
	}
}

func TestTables(t *testing.T) {
	tr, held := cutShort()
	for _, c := range []struct {
		name  string
		write func(b *bytes.Buffer) error
		want  string
	}{
		{"jobs", func(b *bytes.Buffer) error { return JobsCSV(b, tr, held) }, strings.Join(jobColumns, ",") + `
a,0,2,1,COMPLETED_SUCCESSFULLY,0,60,60,0,60,1,0-1 3,120,55,5,0,1,1,0
'=b,5,1,0,RUNNING,10,,,5,,,2,50,50,0,0,2,0,1
c,20,4,0,SUBMITTED,,,,,,,,0,0,0,0,0,0,0
d,200,1,0,NOT_SUBMITTED,,,,,,,,0,0,0,0,0,0,0
`},
		{"evalys", func(b *bytes.Buffer) error { return EvalysCSV(b, tr, held) }, strings.Join(evalysColumns, ",") + `
a#1,0,2,-1,0,COMPLETED_KILLED,0,40,40,0,40,1,0-1
a#2,40,2,-1,1,COMPLETED_SUCCESSFULLY,40,20,60,0,20,1,0 3
'=b#1,5,1,-1,0,COMPLETED_KILLED,10,20,30,5,25,1.25,2
'=b#2,30,1,-1,0,RUNNING,70,,,40,,,2
c,20,4,-1,0,SUBMITTED,,,,,,,
d,200,1,-1,0,NOT_SUBMITTED,,,,,,,
`},
		{"events", func(b *bytes.Buffer) error { return EventsCSV(b, tr, held) }, strings.Join(eventColumns, ",") + `
0,arrival,a,,
0,start,a,2,n1/v100=2
5,arrival,'=b,,
10,start,'=b,1,n2/k80=1
20,arrival,c,,
30,preempt,'=b,1,n2/k80=1
40,move,a,2,n1/v100=1 n2/v100=1
60,finish,a,2,n1/v100=1 n2/v100=1
70,start,'=b,1,n2/k80=1
`},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil || b.String() != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, b.String())
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("%s does not read back: %v", c.name, err)
		}
	}
}

func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		in   []int32
		want string
	}{{nil, ""}, {[]int32{4}, "4"}, {[]int32{1, 2, 3}, "1-3"}, {[]int32{0, 2, 5, 6, 7}, "0 2 5-7"}} {
		if got := intervals(c.in); got != c.want {
			t.Errorf("intervals(%v) is %q, want %q", c.in, got, c.want)
		}
	}
}

type chromeFile struct {
	TraceEvents []struct {
		Name, Cat, Ph string
		Ts, Dur       int64
		Pid, Tid, ID  int
		Args          map[string]any
	}
}

func TestChrome(t *testing.T) {
	tr, held := cutShort()
	lane := ChromeLane{Name: `had"ar`, Trace: tr, Placements: held,
		Counters: []Counter{{Name: "queue", Unit: "jobs", Slot: -1, T: []unit.Tick{0, 20000}, V: []float64{0, 1}},
			{Name: "price", Unit: "per_s", Slot: 2, T: []unit.Tick{0}, V: []float64{0.5}}}}
	var b bytes.Buffer
	if err := ChromeJSON(&b, []ChromeLane{lane, lane}); err != nil {
		t.Fatal(err)
	}
	var f chromeFile
	if err := json.Unmarshal(b.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	names, phases := map[string]bool{}, map[string]int{}
	for _, e := range f.TraceEvents {
		phases[e.Ph]++
		if e.Ph == "M" {
			names[e.Args["name"].(string)] = true
		}
	}
	// Each lane: 3 processes and 4 threads; 2 GPUs × 2 stretches + 2 + 1 + 1; 3 arrivals; 1 move; 3 counter points.
	if phases["M"] != 14 || phases["X"] != 16 || phases["i"] != 6 || phases["s"] != 2 || phases["f"] != 2 ||
		phases["C"] != 6 {
		t.Errorf("%v", phases)
	}
	for _, want := range []string{`1 had"ar`, `2 had"ar 2 n2`, "2 v100", "1 k80"} {
		if !names[want] {
			t.Errorf("no name %q in %v", want, names)
		}
	}
	first := f.TraceEvents[10]
	if first.Ph != "X" || first.Name != "a stalls" || first.Ts != 0 || first.Dur != 5e6 ||
		first.Args["why"] != "placed" || first.Args["gpus"] != 2.0 {
		t.Errorf("%+v", first)
	}
	if padded(3, 120) != "003" || padded(12, 12) != "12" {
		t.Error("names are padded to one width")
	}
	var empty bytes.Buffer
	if err := ChromeJSON(&empty, nil); err != nil || !json.Valid(empty.Bytes()) {
		t.Errorf("no lanes: %v %s", err, empty.String())
	}
}

// broken is a pipe whose reader has gone.
type broken struct{}

var errGone = errors.New("gone")

func (broken) Write([]byte) (int, error) { return 0, errGone }

func TestExportsReportABrokenPipe(t *testing.T) {
	tr, held := cutShort()
	for i, err := range []error{JobsCSV(broken{}, tr, held), EvalysCSV(broken{}, tr, held),
		EventsCSV(broken{}, tr, held),
		ChromeJSON(broken{}, []ChromeLane{{Name: "x", Trace: tr, Placements: held}})} {
		if !errors.Is(err, errGone) {
			t.Errorf("export %d: %v", i, err)
		}
	}
}
