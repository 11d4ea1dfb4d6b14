package draw

import (
	"cmp"

	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// The height in px of one job's strip, of the gap below it, and of the labels of the axis.
const (
	sizeH    = 40
	sizeGap  = 10
	sizeAxis = 26
)

// SizesHeight is the height in px of SizesSVG without the labels of its axis.
func SizesHeight(jobs int) float64 { return float64(jobs * (sizeH + sizeGap)) }

// SizesSVG has a strip a job on the shared time axis: a line of what it asks for, and a curve a run of the GPUs that it
// holds, in the styles of the runs. The strip of job here is marked.
func SizesSVG(in words.Catalogue, a *chart.Axis, t *trace.Trace, all []chart.Size, styles []string, here int32,
	width float64, title string) string {
	w := &svg{in: in}
	high := SizesHeight(len(all))
	w.put(`<svg data-role="sizes" width="100%" height="$" role="img" aria-label="$">`, px(high+sizeAxis), title)
	for i := range all {
		z := &all[i]
		mark := ""
		if z.Job == here {
			mark = "1"
		}
		w.put(`<svg data-role="size" data-job="$" data-here="$" y="$" width="100%" height="$" overflow="visible">`,
			t.Jobs[z.Job].Name, mark, itoa(i*(sizeH+sizeGap)+4), itoa(sizeH))
		w.put(`<rect data-part="hit" y="-4" width="100%" height="$"/>`, itoa(sizeH+8))
		w.put(`<line data-role="axis" x2="100%" y1="$" y2="$"/>`, itoa(sizeH), itoa(sizeH))
		w.plot(sizeH)
		y := chart.Scale{Max: float64(max(z.Most, 1))}
		w.put(`<path data-series="asked" d="M0 $H1000"/>`, px(y.Down(float64(z.Asked), sizeH)))
		for k := range z.Runs {
			thin := z.Runs[k].Thin(a, 300)
			w.put(`<path data-series="$" d="$"/>`, styles[k], stepPath(&thin, a, &y, sizeH, false))
		}
		w.close("svg")
		w.close("svg")
	}
	w.ticks(a, width, high, high+18)
	return w.end()
}

// tail is a job's or node's name, without what is before its last few signs where it is too wide: there it differs
// from others.
func tail(name string, room float64) string {
	if r := []rune(name); textWidth(name) > room && len(r) > 4 {
		end := string(r[len(r)-4:])
		return cmp.Or(fit(string(r[:len(r)-4]), room-textWidth(end)), "…") + end
	}
	return fit(name, room)
}

// SizesGutterSVG names the jobs beside SizesSVG, each with the top of its scale.
func SizesGutterSVG(t *trace.Trace, all []chart.Size, width float64) string {
	w, looks := &svg{}, chart.LooksOf(t)
	w.gutter(width, SizesHeight(len(all)))
	for i := range all {
		z := &all[i]
		top := i*(sizeH+sizeGap) + 4
		most := itoa(z.Most)
		w.put(`<g data-hue="$"><rect data-part="box" x="0" y="$" width="10" height="10" rx="2"/></g>`,
			itoa(looks[z.Job].Hue), itoa(top+sizeH/2-3))
		w.put(`<text data-part="node" x="15" y="$">$</text>`, itoa(top+sizeH/2+7), tail(t.Jobs[z.Job].Name, width-19))
		w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">$</text>`, itoa(top+11), most)
		w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">0</text>`, itoa(top+sizeH+3))
	}
	return w.end()
}
