package lab_test

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/claims"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/program"
	"hadarlab/core/program/templates"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

func TestEveryPresetHasItsCard(t *testing.T) {
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	if len(cards) != len(scenarios.Names) {
		t.Fatalf("%d cards for %d presets", len(cards), len(scenarios.Names))
	}
	for i, c := range cards {
		if c.Preset != scenarios.Names[i] {
			t.Errorf("card %d is of %s, the preset there is %s", i, c.Preset, scenarios.Names[i])
		}
		if c.Goal == "" || c.Surprise == "" || c.Teacher == "" || len(c.Ideas) == 0 || len(c.Misconceptions) == 0 ||
			c.Level < 1 || c.Level > 3 {
			t.Errorf("%s: the card is incomplete: %+v", c.Preset, c)
		}
	}
}

// TestEveryPresetHasItsFocus: what the page shows first of a preset is the round in which the lanes first part, and a
// job that the headline or the question names.
func TestEveryPresetHasItsFocus(t *testing.T) {
	cards, _ := scenarios.Gallery()
	for _, c := range cards {
		doc, _ := lab.Preset(c.Preset)
		s := lab.NewSession()
		s.Start(&message.RunRequest{Scenario: doc})
		for more := true; more; {
			_, more = s.Spend(1 << 20)
		}
		a, b := s.Trace(0), s.Trace(1)
		d := chart.Compare(a, b, chart.NewLane(a), chart.NewLane(b))
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		f := &c.Focus
		lane := slices.IndexFunc(parsed.Scenario.Policies,
			func(p scenario.Policy) bool { return p.ID == f.Lane })
		if lane < 0 || f.Chart == "" || d.Moments[d.First].Round[lane] != int32(f.Round) {
			t.Errorf("%s: %+v is not the first disagreement, at %+v", c.Preset, f, d.Moments[d.First])
		}
		choice(t, doc, f.Lane, f.Round, f.Job)
		if told := a.Jobs[d.Job].Name; told != f.Job && !strings.Contains(parsed.Meta.Question, f.Job) {
			t.Errorf("%s: the headline is about %s, the focus %s", c.Preset, told, f.Job)
		}
	}
}

// factsOf are the figures that texts rely on.
func factsOf(t *testing.T) scenarios.Facts {
	t.Helper()
	facts, err := scenarios.AllFacts()
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// TestLessonsSayWhatTheEngineDoes runs what each step shows and holds it to the figures of its text.
func TestLessonsSayWhatTheEngineDoes(t *testing.T) {
	facts := factsOf(t)
	lessons, err := scenarios.Lessons()
	if err != nil || len(lessons) < 3 {
		t.Fatalf("%d lessons, %v", len(lessons), err)
	}
	for _, l := range lessons {
		if l.ID == "" || l.Goal == "" || l.Minutes < 1 || len(l.Steps) < 3 || l.Steps[0].Open == "" {
			t.Errorf("lesson %q is incomplete", l.ID)
		}
		if last := l.Steps[len(l.Steps)-1]; l.Learned == "" || l.Next == "" || last.Ask == nil {
			t.Errorf("lesson %q ends without a question, what was learned or what to try next", l.ID)
		}
		var doc []byte
		for i, s := range l.Steps {
			at := func(format string, a ...any) {
				t.Helper()
				t.Errorf("%s, step %d: "+format, append([]any{l.ID, i + 1}, a...)...)
			}
			if s.Title == "" || s.Text == "" {
				at("title or text is missing")
			}
			if s.Open != "" {
				var ok bool
				if doc, ok = lab.Preset(s.Open); !ok {
					at("there is no preset %s", s.Open)
				}
			}
			if a := s.Ask; a != nil && (a.Question == "" || len(a.Options) < 2 || a.Answer < 0 ||
				a.Answer >= len(a.Options) || a.Because == "") {
				at("the question is incomplete")
			}
			if c := s.Change; c != nil {
				doc = changed(t, doc, c)
				if res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc}); res == nil || len(failed) > 0 ||
					c.Say == "" {
					at("the change cannot be run: %v %v", failed, diags)
				}
			}
			if v := s.View; v != nil {
				choice(t, doc, v.Lane, v.Round, v.Job)
			}
			for _, f := range facts.Lessons[l.ID][s.Title] {
				if got := figureOf(t, doc, &f); !(math.Abs(got-f.Value) <= 5e-4*max(1, math.Abs(f.Value))) {
					at("%s of %s in round %d of %s is %g, the text relies on %g", f.Field, f.Job, f.Round, f.Policy,
						got, f.Value)
				}
				// who leads by less than the headline's band does not lead
				if f.Over != "" && f.Field != "later" && message.Tied(figureOf(t, doc, &f), 1) != f.Tied {
					at("%s of %s is %.4f of %s's: the headline says %v that they tie, the text %v", f.Field, f.Policy,
						f.Value, f.Over, !f.Tied, f.Tied)
				}
			}
		}
	}
}

