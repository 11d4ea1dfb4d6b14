// Package class is the teacher's side of a class as a value: what has come from the students, counted and laid out for
// the board, and the files by which it comes where no server takes classes. It asks for nothing and draws nothing.
package class

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Board is what is known of a class. It is made anew by every change, so that views may compare pointers.
type Board struct {
	Code, Key  string             // of the class on the server; "" = this browser makes the board from files
	Assignment *course.Assignment // nil until it has come
	State      course.State
	Truth      course.Truth
	Students   []course.Student // by number
	Entries    []course.Entry   // as they came
	Base       []course.Lane    // what the unchanged scenario gives
	Verifies   bool             // the server runs submissions again
	GoneMS     int64
	Joins      []string      // origins at which students' devices reach the server, the best first
	Unproved   bool          // nobody saw when answers were given
	Tags       []string      // that alone may join; none = everybody may
	Assistants bool          // there is a key of assistants
	Scene      *course.Scene // what a wall shows of the class, nil = this is no wall
	Tally      course.Tally
	seen       course.Tally // of the revealed questions
}

// Local says that this browser makes the board from files.
func (b *Board) Local() bool { return b.Code == "" }

// Assists says that the board is opened with the assistants' key.
func (b *Board) Assists() bool { return strings.HasPrefix(b.Key, course.AssistantKey) }

// with is a copy that may be changed.
func (b *Board) with(change func(*Board)) *Board {
	n := *b
	change(&n)
	n.count()
	return &n
}

// count counts what has come. Before what is right is told there are first votes alone, and questions that are not
// revealed say nothing of ideas, which would tell it.
func (b *Board) count() {
	a := b.Assignment
	if a == nil {
		return
	}
	b.Tally = a.Tally(b.Truth, b.Students, b.Entries)
	open, tells := *a, b.State.Tells()
	for i := range b.Tally.Questions {
		if !tells {
			b.Tally.Questions[i] = b.Tally.Questions[i].Firsts()
		}
	}
	if b.Scene != nil {
		b.watched()
		b.Tally.Race = b.Scene.Race
	}
	open.Questions = slices.DeleteFunc(slices.Clone(a.Questions),
		func(q course.Question) bool { return !tells || !b.Revealed(q.ID) })
	b.seen = open.Tally(b.Truth, b.Students, b.Entries)
}

// watched takes what a wall shows in place of what it would count.
func (b *Board) watched() {
	n := b.State.Counts
	b.Tally.Joined, b.Tally.Committed, b.Tally.Voted, b.Tally.Submitted = n.Joined, n.Committed, n.Voted, n.Submitted
	for i := range b.Tally.Questions {
		t := &b.Tally.Questions[i]
		if k := slices.IndexFunc(b.Scene.Tallies, func(s course.QuestionTally) bool { return s.ID == t.ID }); k >= 0 {
			*t = b.Scene.Tallies[k]
		}
	}
}

// Watch takes what a wall shows.
func (b *Board) Watch(scene *course.Scene) *Board {
	return b.with(func(n *Board) {
		n.Scene, n.State, n.Joins, n.Students, n.Entries = scene, scene.State, scene.Joins, nil, scene.Tries
		for i := range scene.Tries {
			n.Students = append(n.Students, course.Student{N: scene.Tries[i].Student})
		}
	})
}

// PutUp puts something on the wall of a board without a server.
func (b *Board) PutUp(w course.Wall) *Board { return b.with(func(n *Board) { n.State.Wall = w }) }

// HearLarger takes how the larger run of the class stands.
func (b *Board) HearLarger(r *course.LargerRun) *Board {
	return b.with(func(n *Board) { n.State.LargerRun = r })
}

// Shown is the change whose lanes the wall shows: the one that was picked, else the smallest that does the task, else
// the first; none = nobody has submitted.
func (b *Board) Shown() []course.Edit {
	switch t := &b.Tally; {
	case len(b.State.Wall.Change) > 0:
		return b.State.Wall.Change
	case len(t.Smallest) > 0:
		return t.Tries[t.Smallest[0]].Edits
	case len(t.Tries) > 0:
		return t.Tries[0].Edits
	}
	return nil
}

// Hand gives the board its assignment.
func (b *Board) Hand(a *course.Assignment) *Board { return b.with(func(n *Board) { n.Assignment = a }) }

