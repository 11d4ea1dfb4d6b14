//go:build !js

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
)

// gradeForms says what course systems match by what.
const gradeForms = "`FORM` of the file: table (a row a student, of several classes a row a tag); moodle (columns tag and, " +
	"for each assignment, its points: at Moodle's import map tag to the ID number, user name or e-mail address that " +
	"your tags are, and each assignment to its grade item); canvas (Canvas looks the tag up as SIS user ID, else as SIS " +
	"login ID, and the assignment by its name). An empty cell is nothing that counts"

// gradeCommand turns saved classes, and hand-ins of classes without a server, into points by one rule: of one class a
// row a student, of several, or for a course system, a row a tag.
func gradeCommand(c command, std streams, args []string) int {
	f := c.flags()
	vote := f.String("vote", class.FirstVote, "`WHICH` answers count: first, second, or best, the better of the two by question")
	only := f.String("questions", "", "`IDS` of the questions that count, with commas between; default all")
	each := f.Float64("each", 1, "`POINTS` for a right answer")
	task := f.Float64("task", 1, "`POINTS` for the task")
	due := f.String("due", "", "`TIME` until which work is on time, as 2026-12-01T18:00+01:00; default always")
	late := f.Float64("late", 0, "`PERCENT` of the points of later work that is taken off, 0 to 100")
	format := f.String("format", class.TableForm, gradeForms)
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
		return fail("name saved classes (\"Everything, JSON\" of a board's export) or hand-ins (see `hadarlab grade --help`)")
	case !slices.Contains([]string{class.FirstVote, class.SecondVote, class.BestVote}, *vote):
		return fail("--vote: %s is none of first, second, best", jsondoc.Quote(*vote))
	case !slices.Contains(class.GradebookForms, *format):
		return fail("--format: %s is none of %s", jsondoc.Quote(*format), strings.Join(class.GradebookForms, ", "))
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
			return fail("--due: %s is no time (write it as 2026-12-01T18:00+01:00)", jsondoc.Quote(*due))
		}
		rule.DueMS = at.UnixMilli()
	}
	records, err := readClasses(std, files)
	if err != nil {
		fmt.Fprintln(std.err, err)
		return exitUsage
	}
	for _, q := range rule.Questions {
		if !slices.ContainsFunc(records, func(r *class.Record) bool { return r.Assignment.Question(q) != nil }) {
			return fail("--questions: no class here has a question %s", jsondoc.Quote(q))
		}
	}
	out := records[0].GradesCSV(rule, true)
	if len(records) > 1 || *format != class.TableForm {
		b := class.NewGradebook(rule, records)
		if out = b.CSV(*format); b.Tagless > 0 {
			fmt.Fprintf(std.err, "%d of the students have no tag, by which rows are made, and are in none.\n", b.Tagless)
		}
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
