package chart_test

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// run simulates a document with one policy.
func run(t *testing.T, doc []byte, policy string) *trace.Trace {
	t.Helper()
	return runs(t, doc, message.PolicyRef{ID: policy})
}

// whole simulates it with HadarE where a copy has its node to itself.
func whole(t *testing.T, doc []byte) *trace.Trace {
	t.Helper()
	return runs(t, doc, message.PolicyRef{ID: "hadare", Params: map[string]any{"copy": "node"}})
}

func runs(t *testing.T, doc []byte, policy message.PolicyRef) *trace.Trace {
	t.Helper()
	s := lab.NewSession()
	if diags := s.Start(&message.RunRequest{Scenario: doc,
		Policies: []message.PolicyRef{policy}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, more := s.Spend(1 << 30); more; _, more = s.Spend(1 << 30) {
	}
	return s.Trace(0)
}

// The preset is an example (hadar.md, Example: two jobs in copies): b trains on n2 and n3 from the start, and a's node
// joins it for the last rounds; merges last 20 s.
func TestCopiesOfTheWorkedExample(t *testing.T) {
	doc, ok := lab.Preset("two-jobs-three-gpus")
	if !ok {
		t.Fatal("the preset is gone")
	}
	tr := run(t, doc, "hadare")
	l := chart.NewLane(tr)
	if len(l.Forks) == 0 || tr.Jobs[l.Forks[0].Job].Name != "b" || l.Forks[0].From != 0 ||
		l.Forks[0].To != 360*unit.Second || len(l.Forks[0].Bars) != 2 {
		t.Fatalf("the first fork is %+v", l.Forks)
	}
	steps, merges := make([]float64, len(tr.Jobs)), 0
	for i := range l.Holdings {
		h := &l.Holdings[i]
		if !h.Forked || len(h.Parts) == 0 {
			t.Errorf("holding %d counts no steps", i)
		}
		for k, p := range h.Parts {
			steps[h.Job] += p.Steps
			if p.From >= p.To || k > 0 && p.From < h.Parts[k-1].To || p.To > h.To {
				t.Errorf("holding %d to %v: parts %+v", i, h.To, h.Parts)
			}
		}
		for _, p := range h.Pauses {
			if p.Merge {
				merges++
				if p.From%(360*unit.Second) != 0 || p.To-p.From != 20*unit.Second {
					t.Errorf("a merge from %v to %v", p.From, p.To)
				}
			}
		}
	}
	for j, got := range steps {
		if got < 5999.9 || got > 6000.1 {
			t.Errorf("%s does %v steps, want 6000", tr.Jobs[j].Name, got)
		}
	}
	if first := l.Holdings[l.Bars[l.Forks[0].Bars[0]].Holding].Parts[0].Steps; first < 1019.9 || first > 1020.1 {
		t.Errorf("b's copy on n2 does %v steps in the first round, want 3/s for 340 s", first)
	}
	if merges == 0 {
		t.Error("no stall is a merge")
	}
	if plain := chart.NewLane(run(t, doc, "hadar")); len(plain.Forks) != 0 || plain.Holdings[0].Forked {
		t.Error("Hadar's run has copies")
	}
}

// A node of two types: the copy takes the fastest type. Where it has the node to itself it leaves the other; where not,
// another job's copy may run there, and what idles beside it is marked as left by nobody.
func TestLeftByTheCopy(t *testing.T) {
	doc := []byte(`{"kind":"scenario","version":1,"scenario":{"round_s":360,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":1,"k80":2}},{"id":"n2","gpus":{"k80":1}}]},
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":5,"k80":1}}]},"jobs":[{"id":"a","model":"m","gpus":1,"steps":6000}],"policies":[{"id":"hadare"}]}}`)
	if chart.NewLane(run(t, doc, "hadare")).Left() {
		t.Error("a copy that shares its node leaves GPUs")
	}
	tr := whole(t, doc)
	l := chart.NewLane(tr)
	left := unit.Tick(0)
	for _, d := range l.Idles {
		if d.By >= 0 {
			left += unit.Tick(d.N) * (d.To - d.From)
			if node := tr.Nodes[tr.Slots[d.Slot].Node]; node != "n1" || tr.Jobs[d.By].Name != "a" {
				t.Errorf("%+v is left on %s", d, node)
			}
		}
	}
	if want := 2 * tr.End; left != want {
		t.Errorf("the copies leave %v GPU ticks idle, want both K80 of n1 all the time, %v", left, want)
	}
}

// On a canvas the same marks are painted: a merge is no stall, and each round's copies are tied.
func TestCopiesOnCanvas(t *testing.T) {
	doc, _ := lab.Preset("two-jobs-three-gpus")
	tr := run(t, doc, "hadare")
	l := chart.NewLane(tr)
	axis := chart.NewAxis(tr.End, tr.Round)
	p := &draw.Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 500), Bulk: true}
	buf := p.Bulk32(2400)
	count := map[float32]int{}
	for i := 0; i < len(buf); i += 4 * draw.BulkFields {
		count[math.Float32frombits(binary.LittleEndian.Uint32(buf[i+16:]))]++
	}
	merges := 0
	for i := range l.Bars {
		merged, charged := l.Merges(l.Bars[i].Holding)
		n := merged.N + charged.N
		merges += n
	}
	if count[draw.BulkMerge] != merges || merges == 0 || count[draw.BulkTie] != len(l.Forks) ||
		count[draw.BulkStall] == 0 {
		t.Errorf("%v painted, the lane has %d merges and %d rounds of several copies", count, merges, len(l.Forks))
	}
}

