package board

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/run"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Wall is one picture of a class for the whole room.
type Wall struct {
	Of      *teach.Board
	Picture class.Picture
	Base    *run.Result // the assignment's lanes, nil = they have not run yet
	Changed *run.Result // those of the change that is shown
	Why     string
	Upto    float64 // share of the time axis that is seen
	Parts   bool    // the lanes have come to where they part
	Boot    *room.Boot
	Origin  string
	Lost    bool
	Over    bool
	Problem string
	Left    int64
	Timed   bool
	Ahead   bool                 // a homework has not opened, or
	Past    bool                 // has closed
	Larger  []message.SweepPoint // of the larger run, nil = they are not here
}

// WallOf is what stands on the wall now.
func WallOf(m *board.Model) *Wall {
	b := m.Wall()
	w := &Wall{Of: b, Picture: b.State.Wall.Picture(b.State.Phase), Boot: m.Boot, Origin: origin(), Lost: m.Lost(),
		Over: m.Over, Problem: m.Problem}
	now := m.ServerMS()
	w.Left, w.Timed = b.Left(now)
	w.Ahead, w.Past = b.State.Ahead(now), b.State.Over(now)
	w.Larger = m.Larger.Of(b.State.LargerRun)
	if s := &m.Stage; s.Base != nil {
		w.Base, w.Changed, w.Why = s.Base, s.Changed, s.Why
		w.Upto, w.Parts = s.Upto(m.ClockMS)
	}
	return w
}

// Render draws the picture.
func (w *Wall) Render() app.UI {
	b := w.Of
	var kids []app.UI
	switch {
	case w.Over || b.Assignment == nil && w.Problem != "":
		kids = []app.UI{Txt("h1", w.Problem)}
	case b.Assignment == nil:
		kids = []app.UI{Say("h1", "Loading the class")}
	default:
		kids = append(w.picture(), w.foot())
	}
	if w.Lost {
		kids = append(kids, Say("p.lost|data-test=wall-lost",
			"The server cannot be reached. The wall goes on by itself when it is back."))
	}
	return Set(El("main.wall|id=main|data-test=wall|tabindex=-1", kids...), "data-picture", string(w.Picture),
		"data-larger", Itoa(b.State.Wall.Larger), "data-phase", string(b.State.Phase))
}

func (w *Wall) picture() []app.UI {
	switch w.Picture {
	case class.JoinPicture:
		return w.join()
	case class.VotesPicture:
		return w.votes()
	case class.LanesPicture:
		return w.lanes()
	case class.SentencePicture:
		return []app.UI{Txt("h1", teach.Say(w.Of.Assignment.Explain)),
			El("p.quote|data-test=wall-sentence", Text("“"+w.Of.State.Wall.Sentence+"”"))}
	case class.TaskPicture:
		return w.task()
	case class.ChangesPicture:
		return w.changes()
	case class.ChangePicture:
		return w.change()
	case class.LargerPicture:
		return w.larger()
	case class.LearnedPicture:
		return w.learned()
	}
	return w.question()
}

// mostNames is how many names stand on a wall; the others are counted.
const mostNames = 60

// join is how one joins, and who has.
func (w *Wall) join() []app.UI {
	b := w.Of
	at := w.joinsAt()
	shown, n := []string{}, 0
	if b.Scene != nil {
		n = len(b.Scene.Names)
		shown = b.Scene.Names[:min(n, mostNames)]
	}
	names := Each(len(shown), func(i int) app.UI { return Txt("li", shown[i]) })
	if n > len(shown) {
		names = append(names, Txt("li.more", words.F("and {0} more", Itoa(n-len(shown)))))
	}
	return []app.UI{Txt("h1", teach.Say(b.Assignment.Title)),
		El("div.ways", El("div", El("p", Text(words.T("Join at")+" "), Bold(address(at))),
			Txt("p.codeword|data-test=wall-code", inFours(b.Code)), w.hours()), app.Raw(QRCode(at+"/join#"+b.Code))),
		El("ul.names|data-test=wall-names", names...)}
}

// joinsAt is the origin at which phones reach the server.
func (w *Wall) joinsAt() string {
	if Loopback(w.Origin) && len(w.Of.Joins) > 0 {
		return w.Of.Joins[0]
	}
	return w.Origin
}

