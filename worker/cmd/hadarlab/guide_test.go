package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	board "hadarlab/app/class"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
	held "hadarlab/worker/class"
)

// lanesOf runs a document by another way than the manual does.
func lanesOf(t *testing.T, doc *scenario.Document) []message.Lane {
	t.Helper()
	result, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatalf("%v %v", diags, failed)
	}
	return result.Runs
}

// inMinutes writes a time as the pages do: tenths, where there are any.
func inMinutes(s float64) string {
	return strconv.FormatFloat(math.Round(s/6)/10, 'f', -1, 64) + " min"
}

// plain is a page's text without its tags, spaces made one.
func plain(page string) string {
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	page = strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(page)
	return strings.Join(strings.Fields(page), " ")
}

// TestHandouts: each shipped assignment has a page to teach from with every section, its answers behind a fold, and its
// figures are those of a run.
func TestHandouts(t *testing.T) {
	dir, err := manual()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, "docs", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	teach := read("teach.html")
	for _, id := range scenarios.Assignments {
		t.Run(id, func(t *testing.T) {
			doc, _ := scenarios.Assignment(id)
			a, _ := class.Parse(doc)
			page := read("teach/" + id + ".html")
			before, fold, found := strings.Cut(page, `<details class="answers">`)
			if !found || strings.Contains(before, "Right:") || !strings.Contains(teach, `docs/teach/`+id+`"`) {
				t.Error("the answers are not behind a fold, or nothing leads to the page")
			}
			for _, section := range []string{"aims", "slide", "plan", "answers"} {
				if !strings.Contains(before, ` id="`+section+`"`) {
					t.Errorf("before the fold there is no section %s", section)
				}
			}
			for _, part := range []string{"most", "few", "sentence", "finishes", "task"} {
				if !strings.Contains(fold, ` id="`+part+`"`) {
					t.Errorf("behind the fold there is no %s", part)
				}
			}
			says := plain(before)
			for _, text := range append([]string{a.Goal, a.Situation}, steps(a)...) {
				if !strings.Contains(says, plain(text)) {
					t.Errorf("the page lacks %q", text)
				}
			}
			answers(t, a, plain(fold), lanesOf(t, a.Document()))
			for _, change := range a.Task.Works {
				changed, _ := a.Apply([]class.Edit{change})
				row := a.Says(change)
				for _, l := range lanesOf(t, changed) {
					row += " " + worded(a.Task.Metric, &l)
				}
				if !strings.Contains(plain(fold), row) {
					t.Errorf("the page lacks %q", row)
				}
			}
			slideOf(t, a.Document(), read("teach/"+id+".svg"))
		})
	}
}

// TestManualHasTheNumbers: times and bounds of classes that the manual names are those of the program.
func TestManualHasTheNumbers(t *testing.T) {
	dir, err := manual()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "docs", "teach.html"))
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	for _, says := range []string{
		map[time.Duration]string{day: "A lesson can be joined for a day after it began"}[held.Joinable],
		fmt.Sprintf("A class is deleted after %d days, one that nobody has joined after a day", held.Kept/day),
		fmt.Sprintf("Everything is kept for %d days", held.Kept/day),
		map[int]string{10: "(ten where it says nothing)"}[class.UsualAttempts],
		fmt.Sprintf("within %d points of either", class.Room),
	} {
		if says == "" || !strings.Contains(plain(string(page)), says) {
			t.Errorf("the manual does not say %q", says)
		}
	}
}

// steps are what a plan says to the teacher.
func steps(a *class.Assignment) (list []string) {
	for _, s := range a.Plan {
		list = append(list, s.Teacher)
	}
	return list
}

// worded is a figure as it stands on a page.
func worded(metric string, l *message.Lane) string {
	m := message.FindMetric(metric)
	if v := m.Of(&l.Metrics); m.Unit == message.Time && l.Metrics.MakespanS > 24*3600 {
		return strconv.FormatFloat(v/3600, 'g', 3, 64) + " h"
	} else if m.Unit == message.Time {
		return inMinutes(v)
	} else {
		return fmt.Sprintf("%.2f", v)
	}
}

