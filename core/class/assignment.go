// Package class is what a class works on and hands in: assignments, answers, submissions, what is right, and what the
// class thinks. All of it are pure functions on documents, shared by page, server and command line; who is in a class
// and where its rows are kept is nothing to it.
//
// Flow: Parse(assignment) → Commit of answers, Judge of a changed scenario → entries → Truth of a run → Tally, CSV.
package class

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Kind and Version are the first members of an assignment's document.
const (
	Kind    = "assignment"
	Version = 1
)

// Assignment is what a class does: a scenario, questions on it, and a task that changes it.
type Assignment struct {
	Kind      string `json:"kind"`
	Version   int    `json:"version"`
	ID        string `json:"id"` // of the shipped ones their file's name
	Title     string `json:"title"`
	Goal      string `json:"goal"`      // what students know afterwards
	Situation string `json:"situation"` // what they read before they predict
	// Scenario is a whole scenario document. Its policies are the lanes that questions and task speak of.
	Scenario  json.RawMessage `json:"scenario"`
	Questions []Question      `json:"questions"`
	Explain   string          `json:"explain,omitempty"` // what to say in a sentence after the run, "" = nothing
	Task      *Task           `json:"task,omitempty"`
	// Open are the values that the task may change; none = every number.
	Open []Open `json:"open,omitempty"`
	Plan []Step `json:"plan"`

	doc   *scenario.Document
	shown bool // to students: what is right may be missing, and what the task is
}

// Question has one right option among several. What is right is found from a run, but for those of kind Fixed.
type Question struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	Metric string `json:"metric,omitempty"` // a member of Figures
	Right  string `json:"right,omitempty"`  // of kind Fixed, an option's id
	// Within is by which share of the base the figures may differ and count as the same: of two lanes of the second's
	// figure, of more the best from the next. Of kind Less.
	Within  float64  `json:"within,omitempty"`
	Options []Option `json:"options"`
	Again   bool     `json:"again,omitempty"` // it is asked a second time after the discussion
}

// Kinds of questions.
const (
	// Less asks which lane has the least of the metric. An option's id is a lane's policy, or "same".
	Less = "less"
	// Share asks by what share of the second lane's figure the first lane's differs from it, in percent; options are
	// bands.
	Share = "share"
	// Loses asks which job finishes later, by the most, in the first lane than in the second, by more than a tie. An
	// option's id is a job's, or "none".
	Loses = "loses"
	// Fixed has its answer in the assignment.
	Fixed = "fixed"
)

// Same is the option of a question of kind Less that no lane is better; None that of kind Loses that no job loses.
const (
	Same = "same"
	None = "none"
)

// Option is one answer. Idea is the misconception that choosing it wrongly shows, and Preset where it can be tested.
type Option struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Note   string  `json:"note,omitempty"`
	From   float64 `json:"from,omitempty"` // of a band, in percent, From included
	To     float64 `json:"to,omitempty"`   // not included; 0 = no end
	Idea   string  `json:"idea,omitempty"`
	Preset string  `json:"preset,omitempty"`
}

// Task is to make one lane have the least of a metric by changing so many values, or by writing that lane.
type Task struct {
	Text    string `json:"text"`
	Metric  string `json:"metric"`
	Winner  string `json:"winner"`            // policy of a lane
	Changes int    `json:"changes,omitempty"` // exactly so many values differ; none in a race
	// Works are changes each of which does it, for the teacher.
	Works []Edit `json:"works,omitempty"`
	Race  *Race  `json:"race,omitempty"` // the lane is written, nil = values are changed
}

