//go:build !js

package main

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	texts "text/template"

	"hadarlab/core/chart"
	"hadarlab/core/claims"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
)

// handout is an assignment as a page to print and to teach from: what its document and its guide say, and what a run of
// it says, today.
type handout struct {
	*class.Assignment
	Guide     *scenarios.Guide
	Claim     string // what the lab says of the run, and
	Because   string // where the lanes part
	Slide     template.HTML
	Forms     []handoutForm // shorter, longer
	Steps     []handoutStep
	Expected  []expected
	Lanes     []string
	Finishes  []finish // by job
	Solutions []solution
}

// handoutForm is a length of the lesson.
type handoutForm struct {
	Minutes float64
	ID      string // of the assignment that has it, "" = this one, held longer
}

// handoutStep is a phase with what is done in it.
type handoutStep struct {
	Title, Do, Say, Longer string
	Minutes                []float64 // by form
}

// expected is a question with what is right and what is not.
type expected struct {
	*class.Question
	RightIs, Why string
	Figures      []string // by lane
	Wrong        []wrong
	Board        *claims.Standing // how the claim stands that the question is about, nil = it is about none
}

// wrong are options that one idea leads to.
type wrong struct {
	Options      []string
	Idea, Preset string
}

// finish is when a job is done in each lane; of drawn jobs, a part of them.
type finish struct {
	Job string
	At  []string
}

// solution is a change that does the task, and what comes of it.
type solution struct {
	Says    string
	Figures []string // by lane
}

// ran is what the lanes of a scenario come to.
type ran struct {
	doc   *scenario.Document
	lanes []message.Lane
	sides []insights.Side
}

// runOf runs a document.
func runOf(doc *scenario.Document) (*ran, error) {
	r, s := &ran{doc: doc}, lab.NewBatch()
	if diags := s.Start(&message.RunRequest{Scenario: doc.Marshal(false)}); diags.HasErrors() {
		return nil, fmt.Errorf("it does not run: %v", diags)
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Failure != nil {
				return nil, fmt.Errorf("a lane fails: %v", m.Failure)
			}
			if m.Lane == nil {
				continue
			}
			tr, err := trace.Decode(m.Body)
			if err != nil {
				return nil, err
			}
			r.lanes = append(r.lanes, *m.Lane)
			r.sides = append(r.sides, insights.Side{Title: m.Lane.Policy, Trace: tr,
				Lane: chart.NewLane(tr), Metrics: &m.Lane.Metrics})
		}
	}
	return r, nil
}

// at is the place of a policy's lane.
func (r *ran) at(policy string) (int, error) {
	i := slices.IndexFunc(r.lanes, func(l message.Lane) bool { return l.Policy == policy })
	if i < 0 {
		return 0, fmt.Errorf("there is no lane of %s", policy)
	}
	return i, nil
}

// figures are a metric in all lanes, as text.
func (r *ran) figures(metric string) (out []string) {
	m := message.FindMetric(metric)
	for i := range r.lanes {
		v := m.Of(&r.lanes[i].Metrics)
		switch m.Unit {
		case message.Time:
			out = append(out, r.time(v))
		case message.Ratio:
			out = append(out, figure.Percent(nil, v))
		default:
			out = append(out, figure.Fixed(nil, v, 2))
		}
	}
	return out
}

// time writes a time in s in the unit that suits the run: minutes, and hours where a lane takes longer than a day.
func (r *ran) time(s float64) string {
	for i := range r.lanes {
		if r.lanes[i].Metrics.MakespanS > 24*3600 {
			return figure.Sig(nil, s/3600, 3) + " h"
		}
	}
	return minutes(s)
}

// fill puts the run's figures into a guide's text; of what {{figure}} and {{gap}} speak is the metric.
func (r *ran) fill(says, metric string) (string, error) {
	lane := func(policy string, of func(l *message.Lane) float64) (string, error) {
		i, err := r.at(policy)
		if err != nil {
			return "", err
		}
		v := of(&r.lanes[i])
		if math.IsNaN(v) {
			return "", fmt.Errorf("%s has no such figure", policy)
		}
		return r.time(v), nil
	}
	t, err := texts.New("guide").Funcs(texts.FuncMap{
		"figure": func(policy string) (string, error) {
			i, err := r.at(policy)
			if err != nil || message.FindMetric(metric) == nil {
				return "", fmt.Errorf("no figure %q of %s", metric, policy)
			}
			return r.figures(metric)[i], nil
		},
		"figureWith": func(policy, param string) (string, error) { // the figure with a switch of the policy on
			doc := r.doc.Clone()
			doc.Scenario.Policies = []scenario.Policy{{ID: policy, Params: map[string]any{param: true}}}
			changed, err := runOf(doc)
			if err != nil || message.FindMetric(metric) == nil {
				return "", fmt.Errorf("no figure %q of %s with %s: %v", metric, policy, param, err)
			}
			return changed.figures(metric)[0], nil
		},
		"gap": func(policy ...string) (string, error) { // of the first lane to that policy's, or to the only other
			m, other := message.FindMetric(metric), 1
			if m == nil || len(policy) == 0 && len(r.lanes) != 2 {
				return "", fmt.Errorf("no difference of %q", metric)
			}
			if len(policy) > 0 {
				i, err := r.at(policy[0])
				if err != nil {
					return "", err
				}
				other = i
			}
			return figure.Against(nil, message.Against(m.Of(&r.lanes[0].Metrics), m.Of(&r.lanes[other].Metrics))), nil
		},
		"wait": func(policy string) (string, error) {
			return lane(policy, func(l *message.Lane) (sum float64) {
				for i := range l.Jobs {
					sum += l.Jobs[i].WaitS
				}
				return sum
			})
		},
		"finish": func(policy, job string) (string, error) {
			return lane(policy, func(l *message.Lane) float64 { return finishOf(l, job) })
		},
	}).Parse(says)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, nil)
	return b.String(), err
}

