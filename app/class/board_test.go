package class_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/class"
	"hadarlab/app/edit"
	course "hadarlab/core/class"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest/classroom"
)

func made(t *testing.T) (*class.Board, *course.Assignment, class.Values) {
	t.Helper()
	a, u := classroom.Made(30)
	b := (&class.Board{Code: u.State.Code}).Hand(a).Take(u).Ran(classroom.Run(a.Document()))
	return b, a, class.NewValues(a, func(string) []edit.Param { return nil })
}

func TestTheBoardCounts(t *testing.T) {
	b, a, v := made(t)
	if n := b.Tally; n.Joined != 30 || n.Committed != 28 || b.Truth["sooner"] != "hadar" {
		t.Errorf("%+v, right is %v", n, b.Truth)
	}
	rows := b.Changed(v)
	if rows[0].Name != "V100 on n1" || rows[0].Says != "3 to 6" || !rows[0].Wins || !rows[0].Smallest ||
		rows[0].Rounds || rows[0].Same != rows[0].People || rows[0].Works != rows[0].People {
		t.Errorf("most changed %+v", rows[0])
	}
	for _, r := range rows {
		if late := r.Name == "arrival of j3"; r.Rounds != late || late && (!r.Wins || r.Smallest) {
			t.Errorf("an arrival that wins by less than a round: %+v", r)
		}
	}
	dots := b.Dots(v)
	if len(dots) != 8 || !dots[0].Base || dots[0].X >= 0 || !b.Above() {
		t.Errorf("%d dots, the first %+v", len(dots), dots[0])
	}
	for _, d := range dots {
		if d.Works != (d.X > message.Tie) && !d.Base || d.Rounds != strings.HasPrefix(d.Label, "arrival of j3") {
			t.Errorf("%+v", d)
		}
	}
	if says := b.Lesson(v, "Gavel"); !strings.Contains(says, "The smallest change that does: V100 on n1, 3 to 6.") {
		t.Error(says)
	}
	m := b.Moves(&b.Tally.Questions[0])
	if m.Voted != b.Tally.Voted || m.Stayed+m.To[0]+m.To[1]+m.To[2] != m.Voted || m.To[0] == 0 {
		t.Errorf("%+v", m)
	}
	whose := fmt.Sprintf("Right after the discussion, of %d who voted twice: ", m.Voted)
	if says := b.Gained(&b.Tally.Questions[0]); !strings.HasPrefix(says, whose) {
		t.Error(says)
	}
	early := b.Take(&course.Update{State: course.State{Phase: course.VoteAgain, Revealed: b.State.Revealed}})
	if q := early.Tally.Questions[0]; q.Right != "" || q.Voted != 0 || q.Options[0].Votes() != 0 ||
		q.Options[0].Count() == 0 || early.Gained(&q) != "" || early.Tally.Voted == 0 {
		t.Errorf("before the run the board shows %+v", q)
	}
	if a.Next(course.Run) != course.Change || b.Step() == nil || b.Step().Phase != course.Change {
		t.Error("the plan")
	}
	if left, ok := b.Left(b.State.NowMS); !ok || class.Clock(left) != "4:10" || class.Clock(-65) != "−1:05" {
		t.Error(left, ok)
	}
}

