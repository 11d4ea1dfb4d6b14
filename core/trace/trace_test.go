package trace_test

import (
	"bytes"
	"errors"
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
	if len(back.Reasons) == 0 || len(back.Prices) == 0 || len(back.Rounds) == 0 {
		t.Error("the sample must hold reasons, prices and rounds, or this test proves little")
	}
}

func TestHashLeavesReasonsOut(t *testing.T) {
	tr := sample(t)
	want := tr.Hash()
	tr.Reasons[0].Num[0] += 1
	tr.Prices[0].Price *= 2
	if tr.Hash() != want {
		t.Error("reasons and prices must not move the hash")
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

func TestEveryCodeIsDescribed(t *testing.T) {
	for c := trace.NoReason; int(c) < len(trace.Codes); c++ {
		if trace.Codes[c].Name == "" || c != trace.NoReason && trace.Codes[c].Verb == "" {
			t.Errorf("code %d has no name or verb", c)
		}
	}
}

// FuzzDecode: whatever the bytes, Decode gives an error or a trace whose indices can be trusted.
func FuzzDecode(f *testing.F) {
	b := sample(f).Encode()
	f.Add(b)
	f.Add(b[:len(b)/2])
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
	})
}

// TestNewerTrace: a trace of a later codec says so, with the version that is read here; any other byte is no trace.
func TestNewerTrace(t *testing.T) {
	b := (&trace.Trace{}).Encode()
	b[3] = trace.Version + 1
	_, err := trace.Decode(b)
	var newer trace.NewerError
	if !errors.As(err, &newer) || newer != trace.Version+1 ||
		err.Error() != "trace: version is 3; this release reads 2 (open it with a newer release)" {
		t.Errorf("got %v", err)
	}
	for _, v := range []byte{0, trace.Version - 1} {
		b[3] = v
		if _, err := trace.Decode(b); err != trace.ErrCorrupt {
			t.Errorf("version %d: %v", v, err)
		}
	}
}
