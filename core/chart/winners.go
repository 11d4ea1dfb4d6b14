package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Gain is what a job's completion time is longer in the second run than in the first; positive = it does better in
// the first. Known is false for a job that does not end in both.
type Gain struct {
	Job   int32
	By    unit.Tick
	Known bool
}

// Gains are those of all jobs, greatest first; jobs that end in one run only come first or last, those that end
// in neither are left out.
func Gains(a, b *trace.Trace) []Gain {
	var out []Gain
	for i := range min(len(a.Jobs), len(b.Jobs)) {
		x, y := &a.Jobs[i], &b.Jobs[i]
		g := Gain{Job: int32(i)}
		switch {
		case x.Finish < 0 && y.Finish < 0:
			continue
		case y.Finish < 0:
			g.By = unit.Never
		case x.Finish < 0:
			g.By = -unit.Never
		default:
			g.Known, g.By = true, (y.Finish-y.Arrive)-(x.Finish-x.Arrive)
		}
		out = append(out, g)
	}
	all := out
	return sorted(all, func(i, k int32) int { return compare(all[k].By, all[i].By) })
}

// gainsMiddle is where the base line of GainsSVG lies, in px from its top.
const gainsMiddle = CurveHeight / 2

// GainsSVG is a column a job: upwards what it gains in the first run, downwards what it loses. Hatched columns end
// in one of the runs only. selected = -1 is no job.
func GainsSVG(gains []Gain, t *trace.Trace, names [2]string, u Unit, selected int32, width float64, title string) string {
	w := &svg{}
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	most := GainMost(gains)
	n := float64(max(len(gains), 1))
	wide := min(1/n, 0.12)
	for i, g := range gains {
		high, sign, hatch := float64(gainsMiddle), g.By >= 0, !g.Known
		if g.Known {
			high = float64(gainsMiddle) * float64(max(g.By, -g.By)) / float64(most)
		}
		y, what := gainsMiddle-high, "gain"
		if !sign {
			y, what = gainsMiddle, "loss"
		}
		name := t.Jobs[g.Job].Name
		w.put(`<svg data-role="gain" data-job="$" data-gain="$" data-here="$" x="$" width="$" height="$">`, name, what, yes(g.Job == selected), pct(float64(i)*wide), pct(wide), itoa(CurveHeight+26))
		w.put(`<title>`)
		w.text(GainWords(g, name, names, u))
		w.close("title")
		w.put(`<rect data-part="hit" width="100%" height="100%"/>`)
		w.put(`<rect data-part="column" x="8%" width="84%" y="$" height="$"/>`, px(y), px(max(high, 1)))
		if hatch {
			w.put(`<rect fill="url(#hatch-1)" x="8%" width="84%" y="$" height="$"/>`, px(y), px(max(high, 1)))
		}
		if textWidth(name)+4 <= wide*width {
			w.put(`<text data-need="$" x="50%" y="$" text-anchor="middle">$</text>`, need(wide, textWidth(name)+4), itoa(CurveHeight+18), name)
		}
		w.close("svg")
	}
	w.put(`<line data-role="axis" x1="0" x2="100%" y1="$" y2="$"/>`, itoa(gainsMiddle), itoa(gainsMiddle))
	w.close("svg")
	return string(w.b)
}

// GainMost is the greatest difference of a job that ends in both runs, at least a tick.
func GainMost(gains []Gain) unit.Tick {
	most := unit.Tick(1)
	for _, g := range gains {
		if g.Known {
			most = max(most, g.By, -g.By)
		}
	}
	return most
}

// GainScaleSVG is the labels beside GainsSVG.
func GainScaleSVG(gains []Gain, u Unit, width float64) string {
	w := &svg{}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), itoa(CurveHeight+26))
	most := trimZeros(u.Number(GainMost(gains))) + " " + u.Short
	for i, text := range []string{most, words.T("sooner"), words.T("later"), most} {
		w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">$</text>`, itoa([...]int{10, gainsMiddle - 8, gainsMiddle + 15, CurveHeight}[i]), text)
	}
	w.close("svg")
	return string(w.b)
}

// GainWords is a job's difference in a sentence, from the side of the first run.
func GainWords(g Gain, job string, names [2]string, u Unit) string {
	switch {
	case !g.Known && g.By > 0:
		return words.F("{0} ends under {1} only", job, names[0])
	case !g.Known:
		return words.F("{0} ends under {1} only", job, names[1])
	case alike(g, u):
		return words.F("{0} takes as long under both", job)
	case g.By > 0:
		return words.F("{0} is {1} faster under {2}", job, u.Long(g.By), names[0])
	}
	return words.F("{0} is {1} slower under {2}", job, u.Long(-g.By), names[0])
}

// GainsSentence counts winners and losers and names the greatest of each.
func GainsSentence(gains []Gain, t *trace.Trace, names [2]string, u Unit) Finding {
	win, lose := 0, 0
	for _, g := range gains {
		switch {
		case alike(g, u):
		case g.By > 0:
			win++
		case g.By < 0:
			lose++
		}
	}
	if win+lose == 0 {
		return Finding{Claim: words.T("No job is faster under either policy.")}
	}
	f := Finding{Claim: Count(win, "Under {1}, {0} job wins and {2} lose against {3}.", "Under {1}, {0} jobs win and {2} lose against {3}.", names[0], itoa(lose), names[1])}
	if win > 0 {
		f.Because = GainWords(gains[0], t.Jobs[gains[0].Job].Name, names, u) + ". "
	}
	if last := gains[len(gains)-1]; lose > 0 {
		f.Because += GainWords(last, t.Jobs[last.Job].Name, names, u) + ". "
	}
	f.Because += words.T("An average hides the losers.")
	return f
}

// alike says whether a difference is too small to be written.
func alike(g Gain, u Unit) bool { return g.Known && u.Number(max(g.By, -g.By)) == u.Number(0) }

// yes is an attribute that stands only when it is on.
func yes(on bool) string {
	if on {
		return "1"
	}
	return ""
}
