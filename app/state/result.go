package state

import (
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/findings"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Result is one answer of the engine, laid out for drawing. It is not changed once it stands, but for its words.
type Result struct {
	ID    int64
	Rev   int64 // revision of the document it belongs to
	Doc   *scenario.Document
	Text  []byte // the document as the engine was given it
	Lanes []*Lane
	Axis  chart.Axis
	Diff  *chart.Diff // of the first two lanes
	Jobs  map[string]int32
	// Finding is the page's first sentence.
	Finding findings.Finding
	Tells   int // lane that the finding's second sentence begins with
}

// Lane is one policy's run.
type Lane struct {
	Policy  message.PolicyRef
	Title   string
	Meta    message.Lane
	Trace   *trace.Trace // nil when the lane failed
	Chart   *chart.Lane
	Failure *message.Failure
	Before  *message.Lane // what it was before the last edit, nil = nothing to compare with
	body    []byte        // the trace as it came, until it is decoded
}

func newResult(id, rev int64, d *scenario.Document) *Result {
	r := &Result{ID: id, Rev: rev, Doc: d, Text: d.Marshal(false)}
	for _, p := range d.Scenario.Policies {
		r.Lanes = append(r.Lanes, &Lane{Policy: p.Ref()})
	}
	return r
}

// take takes a lane's answer, decode reads its trace and lay lays it out. The numbers are the engine's;
// only the layout is made here.
func (l *Lane) take(meta *message.Lane, body []byte) {
	l.Meta, l.body = *meta, body
}

func (l *Lane) decode() error {
	t, err := trace.Decode(l.body)
	if err != nil {
		return err
	}
	l.Trace, l.body = t, nil
	return nil
}

func (l *Lane) lay() { l.Chart = chart.NewLane(l.Trace) }

// answered says whether the engine has nothing more to say about the lane.
func (l *Lane) answered() bool { return l.body != nil || l.Trace != nil || l.Failure != nil }

// layOut lays the lanes side by side, and says where they part.
func (r *Result) layOut() {
	var first, second *Lane
	end := unit.Tick(1)
	for _, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		end = max(end, l.Trace.End)
		if first == nil {
			first = l
		} else if second == nil {
			second = l
		}
	}
	r.Jobs = map[string]int32{}
	switch {
	case first == nil:
		r.Diff = &chart.Diff{First: -1, Job: -1}
		r.Axis = chart.NewAxis(end, 0)
	default:
		r.Axis = chart.NewAxis(end, first.Trace.Round)
		for j := range first.Trace.Jobs {
			r.Jobs[first.Trace.Jobs[j].Name] = int32(j)
		}
		if second == nil {
			r.Diff = chart.Compare(first.Trace, nil, first.Chart, nil)
		} else {
			r.Diff = chart.Compare(first.Trace, second.Trace, first.Chart, second.Chart)
		}
	}
}

// show makes a result the one that stands.
func (s *State) show(r *Result) {
	r.layOut()
	r.recall(s.Result, s.View.anew || s.Result != nil && s.Predict.Unseen(s.Result.ID))
	say(r, s.PolicyTitle)
	s.Result = r
	s.land()
}

// recall notes what each lane's figures were in the result that stood, unless that was of another scenario.
func (r *Result) recall(old *Result, anew bool) {
	if old == nil || anew || old.Cut() || r.Cut() {
		return
	}
	for i, l := range r.Lanes {
		if i >= len(old.Lanes) || old.Lanes[i].Trace == nil || old.Lanes[i].Policy.ID != l.Policy.ID ||
			(old.Lanes[i].Policy.Force == nil) != (l.Policy.Force == nil) {
			continue
		}
		if l.Before = &old.Lanes[i].Meta; string(old.Text) == string(r.Text) { // run again
			l.Before = old.Lanes[i].Before
		}
	}
}

// name gives the lanes their titles; title is a policy's, in the reader's language.
func (r *Result) name(title func(policy string) string) {
	for _, l := range r.Lanes {
		if l.Title = title(l.Policy.ID); len(l.Policy.Force) > 0 {
			l.Title += edit.ForcedMark()
		}
	}
	nameTwins(r.Lanes)
}