// question is the situation, and what is asked; first votes with it once they are shown.
func (w *Wall) question() []app.UI {
	a := w.Of.Assignment
	q := a.QuestionOn(&w.Of.State.Wall)
	if q == nil {
		return []app.UI{Txt("h1", teach.Say(a.Title)), w.situation()}
	}
	t, first := w.firsts(q)
	options := Each(len(q.Options), func(i int) app.UI {
		o := &q.Options[i]
		kids := []app.UI{Bold(letter(i)), El("span", Text(teach.Say(o.Text)), Txt("small", teach.Say(o.Note)))}
		if first > 0 {
			kids = append(kids, El("p|data-test=wall-share", share(t.Options[i].Count(), first)...))
		}
		return El("li", kids...)
	})
	few, says := len(a.Document().Scenario.Jobs) <= fewJobs && len(q.Options) <= fewJobs, ""
	if few && first == 0 { // else the numbers have its room
		says = teach.Say(a.Situation)
	}
	return []app.UI{Txt("h1|data-test=wall-question", teach.Say(q.Text)),
		Set(El("div.two", w.situation(), El("div", El("ol.opts", options...), Txt("p.says", says))), "data-few",
			Flag(few))}
}

// firsts are the first votes on a question, and how many they are: none before the teacher reveals them.
func (w *Wall) firsts(q *class.Question) (t *class.QuestionTally, n int) {
	if !w.Of.Revealed(q.ID) {
		return nil, 0
	}
	t = &w.Of.Tally.Questions[slices.IndexFunc(w.Of.Assignment.Questions,
		func(o class.Question) bool { return o.ID == q.ID })]
	for i := range t.Options {
		n += t.Options[i].Count()
	}
	return t, n
}

// fewJobs is of how many jobs and options there is room for large ones.
const fewJobs = 4

// mostJobs is of how many jobs a wall has the lengths; the others are counted.
const mostJobs = 6

// letter names an option.
func letter(i int) string { return string(rune('A' + i)) }

// situation draws what the assignment's scenario is: nodes with their GPUs and speeds, jobs with their lengths.
func (w *Wall) situation() app.UI {
	doc := w.Of.Assignment.Document()
	s := &doc.Scenario
	types := edit.Types(doc)
	rows := alike(s.Cluster.Nodes)
	nodes := Each(len(rows), func(i int) app.UI {
		n, times := rows[i][0], ""
		kids := []app.UI{Bold(n.ID)}
		if last := len(rows[i]) - 1; last > 0 {
			kids, times = []app.UI{Bold(n.ID + "–" + rows[i][last].ID)}, Itoa(last+1)+" × "
		}
		for _, t := range types {
			if n.GPUs[t] > 0 {
				kids = append(kids, El("span.gpus", append(Each(min(n.GPUs[t], 8), func(int) app.UI {
					return MarkOf(types, t)
				}), Text(" "+times+Itoa(n.GPUs[t])+" "+figure.TypeTitle(t)))...))
			}
		}
		return El("li", kids...)
	})
	if s.Generator != nil {
		return El("div.case|data-test=wall-case", El("ul.nodes", nodes...), El("ul.jobs", drawn(doc)...),
			w.speeds(types))
	}
	most := 1.0
	for i := range s.Jobs {
		most = max(most, s.Jobs[i].Steps)
	}
	names := make([]string, len(s.Jobs))
	for i := range s.Jobs {
		names[i] = s.Jobs[i].ID
	}
	looks := chart.Looks(names)
	jobs := Each(min(len(s.Jobs), mostJobs), func(i int) app.UI {
		j := &s.Jobs[i]
		asks := words.F("{0}, {1} steps", figure.Count(words.Now(), j.GPUs, "{0} GPU", "{0} GPUs"),
			edit.FormatNumber(j.Steps))
		if j.ArrivalS > 0 {
			after := figure.Sig(words.Now(), j.ArrivalS/60, 3) + "\u00a0min"
			if j.ArrivalS < 120 {
				after = edit.FormatNumber(j.ArrivalS) + "\u00a0s"
			}
			asks += ", " + words.F("comes after {0}", after)
		}
		return El("li", Bold(j.ID), HuedBar(looks[i].Hue, j.Steps/most), Txt("span", asks))
	})
	if n := len(s.Jobs) - len(jobs); n > 0 {
		jobs = append(jobs, Txt("li.more", words.F("and {0} more", Itoa(n))))
	}
	return El("div.case|data-test=wall-case", El("ul.nodes", nodes...), El("ul.jobs", jobs...), w.speeds(types))
}

