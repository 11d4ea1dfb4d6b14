package student

import (
	"math"
	"slices"

	"hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Task is what is changed of the class's scenario, and why that cannot be handed in yet, "" = it can.
func (m *Model) Task() (edits []course.Edit, why string) {
	st, work := m.Student, m.desk.Work()
	edits, diags := st.Assignment.Judge(work.Doc, m.Defaults)
	last := st.Entry(course.Submission)
	switch {
	case work.Faults > 0:
		return edits, words.T("Correct the error in the scenario first.")
	case st.Assignment.Races() && raceProblem(st, diags) != "":
		return nil, raceProblem(st, diags)
	case !st.Assignment.Races() && len(edits) == 0:
		return edits, words.T("Nothing is changed yet.")
	case diags.HasErrors():
		return edits, m.taskProblem(edits)
	case last != nil && last.ScenarioID == work.Doc.ID(m.Defaults):
		if st.Alone() {
			return edits, words.T("This is kept.")
		}
		return edits, words.T("This is what you have handed in.")
	case !work.Ran:
		return edits, words.T("It is still being run.")
	case slices.ContainsFunc(work.Lanes, func(l *run.Lane) bool { return l.Trace == nil || l.Stopped() }):
		return edits, words.T("A lane has not run to its end.")
	}
	return edits, ""
}

// raceProblem says why a program cannot be handed in yet, given how its scenario is judged, "" = it can.
func raceProblem(st *class.Student, diags jsondoc.Diagnostics) string {
	switch {
	case len(diags) > 0 && diags[0].Code == course.NothingChanged:
		return words.T("Nothing is written yet.")
	case diags.HasErrors():
		return words.T("Only your own lane is changed in a race.")
	case st.TriesLeft() == 0:
		return words.T("No attempt is left.")
	}
	return ""
}

// inClass is the student whose class this lab shows, nil = none.
func (m *Model) inClass() *class.Student {
	if st := m.Student; m.Room == room.Student && st != nil && st.Assignment != nil {
		return st
	}
	return nil
}

// Changing says that a class's task is being done.
func (m *Model) Changing() bool {
	st := m.inClass()
	return st != nil && st.Changes()
}

// Spoils says that what looks for changes that work would do a class's task before its time.
func (m *Model) Spoils() bool {
	st := m.inClass()
	return st != nil && st.Assignment.Task != nil && !st.Since(course.Change) && st.State.Phase != course.Closed
}

// taskProblem is what is wrong with changes, in the names of fields.
func (m *Model) taskProblem(edits []course.Edit) string {
	a := m.Student.Assignment
	for _, e := range edits {
		if why := m.lockOf(e); why != "" {
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
	return words.F("exactly {0} changes", figure.Int(int64(n)))
}

// lockOf says why a change is not allowed, "" = it is.
func (m *Model) lockOf(e course.Edit) string {
	name := m.nameOf(e.Path)
	open, ok := m.Student.Assignment.OpenAt(e.Path)
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

// nameOf is what the number at a pointer of the scenario is called.
func (m *Model) nameOf(path string) string {
	return edit.VariableAt(edit.Variables(m.desk.Work().Doc, m.Boot.Params), path).Name
}

// Locks are the assignment whose locks hold now, nil = none do.
func (m *Model) Locks() *course.Assignment {
	if !m.Changing() || len(m.Assignment.Open) == 0 && !m.Student.Assignment.Races() {
		return nil
	}
	return m.Assignment
}

// Refuses says why the locks refuse a document, "" = they do not: it has a change that they do not allow and that what
// stands has not.
func (m *Model) Refuses(stands, d *scenario.Document) string {
	a := m.Locks()
	if a == nil {
		return ""
	}
	if m.Student.Assignment.Races() {
		if _, diags := a.Judge(d, m.Defaults); diags.HasErrors() && diags[0].Code != course.NothingChanged {
			return raceProblem(m.Student, diags)
		}
		return ""
	}
	had := map[string]float64{}
	for _, e := range a.Edits(stands, m.Defaults) {
		if e.To != nil {
			had[e.Path] = *e.To
		} else {
			had[e.Path] = math.Inf(1)
		}
	}
	for _, e := range a.Edits(d, m.Defaults) {
		to := math.Inf(1)
		if e.To != nil {
			to = *e.To
		}
		if was, ok := had[e.Path]; ok && was == to {
			continue
		}
		if why := m.lockOf(e); why != "" {
			return why
		}
	}
	return ""
}

// Home is the address of the class that the lab stands in, "" = it stands in none.
func (m *Model) Home() string {
	if m.Room != room.Student || m.Student == nil {
		return ""
	}
	return m.Address()
}