// TestTiesKeepOffNames: no line through a round's copies crosses a word in a bar, at the width that the picture is
// drawn for and at the narrower ones at which its classes show it.
func TestTiesKeepOffNames(t *testing.T) {
	type node struct {
		X        string `xml:"x,attr"`
		Y        string `xml:"y,attr"`
		Width    string `xml:"width,attr"`
		Height   string `xml:"height,attr"`
		X1       string `xml:"x1,attr"`
		Role     string `xml:"data-role,attr"`
		Need     string `xml:"data-need,attr"`
		Large    string `xml:"data-large,attr"`
		Text     string `xml:",chardata"`
		Children []node `xml:",any"`
		XMLName  xml.Name
	}
	// length is a length in a box of so many px
	length := func(s string, of float64) float64 {
		share, percent := strings.CutSuffix(s, "%")
		v, _ := strconv.ParseFloat(share, 64)
		if percent {
			v *= of / 100
		}
		return v
	}
	ties, crossed := 0, 0
	doc, _ := lab.Preset("two-jobs-three-gpus")
	for _, name := range []string{"b", "a-long-name"} {
		named := bytes.ReplaceAll(doc, []byte(`"b"`), []byte(strconv.Quote(name)))
		tr := run(t, bytes.Replace(named, []byte(`"round_s": 360`), []byte(`"round_s": 60`), 1), "hadare")
		l := chart.NewLane(tr)
		axis := chart.NewAxis(tr.End, tr.Round)
		for _, drawn := range []float64{320, 500, 800, 1200} {
			p := &draw.Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, drawn)}
			var plot node
			if err := xml.Unmarshal([]byte(p.SVG()), &plot); err != nil {
				t.Fatal(err)
			}
			for _, width := range chart.Widths {
				wide := float64(width)
				if wide > drawn {
					break
				}
				stands := func(n *node) bool { return n.Need == "" || length(n.Need, 0) <= wide }
				type word struct{ x, y, end float64 }
				var words []word
				var read func(n *node, x, y, wide float64)
				read = func(n *node, x, y, wide float64) {
					if n.XMLName.Local == "text" && stands(n) {
						size := 12.0
						if n.Large != "" {
							size = 15
						}
						at := x + length(n.X, wide)
						words = append(words, word{at, y + length(n.Y, 0) - 0.36*size,
							at + 0.4*size*float64(len(n.Text))})
					}
					for i := range n.Children {
						if c := &n.Children[i]; c.XMLName.Local == "svg" {
							read(c, x+length(c.X, wide), y+length(c.Y, 0), length(c.Width, wide))
						} else {
							read(c, x, y, wide)
						}
					}
				}
				for i := range plot.Children {
					if n := &plot.Children[i]; n.Role == "bar" {
						read(n, length(n.X, wide), length(n.Y, 0), length(n.Width, wide))
					}
				}
				for i := range plot.Children {
					n := &plot.Children[i]
					if n.Role != "fork" || !stands(n) {
						continue
					}
					ties++
					x, y := length(n.X, wide)+length(n.Children[0].X1, length(n.Width, wide)), length(n.Y, 0)
					for _, s := range words {
						if x > s.x-1 && x < s.end && s.y > y-1 && s.y < y+length(n.Height, 0)+1 {
							crossed++
							if crossed < 10 {
								t.Errorf("%s, drawn for %v and %v wide: a tie at %.1f crosses the word from %.1f to %.1f",
									name, drawn, wide, x, s.x, s.end)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d ties, %d cross a word", ties, crossed)
	if ties < 30 {
		t.Errorf("there are %d ties only", ties)
	}
}