// Take takes what the server says has changed.
func (b *Board) Take(u *course.Update) *Board {
	return b.with(func(n *Board) {
		n.State, n.Verifies, n.GoneMS, n.Joins = u.State, u.Verifies, u.GoneMS, u.Joins
		n.Assistants = u.Assistants
		if u.Tags != nil {
			n.Tags = *u.Tags
		}
		if u.Truth != nil {
			n.Truth = u.Truth
		}
		n.Students, n.Entries = slices.Clone(n.Students), slices.Clone(n.Entries)
		for _, s := range u.Students {
			put(&n.Students, s, func(o *course.Student) bool { return o.N == s.N })
		}
		unit.Sort(n.Students, func(x, y course.Student) int { return cmp.Compare(x.N, y.N) })
		for _, e := range u.Entries {
			put(&n.Entries, e, func(o *course.Entry) bool {
				return o.Student == e.Student && o.Kind == e.Kind && o.AtMS == e.AtMS && o.Text == e.Text
			})
		}
	})
}

// put replaces what is the same row as v, or adds v.
func put[T any](list *[]T, v T, same func(*T) bool) {
	for i := range *list {
		if same(&(*list)[i]) {
			(*list)[i] = v
			return
		}
	}
	*list = append(*list, v)
}

// Ran takes what the assignment's own scenario gives, by which the board finds what is right where nobody has said it.
func (b *Board) Ran(lanes []message.Lane) *Board {
	return b.with(func(n *Board) {
		n.Base = course.LanesOf(lanes)
		if len(n.Truth) == 0 {
			n.Truth = n.Assignment.Truth(lanes)
		}
	})
}

// Revealed says whether everybody sees the answers to a question.
func (b *Board) Revealed(question string) bool { return slices.Contains(b.State.Revealed, question) }

// Reveal shows the answers to a question, or hides them again.
func (b *Board) Reveal(question string, on bool) []string {
	list := slices.DeleteFunc(slices.Clone(b.State.Revealed), func(q string) bool { return q == question })
	if on {
		list = append(list, question)
	}
	return list
}

// Early says that some of who joined may still answer.
func (b *Board) Early() bool {
	return !b.State.Tells() && b.Tally.Committed < max(b.Tally.Joined, 1)
}

// Out is how many have yet to give the answers that end with the run, where a phase begins it: the second where the
// class votes again before, else the first. 0 = a phase ends nothing that is out.
func (b *Board) Out(next course.Phase) int {
	if b.State.Tells() || !next.Tells() {
		return 0
	}
	n := &b.State.Counts
	if b.Assignment.Reached(course.Closed, course.VoteAgain) {
		return max(n.Joined-n.Voted, 0)
	}
	return max(n.Joined-n.Committed, 0)
}

// Show has a board without a server reveal these questions.
func (b *Board) Show(revealed []string) *Board {
	return b.with(func(n *Board) { n.State.Revealed = revealed })
}

// Waiting is the submission that this page should run next, nil = none: the latest of its student, not run again yet.
// What came of it is the teacher's to say.
func (b *Board) Waiting() *course.Entry {
	if b.Verifies || b.Assignment == nil || b.Assists() || b.Assignment.Races() {
		return nil
	}
	for i := range b.Entries {
		e := &b.Entries[i]
		if e.Kind != course.Submission || e.Verdict != "" && e.Verdict != course.Pending || b.removed(e.Student) {
			continue
		}
		if !slices.ContainsFunc(b.Entries, func(o course.Entry) bool {
			return o.Kind == course.Submission && o.Student == e.Student && o.AtMS > e.AtMS
		}) {
			return e
		}
	}
	return nil
}

// Remove takes a student out of a board without a server.
func (b *Board) Remove(student int) *Board {
	return b.with(func(n *Board) {
		n.Students = slices.Clone(n.Students)
		for i := range n.Students {
			if n.Students[i].N == student {
				n.Students[i].Removed = true
			}
		}
	})
}

// Arrival is a minute in which students joined, and how many are in the class who joined then or later.
type Arrival struct {
	SinceMS  int64
	Students int
}

// Arrivals are the minutes in which those joined who are in the class, the latest first.
func (b *Board) Arrivals() (out []Arrival) {
	var minutes []int64
	for i := range b.Students {
		if s := &b.Students[i]; !s.Removed {
			minutes = append(minutes, s.JoinedMS/60_000)
		}
	}
	unit.Sort(minutes, func(a, b int64) int { return cmp.Compare(b, a) })
	for i, m := range minutes {
		if n := len(out); n == 0 || out[n-1].SinceMS != m*60_000 {
			out = append(out, Arrival{SinceMS: m * 60_000})
		}
		out[len(out)-1].Students = i + 1
	}
	return out
}

