//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/csv"
	"hadarlab/core/text"
)

// gradeCommand turns saved classes into points by one rule: of one class a row a student, of several a row a tag.
func gradeCommand(c command, std streams, args []string) int {
	f := c.flags()
	vote := f.String("vote", class.FirstVote, "`WHICH` answers count: first, second, or best, the better of the two by question")
	only := f.String("questions", "", "`IDS` of the questions that count, with commas between; default all")
	each := f.Float64("each", 1, "`POINTS` for a right answer")
	task := f.Float64("task", 1, "`POINTS` for the task")
	due := f.String("due", "", "`TIME` until which work is in time, as 2026-12-01T18:00+01:00; default always")
	late := f.Float64("late", 0, "`PERCENT` of the points of later work that is taken off, 0 to 100")
	files, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	rule := class.Rule{Vote: *vote, Each: *each, Task: *task, Late: *late / 100}
	if *only != "" {
		rule.Questions = strings.Split(*only, ",")
	}
	fail := func(format string, values ...any) int {
		fmt.Fprintf(std.err, "hadarlab grade: "+format+"\n", values...)
		return exitUsage
	}
	switch {
	case len(files) == 0:
		return fail("name the saved classes: \"Everything, JSON\" of a board's export (see `hadarlab grade --help`)")
	case !slices.Contains([]string{class.FirstVote, class.SecondVote, class.BestVote}, *vote):
		return fail("--vote: %s is none of first, second, best", text.Quote(*vote))
	case !(*each >= 0 && *each <= 1e6 && *task >= 0 && *task <= 1e6):
		return fail("--each, --task: points are 0 to 1000000")
	case !(*late >= 0 && *late <= 100):
		return fail("--late: a share is 0 to 100 %%")
	case *late > 0 && *due == "":
		return fail("--late: nothing is late without --due")
	}
	if *due != "" {
		at, err := dueAt(*due)
		if err != nil {
			return fail("--due: %s is no time (write it as 2026-12-01T18:00+01:00)", text.Quote(*due))
		}
		rule.DueMS = at.UnixMilli()
	}
	var records []*class.Record
	for _, name := range files {
		r, err := readClass(std, name)
		if err != nil {
			fmt.Fprintf(std.err, "%s: %v\n", name, err)
			return exitUsage
		}
		for _, q := range rule.Questions {
			if r.Assignment.Question(q) == nil {
				return fail("--questions: %s has no question %s", name, text.Quote(q))
			}
		}
		records = append(records, r)
	}
	out := records[0].GradesCSV(rule, true)
	if len(records) > 1 {
		out = courseCSV(rule, files, records)
	}
	if _, err := std.out.Write(out); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}

// dueAt reads a time with its zone, seconds or not.
func dueAt(s string) (at time.Time, err error) {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if at, err = time.Parse(form, s); err == nil {
			break
		}
	}
	return at, err
}

// readClass reads a saved class.
func readClass(std streams, name string) (*class.Record, error) {
	data, err := readAll(std, name)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w (name a file; - reads standard input)", err)
	}
	var r struct {
		class.Record
		Assignment json.RawMessage `json:"assignment"`
	}
	if json.Unmarshal(data, &r) != nil || r.Kind != class.RecordKind {
		return nil, fmt.Errorf("it is no saved class (save one by \"Everything, JSON\" of a board's export)")
	}
	if wrong, bad := text.Version(r.Version, class.Version); bad {
		return nil, fmt.Errorf("%s (%s)", wrong.Message.String(), wrong.Fix.String())
	}
	a, diags := class.Parse(r.Assignment)
	if a == nil {
		return nil, fmt.Errorf("its assignment: %s", diags.Errors()[0].Message.String())
	}
	r.Record.Assignment = a
	return &r.Record, nil
}

// courseCSV is one row a tag: points in each class, "" where the tag was not there, and their sum.
func courseCSV(rule class.Rule, names []string, records []*class.Record) []byte {
	var all [][]class.Grade
	head, most := []string{"tag"}, 0.0
	for i, r := range records {
		all = append(all, r.Grades(rule))
		head = append(head, names[i])
		if len(all[i]) > 0 {
			most += all[i][0].Most
		}
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	b := csv.Row(nil, append(head, "points", "max_points")...)
	for _, c := range class.Courses(all) {
		row, sum := []string{c.Tag}, 0.0
		for _, g := range c.Grades {
			if g == nil {
				row = append(row, "")
				continue
			}
			row, sum = append(row, number(g.Points())), sum+g.Points()
		}
		b = csv.Row(b, append(row, number(sum), number(most))...)
	}
	return b
}