// Open is a value that may be changed, by RFC 6901 pointer; a step * stands for any name or index.
type Open struct {
	Path string  `json:"path"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Phase is what the class does.
type Phase string

// The phases of a class that is led, which begins in Lobby and ends in Closed; see Homework for another.
const (
	Lobby     Phase = "lobby"   // join
	Predict   Phase = "predict" // answer alone
	Discuss   Phase = "discuss" // talk with neighbours
	VoteAgain Phase = "vote"    // answer again
	Run       Phase = "run"     // run, look, and say why
	Change    Phase = "change"  // the task
	Closed    Phase = "closed"
)

// Phases are all of them in the order of their first use. A plan may have them in the order of before, in which the run
// came before the discussion and there was no VoteAgain: then one answers again in Discuss.
var Phases = []Phase{Lobby, Predict, Discuss, VoteAgain, Run, Change, Closed}

// Tells says whether what is right is told from this phase on, whatever phase comes later; see State.Tells.
func (p Phase) Tells() bool { return p == Run || p == Change || p == Closed }

// Votes is the phase in which the class answers again.
func (a *Assignment) Votes() Phase {
	if a.step(VoteAgain) < 0 {
		return Discuss
	}
	return VoteAgain
}

// step is a phase's place in the plan, -1 = it has none.
func (a *Assignment) step(p Phase) int {
	return slices.IndexFunc(a.Plan, func(s Step) bool { return s.Phase == p })
}

// Reached says whether the plan has a phase, and a class at a phase has come to it.
func (a *Assignment) Reached(at, p Phase) bool {
	i := a.step(p)
	return i >= 0 && a.step(at) >= i
}

// asksAgain says whether a question is asked again.
func (a *Assignment) asksAgain() bool {
	return slices.ContainsFunc(a.Questions, func(q Question) bool { return q.Again })
}

// Step is one phase of the plan, with the time it should take and what the teacher does meanwhile.
type Step struct {
	Phase   Phase   `json:"phase"`
	Minutes float64 `json:"minutes"`
	Teacher string  `json:"teacher,omitempty"`
}

// Bounds of an assignment.
const (
	MaxBytes     = 1 << 20 // with its scenario
	maxQuestions = 8
	maxOptions   = 8
	maxOpen      = 100
	maxText      = 2000
	maxLanes     = 4
)

var start = words.Say(`An assignment is a JSON document that begins {"kind":"assignment","version":1,…}.`)

// Parse reads an assignment; it is nil exactly when there are errors.
func Parse(data []byte) (*Assignment, jsondoc.Diagnostics) { return parse(&Assignment{}, data) }

// ParseShown reads an assignment as students see it: before the run it does not say what is right.
func ParseShown(data []byte) (*Assignment, jsondoc.Diagnostics) {
	return parse(&Assignment{shown: true}, data)
}

func parse(a *Assignment, data []byte) (*Assignment, jsondoc.Diagnostics) {
	diags := jsondoc.Unmarshal(data, jsondoc.Limits{Bytes: MaxBytes, Depth: 24}, start, a)
	if !diags.HasErrors() {
		diags = append(diags, a.check()...)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	read := a.texts()
	for i := range a.Plan {
		read = append(read, &a.Plan[i].Teacher)
	}
	for i := range a.Questions {
		for k := range a.Questions[i].Options {
			read = append(read, &a.Questions[i].Options[k].Idea)
		}
	}
	for _, s := range read {
		*s = jsondoc.Visible(*s)
	}
	return a, diags
}

// ContentID tells assignments apart by what they hold.
func (a *Assignment) ContentID() string {
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // its raw members were read from JSON
	}
	sum := sha256.Sum256(append([]byte("hadarlab assignment\n"), b...))
	return hex.EncodeToString(sum[:8])
}

// Clone is a copy of what its file says, to be changed.
func (a *Assignment) Clone() *Assignment {
	n := &Assignment{}
	if data, err := json.Marshal(a); err == nil { // what was read encodes
		_ = json.Unmarshal(data, n)
	}
	return n
}

// Document is the scenario as every student begins with it. It must not be changed.
func (a *Assignment) Document() *scenario.Document { return a.doc }

// Question finds a question by its id; nil when there is none.
func (a *Assignment) Question(id string) *Question {
	for i := range a.Questions {
		if a.Questions[i].ID == id {
			return &a.Questions[i]
		}
	}
	return nil
}

// Option finds an option by its id; nil when there is none.
func (q *Question) Option(id string) *Option {
	for i := range q.Options {
		if q.Options[i].ID == id {
			return &q.Options[i]
		}
	}
	return nil
}

// Minutes is how long the plan takes.
func (a *Assignment) Minutes() (sum float64) {
	for _, s := range a.Plan {
		sum += s.Minutes
	}
	return sum
}

// Next is the phase after one; Closed follows the last.
func (a *Assignment) Next(p Phase) Phase {
	i := a.step(p)
	if i < 0 || i+1 >= len(a.Plan) {
		return Closed
	}
	return a.Plan[i+1].Phase
}

// findings collects what is wrong with an assignment.
type findings jsondoc.Diagnostics

func (f *findings) fail(path, code string, msg, fix words.Text) {
	*f = append(*f, jsondoc.Error(path, code, msg, fix))
}

// text checks what people read.
func (f *findings) text(path, s string, need bool) {
	switch {
	case need && strings.TrimSpace(s) == "":
		f.fail(path, "missing-member", words.Say("it is empty"), words.Say("write what students shall read"))
	case len(s) > maxText:
		f.fail(path, "too-long", words.Say("it has {0} bytes, the most is {1}", len(s), maxText),
			words.Say("shorten it"))
	}
}

func (a *Assignment) check() jsondoc.Diagnostics {
	var f findings
	if a.Kind != Kind {
		f.fail("/kind", "wrong-kind", words.Say("this is no assignment"), start)
		return jsondoc.Diagnostics(f)
	}
	if wrong, bad := jsondoc.Version(a.Version, Version); bad {
		return jsondoc.Diagnostics{wrong}
	}
	if !name(a.ID) {
		f.fail("/id", "bad-id", words.Say("an id has 1 to 64 small letters, digits and hyphens"),
			words.Say("write one like hadar-vs-gavel"))
	}
	f.text("/title", a.Title, true)
	f.text("/goal", a.Goal, false)
	f.text("/situation", a.Situation, true)
	f.text("/explain", a.Explain, false)
	a.checkScenario(&f)
	a.checkQuestions(&f)
	a.checkTask(&f)
	a.checkPlan(&f)
	return jsondoc.Diagnostics(f)
}

// name says whether s can be an id.
func name(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func (a *Assignment) checkScenario(f *findings) {
	if len(a.Scenario) == 0 {
		f.fail("/scenario", "missing-member", words.Say("there is no scenario"),
			words.Say("put a whole scenario document here"))
		return
	}
	doc, diags := scenario.Parse(a.Scenario, scenario.SharedLimits)
	for _, d := range diags {
		d.Path = "/scenario" + d.Path
		*f = append(*f, d)
	}
	if doc == nil {
		return
	}
	if n := doc.JobCount() * len(doc.Scenario.Policies); n > MaxMarked && slices.ContainsFunc(a.Questions,
		func(q Question) bool { return q.Kind != Fixed }) {
		*f = append(*f, jsondoc.NewDiagnostic(jsondoc.LevelWarning, "/scenario", "not-marked", words.Say(
			"it has {0} jobs times policies; of more than {1} a server finds nothing out, so that a class is not told which answers are right",
			n, MaxMarked), words.Say("take fewer jobs or policies, or write what is right into each question: kind fixed")))
	}
	lanes := map[string]bool{}
	for _, p := range doc.Scenario.Policies {
		if lanes[p.ID] {
			f.fail("/scenario/scenario/policies", "two-of-a-kind", words.Say("the policy {0} is there twice", p.ID),
				words.Say("give every lane another policy: questions name lanes by it"))
		}
		lanes[p.ID] = true
	}
	if n := len(doc.Scenario.Policies); n < 1 || n > maxLanes {
		f.fail("/scenario/scenario/policies", "bad-lanes", words.Say("there are {0} policies", n),
			words.Say("choose 1 to {0}", maxLanes))
	}
	a.doc = doc
}

// lane says whether a policy has a lane.
func (a *Assignment) lane(policy string) bool {
	return a.doc != nil && slices.ContainsFunc(a.doc.Scenario.Policies,
		func(p scenario.Policy) bool { return p.ID == policy })
}

func (a *Assignment) checkQuestions(f *findings) {
	if n := len(a.Questions); n > maxQuestions {
		f.fail("/questions", "too-many", words.Say("there are {0} questions, the most is {1}", n, maxQuestions),
			words.Say("ask fewer"))
	}
	seen := map[string]bool{}
	for i := range a.Questions {
		q, at := &a.Questions[i], fmt.Sprintf("/questions/%d", i)
		if !name(q.ID) || seen[q.ID] {
			f.fail(at+"/id", "bad-id", words.Say("every question has an id of its own"),
				words.Say("use small letters, digits and hyphens"))
		}
		seen[q.ID] = true
		f.text(at+"/text", q.Text, true)
		a.checkOptions(f, q, at)
		if q.Metric != "" && !(Figures{}).has(q.Metric) || q.Metric == "" && (q.Kind == Less || q.Kind == Share) {
			f.fail(at+"/metric", "unknown-metric", words.Say("{0} is no metric of a question", jsondoc.Quote(q.Metric)),
				words.Say("choose one of {0}", strings.Join(MetricNames, ", ")))
		}
		if q.Within < 0 || q.Within >= 1 {
			f.fail(at+"/within", "bad-share", words.Say("{0} is no share", q.Within),
				words.Say("write a number from 0 to below 1"))
		}
	}
}

func (a *Assignment) checkOptions(f *findings, q *Question, at string) {
	if n := len(q.Options); n < 2 || n > maxOptions {
		f.fail(at+"/options", "bad-options", words.Say("there are {0} options", n),
			words.Say("give 2 to {0}", maxOptions))
	}
	seen := map[string]bool{}
	for k := range q.Options {
		o, at := &q.Options[k], fmt.Sprintf("%s/options/%d", at, k)
		known := true
		switch q.Kind {
		case Less:
			known = o.ID == Same || a.lane(o.ID)
		case Loses:
			known = o.ID == None || a.doc != nil && slices.ContainsFunc(a.doc.Scenario.Jobs,
				func(j scenario.Job) bool { return j.ID == o.ID })
		}
		if o.ID == "" || len(o.ID) > 80 || seen[o.ID] || !known {
			f.fail(at+"/id", "bad-id", words.Say("{0} cannot be chosen here", jsondoc.Quote(o.ID)),
				words.Say("name each once: a lane's policy or same, a job or none, or what you like in other questions"))
		}
		seen[o.ID] = true
		f.text(at+"/text", o.Text, true)
		f.text(at+"/note", o.Note, false)
		f.text(at+"/idea", o.Idea, false)
		if q.Kind == Share && (o.From < 0 || o.To != 0 && o.To <= o.From) {
			f.fail(at, "bad-band", words.Say("the band from {0} to {1} is empty", o.From, o.To),
				words.Say("write percents, from below to; to 0 means no end"))
		}
	}
	switch q.Kind {
	case Less, Share, Loses:
	case Fixed:
		if q.Option(q.Right) == nil && !(a.shown && q.Right == "") {
			f.fail(at+"/right", "unknown-option", words.Say("no option is {0}", jsondoc.Quote(q.Right)),
				words.Say("name the right option by its id"))
		}
	default:
		f.fail(at+"/kind", "unknown-kind", words.Say("{0} is no kind of question", jsondoc.Quote(q.Kind)),
			words.Say("choose one of {0}", "less, share, loses, fixed"))
	}
}

func (a *Assignment) checkTask(f *findings) {
	if n := len(a.Open); n > maxOpen {
		f.fail("/open", "too-many", words.Say("there are {0} open values, the most is {1}", n, maxOpen),
			words.Say("use * for a list's entries"))
	}
	for i, o := range a.Open {
		if !strings.HasPrefix(o.Path, "/scenario/") || o.From > o.To {
			f.fail(fmt.Sprintf("/open/%d", i), "bad-open",
				words.Say("{0} from {1} to {2} opens nothing", o.Path, o.From, o.To), words.Say("write a pointer below /scenario, and the least and greatest value"))
		}
	}
	if a.Task == nil || a.shown && a.Task.Text == "" {
		return
	}
	f.text("/task/text", a.Task.Text, true)
	if !a.lane(a.Task.Winner) {
		f.fail("/task/winner", "unknown-lane", words.Say("no lane has the policy {0}", jsondoc.Quote(a.Task.Winner)),
			words.Say("name a policy of the scenario"))
	}
	if !(Figures{}).has(a.Task.Metric) {
		f.fail("/task/metric", "unknown-metric", words.Say("{0} is no metric of a task", jsondoc.Quote(a.Task.Metric)),
			words.Say("choose one of {0}", strings.Join(MetricNames, ", ")))
	}
	if a.Task.Race != nil {
		a.checkRace(f)
		return
	}
	if a.Task.Changes < 1 || a.Task.Changes > 10 {
		f.fail("/task/changes", "bad-count", words.Say("{0} changes are asked for", a.Task.Changes),
			words.Say("ask for 1 to 10"))
	}
}

func (a *Assignment) checkPlan(f *findings) {
	if len(a.Plan) == 0 {
		for _, p := range Phases {
			if p == Change && a.Task == nil || (p == Discuss || p == VoteAgain) && !a.asksAgain() {
				continue
			}
			a.Plan = append(a.Plan, Step{Phase: p})
		}
	}
	seen := map[Phase]bool{}
	for i, s := range a.Plan {
		at := fmt.Sprintf("/plan/%d", i)
		if !slices.Contains(Phases, s.Phase) || seen[s.Phase] {
			f.fail(at+"/phase", "bad-phase", words.Say("{0} cannot stand here", jsondoc.Quote(string(s.Phase))),
				words.Say("use each once: {0}", "lobby, predict, discuss, vote, run, change, closed"))
		}
		seen[s.Phase] = true
		if s.Minutes < 0 || s.Minutes > 24*60 {
			f.fail(at+"/minutes", "bad-minutes", words.Say("{0} minutes", s.Minutes), words.Say("write 0 to 1440"))
		}
		f.text(at+"/teacher", s.Teacher, false)
	}
	if a.Plan[0].Phase != Lobby || a.Plan[len(a.Plan)-1].Phase != Closed {
		f.fail("/plan", "bad-plan", words.Say("a plan begins in the lobby and ends closed"),
			words.Say("begin with lobby and end with closed"))
	}
	if seen[VoteAgain] && a.Reached(VoteAgain, Run) {
		f.fail("/plan", "bad-plan", words.Say("the second vote comes after the run, which tells what is right"),
			words.Say("put vote before run"))
	}
	if seen[Change] && a.Task == nil {
		f.fail("/plan", "no-task", words.Say("there is a phase for a task, and no task"), words.Say("write task"))
	}
}

// Texts are what students read.
func (a *Assignment) Texts() (texts []string) {
	for _, s := range a.texts() {
		texts = append(texts, *s)
	}
	return texts
}

func (a *Assignment) texts() []*string {
	texts := []*string{&a.Title, &a.Goal, &a.Situation, &a.Explain}
	for i := range a.Questions {
		q := &a.Questions[i]
		texts = append(texts, &q.Text)
		for k := range q.Options {
			texts = append(texts, &q.Options[k].Text, &q.Options[k].Note)
		}
	}
	if a.Task != nil {
		texts = append(texts, &a.Task.Text)
	}
	return texts
}
