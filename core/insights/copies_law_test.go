package insights

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestSentencesOfCopiesAreTrue: of random scenarios with HadarE, copies with nodes of their own and not, and Hadar
// beside them, what is said of a copy is so: what its job holds, what is merged and what is left.
func TestSentencesOfCopiesAreTrue(t *testing.T) {
	said := map[string]int{}
	heard := []string{" copies: ", "merged 1 time,", "merged 2 times,", "1 round charged for a merge,",
		"2 rounds charged for a merge,", "leaves 1 GPU idle", "leaves 2 GPUs idle", "left by the copy of"}
	for n := range 90 {
		p := simtest.Random(rand.New(rand.NewPCG(uint64(n), 11)))
		p.DefaultCosts.Merge = max(p.DefaultCosts.Merge, unit.Seconds(2))
		for i := range p.Costs {
			p.Costs[i].Merge = p.DefaultCosts.Merge
		}
		id, params := "hadare", map[string]any{"copy": []string{"request", "node"}[n%2]}
		if n%3 == 2 {
			id, params = "hadar", nil
		}
		r := simtest.Start(t, p, id, params, sim.Options{MaxEvents: 1e5})
		for r.Step() {
		}
		tr, _ := r.Result()
		m := metric.Compute(p, tr)
		x := &told{Side{id, tr, chart.NewLane(tr), &m.Metrics}, m, r.Cadence(), figure.UnitFor(tr.End)}
		text := x.judgeHeld(t) + x.judgeNotes(t, id == "hadare" && params["copy"] == "node")
		for _, s := range heard {
			said[s] += strings.Count(text, s)
		}
		if t.Failed() {
			t.Fatalf("scenario %d, %s %v", n, id, params)
		}
	}
	for _, s := range heard {
		if said[s] == 0 {
			t.Errorf("no scenario made anybody say %q", s)
		}
	}
}

var places = regexp.MustCompile(`(\d+) \S+ on `)

// judgeHeld: all GPUs that a job holds are named.
func (r *told) judgeHeld(t *testing.T) (all string) {
	for _, at := range r.instants() {
		for j := range r.Trace.Jobs {
			if row := &r.Trace.Jobs[j]; at < row.Arrive || row.Finish >= 0 && at >= row.Finish {
				continue
			}
			says, sum := Standing(nil, r.Trace, r.Lane, int32(j), at, r.u), 0
			for _, m := range places.FindAllStringSubmatch(says, -1) {
				n, _ := strconv.Atoi(m[1])
				sum += n
			}
			if want := int(r.held(j, at)); sum != want {
				t.Errorf("at %v %d GPUs are held: %q", at, want, says)
			}
			all += says
		}
	}
	return all
}

