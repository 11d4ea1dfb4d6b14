package class

import (
	"hadarlab/app/words"
	"hadarlab/core/class"
)

// PhaseTitle names a phase.
func PhaseTitle(p class.Phase) string {
	switch p {
	case class.Lobby:
		return words.T("Lobby")
	case class.Predict:
		return words.T("Predict")
	case class.Run:
		return words.T("Run")
	case class.Discuss:
		return words.T("Discuss")
	case class.VoteAgain:
		return words.T("Vote again")
	case class.Change:
		return words.T("Change")
	case class.Homework:
		return words.T("Homework")
	}
	return words.T("Closed")
}

// PhaseSays is what a student does in a phase of an assignment's plan.
func PhaseSays(a *class.Assignment, p class.Phase) string {
	if p == class.Discuss && a.Votes() == p {
		return words.T("Now discuss with your neighbours, and answer again.")
	}
	if p == class.Change && a.Task != nil && a.Task.Race != nil {
		return words.T("Now write your lane.")
	}
	return map[class.Phase]string{class.Lobby: words.T("It begins soon."), class.Predict: words.T("Now predict."),
		class.Discuss:   words.T("Now discuss with your neighbours."),
		class.VoteAgain: words.T("Now answer again, alone."), class.Run: words.T("Now look what the two do."),
		class.Change: words.T("Now change one thing."), class.Closed: words.T("The class is over."),
		class.Homework: words.T("It is yours to do when you like, until it closes.")}[p]
}

// OutSays says how many have yet to give the answers that the next phase ends.
func OutSays(n int) string {
	return words.Count(n, "{0} has not answered yet, and the run ends the vote. Press again to go on.",
		"{0} have not answered yet, and the run ends the vote. Press again to go on.")
}

// PaceTitle names a step of a student in a homework.
func PaceTitle(p class.Pace) string {
	return map[class.Pace]string{class.OwnPredict: words.T("Predict"), class.OwnRun: words.T("Run"),
		class.OwnChange: words.T("Change"), class.OwnWrite: words.T("Write"), class.OwnDone: words.T("Done")}[p]
}

// HomeworkSays is what a student does next in a homework.
func (s *Student) HomeworkSays() string {
	switch {
	case s.State.Phase == class.Closed:
		return words.T("The homework is over, and the feedback is here.")
	case !s.Works():
		return words.T("The homework has closed. What is right comes with the feedback.")
	}
	switch s.Assignment.Pace(s.Entries) {
	case class.OwnRun:
		return words.T("Now look what the two do.")
	case class.OwnChange:
		return words.T("Now change one thing.")
	case class.OwnWrite:
		return words.T("Now write why, in a sentence.")
	}
	return words.T("All is handed in. You may change it again, and write it better, until it closes.")
}

// HoursProblem says what is wrong with the hours of a homework at a moment, and the way out; "" = nothing.
func HoursProblem(h class.Hours, nowMS int64) string {
	if errs := h.Check(nowMS).Errors(); len(errs) > 0 {
		return fault(errs[0])
	}
	return ""
}
