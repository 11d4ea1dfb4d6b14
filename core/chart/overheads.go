package chart

import (
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Spent is one way in which GPU time went.
type Spent struct {
	ID, Name string
	Of       func(*message.Metrics) float64 // GPU-seconds
}

// Title is its name in the reader's language.
func (s *Spent) Title() string { return words.T(s.Name) }

// Causes are all ways, in the order in which they are stacked; they sum to GPUs × time.
var Causes = [...]Spent{
	{"busy", "progress", func(m *message.Metrics) float64 { return m.BusyGPUS }},
	{"start", "first starts", func(m *message.Metrics) float64 { return m.StallStartGPUS }},
	{"restart", "restarts and moves", func(m *message.Metrics) float64 { return m.StallRestartGPUS }},
	{"merge", "merging copies", func(m *message.Metrics) float64 { return m.StallMergeGPUS }},
	{"hold", "held until the next decision", func(m *message.Metrics) float64 { return m.HoldGPUS }},
	{"fits", "idle, a waiting job would fit", func(m *message.Metrics) float64 { return m.IdleFitsGPUS }},
	{"misfit", "idle, no waiting job fits", func(m *message.Metrics) float64 { return m.IdleMisfitGPUS }},
	{"nobody", "idle, nobody waits", func(m *message.Metrics) float64 { return m.IdleNobodyGPUS }},
	{"down", "out of order", func(m *message.Metrics) float64 { return m.DownGPUS }},
}

// Spending is the share of each cause, in the order of Causes.
func Spending(m *message.Metrics) [len(Causes)]float64 {
	var out [len(Causes)]float64
	sum := 0.0
	for i := range Causes {
		out[i] = Causes[i].Of(m)
		sum += out[i]
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}

// SpendingHeight is the height in px of SpendingSVG.
const SpendingHeight = 34

// SpendingSVG is a bar of all of a run's GPU time, by cause.
func SpendingSVG(s [len(Causes)]float64, title string, width float64) string {
	w := &svg{}
	w.put(`<svg data-role="spending" width="100%" height="$" role="img" aria-label="$">`, itoa(SpendingHeight), title)
	x := 0.0
	for i, v := range s {
		if v <= 0 {
			continue
		}
		w.put(`<svg data-spent="$" x="$" y="4" width="$" height="26"><title>$</title>`, Causes[i].ID, pct(x), pct(v), Causes[i].Title()+": "+percent1(v))
		w.put(`<rect data-part="box" width="100%" height="100%"/>`)
		if hatch := [...]int{0, 1, 2, 3, 0, 4, 5, 0, 6}[i]; hatch > 0 {
			w.put(`<rect fill="url(#hatch-$)" width="100%" height="100%"/>`, itoa(hatch))
		}
		if text := Percent(v); textWidth(text)+14 <= v*width {
			w.plated(v, width, 26, text, "")
		}
		w.close("svg")
		x += v
	}
	w.close("svg")
	return string(w.b)
}

func percent1(v float64) string { return Fixed(v*100, 1) + " %" }

// SpendingSentence says which overhead costs most, and in which run.
func SpendingSentence(titles []string, all [][len(Causes)]float64) Finding {
	f := Finding{Because: words.T("Busy, stalled, held, idle and broken time add up to all GPU time from the first arrival to the last finish.")}
	for i := range all {
		worst := 1
		for k := 2; k < len(Causes); k++ {
			if all[i][k] > all[i][worst] {
				worst = k
			}
		}
		if i > 0 {
			f.Claim += " "
		}
		if all[i][worst] == 0 {
			f.Claim += words.F("{0} loses no GPU time.", titles[i])
			continue
		}
		f.Claim += words.F("{0} loses {1} of its GPU time, most of it as “{2}” ({3}).", titles[i], percent1(1-all[i][0]), Causes[worst].Title(), percent1(all[i][worst]))
	}
	return f
}

// NameSVG is a lane's name beside its picture.
func NameSVG(name string, width, height float64) string {
	w := &svg{}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(height))
	w.put(`<text data-part="node" x="0" y="$">$</text>`, px(float64(height/2)+4), fit(name, width-6))
	w.close("svg")
	return string(w.b)
}