// alike are nodes in rows: one each or, of more than there is room for, neighbours with the same GPUs.
func alike(nodes []scenario.Node) (rows [][]scenario.Node) {
	for _, n := range nodes {
		if k := len(rows) - 1; len(nodes) > mostJobs && k >= 0 && maps.Equal(rows[k][0].GPUs, n.GPUs) {
			rows[k] = append(rows[k], n)
		} else {
			rows = append(rows, []scenario.Node{n})
		}
	}
	return rows
}

// drawn are the jobs that a scenario draws, counted by how many GPUs they want, the fewest first.
func drawn(doc *scenario.Document) []app.UI {
	of, most := map[int]int{}, 1
	for _, j := range scenario.Freeze(doc).Scenario.Jobs {
		of[j.GPUs]++
		most = max(most, of[j.GPUs])
	}
	sizes := slices.Sorted(maps.Keys(of))
	return Each(len(sizes), func(i int) app.UI {
		n := of[sizes[i]]
		return El("li", Bold(Itoa(n)+" ×"), HuedBar(1, float64(n)/float64(most)),
			Txt("span", figure.Count(words.Now(), sizes[i], "{0} GPU", "{0} GPUs")))
	})
}

// speeds are those of one GPU, by model and type.
func (w *Wall) speeds(types []string) app.UI {
	rows := w.Of.Assignment.Document().Scenario.Throughputs.Rows
	if len(rows) == 0 {
		return El("ul|hidden=true")
	}
	const most = 3
	list := Each(min(len(rows), most), func(i int) app.UI {
		r := &rows[i]
		var of []string
		fast := slices.Clone(types)
		unit.Sort(fast, func(a, b string) int { return cmp.Compare(r.PerGPU[b], r.PerGPU[a]) })
		for _, t := range fast {
			if v := r.PerGPU[t]; v > 0 {
				of = append(of, figure.TypeTitle(t)+" "+figure.Sig(words.Now(), v, 3))
			}
		}
		says := strings.Join(of, ", ")
		if len(rows) > 1 {
			says = r.Model + ": " + says
		}
		return Txt("li", says)
	})
	return El("ul.speeds", append([]app.UI{Say("li", "Steps/s of one GPU")}, list...)...)
}

// votes are the answers to a question: first votes and, from the run on, the second and what is right.
func (w *Wall) votes() []app.UI {
	b := w.Of
	q := b.Assignment.QuestionOn(&b.State.Wall)
	if q == nil {
		return w.question()
	}
	heading := Txt("h1|data-test=wall-question", teach.Say(q.Text))
	t, first := w.firsts(q)
	if t == nil {
		return []app.UI{heading, Say("p.big", "The answers are hidden until they are revealed.")}
	}
	return []app.UI{heading, w.tally(q, t, first)}
}

// tally is a row an option: how many of first voters chose it, and how many then.
func (w *Wall) tally(q *class.Question, t *class.QuestionTally, first int) app.UI {
	then := 0
	for i := range t.Options {
		then += t.Options[i].Votes()
	}
	rows := Each(len(q.Options), func(i int) app.UI {
		o, n := &q.Options[i], &t.Options[i]
		lines := []app.UI{El("p", append([]app.UI{Say("small", "first vote")}, share(n.Count(), first)...)...)}
		if then > 0 {
			lines = append(lines, El("p|data-second=true", append([]app.UI{Say("small", "second vote")},
				share(n.Votes(), then)...)...))
		}
		head := []app.UI{Bold(letter(i)), Txt("span", teach.Say(o.Text))}
		if t.Right == o.ID {
			head = append(head, Say("b.right", "✓ right"))
		}
		return Set(El("li", El("h2", head...), El("div", lines...)), "data-right", Flag(t.Right == o.ID))
	})
	return El("div.tally", El("ul|data-test=wall-votes", rows...),
		Txt("p.gained|data-test=wall-gained", w.Of.Gained(t)))
}

// share is a count as a bar, a number and a share of all.
func share(n, of int) []app.UI {
	part := float64(n) / float64(max(of, 1))
	return []app.UI{HuedBar(0, part), Bold(Itoa(n)), Txt("span", figure.Percent(words.Now(), part))}
}