// TestNumbersOfARow: 300 changed one value and 71 won, so that no row may say 300 beside a win; and of changes as small
// as one another none is told alone.
func TestNumbersOfARow(t *testing.T) {
	b, a, v := made(t)
	u := &course.Update{State: b.State, Truth: b.Truth}
	ran := map[string][]course.Lane{}
	try := func(n int, path string, to float64) {
		doc := a.Document().Clone()
		doc.Alter(path, to)
		edits := a.Edits(doc, scenario.Defaults{})
		key := v.Edits(edits)
		if ran[key] == nil {
			ran[key] = course.LanesOf(classroom.Run(doc))
		}
		u.Students = append(u.Students, course.Student{N: n})
		u.Entries = append(u.Entries, course.Entry{Seq: int64(n), Student: n, Kind: course.Submission, AtMS: int64(n),
			Verdict: course.Verified, Body: course.Body{Changes: edits, Lanes: ran[key]}})
	}
	const speed = "/scenario/throughputs/rows/0/per_gpu/v100"
	for n := 1; n <= 229; n++ {
		try(n, speed, []float64{12, 15, 20}[n%3])
	}
	for n := 230; n <= 300; n++ {
		try(n, speed, []float64{23, 24}[n%2])
	}
	b = (&class.Board{Code: "x"}).Hand(a).Take(u).Ran(classroom.Run(a.Document()))
	rows := b.Changed(v)
	if len(rows) != 1 || rows[0].People != 300 || rows[0].Works != 71 || rows[0].Same != 36 || !rows[0].Wins ||
		rows[0].Says != "10 to 23\u00a0steps/s" || !rows[0].Smallest {
		t.Errorf("%+v", rows)
	}
	tie := *b
	tie.Tally.Smallest = append(tie.Tally.Smallest, 0)
	if says := tie.Lesson(v, "Gavel"); !strings.Contains(says, "Submissions that make Gavel win: 71 of 300. "+
		"The smallest changes that do, 2 as small: ") || strings.Count(says, " / ") != 1 {
		t.Error(says)
	}
	tie.Tally.Smallest = nil // all from 0
	if says := tie.Lesson(v, "Gavel"); says != "Submissions that make Gavel win: 71 of 300." {
		t.Error(says)
	}
}

// TestAGapThatIsNoneIsNotSaid: where lanes do not finish their jobs there is no share to tell.
func TestAGapThatIsNoneIsNotSaid(t *testing.T) {
	for gap, want := range map[float64]string{math.Inf(1) - math.Inf(1): "–", -0.038: "−3.8 %", 0.5: "+50.0 %"} {
		if got := class.Signed(gap); got != want {
			t.Errorf("%v is %q, want %q", gap, got, want)
		}
	}
}

// TestIdeasWaitForTheirQuestion: what is wrong is not told before the answers are shown.
func TestIdeasWaitForTheirQuestion(t *testing.T) {
	b, _, _ := made(t)
	if ideas, people, ok := b.Ideas(); !ok || len(ideas) == 0 || people == 0 {
		t.Error(ideas, people, ok)
	}
	b = b.Show(b.Reveal("sooner", false))
	if ideas, _, ok := b.Ideas(); ok || len(ideas) != 0 {
		t.Error("ideas are told before any question is revealed", ideas)
	}
}

// TestAChangedRowReplacesItself: a verdict comes as the same row with another number, and a student who was removed
// counts no more.
func TestAChangedRowReplacesItself(t *testing.T) {
	b, _, _ := made(t)
	n := len(b.Entries)
	i := slices.IndexFunc(b.Entries, func(e course.Entry) bool { return e.Verdict == course.Pending })
	e := b.Entries[i]
	e.Seq, e.Verdict = 999, course.Differs
	gone := b.Students[0]
	gone.Removed = true
	u := &course.Update{State: b.State, Entries: []course.Entry{e}, Students: []course.Student{gone}}
	b = b.Take(u)
	if len(b.Entries) != n || b.Entries[i].Verdict != course.Differs || b.Verdicts()[course.Differs] != 1 ||
		b.Tally.Joined != 29 {
		t.Errorf("%d rows, %v, %d joined", len(b.Entries), b.Verdicts(), b.Tally.Joined)
	}
}

