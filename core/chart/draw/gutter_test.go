package draw

import (
	"regexp"
	"strconv"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
)

var nodeName = regexp.MustCompile(`data-part="(?:node|type)"(?: data-large="1")? x="(\w+)" y="([0-9.]+)"`)

// Names beside the rows never lie over one another, however uneven the nodes are; of a few nodes each has its name.
func TestGutterNamesDoNotOverlap(t *testing.T) {
	for name, nodes := range map[string][]int{
		"one large":  {999, 3, 3, 2},
		"large last": {1, 1, 4096},
		"many":       make([]int, 300),
		"usual":      {3, 3, 3, 2},
	} {
		var of [][3]any
		for i, n := range nodes {
			of = append(of, [3]any{"n" + strconv.Itoa(i), "v100", max(n, 1)})
		}
		b := simtest.NewTrace(of...).Job("a", 0, 360).Rounds(0)
		l := chart.NewLane(b)
		f := chart.NewFrame(l, 500)
		last, names := map[string]float64{}, 0
		for _, m := range nodeName.FindAllStringSubmatch(GutterSVG(nil, l, b, f, 120), -1) {
			y, _ := strconv.ParseFloat(m[2], 64)
			if before, ok := last[m[1]]; ok && y-before < small {
				t.Errorf("%s: a name stands at %v, the one above at %v", name, y, before)
			}
			if last[m[1]] = y; m[1] == "17" {
				names++
			}
		}
		if len(nodes) < 10 && names != len(nodes) {
			t.Errorf("%s: %d of %d nodes have names", name, names, len(nodes))
		}
	}
}

// TestTail: a name that is too wide keeps its end, by which the jobs of a trace and rented nodes differ.
func TestTail(t *testing.T) {
	for _, c := range []struct {
		name string
		room float64
		want string
	}{{"bert", 60, "bert"}, {"imagenet-137", 73, "image…-137"}, {"imagenet-137", 49, "…-137"},
		{"rented-2", 51, "…ed-2"}, {"wide", 20, ""}} {
		if got := tail(c.name, c.room); got != c.want {
			t.Errorf("%s in %g px is %q, want %q", c.name, c.room, got, c.want)
		}
	}
}
