package state

import (
	"bytes"

	"hadarlab/core/chart/draw"
	"hadarlab/core/link"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

type (
	// SaveChrome hands out all lanes in the Trace Event format, which Perfetto opens.
	SaveChrome struct{}
	// SaveEvents hands out what happened in a lane, as CSV.
	SaveEvents struct{ Lane int }
	// SavePNG hands out the timeline as a picture. Origin is the page's address, for the link below it.
	SavePNG struct{ Origin string }
	// Print prints the page.
	Print struct{}
)

func (SaveChrome) on(s *State) []Effect {
	var lanes []trace.ChromeLane
	if s.Result == nil {
		return nil
	}
	for _, l := range s.Result.Lanes {
		if l.Trace != nil {
			lanes = append(lanes, trace.ChromeLane{Name: l.Policy.ID, Trace: l.Trace,
				Placements: l.Chart.Placements(l.Trace), Counters: l.Chart.Counters(l.Trace)})
		}
	}
	var b bytes.Buffer
	if len(lanes) == 0 || trace.ChromeJSON(&b, lanes) != nil { // a buffer takes everything
		return nil
	}
	return []Effect{Download{s.fileName() + "-chrome" + partial(s.Result) + ".json", "application/json", b.Bytes()}}
}

func (a SaveEvents) on(s *State) []Effect {
	if s.Result == nil || a.Lane >= len(s.Result.Lanes) || s.Result.Lanes[a.Lane].Trace == nil {
		return nil
	}
	l := s.Result.Lanes[a.Lane]
	var b bytes.Buffer
	if trace.EventsCSV(&b, l.Trace, l.Chart.Placements(l.Trace)) != nil { // a buffer takes everything
		return nil
	}
	return []Effect{Download{s.fileName() + "-" + l.Policy.ID + "-events" + partial(s.Result) + ".csv", "text/csv",
		b.Bytes()}}
}

func (a SavePNG) on(s *State) []Effect {
	if s.Result == nil {
		return nil
	}
	var lanes []draw.SheetLane
	for _, l := range s.Result.Lanes {
		if l.Trace == nil {
			continue
		}
		title := l.Title
		if l.stopped() {
			title += ", " + words.F("stopped at round {0}: not the whole run", itoa(len(l.Trace.Rounds)))
		}
		lanes = append(lanes, draw.SheetLane{Policy: l.Policy.ID, Title: title, Trace: l.Trace, Lane: l.Chart})
	}
	if len(lanes) == 0 {
		return nil
	}
	// The picture is of the result, which edits may have left behind.
	caption := Colophon(s.Boot.Engine) + "\n" + a.Origin + s.ResultLink()
	return []Effect{DownloadPNG{s.fileName() + partial(s.Result) + ".png",
		draw.SheetSVG(lanes, s.titleOf(s.Result.Doc), caption)}}
}

func (Print) on(*State) []Effect { return []Effect{PrintPage{}} }

// Colophon says what has computed the result.
func Colophon(engine string) string { return words.F("Hadarlab, engine {0}", engine) }

// ResultLink is the path and fragment that opens the scenario of the result.
func (s *State) ResultLink() string {
	d := s.Doc
	if s.Result != nil {
		d = s.Result.Doc
	}
	return "/#" + link.Encode(d, s.Defaults)
}
