package class

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// Student is one member of a class, who has a number and a name that was given.
type Student struct {
	N        int    `json:"n"`
	Name     string `json:"name"`
	Tag      string `json:"tag,omitempty"` // a private mark that the teacher handed out
	JoinedMS int64  `json:"joined_ms"`
	Removed  bool   `json:"removed,omitempty"`
	Seq      int64  `json:"seq,omitempty"`
}

// Tally is what a class has handed in, counted. What it holds of single students is by their numbers.
type Tally struct {
	Joined    int `json:"joined"`
	Committed int `json:"committed"`
	Voted     int `json:"voted"`
	Explained int `json:"explained"`
	Submitted int `json:"submitted"` // students, not tries
	// Practised is how many answered only when what is right had been told.
	Practised int `json:"practised,omitempty"`

	Questions []QuestionTally `json:"questions"`
	Ideas     []IdeaTally     `json:"ideas"`
	Changes   []ChangeTally   `json:"changes"`
	Tries     []Try           `json:"tries"`
	Sentences []Said          `json:"sentences"`
	// Smallest are the tries that do what the task asks with the smallest change, as indices of Tries: one for each
	// change that is as small, by what it changes. A change from 0 has no size, and is none of them.
	Smallest []int `json:"smallest"`
	// Race are the places of a race, the best first.
	Race []Racer `json:"race,omitempty"`
}

// QuestionTally counts the answers to one question.
type QuestionTally struct {
	ID      string        `json:"id"`
	Right   string        `json:"right"` // "" = not known
	Options []OptionTally `json:"options"`
	// Moved counts who chose one option first and another in the vote, by [first][vote] as indices of Options.
	Moved [][]int `json:"moved,omitempty"`
	Voted int     `json:"voted,omitempty"`
}

// RightTwice is how many of those who voted twice were right at first, and then.
func (t *QuestionTally) RightTwice() (first, then, of int) {
	right := slices.IndexFunc(t.Options, func(o OptionTally) bool { return o.ID == t.Right })
	for from := range t.Moved {
		for to, n := range t.Moved[from] {
			of += n
			if from == right {
				first += n
			}
			if to == right {
				then += n
			}
		}
	}
	return first, then, of
}

// Firsts is the question's tally without second votes and without what is right: what may be shown before the run.
func (t *QuestionTally) Firsts() QuestionTally {
	f := QuestionTally{ID: t.ID}
	for _, o := range t.Options {
		f.Options = append(f.Options, OptionTally{ID: o.ID, Sure: o.Sure})
	}
	return f
}

// OptionTally counts those who chose an option: by confidence 1 to 5, and in the vote.
type OptionTally struct {
	ID   string `json:"id"`
	Sure [5]int `json:"sure"`
	Vote [5]int `json:"vote"`
}

// Count is how many chose the option first.
func (o *OptionTally) Count() int { return total(o.Sure) }

// Votes is how many chose the option in the vote.
func (o *OptionTally) Votes() int { return total(o.Vote) }

func total(of [5]int) (n int) {
	for _, k := range of {
		n += k
	}
	return n
}

// SureFrom is the least confidence that counts as sure; FairlyFrom that which is more than a guess.
const (
	SureFrom   = 4
	FairlyFrom = 3
)

// IdeaTally counts who was sure of a wrong option that shows an idea.
type IdeaTally struct {
	Idea   string `json:"idea"`
	Preset string `json:"preset,omitempty"`
	People int    `json:"people"`
}

// ChangeTally counts the latest submissions that changed one value.
type ChangeTally struct {
	Path   string `json:"path"`
	People int    `json:"people"`
	Works  int    `json:"works"` // do what the task asks
	// Best is an index of Tries: of those that work the smallest change, else the one that comes closest; see
	// Task.order.
	Best int     `json:"best"`
	Same int     `json:"same"` // made the very change of the best, and no other
	Gap  float64 `json:"gap"`  // of the best, see Task.Gap; NaN where there is none
}

