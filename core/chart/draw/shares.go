package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// SharesHeight is the height in px of SharesSVG.
const SharesHeight = 92

// SharesSVG stacks the parts from below, one area a job, the others on top.
func SharesSVG(in words.Catalogue, s *chart.Shares, t *trace.Trace, title string) string {
	w, looks := &svg{in: in}, chart.LooksOf(t)
	w.put(`<svg data-role="shares" width="100%" height="$" role="img" aria-label="$">`, itoa(SharesHeight), title)
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none">`, itoa(SharesHeight), "0 0 1000 100")
	columns, whole := len(s.V[0]), float64(len(s.V[0]))
	for columns > 1 && s.Idle(columns-1) { // behind the run's end nothing is drawn
		columns--
	}
	low := make([]float64, columns)
	for k := range s.V {
		d := []byte{}
		top := make([]float64, columns)
		for c := range columns {
			top[c] = low[c] + s.V[k][c]
		}
		line := func(c int, x, y float64) {
			d = append(append(append(append(d, "ML"[min(c, 1)]), px(x)...), ' '), px(100-float64(y*100))...)
		}
		at := func(c int) float64 { return float64(c) * 1000 / whole }
		for c := range columns {
			line(2*c, at(c), top[c])
			line(2*c+1, at(c+1), top[c])
		}
		for c := columns - 1; c >= 0; c-- {
			line(1, at(c+1), low[c])
			line(1, at(c), low[c])
		}
		low = top
		if k == len(s.Jobs) {
			if s.Mean[k] > 0 {
				w.put(`<g data-role="share" data-others="1"><title>$</title><path data-part="box" d="$"/></g>`,
					in.T("others"), string(append(d, 'Z')))
			}
			continue
		}
		j := s.Jobs[k]
		w.put(`<g data-role="share" data-job="$" data-hue="$"><title>$</title><path data-part="box" d="$"/></g>`,
			t.Jobs[j].Name, itoa(looks[j].Hue),
			in.F("{0}: {1} of the progress that is shown", t.Jobs[j].Name, figure.Percent(in, s.Mean[k])), string(append(d, 'Z')))
	}
	w.close("svg")
	return w.end()
}
