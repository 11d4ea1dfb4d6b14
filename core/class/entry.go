package class

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// What a student hands in. Entries are never changed; the latest of a kind counts, but answers and votes are given
// once.
const (
	Answers    = "answers"    // the first vote, a prediction
	Vote       = "vote"       // the second, on the questions asked again
	Sentence   = "sentence"   // why, in own words
	Submission = "submission" // a changed scenario
)

// Verdicts on a submission.
const (
	Pending  = "pending"  // not run again yet
	Verified = "verified" // run again with the same trace and figures
	Differs  = "differs"  // run again with another trace or other figures
	Other    = "other"    // made by a version that decides otherwise, which cannot be run here
)

// Answer is a chosen option and how sure the student is, from 1 to 5.
type Answer struct {
	Option string `json:"option"`
	Sure   int    `json:"sure"`
}

// Entry is one thing that a student handed in, with what the server adds.
type Entry struct {
	Seq     int64  `json:"seq,omitempty"` // grows with every change of a row of the class
	Student int    `json:"student"`
	Kind    string `json:"kind"`
	AtMS    int64  `json:"at_ms"` // the server's clock, Unix time in milliseconds
	Phase   Phase  `json:"phase,omitempty"`
	// Hash is told to the student as a receipt.
	Hash    string `json:"hash,omitempty"`
	Verdict string `json:"verdict,omitempty"` // of a submission
	Body
}

// Round is what an entry is in a class's course: first, second, task, practice, or "" = none of these.
func (e *Entry) Round() string {
	switch {
	case e.Practice:
		return "practice"
	case e.Kind == Answers:
		return "first"
	case e.Kind == Vote:
		return "second"
	case e.Kind == Submission:
		return "task"
	}
	return ""
}

// Body is what the student's page sends; which members it has follows from the kind.
type Body struct {
	Answers map[string]Answer `json:"answers,omitempty"` // by question
	// Practice marks answers that were given when what is right had been told: they are no votes, and score nothing.
	// Who keeps them sets it. Answers that a program of before kept have no mark, and count as they did then.
	Practice bool   `json:"practice,omitempty"`
	Text     string `json:"text,omitempty"`
	Changes  []Edit `json:"changes,omitempty"` // found by the server from the scenario that was sent
	// Written are the parameters of the student's lane in a race, found likewise.
	Written    map[string]any `json:"written,omitempty"`
	ScenarioID string         `json:"scenario_id,omitempty"`
	Engine     string         `json:"engine,omitempty"`
	// Lanes are as the student's page found them; once verified, as the server did.
	Lanes []Lane `json:"lanes,omitempty"`
	// Races are the lanes on each scenario of a race, as the server found them.
	Races [][]Lane `json:"races,omitempty"`
}

// Lane is what one policy made of a submission.
type Lane struct {
	Policy    string  `json:"policy"`
	Rev       int     `json:"rev,omitempty"` // of the policy, absent = 1
	Outcome   string  `json:"outcome"`
	TraceHash string  `json:"trace_hash"`
	Figures   Figures `json:"figures"`
}

// Figures are the metrics that questions, tasks and the board speak of. Times in seconds.
type Figures struct {
	AvgJCTS        float64 `json:"avg_jct_s"`
	P95JCTS        float64 `json:"p95_jct_s"`
	MakespanS      float64 `json:"makespan_s"`
	AvgQueueS      float64 `json:"avg_queue_s"`
	FTFMax         float64 `json:"ftf_max"`
	GPUUtilization float64 `json:"gpu_utilization"`
}

// MetricNames are the names of Figures, in the order of the tables of a class.
var MetricNames = []string{"avg_jct_s", "p95_jct_s", "makespan_s", "avg_queue_s", "ftf_max", "gpu_utilization"}

func (Figures) has(metric string) bool { return slices.Contains(MetricNames, metric) }

// kept are the figures as they are kept, in the order of their names: 0 where the run has none.
func (f Figures) kept() [6]float64 {
	return [...]float64{f.AvgJCTS, f.P95JCTS, f.MakespanS, f.AvgQueueS, f.FTFMax, f.GPUUtilization}
}

// Of is the figure of a name, NaN where the run has none, as by message.Metric.Of.
func (f Figures) Of(metric string) float64 {
	if !f.has(metric) {
		return math.NaN()
	}
	m := message.Metrics{AvgJCTS: f.AvgJCTS, P95JCTS: f.P95JCTS, MakespanS: f.MakespanS, AvgQueueS: f.AvgQueueS,
		FTFMax: f.FTFMax, GPUUtilization: f.GPUUtilization}
	m.BusyGPUS = f.GPUUtilization + f.AvgQueueS // above 0 where a job has started, in any unit
	return message.FindMetric(metric).Of(&m)
}