// answers holds what stands behind the fold to a run: what is right, both lanes' figures in the sentence that says why,
// when each job is done, and an idea for each wrong option.
func answers(t *testing.T, a *class.Assignment, says string, lanes []message.Lane) {
	t.Helper()
	truth := a.Truth(lanes)
	for i := range a.Questions {
		q := &a.Questions[i]
		_, part, _ := strings.Cut(says, q.Text+" Right: "+q.Option(truth[q.ID]).Text+".")
		if i+1 < len(a.Questions) {
			part, _, _ = strings.Cut(part, a.Questions[i+1].Text)
		}
		for k := range lanes {
			if q.Metric != "" && !strings.Contains(part, worded(q.Metric, &lanes[k])) {
				t.Errorf("%s: %q lacks %s", q.ID, part, worded(q.Metric, &lanes[k]))
			}
		}
		for _, o := range q.Options {
			if o.ID != truth[q.ID] && !strings.Contains(part, o.Text) || !strings.Contains(part, o.Idea) &&
				o.ID != truth[q.ID] {
				t.Errorf("%s: nothing is said of who chooses %s", q.ID, o.ID)
			}
		}
	}
	for _, j := range a.Document().Scenario.Jobs {
		row := j.ID
		for i := range lanes {
			k := slices.IndexFunc(lanes[i].Jobs, func(r message.JobRow) bool { return r.ID == j.ID })
			row += " " + inMinutes(*lanes[i].Jobs[k].FinishS)
		}
		if !strings.Contains(says, row) {
			t.Errorf("the table lacks %q", row)
		}
	}
}

// slideOf holds a slide to runs in which each job is alone on nodes with one GPU type, at no cost of a start.
func slideOf(t *testing.T, doc *scenario.Document, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	sizes := regexp.MustCompile(`font-size="(\d+)"`)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range sizes.FindAllStringSubmatch(svg, -1) {
		if n, _ := strconv.Atoi(m[1]); n*1080 < 28*720 {
			t.Errorf("a text of %d is less than 28 px at 1080p", n)
		}
	}
	count := map[string]int{}
	for _, n := range doc.Scenario.Cluster.Nodes {
		for typ, have := range n.GPUs {
			count[typ] += have
		}
	}
	_, says, _ := strings.Cut(svg, `aria-label="`)
	says, _, _ = strings.Cut(says, `"`)
	if doc.Scenario.Generator != nil { // a row for each size, whose jobs are counted
		of := map[int]int{}
		for _, j := range scenario.Freeze(doc).Scenario.Jobs {
			of[j.GPUs]++
		}
		for size, n := range of {
			if want := fmt.Sprintf("; %d of %d GPU", n, size); !strings.Contains(says, want) {
				t.Errorf("the slide lacks %q: %s", want, says)
			}
		}
	}
	for _, job := range doc.Scenario.Jobs {
		_, part, found := strings.Cut(says, job.ID+" wants ")
		part, _, _ = strings.Cut(part, ";")
		if !found {
			t.Errorf("the slide is silent on %s: %s", job.ID, says)
		}
		for typ, have := range count {
			if have < job.GPUs {
				if strings.Contains(part, " on "+strings.ToUpper(typ)) {
					t.Errorf("%s does not fit on %s, and the slide says it does: %s", job.ID, typ, part)
				}
				continue
			}
			alone := doc.Clone()
			job.ArrivalS = 0
			alone.Scenario.Jobs, alone.Scenario.Policies = []scenario.Job{job}, []scenario.Policy{{ID: "fifo"}}
			alone.Scenario.Overheads = scenario.Overheads{}
			alone.Scenario.Cluster.Nodes = nil
			for _, n := range doc.Scenario.Cluster.Nodes {
				if n.GPUs[typ] > 0 {
					n.GPUs = map[string]int{typ: n.GPUs[typ]}
					alone.Scenario.Cluster.Nodes = append(alone.Scenario.Cluster.Nodes, n)
				}
			}
			took := inMinutes(lanesOf(t, alone)[0].Metrics.MakespanS)
			if !strings.Contains(part, took+" on "+strings.ToUpper(typ)) || !strings.Contains(svg, ">"+took+"<") {
				t.Errorf("%s takes %s on %s, and the slide says %q", job.ID, took, typ, part)
			}
		}
	}
}