// lanes are the class's lanes side by side, up to where they have grown, and why they part.
func (w *Wall) lanes() []app.UI {
	r := w.Base
	if r == nil {
		return []app.UI{Say("h1", "The run is being computed."), w.situation()}
	}
	kids := []app.UI{}
	switch {
	case !w.Parts && r.Diff.First >= 0:
		kids = append(kids, Say("h1", "Watch where the two part."))
	case w.Upto < 1:
		kids = append(kids, Txt("h1|data-test=wall-parts", r.Finding.Because))
	default:
		kids = append(kids, Txt("h1|data-test=wall-claim", r.Finding.Claim))
	}
	kids = append(kids, w.stage(r, nil, w.Upto))
	if claim, rest := Lead(w.Why); w.Parts && claim != "" {
		kids = append(kids, El("p.why|data-test=wall-why", Chip(r, r.TellingJob()), Text(" "), Bold(claim),
			Text(rest)))
	}
	return kids
}

// stageLanes is how many lanes a wall draws, the first of those that there are. Of three that are not flat enough to
// lie above each other a wall shows two, unless it is very wide (wall.css): a third of its width is too narrow for
// letters that are read.
const stageLanes = 3

// stage is a result's lanes side by side on one axis, seen up to a share of it, with outlines of where bars stood in an
// earlier run.
func (w *Wall) stage(r, was *run.Result, upto float64) app.UI {
	axis := r.Both(was)
	u := axis.Unit
	says := func(l *run.Lane) string {
		if l.Meta.Metrics.AvgJCTS <= 0 { // no job has finished
			return ""
		}
		return words.F("mean {0} {2}, last {1} {2}", u.Seconds(words.Now(), l.Meta.Metrics.AvgJCTS),
			u.Seconds(words.Now(), l.Meta.Metrics.MakespanS), u.Short)
	}
	a := w.Of.Assignment
	var pictures []*draw.Picture
	var captions []app.UI
	for i, l := range r.Lanes {
		if len(pictures) == stageLanes {
			break
		}
		if l.Trace == nil || a.Races() && l.Meta.Policy == a.Task.Winner { // what is not written yet shows nothing
			continue
		}
		p := &draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: &axis, Policy: l.Meta.Policy,
			Title: l.Title}
		facts := []app.UI{Bold(l.Title)}
		if upto >= 1 {
			facts = append(facts, Txt("span", says(l)))
		}
		if was != nil && was.Lanes[i].Trace != nil {
			p.Was = &draw.Ghost{Lane: was.Lanes[i].Chart, Trace: was.Lanes[i].Trace}
			facts = append(facts, Txt("small", words.F("before: {0}", says(was.Lanes[i]))))
		}
		pictures, captions = append(pictures, p), append(captions, El("figcaption", facts...))
	}
	drawn, over := draw.StageSVGs(words.Now(), pictures, upto)
	if two := pictures[:min(len(pictures), 2)]; len(two) < len(pictures) && !over {
		if both, flat := draw.StageSVGs(words.Now(), two, upto); flat {
			drawn, over = both, flat
		} else {
			drawn, over = draw.StageSVGs(words.Now(), pictures, upto)
		}
	}
	lanes := Each(len(drawn), func(i int) app.UI {
		kids := []app.UI{captions[i], app.Raw(drawn[i])}
		if pictures[i].Lane.Numbered() {
			kids = append(kids, Say("small",
				"Numbers in bars: steps of a copy in a round. Knots: copies are merged."))
		}
		return El("figure|data-test=wall-lane", kids...)
	})
	return Set(El("div.stage", lanes...), "data-over", Flag(over))
}

// task is what is to be changed, beside the lanes as they are.
func (w *Wall) task() []app.UI {
	t := w.Of.Assignment.Task
	if t == nil {
		return w.lanes()
	}
	kids := []app.UI{Txt("h1|data-test=wall-task", teach.Say(t.Text))}
	if w.Base != nil {
		kids = append(kids, w.stage(w.Base, nil, 1))
	}
	return kids
}

// mostChanges is how many rows of what was changed stand on a wall.
const mostChanges = 7

// change is the lanes of one change, with outlines of the first ones.
func (w *Wall) change() []app.UI {
	shown := w.Of.Shown()
	if shown == nil || w.Changed == nil {
		return w.changes()
	}
	return []app.UI{El("h1|data-test=wall-change", Text(w.Boot.Values(w.Of.Assignment).Edits(shown)+" "),
		Say("small", "Outlines are the bars before the change.")), w.stage(w.Changed, w.Base, 1)}
}

