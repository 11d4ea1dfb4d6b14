package numbers

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// WinnerSearch is the search for numbers that change the winner: its button, its sentence, what it found and what it
// tried.
type WinnerSearch struct {
	compare.WinnerSearch      // without what is still to be tried
	All                  int  // how many numbers are tried
	Ready, Stale         bool // it can be run; what was found is of another scenario
}

func winnerSearchOf(s *state.Lab) *WinnerSearch {
	k := &WinnerSearch{WinnerSearch: s.WinnerSearch, All: len(s.WinnerSearch.Tries),
		Ready: s.Engine == room.EngineReady && !s.Diags.HasErrors()}
	k.Tries = slices.Clone(k.Tries[:k.Done]) // the state's go on in place
	k.Stale = stale(&k.Sweep, s)
	return k
}

// drawn draws it, with what may be varied now.
func (k *WinnerSearch) drawn(may *state.Varying) app.UI {
	plan, runs := may.Plan()
	start := Set(Button(".btn|data-test=hunt-run", "Which number changes the winner?", "hunt",
		state.StartWinnerSearch{}), "disabled", Flag(runs == 0 || !k.Ready))
	said := words.F("Tries {0} numbers one by one, each with a few values: at most {1} runs.", Itoa(len(plan)),
		edit.FormatNumber(float64(runs)))
	switch n, all := Itoa(k.Done), Itoa(k.All); {
	case k.Busy():
		start = Button(".btn|data-test=hunt-stop", "Stop", "hunt-stop", state.StopWinnerSearch{})
		said = words.F("{0} of {1} numbers tried", n, all)
	case k.Request != nil && !k.Over && !k.Unfit && k.Problem.IsZero():
		said = words.F("Stopped: {0} of {1} numbers tried", n, all)
	}
	kids := []app.UI{El("div.line", start, Set(Txt("span.mute|data-test=hunt-progress", said),
		"data-over", Flag(k.Over))), refused("", &k.Sweep), staleNotice(k.Stale)}
	if k.Unfit {
		kids = append(kids, Set(Note("note",
			Say("div",
				"As the scenario stands not every job finishes under both policies, so there is no winner to change.")),
			"data-test", "hunt-unfit"))
	}
	if k.Done > 0 {
		kids = append(kids, k.found(may)...)
	}
	return El("div.hunt|data-test=hunt", kids...)
}

// found are the sentence, the table of what was found and the list of what was tried.
func (k *WinnerSearch) found(may *state.Varying) []app.UI {
	found := k.Winners()
	a, b := k.Titles[0], k.Titles[1]
	if k.Leads > 0 {
		a, b = b, a
	}
	all := Itoa(k.Done)
	claim := words.N(k.Done, "The one number that was tried does not change the winner.",
		"None of the {0} numbers that were tried changes the winner.")
	because := words.F("{0} leads {1} in mean completion, or ties with it, at every value that can be compared.", a, b)
	switch n := len(found); {
	case n > 0 && k.Leads == 0:
		claim = words.N(n, "One of {1} numbers, changed alone, gives one of the two the better mean completion.",
			"{0} of {1} numbers, each changed alone, give one of the two the better mean completion.", all)
		because = words.F("Without the change {0} and {1} tie.", a, b)
	case n > 0:
		claim = words.N(n, "One of {1} numbers, changed alone, makes {2} win in mean completion.",
			"{0} of {1} numbers, each changed alone, make {2} win in mean completion.", all, b)
		because = words.F("Without the change {0} wins.", a)
	case k.Leads == 0:
		because = words.F("{0} and {1} tie at every value that can be compared.", a, b)
	}
	kids := []app.UI{says("hunt-says", claim, because)}
	if len(found) > 0 {
		kids = append(kids, elm.On(
			scrolling("Numbers that change the winner", k.table(found, may.Variables())), "click",
			func(_ app.Context, e app.Event) {
				if at := platform.Closest(e.Value, "data-try"); at != "" {
					Do(state.TryFound{At: WholeNumber(at)})
				} else if at := platform.Closest(e.Value, "data-curve"); at != "" {
					Do(state.CurveOf{At: WholeNumber(at)})
				}
			}))
	}
	return append(kids, El("details", Say("summary", "What was tried"),
		El("ul.xs|data-test=hunt-tried", Each(k.Done, func(i int) app.UI {
			t := &k.Tries[i]
			said := t.Axis() + ": " + spaced(t.Ran())
			if len(t.Lost) > 0 {
				said = words.F("{0}; not comparable: {1}", said, spaced(t.Lost))
			}
			return Txt("li", said)
		})...)))
}

// spaced are values for the eye: a comma may be part of one.
func spaced(values []float64) string {
	s := ""
	for i, v := range values {
		if i > 0 {
			s += " · "
		}
		s += edit.FormatNumber(v)
	}
	return s
}

// table has a row a number that changes the winner.
func (k *WinnerSearch) table(found []int, now []edit.Variable) string {
	top := max(k.Now[0], k.Now[1])
	for _, i := range found {
		top = max(top, k.Tries[i].JCT[0], k.Tries[i].JCT[1])
	}
	in := figures[0].scale(top)
	t := markup.NewTable(`data-table="winners" data-test="hunt-table"`, "Numbers that change the winner", "Number", "#From → to",
		"#"+titled(k.Titles[0], in.unit), "#"+titled(k.Titles[1], in.unit), "")
	row := func(name, step string, jct [2]float64, stands bool, ways string) {
		t.RowWith(` aria-selected="`+OnOff(stands)+`"`, "<td>"+ways+"</td>", name, "#"+step,
			"#"+words.Sig(jct[0]/in.size, 4), "#"+words.Sig(jct[1]/in.size, 4))
	}
	row(words.T("Unchanged"), "", k.Now, false, "")
	for _, i := range found {
		f := &k.Tries[i]
		ways := ""
		for _, b := range [][2]string{{"try", words.T("Try it")}, {"curve", words.T("Show its curve")}} {
			ways += `<button type="button" class="btn" data-` + b[0] + `="` + Itoa(i) + `" aria-label="` +
				draw.Escape(b[1]+": "+f.Name) + `">` + draw.Escape(b[1]) + `</button> `
		}
		row(f.Axis(), edit.FormatNumber(f.Value)+" → "+edit.FormatNumber(f.To), f.JCT,
			edit.VariableAt(now, f.Path).Value == f.To, ways)
	}
	return t.String()
}