func (b *Board) removed(student int) bool {
	return slices.ContainsFunc(b.Students, func(s course.Student) bool { return s.N == student && s.Removed })
}

// Judge notes what running a submission again gave.
func (b *Board) Judge(seq int64, verdict string, lanes []course.Lane) *Board {
	return b.with(func(n *Board) {
		n.Entries = slices.Clone(n.Entries)
		for i := range n.Entries {
			if e := &n.Entries[i]; e.Seq == seq && e.Kind == course.Submission {
				if e.Verdict = verdict; verdict == course.Verified {
					e.Lanes = lanes
				}
			}
		}
	})
}

// Verdicts counts the latest submissions by verdict.
func (b *Board) Verdicts() map[string]int {
	out := map[string]int{}
	last := map[int]*course.Entry{}
	for i := range b.Entries {
		e := &b.Entries[i]
		if old := last[e.Student]; e.Kind == course.Submission && !b.removed(e.Student) &&
			(old == nil || old.AtMS <= e.AtMS) {
			last[e.Student] = e
		}
	}
	for _, e := range last { // a count: the order is immaterial
		out[cmp.Or(e.Verdict, course.Pending)]++
	}
	return out
}

// Entry finds an entry by its number, nil = there is none.
func (b *Board) Entry(seq int64) *course.Entry {
	i := slices.IndexFunc(b.Entries, func(e course.Entry) bool { return e.Seq == seq })
	if i < 0 {
		return nil
	}
	return &b.Entries[i]
}

// Record is everything that is kept, with the version that found what is right: the page's, engine with the policies
// that have, where the board did. Without names they and the tags are left out.
func (b *Board) Record(engine string, have scenario.Defaults, named bool) *course.Record {
	r := &course.Record{Kind: course.RecordKind, Version: course.Version, Engine: b.State.Engine, Revs: b.State.Revs,
		Assignment: b.Assignment, Truth: b.Truth, Students: slices.Clone(b.Students), Entries: b.Entries,
		Unproved: b.Unproved}
	if r.Engine == "" {
		r.Engine, r.Revs = engine, b.Assignment.Revs(have)
	}
	for i := range r.Students {
		if !named {
			r.Students[i].Name, r.Students[i].Tag = "", ""
		}
	}
	return r
}

// Ideas are those behind answers to revealed questions that were sure and wrong, and of how many people; ok says that a
// question is revealed.
func (b *Board) Ideas() (ideas []course.IdeaTally, people int, ok bool) {
	for _, i := range b.seen.Ideas {
		people += i.People
	}
	return b.seen.Ideas, people, len(b.seen.Questions) > 0
}

// Moves are the changes of mind between the first answers and the second vote.
type Moves struct {
	Voted, Stayed int
	To            []int // who came to an option, by option
}

// Moves counts how the answers to a question moved.
func (b *Board) Moves(t *course.QuestionTally) Moves {
	m := Moves{Voted: t.Voted, To: make([]int, len(t.Options))}
	for from := range t.Moved {
		for to, n := range t.Moved[from] {
			if from == to {
				m.Stayed += n
			} else {
				m.To[to] += n
			}
		}
	}
	return m
}

// Gained says how many were right before the discussion and after it, of those who voted twice; "" = there is nothing
// to say.
func (b *Board) Gained(t *course.QuestionTally) string {
	first, then, of := t.RightTwice()
	if of == 0 || t.Right == "" {
		return ""
	}
	return words.F("Right after the discussion, of {0} who voted twice: {1} → {2}", figure.Int(of),
		figure.Percent(words.Now(), float64(first)/float64(of)), figure.Percent(words.Now(), float64(then)/float64(of)))
}

// Step is the plan's step of the present phase, nil = the plan has none.
func (b *Board) Step() *course.Step {
	if b.Assignment == nil {
		return nil
	}
	for i := range b.Assignment.Plan {
		if b.Assignment.Plan[i].Phase == b.State.Phase {
			return &b.Assignment.Plan[i]
		}
	}
	return nil
}

