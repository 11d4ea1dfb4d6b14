// Package student draws a class as its student sees it, in a strip above the lab.
package student

import (
	"strconv"

	"hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	course "hadarlab/core/class"
	"hadarlab/core/link"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Strip is a student's class above the lab: the phase, who the student is, and the one thing to do now.
type Strip struct {
	class.Student
	Says   string   // what there is to do
	Edits  []string // what is changed of the class's scenario, while that is the task
	Why    string   // why it cannot be handed in, "" = it can
	Was    []string // what was changed in the submission, at the end
	Engine string
	Copied string // the text that is on the clipboard
	Own    string // pointer of what is written in a race
	Rival  string // whose figures its scores are shares of
}

// Of is the strip, nil outside a class.
func Of(m *student.Model, s *state.Lab) *Strip {
	if m.Room != room.Student || m.Student == nil {
		return nil
	}
	c := &Strip{Student: *m.Student, Engine: s.Boot.Engine, Copied: s.Share.Copied}
	if c.Over != "" || c.Assignment == nil {
		return c
	}
	if c.Assignment.Races() {
		c.Own, c.Rival = c.Assignment.Own(), s.Boot.PolicyTitle(c.Assignment.Rival())
	}
	said := func(edits []course.Edit) (says []string) {
		if len(edits) == 0 {
			return nil
		}
		names := s.Varying().Variables()
		name := func(path string) string { return edit.VariableAt(names, path).Name }
		for _, e := range edits {
			says = append(says, class.EditText(e, name))
		}
		return says
	}
	if c.Says = m.Says(); c.Changes() {
		var edits []course.Edit
		edits, c.Why = m.Task()
		c.Edits = said(edits)
	}
	if e := c.Entry(course.Submission); e != nil && (c.State.Phase == course.Closed || c.State.Homework()) {
		c.Was = said(e.Changes)
	}
	return c
}

// Render draws the strip.
func (c *Strip) Render() app.UI {
	st := &c.Student
	head := []app.UI{El("p.who", Text(words.T("You are in a class:")+" "), Txt("b|data-test=class-name", st.Me.Name)),
		Button(".btn|data-kind=quiet|data-test=class-leave", "Leave the class", "leave", student.LeaveClass{})}
	var kids []app.UI
	switch {
	case st.Over != "":
		kids = []app.UI{Note("error", Txt("div|data-test=class-over", st.Over),
			Say("a.btn|href=/join|data-test=class-join", "Join a class"))}
	case st.Assignment == nil:
		kids = []app.UI{Say("p", "Going into the class…")}
	default:
		head = append([]app.UI{c.steps()}, head...)
		kids = c.now()
		if st.State.Old {
			kids = append([]app.UI{Txt("p.soft|data-test=class-old", words.F(
				"This class began with version {0}. What is right counts as that version found it; what you run now may come out otherwise.",
				st.State.Engine))}, kids...)
		}
	}
	lost := El("p|hidden=true")
	if st.Lost {
		lost = Say("p.lost|data-test=class-lost",
			"The network is lost. What you have chosen is kept here and sent as soon as it is back.")
	}
	return El("section.class|aria-label=Your class|data-test=class-strip",
		append([]app.UI{El("div.classhead", head...), lost}, kids...)...)
}

// phaseName is what a phase is called.
func phaseName(p course.Phase) string {
	if p == course.Closed {
		return words.T("Done")
	}
	return class.PhaseTitle(p)
}

// steps are the phases of the plan.
func (c *Strip) steps() app.UI {
	st := &c.Student
	if st.State.Homework() {
		return c.ownSteps()
	}
	now := st.State.Phase
	if now == course.Lobby {
		now = course.Predict
	}
	var items []app.UI
	past := "past"
	for _, step := range st.Assignment.Plan {
		if step.Phase == course.Lobby {
			continue
		}
		item := Txt("li", phaseName(step.Phase))
		if step.Phase == now {
			item, past = Set(item, "aria-current", "step"), ""
		}
		items = append(items, Set(item, "data-step", past))
	}
	return El("ol.steps|aria-label=Steps of the class", items...)
}

// now is what there is to do, and what was done.
func (c *Strip) now() []app.UI {
	st := &c.Student
	kids := []app.UI{El("div.now", Txt("h2|tabindex=-1|data-scroll=true", c.Says),
		Txt("p.soft|data-test=class-counts", c.counts())), c.larger()}
	over := st.State.Phase == course.Closed || st.State.Phase == course.Homework && !st.Works()
	if over && st.Alone() {
		kids = append(kids, c.handIn())
	}
	if st.Changes() {
		kids = append(kids, c.task())
	}
	if st.Votes() {
		kids = append(kids, c.vote())
	}
	var was []app.UI
	if st.Works() && st.Explains() {
		kids = append(kids, c.sentence())
	} else if st.Explains() {
		was = append(was, c.sentence())
	}
	was = append(was, c.said())
	for i := range st.Tallies {
		was = append(was, c.bars(&st.Tallies[i]))
	}
	if st.Changes() { // the lab is needed now
		says := words.T("Your answers, and what the class said")
		if st.Works() { // nobody hears that before the feedback
			says = words.T("Your answers")
		}
		kids = append(kids, El("details.classcard|data-test=class-before",
			append([]app.UI{Txt("summary", says)}, was...)...))
	} else {
		kids = append(kids, was...)
	}
	if over {
		kids = append(kids, c.done()...)
	} else if st.Alone() {
		kids = append(kids, c.next())
	}
	report := El("div.acts", Button(".btn|data-test=class-report", "Save my report", "report",
		student.SaveClassReport{}),
		Button(".btn", "Print", "print", state.Print{}))
	return append(kids, report)
}

// larger is how far the class's larger run is, and where what came of it opens.
func (c *Strip) larger() app.UI {
	switch r := c.State.LargerRun; {
	case r.Lives():
		return Txt("p.soft|data-test=class-larger", class.LargerProgress(r))
	case r.Ended():
		return El("p|data-test=class-larger", Set(Say("a|target=_blank|data-test=larger-open",
			"Open what came of the class’s larger run"), "href", "/"+r.Link))
	}
	return El("p|hidden=true")
}

func (c *Strip) counts() string {
	st := &c.Student
	n := st.State.Counts
	switch {
	case st.Alone() || st.State.Homework() && !st.Works():
		return ""
	case st.State.Homework():
		return words.F("It closes {0}.", platform.When(st.State.ClosesMS, words.Tag()))
	case st.State.Phase == course.Change:
		return words.Count(n.Submitted, "{0} of {1} has handed in a change.", "{0} of {1} have handed in a change.",
			Itoa(n.Joined))
	case st.State.Phase == st.Assignment.Votes():
		return words.Count(n.Voted, "{0} of {1} has answered again.", "{0} of {1} have answered again.",
			Itoa(n.Committed))
	}
	return words.Count(n.Committed, "{0} of {1} has answered.", "{0} of {1} have answered.", Itoa(n.Joined))
}

// send is a button that hands something in, with why it cannot be, and what went wrong.
func (c *Strip) send(test, label, kind, why string) app.UI {
	st := &c.Student
	busy := st.Sending != nil
	if st.Alone() {
		label = words.T("Keep it for the hand-in")
	}
	if busy && st.Sending.Kind == kind {
		label = words.T("Sending…")
	}
	b := elm.On(Set(Txt("button.btn|type=button|data-kind=primary", label), "data-test", test, "disabled",
		Flag(busy || why != "")), "click", func(app.Context, app.Event) {
		Do(student.HandIn{Kind: kind, At: platform.Millis()})
	}, kind)
	return El("div.acts", b, Txt("span.soft|data-test=class-why", why), Set(Txt("b.bad|role=alert", st.Problem),
		"hidden",
		Flag(st.Problem == "" || st.Problem == why)))
}

// card is a part of the strip with a heading.
func card(test, title string, kids ...app.UI) app.UI {
	return Set(El("div.classcard", append([]app.UI{Txt("h3", title)}, kids...)...), "data-test", test)
}

// said are the answers beside what is right.
func (c *Strip) said() app.UI {
	st := &c.Student
	right, all := st.Right()
	title := words.T("You said")
	if e := st.Entry(course.Answers); e != nil && e.Practice {
		title = words.T("You said, as practice")
	} else if all > 0 {
		title = words.F("You said: {0} of {1} right", Itoa(right), Itoa(all))
	}
	var rows []app.UI
	for _, kind := range []string{course.Answers, course.Vote} {
		for _, l := range st.Lines(kind) {
			q := l.Question
			if kind == course.Vote {
				q = words.F("{0} (again)", q)
			}
			is := El("td", Txt("b", l.Is))
			switch {
			case !st.Told() && st.State.Homework():
				is = Say("td.soft", "is told with the feedback")
			case !st.Told():
				is = Say("td.soft", "is told with the run")
			case l.Is == "":
				is = Say("td.soft", "is being computed")
			case l.Right:
				is = El("td", Txt("b.good", "✓ "+l.Is))
			}
			rows = append(rows, El("tr", Txt("th|scope=row", q), El("td", Txt("b", l.Said), Txt("div.mute xs", l.Sure)),
				is))
		}
	}
	kids := []app.UI{Table(".rows answered", "Your answers",
		[]app.UI{Th("Question"), Th("you said"), Th("it is")}, rows)}
	for _, kind := range []string{course.Answers, course.Vote} {
		if e := st.Entry(kind); e != nil {
			kids = append(kids, Txt("p.mute xs|data-test=class-receipt", st.Receipt(e)))
		}
	}
	return card("class-said", title, kids...)
}

// done is what was handed in besides answers, for the report at the end.
func (c *Strip) done() (out []app.UI) {
	st := &c.Student
	if e := st.Entry(course.Sentence); e != nil {
		out = append(out, card("class-why-was", words.T("Why, in your words"), Txt("p", e.Text),
			Txt("p.mute xs", st.Receipt(e))))
	}
	if e := st.Entry(course.Submission); e != nil {
		kids := Each(len(c.Was), func(i int) app.UI { return Txt("p", c.Was[i]) })
		title := words.T("What you changed")
		if c.Assignment.Races() {
			kids = []app.UI{Txt("pre.entered", class.Code(st.Assignment, e.Written)), Txt("p", c.Scored(e, c.Rival))}
			title = words.T("What you wrote")
		}
		out = append(out, card("class-change-was", title, append(kids, Txt("p", st.Outcome(e)),
			Txt("p.mute xs", st.Receipt(e)+" "+class.VerdictText(e.Verdict)))...))
	}
	return out
}

// sentence is why, in a student's own words.
func (c *Strip) sentence() app.UI {
	st := &c.Student
	area := Given(El("textarea.field|id=class-sentence|rows=2|maxlength=500|data-test=class-sentence"), "input",
		func(s string) state.Action { return student.SetSentence{Text: s} })
	kids := []app.UI{El("label|for=class-sentence", Txt("b", class.Say(st.Assignment.Explain))), area,
		c.send("class-send-sentence", words.T("Hand the sentence in"), course.Sentence, "")}
	if e := st.Entry(course.Sentence); e != nil {
		kids = append(kids, El("p.soft|data-test=class-said-why", Text("“"+e.Text+"” "+st.Receipt(e))))
	}
	return El("div.classcard", append(kids, elm.Hook(sentenceText(st.Sentence)))...)
}

// sentenceText is the draft of the sentence.
type sentenceText string

// After keeps the sentence's field at the draft: as an attribute it would lose the space at its end.
func (v sentenceText) After() {
	if area := app.Window().GetElementByID("class-sentence"); area.Truthy() && area.Get("value").String() != string(v) {
		area.Set("value", string(v))
	}
}

// vote asks again.
func (c *Strip) vote() app.UI {
	st := &c.Student
	var kids []app.UI
	for _, q := range st.Again() {
		now := st.Answer(q.ID)
		radio := func(name, value, label string, chosen bool, a state.Action) app.UI {
			in := Set(El("input|type=radio"), "name", "vote-"+name+q.ID, "value", value, "checked", OnOff(chosen),
				"data-test", "vote-"+name)
			return El("label", elm.On(in, "change", Act(a), name, q.ID, value), Text(" "+label))
		}
		options := Each(len(q.Options), func(i int) app.UI {
			o := &q.Options[i]
			return radio("", o.ID, class.Say(o.Text), now.Option == o.ID, student.SetVote{Question: q.ID, Option: o.ID})
		})
		sure := Each(5, func(i int) app.UI {
			return radio("sure-", Itoa(i+1), Itoa(i+1), now.Sure == i+1, student.SetVote{Question: q.ID, Sure: i + 1})
		})
		kids = append(kids, El("fieldset", append([]app.UI{Txt("legend", class.Say(q.Text))}, options...)...),
			El("fieldset.sure", append([]app.UI{Say("legend", "How sure are you, 1 a guess, 5 certain?")}, sure...)...))
	}
	kids = append(kids, c.send("class-send-vote", words.T("Commit my second answer"), course.Vote, ""))
	return card("class-vote", words.T("Answer again"), kids...)
}

// task is what is to be changed, what is, and whether that can be handed in.
func (c *Strip) task() app.UI {
	st := &c.Student
	if st.Assignment.Races() {
		return c.race()
	}
	list := Each(len(c.Edits), func(i int) app.UI { return Txt("li|data-test=class-edit", c.Edits[i]) })
	count := words.F("{0} changes", Itoa(len(c.Edits)))
	if len(c.Edits) == 1 {
		count = words.T("1 change")
	}
	kids := []app.UI{Txt("p.wanted", class.Say(st.Assignment.Task.Text)),
		Txt("p.mute xs|data-test=class-win", st.WinMeans()),
		El("div.edits", Txt("b|data-test=class-changes", count), El("ul", list...)),
		El("div.acts", Button(".btn|data-test=class-change", "Change one thing", "change", state.ChangeOne{}),
			Set(Button(".btn|data-test=class-restart", "Start again", "again", student.RestartTask{}), "disabled",
				Flag(len(c.Edits) == 0))),
		c.send("class-submit", words.T("Submit this change"), course.Submission, c.Why)}
	if e := st.Entry(course.Submission); e != nil {
		kids = append(kids, El("p|data-test=class-submission", Txt("b", st.Outcome(e)), Text(" "+st.Receipt(e)+" "),
			Set(Txt("span", class.VerdictText(e.Verdict)), "data-verdict", e.Verdict, "hidden", Flag(st.Alone()))),
			Say("p.mute xs", "Change it again, and the latest counts."))
	}
	return card("class-task", words.T("The task"), kids...)
}

// race is what is to be written, what the score is, and what the last attempt came to.
func (c *Strip) race() app.UI {
	st := &c.Student
	kids := []app.UI{Txt("p.wanted", class.Say(st.Assignment.Task.Text)),
		Txt("p.mute xs|data-test=race-means", class.RaceMeans(st.Assignment, c.Rival)),
		El("div.acts", Button(".btn|data-test=race-write", "Write your lane", "write",
			state.ShowPlace{Path: c.Own, Form: true}),
			Button(".btn|data-test=class-restart", "Start again", "again", student.RestartTask{}),
			Txt("span.soft|data-test=race-left", words.Count(st.TriesLeft(), "{0} attempt left", "{0} attempts left",
				Itoa(st.TriesLeft())))),
		c.send("class-submit", words.T("Hand it in"), course.Submission, c.Why)}
	if e := st.Entry(course.Submission); e != nil {
		kids = append(kids, El("p|data-test=class-submission", Txt("b", st.Outcome(e)),
			Text(" "+c.Scored(e, c.Rival)+" "), Text(st.Receipt(e)+" "),
			Set(Txt("span", class.VerdictText(e.Verdict)), "data-verdict", e.Verdict)),
			Say("p.mute xs", "Hand in another, and the latest counts."))
	}
	return card("class-task", words.T("The task"), kids...)
}

// next goes on at one's own pace, where the class has no server.
func (c *Strip) next() app.UI {
	st, kind := &c.Student, "primary"
	unsent := st.Changes() && st.Entry(course.Submission) == nil
	if unsent {
		kind = ""
	}
	return El("div.acts", Set(elm.On(Txt("button.btn|type=button|data-test=class-next",
		nextSays(st.Assignment.Next(st.State.Phase))), "click", Act(student.NextPhase{})), "data-kind", kind),
		Set(Say("span.soft|data-test=class-unsent", "You have kept no change yet."), "hidden", Flag(!unsent)))
}

// handIn is what a class without a server has at its end.
func (c *Strip) handIn() app.UI {
	whole := platform.Home() + student.HandInLink(&c.Student, c.Engine)
	grade, about := link.Grade(len(whole))
	travels := about.In(words.Now())
	if far := Loopback(whole); far && (grade == "qr" || grade == "anywhere") {
		travels = ""
	}
	return El("div.classcard|data-test=class-handin",
		Say("p", "Give your teacher the file or the link. Both hold your answers, your sentence and your change, and no name but the one you were given."),
		El("label", Say("span", "Private tag"), Given(Set(El("input.field|type=text|maxlength=40|autocomplete=off|autocapitalize=none|spellcheck=false|data-test=class-tag"),
			"value", c.Me.Tag), "change", func(value string) state.Action { return student.SetTag{Text: value} })),
		Say("p.mute xs", "Only one that your teacher handed out, so that results can be matched. Never your name."),
		El("div.acts", Button(".btn|data-kind=primary|data-test=class-handin-file", "Save the hand-in file", "file",
			student.SaveHandIn{})),
		CopyRow("class-handin-link", words.T("Link"), whole, "", c.Copied), Txt("p.mute xs", travels), Local(whole))
}

// nextSays leads to a phase.
func nextSays(p course.Phase) string {
	return map[course.Phase]string{course.Discuss: words.T("Next: answer again"),
		course.Change: words.T("Next: change one thing"), course.Closed: words.T("Next: hand in")}[p]
}

// bars are how the class answered a question: sure solid, fairly sure hatched, a guess empty.
func (c *Strip) bars(t *course.QuestionTally) app.UI {
	q := c.Assignment.Question(t.ID)
	if q == nil {
		return El("span|hidden=true")
	}
	of := func(o *course.OptionTally) [5]int { return o.Sure }
	title := words.T("How the class answered")
	st := &c.Student
	if t.Voted > 0 && (st.Entry(course.Vote) != nil || st.State.Phase != course.Discuss) { // not before one's own
		of, title = func(o *course.OptionTally) [5]int { return o.Vote }, words.T("How the class answers now")
	}
	top := 1
	for i := range t.Options {
		n := of(&t.Options[i])
		top = max(top, n[0]+n[1]+n[2]+n[3]+n[4])
	}
	rows := Each(len(t.Options), func(i int) app.UI {
		n := of(&t.Options[i])
		parts := [3]int{n[3] + n[4], n[2], n[0] + n[1]}
		total := words.F("{0} sure, {1} fairly, {2} guess", Itoa(parts[0]), Itoa(parts[1]), Itoa(parts[2]))
		count := Itoa(parts[0] + parts[1] + parts[2])
		if t.Right == t.Options[i].ID {
			count += " ✓ " + words.T("right")
		}
		return Set(El("tr", Txt("th|scope=row", class.OptionText(q, t.Options[i].ID)), El("td", app.Raw(bar(parts, top,
			total))), Txt("td.num", count)), "data-right", Flag(t.Right == t.Options[i].ID))
	})
	return Set(card("class-bars", class.Say(q.Text), Txt("p.soft", title), Table(".rows", "How the class answered",
		[]app.UI{Th("Answer"), Th("Confidence"), ThNum("Students")}, rows)), "data-question", t.ID)
}

// bar is a row of counts as lengths, of top in all.
func bar(parts [3]int, top int, says string) string {
	out := `<svg class="votes" width="100%" height="18" role="img" aria-label="` + draw.Escape(says) + `">`
	at := 0
	for i, n := range parts {
		if n > 0 {
			percent := func(n int) string { return strconv.FormatFloat(float64(n*100)/float64(top), 'f', 2, 64) + "%" }
			out += `<rect data-sure="` + Itoa(i) + `" x="` + percent(at) + `" width="` + percent(n) +
				`" y="1" height="16"></rect>`
		}
		at += n
	}
	return out + "</svg>"
}
