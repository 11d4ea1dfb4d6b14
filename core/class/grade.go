package class

import (
	"math"
	"slices"
	"strconv"
)

// Rule is how work of a class becomes points. The latest task that was handed in counts, as on the board.
type Rule struct {
	// Vote says which answers count: FirstVote, SecondVote, or BestVote, by question the better of the two. A question
	// that is not asked again has its first answer in each.
	Vote      string
	Questions []string // that count, by id; none = all
	Each      float64  // points for a right answer, ≥ 0
	Task      float64  // points for the task, ≥ 0
	// DueMS is until when work is in time, Unix time in milliseconds, 0 = always; Late is which share of the points of
	// what came later is taken off, 0 to 1.
	DueMS int64
	Late  float64
}

// Which answers count.
const (
	FirstVote  = "first"
	SecondVote = "second"
	BestVote   = "best"
)

// UsualRule is a point for each right first answer and one for the task, as Score counts.
var UsualRule = Rule{Vote: FirstVote, Each: 1, Task: 1}

// Grade is what a student has by a rule.
type Grade struct {
	Student Student
	Answers float64 // points of answers
	Task    float64
	Most    float64 // that both could be
	Late    bool    // something that counts came too late
	Nothing bool    // the student has handed in nothing that counts
}

// Points are all of them.
func (g *Grade) Points() float64 { return g.Answers + g.Task }

// Grades are the points of who is in the class, in its order. What was answered when what is right had been told is
// practice and counts nothing, nor does a submission whose run came out otherwise.
func (r *Record) Grades(rule Rule) (out []Grade) {
	of := r.latest()
	for _, s := range r.Students {
		if !s.Removed {
			out = append(out, r.grade(rule, s, of))
		}
	}
	return out
}

func (r *Record) grade(rule Rule, s Student, of handed) Grade {
	g := Grade{Student: s}
	first, second, made := of.find(Answers, s.N), of.find(Vote, s.N), of.find(Submission, s.N)
	g.Nothing = first == nil && second == nil && made == nil
	for i := range r.Assignment.Questions {
		q := &r.Assignment.Questions[i]
		right, known := r.Truth[q.ID]
		if !known || !rule.Counts(q.ID) {
			continue
		}
		g.Most += rule.Each
		best, late := 0.0, false
		for _, e := range rule.entries(q, first, second) {
			if e == nil || e.Practice || e.Answers[q.ID].Option != right {
				continue
			}
			if points := rule.points(rule.Each, e); points > best {
				best, late = points, rule.late(e)
			}
		}
		g.Answers, g.Late = g.Answers+best, g.Late || late
	}
	if t := r.Assignment.Task; t != nil {
		g.Most += rule.Task
		if made != nil && made.Verdict != Differs && r.Assignment.Done(made) {
			g.Task, g.Late = rule.points(rule.Task, made), g.Late || rule.late(made) && rule.Task > 0
		}
	}
	return g
}

// Counts says whether a question counts.
func (r *Rule) Counts(question string) bool {
	return len(r.Questions) == 0 || slices.Contains(r.Questions, question)
}

// entries are those of which the best answer to a question counts.
func (r *Rule) entries(q *Question, first, second *Entry) []*Entry {
	switch {
	case !q.Again, r.Vote == FirstVote:
		return []*Entry{first}
	case r.Vote == SecondVote:
		return []*Entry{second}
	}
	return []*Entry{first, second}
}

func (r *Rule) late(e *Entry) bool { return r.DueMS > 0 && e.AtMS > r.DueMS }

// points are what remains of so many.
func (r *Rule) points(of float64, e *Entry) float64 {
	if r.late(e) {
		return of * (1 - r.Late)
	}
	return of
}

// GradesCSV is one row a student: points, how many there could be, the share of them in per cent, whether something
// that counts came late, and whether there is anything that counts. named says whether names and tags are in it.
func (r *Record) GradesCSV(rule Rule, named bool) []byte {
	head := []string{"student"}
	if named {
		head = append(head, "pseudonym", "tag")
	}
	var t sheet
	t.row(append(head, "answers", "task", "points", "max_points", "percent", "late", "counted"))
	for _, g := range r.Grades(rule) {
		row := []string{strconv.Itoa(g.Student.N)}
		if named {
			row = append(row, g.Student.Name, g.Student.Tag)
		}
		share := 0.0
		if g.Most > 0 {
			share = math.Round(10_000*g.Points()/g.Most) / 100
		}
		t.row(append(row, written(g.Answers), written(g.Task), written(g.Points()), written(g.Most), written(share),
			yes(g.Late), yes(!g.Nothing)))
	}
	return t.b
}

// written is points as every spreadsheet reads them, without noise of sums.
func written(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }
