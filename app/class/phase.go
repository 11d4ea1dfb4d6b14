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
	}
	return words.T("Closed")
}

// PhaseSays is what a student does in a phase of an assignment's plan.
func PhaseSays(a *class.Assignment, p class.Phase) string {
	if p == class.Discuss && a.Votes() == p {
		return words.T("Now discuss with your neighbours, and answer again.")
	}
	return map[class.Phase]string{class.Lobby: words.T("It begins soon."), class.Predict: words.T("Now predict."),
		class.Discuss:   words.T("Now discuss with your neighbours."),
		class.VoteAgain: words.T("Now answer again, alone."), class.Run: words.T("Now look what the two do."),
		class.Change: words.T("Now change one thing."), class.Closed: words.T("The class is over.")}[p]
}