// LaneOf takes from a lane of a result what a class needs.
func LaneOf(l *message.Lane) Lane {
	m := &l.Metrics
	return Lane{Policy: l.Policy, Rev: l.Rev, Outcome: l.Outcome, TraceHash: l.TraceHash,
		Figures: Figures{m.AvgJCTS, m.P95JCTS, m.MakespanS, m.AvgQueueS, m.FTFMax, m.GPUUtilization}}
}

// LanesOf are what a class needs of a result's lanes.
func LanesOf(of []message.Lane) (out []Lane) {
	for i := range of {
		out = append(out, LaneOf(&of[i]))
	}
	return out
}

// Old tells whether a submission was made by another version, which may have decided otherwise; see message.Old.
func (b *Body) Old(engine string, have scenario.Defaults) bool {
	for i := range b.Lanes {
		l := &b.Lanes[i]
		if known, ok := have[l.Policy]; ok && message.Old(b.Engine, l.Rev, engine, known.Rev) {
			return true
		}
	}
	return message.Minor(b.Engine) != message.Minor(engine)
}

// tolerance is the relative difference up to which two figures count as the same, as in a result file.
const tolerance = 1e-9

// Verify says what a submission is, given what the engine of this program made of it.
func Verify(claimed *Body, engine string, lanes []Lane) string {
	have := scenario.Defaults{}
	for i := range lanes {
		have[lanes[i].Policy] = scenario.PolicyDefaults{Rev: max(lanes[i].Rev, 1)}
	}
	if claimed.Old(engine, have) {
		return Other
	}
	if len(claimed.Lanes) != len(lanes) {
		return Differs
	}
	for i := range lanes {
		c, l := &claimed.Lanes[i], &lanes[i]
		if c.Policy != l.Policy || c.Outcome != l.Outcome || c.TraceHash != l.TraceHash {
			return Differs
		}
		now := l.Figures.kept()
		for k, a := range c.Figures.kept() {
			b := now[k] // it is finite, a may be anything
			if !(math.Abs(a-b) <= float64(tolerance*max(1, math.Abs(b)))) {
				return Differs
			}
		}
	}
	return Verified
}

// Bounds of what a student hands in.
const (
	MaxSentence = 500 // characters
	MaxTag      = 40  // bytes
)

// Check says what is wrong with answers or a vote: every question asked then has an option and a confidence, and no
// others are there.
func (a *Assignment) Check(kind string, b *Body) jsondoc.Diagnostics {
	var f findings
	switch kind {
	case Answers, Vote:
		asked := 0
		for _, q := range a.Questions {
			if kind == Vote && !q.Again {
				continue
			}
			asked++
			given, ok := b.Answers[q.ID]
			at := "/answers/" + jsondoc.Escape(q.ID)
			switch {
			case !ok || given.Option == "":
				f.fail(at, "missing-member", words.Say("the question {0} has no answer", jsondoc.Quote(q.Text)),
					words.Say("choose an option"))
			case q.Option(given.Option) == nil:
				f.fail(at+"/option", "unknown-option",
					words.Say("{0} is none of the options", jsondoc.Quote(given.Option)),
					words.Say("choose one of them"))
			}
			if ok && (given.Sure < 1 || given.Sure > 5) {
				f.fail(at+"/sure", "bad-confidence", words.Say("{0} is no confidence", given.Sure),
					words.Say("choose 1, a guess, to 5, certain"))
			}
		}
		if len(b.Answers) > asked {
			f.fail("/answers", "unknown-question", words.Say("there are answers to questions that are not asked"),
				words.Say("answer the {0} that are", asked))
		}
	case Sentence:
		n := utf8.RuneCountInString(b.Text)
		if strings.TrimSpace(b.Text) == "" || n > MaxSentence {
			f.fail("/text", "bad-sentence", words.Say("the sentence has {0} characters", n),
				words.Say("write 1 to {0}", MaxSentence))
		}
		if r, at := jsondoc.Unseen(b.Text); at >= 0 {
			f.fail("/text", "unseen-char", words.Say("the sentence has a character that nobody sees, {0}, in place {1}",
				strconv.QuoteRuneToASCII(r), 1+utf8.RuneCountInString(b.Text[:at])), words.Say("Remove it."))
		}
	}
	return jsondoc.Diagnostics(f)
}

// Edit is one value that a submission changed. From and To are null where something was added or taken away.
type Edit struct {
	Path string   `json:"path"`
	From *float64 `json:"from"`
	To   *float64 `json:"to"`
}

// Edits says in what a scenario differs from the assignment's, by their canonical forms.
func (a *Assignment) Edits(doc *scenario.Document, def scenario.Defaults) []Edit {
	out := []Edit{}
	before, after := a.doc.Canonical(def), doc.Canonical(def)
	for _, d := range scenario.Compare(nil, a.doc, doc, def) {
		// An object that is there for its first number, or goes with its last, is a change of that number.
		paths := append(numbers(before, d.Path), numbers(after, d.Path)...)
		if len(paths) == 0 {
			paths = []string{d.Path}
		}
		for _, path := range paths {
			out = append(out, Edit{path, number(a.doc, path), number(doc, path)})
		}
	}
	return out
}