// Try is one submission of a student, the latest.
type Try struct {
	Student int    `json:"student"`
	Seq     int64  `json:"seq"`
	Edits   []Edit `json:"edits"`
	Lanes   []Lane `json:"lanes"`
	Verdict string `json:"verdict"`
	Works   bool   `json:"works"`
	Rounds  bool   `json:"rounds,omitempty"` // it works by when rounds begin, see Assignment.ByRounds
	// Size is that of the change: |to − from| / |from|, the largest of several; +Inf from 0, of which nothing is a
	// share.
	Size float64 `json:"size"`
	Gap  float64 `json:"gap"`
}

// Said is one student's sentence.
type Said struct {
	Student int    `json:"student"`
	Text    string `json:"text"`
	Right   int    `json:"right"` // of the questions
}

// Voice is a sentence and how many wrote it, but for capitals, spaces and marks.
type Voice struct {
	Text   string // as the first wrote it
	People int
	Right  int // of the questions, the most of them
}

// Voices are the sentences of a class, equal ones as one, what most wrote first.
func (t *Tally) Voices() []Voice {
	var out []Voice
	at := map[string]int{}
	for _, s := range t.Sentences {
		plain := strings.Join(strings.FieldsFunc(strings.ToLower(s.Text), func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsNumber(c)
		}), " ")
		i, known := at[plain]
		if !known {
			i, at[plain] = len(out), len(out)
			out = append(out, Voice{Text: s.Text})
		}
		out[i].People, out[i].Right = out[i].People+1, max(out[i].Right, s.Right)
	}
	unit.Sort(out, func(a, b Voice) int { return cmp.Compare(b.People, a.People) })
	return out
}

// Tally counts what the students of a class have handed in. Entries are in any order; those of removed students do
// not count.
func (a *Assignment) Tally(truth Truth, students []Student, entries []Entry) Tally {
	t := Tally{Smallest: []int{}, Ideas: []IdeaTally{}, Changes: []ChangeTally{}, Tries: []Try{},
		Sentences: []Said{}}
	in := map[int]bool{}
	for i := range students {
		if !students[i].Removed {
			in[students[i].N] = true
			t.Joined++
		}
	}
	of := latest(entries, in)
	t.Committed, t.Voted = len(of[Answers]), len(of[Vote])
	t.Explained, t.Submitted, t.Practised = len(of[Sentence]), len(of[Submission]), len(of[Answers+practised])
	for i := range a.Questions {
		t.Questions = append(t.Questions, a.Questions[i].tally(truth, of))
	}
	a.tallyIdeas(&t, truth, of[Answers])
	a.tallyTries(&t, of[Submission])
	t.Race = a.Racers(students, entries)
	for _, e := range of[Sentence] {
		t.Sentences = append(t.Sentences, Said{e.Student, e.Text, truth.count(of.answers(e.Student))})
	}
	return t
}

// handed is the latest entry of every student, by kind, in the order of students. Practice is of kinds of its own.
type handed map[string][]*Entry

// practised ends those kinds.
const practised = " practised"

// latest is what those who are in the class have handed in.
func (r *Record) latest() handed {
	in := map[int]bool{}
	for _, s := range r.Students {
		in[s.N] = !s.Removed
	}
	return latest(r.Entries, in)
}

func latest(entries []Entry, in map[int]bool) handed {
	last := map[string]map[int]*Entry{}
	for i := range entries {
		e := &entries[i]
		if !in[e.Student] {
			continue
		}
		kind := e.Kind
		if e.Practice {
			kind += practised
		}
		if last[kind] == nil {
			last[kind] = map[int]*Entry{}
		}
		if old := last[kind][e.Student]; old == nil || old.AtMS < e.AtMS || old.AtMS == e.AtMS && old.Seq < e.Seq {
			last[kind][e.Student] = e
		}
	}
	of := handed{}
	for kind, by := range last {
		for _, e := range by { // sorted below
			of[kind] = append(of[kind], e)
		}
		unit.Sort(of[kind], func(a, b *Entry) int { return cmp.Compare(a.Student, b.Student) })
	}
	return of
}

// find is a student's entry of a kind, nil when there is none.
func (h handed) find(kind string, student int) *Entry {
	i, ok := slices.BinarySearchFunc(h[kind], student, func(e *Entry, n int) int { return cmp.Compare(e.Student, n) })
	if !ok {
		return nil
	}
	return h[kind][i]
}