// TestArrivals are minutes, the latest first, each with all who would go with it: nobody twice, nobody who has gone.
func TestArrivals(t *testing.T) {
	b, _, _ := made(t) // 30 who joined one and a half seconds apart
	minute := func(at int64) int64 { return at / 60_000 * 60_000 }
	first, last := b.Students[0].JoinedMS, b.Students[29].JoinedMS
	got := b.Arrivals()
	if len(got) != int(minute(last)-minute(first))/60_000+1 || got[0].SinceMS != minute(last) ||
		got[len(got)-1] != (class.Arrival{minute(first), 30}) {
		t.Fatalf("%+v", got)
	}
	late := b.Students[0]
	late.N, late.JoinedMS = 31, last+600_000
	gone := b.Students[29]
	gone.Removed = true
	b = b.Take(&course.Update{State: b.State, Students: []course.Student{late, gone}})
	again := b.Arrivals()
	if len(again) != len(got)+1 || again[0] != (class.Arrival{minute(late.JoinedMS), 1}) ||
		again[len(got)].Students != 30 {
		t.Errorf("%+v", again)
	}
	for i := 1; i < len(again); i++ {
		if again[i].SinceMS >= again[i-1].SinceMS || again[i].Students <= again[i-1].Students {
			t.Errorf("%+v come after %+v", again[i], again[i-1])
		}
	}
	for i := range b.Students {
		b = b.Remove(b.Students[i].N)
	}
	if b.Arrivals() != nil {
		t.Error("who has gone is removed again")
	}
}

// TestSubmissionsThatWait are run by the page where the server does not, one by one.
func TestSubmissionsThatWait(t *testing.T) {
	b, a, _ := made(t)
	if b.Waiting() != nil {
		t.Error("the server runs them")
	}
	n := *b
	n.Verifies = false
	b = &n
	ran := 0
	for e := b.Waiting(); e != nil; e = b.Waiting() {
		doc := b.Scenario(e, scenario.Defaults{})
		lanes := course.LanesOf(classroom.Run(doc))
		verdict := course.Verify(&e.Body, e.Engine, lanes)
		if verdict != course.Verified {
			t.Fatal(verdict)
		}
		b, ran = b.Judge(e.Seq, verdict, lanes), ran+1
	}
	if ran == 0 || b.Verdicts()[course.Pending] != 0 {
		t.Error(ran, b.Verdicts())
	}
	bad := course.Entry{Body: course.Body{Changes: b.Tally.Tries[0].Edits}}
	bad.Changes = slices.Clone(bad.Changes)
	bad.Changes[0].Path = "/scenario/seed"
	if b.Scenario(&bad, scenario.Defaults{}) != nil {
		t.Error("a locked value is run", a.Open)
	}
}

// handIns are the work of the made class as files.
func handIns(t *testing.T, b *class.Board) (files [][]byte) {
	t.Helper()
	for _, s := range b.Students {
		h := course.HandIn{Kind: course.HandInKind, Version: 1, Assignment: b.Assignment.ContentID(), Name: s.Name}
		for _, e := range b.Entries {
			if e.Student == s.N {
				h.Entries = append(h.Entries, e)
			}
		}
		if len(h.Entries) > 0 {
			data, _ := json.Marshal(h)
			files = append(files, data)
		}
	}
	return files
}

// TestHandIns make the same board as the server's, but for what only a server can vouch for.
func TestHandIns(t *testing.T) {
	whole, a, v := made(t)
	known := func(id string) *course.Assignment {
		if id == a.ContentID() {
			return a
		}
		return nil
	}
	b := class.NewLocal(nil)
	open := func(data []byte) string {
		t.Helper()
		n, says, bad := b.Open(data, known, "0.2.0", scenario.Defaults{})
		if bad {
			return says
		}
		b = n
		return ""
	}
	files := handIns(t, whole)
	for _, f := range files {
		if why := open(f); why != "" {
			t.Fatal(why)
		}
	}
	if why := open(files[3]); why != "" || len(b.Students) != 28 { // again
		t.Error(why, len(b.Students))
	}
	b = b.Ran(classroom.Run(a.Document()))
	if !b.Unproved || b.Tally.Committed != 28 || len(b.Changed(v)) != len(whole.Changed(v)) || b.Waiting() == nil {
		t.Errorf("%+v", b.Tally)
	}
	// another student whose page gave the same name
	twin := strings.Replace(string(files[0]), `"at_ms":1`, `"at_ms":2`, -1)
	if why := open([]byte(twin)); why != "" || b.Students[28].Name != b.Students[0].Name+" 2" {
		t.Error(why, b.Students[len(b.Students)-1])
	}
	for what, data := range map[string]string{"another assignment": strings.Replace(string(files[0]), a.ContentID(),
		"0", 1),
		"an unknown option": strings.Replace(string(files[0]), `"option":"`, `"option":"x`, 1),
		"a locked value": strings.Replace(string(files[0]), "/scenario/cluster/nodes/0/gpus/v100",
			"/scenario/seed", 1),
		"two lines": "a\nb", "nothing": "", "a scenario": `{"kind":"scenario"}`} {
		if open([]byte(data)) == "" {
			t.Error(what, "is taken")
		}
	}
	saved, _ := json.Marshal(b.Record("e", nil, false))
	if strings.Contains(string(saved), b.Students[0].Name) {
		t.Error("a record without names has them")
	}
	b = class.NewLocal(nil)
	if why := open(saved); why != "" || b.Tally.Committed != 29 || b.Students[0].Name != "Student 1" || !b.Unproved {
		t.Error(why, b.Tally)
	}
}

