package trace_test

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func sample(t testing.TB) *trace.Trace {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"v100": 10, "p100": 6}}
	late := j
	late.Arrive = 500
	p := simtest.Build(360, []simtest.Node{{"v100": 3}, {"p100": 2}}, []simtest.Job{j, j, late},
		model.Costs{Load: 5 * unit.Second})
	return simtest.Run(t, p, "hadar", nil)
}

func TestCodecRoundTrip(t *testing.T) {
	tr := sample(t)
	b := tr.Encode()
	back, err := trace.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if back.Hash() != tr.Hash() || !bytes.Equal(back.Encode(), b) {
		t.Error("a decoded trace must have the same hash and encode to the same bytes")
	}
	if len(back.Reasons) == 0 || len(back.Points(&trace.Price)) == 0 || len(back.Rounds) == 0 {
		t.Error("the sample must hold reasons, series and rounds, or this test proves little")
	}
}

func TestHashLeavesReasonsOut(t *testing.T) {
	tr := sample(t)
	want := tr.Hash()
	tr.Reasons[0].Num[0] += 1
	tr.Series[0].Points[0].Value *= 2
	if tr.Hash() != want {
		t.Error("reasons and series must not move the hash")
	}
	tr.Spans.To[0]++
	if tr.Hash() == want {
		t.Error("a span must move the hash")
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	b := sample(t).Encode()
	for n := range b {
		if _, err := trace.Decode(b[:n]); !errors.Is(err, trace.ErrCorrupt) {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(b), err)
		}
	}
	if _, err := trace.Decode(append(bytes.Clone(b), 0)); err == nil {
		t.Error("a byte too many must be refused")
	}
}

func TestRoundAt(t *testing.T) {
	tr := &trace.Trace{Rounds: []trace.Decision{{At: 10}, {At: 20}, {At: 30}}}
	for at, want := range map[unit.Tick]int{0: -1, 10: 0, 19: 0, 20: 1, 99: 2} {
		if got := tr.RoundAt(at); got != want {
			t.Errorf("round at %d is %d, want %d", at, got, want)
		}
	}
}

// TestSecondVersion: a trace that the codec's version 2 has written opens with what a run of today tells: the reasons,
// and as series what stood among them or in columns of its own.
func TestSecondVersion(t *testing.T) {
	fast, both := map[string]float64{"a": 5}, map[string]float64{"a": 5, "b": 1}
	job := func(gpus int32, arrive float64, rates map[string]float64) simtest.Job {
		return simtest.Job{GPUs: gpus, Steps: 9000, Rates: rates, Arrive: arrive}
	}
	for _, c := range []struct {
		policy string
		params map[string]any
		nodes  []simtest.Node
		jobs   []simtest.Job
		merge  unit.Tick
		tells  []*trace.Quantity
	}{
		{"hadare", map[string]any{"copy": "node"}, []simtest.Node{{"a": 2, "b": 3}, {"a": 1}},
			[]simtest.Job{job(1, 0, both), job(1, 500, both)}, 20 * unit.Second,
			[]*trace.Quantity{&trace.Price, &trace.Left, &trace.Merge}},
		{"dally-manual", map[string]any{"w0_s": 600.0, "w1_s": 900.0}, []simtest.Node{{"a": 3}, {"a": 3}},
			[]simtest.Job{job(3, 0, fast), job(4, 0, fast), job(3, 0, fast), job(4, 0, fast)}, 0,
			[]*trace.Quantity{&trace.WaitsNode, &trace.WaitsRack}},
	} {
		b, err := os.ReadFile("testdata/second-" + c.policy + ".trace")
		if err != nil {
			t.Fatal(err)
		}
		back, err := trace.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", c.policy, err)
			continue
		}
		now := simtest.Run(t, simtest.Build(360, c.nodes, c.jobs, model.Costs{Merge: c.merge}), c.policy, c.params)
		if back.Hash() != now.Hash() || !slices.Equal(back.Reasons, now.Reasons) ||
			!slices.Equal(back.Rounds, now.Rounds) || len(back.Series) != len(c.tells) {
			t.Errorf("%s: the old one says %+v at %v, today's %+v at %v", c.policy, back.Reasons, back.Rounds, now.Reasons,
				now.Rounds)
		}
		for _, q := range c.tells {
			if got := back.Points(q); len(got) == 0 || !slices.Equal(got, now.Points(q)) {
				t.Errorf("%s: %s was %v, is %v", c.policy, q.Key, got, now.Points(q))
			}
		}
		if again, err := trace.Decode(back.Encode()); err != nil || !bytes.Equal(again.Encode(), back.Encode()) {
			t.Errorf("%s: written again it does not open: %v", c.policy, err)
		}
		for n := range b {
			if _, err := trace.Decode(b[:n]); !errors.Is(err, trace.ErrCorrupt) {
				t.Fatalf("%s: cut after %d of %d bytes: %v", c.policy, n, len(b), err)
			}
		}
	}
}

