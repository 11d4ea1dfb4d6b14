package chart

import (
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// grown is a run on three nodes of two racks: a grows from 1 GPU to 3, over two racks, and shrinks to 2 on one node; b
// keeps one GPU; c waits.
func grown() (*trace.Trace, Racks) {
	t := simtest.NewTrace([3]any{"n1", "v100", 2}, [3]any{"n2", "v100", 1}, [3]any{"n3", "v100", 2}).
		Job("a", 0, 300).Job("b", 0, 300).Job("c", 0, -1).
		Span(0, trace.Run, 0, 100, 0, 1).
		Span(0, trace.Run, 100, 200, 0, 2, 2, 1).
		Span(0, trace.Stall, 200, 210, 0, 2).
		Span(0, trace.Run, 210, 300, 0, 2).
		Span(1, trace.Run, 0, 300, 1, 1).Rounds(0, 100, 200)
	return t, placed(t, "east", "west", "west")
}

// placed puts the nodes of a run into racks.
func placed(t *trace.Trace, racks ...string) Racks {
	return NewRacks(t, func(node string) string { return racks[slices.Index(t.Nodes, node)] })
}

func TestSizesAreStepsAndCountTheirChanges(t *testing.T) {
	run, _ := grown()
	all := Sizes([]*trace.Trace{run}, -1)
	if len(all) != 3 || all[0].Job != 0 || all[1].Turns[0] != 0 || all[2].Runs[0].Max() != 0 {
		t.Fatalf("sizes are %+v", all)
	}
	a := all[0]
	if a.Turns[0] != 2 || a.Most != 3 {
		t.Errorf("a changes %d times and has up to %d GPUs", a.Turns[0], a.Most)
	}
	for at, want := range map[unit.Tick]float64{0: 1, 99: 1, 100: 3, 199: 3, 205: 2, 250: 2, 300: 0} {
		if got := a.Runs[0].At(at * unit.Second); got != want {
			t.Errorf("at %d s a holds %v GPUs, want %v", at, got, want)
		}
	}
	if !NewLane(run).Resizes() || NewLane(simtest.TaskLevel()).Resizes() {
		t.Error("which run has jobs of changing size is told wrongly")
	}
}

func TestTheSelectedJobAlwaysHasACurve(t *testing.T) {
	b := simtest.NewTrace([3]any{"n1", "v100", 4})
	for range 12 {
		b.Job("x", 0, -1)
	}
	all := Sizes([]*trace.Trace{b.Rounds(0)}, 11)
	if len(all) != mostSizes || all[len(all)-1].Job != 11 || all[0].Job != 0 {
		t.Errorf("%d curves, the last of job %d", len(all), all[len(all)-1].Job)
	}
}

func TestLocalityIsGPUTimeOfGangsOfSeveral(t *testing.T) {
	run, racks := grown()
	if !slices.Equal(racks.Names, []string{"east", "west"}) || !slices.Equal(racks.Of, []int32{0, 1, 1}) {
		t.Fatalf("racks are %+v", racks)
	}
	got := NewLane(run).Locality(run, &racks)
	// 100 s with 3 GPUs over two racks, 100 s with 2 on one node
	if want := []float64{0.4, 0, 0.6}; !slices.Equal(got, want) {
		t.Errorf("the shares are %v, want %v", got, want)
	}
	one := NewRacks(run, func(string) string { return "r1" })
	if got := NewLane(run).Locality(run, &one); got[model.OneRack] != 0.6 || got[model.Network] != 0 {
		t.Errorf("in one rack the shares are %v", got)
	}
}

func TestTreeSaysWhoSitsWhere(t *testing.T) {
	run, _ := grown()
	racks := placed(run, "east", "west", "east")
	l := NewLane(run)
	tree := l.NewTree(run, &racks, 150*unit.Second)
	var order []string
	for _, f := range tree.Leaves {
		order = append(order, run.Nodes[l.Bands[f.Band].Node])
	}
	if !slices.Equal(order, []string{"n1", "n3", "n2"}) {
		t.Errorf("by rack the nodes are %v", order)
	}
	if len(tree.Links) != 1 || tree.Lines != 1 || !slices.Equal(tree.Links[0].Leaves, []int32{0, 1}) ||
		tree.Links[0].Tier != model.OneRack {
		t.Errorf("links are %+v", tree.Links)
	}
	if s := tree.Leaves[1].Seats; len(s) != 2 || s[0].N+s[1].N != 2 || s[0].Holding < 0 == (s[1].Holding < 0) {
		t.Errorf("on n3 sit %+v", s)
	}
	if tree := l.NewTree(run, &racks, 250*unit.Second); len(tree.Links) != 0 {
		t.Errorf("a gang on one node has links %+v", tree.Links)
	}
}

// TestTreesHoldEveryGPUOnce: whatever runs, the seats of a node are its GPUs, held ones as many as gangs hold, and no
// two links of a line meet.
func TestTreesHoldEveryGPUOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		run := randomTrace(r)
		l := NewLane(run)
		racks := NewRacks(run, func(node string) string { return node[:1] })
		at := unit.Tick(r.Int64N(int64(run.End) + 1))
		tree := l.NewTree(run, &racks, at)
		held := map[int32]int32{}
		for _, f := range tree.Leaves {
			row := int32(0)
			for _, s := range f.Seats {
				if s.Row != row {
					t.Fatalf("seats %+v have gaps", f.Seats)
				}
				row += s.N
				held[s.Holding] += s.N
			}
			if row != l.Bands[f.Band].Count {
				t.Fatalf("%d of %d GPUs have a seat", row, l.Bands[f.Band].Count)
			}
		}
		for i, h := range l.Holdings {
			want := int32(0)
			if h.From <= at && at < h.To {
				want = h.Size
			}
			if held[int32(i)] != want {
				t.Fatalf("at %v holding %d has %d seats, want %d", at, i, held[int32(i)], want)
			}
		}
		for i, a := range tree.Links {
			for _, b := range tree.Links[:i] {
				if a.Line == b.Line && a.Leaves[0] <= b.Leaves[len(b.Leaves)-1] {
					t.Fatalf("links %+v and %+v lie on one line", a, b)
				}
			}
		}
	}
}
