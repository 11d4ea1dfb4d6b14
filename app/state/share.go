package state

import (
	"encoding/json"
	"strings"

	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// ShareState is the share dialog, and the links that were opened.
type ShareState struct {
	Open     bool
	Link     string // path and fragment, for the page's own origin
	View     string // what is looked at, as a link says it
	KeepView bool   // Address ends in it
	Copied   bool
	Posting  bool
	Lineage  *Lineage // what was changed on the way to Link, nil = nothing
	Short    string   // path of the short link, "" = none made
	Problem  string
	Fetching bool // a short link is being opened
	coming   *OpenShort
	since    int64 // revision at which it was asked for
	posted   int64 // revision that MakeShort has sent
	rev      int64
}

// Share opens the dialog. Nothing is sent anywhere.
type Share struct{}

func (Share) on(s *State) []Effect {
	s.Share.Open, s.Share.Copied, s.Share.Problem = true, false, ""
	if s.Share.rev != s.Rev || s.Share.Link == "" {
		doc, lineage := s.shared()
		s.Share.Link, s.Share.Lineage = "/#"+link.Encode(doc, s.Defaults), lineage
		s.Share.Short, s.Share.rev = "", s.Rev
	}
	s.Share.View, s.Share.KeepView = "", s.View.Pinned
	if s.Result != nil {
		s.Share.View = s.linkView()
	}
	return []Effect{Focus{PartShareCopy}}
}

// CloseShare closes the dialog.
type CloseShare struct{}

func (CloseShare) on(s *State) []Effect {
	s.Share.Open = false
	return []Effect{Focus{PartShare}}
}

// CopyLink puts a text on the clipboard.
type CopyLink struct{ Text string }

func (a CopyLink) on(s *State) []Effect { return []Effect{Copy{a.Text}} }

// Copied reports on the clipboard.
type Copied struct{ OK bool }

func (a Copied) on(s *State) []Effect {
	s.Share.Copied, s.Share.Problem = a.OK, ""
	s.Spoken = words.T("Link copied")
	if !a.OK {
		s.Share.Problem = words.T("The browser did not allow copying. Select the link and copy it by hand.")
		s.Spoken = s.Share.Problem
	}
	return nil
}

// MakeShort stores the scenario on the server, on the reader's wish only.
type MakeShort struct{}

func (MakeShort) on(s *State) []Effect {
	if s.Share.Posting || s.Share.Short != "" {
		return nil
	}
	s.Share.Posting, s.Share.Problem, s.Share.posted = true, "", s.Rev
	doc, _ := s.shared()
	return []Effect{Post{doc.Marshal(false)}}
}

// Posted is the server's answer to MakeShort; Status 0 = it was not reached.
type Posted struct {
	Status int
	Body   []byte
}

func (a Posted) on(s *State) []Effect {
	s.Share.Posting = false
	if s.Share.posted != s.Rev {
		return nil // the dialog is about another scenario by now
	}
	var ok struct{ ID, URL string }
	if (a.Status == 200 || a.Status == 201) && json.Unmarshal(a.Body, &ok) == nil && ok.ID != "" &&
		strings.HasPrefix(ok.URL, "/s/"+ok.ID) {
		s.Share.Short = ok.URL // with the id of the text, where there is one
		s.Spoken = words.T("Short link made")
		return []Effect{Focus{PartShareShort}}
	}
	s.Share.Problem = serverProblem(a.Status, a.Body)
	s.Spoken = s.Share.Problem
	return nil
}

func serverProblem(status int, body []byte) string {
	if status == 0 {
		return words.T("The server cannot be reached. The long link works without it.")
	}
	var p struct {
		Title, Detail string
		Errors        []text.Diagnostic
	}
	if json.Unmarshal(body, &p) == nil && len(p.Errors) > 0 {
		return words.F("The server refused: {0}.", p.Errors[0].Message.Local())
	}
	if p.Detail != "" {
		return words.F("The server refused: {0}", p.Detail)
	}
	return words.F("The server answered with status {0}. The long link works without it.", itoa(status))
}

// OpenLink opens a share link, in any form. Logged says that it came in a part of the address that servers
// write down. Start says that the page starts with it: there is nothing to go back to.
type OpenLink struct {
	Address, Link string
	Logged, Start bool
}

func (a OpenLink) on(s *State) []Effect {
	doc, diags := link.Decode(a.Link)
	_, view := link.SplitView(a.Link)
	effects := s.opened(Load{Doc: doc, Notes: diags, Origin: a.Address, View: view, Alone: a.Start}, 0,
		words.T("This link"), a.Link)
	if a.Logged {
		effects = append(effects,
			s.toast(words.T("This link’s content has passed through the server’s log. Links with # in them do not."),
				doc != nil && !a.Start)...)
	}
	return effects
}

// OpenShort opens a short link, at a view when it has one.
type OpenShort struct {
	Address, ID, View string
	Start             bool
}

func (a OpenShort) on(s *State) []Effect {
	s.Share.Fetching, s.Share.coming, s.Share.since = true, &a, s.Rev
	return []Effect{Fetch{ID: a.ID}}
}

// Fetched is the server's answer to OpenShort; Status 0 = it was not reached.
type Fetched struct {
	ID     string
	Status int
	Body   []byte
}

func (a Fetched) on(s *State) []Effect {
	asked := s.Share.coming
	if asked == nil || asked.ID != a.ID {
		return nil // the browser is elsewhere by now
	}
	s.Share.Fetching, s.Share.coming = false, nil
	if a.Status != 200 {
		title := words.F(
			"The scenario {0} is not on this server. It may have been stored on another one, or the link is incomplete.",
			text.ClipTo(a.ID, 24))
		if a.Status == 0 {
			title = words.T("The server cannot be reached, so the short link cannot be opened.")
		}
		s.Notice = &Notice{Title: title}
		s.Spoken = title
		return nil
	}
	doc, diags := scenario.Parse(a.Body, scenario.FileLimits)
	// the server has nothing to say of it; of what comes with the page, we do
	if doc != nil && doc.Meta.Canonical() == nil {
		if known := s.preset(doc.ID(s.Defaults)); known != nil {
			doc.Meta = known.Meta
		}
	}
	return s.opened(Load{Doc: doc, Notes: diags, Origin: asked.Address, View: asked.View, Alone: asked.Start},
		s.Share.since, words.T("This scenario"), "")
}

// opened takes up a document from a link, or says in words what is wrong and keeps what stands.
func (s *State) opened(load Load, since int64, what, raw string) []Effect {
	if load.Doc == nil {
		s.Notice = &Notice{Title: words.F("{0} cannot be opened. The example below is not what was sent.", what),
			Diags: load.Notes, Raw: raw}
		s.Spoken = words.F("{0} cannot be opened.", what)
		if len(load.Notes) > 0 {
			s.Spoken += " " + load.Notes[0].Message.Local()
		}
		return nil
	}
	load.Sentence, load.Opens, load.Came = words.T("Opened a shared link"), true, true
	if !load.Alone {
		load.Toast = words.T("A shared link was opened.")
	}
	return s.arrive(since, load)
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
	if s.Result == nil {
		return nil
	}
	if a.CSV {
		return []Effect{Download{s.fileName() + "-jobs" + s.Result.partial() + ".csv", "text/csv", s.Result.CSV()}}
	}
	out := message.Result{Engine: s.Boot.Engine, ScenarioID: s.Result.Doc.ID(s.Defaults)}
	for _, l := range s.Result.Lanes {
		if l.Trace != nil {
			out.Runs = append(out.Runs, l.Meta)
		}
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return nil // plain structs of numbers and strings
	}
	return []Effect{Download{s.fileName() + "-result" + s.Result.partial() + ".json", "application/json",
		append(b, '\n')}}
}

func (a SaveSVG) on(s *State) []Effect {
	if s.Result == nil || a.Lane >= len(s.Result.Lanes) || s.Result.Lanes[a.Lane].Trace == nil {
		return nil
	}
	l := s.Result.Lanes[a.Lane]
	title := s.titleOf(s.Result.Doc) + ": " + l.Title
	if l.stopped() {
		title += ", " + words.F("stopped at round {0}: not the whole run", itoa(len(l.Trace.Rounds)))
	}
	return []Effect{Download{s.fileName() + "-" + l.Policy.ID + s.Result.partial() + ".svg", "image/svg+xml",
		[]byte(draw.FileSVG(l.Trace, l.Chart, l.Policy.ID, title))}}
}

// stopped says whether a lane was cancelled before it was done.
func (l *Lane) stopped() bool { return l.Meta.Outcome == "stopped" }

// partial is what the names of files say when a lane was cancelled before it was done.
func (r *Result) partial() string {
	for _, l := range r.Lanes {
		if l.Trace == nil || l.stopped() {
			return "-partial"
		}
	}
	return ""
}

// fileName is the title in characters that every system takes.
func (s *State) fileName() string {
	var b []byte
	for _, r := range s.Title() {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b = append(b, byte(r))
		case r >= 'A' && r <= 'Z':
			b = append(b, byte(r-'A'+'a'))
		case len(b) > 0 && b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	for len(b) > 0 && b[len(b)-1] == '-' {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return "scenario"
	}
	return string(b[:min(len(b), 60)])
}

// CSV is the jobs of all lanes, one row each, with the outcome of the lane. Times in s.
func (r *Result) CSV() []byte {
	b := []byte("policy,job,arrival_s,start_s,finish_s,gpu_s,restarts,wait_s,stalled_s,ftf,outcome\n")
	num := func(v *float64) string {
		if v == nil {
			return ""
		}
		return csvNumber(*v)
	}
	for _, l := range r.Lanes {
		for i := range l.Meta.Jobs {
			j := &l.Meta.Jobs[i]
			for k, f := range []string{csvText(l.Meta.Policy), csvText(j.ID), csvNumber(j.ArrivalS), num(j.StartS),
				num(j.FinishS), csvNumber(j.GPUS), itoa(j.Restarts),
				csvNumber(j.WaitS), csvNumber(j.StalledS), csvNumber(j.FTF), l.Meta.Outcome} {
				if k > 0 {
					b = append(b, ',')
				}
				b = append(b, f...)
			}
			b = append(b, '\n')
		}
	}
	return b
}

// Forked says whether a lane trains jobs in copies.
func (r *Result) Forked() bool {
	for _, l := range r.Lanes {
		if l.Chart != nil && l.Chart.Forked() {
			return true
		}
	}
	return false
}

// HolderRow is one row of the timeline's table.
type HolderRow struct {
	Lane     int
	Job      string
	Node     string
	GPUs     string
	From, To string
	Job32    int32
	Note     string // of a forked job's copy
}

// PageRows is how many rows the timeline's table shows at once.
const PageRows = 200

// HolderRows are the rows of one page of the timeline's table, and how many rows there are in all; of one job, "" = of
// all.
func (r *Result) HolderRows(page int, job string) (rows []HolderRow, total int) {
	only, ok := r.Jobs[job]
	if !ok {
		only = -1
	}
	skip := page * PageRows
	for lane, l := range r.Lanes {
		if l.Chart == nil {
			continue
		}
		for i := range l.Chart.Holdings {
			h := &l.Chart.Holdings[i]
			if only >= 0 && h.Job != only && h.With != only {
				continue
			}
			for _, sh := range h.Shards {
				if total++; total <= skip || len(rows) >= PageRows {
					continue
				}
				slot := l.Trace.Slots[sh.Slot]
				rows = append(rows, HolderRow{lane, l.Trace.Jobs[h.Job].Name, l.Trace.Nodes[slot.Node],
					itoa(int(sh.N)) + " × " + figure.TypeTitle(l.Trace.Types[slot.Type]),
					r.Axis.Unit.Number(h.From), r.Axis.Unit.Number(h.To), h.Job,
					findings.CopyNote(l.Chart, l.Trace, i, r.Axis.Unit)})
			}
		}
	}
	return rows, total
}
