package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// LaneView is one policy's run.
type LaneView struct {
	Lanes
	Lane int
}

// render draws the lane.
func (v *LaneView) render() app.UI {
	r := v.H.S.Result
	if v.Lane >= len(r.Lanes) {
		return el("section")
	}
	l := r.Lanes[v.Lane]
	id := "h-lane-" + itoa(v.Lane)
	kids := []app.UI{el("header", laneTag(v.Lane), set(txt("h3", l.Title), "id", id), v.facts(l, r)), v.forcedLine(l)}
	if s := v.H.S; v.Lane < len(s.Doc.Scenario.Policies) && s.Doc.Scenario.Policies[v.Lane].ID == l.Policy.ID &&
		!s.Embed {
		f := fieldsOf(v.H.S)
		_, lacks := f.needs(v.Lane, l.Trace == nil) // a refusal says by itself what lacks
		kids = append(kids, lacks...)
	}
	if l.Trace == nil {
		kids = append(kids, set(note("error", failure(l.Failure)), "data-test", "lane-refused"))
	} else {
		if l.Meta.Outcome == "overloaded" {
			kids = append(kids, set(note("warning", say("div", "This run was ended before its jobs were done: it is longer than a page can hold. Make rounds longer, set a horizon, or run it with the command line: hadarlab run FILE.")),
				"data-test", "lane-overloaded"))
		}
		if l.Trace.Spans.Len() > longRun {
			kids = append(kids, txt("p.xs mute|data-test=lane-long", words.F(
				"{0} in {1}: the picture shows as many as can be told apart. Zoom in to see more.",
				words.Plural(len(l.Chart.Bars), "bar"), words.Plural(len(l.Trace.Rounds), "round"))))
		}
		kids = append(kids, v.grid())
	}
	return set(el("section.lane|data-test=lane", kids...), "data-policy", l.Policy.ID,
		"data-forced", flag(len(l.Policy.Force) > 0), "data-hash", l.Meta.TraceHash, "data-outcome", l.Meta.Outcome,
		"data-stale", onoff(!v.Fresh), "aria-labelledby", id)
}

// longRun is how many spans a run has at most without it being said that there is more than one can see.
const longRun = 100_000

// failure says in words why a lane has not run, and what would help.
func failure(f *message.Failure) app.UI {
	if len(f.Diagnostics) == 0 {
		return el("div", bold(sentence(f.Message)))
	}
	return el("div", each(len(f.Diagnostics), func(i int) app.UI {
		d := &f.Diagnostics[i]
		return el("p", bold(sentence(d.Message.In(words.Now()))), text(" "+d.Fix.In(words.Now())))
	})...)
}

// grid is the names and the plot with what lies over it.
func (v *LaneView) grid() app.UI {
	p := v.H.picture(v.Lane)
	kids := []app.UI{app.Raw(v.H.plotSVG(v.Lane))}
	if p.Bulk {
		kids = append(kids, part(&Canvas{H: v.H, Lane: v.Lane, Result: v.Result, PlotW: v.PlotW, Rows: v.Rows}))
	}
	bar := -1
	if v.Bar.Lane == v.Lane {
		bar = v.Bar.Index
	}
	kids = append(kids, app.Raw(v.H.outlineSVG(v.Lane, v.Job, bar)), app.Raw(v.H.cursorSVG(p.Frame.Height, false)))
	return el("div.grid", v.names(p),
		on(el("div.stack|data-part=plot|data-axis=time", kids...), "click", v.pick, itoa(v.Lane)))
}

// facts are the lane's three figures, or why it is not up to date.
func (v *LaneView) facts(l *run.Lane, r *run.Result) app.UI {
	if v.Note != "" {
		return el("div.facts", txt("span.state|data-state=stale", v.Note))
	}
	if l.Trace == nil {
		return el("div.facts", say("span.state|data-state=error", "cannot run"))
	}
	m, u := &l.Meta.Metrics, r.Axis.Unit
	fact := func(name, value string) app.UI { return el("span", text(words.T(name)+" "), bold(value)) }
	mean := fact("mean", u.Seconds(words.Now(), m.AvgJCTS)+" "+u.Short)
	if stale := outcomeWords(l); stale != "" {
		return el("div.facts", txt("span.state|data-state=stale", stale), mean)
	}
	return el("div.facts", mean, fact("last", u.Seconds(words.Now(), m.MakespanS)+" "+u.Short),
		fact("GPUs busy", words.Percent(m.GPUUtilization)))
}

// outcomeWords says how a run ended that did not finish all jobs.
func outcomeWords(l *run.Lane) string {
	switch l.Meta.Outcome {
	case "stopped":
		return words.F("stopped at round {0}, kept", itoa(len(l.Trace.Rounds)))
	case "starved":
		return words.F("{0} can never start", words.Plural(len(l.Trace.Jobs)-len(l.Chart.Dones), "job"))
	case "horizon":
		return words.T("ends at the horizon")
	case "overloaded":
		return words.F("given up after {0}", words.Plural(len(l.Trace.Rounds), "round"))
	}
	return ""
}

// pick selects what was clicked: a bar or a waiting job, else the time.
func (v *LaneView) pick(ctx app.Context, e app.Event) {
	p := v.H.picture(v.Lane)
	x, y := platform.Point(ctx.JSSrc(), e)
	at := p.Axis.At(x)
	if bar := p.Hit(at, y); bar >= 0 {
		v.H.Do(state.SelectBar{At: state.BarAt{Lane: v.Lane, Index: bar}, Explain: true})
	} else if job := platform.Closest(e.Value, "data-job"); job != "" {
		v.H.Do(state.SelectWait{Lane: v.Lane, Job: job})
	}
	v.H.Do(state.GoTime{At: at})
}

// finest is how many columns of the whole axis a canvas can tell apart when zoomed.
const finest = 1 << 17

// Canvas paints what would be too many elements.
type Canvas struct {
	H      *Host
	Lane   int
	Result int64
	PlotW  int
	Rows   chart.Arrangement
}

// render makes the canvas.
func (c *Canvas) render() app.UI {
	return el("div.bars", set(el("canvas|aria-hidden=true"), "id", "bars-"+itoa(c.Lane)), &Hook{V: c})
}

// after hands over what to paint.
func (c *Canvas) after() {
	p := c.H.picture(c.Lane)
	if p == nil || !p.Bulk {
		return
	}
	full := *p // the canvas finds the part that is seen by itself
	full.Axis = &c.H.S.Result.Axis
	names := ""
	for i := range p.Trace.Jobs {
		names += p.Trace.Jobs[i].Name + "\n"
	}
	platform.Paint("bars-"+itoa(c.Lane), full.Bulk32(finest), draw.BulkFields, names)
}
