package class

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hadarlab/core/csv"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
)

// Clock words a time, Unix time in milliseconds, as spreadsheets read it; the core has none of its own.
type Clock func(ms int64) string

// say is a time in words, "" where there is none.
func (c Clock) say(ms int64) string {
	if ms == 0 {
		return ""
	}
	return c(ms)
}

// Record is everything that is kept of a class, as its JSON export and a teacher's browser have it.
type Record struct {
	Kind       string      `json:"kind"` // "class"
	Version    int         `json:"version"`
	Engine     string      `json:"engine"`         // under which what is right was found
	Revs       []int       `json:"revs,omitempty"` // of the lanes' policies then, in their order; absent = 1
	Assignment *Assignment `json:"assignment"`
	Truth      Truth       `json:"truth"`
	Students   []Student   `json:"students"`
	Entries    []Entry     `json:"entries"`
	// Unproved says that nobody saw when answers were given: they came as files.
	Unproved bool `json:"unproved,omitempty"`
}

// RecordKind is the kind of a Record.
const RecordKind = "class"

// StudentsCSV is one row a student: who it is, when each thing was handed in, every answer with its confidence and
// whether it is right, the latest submission, the score, which is that of first answers and task, in which phase the
// first answers were given, and what of them, of the second vote and of the task is right. named says whether names and
// tags are in it.
func (r *Record) StudentsCSV(named bool, clock Clock) []byte {
	a := r.Assignment
	head := []string{"student"}
	if named {
		head = append(head, "pseudonym", "tag")
	}
	head = append(head, "joined", "answered", "voted", "explained", "submitted")
	for _, q := range a.Questions {
		head = append(head, q.ID, q.ID+"_confidence", q.ID+"_right")
		if q.Again {
			head = append(head, q.ID+"_again", q.ID+"_again_confidence", q.ID+"_again_right")
		}
	}
	head = append(head, "sentence", "changed", "change", "from", "to",
		"works", "verdict", "score", "max_score", "phase", "practice", "first", "second", "task")
	var t sheet
	t.row(head)
	of := r.latest()
	for _, s := range r.Students {
		if !s.Removed {
			t.row(r.studentRow(s, of, named, clock))
		}
	}
	return t.b
}

func (r *Record) studentRow(s Student, of handed, named bool, clock Clock) []string {
	row := []string{strconv.Itoa(s.N)}
	if named {
		row = append(row, s.Name, s.Tag)
	}
	row = append(row, clock.say(s.JoinedMS))
	first, second := cmp.Or(of.find(Answers, s.N), of.find(Answers+practised, s.N)),
		cmp.Or(of.find(Vote, s.N), of.find(Vote+practised, s.N))
	e := of.find(Submission, s.N)
	for _, one := range []*Entry{first, second, of.find(Sentence, s.N), e} {
		row = append(row, clock.say(one.when()))
	}
	given, again := first.answers(), second.answers()
	for _, q := range r.Assignment.Questions {
		row = append(row, r.answerCells(q.ID, given)...)
		if q.Again {
			row = append(row, r.answerCells(q.ID, again)...)
		}
	}
	sentence := ""
	if e := of.find(Sentence, s.N); e != nil {
		sentence = e.Text
	}
	row = append(row, sentence)
	row = append(row, r.submissionCells(e)...)
	phase, practice := "", ""
	if first != nil {
		phase, practice = string(first.Phase), yes(first.Practice)
	}
	score := r.Score(first, second, e)
	row = append(row, strconv.Itoa(score.Sum()), strconv.Itoa(score.Most), phase, practice)
	return append(row, strconv.Itoa(score.First), strconv.Itoa(score.Second), strconv.Itoa(score.Task))
}

// Score is what a student has right.
type Score struct {
	First  int // first answers, given before it was told
	Second int // answers of the second vote: it is shown and scores nothing
	Task   int // 1 = the task is done
	Most   int // that First and Task could be
	// Practice says that the first answers were given when it had been told.
	Practice bool
}

// Sum is the score: a point for each right first answer and one for the task.
func (s Score) Sum() int { return s.First + s.Task }

// Score counts what is right of a student's answers, vote and submission, each nil where there is none. Practice scores
// nothing, nor does a submission whose run came out otherwise.
func (r *Record) Score(first, second, submission *Entry) Score {
	s := Score{Most: len(r.Truth)}
	if first != nil {
		if s.Practice = first.Practice; !s.Practice {
			s.First = r.Truth.count(first.Answers)
		}
	}
	if second != nil && !second.Practice {
		s.Second = r.Truth.count(second.Answers)
	}
	if t := r.Assignment.Task; t != nil {
		s.Most++
		if submission != nil && submission.Verdict != Differs && r.Assignment.Done(submission) {
			s.Task = 1
		}
	}
	return s
}

// Scores are those of the students who are in the class, by number.
func (r *Record) Scores() map[int]Score {
	of, out := r.latest(), map[int]Score{}
	for _, s := range r.Students {
		if !s.Removed {
			n := s.N
			out[n] = r.Score(cmp.Or(of.find(Answers, n), of.find(Answers+practised, n)), of.find(Vote, n),
				of.find(Submission, n))
		}
	}
	return out
}

