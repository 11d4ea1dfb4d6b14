package why

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// flip asks what would change the decision, and shows what the engine found.
func (w *Why) flip(lane, round int, active bool) app.UI {
	if info := w.Boot.Policy(w.Result.Lanes[lane].Policy.ID); round < 0 || !active || info != nil && info.Recorded {
		return El("div.flip")
	}
	f := w.Flip
	ask := func(label string) app.UI {
		return Set(Button(".btn|data-test=flip-ask", label, "flip"+Itoa(lane), state.AskFlip{Lane: lane}),
			"disabled", Flag(!w.Fresh))
	}
	switch {
	case f == nil:
		return El("div.flip|data-test=flip", ask(words.T("What would change this choice?")))
	case f.Busy():
		says := words.T("Trying single changes…")
		switch {
		case f.All > 0 && f.Tried == f.All:
			says = words.T("Running what was found to the end…")
		case f.All > 0:
			says = words.F("Tried {0} of {1}…", Itoa(f.Tried), words.Plural(f.All, "change"))
		}
		return El("div.flip|data-test=flip", Txt("span|role=status|data-test=flip-progress", says),
			Button(".btn|data-test=flip-stop", "Stop", "flip-stop", state.StopFlip{}))
	case f.Result == nil:
		return El("div.flip|data-test=flip", Txt("p", words.F("The engine says: {0}", f.Problem.In(words.Now()))),
			ask(words.T("Ask again")))
	}
	claim, rest := Lead(f.Result.Sentence)
	return El("div.flip|data-test=flip", El("p|data-test=flip-says", Bold(claim), Text(rest)), w.flips(f.Result),
		Txt("p.mute xs", words.F(
			"One value at a time, run from the start: GPUs of each of the first {0} nodes, the job's GPUs, weight and steps, the policy's parameters. The choice of candidates is ours.",
			Itoa(message.FlipNodes))))
}

func (w *Why) flips(r *message.FlipResult) app.UI {
	if len(r.Found) == 0 {
		return El("div")
	}
	u := w.Result.Axis.Unit
	rows := Each(len(r.Found), func(i int) app.UI {
		c := &r.Found[i]
		mean := TdNum("–")
		if r.AvgJCTS != nil && c.AvgJCTS != nil {
			mean = Set(Txt("td.num|data-test=flip-mean", u.Seconds(words.Now(),
				*r.AvgJCTS)+" → "+u.Seconds(words.Now(), *c.AvgJCTS)), "data-value", markup.Exact(*c.AvgJCTS))
		}
		try := Button(".btn|data-test=flip-try", "Try it", "try"+c.Pointer+c.What,
			state.Try{Edit: edit.Alter{Pointer: c.Pointer, Value: c.To, What: c.What}})
		return Set(El("tr|data-test=flip-found", El("th|scope=row", Text(c.What+" "),
			Txt("span.mute", w.Job+" "+c.Outcome)), TdNum(words.Percent(c.Size)), mean,
			El("td", Set(try, "disabled", Flag(!w.Fresh), "aria-label", words.F("Try it: {0}", c.What)))),
			"data-pointer", c.Pointer)
	})
	return El("div.wide", Table(".rows", "Single changes that alter the decision, smallest first",
		[]app.UI{Th("Change, and what follows"), ThNum("Size"),
			Set(ThNum(words.F("Mean, {0}", u.Short)), "title", words.T("Mean completion (JCT)")), Th("")}, rows))
}