// changed sets a value of the document.
func changed(t *testing.T, doc []byte, c *scenarios.Change) []byte {
	t.Helper()
	var root any
	if err := json.Unmarshal(doc, &root); err != nil {
		t.Fatal(err)
	}
	path := strings.Split(c.Path, "/")[1:]
	if len(c.Lanes) > 0 {
		path = nil
		root.(map[string]any)["scenario"].(map[string]any)["policies"] = lanesOf(t, c.Lanes)
	}
	at := root
steps:
	for i, name := range path {
		switch v := at.(type) {
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(v) {
				t.Fatalf("%s leads nowhere", c.Path)
			}
			at = v[n]
		case map[string]any:
			if i == len(path)-1 {
				v[name] = c.Value
				break
			}
			if src, is := v[name].(string); is { // a number of a program
				number, ok := c.Value.(float64)
				if v[name], is = program.Turn(src, path[i+1], number); !is || !ok {
					t.Fatalf("%s leads nowhere", c.Path)
				}
				break steps
			}
			if v[name] == nil {
				v[name] = map[string]any{}
			}
			at = v[name]
		default:
			t.Fatalf("%s leads nowhere", c.Path)
		}
	}
	b, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// lanesOf are the lanes of a change, as they stand in a document.
func lanesOf(t *testing.T, lanes []scenarios.Lane) (list []map[string]any) {
	t.Helper()
	for _, lane := range lanes {
		params := lane.Params
		if lane.Template != "" {
			at := slices.IndexFunc(templates.All,
				func(of templates.Template) bool { return of.ID == lane.Template })
			if at < 0 || len(params) > 0 {
				t.Fatalf("no lane is made of the template %s and %v", lane.Template, params)
			}
			params = templates.All[at].Values()
		}
		list = append(list, map[string]any{"id": lane.ID, "params": params})
	}
	return list
}

// laneOf finds the lane that a fact or focus names by its policy or, where several have the same, by its letter too, as
// own:B; -1 = there is none.
func laneOf(lanes []scenario.Policy, name string) int {
	id, letter, lettered := strings.Cut(name, ":")
	for i := range lanes {
		if lanes[i].ID == id && (!lettered || letter == string(rune('A'+i))) {
			return i
		}
	}
	return -1
}

// choice is what a policy decided for a job in a round.
func choice(t *testing.T, doc []byte, policy string, round int, job string) *message.JobChoice {
	t.Helper()
	ref := message.PolicyRef{ID: policy}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	if at := laneOf(parsed.Scenario.Policies, policy); at >= 0 {
		ref = message.PolicyRef{ID: parsed.Scenario.Policies[at].ID, Params: parsed.Scenario.Policies[at].Params}
	}
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: ref, Round: round, Job: job})
	if e == nil {
		t.Fatalf("%s, round %d, %s: %v", policy, round, job, diags)
	}
	for i := range e.Jobs {
		if strings.EqualFold(e.Jobs[i].ID, job) {
			return &e.Jobs[i]
		}
	}
	t.Fatalf("%s decides nothing for %s in round %d", policy, job, round)
	return nil
}

// figureOf is the figure that a fact is about.
func figureOf(t *testing.T, doc []byte, f *scenarios.Fact) float64 {
	t.Helper()
	if f.With != nil {
		doc = changed(t, doc, f.With)
	}
	v := figureUnder(t, doc, f, f.Policy)
	if f.Over != "" && f.Field != "later" {
		v /= figureUnder(t, doc, f, f.Over)
	}
	return v
}

