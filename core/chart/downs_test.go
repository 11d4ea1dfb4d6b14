package chart_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// traced runs the first policy of a document.
func traced(t *testing.T, doc []byte) *trace.Trace {
	t.Helper()
	s := lab.NewSession()
	if diags := s.Start(&message.RunRequest{Scenario: doc}); diags.HasErrors() {
		t.Fatal(diags)
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Lane != nil {
				tr, err := trace.Decode(m.Body)
				if err != nil {
					t.Fatal(err)
				}
				return tr
			}
		}
	}
	t.Fatal("no lane")
	return nil
}

// TestOutOfServiceIsNotIdle: GPUs that are broken lie on rows of their own, beside what is held and what is idle, and
// no more of them than the scenario takes away.
func TestOutOfServiceIsNotIdle(t *testing.T) {
	for _, preset := range lab.Presets() {
		text, _ := lab.Preset(preset.ID)
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		cluster := doc["scenario"].(map[string]any)["cluster"].(map[string]any)
		node := cluster["nodes"].([]any)[0].(map[string]any)
		lost := 0.0
		for typ, n := range node["gpus"].(map[string]any) {
			if lost == 0 {
				lost = n.(float64)
				change := func(at, gpus float64) any {
					return map[string]any{"at_s": at, "node": node["id"], "type": typ, "gpus": gpus}
				}
				cluster["changes"] = []any{change(400, lost-1), change(500, 0), change(900, lost)}
			}
		}
		b, _ := json.Marshal(doc)
		tr := traced(t, b)
		l := chart.NewLane(tr)
		type at struct {
			row  int32
			from unit.Tick
		}
		owner := map[at]string{} // at every 10 s of the outage
		mark := func(what string, row, n int32, from, to unit.Tick) {
			for r := row; r < row+n; r++ {
				for s := unit.Tick(395); s <= 905; s += 10 {
					if x := s * unit.Second; from <= x && x < to {
						if was := owner[at{r, x}]; was != "" {
							t.Fatalf("%s: GPU %d is %s and %s at %v s", preset.ID, r, was, what, x.Seconds())
						}
						owner[at{r, x}] = what
					}
				}
			}
		}
		for _, b := range l.Bars {
			mark("held", b.Row, b.N, l.Holdings[b.Holding].From, l.Holdings[b.Holding].To)
		}
		for _, d := range l.Idles {
			mark("idle", d.Row, d.N, d.From, d.To)
		}
		for _, d := range l.Downs {
			mark("down", d.Row, d.N, d.From, d.To)
		}
		down := map[unit.Tick]float64{}
		for k, what := range owner {
			if what == "down" {
				down[k.from]++
			}
		}
		for x, want := range map[unit.Tick]float64{395: 0, 405: 1, 495: 1, 505: lost, 895: lost, 905: 0} {
			if x*unit.Second < tr.End && down[x*unit.Second] != want {
				t.Errorf("%s: %v GPUs out of service at %d s, want %v", preset.ID, down[x*unit.Second], x, want)
			}
		}
		axis := chart.NewAxis(tr.End, tr.Round)
		p := draw.Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 900)}
		if svg := p.SVG(); !strings.Contains(svg, `data-role="down"`) && tr.End > 400*unit.Second {
			t.Errorf("%s: nothing out of service is drawn", preset.ID)
		}
	}
}