// TestPointsAreOfWhatThereIs: a series that speaks of a decision, a slot or a job that is not there is no trace.
func TestPointsAreOfWhatThereIs(t *testing.T) {
	tr := sample(t)
	slots, jobs, rounds := int32(len(tr.Slots)), int32(len(tr.Jobs)), int32(len(tr.Rounds))
	for _, c := range []struct {
		by        trace.By
		of, round int32
		good      bool
	}{
		{trace.BySlot, slots - 1, rounds - 1, true}, {trace.BySlot, slots, 0, false}, {trace.BySlot, 0, rounds, false},
		{trace.ByJob, jobs - 1, 0, true}, {trace.ByJob, jobs, 0, false}, {trace.ByJob, 0, -1, false},
		{trace.BySize, 1 << 20, 0, true}, {trace.BySize, -1, 0, false}, {trace.BySize + 1, 0, 0, false},
	} {
		tr.Series = []trace.Series{{Quantity: trace.Quantity{Key: "x", Unit: "s", By: c.by},
			Points: []trace.Point{{Round: c.round, Of: c.of, Value: 1}}}}
		back, err := trace.Decode(tr.Encode())
		if (err == nil) != c.good || c.good && !reflect.DeepEqual(back.Series, tr.Series) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestEveryCodeIsNamed: whatever a policy can give as a reason has a name of its own.
func TestEveryCodeIsNamed(t *testing.T) {
	seen := map[string]bool{"": true, "unknown": true}
	for c := trace.NoReason; c <= trace.WaitCloser; c++ {
		switch name := c.String(); {
		case c == 13 || c == 17: // of version 2
		case seen[name]:
			t.Errorf("code %d has no name of its own", c)
		default:
			seen[name] = true
		}
	}
}

// FuzzDecode: whatever the bytes, Decode gives an error or a trace whose indices can be trusted.
func FuzzDecode(f *testing.F) {
	b := sample(f).Encode()
	f.Add(b)
	f.Add(b[:len(b)/2])
	for _, policy := range []string{"hadare", "dally-manual"} {
		if b, err := os.ReadFile("testdata/second-" + policy + ".trace"); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := trace.Decode(b)
		if err != nil {
			return
		}
		tr.Hash()
		for i := range tr.Spans.Len() {
			for _, sh := range tr.Spans.At(i) {
				_ = tr.Slots[sh.Slot]
			}
			_ = tr.Jobs[tr.Spans.Job[i]]
		}
		for _, p := range tr.Points(&trace.Price) {
			_, _ = tr.Slots[p.Of], tr.Rounds[p.Round]
		}
	})
}

// TestNewerTrace: a trace of a later codec says so, with the version that is read here; any other byte is no trace.
func TestNewerTrace(t *testing.T) {
	b := (&trace.Trace{}).Encode()
	b[3] = trace.Version + 1
	_, err := trace.Decode(b)
	var newer trace.NewerError
	if !errors.As(err, &newer) || newer != trace.Version+1 ||
		err.Error() != "trace: version is 5; this release reads 4 (open it with a newer release)" {
		t.Errorf("got %v", err)
	}
	for _, v := range []byte{0, 1} {
		b[3] = v
		if _, err := trace.Decode(b); err != trace.ErrCorrupt {
			t.Errorf("version %d: %v", v, err)
		}
	}
}