// Left is how much of the phase is left at a moment of the server's clock, in whole seconds, below 0 = over; ok says
// that the phase has an end.
func (b *Board) Left(nowMS int64) (seconds int64, ok bool) {
	if b.State.EndsMS == 0 || b.State.Phase == course.Closed {
		return 0, false
	}
	return int64(math.Ceil(float64(b.State.EndsMS-nowMS) / 1000)), true
}

// Clock is a time in minutes and seconds, as 4:05; with a minus when it is over.
func Clock(seconds int64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	return sign + figure.Int(seconds/60) + ":" + figure.Int(100 + seconds%60)[1:]
}

// Values names the values of the assignment's scenario.
type Values struct{ of []edit.Variable }

// NewValues lists them; params are those of a policy.
func NewValues(a *course.Assignment, params func(policy string) []edit.Param) Values {
	return Values{edit.Variables(a.Document(), params)}
}

// Name is what a value is called, as GPUs of j3; its last step where it has no name.
func (v Values) Name(path string) string {
	if k := edit.VariableAt(v.of, path); k.Name != path {
		if strings.HasSuffix(path, "/gpus") {
			return k.Noun
		}
		return k.Name
	}
	return strings.TrimPrefix(path, "/scenario/")
}

// Says tells from what to what a value was changed, as 2 to 1 or 0 to 120 s. What counts GPUs says so by its name.
func (v Values) Says(e course.Edit) string {
	says := words.F("{0} to {1}", number(e.From), number(e.To))
	if k := edit.VariableAt(v.of, e.Path); k.Range.Unit != "" && k.Range.Unit != "GPUs" && e.To != nil {
		says += "\u00a0" + words.T(k.Range.Unit)
	}
	return says
}

func number(v *float64) string {
	if v == nil {
		return words.T("none")
	}
	return edit.FormatNumber(*v)
}

// Edits tells a whole submission, as GPUs of j3, 2 to 1.
func (v Values) Edits(edits []course.Edit) string {
	var out []string
	for _, e := range edits {
		out = append(out, v.Name(e.Path)+", "+v.Says(e))
	}
	return strings.Join(out, "; ")
}

// Signed is a gap in percent with its sign, as −3.8 %.
func Signed(gap float64) string {
	if math.IsNaN(gap) { // lanes do not finish their jobs
		return "–"
	}
	s := figure.Percent1(words.Now(), gap)
	if gap > 0 && !strings.HasPrefix(s, "0"+words.T(".")+"0 ") {
		s = "+" + s
	}
	return s
}

// Changed is a row of the list of what was changed: a value, one change of it, and who stands behind each.
type Changed struct {
	Name, Says string // of the change that is shown: of those that win the smallest, else the one that comes closest
	Same       int    // made that very change, and all came to its Gap
	Gap        string
	Wins       bool // that change does
	Smallest   bool // it is, of all that win
	Rounds     bool // it wins by when rounds begin
	People     int  // changed the value, to whatever
	Works      int  // of them won
}

// Changed lists what was changed, what most people changed first.
func (b *Board) Changed(v Values) (rows []Changed) {
	for i := range b.Tally.Changes {
		c := &b.Tally.Changes[i]
		best := &b.Tally.Tries[c.Best]
		says := v.Edits(best.Edits)
		if len(best.Edits) == 1 {
			says = v.Says(best.Edits[0])
		}
		rows = append(rows, Changed{Name: v.Name(c.Path), Says: says, Same: c.Same, People: c.People, Works: c.Works,
			Gap: Signed(c.Gap), Wins: best.Works, Rounds: best.Rounds,
			Smallest: slices.ContainsFunc(b.Tally.Smallest, func(k int) bool {
				return v.Edits(b.Tally.Tries[k].Edits) == v.Edits(best.Edits)
			})})
	}
	return rows
}

// RoundEffect is what a win by when rounds begin is called, and what that means.
func RoundEffect() (brief, whole string) {
	return words.T("round effect"), words.T("It changes when a job arrives or how long a round is, and wins by less than one round: when the rounds begin decides it, not who gets which GPUs.")
}

// SmallestMeans says what the smallest change is.
func SmallestMeans() string {
	return words.T("Smallest: of the changes that win the one that is the least share of the number it changes (10 to 12 is 20 %), of several numbers the largest share. Equal ones are all called so; a change from 0 is no share of anything, and never is.")
}

