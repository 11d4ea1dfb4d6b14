package class

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/program"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Race makes a task one of writing: the lane of Task.Winner is the student's, who changes its parameters, a program
// among them, and nothing else. What is handed in is run by the server on the assignment's scenario and on those of the
// race, each with all lanes of the assignment.
type Race struct {
	// Bounds are figures of the student's lane that may be exceeded in no scenario.
	Bounds []Bound `json:"bounds,omitempty"`
	// Scenarios are documents whose policies are not looked at. Nobody but the teacher has them until the class is
	// closed.
	Scenarios []json.RawMessage `json:"scenarios,omitempty"`
	Hidden    int               `json:"hidden,omitempty"`   // how many there are, where they are not shown
	Attempts  int               `json:"attempts,omitempty"` // of a student, 1 to MaxAttempts; absent = UsualAttempts

	docs []*scenario.Document
}

// Bound is the most that a figure may be.
type Bound struct {
	Metric string  `json:"metric"`
	Most   float64 `json:"most"`
}

// Bounds of a race. What a class can ask its server to run is at most its students times attempts times scenarios, and
// a run of a program is bounded by its own steps.
const (
	UsualAttempts = 10
	MaxAttempts   = 20
	maxBounds     = 4
	maxRaces      = 5
)

// MaxMarked is the largest jobs × policies of which a server finds out what is right while a class begins; at the edge
// it is half of that.
const MaxMarked = 400

// MaxVerified is the largest jobs × policies that a server runs again by itself.
const MaxVerified = 2000

// runSeconds is about what a program may compute in one run: its steps at 20 ms a million, a slow machine's.
const runSeconds = 10

// Seconds is about what a server may have to compute of a race's programs for so many students, each of whom uses every
// attempt, and all that a program may take in every scenario.
func (r *Race) Seconds(students int) float64 {
	return float64(students * r.Tries() * max(r.Count(), 1+len(r.Scenarios)) * runSeconds)
}

// Tries is how often a student may hand in.
func (r *Race) Tries() int { return cmp.Or(r.Attempts, UsualAttempts) }

// Count is on how many scenarios programs run, that of the assignment among them.
func (r *Race) Count() int { return 1 + max(len(r.docs), r.Hidden) }

// Shut is the race as students may see it before it is closed.
func (r *Race) Shut() *Race {
	s := *r
	s.Scenarios, s.docs, s.Hidden = nil, nil, len(r.docs)
	return &s
}

func (a *Assignment) checkRace(f *findings) {
	r := a.Task.Race
	if r.Attempts < 0 || r.Attempts > MaxAttempts {
		f.fail("/task/race/attempts", "bad-count", words.Say("{0} attempts", r.Attempts),
			words.Say("write 1 to {0}", MaxAttempts))
	}
	if len(r.Bounds) > maxBounds {
		f.fail("/task/race/bounds", "too-many", words.Say("there are {0} bounds, the most is {1}", len(r.Bounds),
			maxBounds), words.Say("drop some"))
	}
	for i, b := range r.Bounds {
		if at := fmt.Sprintf("/task/race/bounds/%d", i); !(Figures{}).has(b.Metric) {
			f.fail(at+"/metric", "unknown-metric", words.Say("{0} is no metric of a task", jsondoc.Quote(b.Metric)),
				words.Say("choose one of {0}", strings.Join(MetricNames, ", ")))
		} else if !(b.Most > 0) {
			f.fail(at+"/most", "bad-bound", words.Say("{0} is the most that it may be", b.Most),
				words.Say("write a number above 0"))
		}
	}
	if len(a.lanes()) == 1 {
		f.fail("/scenario/scenario/policies", "bad-lanes", words.Say("a race has nobody to beat"),
			words.Say("add a policy beside the one that students write"))
	}
	if len(r.Scenarios) > maxRaces {
		f.fail("/task/race/scenarios", "too-many", words.Say("there are {0} race scenarios, the most is {1}",
			len(r.Scenarios), maxRaces), words.Say("drop some"))
		return
	}
	r.docs = nil
	for i, raw := range r.Scenarios {
		doc, diags := scenario.Parse(raw, scenario.SharedLimits)
		for _, d := range diags.Errors() {
			d.Path = fmt.Sprintf("/task/race/scenarios/%d%s", i, d.Path)
			*f = append(*f, d)
		}
		if doc == nil {
			continue
		}
		if n := doc.JobCount() * len(a.lanes()); n > MaxVerified {
			f.fail(fmt.Sprintf("/task/race/scenarios/%d", i), "too-large", words.Say(
				"it has {0} jobs times policies, the most is {1}", n, MaxVerified), words.Say("choose a smaller one"))
		}
		r.docs = append(r.docs, doc)
	}
}

