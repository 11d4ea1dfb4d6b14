package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// LaneView is one policy's run.
type LaneView struct {
	Plots
	Lane   int
	Bar    int     // of it under the keyboard's focus, -1 = none
	Note   string  // why it is not up to date
	Fields *Fields // from which what is forced upon it, and what it lacks, are drawn; nil = nothing is
	Needs  bool    // its policy needs something of the scenario, which may lack it
}

// laneOf is a lane of the result.
func laneOf(s *state.Lab, lane int, plots Plots) *LaneView {
	v := &LaneView{Plots: plots, Lane: lane, Bar: -1, Note: staleNote(s)}
	if s.View.Bar.Lane == lane {
		v.Bar = s.View.Bar.Index
	}
	of, now := s.Result.Lanes[lane].Policy, s.Doc.Scenario.Policies
	if info := s.Boot.Policy(of.ID); info != nil && lane < len(now) && now[lane].ID == of.ID && !s.Embed {
		for _, needed := range info.Needs { // any: the order is immaterial
			v.Needs = v.Needs || needed
		}
	}
	if v.Needs || len(of.Force) > 0 {
		f := fieldsOf(s)
		v.Fields = &f
	}
	return v
}

// render draws the lane.
func (v *LaneView) render() app.UI {
	r := v.Result
	l := r.Lanes[v.Lane]
	id := "h-lane-" + itoa(v.Lane)
	kids := []app.UI{el("header", laneTag(v.Lane), set(txt("h3", l.Title), "id", id), v.facts(l, r)), v.forcedLine(l)}
	if v.Needs {
		_, lacks := v.Fields.needs(v.Lane, l.Trace == nil) // a refusal says by itself what lacks
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

// longRun is from how many spans on it is said that a run has more than one can see, and from how many bars on it is
// painted in slices.
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
	p := v.Picture(v.Lane)
	kids := []app.UI{app.Raw(v.PlotSVG(v.Lane))}
	if p.Bulk {
		kids = append(kids, part(&Canvas{Result: v.Result, PlotW: v.PlotW, Rows: v.Rows, Lane: v.Lane}))
	}
	kids = append(kids, app.Raw(v.OutlineSVG(v.Lane, v.Job, v.Bar)),
		app.Raw(v.CursorSVG(v.Moment, p.Frame.Height, false)))
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
		return words.N(len(l.Trace.Jobs)-len(l.Chart.Dones), "{0} job can never finish", "{0} jobs can never finish")
	case "horizon":
		return words.T("ends at the horizon")
	case "overloaded":
		return words.F("given up after {0}", words.Plural(len(l.Trace.Rounds), "round"))
	}
	return ""
}

// pick selects what was clicked: a bar or a waiting job, else the time.
func (v *LaneView) pick(ctx app.Context, e app.Event) {
	p := v.Picture(v.Lane)
	x, y := platform.Point(ctx.JSSrc(), e)
	at := p.Axis.At(x)
	if bar := p.Hit(at, y); bar >= 0 {
		do(state.SelectBar{At: state.BarAt{Lane: v.Lane, Index: bar}, Explain: true})
	} else if job := platform.Closest(e.Value, "data-job"); job != "" {
		do(state.SelectWait{Lane: v.Lane, Job: job})
	}
	do(state.GoTime{At: at})
}

// finest is how many columns of the whole axis a canvas can tell apart when zoomed.
const finest = 1 << 17

// Canvas paints what would be too many elements. It finds the part that is seen by itself.
type Canvas struct {
	Result *run.Result
	PlotW  int
	Rows   chart.Arrangement
	Lane   int
}

// render makes the canvas.
func (c *Canvas) render() app.UI {
	return el("div.bars", set(el("canvas|aria-hidden=true"), "id", "bars-"+itoa(c.Lane)), &Hook{V: c})
}

// after hands over what to paint: at once, or a long run's in slices, unless the canvas gets something else meanwhile.
func (c *Canvas) after() {
	delete(page.painting, c.Lane)
	if len(c.Result.Lanes[c.Lane].Chart.Bars) < longRun {
		c.paint(nil)
		return
	}
	if page.painting == nil {
		page.painting = map[int]*Canvas{}
	}
	page.painting[c.Lane] = c
	page.slowly(func(pace unit.Pace) {
		c.paint(pace)
		delete(page.painting, c.Lane) // the result may go
	}, func() bool { return page.painting[c.Lane] == c }, page.failed)
}

func (c *Canvas) paint(pace unit.Pace) {
	l := c.Result.Lanes[c.Lane]
	p := draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace.Paced(pace), Axis: &c.Result.Axis,
		Frame: c.Rows.Frame(l.Chart, l.Trace, float64(c.PlotW)), Policy: l.Policy.ID, Title: l.Title, Bulk: true}
	names := ""
	for i := range p.Trace.Jobs {
		names += p.Trace.Jobs[i].Name + "\n"
	}
	platform.Paint("bars-"+itoa(c.Lane), p.Bulk32(finest), draw.BulkFields, names)
}