// say names the lanes and puts the finding into words, in the reader's language.
func say(r *Result, title func(policy string) string) {
	var ran []*Lane
	r.name(title)
	for _, l := range r.Lanes {
		if l.Trace != nil {
			ran = append(ran, l)
		}
	}
	switch {
	case len(ran) == 0:
		r.Finding = findings.Finding{Claim: words.T("Nothing could be simulated."),
			Because: words.T("The lanes below say why.")}
	case r.Cut(): // one lane may have come further than the other
		r.Finding = findings.Finding{Claim: words.T("Stopped before it was done."),
			Because: words.T("What was simulated is shown. Its figures do not compare.")}
	case len(ran) == 1 && len(r.Lanes) > 1:
		r.Finding = findings.Finding{Claim: words.F("Only {0} has run.", ran[0].Title), Because: refusals(r)}
	case len(ran) == 1:
		r.Finding = findings.Finding{Claim: words.F("{0} alone.", ran[0].Title),
			Because: words.T("Add a second policy to compare.")}
	default:
		r.Finding = findings.Find(ran[0].Side(), ran[1].Side(), r.Diff)
		r.Tells = slices.Index(r.Lanes, ran[r.Finding.Side])
		if a, b := Compared(r); a > 1 {
			one, other := r.Lanes[a], r.Lanes[b]
			r.Finding.Because += " " + words.F("{0} against {1}", edit.LaneLetter(a), edit.LaneLetter(b)) + ": " +
				findings.Find(one.Side(), other.Side(), chart.Compare(one.Trace, other.Trace, one.Chart,
					other.Chart)).Claim
		}
	}
}

// refusals names the lanes that cannot run. Why each cannot, and what would help, its lane says.
func refusals(r *Result) string {
	var titles []string
	for _, l := range r.Lanes {
		if l.Refused() {
			titles = append(titles, l.Title)
		}
	}
	switch len(titles) {
	case 0:
		return words.T("The other lanes say why they have not.")
	case 1:
		return words.F("{0} cannot run this scenario; its lane says why, and what would help.", titles[0])
	}
	return words.F("{0} cannot run this scenario; their lanes say why, and what would help.",
		strings.Join(titles, ", "))
}

// Refused says that the policy cannot run the scenario, as one for jobs of one GPU beside gangs.
func (l *Lane) Refused() bool { return l.Failure != nil && len(l.Failure.Diagnostics) > 0 }

// Runs is how many lanes have run.
func (r *Result) Runs() (n int) {
	for _, l := range r.Lanes {
		if l.Trace != nil {
			n++
		}
	}
	return n
}

// nameTwins tells lanes of one policy apart by number.
func nameTwins(lanes []*Lane) {
	titles := make([]string, len(lanes))
	for i, l := range lanes {
		nth, twins := 0, 0
		for k, other := range lanes {
			if other.Policy.ID == l.Policy.ID && (other.Policy.Force == nil) == (l.Policy.Force == nil) {
				twins++
				if k <= i {
					nth++
				}
			}
		}
		if titles[i] = l.Title; twins > 1 {
			titles[i] += " " + itoa(nth)
		}
	}
	for i, l := range lanes {
		l.Title = titles[i]
	}
}

// Side is the lane as the sentences take it.
func (l *Lane) Side() findings.Side {
	return findings.Side{Title: l.Title, Trace: l.Trace, Lane: l.Chart, Metrics: &l.Meta.Metrics}
}

// Look is how a job is drawn in all lanes; a job of no lane has no hue.
func (r *Result) Look(name string) chart.Look {
	j, ok := r.Jobs[name]
	for _, l := range r.Lanes {
		if ok && l.Chart != nil {
			return l.Chart.Looks[j]
		}
	}
	return chart.Look{}
}

// Moment is moment i, and false where there is none.
func (r *Result) Moment(i int) (chart.Moment, bool) {
	if r == nil || i < 0 || i >= len(r.Diff.Moments) {
		return chart.Moment{}, false
	}
	return r.Diff.Moments[i], true
}

// Round is a lane's round that is in force at moment i, -1 before its first.
func (r *Result) Round(lane, i int) int {
	m, ok := r.Moment(i)
	if !ok || lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return -1
	}
	return r.Lanes[lane].Trace.RoundAt(m.At)
}

// land puts the cursor on the first disagreement, or, where the reader has moved it, on the same time.
func (s *State) land() {
	v, d := &s.View, s.Result.Diff
	s.keepZoom()
	v.Bar = NoBar
	v.Page = 0
	if v.Pinned {
		v.Moment = d.At(v.at)
	} else {
		v.Moment = max(d.First, 0)
		s.rememberTime()
	}
	if _, ok := s.Result.Jobs[v.Job]; !ok || v.anew {
		v.Job = ""
	}
	v.anew = false
	if v.Job == "" {
		v.Job = s.Result.tellingJob()
	}
	v.WhyLane = max(0, min(v.WhyLane, len(s.Result.Lanes)-1))
	s.takeLinkView()
}

// tellingJob is the job of the first disagreement, else the first one.
func (r *Result) tellingJob() string {
	for _, l := range r.Lanes {
		if l.Trace == nil || len(l.Trace.Jobs) == 0 {
			continue
		}
		if j := r.Diff.Job; j >= 0 && int(j) < len(l.Trace.Jobs) {
			return l.Trace.Jobs[j].Name
		}
		return l.Trace.Jobs[0].Name
	}
	return ""
}

func (s *State) rememberTime() {
	if m, ok := s.Result.Moment(s.View.Moment); ok {
		s.View.at = m.At
	}
}