// changes are what was changed, by how many, and who won.
func (w *Wall) changes() []app.UI {
	b := w.Of
	t := b.Assignment.Task
	if t == nil {
		return w.lanes()
	}
	if b.Assignment.Races() {
		return w.race()
	}
	v := w.Boot.Values(b.Assignment)
	winner := w.Boot.PolicyTitle(t.Winner)
	kids := []app.UI{Txt("h1|data-test=wall-lesson", b.Lesson(v, winner))}
	all := b.Changed(v)
	rows := Each(min(len(all), mostChanges), func(i int) app.UI {
		c := &all[i]
		mark := ""
		if c.Wins {
			mark = " ✓"
		}
		says := c.Says + " × " + Itoa(c.Same)
		if brief, _ := teach.RoundEffect(); c.Rounds {
			says += " (" + brief + ")"
		}
		return Set(El("li", Bold(c.Name), Txt("span", says), Txt("span", c.Gap+mark),
			Txt("span", words.F("{0}, {1} won", Itoa(c.People), Itoa(c.Works)))), "data-works", Flag(c.Wins))
	})
	shown := len(rows)
	if shown > 0 {
		one, base := b.Sides(w.Boot.WholeTitle)
		rows = slices.Insert(rows, 0, El("li.head", Say("span", "Value"), Say("span", "Change × people"),
			Txt("span", words.F("{0} against {1}", one, base)+", "+words.T("✓ = wins")), Say("span", "Tried")))
	}
	if n := len(all) - shown; n > 0 {
		rows = append(rows, Txt("li.more", words.F("and {0} more", Itoa(n))))
	}
	return append(kids, El("ol.rank|data-test=wall-changes", rows...))
}

// mostOnPodium is how many names stand beside a score.
const mostOnPodium = 6

// learned is what the class knows now, and who did best.
func (w *Wall) learned() []app.UI {
	b := w.Of
	kids := []app.UI{Txt("h1", teach.Say(b.Assignment.Goal))}
	places := teach.Places(b, w.Boot.PolicyTitle)
	if slices.ContainsFunc(places, func(p teach.Place) bool { return p.Code != "" }) {
		return w.best(places)
	}
	var facts []app.UI
	for i := range b.Tally.Questions {
		if says := b.Gained(&b.Tally.Questions[i]); says != "" {
			facts = append(facts, El("li", Txt("span", teach.Say(b.Assignment.Questions[i].Text)), Bold(says)))
		}
	}
	if w.Base != nil {
		facts = append(facts, El("li", Txt("span", w.Base.Finding.Claim)))
	}
	kids = append(kids, El("ul.known|data-test=wall-facts", facts...))
	if b.Scene == nil || len(b.Scene.Podium) == 0 {
		return kids
	}
	podium := Each(len(b.Scene.Podium), func(i int) app.UI {
		p := &b.Scene.Podium[i]
		names := strings.Join(p.Names[:min(len(p.Names), mostOnPodium)], ", ")
		if n := len(p.Names) - mostOnPodium; n > 0 {
			names += " " + words.F("and {0} more", Itoa(n))
		}
		return El("li", Bold(words.F("{0} of {1} points", Itoa(p.Score), Itoa(p.Most))), Txt("span", names))
	})
	return append(kids, El("ol.podium|data-test=wall-podium", podium...))
}

