package state

import (
	"io"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/data"
	"hadarlab/core/chart/draw"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

type (
	// SaveChrome hands out all lanes in the Trace Event format, which Perfetto opens.
	SaveChrome struct{}
	// SaveEvents hands out what happened in a lane, as CSV.
	SaveEvents struct{ Lane int }
	// SaveChart hands out a chart as numbers: CSV, or a Vega-Lite specification.
	SaveChart struct {
		Of   string
		Vega bool
	}
	// SavePNG hands out the timeline as a picture. Origin is the page's address, for the link below it.
	SavePNG struct{ Origin string }
	// Print prints the page.
	Print struct{}
)

// recorded is how many entries runs have in all.
func recorded(lanes ...*run.Lane) (n int) {
	for _, l := range lanes {
		n += l.Trace.Spans.Len() + len(l.Trace.Rounds) + len(l.Trace.Jobs)
	}
	return n
}

// file hands out a file about so many entries of the result, whose name says when that is not whole.
func (s *Lab) file(what, ending string, entries int, write fill) []Effect {
	return s.hand(s.fileName()+what+share.Partial(s.Result), ending, entries, write)
}

// Written says that a file is written, or why not.
type Written struct {
	ID  int64
	Err error
}

func (a Written) on(s *Lab) []Effect {
	if len(s.Writing) == 0 || s.Writing[0].ID != a.ID {
		return nil
	}
	name := s.Writing[0].Name
	s.Writing = s.Writing[1:]
	if next := s.write(); a.Err != nil {
		return append(s.unwritten(name, a.Err), next...)
	} else if next != nil {
		return next
	}
	s.Announcement = words.F("{0} is written.", name)
	return nil
}

// StopSaving gives up the file that is being written.
type StopSaving struct{}

func (StopSaving) on(s *Lab) []Effect {
	if len(s.Writing) == 0 {
		return nil
	}
	said := words.F("{0} is not written.", s.Writing[0].Name)
	s.Writing = s.Writing[1:]
	effects := append([]Effect{StopWriting{}}, s.write()...)
	if len(s.Writing) == 0 {
		s.Announcement = said
	}
	return effects
}

// writeText writes a text in pieces, between which there may be a rest.
func writeText(w io.Writer, text string) error {
	for len(text) > 0 {
		n, err := io.WriteString(w, text[:min(len(text), 32<<10)])
		if err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// pictured is what a picture calls a lane.
func pictured(l *run.Lane) string {
	if l.Stopped() {
		return l.Title + ", " + words.F("stopped at round {0}: not the whole run", itoa(len(l.Trace.Rounds)))
	}
	return l.Title
}

func (SaveChrome) on(s *Lab) []Effect {
	ran := s.Result.Ran()
	if len(ran) == 0 {
		return nil
	}
	return s.file("-chrome", ".json", recorded(ran...), func(w io.Writer, pace unit.Pace) error {
		var lanes []trace.ChromeLane
		var p *model.Problem
		if doc := s.Result.Doc; doc.Scenario.SharesHosts() {
			p, _ = scenario.Compile(doc, nil)
		}
		for _, l := range ran {
			t := l.Trace.Paced(pace)
			counters := l.Chart.Counters(t)
			if p != nil {
				counters = append(counters, chart.HostCounters(t, p.Under(l.Policy.Params))...)
			}
			lanes = append(lanes, trace.ChromeLane{Name: l.Policy.ID, Trace: t, Placements: l.Chart.Placements(t),
				Counters: counters})
		}
		return trace.ChromeJSON(w, lanes)
	})
}

func (a SaveEvents) on(s *Lab) []Effect {
	l := s.Result.RanLane(a.Lane)
	if l == nil {
		return nil
	}
	return s.file("-"+l.Policy.ID+"-events", ".csv", recorded(l), func(w io.Writer, pace unit.Pace) error {
		t := l.Trace.Paced(pace)
		return trace.EventsCSV(w, t, l.Chart.Placements(t))
	})
}

func (a SaveChart) on(s *Lab) []Effect {
	r, ran, in, kind := s.Result, s.Result.Ran(), words.Now(), a.Of
	source := data.Source{Rack: r.Rack(), Problem: func() *model.Problem {
		p, _ := scenario.Compile(r.Doc, nil)
		return p
	}}
	if m, ok := r.Moment(s.View.Moment); ok {
		source.At = m.At
	}
	one, base := r.Pair()
	for i, l := range ran {
		switch l {
		case one:
			source.Pair[0] = i
		case base:
			source.Pair[1] = i
		}
	}
	title, ending := s.Boot.TitleOf(r.Doc), ".csv"
	many := cannot(words.F("This chart has more than {0} rows: save it as CSV.", itoa(data.MostRows)))
	if a.Vega {
		ending = ".json"
	}
	return s.file("-"+kind, ending, recorded(ran...), func(w io.Writer, pace unit.Pace) error {
		for _, l := range ran {
			source.Runs = append(source.Runs, data.Run{Name: l.Title, Trace: l.Trace.Paced(pace), Lane: l.Chart,
				Meta: &l.Meta})
		}
		t, lacks := data.Of(kind, &source)
		switch {
		case t == nil:
			return cannot(lacks.In(in))
		case !a.Vega:
			return t.CSV(w)
		}
		err := t.Vega(w, in, title+": "+in.T(t.Chart.Title))
		if err == data.ErrRows {
			return many
		}
		return err
	})
}

func (a SavePNG) on(s *Lab) []Effect {
	ran, in := s.Result.Ran(), words.Now()
	if len(ran) == 0 {
		return nil
	}
	// The picture is of the result, which edits may have left behind.
	title := s.Boot.TitleOf(s.Result.Doc)
	caption := share.Colophon(s.Boot.Engine) + "\n" + a.Origin + ResultLink(s.Result, s.Defaults)
	return s.file("", ".png", recorded(ran...), func(w io.Writer, pace unit.Pace) error {
		var lanes []draw.SheetLane
		for _, l := range ran {
			lanes = append(lanes, draw.SheetLane{Policy: l.Policy.ID, Title: pictured(l), Trace: l.Trace.Paced(pace),
				Lane: l.Chart})
		}
		return writeText(w, draw.SheetSVG(in, lanes, title, caption))
	})
}

func (Print) on(*Lab) []Effect { return []Effect{room.PrintPage{}} }

// ResultLink is the path and fragment that opens the scenario of the result; "" where it is too large for a link, or
// has a record.
func ResultLink(r *run.Result, defaults scenario.Defaults) string {
	fragment := link.Encode(r.Doc, defaults)
	if len(fragment) > link.Max || r.Doc.Recorded() {
		return ""
	}
	return "/#" + fragment
}

// OnPaper is the scenario of the result for a printed page, so that it can be made again: the main figures in words, a
// line for each policy with all its parameters, and on the last line the document, which the browser's script lays out.
func OnPaper(r *run.Result, b *room.Boot) string {
	text := share.Setup(r) + "\n"
	for i := range r.Doc.Scenario.Policies {
		lane := &r.Doc.Scenario.Policies[i]
		text += edit.LaneLetter(i) + " " + b.WholeTitle(lane.ID) + ": "
		for _, p := range b.Params(lane.ID) {
			value, _ := p.Of(lane)
			if p.Kind == "record" {
				value = edit.RecordSize(lane)
			}
			text += words.T(p.Title) + " " + edit.ValueText(value)
			if p.Unit != "" {
				text += " " + words.T(p.Unit)
			}
			text += "; "
		}
		text += words.F("trace {0}", r.Lanes[i].Meta.TraceHash) + "\n"
	}
	return text + string(r.Text)
}

// SaveReport hands out what a report needs as Markdown: the finding, the scenario in words, Table, which holds the
// figures, each job's completion, the link and the hashes.
type SaveReport struct{ Origin, Table string }

func (a SaveReport) on(s *Lab) []Effect {
	r := s.Result
	report := share.Report{Title: s.Boot.TitleOf(r.Doc), Table: a.Table, Origin: a.Origin,
		Link: ResultLink(r, s.Defaults), ID: r.Doc.ID(s.Defaults), Engine: s.Boot.Engine}
	if _, l := s.shared(); l != nil && l.Known && s.Fresh() { // else the result is of a document that was left
		report.Lineage = l
	}
	return s.file("-report", ".md", 0, func(w io.Writer, _ unit.Pace) error {
		return writeText(w, report.Of(r))
	})
}

// SaveScenario hands out the scenario as a file; SaveResult the result, as JSON or CSV.
type (
	SaveScenario struct{}
	SaveResult   struct{ CSV bool }
	// SaveSVG hands out a lane's picture.
	SaveSVG struct{ Lane int }
)

func (SaveScenario) on(s *Lab) []Effect {
	return []Effect{room.Download{Name: s.fileName() + ".json", Type: "application/json", Data: s.Doc.Marshal(true)}}
}

func (a SaveResult) on(s *Lab) []Effect {
	r := s.Result
	if a.CSV {
		return s.file("-jobs", ".csv", len(r.Lanes)*len(r.Jobs), func(w io.Writer, pace unit.Pace) error {
			return share.JobsCSV(w, r, pace)
		})
	}
	out := message.Result{Engine: s.Boot.Engine, ScenarioID: r.Doc.ID(s.Defaults)}
	for _, l := range r.Ran() {
		out.Runs = append(out.Runs, l.Meta)
	}
	return s.file("-result", ".json", len(r.Lanes)*len(r.Jobs), func(w io.Writer, pace unit.Pace) error {
		return share.ResultJSON(w, out, pace)
	})
}

func (a SaveSVG) on(s *Lab) []Effect {
	l := s.Result.RanLane(a.Lane)
	if l == nil {
		return nil
	}
	title, in := s.Boot.TitleOf(s.Result.Doc)+": "+pictured(l), words.Now()
	return s.file("-"+l.Policy.ID, ".svg", recorded(l), func(w io.Writer, pace unit.Pace) error {
		return writeText(w, draw.FileSVG(in, l.Trace.Paced(pace), l.Chart, l.Policy.ID, title))
	})
}