// listedWorth is what a round on GPUs of one type is worth in the list of the job's placements.
func listedWorth(t *testing.T, c *message.JobChoice, typ string) float64 {
	t.Helper()
	for _, s := range c.Sections {
		if s.Table == nil || !s.Table.Choices {
			continue
		}
		at := slices.IndexFunc(s.Table.Columns, func(c message.TableColumn) bool { return c.Name == "Worth" })
		for _, row := range s.Table.Rows {
			if gang := row.Cells[0].Gang; len(gang) == 1 && gang[0].Type == typ && row.Cells[at].Number != nil {
				return *row.Cells[at].Number
			}
		}
	}
	t.Fatalf("no placement of %s on %s is listed", c.ID, typ)
	return 0
}

// explained is a term of the job's decision, or a cell of its table of copies, in the row of a GPU type, or of its
// table of GPUs, in the row of so many on one node or, without a row, of those that it gets.
func explained(t *testing.T, c *message.JobChoice, key, row string) float64 {
	t.Helper()
	for _, s := range c.Sections {
		for _, k := range s.Terms {
			if k.Key == key {
				return k.Value
			}
		}
		if s.Table == nil || s.Table.Key != "gpus" && s.Table.Key != "copies" {
			continue
		}
		column := func(key string) int {
			return slices.IndexFunc(s.Table.Columns, func(c message.TableColumn) bool { return c.Key == key })
		}
		at, count := column(key), column("gpus")
		for _, r := range s.Table.Rows {
			name := ""
			if count >= 0 {
				name = strconv.Itoa(int(*r.Cells[count].Number))
			} else if len(r.Cells[0].Gang) == 1 {
				name = r.Cells[0].Gang[0].Type
			}
			if at >= 0 && r.Cells[at].Number != nil && (row == name || row == "" && r.Chosen) {
				return *r.Cells[at].Number // one node stands before several
			}
		}
	}
	t.Fatalf("%s has no %s in the row %q", c.ID, key, row)
	return 0
}

// onBoard is a figure of a row of the paper board.
func onBoard(t *testing.T, kind, id string) float64 {
	t.Helper()
	c, err := claims.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	if kind == "published" {
		return c.Published.Low
	}
	records, err := claims.Records()
	if err != nil {
		t.Fatal(err)
	}
	return c.Stand(records[id]).Ours.Mean
}

