package scenario

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/unit"
)

// withSetting is a document of two nodes and many jobs with one member more in its scenario.
func withSetting(t *testing.T, jobs int, member string) *model.Problem {
	t.Helper()
	list := strings.Repeat(`{"id":"x","model":"m","gpus":1,"steps":100},`, jobs)
	for i := range jobs {
		list = strings.Replace(list, `"x"`, `"j`+jsondoc.Number(float64(i))+`"`, 1)
	}
	d := mustParse(t,
		`{"scenario":{"seed":7,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4,"k80":2}},{"id":"n2","gpus":{"v100":4}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":5,"k80":1},"gang":{"v100":{"2":8}}},{"model":"o","per_gpu":{"v100":5}}],
"pairs":[{"a":{"model":"m"},"b":{"model":"m"},"rates":{"k80":[0.5,0.5]}}]},"jobs":[`+strings.TrimSuffix(list, ",")+`]`+member+`}}`)
	p, diags := Compile(d, nil)
	if p == nil {
		t.Fatal(golden.Lines(diags))
	}
	return p
}

func TestKnowledge(t *testing.T) {
	if k := withSetting(t, 3, "").Know; k.HideLengths || k.LengthFactor != nil || k.Tables != nil || k.Pairs != nil {
		t.Errorf("by default everything is known: %+v", k)
	}
	if k := withSetting(t, 3, `,"knowledge":{"lengths":"unknown"}`).Know; !k.HideLengths {
		t.Error("lengths are hidden")
	}
	// Log-normal: the logarithm of the factors has mean 0 and the stated standard deviation.
	const n = 4000
	p := withSetting(t, n, `,"knowledge":{"lengths":"noisy","error":0.5,"rates":"noisy"}`)
	sum, squares := 0.0, 0.0
	for _, f := range p.Know.LengthFactor {
		sum += math.Log(f)
		squares += math.Log(f) * math.Log(f)
	}
	if mean, sd := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 0.03 || math.Abs(sd-0.5) > 0.03 {
		t.Errorf("the logarithms have mean %v and deviation %v; want 0 and 0.5", mean, sd)
	}
	// The belief scales a type's speeds together, pairs too, and leaves the truth.
	b, truth := &p.Know.Tables[0], &p.Tables[0]
	for typ := range p.Cluster.Types {
		f := b.Rate(model.TypeID(typ), 1, model.OneNode) / truth.Rate(model.TypeID(typ), 1, model.OneNode)
		if f == 1 || f < 0.5 || f > 2 {
			t.Errorf("type %d is believed %v times as fast", typ, f)
		}
		if got, want := b.Rate(model.TypeID(typ), 2, model.Network), truth.Rate(model.TypeID(typ), 2,
			model.Network)*f; math.Abs(float64(got-want)) > 1e-12 {
			t.Errorf("a gang on type %d is believed at %v, want %v", typ, got, want)
		}
		if typ == 0 && math.Abs(float64(p.Know.Pairs[0].RateA-0.5*f)) > 1e-12 {
			t.Errorf("the pair is believed at %v, want %v", p.Know.Pairs[0].RateA, 0.5*f)
		}
	}
	if p.Pairs[0].RateA != 0.5 || truth.Rate(1, 1, model.OneNode) != 5 {
		t.Error("the truth stays")
	}
	again := withSetting(t, n+1, `,"knowledge":{"lengths":"noisy","error":0.5}`)
	if !slices.Equal(p.Know.LengthFactor, again.Know.LengthFactor[:n]) {
		t.Error("a job more moves no factor of the jobs before it")
	}
}

func TestFaultsAndGrowth(t *testing.T) {
	// Slots: n1 k80 (2), n1 v100 (4), n2 v100 (4).
	const s = unit.Second
	for member, want := range map[string][]model.CapacityChange{
		`,"faults":[{"node":"n1","at_s":10,"repair_s":5}]`: {{At: 10 * s, Slot: 0, Cap: 0},
			{At: 10 * s, Slot: 1, Cap: 0}, {At: 15 * s, Slot: 0, Cap: 2}, {At: 15 * s, Slot: 1, Cap: 4}},
		`,"faults":[{"node":"n2","at_s":10}]`: {{At: 10 * s, Slot: 2, Cap: 0}},
		// Overlapping faults add up, and never below nothing.
		`,"faults":[{"node":"n2","at_s":10,"gpus":3,"repair_s":10},{"node":"n2","at_s":15,"gpus":3,"repair_s":10}]`: {
			{At: 10 * s, Slot: 2, Cap: 1}, {At: 15 * s, Slot: 2, Cap: 0},
			{At: 20 * s, Slot: 2, Cap: 1}, {At: 25 * s, Slot: 2, Cap: 4}},
		// One ends as the next begins: nothing changes at that instant.
		`,"faults":[{"node":"n2","at_s":10,"gpus":1,"repair_s":5},{"node":"n2","at_s":15,"gpus":1,"repair_s":5}]`: {
			{At: 10 * s, Slot: 2, Cap: 3}, {At: 20 * s, Slot: 2, Cap: 4}},
	} {
		if got := withSetting(t, 1, member).Changes; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", member, got, want)
		}
	}
	p := withSetting(t, 1, `,"faults":{"generator":{"mtbf_h":10,"mttr_s":3600,"until_s":3600000}}`)
	down := [3]int{}
	last := unit.Tick(0)
	for _, c := range p.Changes {
		if c.At < last {
			t.Fatal("changes come in time")
		}
		if last = c.At; c.Cap == 0 {
			down[c.Slot]++
		} else if c.Cap != p.Cluster.Slots[c.Slot].Cap {
			t.Errorf("a node comes back whole: %v", c)
		}
	}
	// 1000 h of 10 h up and 1 h down make about 91 failures a node.
	if down[0] != down[1] || down[0] < 60 || down[0] > 130 || down[2] < 60 || down[2] > 130 || down[0] == down[2] {
		t.Errorf("failures by slot %v, want about 91; slots of a node fail together, nodes apart", down)
	}
}