// Second is the other metric of the picture of all submissions.
func Second(t *course.Task) string {
	if t.Metric == "makespan_s" {
		return "avg_jct_s"
	}
	return "makespan_s"
}

// Dot is what several students did alike, or the unchanged scenario.
type Dot struct {
	Label  string
	X, Y   float64 // gaps of the task's metric and of the second, see class.Task.Gap
	People int
	Works  bool
	Rounds bool // it works by when rounds begin
	Base   bool // the unchanged scenario
	Front  bool // no other is better in both
	Seqs   []int64
}

// Dots are all submissions with what they changed, and the unchanged scenario first.
func (b *Board) Dots(v Values) (dots []Dot) {
	a := b.Assignment
	if a == nil || a.Task == nil {
		return nil
	}
	place := func(d Dot, lanes []course.Lane) {
		x, okX := a.Task.Gap(a.Task.Metric, lanes)
		y, okY := a.Task.Gap(Second(a.Task), lanes)
		if !okX || !okY {
			return // a lane that does not finish its jobs has no place
		}
		for i := range dots {
			if o := &dots[i]; !d.Base && !o.Base && o.Label == d.Label && o.X == x && o.Y == y {
				o.People, o.Seqs = o.People+1, append(o.Seqs, d.Seqs...)
				return
			}
		}
		d.X, d.Y = x, y
		dots = append(dots, d)
	}
	place(Dot{Label: words.T("unchanged"), Base: true}, b.Base)
	for i := range b.Tally.Tries {
		t := &b.Tally.Tries[i]
		place(Dot{Label: v.Edits(t.Edits), People: 1, Works: t.Works, Rounds: t.Rounds,
			Seqs: []int64{t.Seq}}, t.Lanes)
	}
	for i := range dots {
		d := &dots[i]
		d.Front = !slices.ContainsFunc(dots, func(o Dot) bool {
			x, y := o.X-d.X, o.Y-d.Y
			if b.Above() {
				x, y = -x, -y
			}
			return x <= 0 && y <= 0 && (x < 0 || y < 0)
		})
	}
	return dots
}

// Above says that the task's winner wins where the gap of a dot is above 0.
func (b *Board) Above() bool { return b.Assignment.Task.Above(b.Base) }

// Sides are the titles of what the gaps compare: two lanes in the assignment's order, else the winner and the others;
// title is that of a policy.
func (b *Board) Sides(title func(policy string) string) (a, base string) {
	if len(b.Base) == 2 {
		both := run.Apart(title(b.Base[0].Policy), title(b.Base[1].Policy))
		return both[0], both[1]
	}
	return run.Short(title(b.Assignment.Task.Winner)), words.T("the best of the others")
}

// Lesson says what came of the task, in a sentence.
func (b *Board) Lesson(v Values, winner string) string {
	t := &b.Tally
	if len(t.Tries) == 0 {
		return words.T("Nobody has submitted yet.")
	}
	works := 0
	for i := range t.Tries {
		if t.Tries[i].Works {
			works++
		}
	}
	says := words.F("Submissions that make {2} win: {0} of {1}.", figure.Int(works), figure.Int(len(t.Tries)), winner)
	const named = 3
	var small []string
	for _, k := range t.Smallest[:min(len(t.Smallest), named)] {
		try := &t.Tries[k]
		one := v.Edits(try.Edits)
		if brief, _ := RoundEffect(); try.Rounds {
			one += " (" + brief + ")"
		}
		small = append(small, one)
	}
	switch all := strings.Join(small, " / "); {
	case len(t.Smallest) == 0:
		return says
	case len(t.Smallest) == 1:
		return says + " " + words.F("The smallest change that does: {0}.", all)
	case len(t.Smallest) > named:
		return says + " " + words.F("The smallest changes that do, {0} as small: {1}, …", figure.Int(len(t.Smallest)), all)
	default:
		return says + " " + words.F("The smallest changes that do, {0} as small: {1}.", figure.Int(len(t.Smallest)), all)
	}
}

// Scenario is the scenario of a submission, nil where its changes do not apply or are not allowed.
func (b *Board) Scenario(e *course.Entry, def scenario.Defaults) *scenario.Document {
	doc, ok := b.Assignment.Made(&e.Body)
	if !ok {
		return nil
	}
	if _, diags := b.Assignment.Judge(doc, def); diags.HasErrors() {
		return nil
	}
	return doc
}
