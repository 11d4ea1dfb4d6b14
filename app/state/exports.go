package state

import (
	"bytes"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/scenario"
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
	// SaveReport hands out the finding and the table of figures as Markdown.
	SaveReport struct{ Origin, Table string }
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
			lanes = append(lanes, trace.ChromeLane{Name: l.Policy.ID, Trace: l.Trace, Placements: l.Chart.Placements(l.Trace), Counters: l.Chart.Counters(l.Trace)})
		}
	}
	var b bytes.Buffer
	if len(lanes) == 0 || trace.ChromeJSON(&b, lanes) != nil { // a buffer takes everything
		return nil
	}
	return []Effect{Download{s.fileName() + "-chrome" + s.Result.partial() + ".json", "application/json", b.Bytes()}}
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
	return []Effect{Download{s.fileName() + "-" + l.Policy.ID + "-events" + s.Result.partial() + ".csv", "text/csv", b.Bytes()}}
}

func (a SavePNG) on(s *State) []Effect {
	if s.Result == nil {
		return nil
	}
	var lanes []chart.SheetLane
	for _, l := range s.Result.Lanes {
		if l.Trace == nil {
			continue
		}
		title := l.Title
		if l.stopped() {
			title += ", " + words.F("stopped at round {0}: not the whole run", itoa(len(l.Trace.Rounds)))
		}
		lanes = append(lanes, chart.SheetLane{Policy: l.Policy.ID, Title: title, Trace: l.Trace, Lane: l.Chart})
	}
	if len(lanes) == 0 {
		return nil
	}
	// The picture is of the result, which edits may have left behind.
	caption := s.Colophon() + "\n" + a.Origin + s.ResultLink()
	return []Effect{DownloadPNG{s.fileName() + s.Result.partial() + ".png", chart.SheetSVG(lanes, words.T(titleOf(s.Result.Doc)), caption)}}
}

func (a SaveReport) on(s *State) []Effect {
	r := s.Result
	if r == nil {
		return nil
	}
	text := "# " + Markdown(words.T(titleOf(s.Result.Doc))) + "\n\n"
	if question := r.Doc.Meta.Question; question != "" {
		text += Markdown(words.T(question)) + "\n\n"
	}
	text += "**" + Markdown(r.Finding.Claim) + "** " + Markdown(r.Finding.Because) + "\n\n" + a.Table + "\n"
	for _, l := range r.Lanes {
		if l.Trace != nil {
			text += "- " + Markdown(l.Title) + ": `" + l.Policy.ID + "`, trace `" + l.Meta.TraceHash + "`\n"
		}
	}
	text += "- [" + words.T("Open the scenario") + "](" + a.Origin + s.ResultLink() + "), `" + r.Doc.ID(s.Defaults) + "`\n- " + s.Colophon() + "\n"
	return []Effect{Download{s.fileName() + "-report" + r.partial() + ".md", "text/markdown", []byte(text)}}
}

// Markdown is a text with no meaning of its own there.
func Markdown(s string) string {
	var b []byte
	for i := range len(s) {
		if strings.IndexByte("\\`*_[]<>|#~&", s[i]) >= 0 {
			b = append(b, '\\')
		}
		if b = append(b, s[i]); s[i] == '\n' {
			b[len(b)-1] = ' '
		}
	}
	return string(b)
}

func (Print) on(*State) []Effect { return []Effect{PrintPage{}} }

// Colophon says what has computed the result.
func (s *State) Colophon() string { return words.F("Hadarlab, engine {0}", s.Boot.Engine) }

// ResultLink is the path and fragment that opens the scenario of the result.
func (s *State) ResultLink() string {
	d := s.Doc
	if s.Result != nil {
		d = s.Result.Doc
	}
	return "/#" + scenario.EncodeLink(d, s.Defaults)
}