// foot says how one joins, and how many have done what the phase asks.
func (w *Wall) foot() app.UI {
	b := w.Of
	n := &b.State.Counts
	var kids []app.UI
	if w.Picture != class.JoinPicture && !b.Local() && b.State.Phase != class.Closed {
		kids = append(kids, El("span", Text(address(w.joinsAt())+" "), Bold(inFours(strings.ToUpper(b.Code)))))
	}
	if r := b.State.LargerRun; r.Lives() && w.Picture != class.LargerPicture {
		kids = append(kids, Txt("span|data-test=wall-larger", teach.LargerProgress(r)))
	}
	did, of, says := n.Joined, 0, ""
	switch {
	case b.Local() || w.Picture == class.LearnedPicture:
	case b.State.Phase == class.Homework:
		says = homeworkWords(*n)
	case w.Picture == class.JoinPicture:
		says = words.F("{0} joined", Itoa(n.Joined))
	case b.State.Phase == class.Predict:
		did, of, says = n.Committed, n.Joined, words.Count(n.Committed, "{0} of {1} has answered",
			"{0} of {1} have answered", Itoa(n.Joined))
	case b.State.Phase == class.VoteAgain || b.State.Phase == class.Discuss && b.Assignment.Votes() == class.Discuss:
		did, of, says = n.Voted, n.Joined, words.Count(n.Voted, "{0} of {1} has answered again",
			"{0} of {1} have answered again", Itoa(n.Joined))
	case b.State.Phase == class.Discuss:
		says = words.T("Now discuss with your neighbours.")
	case b.State.Phase == class.Run && b.Assignment.Explain != "":
		did, of, says = n.Explained, n.Joined, words.Count(n.Explained, "{0} of {1} has written why",
			"{0} of {1} have written why", Itoa(n.Joined))
	case b.State.Phase == class.Change:
		did, of, says = n.Submitted, n.Joined, words.Count(n.Submitted, "{0} of {1} has submitted",
			"{0} of {1} have submitted", Itoa(n.Joined))
	}
	if of > 0 {
		kids = append(kids, El("i.done|aria-hidden=true", HuedBar(0, float64(min(did, of))/float64(of))))
	}
	kids = append(kids, Txt("b.count|data-test=wall-count", says))
	if w.Timed {
		kids = append(kids, Set(Txt("b.clock", teach.Clock(w.Left)), "data-over", Flag(w.Left < 0)))
	}
	return El("footer", kids...)
}

// Remote is what drives the walls.
type Remote struct {
	Of   *teach.Board
	Boot *room.Boot
	Back bool
	Here bool // the wall stands in place of the board
	Wall bool // this page is a wall
	// SureNext says that a second press goes on to the next phase, though answers that it ends are out.
	SureNext bool
	// Problem is why the last thing was not done, where nothing else on the page says it.
	Problem string
}

// titles of pictures.
func pictureTitle(p class.Picture) string {
	return map[class.Picture]string{class.JoinPicture: words.T("How to join"),
		class.QuestionPicture: words.T("Question"), class.VotesPicture: words.T("Votes"),
		class.LanesPicture: words.T("Lanes"), class.SentencePicture: words.T("Sentence"),
		class.TaskPicture: words.T("Task"), class.ChangesPicture: words.T("What was changed"),
		class.ChangePicture: words.T("Lanes of a change"), class.LargerPicture: words.T("Larger run"),
		class.LearnedPicture: words.T("What was learned")}[p]
}

