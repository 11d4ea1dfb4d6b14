package board

import (
	"math"
	"slices"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// seedCounts are how many seeds a board offers.
var seedCounts = []int{20, 30, 50}

// seedsOf480 are how many it offers of 480 jobs under so many lanes: a server takes 20,000 jobs × lanes × seeds.
func seedsOf480(lanes int) int { return min(20, 20_000/480/max(lanes, 1)) }

// largerTitles are the lanes of a class's larger run.
func largerTitles(b *teach.Board, boot *room.Boot) (titles []string) {
	titles, _ = run.Titles(b.Assignment.Document(), boot.WholeTitle)
	return titles
}

// largerAbout says what is run.
func largerAbout(b *teach.Board, boot *room.Boot, r *class.LargerRun) string {
	seeds := Itoa(r.Replicates)
	switch {
	case r.Vary != nil:
		k := variableOf(b, boot, r.Vary.Path)
		return words.F("{0}: {1} values, one run of every lane at each.", k.Name, Itoa(len(r.Vary.Values)))
	case r.Jobs480:
		return words.F("480 jobs on 60 GPUs, other jobs with each of {0} seeds, the class’s lanes.", seeds)
	case r.Noise == 0: // its jobs are drawn
		return words.F("The class’s scenario, other jobs with each of {0} seeds.", seeds)
	}
	return words.F("The class’s scenario with {0} seeds: the length of every job varies by {1}.", seeds,
		words.Percent(r.Noise))
}

func variableOf(b *teach.Board, boot *room.Boot, path string) edit.Variable {
	return edit.VariableAt(edit.Variables(b.Assignment.Document(), boot.Params), path)
}

// largerFound says what came of it; the first of two lanes is set against the second, as everywhere.
func largerFound(b *teach.Board, boot *room.Boot, r *class.LargerRun, points []message.SweepPoint) insights.Finding {
	if r.Vary != nil {
		v, _ := largerVary(b, boot, r, points)
		return insights.Vary(words.Now(), v)
	}
	return insights.Means(words.Now(), largerTitles(b, boot), &points[0])
}

// largerVary is the mean completion over the values, in a unit that suits.
func largerVary(b *teach.Board, boot *room.Boot, r *class.LargerRun, points []message.SweepPoint) (*chart.Vary,
	figure.Unit) {
	top := 1.0
	for i := range points {
		for k := range points[i].Runs {
			top = max(top, points[i].Runs[k].Metrics.AvgJCTS)
		}
	}
	u, k := figure.SecondsUnit(top), variableOf(b, boot, r.Vary.Path)
	size := float64(u.Length) / float64(unit.Second)
	v := &chart.Vary{X: r.Vary.Values, Now: k.Value, Name: k.Axis(), Noun: k.Noun, What: words.T("mean completion"),
		Good: -1}
	for l, title := range largerTitles(b, boot) {
		line := chart.VaryLine{Name: title, Style: charts.LaneStyle(l), Letter: edit.LaneLetter(l)}
		for i := range r.Vary.Values {
			y, cut := chart.Unfinished, false
			if i < len(points) && l < len(points[i].Runs) {
				lane := &points[i].Runs[l]
				y, cut = lane.Metrics.AvgJCTS/size, lane.Outcome != "done"
			}
			line.Y, line.Cut = append(line.Y, y), append(line.Cut, cut)
		}
		v.Lines = append(v.Lines, line)
	}
	return v, u
}

// larger is what came of the larger run, or how far it is; a run that has failed is the board's, and the walls show
// what belongs to the phase.
func (w *Wall) larger() []app.UI {
	b := w.Of
	switch r := b.State.LargerRun; {
	case r.Lives():
		return []app.UI{Say("h1", "The same lanes, in a larger run"), El("div.larger",
			Txt("p.big|data-test=wall-larger", teach.LargerProgress(r)),
			El("i.done|aria-hidden=true", HuedBar(0, float64(r.Done)/float64(max(r.Runs, 1)))),
			Txt("p", largerAbout(b, w.Boot, r)))}
	case w.Larger != nil && r.Vary != nil:
		return w.largerValues(r)
	case w.Larger != nil:
		return w.largerMeans(r)
	case r.Ended():
		return []app.UI{Say("h1", "The same lanes, in a larger run"), Say("p", "Loading what came of it")}
	}
	return w.lanes()
}

// largerMeans has a row a lane: its mean over the seeds, and the interval of that.
func (w *Wall) largerMeans(r *class.LargerRun) []app.UI {
	found := largerFound(w.Of, w.Boot, r, w.Larger)
	titles, s := largerTitles(w.Of, w.Boot), w.Larger[0].Summary
	top := 1.0
	for i := range s.Policies {
		if e := compare.Estimate(s.Policies[i].Metrics, "avg_jct_s"); e != nil {
			top = max(top, e.Mean)
		}
	}
	u := figure.SecondsUnit(top)
	size := float64(u.Length) / float64(unit.Second)
	var rows []app.UI
	var ws []chart.Whisker
	said := ""
	for i := range min(len(s.Policies), len(titles)) {
		e := compare.Estimate(s.Policies[i].Metrics, "avg_jct_s")
		if e == nil {
			continue
		}
		m := chart.Whisk(e, size, edit.LaneLetter(i), charts.LaneStyle(i))
		mean := words.F("mean {0} {1}", figure.Sig(words.Now(), m.Mean, 3), u.Short)
		if !math.IsNaN(m.Low) {
			mean = words.F("mean {0} {1}", m.Spread(words.Now()), u.Short)
		}
		ws, said = append(ws, m), said+titles[i]+": "+mean+". "
		rows = append(rows, El("li|data-test=wall-mean", LaneTag(i), Bold(titles[i]), Txt("span", mean)))
	}
	return []app.UI{Txt("h1|data-test=wall-larger-says", found.Claim),
		El("div.larger", El("ul.means", rows...), app.Raw(draw.WhiskersStage(words.Now(), ws, u.Short, said)),
			Txt("p", found.Because),
			Txt("p.soft", largerAbout(w.Of, w.Boot, r)+" "+
				words.T("A dot is the mean over the seeds, a line its 95 % interval by Student's t.")))}
}

// largerValues is the mean completion over the values of a number.
func (w *Wall) largerValues(r *class.LargerRun) []app.UI {
	v, u := largerVary(w.Of, w.Boot, r, w.Larger)
	found := insights.Vary(words.Now(), v)
	unit := Txt("li.soft", words.T("Mean completion (JCT)")+", "+u.Short)
	key := Each(len(v.Lines), func(i int) app.UI {
		return El("li", LaneTag(i), Bold(v.Lines[i].Name))
	})
	key = append(key, unit)
	if lo, hi := slices.Min(v.X), slices.Max(v.X); lo <= v.Now && v.Now <= hi {
		key = append(key, Txt("li.soft", "▲ "+words.T("the scenario now")))
	}
	if len(v.Crossings()) > 0 {
		key = append(key, Txt("li.soft", "◇ "+words.T("another policy is better from here on")))
	}
	return []app.UI{Txt("h1|data-test=wall-larger-says", found.Claim),
		El("div.larger", El("ul.means", key...),
			app.Raw(draw.VaryStage(words.Now(), v, found.Claim)), Txt("p", found.Because))}
}

// larger is the sheet by which a board has its server run more, follows that and puts it on the walls.
func (b *BoardSheets) larger() []app.UI {
	r := b.State.LargerRun
	var kids []app.UI
	if b.Problem != "" {
		kids = append(kids, Set(Note("error", Txt("div", b.Problem)), "data-test", "larger-problem"))
	}
	stop := func(label string) app.UI {
		return Button(".btn|data-test=larger-stop", label, "stop", board.StopLarger{})
	}
	switch points := b.Larger.Of(r); {
	case r.Lives():
		return append(kids, Txt("p", largerAbout(b.Board.Board, b.Boot, r)),
			Txt("p|role=status|data-test=larger-progress", teach.LargerProgress(r)),
			Say("p.soft", "It goes on when this sheet or this page is closed. Phones and walls see how far it is."),
			El("div.ways", stop(words.T("Stop it"))))
	case points != nil:
		found := largerFound(b.Board.Board, b.Boot, r, points)
		wall := class.Wall{Shows: class.LargerPicture, Larger: b.State.Wall.Larger}
		kids = append(kids, El("p|data-test=larger-says", Bold(found.Claim), Text(" "+found.Because)),
			Txt("p.soft", largerAbout(b.Board.Board, b.Boot, r)),
			El("div.ways", Set(Button(".btn|data-test=larger-up", "On the wall", "up",
				board.PutUp{Wall: wall}), "aria-pressed", OnOff(b.State.Wall.Shows == wall.Shows)),
				Set(Say("a.btn|target=_blank|data-test=larger-open", "Open it in the lab"), "href", "/"+r.Link),
				stop(words.T("Take it away"))))
	case r.Ended():
		kids = append(kids, Say("p", "Loading what came of it"), El("div.ways", stop(words.T("Take it away"))))
	case r != nil:
		kids = append(kids, Set(Note("error", Txt("div", largerFailed(r))), "data-test", "larger-failed"))
	}
	if r == nil || !r.Ended() {
		kids = append(kids, b.largerChoices()...)
	}
	return kids
}

// largerFailed says why nothing came of it.
func largerFailed(r *class.LargerRun) string {
	switch {
	case r.State == "gone":
		return words.T("The server does not keep what came of the larger run any more. Run it again.")
	case len(r.Errors) > 0:
		return words.F("Nothing came of the larger run: {0}.", r.Errors[0].Message.In(words.Now()))
	}
	return words.T("Nothing came of the larger run: it was stopped.")
}

// largerChoices are what can be run.
func (b *BoardSheets) largerChoices() []app.UI {
	start := func(label, test string, q class.Larger) app.UI {
		return Set(Button(".btn", label, test, board.StartLarger{Larger: q}), "data-test", "larger-"+test)
	}
	seeds := Each(len(seedCounts), func(i int) app.UI {
		n := seedCounts[i]
		return start(words.F("{0} seeds", Itoa(n)), "seeds-"+Itoa(n), class.Larger{Replicates: n})
	})
	large := seedsOf480(len(b.Assignment.Document().Scenario.Policies))
	kids := []app.UI{Say("p.soft", "The server runs the class’s lanes many times, in a turn of its own. Walls and phones see how far it is, and what came of it when you put it up."),
		Say("h3", "The class’s scenario, many seeds"),
		Say("p.soft", "Each seed makes every job a little longer or shorter. Does what one run showed hold?"),
		El("div.ways", seeds...),
		Say("h3", "480 jobs on 60 GPUs"), Say("p.soft", "Does what a few jobs showed hold for hundreds? It takes a minute or more."),
		El("div.ways", start(words.F("{0} seeds", Itoa(large)), "480", class.Larger{Jobs480: true, Replicates: large}))}
	all := board.Variables(b.Board.Board, b.Boot)
	if len(all) == 0 {
		return kids
	}
	at := &all[0]
	options := Each(len(all), func(i int) app.UI {
		here := all[i].Path == b.Larger.Path
		if here {
			at = &all[i]
		}
		return Option(all[i].Path, all[i].Name, here)
	})
	pick := Given(El("select.field|data-test=larger-number|aria-label=Number", options...), "change",
		func(path string) state.Action { return board.VaryLarger{Path: path} }, at.Path)
	values, problem := b.Larger.Typed(at)
	field := Given(Set(El("input.field|type=text|autocomplete=off|spellcheck=false|data-test=larger-values"), "value",
		compare.Listed(at.Values), "aria-label", words.T("Values"), "aria-invalid", OnOff(problem != "")), "input",
		func(text string) state.Action { return board.TypeLarger{Text: text} }, at.Path)
	run := start(words.T("Run them"), "vary", class.Larger{Vary: &message.Axis{Path: at.Path, Values: values}})
	return append(kids, Say("h3", "One number, many values"),
		El("div.picks", pick, field, Set(run, "disabled", Flag(problem != ""))),
		Txt("p.soft", words.F("2 to {0} values from {1} to {2}: a list, as 1, 2, 4, or 1 to 9 by 2.",
			Itoa(class.MaxLargerValues), edit.FormatNumber(at.Range.Min), edit.FormatNumber(at.Range.Max))),
		Set(Txt("p.error|role=status|data-test=larger-fault", problem), "hidden", Flag(problem == "")))
}
