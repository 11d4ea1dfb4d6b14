package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// flip asks what would change the decision, and shows what the engine found.
func (w *Why) flip(lane, round int, active bool) app.UI {
	if round < 0 || !active {
		return el("div.flip")
	}
	f := w.Flip
	ask := func(label string) app.UI {
		return set(button(".btn|data-test=flip-ask", label, "flip"+itoa(lane), state.AskFlip{Lane: lane}),
			"disabled", flag(!w.Fresh))
	}
	switch {
	case f == nil:
		return el("div.flip|data-test=flip", ask(words.T("What would change this choice?")))
	case f.Busy():
		says := words.T("Trying single changes…")
		switch {
		case f.All > 0 && f.Tried == f.All:
			says = words.T("Running what was found to the end…")
		case f.All > 0:
			says = words.F("Tried {0} of {1}…", itoa(f.Tried), words.Plural(f.All, "change"))
		}
		return el("div.flip|data-test=flip", txt("span|role=status|data-test=flip-progress", says),
			button(".btn|data-test=flip-stop", "Stop", "flip-stop", state.StopFlip{}))
	case f.Result == nil:
		return el("div.flip|data-test=flip", txt("p", words.F("The engine says: {0}", f.Problem.In(words.Now()))),
			ask(words.T("Ask again")))
	}
	claim, rest := lead(f.Result.Sentence)
	return el("div.flip|data-test=flip", el("p|data-test=flip-says", bold(claim), text(rest)), w.flips(f.Result),
		txt("p.mute xs", words.F(
			"One value at a time, run from the start: GPUs of each of the first {0} nodes, the job's GPUs, weight and steps, the policy's parameters. The choice of candidates is ours.",
			itoa(message.FlipNodes))))
}

func (w *Why) flips(r *message.FlipResult) app.UI {
	if len(r.Found) == 0 {
		return el("div")
	}
	u := w.Result.Axis.Unit
	rows := each(len(r.Found), func(i int) app.UI {
		c := &r.Found[i]
		mean := tdNum("–")
		if r.AvgJCTS != nil && c.AvgJCTS != nil {
			mean = set(txt("td.num|data-test=flip-mean", u.Seconds(words.Now(),
				*r.AvgJCTS)+" → "+u.Seconds(words.Now(), *c.AvgJCTS)), "data-value", markup.Exact(*c.AvgJCTS))
		}
		try := button(".btn|data-test=flip-try", "Try it", "try"+c.Pointer+c.What,
			state.Try{Edit: edit.Alter{Pointer: c.Pointer, Value: c.To, What: c.What}})
		return set(el("tr|data-test=flip-found", el("th|scope=row", text(c.What+" "),
			txt("span.mute", w.Job+" "+c.Outcome)), tdNum(words.Percent(c.Size)), mean,
			el("td", set(try, "disabled", flag(!w.Fresh), "aria-label", words.F("Try it: {0}", c.What)))),
			"data-pointer", c.Pointer)
	})
	return el("div.wide", table(".rows", "Single changes that alter the decision, smallest first",
		[]app.UI{th("Change, and what follows"), thNum("Size"),
			set(thNum(words.F("Mean, {0}", u.Short)), "title", words.T("Mean completion (JCT)")), th("")}, rows))
}