// Render draws the remote.
func (r *Remote) Render() app.UI {
	b := r.Of
	now := b.State.Wall
	picture := now.Picture(b.State.Phase)
	put := func(label, test string, w class.Wall, on bool) app.UI {
		return Set(Button(".btn", label, test, board.PutUp{Wall: w}), "data-test", "wall-"+test, "aria-pressed",
			OnOff(on))
	}
	var pictures []app.UI
	for _, p := range class.Pictures {
		if p == class.SentencePicture || p.Tells() && !b.State.Tells() || b.Assignment.Task == nil &&
			(p == class.TaskPicture || p.Changes()) || b.Local() && p == class.JoinPicture ||
			p == class.VotesPicture && b.State.Phase == class.Homework ||
			b.Assignment.Races() && p == class.ChangePicture ||
			p == class.LargerPicture && !b.State.LargerRun.Lives() && !b.State.LargerRun.Ended() {
			continue // a sentence is picked where they are listed
		}
		w := class.Wall{Shows: p, Question: now.Question, Larger: now.Larger}
		title := pictureTitle(p)
		if p == class.ChangesPicture && b.Assignment.Races() {
			title = words.T("Places")
		}
		pictures = append(pictures, put(title, string(p), w, p == picture))
	}
	kids := []app.UI{El("div.seg|role=group|aria-label=Picture on the wall", pictures...)}
	with := func(change func(*class.Wall)) class.Wall {
		w := now
		change(&w)
		return w
	}
	if q := b.Assignment.QuestionOn(&now); q != nil && len(b.Assignment.Questions) > 1 &&
		(picture == class.QuestionPicture || picture == class.VotesPicture) {
		numbers := Each(len(b.Assignment.Questions), func(i int) app.UI {
			id := b.Assignment.Questions[i].ID
			return put(Itoa(i+1), "question-"+Itoa(i+1), with(func(w *class.Wall) { w.Question = id }), id == q.ID)
		})
		kids = append(kids, El("div.seg|role=group|aria-label=Question", numbers...))
	}
	if picture == class.LanesPicture {
		kids = append(kids, put(words.T("On to the end"), "whole", with(func(w *class.Wall) { w.Whole = !w.Whole }),
			now.Whole))
	}
	if picture == class.ChangePicture && len(b.Tally.Tries) > 0 {
		kids = append(kids, r.pick(with))
	}
	size := func(label, test string, by int) app.UI { // both stand always: what comes would move the finger's button
		w := with(func(w *class.Wall) { w.Larger += by })
		return Set(Button(".btn|data-test=wall-"+test, label, test, board.PutUp{Wall: w}), "disabled",
			Flag(w.Larger < 0 || w.Larger > class.MaxLarger))
	}
	kids = append(kids, size("A−", "smaller", -1), size("A+", "larger", 1))
	kids = append(kids, Set(Button(".btn|data-test=wall-back", "Back", "wallback", board.WallBack{}), "disabled",
		Flag(!r.Back)))
	switch {
	case b.Local():
		label := words.T("Show the wall here")
		if r.Here {
			label = words.T("Back to the board")
		}
		kids = append(kids, Button(".btn|data-kind=primary|data-test=wall-here", label, "here", board.WallHere{}))
	case r.Wall:
		if b.State.Phase != class.Closed && !b.State.Homework() && !b.Assists() {
			label, kind, out := nextLabel(b, r.SureNext)
			next := Button(".btn|data-test=wall-next", label, "next",
				board.GoTo{Phase: b.Assignment.Next(b.State.Phase)})
			kids = append(kids, Set(next, "data-kind", kind))
			if r.SureNext && out != "" {
				kids = append(kids, Txt("span|data-test=next-asks", out))
			}
		}
	default:
		kids = append(kids, Set(Say("a.btn|data-kind=primary|target=_blank|data-test=wall-open", "Open the wall"), "href",
			"/#wall="+b.Code))
	}
	kids = append(kids, Txt("span.error|role=status", r.Problem))
	return El("section.remote|data-test=remote|aria-label=On the wall",
		append([]app.UI{Say("h2", "On the wall")}, kids...)...)
}

// pick chooses the change whose lanes are shown: one of each kind.
func (r *Remote) pick(with func(func(*class.Wall)) class.Wall) app.UI {
	b := r.Of
	v := r.Boot.Values(b.Assignment)
	shown := b.Shown()
	var options []app.UI
	for i := range b.Tally.Tries {
		t := &b.Tally.Tries[i]
		same := func(o class.Try) bool { return class.SameChange(o.Edits, t.Edits) }
		if slices.ContainsFunc(b.Tally.Tries[:i], same) {
			continue
		}
		says := v.Edits(t.Edits)
		if t.Works {
			says = "✓ " + says
		}
		options = append(options, Option(Itoa(i), says, class.SameChange(shown, t.Edits)))
	}
	return Given(El("select.field|data-test=wall-change-pick|aria-label=Change on the wall", options...), "change",
		func(value string) room.Action {
			at := min(WholeNumber(value), len(b.Tally.Tries)-1)
			return board.PutUp{Wall: with(func(w *class.Wall) { w.Change = b.Tally.Tries[at].Edits })}
		})
}

// RemoteOf drives the walls of a class from its board, or from a wall whose browser has the key.
func RemoteOf(m *board.Model) *Remote {
	r := &Remote{Of: m.Class, Boot: m.Boot, Back: len(m.Walled) > 0, Here: m.Here, Wall: m.Room == room.Wall,
		SureNext: m.Class.Assignment != nil &&
			m.Leap.Sure(m.Class.State.Phase) == m.Class.Assignment.Next(m.Class.State.Phase)}
	if m.Walls() {
		r.Problem = m.Problem
	}
	return r
}

// wallScreen is the page of a wall.
func wallScreen(m *board.Model) []app.UI {
	kids := []app.UI{elm.Part(WallOf(m))}
	if b := m.Class; b.Assignment != nil && (b.Local() || b.Key != "") && !m.Over {
		kids = append(kids, elm.Part(RemoteOf(m)))
	}
	return kids
}
