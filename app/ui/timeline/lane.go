package timeline

import (
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
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
	Bar    int        // of it under the keyboard's focus, -1 = none
	Note   string     // why it is not up to date
	Forced elm.View   // what is forced upon it, nil = nothing
	Lacks  []elm.View // what its policy needs and the scenario lacks
	Margin elm.View   // what stands beside it on the first screen, nil = nothing
}

// Upon says what is drawn upon a lane of the result, by who knows the scenario's fields.
type Upon func(s *state.Lab, lane int) (forced elm.View, lacks []elm.View, margin elm.View)

// laneOf is a lane of the result.
func laneOf(s *state.Lab, lane int, plots Plots, upon Upon) *LaneView {
	v := &LaneView{Plots: plots, Lane: lane, Bar: -1, Note: staleNote(s)}
	v.Forced, v.Lacks, v.Margin = upon(s, lane)
	if s.View.Bar.Lane == lane {
		v.Bar = s.View.Bar.Index
	}
	return v
}

// Render draws the lane.
func (v *LaneView) Render() app.UI {
	r := v.Result
	l := r.Lanes[v.Lane]
	id := "h-lane-" + Itoa(v.Lane)
	kids := []app.UI{El("header", LaneTag(v.Lane), Set(Txt("h3", l.Title), "id", id), v.facts(l, r))}
	if v.Forced != nil {
		kids = append(kids, v.Forced.Render())
	} else {
		kids = append(kids, El("div|hidden=true"))
	}
	for _, lack := range v.Lacks {
		kids = append(kids, lack.Render())
	}
	if l.Trace == nil {
		kids = append(kids, El("div.grid", v.margin(),
			Set(Note("error", failure(l.Failure)), "data-test", "lane-refused")))
	} else {
		if l.Meta.Outcome == "overloaded" {
			kids = append(kids, Set(Note("warning", Say("div", "This run was ended before its jobs were done: it is longer than a page can hold. Make rounds longer, set a horizon, or run it with the command line: hadarlab run FILE.")),
				"data-test", "lane-overloaded"))
		}
		if l.Trace.Spans.Len() > longRun {
			kids = append(kids, Txt("p.xs mute|data-test=lane-long", words.F(
				"{0} in {1}: the picture shows as many as can be told apart. Zoom in to see more.",
				words.Plural(len(l.Chart.Bars), "bar"), words.Plural(len(l.Trace.Rounds), "round"))))
		}
		kids = append(kids, v.grid())
	}
	return Set(El("section.lane|data-test=lane", kids...), "data-policy", l.Policy.ID,
		"data-forced", Flag(len(l.Policy.Force) > 0), "data-hash", l.Meta.TraceHash, "data-outcome", l.Meta.Outcome,
		"data-stale", OnOff(!v.Fresh), "aria-labelledby", id)
}

// longRun is from how many spans on it is said that a run has more than one can see, and from how many bars on it is
// painted in slices.
const longRun = 100_000

// failure says in words why a lane has not run, and what would help.
func failure(f *message.Failure) app.UI {
	if len(f.Diagnostics) == 0 {
		return El("div", Bold(words.Sentence(f.Message)))
	}
	return El("div", Each(len(f.Diagnostics), func(i int) app.UI {
		d := &f.Diagnostics[i]
		return El("p", Bold(words.Sentence(d.Message.In(words.Now()))), Text(" "+d.Fix.In(words.Now())))
	})...)
}

// grid is the names and the plot with what lies over it.
func (v *LaneView) grid() app.UI {
	p := v.Picture(v.Lane)
	kids := []app.UI{app.Raw(v.PlotSVG(v.Lane))}
	if p.Bulk {
		kids = append(kids, elm.Part(&Canvas{Result: v.Result, PlotW: v.PlotW, Rows: v.Rows, Lane: v.Lane}))
	}
	kids = append(kids, app.Raw(v.OutlineSVG(v.Lane, v.Job, v.Bar)),
		app.Raw(v.CursorSVG(v.Moment, p.Frame.Height, false)))
	return El("div.grid", v.margin(), elm.Part(&Names{Plot: v.Plot, Lane: v.Lane}),
		elm.On(El("div.stack|data-part=plot|data-axis=time", kids...), "click", v.pick, Itoa(v.Lane)))
}

