package ui

import (
	"hadarlab/app/compare"
	"hadarlab/app/state"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Many are the sections that run the scenario many times.
type Many struct {
	H                     *Host
	Doc, Replicates, Vary int64
	WinnerSearch          int64
	Table                 bool
	Engine                state.EngineState
	Embed                 bool
}

func (c *Many) render() app.UI {
	if c.Embed {
		return el("div|hidden=true")
	}
	return el("div.manies", part(&Replicates{H: c.H, Doc: c.Doc, Rev: c.Replicates, Engine: c.Engine}),
		part(&Vary{H: c.H, Doc: c.Doc, Rev: c.Vary, WinnerSearch: c.WinnerSearch, Table: c.Table, Engine: c.Engine}))
}

// many is a section of many runs. Shut it is its heading.
func (h *Host) many(test, title, brief string, vary bool, kids ...app.UI) app.UI {
	open := h.S.Sweep(vary).Open
	toggle := set(h.button(".btn|data-kind=quiet", "Show", "show", state.ToggleSweep{Vary: vary}),
		"data-test", test+"-open", "aria-expanded", onoff(open), "aria-controls", test+"-body",
		"aria-label", words.F("Show: {0}", words.T(title)))
	if open {
		toggle = set(h.button(".btn|data-kind=quiet", "Hide", "hide", state.ToggleSweep{Vary: vary}),
			"data-test", test+"-open", "aria-expanded", "true", "aria-controls", test+"-body",
			"aria-label", words.F("Hide: {0}", words.T(title)))
	}
	return set(el("section.panel many",
		el("header", set(say("h2", title), "id", "h-"+test), say("span.mute", brief), toggle),
		set(el("div.pad", kids...), "id", test+"-body", "hidden", flag(!open))), "data-test", test,
		"aria-labelledby", "h-"+test)
}

// going is the row of buttons: run or stop, how much it is, how far it is, what can be saved. Idle says that to run
// makes no sense.
func (h *Host) going(vary bool, label, problem string, idle bool, run state.Action) app.UI {
	w := h.S.Sweep(vary)
	kids := []app.UI{set(h.button(".btn|data-kind=primary|data-test=many-run", label, label, run),
		"disabled", flag(problem != "" || idle || h.unready()))}
	said := ""
	if w.Busy() {
		kids[0] = set(h.button(".btn|data-test=many-stop", "Stop", "stop", state.StopSweep{Vary: vary}),
			"disabled", flag(w.Stopping))
	}
	switch n := w.Runs(); {
	case w.Busy():
		said = words.F("{0} of {1} runs done", itoa(w.At.Done), itoa(w.At.Runs))
	case w.Request == nil || !w.Problem.IsZero() && n == 0:
	case w.Over:
		said = words.N(n, "{0} run done", "{0} runs done")
	default:
		said = words.F("Stopped: {0} of {1} runs are shown", itoa(n), itoa(w.At.Runs))
	}
	if !w.Busy() && !idle {
		kids = append(kids, txt("span|data-test=many-amount", h.S.Amount(vary)))
	}
	kids = append(kids, set(txt("span.mute|data-test=many-progress", said), "data-done", itoa(w.Runs())))
	if w.Runs() > 0 {
		kids = append(kids, h.button(".btn|data-kind=quiet|data-test=many-csv", "Runs as CSV", "csv",
			state.SaveSweep{Vary: vary}))
	}
	return el("div.line", kids...)
}

// unready says that nothing can be run.
func (h *Host) unready() bool { return h.S.Engine != state.EngineReady || h.S.Diags.HasErrors() }

// scrolling holds a table that may be wider than the screen; the keyboard reaches it.
func scrolling(caption, table string) app.UI {
	return set(el("div.scroll|tabindex=0|role=region", app.Raw(table)), "aria-label", words.T(caption))
}

// staleSweep says that what stands is of another scenario.
func (h *Host) staleSweep(w *compare.Sweep) app.UI {
	if w.Request == nil || !w.Stale(h.S.Doc) {
		return el("div|hidden=true")
	}
	return set(note("note", say("div", "These runs are of the scenario before your last edits. Run again to update.")),
		"data-test", "many-stale")
}

// wrong is why a sweep gave nothing, or no more.
func (h *Host) wrong(problem string, w *compare.Sweep) app.UI {
	switch {
	case problem != "":
		return set(note("error", txt("div", problem)), "data-test", "many-problem")
	case !w.Problem.IsZero():
		return set(note("error", el("div", bold(upper(sentence(w.Problem.Local()))), text(" "+w.Fix.Local()))),
			"data-test", "many-problem")
	}
	return el("div|hidden=true")
}

// laneKey names the lines of a sweep, and other marks.
func laneKey(titles, letters []string, more ...app.UI) app.UI {
	return el("ul.legend", append(each(len(titles), func(i int) app.UI {
		return el("li", app.Raw(`<svg width="30" height="12" aria-hidden="true"><path data-series="`+laneStyle(i)+
			`" d="M0 6H30"></path></svg>`), text(letters[i]+" "+titles[i]))
	}), more...)...)
}

// laneStyle is the line of a lane.
func laneStyle(i int) string { return [...]string{"a", "b", "c"}[i%3] }

// says is a sentence with its claim in bold.
func says(test, claim, because string) app.UI {
	return set(el("p", bold(claim), text(" "+because)), "data-says", test, "data-test", test)
}