// TestSavedClassesGrowOld: what was right stays as it was found, and says by which version; saved again it still does.
func TestSavedClassesGrowOld(t *testing.T) {
	whole, a, _ := made(t)
	have := scenario.Defaults{"hadar": {Rev: 2}, "gavel-las": {Rev: 1}}
	whole.State.Engine, whole.State.Revs = "", nil // a board of files, made by this page
	for i, then := range []struct {
		engine string
		have   scenario.Defaults
		old    bool
	}{
		{"0.2.0", have, false}, {"0.2.9", have, false}, {"0.1.0", have, true},
		{"0.2.0", scenario.Defaults{"hadar": {Rev: 1}, "gavel-las": {Rev: 1}}, true},
		{"0.2.0", scenario.Defaults{"hadar": {Rev: 2}, "gavel-las": {Rev: 1}, "fifo": {Rev: 9}}, false},
	} {
		saved, _ := json.Marshal(whole.Record(then.engine, then.have, true))
		b, says, bad := class.NewLocal(nil).Open(saved, func(string) *course.Assignment { return a }, "0.2.0", have)
		if bad || b.State.Old != then.old || !maps.Equal(b.Truth, whole.Truth) {
			t.Errorf("%d: old %v, right %v, %s", i, b.State.Old, b.Truth, says)
		}
		if r := b.Record("0.2.0", have, true); r.Engine != then.engine || !slices.Equal(r.Revs, a.Revs(then.have)) {
			t.Errorf("%d: saved again it is of %s, %v", i, r.Engine, r.Revs)
		}
	}
}

// TestUnseenIsSeenInASavedClass: a character that nobody sees, as one that turns the line around, is shown in names,
// tags and sentences.
func TestUnseenIsSeenInASavedClass(t *testing.T) {
	const unseen = "\u202e"
	whole, a, _ := made(t)
	r := whole.Record("0.2.0", scenario.Defaults{}, true)
	i := slices.IndexFunc(r.Entries, func(e course.Entry) bool { return e.Kind == course.Sentence })
	r.Students, r.Entries = slices.Clone(r.Students), slices.Clone(r.Entries)
	r.Students[0].Name, r.Students[0].Tag, r.Entries[i].Text = unseen+"otter", "a"+unseen, unseen+"so"
	saved, _ := json.Marshal(r)
	b, says, bad := class.NewLocal(nil).Open(saved, func(string) *course.Assignment { return a }, "0.2.0",
		scenario.Defaults{})
	if bad || b.Students[0].Name != "\ufffdotter" || b.Students[0].Tag != "a\ufffd" || b.Entries[i].Text != "\ufffdso" {
		t.Errorf("%s %+v %+v", says, b.Students[0], b.Entries[i])
	}
}

func TestPasted(t *testing.T) {
	for text, want := range map[string]int{"": 0, `{"a": 1}`: 1, "one\ntwo three\n": 3} {
		if got := class.Pasted(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