func (a *Assignment) lanes() []scenario.Policy {
	if a.doc == nil {
		return nil
	}
	return a.doc.Scenario.Policies
}

// racing is the place of the lane that students write, -1 = there is none.
func (a *Assignment) racing() int {
	if a.Task == nil || a.Task.Race == nil {
		return -1
	}
	return slices.IndexFunc(a.lanes(), func(p scenario.Policy) bool { return p.ID == a.Task.Winner })
}

// Races says that the task is a race.
func (a *Assignment) Races() bool { return a.racing() >= 0 }

// Own is the pointer of what students write in a race: the first text among the parameters that their lane begins
// with, or the lane.
func (a *Assignment) Own() string {
	i := a.racing()
	if i < 0 {
		return ""
	}
	lane := fmt.Sprint("/scenario/policies/", i)
	for _, name := range jsondoc.Keys(a.lanes()[i].Params) {
		if text, ok := a.lanes()[i].Params[name].(string); ok && text != "" {
			return lane + "/params/" + name
		}
	}
	return lane
}

// Written are the parameters of the lane that students write, in a scenario that has the assignment's lanes; nil where
// it has not, or there is no race.
func (a *Assignment) Written(doc *scenario.Document) map[string]any {
	i := a.racing()
	if i < 0 || i >= len(doc.Scenario.Policies) || doc.Scenario.Policies[i].ID != a.Task.Winner {
		return nil
	}
	p := maps.Clone(doc.Scenario.Policies[i].Params)
	if p == nil {
		p = map[string]any{}
	}
	return p
}

// Entered are the scenarios that a submission of a race is run on, that of the assignment first, with its lanes and
// what was written.
func (a *Assignment) Entered(written map[string]any) (docs []*scenario.Document) {
	at := a.racing()
	if at < 0 {
		return nil
	}
	for _, d := range append([]*scenario.Document{a.doc}, a.Task.Race.docs...) {
		d = d.Clone()
		d.Scenario.Policies = slices.Clone(a.lanes())
		d.Scenario.Policies[at].Params = maps.Clone(written)
		docs = append(docs, d)
	}
	return docs
}

// judgeRace says what is wrong with a scenario that is handed in in a race.
func (a *Assignment) judgeRace(doc *scenario.Document, def scenario.Defaults) jsondoc.Diagnostics {
	var f findings
	switch written := a.Written(doc); {
	case written == nil || string(a.Entered(written)[0].Canonical(def)) != string(doc.Canonical(def)):
		f.fail("", "locked", words.Say("more is changed than what your own lane goes by"),
			words.Say("undo it, or start again from the assignment’s scenario"))
	case string(a.doc.Canonical(def)) == string(doc.Canonical(def)):
		f.fail("", NothingChanged, words.Say("nothing is written yet"),
			words.Say("change the program or the expression"))
	}
	return jsondoc.Diagnostics(f)
}

// Racer is a place in a race: what a student handed in last, or one of the assignment's other lanes.
type Racer struct {
	Student int    `json:"student,omitempty"` // 0 = a lane of the assignment
	Policy  string `json:"policy,omitempty"`  // of such a lane
	Name    string `json:"name,omitempty"`    // of the student, where it is told
	Seq     int64  `json:"seq,omitempty"`
	Tries   int    `json:"tries,omitempty"` // how often the student has handed in
	Verdict string `json:"verdict,omitempty"`
	// Figures are those of the task's metric by scenario, that of the assignment first.
	Figures []float64 `json:"figures,omitempty"`
	// Score is the mean over the scenarios of the figure as a share of the same of Rival's lane; 0 = there is none.
	Score float64 `json:"score,omitempty"`
	// Broke is a bound's metric that was exceeded, or Unfinished, "" = neither. Such a racer has no score.
	Broke string `json:"broke,omitempty"`
	// Alike is how many other students' latest programs are the same as this one, but for names, comments and spaces.
	Alike   int            `json:"alike,omitempty"`
	Written map[string]any `json:"written,omitempty"` // told when the class is closed
}

// Unfinished says of a racer that a lane of its did not finish all jobs, as where a program ended in a fault.
const Unfinished = "unfinished"

