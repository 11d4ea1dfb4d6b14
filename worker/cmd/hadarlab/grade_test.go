//go:build !js

package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// due is until when the work of these tests is in time, and atDue that as the command reads it.
const atDue = "2026-11-24T18:00+01:00"

var due = time.Date(2026, 11, 24, 17, 0, 0, 0, time.UTC).UnixMilli()

// homework is a class on a shipped assignment in which students do what do says; its first task that works is done by
// whom done says, and late by whom late says.
func homework(t *testing.T, id string, students int, right func(i int, question string, again bool) bool,
	done, late func(i int) bool) *class.Record {
	t.Helper()
	doc, _ := scenarios.Assignment(id)
	a, diags := class.Parse(doc)
	if a == nil {
		t.Fatal(diags)
	}
	r := &class.Record{Kind: class.RecordKind, Version: class.Version, Engine: lab.Engine, Assignment: a}
	if err := settle(r); err != nil {
		t.Fatal(err)
	}
	changed, ok := a.Apply(a.Task.Works[:1])
	if !ok {
		t.Fatal("the change that works does not apply")
	}
	made, err := runOf(changed)
	if err != nil {
		t.Fatal(err)
	}
	for i := range students {
		n := i + 1
		r.Students = append(r.Students, class.Student{N: n, Name: class.Name(7, n), Tag: fmt.Sprintf("m%02d", i),
			JoinedMS: due - 7200_000})
		for _, kind := range []string{class.Answers, class.Vote} {
			e := class.Entry{Student: n, Kind: kind, AtMS: due - 3600_000, Body: class.Body{
				Answers: map[string]class.Answer{}}}
			for k := range a.Questions {
				q := &a.Questions[k]
				if kind == class.Vote && !q.Again {
					continue
				}
				at := slices.IndexFunc(q.Options, func(o class.Option) bool {
					return (o.ID == r.Truth[q.ID]) == right(i, q.ID, kind == class.Vote)
				})
				e.Answers[q.ID] = class.Answer{Option: q.Options[at].ID, Sure: 3}
			}
			if len(e.Answers) > 0 {
				r.Entries = append(r.Entries, e)
			}
		}
		if done(i) {
			e := class.Entry{Student: n, Kind: class.Submission, AtMS: due - 60_000, Body: class.Body{
				Engine: lab.Engine, Changes: a.Edits(changed, lab.Defaults()), Lanes: class.LanesOf(made.lanes)}}
			if late(i) {
				e.AtMS = due + 60_000
			}
			r.Entries = append(r.Entries, e)
		}
	}
	return r
}