// judgeNotes: merges of one copy are none and take no longer than a merge, also where another copy comes, for which the
// job stalls longer; and left is what nobody else may use.
func (r *told) judgeNotes(t *testing.T, own bool) (all string) {
	axis := chart.Axis{To: r.Trace.End, Unit: r.u}
	pic := &draw.Picture{Lane: r.Lane, Trace: r.Trace, Axis: &axis, Frame: chart.NewFrame(r.Lane, 900)}
	merge := map[int32]unit.Tick{}
	for _, p := range r.Trace.Points(&trace.Merge) {
		merge[p.Of] = unit.Seconds(p.Value)
	}
	for i := range r.Lane.Bars {
		b := &r.Lane.Bars[i]
		h := &r.Lane.Holdings[b.Holding]
		note, says := CopyNote(nil, r.Lane, r.Trace, int(b.Holding), r.u), pic.Describe(i)
		all += note
		merged, charged := 0, 0
		for _, pause := range h.Pauses {
			if pause.Merge && pause.To-pause.From > merge[h.Job] {
				t.Errorf("a merge of %v is said to take %v", merge[h.Job], pause.To-pause.From)
			}
			switch {
			case !pause.Merge:
			case r.held(int(h.Job), pause.From-1) > h.Size:
				merged++
			default:
				charged++
			}
		}
		for _, s := range []string{note, says} {
			if strings.Contains(s, "merged "+figure.Int(merged)+" time") != (merged > 0) ||
				strings.Contains(s, figure.Int(charged)+" round") && strings.Contains(s, "charged") != (charged > 0) ||
				merged == 0 && strings.Contains(s, "merged") || charged == 0 && strings.Contains(s, "charged") {
				t.Errorf("%d merges and %d charges of one copy: %q", merged, charged, s)
			}
		}
		if len(h.Parts) > 0 {
			left := r.left(r.Trace.Slots[h.Shards[0].Slot].Node, h)
			want := figure.Count(nil, int(left), "leaves {0} GPU idle", "leaves {0} GPUs idle")
			some := own && left > 0
			if strings.Contains(note, "leaves") != some || some && !strings.Contains(note, want) {
				t.Errorf("%d GPUs stand idle beside the copy, own nodes: %v, %q", left, own, note)
			}
		}
	}
	for _, d := range r.Lane.Idles {
		says := pic.DescribeIdle(d)
		all += says
		if strings.Contains(says, "left by") && !own {
			t.Errorf("copies share their nodes: %q", says)
		}
	}
	return all
}

// left is how many GPUs of a node nobody holds at most while a holding lasts.
func (r *told) left(node int32, h *chart.Holding) (most int32) {
	s := &r.Trace.Spans
	for _, at := range append(r.instants(), h.From) {
		if at < h.From || at >= h.To {
			continue
		}
		idle := int32(0)
		for k := range r.Trace.Slots {
			if r.Trace.Slots[k].Node == node {
				idle += r.Trace.Slots[k].Cap
			}
		}
		for i := range s.Len() {
			if s.From[i] <= at && at < s.To[i] {
				for _, sh := range slices.DeleteFunc(slices.Clone(s.At(i)), func(sh model.Shard) bool {
					return r.Trace.Slots[sh.Slot].Node != node
				}) {
					idle -= sh.N
				}
			}
		}
		most = max(most, idle)
	}
	return most
}

// TestWhoSharesAGangHoldsIt: of two jobs in one gang both are said to hold it.
func TestWhoSharesAGangHoldsIt(t *testing.T) {
	shared := 0
	for n := range 60 {
		p := simtest.Random(rand.New(rand.NewPCG(uint64(n), 12)))
		for a := range p.Tables { // any two may share a GPU
			for b := range a + 1 {
				for k := range p.Cluster.Types {
					typ := model.TypeID(k)
					x, y := p.Tables[b].Rate(typ, 1, model.OneNode), p.Tables[a].Rate(typ, 1, model.OneNode)
					if x > 0 && y > 0 {
						pair := model.Pair{A: int32(b), B: int32(a), Type: typ, RateA: 0.9 * x, RateB: 0.9 * y}
						p.Pairs = append(p.Pairs, pair)
					}
				}
			}
		}
		for _, id := range []string{"gandiva", "gavel-packed"} {
			r := simtest.Start(t, p, id, nil, sim.Options{MaxEvents: 1e5})
			for r.Step() {
			}
			tr, _ := r.Result()
			l, s := chart.NewLane(tr), &tr.Spans
			for i := range s.Job {
				if s.With[i] < 0 || s.From[i] >= s.To[i] {
					continue
				}
				shared++
				says := Standing(nil, tr, l, s.Job[i], s.From[i], figure.UnitFor(tr.End))
				if !strings.Contains(says, " holds ") || strings.Contains(says, "holds nothing") {
					t.Fatalf("scenario %d, %s: %s shares a gang, and %q", n, id, tr.Jobs[s.Job[i]].Name, says)
				}
			}
		}
	}
	if shared == 0 {
		t.Error("no jobs share a gang")
	}
}