// laterThan is how many jobs finish later under one policy than under another.
func laterThan(t *testing.T, doc []byte, policy, over string) (n float64) {
	t.Helper()
	res, _, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if res == nil {
		t.Fatal(diags)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	lanes, finish := parsed.Scenario.Policies, map[string]float64{}
	for _, j := range res.Runs[laneOf(lanes, policy)].Jobs {
		finish[j.ID] = *j.FinishS
	}
	for _, j := range res.Runs[laneOf(lanes, over)].Jobs {
		if finish[j.ID] > *j.FinishS {
			n++
		}
	}
	return n
}

func figureUnder(t *testing.T, doc []byte, f *scenarios.Fact, policy string) float64 {
	t.Helper()
	kind, typ, _ := strings.Cut(f.Field, ":")
	if kind == "restarts" && f.Job != "" {
		return explained(t, choice(t, doc, policy, f.Round, f.Job), kind, typ)
	}
	switch kind {
	case "published", "ours":
		return onBoard(t, kind, typ)
	case "near":
		return claims.Near
	case "later":
		return laterThan(t, doc, f.Policy, f.Over)
	case "speed": // MODEL:TYPE:TYPE, the first over the second, or MODEL:TYPE:TYPE:N of gangs of N on one node
		part := strings.Split(typ, ":")
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		for _, r := range parsed.Scenario.Throughputs.Rows {
			if r.Model == part[0] && len(part) > 3 {
				return r.Gang[part[1]][part[3]] / r.Gang[part[2]][part[3]]
			} else if r.Model == part[0] {
				return r.PerGPU[part[1]] / r.PerGPU[part[2]]
			}
		}
	case "phi", "batch", "efficiency", "goodput", "speedup", "age_s", "quota_steps", "merge_weight":
		return explained(t, choice(t, doc, policy, f.Round, f.Job), kind, typ)
	case "split": // a member of how a gang's batch is split
		return explained(t, choice(t, doc, policy, f.Round, f.Job), "split/"+typ, "")
	case "host", "fusion": // what a job has of its node, could use of it, or how fast it is with that; or of its array
		return explained(t, choice(t, doc, policy, f.Round, f.Job), kind+"/"+typ, "")
	case "says": // a number that a program says of its decision
		for _, s := range choice(t, doc, policy, f.Round, f.Job).Sections {
			for _, k := range s.Terms {
				if k.Name == typ {
					return k.Value
				}
			}
		}
	case "sum": // what a line of a job's reasons that begins so comes to
		for _, s := range choice(t, doc, policy, f.Round, f.Job).Sections {
			for _, line := range s.Formula {
				if at := strings.LastIndex(line, "= "); at >= 0 && strings.HasPrefix(line, typ) {
					v, _ := strconv.ParseFloat(line[at+2:], 64)
					return v
				}
			}
		}
	case "merge_s":
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		return parsed.Scenario.Overheads.MergeS
	case "payoff", "worth", "cost", "rounds", "gangs", "gpus", "slowdown", "timer":
		c := choice(t, doc, policy, f.Round, f.Job)
		sum := 0.0
		for _, g := range c.Gangs {
			for _, sh := range g {
				if typ == "" || sh.Type == typ {
					sum += float64(sh.Count)
				}
			}
		}
		switch {
		case kind == "gangs":
			return float64(len(c.Gangs))
		case kind == "gpus":
			return sum
		}
		terms := map[string]float64{}
		for _, s := range c.Sections {
			for _, k := range s.Terms {
				terms[k.Key] = k.Value
			}
		}
		switch {
		case kind == "slowdown" || kind == "timer":
			return terms[kind]
		case kind == "worth" && typ != "":
			return listedWorth(t, c, typ)
		case terms["rounds"] == 0:
			t.Fatalf("%s says nothing of what %s is worth", policy, f.Job)
		case kind == "payoff" || kind == "rounds":
			return terms[kind]
		case kind == "worth":
			return terms["utility"] / terms["rounds"]
		}
		return terms["cost"] / terms["rounds"]
	}
	res, _, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if res == nil {
		t.Fatal(diags)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	if at := laneOf(parsed.Scenario.Policies, policy); at >= 0 {
		r := &res.Runs[at]
		for _, j := range r.Jobs {
			if j.ID == f.Job && kind == "finish" {
				return *j.FinishS
			}
			if j.ID == f.Job && kind == "start" {
				return *j.StartS
			}
			if j.ID == f.Job && kind == "ftf" {
				return j.FTF
			}
		}
		if m := message.FindMetric(f.Field); m != nil {
			return m.Of(&r.Metrics)
		}
	}
	t.Fatalf("%s has no %s of %q", policy, f.Field, f.Job)
	return 0
}

// TestCardsSayWhatTheEngineDoes is the same for the cards of the gallery.
func TestCardsSayWhatTheEngineDoes(t *testing.T) {
	facts := factsOf(t)
	cards, _ := scenarios.Gallery()
	for _, c := range cards {
		doc, _ := lab.Preset(c.Preset)
		for _, f := range facts.Cards[c.Preset] {
			if got := figureOf(t, doc, &f); !(math.Abs(got-f.Value) <= 5e-4*max(1, math.Abs(f.Value))) {
				t.Errorf("%s: %s of %q under %s is %g, the text relies on %g", c.Preset, f.Field, f.Job, f.Policy, got,
					f.Value)
			}
		}
	}
}

// TestListsOfJobsAreWhole: where a card says of several jobs that they end later, or sooner, under one policy than
// under another, it names all that do.
func TestListsOfJobsAreWhole(t *testing.T) {
	facts := factsOf(t)
	cards, _ := scenarios.Gallery()
	lists := 0
	for _, c := range cards {
		doc, _ := lab.Preset(c.Preset)
		named := map[string][]scenarios.Fact{}
		for _, f := range facts.Cards[c.Preset] {
			if f.Field == "finish" && f.Over != "" {
				named[f.Says] = append(named[f.Says], f)
			}
		}
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		for says, facts := range named {
			if len(facts) < 2 {
				continue
			}
			lists++
			var want, got []string
			for _, f := range facts {
				want = append(want, f.Job)
			}
			for _, j := range parsed.Scenario.Jobs {
				f := facts[0]
				if f.Job = j.ID; (figureOf(t, doc, &f)-1)*(facts[0].Value-1) > 0 {
					got = append(got, j.ID)
				}
			}
			slices.Sort(want)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: %q names %v, and it is so of %v", c.Preset, says, want, got)
			}
		}
	}
	if lists == 0 {
		t.Error("no card names several jobs")
	}
}

var (
	// number is a number that is not part of a name, as j1, V100; and words that stand for
	// one.
	number    = regexp.MustCompile(`(?:^|[\s(−])(\d[\d.,]*\d|\d)(?:$|[^\w\d])`)
	countWord = regexp.MustCompile(`(?i)\b(half|halves|halved|twice|thirds?|quarters?|doubles?|once|twenty|thousand)\b`)
	// said are turns of speech without a figure.
	said = regexp.MustCompile(
		`(?i)at once|once it has|third (GPU|node|one|K80)|on half of that cluster|counts? as 0|[:,] 1 for a job|above 0|96-job|\(4 digits\)`)
)

// TestEveryNumberHasItsFact: a number in a card, a preset or a lesson stands in the scenario, in a change that the step
// makes, or in the words of a fact.
func TestEveryNumberHasItsFact(t *testing.T) {
	facts := factsOf(t)
	check := func(where, text, doc string, facts []scenarios.Fact) {
		t.Helper()
		bare := said.ReplaceAllString(text, "")
		for _, f := range facts {
			if f.Says != "" {
				bare = strings.ReplaceAll(bare, f.Says, "")
			}
		}
		for _, m := range number.FindAllStringSubmatch(bare, -1) {
			if !regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(m[1]) + `($|[^\d.])`).MatchString(doc) {
				t.Errorf("%s: %q has no fact: %s", where, m[1], text)
			}
		}
		for _, m := range countWord.FindAllString(bare, -1) {
			t.Errorf("%s: %q has no fact: %s", where, m, text)
		}
	}
	used := func(where, text string, facts []scenarios.Fact) {
		t.Helper()
		for _, f := range facts {
			if !strings.Contains(text, f.Says) {
				t.Errorf("%s: a fact is about %q, which nobody says", where, f.Says)
			}
		}
	}
	cards, _ := scenarios.Gallery()
	for _, c := range cards {
		doc, _ := lab.Preset(c.Preset)
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		meta := parsed.Meta
		parsed.Meta = scenario.Meta{}
		bare := string(parsed.Marshal(false))
		all := strings.Join(append([]string{c.Goal, c.Surprise, c.Teacher, meta.Title, meta.Question, meta.Notes},
			c.Misconceptions...), "\n")
		check(c.Preset, all, bare, facts.Cards[c.Preset])
		used(c.Preset, all, facts.Cards[c.Preset])
	}
	lessons, _ := scenarios.Lessons()
	for _, l := range lessons {
		doc := ""
		for i, s := range l.Steps {
			if s.Open != "" {
				text, _ := lab.Preset(s.Open)
				doc = string(text)
			}
			all := s.Title + "\n" + s.Text
			if c := s.Change; c != nil {
				doc = string(changed(t, []byte(doc), c))
				all += "\n" + c.Say + "\n" + c.Sets
			}
			if a := s.Ask; a != nil {
				all += "\n" + a.Question + "\n" + strings.Join(a.Options, "\n") + "\n" + a.Because
			}
			if i == len(l.Steps)-1 {
				all += "\n" + l.Learned + "\n" + l.Next
			}
			where := l.ID + ", step " + strconv.Itoa(i+1)
			check(where, all, doc, facts.Lessons[l.ID][s.Title])
			used(where, all, facts.Lessons[l.ID][s.Title])
		}
	}
}