// numbers are the pointers of the members of an object in a canonical form; none unless all are numbers, or where a
// pointer leads to no object, or to an entry of a list.
func numbers(canonical []byte, pointer string) (out []string) {
	var at any
	if json.Unmarshal(canonical, &at) != nil {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/scenario/"), "/")
	for k, step := range steps {
		switch of := at.(type) {
		case map[string]any:
			at = of[jsondoc.Unescape(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(of) || k == len(steps)-1 {
				return nil
			}
			at = of[i]
		default:
			return nil
		}
	}
	members, _ := at.(map[string]any)
	for _, name := range jsondoc.Keys(members) {
		if _, ok := members[name].(float64); !ok {
			return nil
		}
		out = append(out, pointer+"/"+jsondoc.Escape(name))
	}
	return out
}

// number is the number at a pointer, nil where there is none. A policy's parameter that is left out has a default that
// only the policy knows.
func number(doc *scenario.Document, path string) *float64 {
	if v, ok := doc.Value(path); ok {
		if n, has := v.Number(); has && v.Found() {
			return &n
		}
		return nil
	}
	for i := range doc.Scenario.Policies {
		name, ok := strings.CutPrefix(path, "/scenario/policies/"+strconv.Itoa(i)+"/params/")
		if n, number := doc.Scenario.Policies[i].Params[jsondoc.Unescape(name)].(float64); ok && number {
			return &n
		}
	}
	return nil
}

// NothingChanged is the code of a submission that changes other than so many values, or in a race nothing.
const NothingChanged = "not-so-many"

// Judge says in what a submitted scenario differs from the assignment's, and what is wrong with that: too many or too
// few changes, a value that may not be changed, or one out of range.
func (a *Assignment) Judge(doc *scenario.Document, def scenario.Defaults) ([]Edit, jsondoc.Diagnostics) {
	edits := a.Edits(doc, def)
	var f findings
	if a.Task == nil {
		f.fail("", "no-task", words.Say("this assignment has no task"), words.Say("answer its questions"))
		return edits, jsondoc.Diagnostics(f)
	}
	if a.Task.Race != nil {
		return nil, a.judgeRace(doc, def)
	}
	if n := len(edits); n != a.Task.Changes {
		f.fail("", NothingChanged, words.Say("{0} values are changed, and the task asks for {1}", n, a.Task.Changes),
			words.Say("undo changes, or start again from the assignment’s scenario"))
	}
	for _, e := range edits {
		open, ok := a.OpenAt(e.Path)
		switch {
		case !ok:
			f.fail(e.Path, "locked", words.Say("{0} may not be changed in this assignment", e.Path),
				words.Say("undo it, and change one of the open values"))
		case e.To == nil:
			f.fail(e.Path, "not-a-number", words.Say("{0} is added, taken away or no number", e.Path),
				words.Say("change a number to another"))
		case *e.To < open.From || *e.To > open.To:
			f.fail(e.Path, "out-of-range", words.Say("{0} is {1}, and may be {2} to {3} here", e.Path, *e.To, open.From,
				open.To), words.Say("choose a value in that range"))
		}
	}
	return edits, jsondoc.Diagnostics(f)
}

// OpenAt says whether the value at a pointer may be changed, and in which range.
func (a *Assignment) OpenAt(path string) (Open, bool) {
	if i := a.racing(); i >= 0 || len(a.Open) == 0 {
		own := strings.HasPrefix(path, "/scenario/policies/"+strconv.Itoa(i)+"/params/")
		return Open{Path: path, From: math.Inf(-1), To: math.Inf(1)}, i < 0 || own
	}
	steps := strings.Split(path, "/")
	for _, o := range a.Open {
		same := func(a, b string) bool { return a == "*" || a == b }
		if slices.EqualFunc(strings.Split(o.Path, "/"), steps, same) {
			return o, true
		}
	}
	return Open{}, false
}

// Made is the scenario that a submission makes of the assignment's; false where it makes none.
func (a *Assignment) Made(b *Body) (*scenario.Document, bool) {
	if docs := a.Submitted(b); docs != nil {
		return docs[0], true
	}
	return nil, false
}

// Submitted are the scenarios on which a submission is run: the assignment's, changed, and in a race those after it;
// none where its changes do not apply.
func (a *Assignment) Submitted(b *Body) []*scenario.Document {
	if docs := a.Entered(b.Written); docs != nil {
		return docs
	}
	if doc, ok := a.Apply(b.Changes); ok {
		return []*scenario.Document{doc}
	}
	return nil
}

// Apply is the assignment's scenario with the changes of a submission; false where they do not apply to it.
func (a *Assignment) Apply(edits []Edit) (*scenario.Document, bool) {
	doc, _ := scenario.Parse(a.Scenario, scenario.FileLimits)
	for _, e := range edits {
		if doc == nil || e.To == nil || !doc.Alter(e.Path, *e.To) {
			return nil, false
		}
	}
	return doc, doc != nil
}