// finishOf is when a job is done, NaN = never, or there is none.
func finishOf(l *message.Lane, job string) float64 {
	for i := range l.Jobs {
		if l.Jobs[i].ID == job && l.Jobs[i].FinishS != nil {
			return *l.Jobs[i].FinishS
		}
	}
	return math.NaN()
}

// handouts are the pages of all shipped assignments.
func handouts() (list []*handout, err error) {
	guides, err := scenarios.Guides()
	if err != nil {
		return nil, err
	}
	shipped := map[string]*class.Assignment{}
	for _, id := range scenarios.Assignments {
		b, _ := scenarios.Assignment(id)
		a, diags := class.Parse(b)
		if a == nil {
			return nil, fmt.Errorf("%s: %v", id, diags)
		}
		shipped[id] = a
	}
	for _, id := range scenarios.Assignments {
		i := slices.IndexFunc(guides, func(g scenarios.Guide) bool { return g.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("%s has no guide", id)
		}
		h := &handout{Assignment: shipped[id], Guide: &guides[i]}
		if err := h.make(shipped); err != nil {
			return nil, fmt.Errorf("the guide of %s: %w", id, err)
		}
		list = append(list, h)
	}
	return list, nil
}

// make fills in what a run says.
func (h *handout) make(shipped map[string]*class.Assignment) error {
	doc := h.Document()
	r, err := runOf(doc)
	if err != nil {
		return err
	}
	prob, diags := scenario.Compile(doc, lab.Defaults())
	if prob == nil {
		return fmt.Errorf("%v", diags)
	}
	h.Slide = template.HTML(slideSVG(prob, doc.Meta.Title)) // its texts are escaped
	for i := range r.sides {
		r.sides[i].Title = h.called(r.lanes[i].Policy)
	}
	others := slices.Clone(r.sides)
	if h.Races() { // the lane that students write says nothing yet
		i, err := r.at(h.Task.Winner)
		if err != nil {
			return err
		}
		others = slices.Delete(others, i, i+1)
		slices.SortStableFunc(others, func(a, b insights.Side) int { // of more than two lanes the best stands first
			return cmp.Compare(a.Metrics.AvgJCTS, b.Metrics.AvgJCTS)
		})
	}
	if len(others) >= 2 {
		a, b := others[0], others[1]
		f := insights.Find(nil, a, b, chart.Compare(a.Trace, b.Trace, a.Lane, b.Lane), 2)
		h.Claim, h.Because = f.Claim+insights.Rents(nil, others), f.Because
	}
	for i := range r.lanes {
		h.Lanes = append(h.Lanes, r.sides[i].Title)
	}
	for _, j := range doc.Scenario.Jobs {
		f := finish{Job: j.ID}
		for i := range r.lanes {
			f.At = append(f.At, minutes(finishOf(&r.lanes[i], j.ID)))
		}
		h.Finishes = append(h.Finishes, f)
	}
	if doc.Scenario.Generator != nil { // there are too many for a row each
		h.Finishes = []finish{{"half of them, after", r.figures("p50_jct_s")},
			{"95 of 100, after", r.figures("p95_jct_s")}, {"the last", r.figures("makespan_s")}}
	}
	if err := h.plan(shipped); err != nil {
		return err
	}
	truth := h.Truth(r.lanes)
	for i := range h.Questions {
		e, err := h.expect(&h.Questions[i], truth, r)
		if err != nil {
			return fmt.Errorf("question %s: %w", h.Questions[i].ID, err)
		}
		h.Expected = append(h.Expected, e)
	}
	return h.solve()
}

// called is what the questions call a policy, else what the lab does.
func (h *handout) called(policy string) string {
	for i := range h.Questions {
		if o := h.Questions[i].Option(policy); o != nil && h.Questions[i].Kind != class.Loses {
			return o.Text
		}
	}
	for _, p := range lab.Policies() {
		if p.ID == policy {
			return p.Title
		}
	}
	return policy
}

// plan lays the lesson's two forms side by side, the shorter first.
func (h *handout) plan(shipped map[string]*class.Assignment) error {
	here, other := h.Assignment, shipped[h.Guide.Form]
	forms := []handoutForm{{here.Minutes(), here.ID}, {}}
	if here.Races() { // what is written takes the time that there is
		h.Forms = forms[:1]
		for _, s := range here.Plan {
			h.Steps = append(h.Steps, handoutStep{Title: phaseTitle(s.Phase), Do: s.Teacher,
				Say: h.Guide.Say[string(s.Phase)], Minutes: []float64{s.Minutes}})
		}
		return nil
	}
	if other != nil {
		forms[1] = handoutForm{other.Minutes(), other.ID}
	} else { // it takes the times of the longest that there is
		for _, a := range shipped {
			if other == nil || a.Minutes() > other.Minutes() {
				other = a
			}
		}
		forms[1] = handoutForm{other.Minutes(), ""}
	}
	if forms[0].Minutes == forms[1].Minutes {
		return fmt.Errorf("both forms take %v minutes", forms[0].Minutes)
	}
	swap := forms[0].Minutes > forms[1].Minutes
	for _, s := range here.Plan {
		step := handoutStep{Title: phaseTitle(s.Phase), Do: s.Teacher, Say: h.Guide.Say[string(s.Phase)],
			Longer: h.Guide.Longer[string(s.Phase)], Minutes: []float64{s.Minutes, 0}}
		for _, o := range other.Plan {
			if o.Phase == s.Phase {
				step.Minutes[1] = o.Minutes
			}
		}
		if swap {
			slices.Reverse(step.Minutes)
		}
		h.Steps = append(h.Steps, step)
	}
	if swap {
		slices.Reverse(forms)
	}
	h.Forms = forms
	return nil
}

// phaseTitle names a phase as the board does.
func phaseTitle(p class.Phase) string {
	if p == class.VoteAgain {
		return "Vote again"
	}
	return strings.ToUpper(string(p[:1])) + string(p[1:])
}

// expect says what is right of a question, and what who is wrong may think.
func (h *handout) expect(q *class.Question, truth class.Truth, r *ran) (e expected, err error) {
	says, right := h.Guide.Expect[q.ID], q.Option(truth[q.ID])
	if right == nil {
		return e, fmt.Errorf("the run does not answer it")
	}
	if right.ID != says.Right {
		return e, fmt.Errorf("right is %s, and the guide speaks of %q", right.ID, says.Right)
	}
	e = expected{Question: q, RightIs: right.Text}
	if c, err := claims.Find(q.ID); err == nil {
		of, err := claims.Records()
		if err != nil {
			return e, err
		}
		e.Board = c.Stand(of[c.ID])
	}
	if e.Why, err = r.fill(says.Why, q.Metric); err != nil {
		return e, err
	}
	if q.Metric != "" {
		e.Figures = r.figures(q.Metric)
	}
	for _, o := range q.Options {
		if o.ID == right.ID {
			continue
		}
		side := "high"
		if o.To != 0 && o.To <= right.From {
			side = "low"
		}
		idea := o.Idea
		if idea == "" {
			idea = says.Wrong[o.ID]
		}
		if idea == "" && (o.From > 0 || o.To > 0) {
			idea = says.Wrong[side]
		}
		if idea == "" {
			return e, fmt.Errorf("nothing says what who chooses %s may think", o.ID)
		}
		if k := slices.IndexFunc(e.Wrong, func(w wrong) bool { return w.Idea == idea }); k >= 0 {
			e.Wrong[k].Options = append(e.Wrong[k].Options, o.Text)
			continue
		}
		e.Wrong = append(e.Wrong, wrong{[]string{o.Text}, idea, o.Preset})
	}
	return e, nil
}

// solve runs the changes that the document names.
func (h *handout) solve() error {
	if h.Task == nil || h.Races() {
		return nil
	}
	for _, change := range h.Task.Works {
		doc, ok := h.Apply([]class.Edit{change})
		if !ok {
			return fmt.Errorf("%s does not apply", h.Says(change))
		}
		r, err := runOf(doc)
		if err != nil {
			return err
		}
		h.Solutions = append(h.Solutions, solution{h.Says(change), r.figures(h.Task.Metric)})
	}
	return nil
}

// Metric is what sentences call the task's metric.
func (h *handout) Metric() string { return message.FindMetric(h.Task.Metric).Brief }

// page is where it lies in the manual.
func (h *handout) page() string { return "docs/teach/" + h.ID }