// MovesCSV is one row for each pair of options of a question that is asked again: how many who voted twice chose the
// one first and the other in the vote, and whether these are right.
func (r *Record) MovesCSV() []byte {
	var t sheet
	t.row([]string{"question", "first", "second", "students", "first_right", "second_right"})
	for _, q := range r.Assignment.Tally(r.Truth, r.Students, r.Entries).Questions {
		for from := range q.Moved {
			for to, n := range q.Moved[from] {
				one, other := q.Options[from].ID, q.Options[to].ID
				row := []string{q.ID, r.option(q.ID, one), r.option(q.ID, other), strconv.Itoa(n), "", ""}
				if q.Right != "" {
					row[4], row[5] = yes(one == q.Right), yes(other == q.Right)
				}
				t.row(row)
			}
		}
	}
	return t.b
}

func (r *Record) answerCells(question string, of map[string]Answer) []string {
	given, ok := of[question]
	if !ok {
		return []string{"", "", ""}
	}
	right, known := r.Truth[question]
	says := ""
	if known {
		says = yes(given.Option == right)
	}
	return []string{r.option(question, given.Option), strconv.Itoa(given.Sure), says}
}

// option is what an answer says: a spreadsheet takes the id 10-30 for a date.
func (r *Record) option(question, id string) string {
	if q := r.Assignment.Question(question); q != nil && q.Option(id) != nil {
		return q.Option(id).Text
	}
	return id
}

// Says names a changed value by the ids and members on the way to it, as: j3 gpus, 2 to 1.
func (a *Assignment) Says(e Edit) string {
	var at any
	if json.Unmarshal(a.Scenario, &at) != nil {
		return e.Path // which Parse has refused
	}
	var names []string
	for _, step := range strings.Split(e.Path, "/")[1:] {
		switch of := at.(type) {
		case map[string]any:
			at = of[step]
			names = append(names, step)
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(of) {
				return e.Path
			}
			at = of[i]
			entry, _ := at.(map[string]any)
			for _, id := range []string{"id", "model"} {
				if name, ok := entry[id].(string); ok {
					names = []string{name}
					break
				}
			}
		default:
			names = append(names, step)
		}
	}
	return strings.TrimPrefix(strings.Join(names, " "), "scenario ") + ", " + digits(e.From) + " to " + digits(e.To)
}

// submissionCells are what was changed, by pointer and in words, from and to what, whether that does what the task
// asks, and the verdict.
func (r *Record) submissionCells(e *Entry) []string {
	if e == nil {
		return []string{"", "", "", "", "", ""}
	}
	var paths, says, from, to []string
	for _, c := range e.Changes {
		paths, from, to = append(paths, c.Path), append(from, digits(c.From)), append(to, digits(c.To))
		says = append(says, r.Assignment.Says(c))
	}
	for _, name := range jsondoc.Keys(e.Written) {
		paths, says = append(paths, name), append(says, fmt.Sprint(e.Written[name]))
	}
	works := r.Assignment.Task != nil && r.Assignment.Done(e)
	return []string{strings.Join(paths, " "), strings.Join(says, "; "), strings.Join(from, " "), strings.Join(to, " "),
		yes(works), e.Verdict}
}

// AttemptsCSV is one row an entry, in the order in which they came.
func (r *Record) AttemptsCSV(named bool, clock Clock) []byte {
	head := []string{"student"}
	if named {
		head = append(head, "pseudonym", "tag")
	}
	head = append(head, "time", "phase", "kind", "answers", "sentence", "changed", "change", "from", "to",
		"works", "verdict", "engine", "scenario_id", "policy", "outcome", "trace_hash")
	head = append(append(head, MetricNames...), "round")
	var t sheet
	t.row(head)
	who := map[int]Student{}
	for _, s := range r.Students {
		who[s.N] = s
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		s := who[e.Student]
		if s.Removed {
			continue
		}
		lead := []string{strconv.Itoa(e.Student)}
		if named {
			lead = append(lead, s.Name, s.Tag)
		}
		lead = append(lead, clock.say(e.AtMS), string(e.Phase), e.Kind, r.said(e), e.Text)
		if e.Kind != Submission {
			t.row(append(append(lead, make([]string, len(head)-len(lead)-1)...), e.Round()))
			continue
		}
		lead = append(append(lead, r.submissionCells(e)...), e.Engine, e.ScenarioID)
		for _, l := range e.Lanes {
			row := append(append([]string{}, lead...), l.Policy, l.Outcome, l.TraceHash)
			for _, m := range MetricNames {
				row = append(row, message.Number(l.Figures.Of(m)))
			}
			t.row(append(row, e.Round()))
		}
	}
	return t.b
}

// said is all answers of an entry in one cell: question=option (confidence).
func (r *Record) said(e *Entry) string {
	var out []string
	for _, q := range r.Assignment.Questions {
		if given, ok := e.Answers[q.ID]; ok {
			out = append(out, q.ID+"="+r.option(q.ID, given.Option)+" ("+strconv.Itoa(given.Sure)+")")
		}
	}
	return strings.Join(out, "; ")
}

// when is the time of an entry, 0 where there is none, and answers are its answers.
func (e *Entry) when() int64 {
	if e == nil {
		return 0
	}
	return e.AtMS
}

func (e *Entry) answers() map[string]Answer {
	if e == nil {
		return nil
	}
	return e.Answers
}

func digits(v *float64) string {
	if v == nil {
		return "none"
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// sheet is rows that a spreadsheet may open.
type sheet struct{ b []byte }

func (t *sheet) row(cells []string) { t.b = csv.Row(t.b, cells...) }
