package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// The height in px of one GPU type's strip and of what is above each lane's first.
const (
	usageH   = 26
	usageGap = 6
	usageTop = 20
)

// UsageHeight is the height in px of UsageSVG.
func UsageHeight(types int) float64 { return float64(usageTop + types*(usageH+usageGap)) }

// UsageSVG is one lane's strips, one a GPU type, on the shared time axis: from below busy, held without
// progress, idle while a job waits; what remains is free.
func UsageSVG(a *chart.Axis, t *trace.Trace, all []chart.Usage, title string) string {
	w := &svg{}
	w.put(`<svg data-role="usage" width="100%" height="$" role="img" aria-label="$">`, px(UsageHeight(len(all))), title)
	for i := range all {
		u := &all[i]
		y := chart.Scale{Max: float64(max(u.GPUs, 1))}
		top := px(float64(usageTop + i*(usageH+usageGap)))
		w.put(`<rect data-role="node-bg" x="0" y="$" width="$" height="$"/>`, top, pct(a.X(t.End)), itoa(usageH))
		w.put(`<svg y="$" width="100%" height="$" viewBox="$" preserveAspectRatio="none" data-type="$">`, top,
			itoa(usageH), "0 0 1000 "+itoa(usageH), t.Types[u.Type])
		for k, s := range []*chart.Series{&u.Wanted, &u.Held, &u.Busy} {
			if s.Max() > 0 {
				mean := s.Mean(a, 250)
				w.put(`<path data-use="$" d="$"/>`, [...]string{"waste", "held", "busy"}[k],
					stepPath(&mean, a, &y, usageH, true))
			}
		}
		w.close("svg")
		w.put(`<rect data-role="usage-frame" x="0" y="$" width="$" height="$"/>`, top, pct(a.X(t.End)), itoa(usageH))
	}
	return w.end()
}

// UsageGutterSVG names the lane and its GPU types beside UsageSVG.
func UsageGutterSVG(in words.Catalogue, t *trace.Trace, all []chart.Usage, name string, width float64) string {
	w, room := &svg{in: in}, 38.0 // before the percentage, which narrow columns do without
	if width < 80 {
		room = width - 18
	}
	w.gutter(width, UsageHeight(len(all)))
	w.put(`<text data-part="node" x="0" y="14">$</text>`, name)
	for i := range all {
		u := &all[i]
		mid := float64(usageTop+i*(usageH+usageGap)) + usageH/2
		w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
		w.put(`<path data-mark="1" d="$"/>`, chart.Mark(t.Types, t.Types[u.Type]))
		w.close("svg")
		w.put(`<text x="17" y="$">$</text>`, px(mid+4.3), fit(figure.TypeTitle(t.Types[u.Type]), room))
		w.put(`<text data-part="type" x="100%" dx="-8" y="$" text-anchor="end">$</text>`, px(mid+4.3),
			figure.Percent(in, u.Share[chart.ShareBusy]))
	}
	return w.end()
}
