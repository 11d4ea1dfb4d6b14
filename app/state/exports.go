package state

import (
	"bytes"
	"encoding/json"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/chart/draw"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
)

type (
	// SaveChrome hands out all lanes in the Trace Event format, which Perfetto opens.
	SaveChrome struct{}
	// SaveEvents hands out what happened in a lane, as CSV.
	SaveEvents struct{ Lane int }
	// SaveChart hands out the open chart as numbers: CSV, or a Vega-Lite specification.
	SaveChart struct{ Vega bool }
	// SavePNG hands out the timeline as a picture. Origin is the page's address, for the link below it.
	SavePNG struct{ Origin string }
	// Print prints the page.
	Print struct{}
)

// file hands out a file about the result, whose name says when that is not whole.
func (s *State) file(what, ending string, data []byte) []Effect {
	kind := map[string]string{".json": "application/json", ".csv": "text/csv", ".png": "image/png",
		".svg": "image/svg+xml", ".md": "text/markdown"}[ending]
	return []Effect{Download{s.fileName() + what + share.Partial(s.Result) + ending, kind, data}}
}

// ranLane is a lane that has run, nil where there is none.
func (s *State) ranLane(lane int) *run.Lane {
	if lane >= len(s.Result.Lanes) || s.Result.Lanes[lane].Trace == nil {
		return nil
	}
	return s.Result.Lanes[lane]
}

// pictured is what a picture calls a lane.
func pictured(l *run.Lane) string {
	if l.Stopped() {
		return l.Title + ", " + words.F("stopped at round {0}: not the whole run", itoa(len(l.Trace.Rounds)))
	}
	return l.Title
}

func (SaveChrome) on(s *State) []Effect {
	var lanes []trace.ChromeLane
	for _, l := range s.Result.Ran() {
		lanes = append(lanes, trace.ChromeLane{Name: l.Policy.ID, Trace: l.Trace,
			Placements: l.Chart.Placements(l.Trace), Counters: l.Chart.Counters(l.Trace)})
	}
	var b bytes.Buffer
	if len(lanes) == 0 || trace.ChromeJSON(&b, lanes) != nil { // a buffer takes everything
		return nil
	}
	return s.file("-chrome", ".json", b.Bytes())
}

func (a SaveEvents) on(s *State) []Effect {
	l := s.ranLane(a.Lane)
	var b bytes.Buffer
	if l == nil || trace.EventsCSV(&b, l.Trace, l.Chart.Placements(l.Trace)) != nil { // a buffer takes everything
		return nil
	}
	return s.file("-"+l.Policy.ID+"-events", ".csv", b.Bytes())
}

func (a SaveChart) on(s *State) []Effect {
	r := s.Result
	source := data.Source{Rack: r.Rack(), Problem: func() *model.Problem {
		p, _ := scenario.Compile(r.Doc, nil)
		return p
	}}
	if m, ok := r.Moment(s.View.Moment); ok {
		source.At = m.At
	}
	one, base := r.Pair()
	for i, l := range r.Ran() {
		source.Runs = append(source.Runs, data.Run{Name: l.Title, Trace: l.Trace, Lane: l.Chart, Meta: &l.Meta})
		switch l {
		case one:
			source.Pair[0] = i
		case base:
			source.Pair[1] = i
		}
	}
	t, lacks := data.Of(s.View.Tab, &source)
	if t == nil {
		return s.notify(Notice{Title: lacks.In(words.Now())})
	}
	var b bytes.Buffer
	ending := ".csv"
	if a.Vega {
		ending = ".json"
		if t.Vega(&b, words.Now(), s.titleOf(r.Doc)+": "+words.T(t.Kind.Title)) != nil {
			return s.notify(Notice{Title: words.F("This chart has more than {0} rows: save it as CSV.", itoa(data.MostRows))})
		}
	} else if t.CSV(&b) != nil { // a buffer takes everything
		return nil
	}
	return s.file("-"+t.Kind.ID, ending, b.Bytes())
}

func (a SavePNG) on(s *State) []Effect {
	var lanes []draw.SheetLane
	for _, l := range s.Result.Ran() {
		lanes = append(lanes, draw.SheetLane{Policy: l.Policy.ID, Title: pictured(l), Trace: l.Trace, Lane: l.Chart})
	}
	if len(lanes) == 0 {
		return nil
	}
	// The picture is of the result, which edits may have left behind.
	caption := share.Colophon(s.Boot.Engine) + "\n" + a.Origin + s.ResultLink()
	return s.file("", ".png", []byte(draw.SheetSVG(words.Now(), lanes, s.titleOf(s.Result.Doc), caption)))
}

func (Print) on(*State) []Effect { return []Effect{PrintPage{}} }

// ResultLink is the path and fragment that opens the scenario of the result; "" where it is too large for a link.
func (s *State) ResultLink() string {
	fragment := link.Encode(s.Result.Doc, s.Defaults)
	if len(fragment) > link.Max {
		return ""
	}
	return "/#" + fragment
}

// OnPaper is the scenario of the result for a printed page, so that it can be made again: the main figures in words, a
// line for each policy with all its parameters, and on the last line the document, which the browser's script lays out.
func (s *State) OnPaper() string {
	r := s.Result
	text := share.Setup(r) + "\n"
	for i := range r.Doc.Scenario.Policies {
		lane := &r.Doc.Scenario.Policies[i]
		text += edit.LaneLetter(i) + " " + s.Boot.title(lane.ID) + ": "
		for _, p := range s.params(lane.ID) {
			value, _ := p.Of(lane)
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

func (a SaveReport) on(s *State) []Effect {
	r := s.Result
	report := share.Report{Title: s.titleOf(r.Doc), Table: a.Table, Origin: a.Origin, Link: s.ResultLink(),
		ID: r.Doc.ID(s.Defaults), Engine: s.Boot.Engine}
	if _, l := s.shared(); l != nil && l.Known && s.Fresh() { // else the result is of a document that was left
		report.Lineage = l
	}
	return s.file("-report", ".md", []byte(report.Of(r)))
}

// SaveScenario hands out the scenario as a file; SaveResult the result, as JSON or CSV.
type (
	SaveScenario struct{}
	SaveResult   struct{ CSV bool }
	// SaveSVG hands out a lane's picture.
	SaveSVG struct{ Lane int }
)

func (SaveScenario) on(s *State) []Effect {
	return []Effect{Download{s.fileName() + ".json", "application/json", s.Doc.Marshal(true)}}
}

func (a SaveResult) on(s *State) []Effect {
	if a.CSV {
		return s.file("-jobs", ".csv", share.JobsCSV(s.Result))
	}
	out := message.Result{Engine: s.Boot.Engine, ScenarioID: s.Result.Doc.ID(s.Defaults)}
	for _, l := range s.Result.Ran() {
		out.Runs = append(out.Runs, l.Meta)
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return nil // plain structs of numbers and strings
	}
	return s.file("-result", ".json", append(b, '\n'))
}

func (a SaveSVG) on(s *State) []Effect {
	l := s.ranLane(a.Lane)
	if l == nil {
		return nil
	}
	title := s.titleOf(s.Result.Doc) + ": " + pictured(l)
	return s.file("-"+l.Policy.ID, ".svg", []byte(draw.FileSVG(words.Now(), l.Trace, l.Chart, l.Policy.ID, title)))
}

// fileName is what files of the document are called.
func (s *State) fileName() string { return share.FileName(s.Title()) }