// saved writes a document of a class as a file.
func saved(t *testing.T, name string, of any) string {
	t.Helper()
	data, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(at, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

// week1 and week2 are a homework of 60 and the next of 50 of them: what is right, by hand, follows from a tag's number.
func week1(t *testing.T) *class.Record {
	return homework(t, "hadar-vs-gavel", 60, func(i int, question string, again bool) bool {
		switch {
		case question == "by":
			return i%5 == 0
		case again:
			return i%3 == 0
		}
		return i%2 == 0
	}, func(i int) bool { return i%4 == 0 }, func(i int) bool { return i%8 == 0 })
}

func week2(t *testing.T) *class.Record {
	return homework(t, "known-lengths", 50, func(i int, _ string, _ bool) bool { return i%2 == 1 },
		func(int) bool { return false }, func(int) bool { return false })
}

// TestHomeworkOfSixty: two homeworks of the same tags are graded by one rule and handed out in each form; the points of
// some are reckoned by hand: 2 for a right answer, of the vote that is better, 3 for the task, half of what is late.
func TestHomeworkOfSixty(t *testing.T) {
	one, two := week1(t), week2(t)
	titles := []string{one.Assignment.Title, two.Assignment.Title}
	most := fmt.Sprint(2*len(two.Assignment.Questions) + 3)
	all := fmt.Sprint(2 * len(two.Assignment.Questions))
	args := []string{"grade", "--vote", "best", "--each", "2", "--task", "3", "--due", atDue, "--late", "50"}
	files := []string{saved(t, "week-1.json", one), saved(t, "week-2.json", two)}
	graded := func(form string) map[string][]string {
		t.Helper()
		code, out, errs := try(slices.Concat(args, []string{"--format", form}, files)...)
		if code != exitOK || errs != "" {
			t.Fatalf("%s: exit %d, %s", form, code, errs)
		}
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		by := map[string][]string{}
		for _, row := range rows {
			by[row[0]] = row[1:]
		}
		return by
	}
	moodle, canvas := graded(class.MoodleForm), graded(class.CanvasForm)
	if len(moodle) != 61 || len(canvas) != 62 || !slices.Equal(moodle["tag"], titles) ||
		!slices.Equal(canvas["Points Possible"], []string{"", "", "", "", "7", most}) {
		t.Errorf("%d and %d rows, %v, %v", len(moodle), len(canvas), moodle["tag"], canvas["Points Possible"])
	}
	for tag, want := range map[string][]string{
		"m00": {"5.5", "0"}, // both questions, the task late
		"m01": {"0", all},
		"m04": {"5", "0"}, // the first question and the task
		"m09": {"2", all}, // the first question, in the second vote
		"m40": {"5.5", "0"},
		"m55": {"2", ""}, // the second question, and not there the week after
	} {
		if !slices.Equal(moodle[tag], want) || !slices.Equal(canvas[tag], append([]string{"", tag, tag, ""}, want...)) {
			t.Errorf("%s: %v, %v; want %v", tag, moodle[tag], canvas[tag], want)
		}
	}
	if table := graded(class.TableForm); !slices.Equal(table["m09"], []string{"2", all, fmt.Sprint(
		2 + 2*len(two.Assignment.Questions)), fmt.Sprint(7 + 2*len(two.Assignment.Questions) + 3)}) {
		t.Errorf("the table has %v", table["m09"])
	}
}

// TestGradesOfHandIns: the files of students who have no server are graded by the same rule: what is right is found
// here, a forged result counts nothing, and who hands in again is one student, with the later tag.
func TestGradesOfHandIns(t *testing.T) {
	r := week1(t)
	dir := t.TempDir()
	var files []string
	hand := func(name string, i int, tag string, change func(*class.HandIn)) {
		h := &class.HandIn{Kind: class.HandInKind, Version: class.Version, Assignment: r.Assignment.ContentID(),
			Name: r.Students[i].Name, Tag: tag, Engine: lab.Engine}
		for _, e := range r.Entries {
			if e.Student == i+1 {
				h.Entries = append(h.Entries, e)
			}
		}
		change(h)
		files = append(files, saved(t, name, h))
	}
	asIs := func(*class.HandIn) {}
	hand("first.json", 0, "", asIs)
	hand("again.json", 0, "m00", asIs)
	hand("other.json", 9, "m09", asIs)
	hand("forged.json", 4, "m04", func(h *class.HandIn) {
		e := &h.Entries[len(h.Entries)-1]
		e.Lanes = slices.Clone(e.Lanes)
		e.Lanes[0].TraceHash, e.Verdict = "invented", class.Verified
	})
	rule := []string{"grade", "--vote", "best", "--each", "2", "--task", "3", "--format", "moodle"}
	code, out, errs := try(append(rule, files...)...)
	want := "tag,\"" + r.Assignment.Title + "\"\nm00,7\nm04,2\nm09,2\n"
	if code != exitOK || out != want {
		t.Errorf("exit %d, %s\n%swant\n%s", code, errs, out, want)
	}

	// An assignment of one's own is named beside the files.
	var own map[string]any
	shipped, _ := scenarios.Assignment("hadar-vs-gavel")
	if err := json.Unmarshal(shipped, &own); err != nil {
		t.Fatal(err)
	}
	own["title"] = "Week 3"
	data, _ := json.Marshal(own)
	a, diags := class.Parse(data)
	if a == nil {
		t.Fatal(diags)
	}
	files = nil
	hand("own.json", 9, "m09", func(h *class.HandIn) { h.Assignment = a.ContentID() })
	if code, _, errs := try("grade", files[0]); code != exitUsage || !strings.Contains(errs, "name its file, too") {
		t.Errorf("without the assignment: %d %s", code, errs)
	}
	at := filepath.Join(dir, "week-3.json")
	if err := os.WriteFile(at, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := try("grade", files[0], at); code != exitOK || !strings.Contains(out, ",m09,0,0,0,") {
		t.Errorf("with the assignment: %d %s%s", code, out, errs)
	}
}

// TestARaceIsGraded: what nobody has run yet is run on every scenario of its race.
func TestARaceIsGraded(t *testing.T) {
	data, _ := scenarios.Assignment("write-an-order")
	a, _ := class.Parse(data)
	e := class.Entry{Kind: class.Submission, Student: 1, Verdict: class.Pending}
	e.Engine, e.Written = lab.Engine, map[string]any{"key": "job.steps_left / job.speed"}
	docs := a.Entered(e.Written)
	ran, err := runOf(docs[0])
	if err != nil {
		t.Fatal(err)
	}
	e.Lanes = class.LanesOf(ran.lanes)
	r := &class.Record{Assignment: a, Entries: []class.Entry{e}}
	if err := settle(r); err != nil {
		t.Fatal(err)
	}
	if of := &r.Entries[0]; of.Verdict != class.Verified || len(docs) < 2 || len(a.Place(of).Figures) != len(docs) {
		t.Errorf("%s, placed by %d of %d scenarios", of.Verdict, len(a.Place(of).Figures), len(docs))
	}
}

// TestWrongGrades: what cannot be graded is refused with the way out.
func TestWrongGrades(t *testing.T) {
	r := week2(t)
	file := saved(t, "week-2.json", r)
	doc, _ := scenario.Parse(r.Assignment.Scenario, scenario.FileLimits)
	for want, args := range map[string][]string{
		`no class here has a question "colour"`: {"--questions", "colour", file},
		"nothing is late without --due":         {"--late", "10", file},
		"is no time":                            {"--due", "tomorrow", file},
		"none of first, second, best":           {"--vote", "last", file},
		"none of table, moodle, canvas":         {"--format", "xlsx", file},
		"name saved classes":                    nil,
		"the saved class cannot be read":        {saved(t, "scenario.json", json.RawMessage(doc.Marshal(false)))},
		"there is no work in these files":       {saved(t, "assignment.json", r.Assignment)},
		"name a file":                           {"nowhere.json"},
	} {
		code, _, errs := try(append([]string{"grade"}, args...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %s; want %s", args, code, errs, want)
		}
	}
}