// TestWhyAnswersWhatAStudentAsks: why a job waits beside free GPUs, why it gets these, and why not more of them.
func TestWhyAnswersWhatAStudentAsks(t *testing.T) {
	for _, c := range []struct {
		preset, policy string
		round          int
		job, says      string
	}{
		{"patience-for-locality", "dally", 2, "bert",
			"lie over several racks, where a step takes 5.15 times as long as on the closest GPUs it could have; it waits for closer ones, 30 min more as its timer stands"},
		{"patience-for-locality", "dally", 4, "bert",
			"its GPUs lie on one node, and it can have none that are closer together; it first refused others 9.86 min ago"},
		{"patience-for-locality", "dally-nowait", 2, "bert",
			"its GPUs lie over several racks, and it does not wait for closer ones"},
		{"patience-for-locality", "dally-nowait", 3, "bert",
			"its GPUs lie over several racks, where a step takes 5.15 times as long as on the closest GPUs it could have, on one node"},
		{"patience-for-locality", "a-srpt", 3, "bert", "it has waited for closer GPUs as long as it may"},
		{"pollux-world", "pollux", 0, "cifar10-0", "it may have no more until it has measured its speed"},
		{"pollux-world", "pollux", 150, "imagenet-18",
			"times that, but the search found nothing better for all jobs together"},
	} {
		doc, _ := lab.Preset(c.preset)
		if got := choice(t, doc, c.policy, c.round, c.job).Sentence; !strings.Contains(got, c.says) {
			t.Errorf("%s, round %d of %s: %q does not say %q", c.preset, c.round, c.policy, got, c.says)
		}
	}
}