// Rival is the policy whose figures are those that a race counts in: the first lane that students do not write.
func (a *Assignment) Rival() string {
	for _, p := range a.lanes() {
		if p.ID != a.Task.Winner {
			return p.ID
		}
	}
	return ""
}

// rank is a lane's place in a race by what the scenarios came to.
func (a *Assignment) rank(policy string, races [][]Lane) (r Racer) {
	rival, sum := a.Rival(), 0.0
	for _, lanes := range races {
		own, base := laneOf(lanes, policy), laneOf(lanes, rival)
		if own == nil || base == nil || base.Outcome != "done" || own.Outcome != "done" {
			r.Broke = Unfinished
			return r
		}
		v, of := own.Figures.Of(a.Task.Metric), base.Figures.Of(a.Task.Metric)
		for _, b := range a.Task.Race.Bounds {
			if policy == a.Task.Winner && r.Broke == "" && !(own.Figures.Of(b.Metric) <= b.Most) {
				r.Broke = b.Metric
			}
		}
		r.Figures = append(r.Figures, v)
		sum += v / of
	}
	if r.Score = sum / float64(len(races)); r.Broke != "" || math.IsNaN(r.Score) || math.IsInf(r.Score, 0) {
		r.Score = 0
	}
	return r
}

// Place is what a submission of a race comes to.
func (a *Assignment) Place(e *Entry) Racer {
	return a.rank(a.Task.Winner, append([][]Lane{e.Lanes}, e.Races...))
}

// rivals are the lanes that students do not write, as a submission's runs have them.
func (a *Assignment) rivals(e *Entry) (out []Racer) {
	for _, p := range a.lanes() {
		if p.ID != a.Task.Winner {
			r := a.rank(p.ID, append([][]Lane{e.Lanes}, e.Races...))
			r.Policy = p.ID
			out = append(out, r)
		}
	}
	return out
}

func laneOf(lanes []Lane, policy string) *Lane {
	i := slices.IndexFunc(lanes, func(l Lane) bool { return l.Policy == policy })
	if i < 0 {
		return nil
	}
	return &lanes[i]
}

// Racers are the places of a race, the best first; who has no score comes last, in the order of students.
func (a *Assignment) Racers(students []Student, entries []Entry) (out []Racer) {
	if a.racing() < 0 {
		return nil
	}
	in, tries, shapes := map[int]bool{}, map[int]int{}, map[string]int{}
	for i := range students {
		in[students[i].N] = !students[i].Removed
	}
	for i := range entries {
		if entries[i].Kind == Submission {
			tries[entries[i].Student]++
		}
	}
	var rivals []Racer
	latest := latest(entries, in)[Submission]
	for _, e := range latest {
		shapes[shapeOf(e.Written)]++
	}
	for _, e := range latest {
		r := Racer{}
		if e.Verdict == Verified {
			if r = a.Place(e); len(rivals) == 0 { // they come to the same in everybody's runs
				rivals = a.rivals(e)
			}
		}
		r.Student, r.Seq, r.Tries, r.Verdict = e.Student, e.Seq, tries[e.Student], e.Verdict
		r.Alike, r.Written = shapes[shapeOf(e.Written)]-1, e.Written
		out = append(out, r)
	}
	out = append(out, rivals...)
	place := func(r *Racer) float64 {
		if r.Score == 0 {
			return math.Inf(1)
		}
		return r.Score
	}
	unit.Sort(out, func(x, y Racer) int {
		return cmp.Or(cmp.Compare(place(&x), place(&y)), cmp.Compare(x.Student, y.Student))
	})
	return out
}

// shapeOf tells apart what students wrote, but for names, comments and spaces.
func shapeOf(written map[string]any) string {
	same := maps.Clone(written)
	for name, v := range same { // each for itself: the order is immaterial
		if text, ok := v.(string); ok {
			same[name] = program.Shape(text)
		}
	}
	b, _ := json.Marshal(same) // plain texts and numbers, by name
	return string(b)
}

// Done says whether a submission does what the task asks: in a race, that it keeps the bounds and has a better score
// than the rival, by more than a tie.
func (a *Assignment) Done(e *Entry) bool {
	if a.racing() < 0 {
		return a.Task.Succeeds(e.Lanes)
	}
	if e.Verdict != Verified {
		return false
	}
	r := a.Place(e)
	return r.Score > 0 && r.Score < 1-message.Tie
}
