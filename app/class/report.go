package class

import (
	"strconv"
	"strings"
	"time"

	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/message"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Line is one answer in the report: the question, what was said, how surely, and what is right where that is known.
// Practice was given after that was told.
type Line struct {
	Question, Said, Sure, Is string
	Right, Practice          bool
}

// Lines are the answers of a kind.
func (s *Student) Lines(kind string) (out []Line) {
	e := s.Entry(kind)
	if e == nil {
		return nil
	}
	for i := range s.Assignment.Questions {
		q := &s.Assignment.Questions[i]
		a, ok := e.Answers[q.ID]
		if !ok {
			continue
		}
		l := Line{Question: Say(q.Text), Said: OptionText(q, a.Option), Sure: words.F("Confidence {0} of 5",
			itoa(a.Sure)), Practice: e.Practice}
		if right, known := s.Truth[q.ID]; known {
			l.Is, l.Right = OptionText(q, right), right == a.Option
		}
		out = append(out, l)
	}
	return out
}

// Say is a text of an assignment, in the reader's language where it is one of those that come with the page.
func Say(authored string) string { return words.T(authored) }

// OptionText is what an option says.
func OptionText(q *class.Question, id string) string {
	if o := q.Option(id); o != nil {
		return Say(o.Text)
	}
	return "—"
}

// Receipt is what proves that something was handed in, and when.
func (s *Student) Receipt(e *class.Entry) string {
	at := time.UnixMilli(e.AtMS).Format("15:04")
	if s.State.Homework() { // it lasts for days
		at = time.UnixMilli(e.AtMS).Format("2006-01-02 15:04")
	}
	if s.Alone() {
		return words.F("Kept here at {0}, to be handed in at the end.", at)
	}
	return words.F("Committed: {1}, receipt {0}.", ShortHash(e.Hash), at)
}

// ShortHash is as much of a receipt as is shown.
func ShortHash(hash string) string { return strings.ToUpper(hash[:min(8, len(hash))]) }

// VerdictText says what the server found about a submission, "" = nothing.
func VerdictText(verdict string) string {
	return map[string]string{
		class.Pending:  words.T("The server has yet to run it again."),
		class.Verified: words.T("Verified: run again, with the same result."),
		class.Differs:  words.T("Run again, it came out otherwise. Reload the page and submit again."),
		class.Other:    words.T("Made by another version of the program, so that it was not run again."),
	}[verdict]
}

// Report is the student's own report as Markdown. name says what a value is called.
func (s *Student) Report(name func(path string) string) string {
	var b strings.Builder
	a := s.Assignment
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("# ", plain(Say(a.Title)))
	line()
	line(plain(s.Me.Name), "  ")
	if s.Code != "" {
		line(words.F("Class {0}", s.Code))
	}
	for _, part := range []struct{ kind, title string }{{class.Answers, words.T("What you said")},
		{class.Vote, words.T("What you said after the discussion")}} {
		e := s.Entry(part.kind)
		if e == nil {
			continue
		}
		line("\n## ", part.title, "\n")
		if e.Practice {
			line(words.T("Practice: given when what is right had been told."), "\n")
		}
		for _, l := range s.Lines(part.kind) {
			line("- ", plain(l.Question), " **", plain(l.Said), "**, ", l.Sure)
			if l.Is != "" {
				line("  ", words.F("It is: {0}.", plain(l.Is)))
			}
		}
		line("\n", s.Receipt(e))
	}
	if e := s.Entry(class.Sentence); e != nil {
		line("\n## ", words.T("Why, in your words"), "\n\n", plain(e.Text), "\n\n", s.Receipt(e))
	}
	if e := s.Entry(class.Submission); e != nil {
		line("\n## ", words.T("What you changed"), "\n")
		for _, c := range e.Changes {
			line("- ", plain(EditText(c, name)))
		}
		if code := Code(a, e.Written); code != "" {
			line("\n```\n", strings.ReplaceAll(strings.TrimRight(code, "\n"), "```", "` ` `"), "\n```")
		}
		if a.Task != nil {
			line("\n", plain(Say(a.Task.Text)), " ", s.Outcome(e))
		}
		line("\n", s.Receipt(e), " ", VerdictText(e.Verdict))
	}
	return b.String()
}

// Outcome says whether a submission does what the task asks, and what kind of win it is.
func (s *Student) Outcome(e *class.Entry) string {
	switch t := s.Assignment.Task; {
	case s.State.Phase == class.Homework:
		return words.T("Whether it does what the task asks is told with the feedback.")
	case s.Assignment.Races() && s.Assignment.Done(e):
		return words.T("It does what the task asks.")
	case s.Assignment.Races():
	case t.Succeeds(e.Lanes) && s.Assignment.ByRounds(e.Changes, e.Lanes):
		_, whole := RoundEffect()
		return words.T("It does what the task asks.") + " " + whole
	case t.Succeeds(e.Lanes):
		return words.T("It does what the task asks.")
	case t.Ties(e.Lanes):
		return words.F("It does not do what the task asks yet: the two are about the same, within {0}, and that is no win.",
			figure.Percent(words.Now(), message.Tie))
	}
	return words.T("It does not do what the task asks yet.")
}

// WinMeans says from where on the task is done.
func (s *Student) WinMeans() string {
	return words.F("A win is more than {0}: up to there the two are about the same.",
		figure.Percent(words.Now(), message.Tie))
}

// EditText is a change in words.
func EditText(c class.Edit, name func(path string) string) string {
	return words.F("{0}, {1} to {2}", name(c.Path), value(c.From), value(c.To))
}

func value(v *float64) string {
	if v == nil {
		return words.T("none")
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// plain is a text in which nothing is a mark of Markdown, on one line.
func plain(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "<", "&lt;", "#", "\\#",
		"\n", " ").Replace(s)
}