// TestFactsAreRounded: where a fact's words have one number, with decimals, that is its value in one of the units that
// texts have, rounded.
func TestFactsAreRounded(t *testing.T) {
	number, seen := regexp.MustCompile(`\d+(?:\.(\d+))?`), 0
	check := func(where string, facts []scenarios.Fact) {
		for _, f := range facts {
			found := number.FindAllStringSubmatch(f.Says, -1)
			if len(found) != 1 || found[0][1] == "" {
				continue
			}
			seen++
			v, _ := strconv.ParseFloat(found[0][0], 64)
			half := 0.5*math.Pow(10, -float64(len(found[0][1]))) + 1e-9
			if !slices.ContainsFunc([]float64{1, 60, 3600, 86400, 0.01}, func(unit float64) bool {
				return math.Abs(f.Value/unit-v) <= half
			}) {
				t.Errorf("%s: %q of %v", where, f.Says, f.Value)
			}
		}
	}
	facts := factsOf(t)
	for where, of := range facts.Cards {
		check(where, of)
	}
	for where, steps := range facts.Lessons {
		for _, of := range steps {
			check(where, of)
		}
	}
	if seen < 50 {
		t.Errorf("only %d numbers", seen)
	}
}

// TestALessonReadsTheBoardsRule: the verdicts that the lesson on a claim has are what the paper board's rule gives its
// figures, and the board itself has.
func TestALessonReadsTheBoardsRule(t *testing.T) {
	c, err := claims.Find("hadar-2024-completion-gavel")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(mean float64) claims.Verdict {
		low, high := mean-0.05, mean+0.04
		return claims.Judge(c.Published, c.Unit, message.Estimate{Mean: mean, Low: &low, High: &high, N: 10}, mean)
	}
	if a, b := judge(1.40), judge(2.45); a != claims.DirectionOnly || b != claims.Reproduced || c.As != a {
		t.Errorf("1.40 is %s, 2.45 is %s, on the board it is %s", a, b, c.As)
	}
}

