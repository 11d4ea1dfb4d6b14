package state

import (
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/chart"
)

// ChangeOne puts the reader on the first number of GPUs, and says what to do there.
type ChangeOne struct{}

func (ChangeOne) on(s *Lab) []Effect {
	return append(s.Tell(words.T("Press + or −, or change any other number: the lanes follow at once."), false),
		room.Focus{Part: room.PartGPUs})
}

// The simple turns of the view.
type (
	// ChooseChart chooses a chart.
	ChooseChart struct{ Name string }
	// ToggleLog draws prices by their logarithm, or as they are.
	ToggleLog struct{}
	// ToggleTable opens or closes a table: 0 beside the timeline, 1 beside the chart, 2 beside the varied number.
	ToggleTable struct{ Which int }
	// TurnPage turns the timeline's table.
	TurnPage struct{ By int }
	// ToggleOnlyJob makes the timeline's table one of the selected job, or of all.
	ToggleOnlyJob struct{}
	// ToggleFacts lists all metrics or the main ones.
	ToggleFacts struct{}
	// ToggleCommands opens or closes the list of commands.
	ToggleCommands struct{}
	// Search says what is typed in it, and which of what is found is marked.
	Search struct {
		Text string
		At   int
	}
	// PlotWidth says how wide the plot and the column of names beside it are, in px.
	PlotWidth struct{ Px, Names int }
)

func (a ChooseChart) on(s *Lab) []Effect { s.View.Tab = a.Name; return nil }

func (ToggleLog) on(s *Lab) []Effect { s.View.LogPrices = !s.View.LogPrices; return nil }

func (a ToggleTable) on(s *Lab) []Effect {
	if s.View.Tables[a.Which] = !s.View.Tables[a.Which]; a.Which == 0 && s.View.Tables[0] {
		return []Effect{Reveal{room.PartSpans}} // it is below the lanes
	}
	return nil
}

func (a TurnPage) on(s *Lab) []Effect { s.View.Page = min(max(0, s.View.Page+a.By), 1<<20); return nil }

func (ToggleOnlyJob) on(s *Lab) []Effect {
	s.View.OnlyJob, s.View.Page = !s.View.OnlyJob, 0
	return nil
}

func (ToggleFacts) on(s *Lab) []Effect { s.View.AllFacts = !s.View.AllFacts; return nil }

func (ToggleCommands) on(s *Lab) []Effect {
	s.View.Commands, s.View.Query, s.View.Found = !s.View.Commands, "", 0
	return nil
}

func (a Search) on(s *Lab) []Effect { s.View.Query, s.View.Found = a.Text, a.At; return nil }

func (a PlotWidth) on(s *Lab) []Effect {
	w := chart.Widths[0]
	for _, c := range chart.Widths {
		if c <= a.Px {
			w = c
		}
	}
	s.View.PlotW, s.View.Narrow = w, a.Names < 80
	return nil
}
