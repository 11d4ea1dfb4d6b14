package draw

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// stands is where a text stands in a picture, in px, by the width that is assumed for it.
type stands struct {
	says           string
	x0, x1, y0, y1 float64
}

// boxes are those of the texts, and of the brackets of gangs, that a picture shows in a plot of a width: of width
// classes the style sheet leaves what fits.
func boxes(t *testing.T, picture string, width float64) (out []stands) {
	t.Helper()
	type frame struct {
		x, y, w float64
		hidden  bool
		tag     string
		end     string  // where a text is anchored
		size    float64 // of a text, 0 = no text
		says    string
	}
	stack := []frame{{w: width}}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		top := &stack[len(stack)-1]
		switch e := token.(type) {
		case xml.StartElement:
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			length := func(name string, none float64) float64 {
				s, share := strings.CutSuffix(at[name], "%")
				v, err := strconv.ParseFloat(s, 64)
				switch {
				case err != nil:
					return none
				case share:
					return v / 100 * top.w
				}
				return v
			}
			f := frame{top.x, top.y, top.w, top.hidden, e.Name.Local, top.end, 0, ""}
			if need := length("data-need", 0); need > width {
				f.hidden = true
			}
			if below := length("data-below", 1e9); below <= width {
				f.hidden = true
			}
			switch e.Name.Local {
			case "svg":
				f.x, f.y, f.w = top.x+length("x", 0), top.y+length("y", 0), length("width", top.w)
			case "path":
				if at["data-part"] == "link" {
					out = append(out, stands{"a bracket", f.x - 10, f.x - 6, f.y, f.y + 1})
				}
			case "text":
				f.x, f.y, f.end = top.x+length("x", 0)+length("dx", 0), top.y+length("y", 0), at["text-anchor"]
				f.size = small
				if at["data-large"] != "" {
					f.size = large
				}
			}
			stack = append(stack, f)
		case xml.CharData:
			if top.tag == "tspan" && !top.hidden {
				stack[len(stack)-2].says += string(e)
			} else {
				top.says += string(e)
			}
		case xml.EndElement:
			f := *top
			stack = stack[:len(stack)-1]
			if f.size == 0 || f.hidden || f.says == "" {
				continue
			}
			long := wide(f.says, f.size)
			switch f.end {
			case "middle":
				f.x -= long / 2
			case "end":
				f.x -= long
			}
			out = append(out, stands{f.says, f.x, f.x + long, f.y - 0.75*f.size, f.y + 0.2*f.size})
		}
	}
}

// crowded are runs whose names and ends lie close together.
func crowded() map[string]*trace.Trace {
	out := map[string]*trace.Trace{"mixed": simtest.Mixed(), "task level": simtest.TaskLevel(),
		"job level": simtest.JobLevel()}
	for _, n := range []int{3, 8, 20, 60} { // jobs that end one soon after the other, on nodes of two types
		var nodes [][3]any
		for i := range n {
			nodes = append(nodes, [3]any{"machine-" + strconv.Itoa(i), []string{"v100", "a100-80"}[i%2], 1})
		}
		b := simtest.NewTrace(nodes...)
		for i := range n {
			end := (i*i%7 + i*2/3 + 6) * 60
			b.Job("job-"+strconv.Itoa(i), 0, end).Span(i, trace.Run, 0, end, int32(i), 1)
		}
		out[fmt.Sprint(n, " jobs")] = b.Rounds(0)
	}
	for n := 4; n <= 40; n += 4 { // gangs over two nodes, of bars that have room for ever less
		b := simtest.NewTrace([3]any{"a", "v100", 1}, [3]any{"b", "v100", 1})
		for i := range n {
			from := i * 3600 / n
			b.Job("j"+strconv.Itoa(i), 0, from+3600/n).Span(i, trace.Run, from, from+3600/n, 0, 1, 1, 1)
		}
		out[fmt.Sprint(n, " gangs")] = b.Rounds(0)
	}
	return out
}

// TestTextsKeepApart: of a lane's picture, its axis and the names beside it no text lies over another or over a
// bracket, in any class of widths, drawn for it or for a wider one.
func TestTextsKeepApart(t *testing.T) {
	for name, tr := range crowded() {
		l := chart.NewLane(tr)
		axis := chart.NewAxis(tr.End, tr.Round)
		d := chart.Compare(tr, nil, l, nil)
		for _, drawn := range []float64{240, 500, 800, 1200} {
			p := (&Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, drawn)}).FitEnds()
			pictures := map[string]string{"plot": p.SVG(), "axis": AxisSVG(nil, &axis, d, drawn, "")}
			for _, width := range chart.Widths {
				if float64(width) > drawn {
					continue
				}
				for of, svg := range pictures {
					apart(t, fmt.Sprintf("%s, %s for %v at %d px", name, of, drawn, width),
						boxes(t, svg, float64(width)))
				}
			}
		}
		for _, width := range []float64{68, 92, 128} {
			f := chart.NewFrame(l, 800)
			apart(t, fmt.Sprintf("%s, names in %v px", name, width), boxes(t, GutterSVG(nil, l, tr, f, width), width))
		}
	}
}

func apart(t *testing.T, where string, all []stands) {
	t.Helper()
	for i, a := range all {
		for _, b := range all[:i] {
			if a.x0 < b.x1-0.1 && b.x0 < a.x1-0.1 && a.y0 < b.y1-0.1 && b.y0 < a.y1-0.1 {
				t.Errorf("%s: %q lies over %q", where, a.says, b.says)
				return
			}
		}
	}
}