// TestForms: each lesson has a form of 25 minutes and one of 45, with minutes and words for every phase.
func TestForms(t *testing.T) {
	list, err := lessons()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		if !bytes.Contains(readme, []byte("`"+h.ID+"`")) {
			t.Errorf("README does not name %s", h.ID)
		}
		usual := len(h.Forms) == 2 && h.Forms[0].Minutes == 25 && h.Forms[1].Minutes == 45
		if len(h.Steps) != len(class.Phases) || !usual && !(h.Races() && len(h.Forms) == 1) {
			t.Errorf("%s has %d phases in the forms %v", h.ID, len(h.Steps), h.Forms)
		}
		for k, f := range h.Forms {
			sum := 0.0
			for i, s := range h.Steps {
				sum += s.Minutes[k]
				if s.Title != board.PhaseTitle(h.Plan[i].Phase) {
					t.Errorf("%s: the board calls %q %q", h.ID, s.Title, board.PhaseTitle(h.Plan[i].Phase))
				}
				if s.Say == "" || s.Do == "" || s.Minutes[k] <= 0 {
					t.Errorf("%s: %+v", h.ID, s)
				}
			}
			if sum != f.Minutes {
				t.Errorf("%s: the phases of %v minutes take %v", h.ID, f.Minutes, sum)
			}
		}
		if form := h.Guide.Form; !h.Races() && form == "" && len(h.Guide.Longer) == 0 ||
			form != "" && !slices.Contains(scenarios.Assignments, form) {
			t.Errorf("%s: nothing fills the longer form, or %q is no assignment", h.ID, form)
		}
		for _, says := range []string{h.Guide.Sentence, h.Guide.Task, h.Guide.Most, h.Guide.Few, h.Because} {
			if says == "" {
				t.Errorf("the guide of %s has an empty text: %+v", h.ID, h.Guide)
			}
		}
		for q, e := range h.Guide.Expect {
			for o := range e.Wrong {
				if h.Question(q) == nil || h.Question(q).Option(o) == nil && o != "low" && o != "high" {
					t.Errorf("the guide of %s speaks of %s, %s, which is not there", h.ID, q, o)
				}
			}
		}
	}
}

// TestGuidesHaveNoFigures: what a run says is filled in from one. Only names of GPU types have digits.
func TestGuidesHaveNoFigures(t *testing.T) {
	data, err := os.ReadFile("../../../scenarios/guides.json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var of struct {
		Common map[string]string `json:"common"`
		Guides []scenarios.Guide `json:"guides"`
	}
	if err := d.Decode(&of); err != nil {
		t.Fatal(err)
	}
	harmless := regexp.MustCompile(`\{\{[^}]*\}\}|\b[A-Z]+[0-9]+s?\b`)
	check := func(says string) {
		if regexp.MustCompile(`[0-9]`).MatchString(harmless.ReplaceAllString(says, "")) {
			t.Errorf("a figure is typed by hand in %q", says)
		}
	}
	for _, says := range of.Common {
		check(says)
	}
	for _, g := range of.Guides {
		for _, says := range append(g.Aims, g.Sentence, g.Task, g.Most, g.Few) {
			check(says)
		}
		for _, says := range g.Say {
			check(says)
		}
		for _, says := range g.Longer {
			check(says)
		}
		for _, e := range g.Expect {
			check(e.Why)
			for _, says := range e.Wrong {
				check(says)
			}
		}
	}
}

// TestGuideOfAnotherTruth: a guide that explains what is not right is no page.
func TestGuideOfAnotherTruth(t *testing.T) {
	list, err := lessons()
	if err != nil {
		t.Fatal(err)
	}
	h := list[0]
	r, err := runOf(h.Document())
	if err != nil {
		t.Fatal(err)
	}
	q := &h.Questions[0]
	if _, err := h.expect(q, class.Truth{q.ID: class.Same}, r); err == nil {
		t.Error("a page explains Hadar where both are the same")
	}
	for _, bad := range []string{`{{figure "none"}}`, `{{finish "hadar" "none"}}`, `{{other}}`} {
		if says, err := r.fill(bad, q.Metric); err == nil {
			t.Errorf("%s is filled in as %q", bad, says)
		}
	}
}

// TestNetworksSays: the page on networks says what the tests hold the sizes to.
func TestNetworksSays(t *testing.T) {
	for i, c := range []struct{ file, bound string }{
		{"e2e/page_class_test.go", `first > ([\d_]+)`},
		{"e2e/page_class_test.go", `then > ([\d_]+)`},
		{"Makefile", `PAGE_BUDGET := (\d+)`},
		{"wasm/build/main.go", `brotliBudget = ([\d_]+)`},
	} {
		s := newNetworks().Sizes[i]
		b, err := os.ReadFile("../../../" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(c.bound).FindSubmatch(b)
		if m == nil {
			t.Fatalf("%s has no %s", c.file, c.bound)
		}
		most, err := strconv.ParseFloat(strings.ReplaceAll(string(m[1]), "_", ""), 64)
		if err != nil || math.Round(s.MB*1e6) != most {
			t.Errorf("%s: the page says %v MB, and %s %v bytes", s.What, s.MB, c.file, most)
		}
	}
}
