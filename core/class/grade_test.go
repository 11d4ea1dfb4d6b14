package class

import (
	"strings"
	"testing"
)

// graded is a class of four on two questions and a task, by hand: one right both times, one only after the discussion,
// one late, one who only practised.
func graded() *Record {
	a := &Assignment{Questions: []Question{
		{ID: "q", Again: true, Options: []Option{{ID: "r", Text: "r"}, {ID: "w", Text: "w"}}},
		{ID: "p", Options: []Option{{ID: "r", Text: "r"}, {ID: "w", Text: "w"}}}}}
	r := &Record{Assignment: a, Truth: Truth{"q": "r", "p": "r"}}
	give := func(n int, kind string, at int64, q, p string, practice bool) {
		r.Entries = append(r.Entries, Entry{Student: n, Kind: kind, AtMS: at,
			Body: Body{Practice: practice,
				Answers: map[string]Answer{"q": {Option: q, Sure: 3}, "p": {Option: p, Sure: 3}}}})
	}
	for n, tag := range []string{"a7", "b2", "", "c1"} {
		r.Students = append(r.Students, Student{N: n + 1, Name: "heron", Tag: tag})
	}
	give(1, Answers, 10, "r", "r", false)
	give(1, Vote, 20, "r", "", false)
	give(2, Answers, 10, "w", "r", false)
	give(2, Vote, 20, "r", "", false)
	give(3, Answers, 60, "r", "r", false)
	give(4, Answers, 10, "r", "r", true)
	return r
}

// TestGradesByRule: the same work by four rules, as reckoned by hand.
func TestGradesByRule(t *testing.T) {
	r := graded()
	for _, of := range []struct {
		rule Rule
		want [4]float64
		most float64
	}{
		{UsualRule, [4]float64{2, 1, 2, 0}, 2},
		{Rule{Vote: SecondVote, Each: 1}, [4]float64{2, 2, 1, 0}, 2},
		{Rule{Vote: BestVote, Each: 2}, [4]float64{4, 4, 4, 0}, 4},
		{Rule{Vote: FirstVote, Each: 1, Questions: []string{"q"}}, [4]float64{1, 0, 1, 0}, 1},
		{Rule{Vote: FirstVote, Each: 1, DueMS: 50, Late: 0.25}, [4]float64{2, 1, 1.5, 0}, 2},
		{Rule{Vote: BestVote, Each: 1, DueMS: 15, Late: 0.5}, [4]float64{2, 1.5, 1, 0}, 2},
	} {
		for i, g := range r.Grades(of.rule) {
			if g.Points() != of.want[i] || g.Most != of.most {
				t.Errorf("%+v: student %d has %v of %v, want %v of %v", of.rule, i+1, g.Points(), g.Most, of.want[i], of.most)
			}
		}
	}
	late := r.Grades(Rule{Vote: FirstVote, Each: 1, DueMS: 50, Late: 0.25})
	if late[0].Late || !late[2].Late {
		t.Errorf("late: %+v", late)
	}
}

// TestUsualRuleIsTheScore: the rule that nobody chose gives what the board shows.
func TestUsualRuleIsTheScore(t *testing.T) {
	r := graded()
	scores := r.Scores()
	for _, g := range r.Grades(UsualRule) {
		if s := scores[g.Student.N]; g.Points() != float64(s.Sum()) || g.Most != float64(s.Most) {
			t.Errorf("student %d: %+v, the score is %+v", g.Student.N, g, s)
		}
	}
}

func TestGradesCSV(t *testing.T) {
	got := string(graded().GradesCSV(Rule{Vote: FirstVote, Each: 1, DueMS: 50, Late: 0.25}, true))
	want := "student,pseudonym,tag,answers,task,points,max_points,percent,late,counted\n"
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "3,heron,,1.5,0,1.5,2,75,yes,yes") ||
		!strings.Contains(got, "2,heron,b2,1,0,1,2,50,no,yes") {
		t.Error(got)
	}
}