func (h handed) answers(student int) map[string]Answer { return h.find(Answers, student).answers() }

// count is how many answers are right.
func (t Truth) count(answers map[string]Answer) (n int) {
	for q, right := range t { // a count: the order is immaterial
		if answers[q].Option == right {
			n++
		}
	}
	return n
}

func (q *Question) tally(truth Truth, of handed) QuestionTally {
	t := QuestionTally{ID: q.ID, Right: truth[q.ID]}
	for i := range q.Options {
		t.Options = append(t.Options, OptionTally{ID: q.Options[i].ID})
	}
	index := func(option string) int {
		return slices.IndexFunc(q.Options, func(o Option) bool { return o.ID == option })
	}
	for _, e := range of[Answers] {
		if i := index(e.Answers[q.ID].Option); i >= 0 {
			t.Options[i].Sure[level(e.Answers[q.ID].Sure)]++
		}
	}
	if !q.Again {
		return t
	}
	t.Moved = make([][]int, len(q.Options))
	for i := range t.Moved {
		t.Moved[i] = make([]int, len(q.Options))
	}
	for _, e := range of[Vote] {
		i := index(e.Answers[q.ID].Option)
		if i < 0 {
			continue
		}
		t.Voted++
		t.Options[i].Vote[level(e.Answers[q.ID].Sure)]++
		if was := index(of.answers(e.Student)[q.ID].Option); was >= 0 {
			t.Moved[was][i]++
		}
	}
	return t
}

// level is a confidence as an index; a hand-in file may hold any number.
func level(sure int) int { return min(max(sure, 1), 5) - 1 }

func (a *Assignment) tallyIdeas(t *Tally, truth Truth, answers []*Entry) {
	for i := range a.Questions {
		q := &a.Questions[i]
		for _, e := range answers {
			given := e.Answers[q.ID]
			o := q.Option(given.Option)
			if o == nil || o.Idea == "" || given.Sure < SureFrom || truth[q.ID] == "" || truth[q.ID] == o.ID {
				continue
			}
			k := slices.IndexFunc(t.Ideas, func(x IdeaTally) bool { return x.Idea == o.Idea })
			if k < 0 {
				k, t.Ideas = len(t.Ideas), append(t.Ideas, IdeaTally{Idea: o.Idea, Preset: o.Preset})
			}
			t.Ideas[k].People++
		}
	}
	unit.Sort(t.Ideas, func(a, b IdeaTally) int { return cmp.Compare(b.People, a.People) })
}

func (a *Assignment) tallyTries(t *Tally, submissions []*Entry) {
	if a.Task == nil || a.Task.Race != nil {
		return
	}
	for _, e := range submissions {
		if e.Verdict == Differs || len(e.Changes) == 0 {
			continue // what was not found again shows nothing
		}
		i := len(t.Tries)
		gap, _ := a.Task.Gap(a.Task.Metric, e.Lanes)
		works := a.Task.Succeeds(e.Lanes)
		t.Tries = append(t.Tries, Try{Student: e.Student, Seq: e.Seq, Edits: e.Changes, Lanes: e.Lanes,
			Verdict: e.Verdict, Works: works, Rounds: works && a.ByRounds(e.Changes, e.Lanes), Size: size(e.Changes),
			Gap: gap})
		for _, c := range e.Changes {
			t.change(a.Task, c.Path, i)
		}
	}
	t.findSmallest()
	unit.Sort(t.Changes, func(a, b ChangeTally) int {
		return cmp.Or(cmp.Compare(b.People, a.People), cmp.Compare(a.Path, b.Path))
	})
}

// change counts the try i among those that changed a value.
func (t *Tally) change(task *Task, path string, i int) {
	k := slices.IndexFunc(t.Changes, func(x ChangeTally) bool { return x.Path == path })
	if k < 0 {
		k, t.Changes = len(t.Changes), append(t.Changes, ChangeTally{Path: path, Best: i, Gap: t.Tries[i].Gap})
	}
	c, try := &t.Changes[k], &t.Tries[i]
	c.People++
	if try.Works {
		c.Works++
	}
	switch d := task.order(try, &t.Tries[c.Best]); {
	case d < 0:
		c.Best, c.Same, c.Gap = i, 1, try.Gap
	case d == 0:
		c.Same++
	}
}

// order ranks two tries that changed the same value, below 0 = the first is shown for both: what works before what does
// not; of those that work the smaller change, then the clearer win, of the others the one that comes closer. It is 0
// only where they changed the same to the same and came to the same, so that nothing hangs on who came first.
func (t *Task) order(a, b *Try) int {
	if a.Works != b.Works {
		return sooner(a.Works)
	}
	if a.Works {
		if d := cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(amount(a.Edits), amount(b.Edits))); d != 0 {
			return d
		}
	}
	if t.closer(a, b) != t.closer(b, a) {
		return sooner(t.closer(a, b))
	}
	return compareEdits(a.Edits, b.Edits)
}

func sooner(first bool) int {
	if first {
		return -1
	}
	return 1
}

// SameChange says whether two changes make the same values the same.
func SameChange(a, b []Edit) bool { return compareEdits(a, b) == 0 }

// compareEdits orders changes by what they change, then to what.
func compareEdits(a, b []Edit) int {
	return slices.CompareFunc(a, b, func(x, y Edit) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(at(x.To), at(y.To)))
	})
}

// at is a number that may not be there, which comes first.
func at(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// amount is by how much the values of one change differ, the most of several.
func amount(edits []Edit) (most float64) {
	for _, e := range edits {
		most = max(most, math.Abs(at(e.To)-at(e.From)))
	}
	return most
}

// findSmallest finds the changes that work and are as small as any, each once.
func (t *Tally) findSmallest() {
	least := math.Inf(1)
	for i := range t.Tries {
		if try := &t.Tries[i]; try.Works {
			least = min(least, try.Size)
		}
	}
	if math.IsInf(least, 1) {
		return
	}
	const same = 1 + 1e-9 // shares of decimal fractions
	for i := range t.Tries {
		try := &t.Tries[i]
		named := func(k int) bool { return compareEdits(t.Tries[k].Edits, try.Edits) == 0 }
		if try.Works && try.Size <= least*same && !slices.ContainsFunc(t.Smallest, named) {
			t.Smallest = append(t.Smallest, i)
		}
	}
	unit.Sort(t.Smallest, func(i, k int) int { return compareEdits(t.Tries[i].Edits, t.Tries[k].Edits) })
}

func size(edits []Edit) (most float64) {
	for _, e := range edits {
		switch {
		case e.From == nil || e.To == nil || *e.From == 0:
			return math.Inf(1)
		default:
			most = max(most, math.Abs(*e.To-*e.From)/math.Abs(*e.From))
		}
	}
	return most
}

// Gap is by what share of its base a metric differs from it: of two lanes the first's from the second's, of more the
// winner's from the least of the others; see message.Against. Lanes that do not finish their jobs have none; false
// where that leaves fewer than two figures.
func (t *Task) Gap(of string, lanes []Lane) (gap float64, ok bool) {
	one, base := math.NaN(), math.Inf(1)
	for i := range lanes {
		switch v := lanes[i].Figures.Of(of); {
		case lanes[i].Outcome != "done":
		case len(lanes) == 2 && i == 0, len(lanes) > 2 && lanes[i].Policy == t.Winner:
			one = v
		default:
			base = min(base, v)
		}
	}
	gap = message.Against(one, base)
	return gap, !math.IsNaN(gap)
}

// Above says that the winner wins where the gap is above 0: it is the second of two lanes.
func (t *Task) Above(lanes []Lane) bool { return len(lanes) == 2 && lanes[1].Policy == t.Winner }

// closer says whether a try is nearer to winning than another; one whose lanes do not finish their jobs is farthest.
func (t *Task) closer(a, b *Try) bool {
	if math.IsNaN(a.Gap) || math.IsNaN(b.Gap) {
		return math.IsNaN(b.Gap) && !math.IsNaN(a.Gap)
	}
	if t.Above(a.Lanes) {
		return a.Gap > b.Gap
	}
	return a.Gap < b.Gap
}
