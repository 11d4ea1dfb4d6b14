package state

import (
	"math"
	"slices"

	"hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/scenario"
)

// Task is what is changed of the class's scenario, and why that cannot be handed in yet, "" = it can.
func (s *State) Task() (edits []course.Edit, why string) {
	st := s.Student
	edits, diags := st.Assignment.Judge(s.Doc, s.Defaults)
	last := st.Entry(course.Submission)
	switch {
	case s.Faults() > 0:
		return edits, words.T("Correct the error in the scenario first.")
	case len(edits) == 0:
		return edits, words.T("Nothing is changed yet.")
	case diags.HasErrors():
		return edits, s.taskProblem(edits)
	case last != nil && last.ScenarioID == s.Doc.ID(s.Defaults):
		if st.Alone() {
			return edits, words.T("This is kept.")
		}
		return edits, words.T("This is what you have handed in.")
	case !s.Fresh() || s.Run.Busy():
		return edits, words.T("It is still being run.")
	case slices.ContainsFunc(s.Result.Lanes, func(l *run.Lane) bool { return l.Trace == nil || l.Stopped() }):
		return edits, words.T("A lane has not run to its end.")
	}
	return edits, ""
}

// inClass is the student whose class this lab shows, nil = none.
func (s *State) inClass() *class.Student {
	if st := s.Student; s.Room == StudentRoom && st != nil && st.Assignment != nil {
		return st
	}
	return nil
}

// Changes says that a class's task is being done.
func (s *State) Changes() bool {
	st := s.inClass()
	return st != nil && st.Changes()
}

// Spoils says that what looks for changes that work would do a class's task before its time.
func (s *State) Spoils() bool {
	st := s.inClass()
	return st != nil && st.Assignment.Task != nil && !st.Since(course.Change) && st.State.Phase != course.Closed
}

// taskProblem is what is wrong with changes, in the names of fields.
func (s *State) taskProblem(edits []course.Edit) string {
	a := s.Student.Assignment
	for _, e := range edits {
		if why := s.lockOf(e); why != "" {
			return why
		}
	}
	if len(edits) > a.Task.Changes {
		return words.F("The task asks for {0}. Undo some, or start again.", plural(a.Task.Changes))
	}
	return words.F("The task asks for {0}.", plural(a.Task.Changes))
}

// plural counts changes in words.
func plural(n int) string {
	if n == 1 {
		return words.T("exactly 1 change")
	}
	return words.F("exactly {0} changes", itoa(n))
}

// lockOf says why a change is not allowed, "" = it is.
func (s *State) lockOf(e course.Edit) string {
	name := s.Variable(e.Path).Name
	open, ok := s.Student.Assignment.OpenAt(e.Path)
	switch {
	case !ok:
		return words.F("Locked in this assignment: {0}", name)
	case e.To == nil:
		return words.F("Only numbers may be changed: {0}", name)
	case *e.To < open.From || *e.To > open.To:
		return words.F("{0} may be {1} to {2} here.", name, edit.FormatNumber(open.From), edit.FormatNumber(open.To))
	}
	return ""
}

// Locked says whether the locks of an assignment hold now.
func (s *State) Locked() bool {
	return s.Changes() && len(s.Student.Assignment.Open) > 0
}

// Lock says why the value at a pointer cannot be changed now, "" = it can.
func (f *Form) Lock(path string) string {
	if f.Locks == nil {
		return ""
	}
	if _, ok := f.Locks.OpenAt(path); !ok {
		return words.T("Locked in this assignment.")
	}
	return ""
}

// Bound is the range of a value under the locks.
func (f *Form) Bound(path string, r edit.Range) edit.Range {
	if f.Locks == nil {
		return r
	}
	if open, ok := f.Locks.OpenAt(path); ok && !math.IsInf(open.To, 1) {
		r.Open = r.Open && open.From <= r.Min
		r.Min, r.Max = max(r.Min, open.From), min(r.Max, open.To)
	}
	return r
}

// refuses says why the locks refuse a document: it has a change that they do not allow and that what stands has not.
func (s *State) refuses(d *scenario.Document) string {
	if !s.Locked() {
		return ""
	}
	a := s.Student.Assignment
	had := map[string]float64{}
	for _, e := range a.Edits(s.Doc, s.Defaults) {
		if e.To != nil {
			had[e.Path] = *e.To
		} else {
			had[e.Path] = math.Inf(1)
		}
	}
	for _, e := range a.Edits(d, s.Defaults) {
		to := math.Inf(1)
		if e.To != nil {
			to = *e.To
		}
		if was, ok := had[e.Path]; ok && was == to {
			continue
		}
		if why := s.lockOf(e); why != "" {
			return why
		}
	}
	return ""
}