// margin is what stands beside the plot, or beside why there is none: the way to mend that.
func (v *LaneView) margin() app.UI {
	if v.Margin == nil {
		return El("div.margin")
	}
	return elm.Part(v.Margin)
}

// facts are the lane's three figures, or why it is not up to date.
func (v *LaneView) facts(l *run.Lane, r *run.Result) app.UI {
	if v.Note != "" {
		return El("div.facts", Txt("span.state|data-state=stale", v.Note))
	}
	if l.Trace == nil {
		return El("div.facts", Say("span.state|data-state=error", "cannot run"))
	}
	m, u := &l.Meta.Metrics, r.Axis.Unit
	fact := func(name, value string) app.UI { return El("span", Text(words.T(name)+" "), Bold(value)) }
	var mean app.UI
	if m.AvgJCTS > 0 { // a job has finished
		mean = fact("mean", u.Seconds(words.Now(), m.AvgJCTS)+" "+u.Short)
	}
	if stale := outcomeWords(l); stale != "" {
		return El("div.facts", Txt("span.state|data-state=stale", stale), mean)
	}
	return El("div.facts", mean, fact("last", u.Seconds(words.Now(), m.MakespanS)+" "+u.Short),
		fact("GPUs busy", words.Percent(m.GPUUtilization)))
}

// outcomeWords says how a run ended that did not finish all jobs.
func outcomeWords(l *run.Lane) string {
	switch l.Meta.Outcome {
	case "stopped":
		return words.F("stopped at round {0}, kept", Itoa(len(l.Trace.Rounds)))
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
		Do(state.SelectBar{At: state.BarAt{Lane: v.Lane, Index: bar}, Explain: true})
	} else if job := platform.Closest(e.Value, "data-job"); job != "" {
		Do(state.SelectWait{Lane: v.Lane, Job: job})
	}
	Do(state.GoTime{At: at})
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

// Render makes the canvas.
func (c *Canvas) Render() app.UI {
	return El("div.bars", Set(El("canvas|aria-hidden=true"), "id", "bars-"+Itoa(c.Lane)), elm.Hook(c))
}

// painting are those that are being painted, by lane.
var painting = map[int]*Canvas{}

// After hands over what to paint: at once, or a long run's in slices, unless the canvas gets something else meanwhile.
func (c *Canvas) After() {
	delete(painting, c.Lane)
	if len(c.Result.Lanes[c.Lane].Chart.Bars) < longRun {
		c.paint(nil)
		return
	}
	painting[c.Lane] = c
	Slowly(func(pace unit.Pace) {
		c.paint(pace)
		delete(painting, c.Lane) // the result may go
	}, func() bool { return painting[c.Lane] == c }, nil)
}

func (c *Canvas) paint(pace unit.Pace) {
	l := c.Result.Lanes[c.Lane]
	p := draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace.Paced(pace), Axis: &c.Result.Axis,
		Frame: c.Rows.Frame(l.Chart, l.Trace, float64(c.PlotW)), Policy: l.Policy.ID, Title: l.Title, Bulk: true}
	names := ""
	for i := range p.Trace.Jobs {
		names += p.Trace.Jobs[i].Name + "\n"
	}
	platform.Paint("bars-"+Itoa(c.Lane), p.Bulk32(finest), draw.BulkFields, names)
}

// staleNote says why the pictures do not belong to the document.
func staleNote(s *state.Lab) string {
	switch {
	case s.Fresh() || !s.Live:
		return ""
	case s.Diags.HasErrors():
		return words.T("From before your last edits; correct the error to update.")
	case s.Run.Failure != nil:
		return words.T("From before your last edits; the run failed.")
	case s.Run.Stopped:
		return words.T("From before your last edits; the run was stopped.")
	}
	return words.T("From before your last edits.")
}