// TestTextsCountTheGPUsThereAre: who says the two V100, or both, says that there are two of them.
func TestTextsCountTheGPUsThereAre(t *testing.T) {
	all := regexp.MustCompile(`(?i)\b(both|the (two|three|four|five|six|eight)) ([AHKPTV]\d+)s?\b`)
	counts := map[string]int{"both": 2, "the two": 2, "the three": 3, "the four": 4, "the five": 5, "the six": 6,
		"the eight": 8}
	seen := 0
	check := func(where string, doc []byte, texts ...string) {
		d, _ := scenario.Parse(doc, scenario.FileLimits)
		for _, text := range texts {
			for _, m := range all.FindAllStringSubmatch(text, -1) {
				there := 0
				for _, n := range d.Scenario.Cluster.Nodes {
					there += n.GPUs[strings.ToLower(m[3])]
				}
				if seen++; there != counts[strings.ToLower(m[1])] {
					t.Errorf("%s: %q, and there are %d", where, m[0], there)
				}
			}
		}
	}
	cards, _ := scenarios.Gallery()
	for _, c := range cards {
		doc, _ := lab.Preset(c.Preset)
		check(c.Preset, doc, c.Surprise, c.Teacher)
	}
	for where, s := range stepsWithDocuments(t) {
		check(where, s.doc, s.texts()...)
	}
	if seen < 3 {
		t.Errorf("only %d texts count GPUs", seen)
	}
}

// TestNamesOfJobsAreNotTranslated: an answer that is a job's name alone is looked up like any other text, and a word of
// the page may be called so.
func TestNamesOfJobsAreNotTranslated(t *testing.T) {
	german := germanWords(t)
	for where, s := range stepsWithDocuments(t) {
		d, _ := scenario.Parse(s.doc, scenario.FileLimits)
		for _, text := range s.texts() {
			for _, j := range d.Scenario.Jobs {
				if said := german[text]; text == j.ID && said != "" && said != text {
					t.Errorf("%s: the job %s is %s in German", where, text, said)
				}
			}
		}
	}
}

// TestGermanNamesWhatThePageShows: a text that names a part of the page, in “ ” or in the way to what a button sets,
// has in German the name that the page has there.
func TestGermanNamesWhatThePageShows(t *testing.T) {
	german, quoted := germanWords(t), regexp.MustCompile(`“([^”]{3,})”`)
	seen := 0
	check := func(where, text string, names []string) {
		for _, name := range names {
			if said := german[name]; said != "" {
				if seen++; !strings.Contains(german[text], said) {
					t.Errorf("%s: %s is %s on the page, and not in %q", where, name, said, german[text])
				}
			}
		}
	}
	inQuotes := func(where string, texts ...string) {
		for _, text := range texts {
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				check(where, text, m[1:])
			}
		}
	}
	for where, s := range stepsWithDocuments(t) {
		inQuotes(where, s.texts()...)
		if s.Change != nil {
			way, _, _ := strings.Cut(strings.TrimPrefix(s.Change.Sets, "Sets "), ":")
			check(where, s.Change.Sets, strings.Split(way, " › "))
		}
	}
	lessons, _ := scenarios.Lessons()
	for _, l := range lessons {
		inQuotes(l.ID, l.Next)
	}
	cards, _ := scenarios.Gallery()
	for _, c := range cards {
		inQuotes(c.Preset, c.Surprise, c.Teacher)
	}
	if seen < 50 {
		t.Errorf("only %d names", seen)
	}
}

// germanWords are the German texts, by the English ones.
func germanWords(t *testing.T) (german map[string]string) {
	b, err := os.ReadFile("../../app/web/words/de.json")
	if err != nil || json.Unmarshal(b, &german) != nil {
		t.Fatal("no German", err)
	}
	return german
}

// shownStep is a step of a lesson with the document as it stands there.
type shownStep struct {
	scenarios.Step
	doc []byte
}

// texts are the step's words.
func (s shownStep) texts() []string {
	list := []string{s.Title, s.Text}
	if a := s.Ask; a != nil {
		list = append(append(list, a.Question, a.Because), a.Options...)
	}
	return list
}

// stepsWithDocuments are the steps of all lessons, by lesson and number.
func stepsWithDocuments(t *testing.T) map[string]shownStep {
	all := map[string]shownStep{}
	lessons, _ := scenarios.Lessons()
	for _, l := range lessons {
		var doc []byte
		for i, s := range l.Steps {
			if s.Open != "" {
				doc, _ = lab.Preset(s.Open)
			}
			if s.Change != nil {
				doc = changed(t, doc, s.Change)
			}
			all[l.ID+", step "+strconv.Itoa(i+1)] = shownStep{s, doc}
		}
	}
	return all
}
