package e2e

import (
	"encoding/csv"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// inClass is how many students the scripted class has.
var inClass = flag.Int("students", 6, "students of the scripted class")

// pupil is a student of the scripted class: a page of its own, and what it is going to do.
type pupil struct {
	*page
	n             int
	name          string
	first, second class.Answer // to the question that is asked twice
	by            class.Answer
	sentence      string
	path          string // of the number that it changes
	from, to      float64
	says          string // the change, as tables have it
	id            string // of the changed scenario
	lanes         []class.Lane
	works         bool
}

// What is right of the assignment.
const rightSooner, rightBy = "hadar", "10-30"

// texts are what the options say, as tables have it.
var texts = map[string]string{"hadar": "Hadar", "gavel-las": "Gavel", "same": "About the same", "0-2": "less than 2 %",
	"2-10": "2 to 10 %", "10-30": "10 to 40 %", "30": "over 40 %"}

// pupils are what each of n students does: no two do the same, and of each kind of change there is one early.
func pupils(t *testing.T, n int) []*pupil {
	t.Helper()
	text, _ := scenarios.Assignment("hadar-vs-gavel")
	a, diags := class.Parse(text)
	if a == nil {
		t.Fatal(diags)
	}
	options, shares := []string{"hadar", "gavel-las", "same"}, []string{"0-2", "2-10", "10-30", "30"}
	out := make([]*pupil, n)
	for i := range out {
		k := i / 6
		p := &pupil{n: i + 1, sentence: fmt.Sprintf(`Number %d says "gangs", and means it; really.`, i+1)}
		p.first, p.second = class.Answer{Option: options[i%3], Sure: 1 + i%5}, class.Answer{Option: options[i%2],
			Sure: 5 - i%5}
		p.by = class.Answer{Option: shares[(i+2)%4], Sure: 1 + (i+2)%5}
		switch job := strconv.Itoa(2 - k%3); i % 6 {
		case 0:
			p.sentence = `=HYPERLINK("http://evil.test","because of the gangs")`
			p.path, p.from, p.to = "/scenario/jobs/"+job+"/gpus", 2, float64(1+2*(k/3))
		case 1:
			p.sentence = `<img src=x onerror="hacked=1"> & <b>both</b> types`
			p.path, p.from, p.to = "/scenario/round_s", 360, float64(120+50*k)
		case 2:
			p.path, p.from, p.to = "/scenario/jobs/"+job+"/steps", 18000, float64(30000+1000*k)
		case 3:
			p.path, p.from, p.to = "/scenario/jobs/"+job+"/arrival_s", 0, float64(1200+150*k)
		case 4:
			node, kind := k/3, []string{"v100", "p100"}[k/3]
			p.path, p.from, p.to = fmt.Sprintf("/scenario/cluster/nodes/%d/gpus/%s", node, kind), 3, float64(4+k%3)
		case 5:
			p.path, p.from, p.to = "/scenario/throughputs/rows/0/per_gpu/p100", 6, float64(8+k)
		}
		doc, _ := scenario.Parse(a.Scenario, scenario.FileLimits)
		if !doc.Alter(p.path, p.to) {
			t.Fatalf("%s cannot be changed to %v", p.path, p.to)
		}
		res := natively(t, doc.Marshal(false))
		p.id, p.says = doc.ID(lab.Defaults()), a.Says(a.Edits(doc, lab.Defaults())[0])
		for i := range res.Runs {
			p.lanes = append(p.lanes, class.LaneOf(&res.Runs[i]))
		}
		p.works = mean(&res.Runs[1]) < mean(&res.Runs[0])
		out[i] = p
	}
	return out
}

func mean(l *message.Lane) float64 { return l.Metrics.AvgJCTS }

// changes makes one number of the class's scenario another, in the editor, and hands that in.
func (p *page) changes(path, to string) {
	p.t.Helper()
	p.ready()
	p.click(test("editor-open"))
	p.see(test("editor"))
	p.fill(fmt.Sprintf(".editor [data-path=%q]", path), to)
	p.until("document.querySelectorAll('[data-test=class-edit]').length === 1 && !document.querySelector('[data-test=class-submit]').disabled")
	p.click(test("class-submit"))
	p.see(test("class-submission"))
}

// board is the teacher's page, which goes from phase to phase.
type board struct {
	*page
	l *lesson
}

func openBoard(t *testing.T, l *lesson) *board {
	b := &board{newPage(t), l}
	b.first(savedFiles)
	b.open(l.url + "/#board=" + l.Code + "." + l.Key)
	b.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	b.until(fmt.Sprintf("location.hash === %q", "#board="+l.Code))
	return b
}

// next leads the class to its next phase.
func (b *board) next(phase class.Phase) {
	b.t.Helper()
	b.nextPhase(phase)
}

// counts waits until so many students have joined, answered, submitted.
func (b *board) counts(what string, n int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("[data-test=count-%s]")?.textContent === "%d"`, what, n))
}

// shows waits until an element's text holds another.
func (b *board) shows(name, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", test(name), text))
}

// shut closes the dialog that is open.
func (b *board) shut() {
	b.t.Helper()
	b.do("close", doing(`document.querySelector("dialog").close()`))
	b.until(`!document.querySelector("dialog")`)
}

// said is what stands beside the options of the open question.
func (b *board) said() []string {
	b.t.Helper()
	return eval[[]string](b.page, `Array.from(document.querySelectorAll("[data-test=options] .said"), e => e.textContent)`)
}

// TestLesson: a class goes through the whole assignment in its browsers, led by the buttons of the board, and what is
// exported is what each has done.
func TestLesson(t *testing.T) {
	t.Parallel()
	for _, home := range []struct {
		name string
		get  func(testing.TB) *server
	}{{"native", native}, {"edge", edge}} {
		t.Run(home.name, func(t *testing.T) {
			t.Parallel()
			goThrough(t, home.get(t), pupils(t, *inClass))
		})
	}
}

func goThrough(t *testing.T, s *server, all []*pupil) {
	began := time.Now()
	l, n := newLesson(t, s, "hadar-vs-gavel"), len(all)
	b := openBoard(t, l)
	const proxy = "status of 503" // the local edge's, where a connection was just closed; a page asks again
	b.allow(proxy)
	step := func(what string) { t.Logf("%6.1f s %s", time.Since(began).Seconds(), what) }
	for i, p := range all {
		p.page = newPage(t)
		p.allow(proxy)
		p.look([]size{phone, desktop}[i%2], false)
		if i%2 == 0 {
			p.join(l, "lobby")
		} else {
			p.open(l.url + "/join")
			p.fill("#code", strings.ToLower(l.Code))
			p.click(test("do-join"))
			p.screen("lobby")
		}
		p.name = p.text(test("name"))
	}
	b.counts("joined", n)
	step("joined")

	b.next(class.Predict)
	for _, p := range all {
		p.screen("predict")
		p.answers("answers", "sooner", p.first.Option, strconv.Itoa(p.first.Sure), "by", p.by.Option,
			strconv.Itoa(p.by.Sure))
		p.screen("wait")
	}
	b.counts("committed", n)
	if b.count("main [data-conf]") > 0 {
		t.Error("answers are seen before they are revealed")
	}
	b.click(test("reveal"))
	b.see(test("options"))
	options := []string{"hadar", "gavel-las", "same"}
	firsts, votes := tallied(all, options)
	if got := b.said(); !slices.Equal(got, each(firsts, func(n int) string { return strconv.Itoa(n) })) {
		t.Errorf("the board counts %q, they said %v", got, firsts)
	}
	step("predicted")

	b.next(class.Discuss)
	b.next(class.VoteAgain)
	for _, p := range all {
		p.screen("vote")
		p.answers("vote", "sooner", p.second.Option, strconv.Itoa(p.second.Sure))
		p.screen("wait")
		if strings.Contains(p.text("main"), "✓") {
			t.Errorf("before the run a page says %q", p.text("main"))
		}
	}
	b.counts("voted", n)
	if got := b.said(); !slices.Equal(got, each(firsts, func(n int) string { return strconv.Itoa(n) })) ||
		b.count(test("moves")) > 0 || strings.Contains(b.text("main"), "✓") {
		t.Errorf("before the run the board says %q", got)
	}
	step("voted")

	b.next(class.Run)
	b.shows("moves", fmt.Sprintf("%d of %d in", n, n))
	want := make([]string, len(options))
	for i := range options {
		want[i] = fmt.Sprintf("%d, then %d", firsts[i], votes[i])
	}
	if got := b.said(); !slices.Equal(got, want) {
		t.Errorf("the board counts %q, they said %q", got, want)
	}
	percent := func(of []int) string {
		said := figure.Percent(words.Catalogue{}, float64(of[0])/float64(n))
		return strings.ReplaceAll(said, " ", "\u00a0") // as the page sets it
	}
	b.shows("gained", percent(firsts)+"\u00a0→\u00a0"+percent(votes))
	for _, p := range all {
		p.screen("done")
		p.click(test("open-lab"))
		p.see(test("class-said"))
		right := count(p.first.Option == rightSooner) + count(p.by.Option == rightBy)
		p.until(fmt.Sprintf("document.querySelector('[data-test=class-said]').textContent.includes('%d of 2 right')", right))
		p.ready()
		p.fill("#class-sentence", p.sentence)
		p.click(test("class-send-sentence"))
		p.see(test("class-said-why"))
	}
	b.click(test("sheet-sentences"))
	b.shows("sentences-count", fmt.Sprintf("%d shown", n))
	said := b.text(test("sentences-list"))
	for _, p := range all {
		if !strings.Contains(said, p.sentence) {
			t.Errorf("the board does not show %s", p.sentence)
		}
	}
	if b.count(test("sentences-list")+" img") > 0 || eval[bool](b.page, "'hacked' in window") {
		t.Error("a sentence is taken for HTML")
	}
	b.shut()
	step("ran and explained")

	b.next(class.Change)
	for _, p := range all {
		p.see(test("class-submit"))
		p.changes(p.path, number(p.to))
	}
	b.counts("submitted", n)
	b.click(test("tries-show"))
	if s.name == "edge" {
		// The local runtime has no clock: what is deployed calls this every minute.
		for ; strings.Contains(l.export("attempts.csv"), class.Pending); time.Sleep(asked) {
			ask(t, "GET", s.url+"/__scheduled", "").want(t, 200, "")
		}
	}
	b.shows("lesson-says", fmt.Sprintf("%d verified.", n))
	works := count(false)
	for _, p := range all {
		works += count(p.works)
	}
	b.shows("lesson-says", fmt.Sprintf("Submissions that make Gavel win: %d of %d.", works, n))
	if works == 0 || works == n {
		t.Errorf("%d of %d changes work", works, n)
	}
	if got := b.count("circle[data-role=spot]:not([data-base=true])"); got != n {
		t.Errorf("the picture shows %d submissions of %d", got, n)
	}
	if got := b.count("circle[data-role=spot][data-works=true]:not([data-base=true])"); got != works {
		t.Errorf("the picture shows %d that work of %d", got, works)
	}
	step("changed and verified")

	b.next(class.Closed)
	for _, p := range all {
		p.see(test("class-change-was"))
		p.until("document.querySelector('[data-test=class-change-was]').textContent.includes('Verified: ')")
	}
	step("closed")

	students, attempts := l.export("students.csv"), l.export("attempts.csv")
	since := began.Add(-time.Second)
	matches(t, "students.csv", rows(t, students, since), wantedStudents(all))
	matches(t, "attempts.csv", rows(t, attempts, since), wantedAttempts(all))
	if safe := `"'=HYPERLINK(""http://evil.test"",""because of the gangs"")"`; !strings.Contains(students, safe) ||
		!strings.Contains(attempts, safe) {
		t.Errorf("the sentence that is a formula is not %s", safe)
	}
	b.click(test("sheet-out"))
	for i, what := range []string{"students", "attempts", "moves"} {
		b.click(test("export-" + what))
		b.until(fmt.Sprintf("saved.length > %d", i))
		if got := eval[string](b.page, "saved.at(-1).text"); got != l.export(what+".csv") {
			t.Errorf("the board hands out other %s than the server:\n%s", what, got)
		}
	}
	b.pick(test("rule-vote"), class.BestVote)
	b.fill(test("rule-each"), "2")
	b.fill(test("rule-task"), "3")
	b.click(test("export-grades"))
	b.until("saved.at(-1).text.startsWith('student,pseudonym,tag,answers,task,points')")
	matches(t, "grades.csv", gradeRows(t, eval[string](b.page, "saved.at(-1).text")), wantedGrades(all, 1))
	b.setField("#rule-due", "2020-01-01T00:00") // all of it came later
	b.fill(test("rule-late"), "50")
	b.click(test("export-grades"))
	b.until("saved.at(-1).text.includes(',yes,yes')")
	matches(t, "late grades.csv", gradeRows(t, eval[string](b.page, "saved.at(-1).text")), wantedGrades(all, 0.5))
}

// gradeRows are who is who, and the points, of a file of grades.
func gradeRows(t *testing.T, text string) (out [][]string) {
	t.Helper()
	for _, row := range rows(t, text, time.Time{}) {
		out = append(out, []string{row[0], row[3], row[4], row[5], row[6]})
	}
	return out
}

// wantedGrades are 2 points for each right answer, of the question that was asked twice the better one, and 3 for the
// task, of which a share remains.
func wantedGrades(all []*pupil, share float64) [][]string {
	points := func(n int) string { return strconv.FormatFloat(float64(n)*share, 'f', -1, 64) }
	out := [][]string{{"student", "answers", "task", "points", "max_points"}}
	for _, p := range all {
		answers, task := 0, 0
		if p.first.Option == rightSooner || p.second.Option == rightSooner {
			answers += 2
		}
		if p.by.Option == rightBy {
			answers += 2
		}
		if p.works {
			task = 3
		}
		out = append(out, []string{strconv.Itoa(p.n), points(answers), points(task), points(answers + task), "7"})
	}
	return out
}

// export is a file of the class.
func (l *lesson) export(name string) string {
	l.t.Helper()
	return string(ask(l.t, "GET", l.path+"/"+name, "", "Authorization", "Bearer "+l.Key).want(l.t, 200,
		"text/csv").body)
}

// tallied counts first and second answers by option.
func tallied(all []*pupil, options []string) (firsts, votes []int) {
	firsts, votes = make([]int, len(options)), make([]int, len(options))
	for _, p := range all {
		firsts[slices.Index(options, p.first.Option)]++
		votes[slices.Index(options, p.second.Option)]++
	}
	return firsts, votes
}

func each[A, B any](list []A, f func(A) B) (out []B) {
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// moment is a time in an export.
var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)

// rows reads an export. Times are those of the lesson, and read as T.
func rows(t *testing.T, text string, since time.Time) [][]string {
	t.Helper()
	out, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, row := range out {
		for i, cell := range row {
			if moment.MatchString(cell) {
				at, err := time.Parse(time.DateTime, cell)
				if err != nil || at.Before(since) || at.After(time.Now()) {
					t.Errorf("%s is no time of this lesson", cell)
				}
				row[i] = "T"
			}
		}
	}
	return out
}

func matches(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d rows, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s, row %d:\n got %q\nwant %q", what, i, got[i], want[i])
		}
	}
}

// safe is a sentence as a spreadsheet may open it.
func (p *pupil) safe() string {
	if strings.HasPrefix(p.sentence, "=") {
		return "'" + p.sentence
	}
	return p.sentence
}

// change is what both exports say of a submission.
func (p *pupil) change() []string {
	return []string{p.path, p.says, number(p.from), number(p.to), yes(p.works), "verified"}
}

func wantedStudents(all []*pupil) [][]string {
	out := [][]string{strings.Split("student,pseudonym,tag,joined,answered,voted,explained,submitted,"+
		"sooner,sooner_confidence,sooner_right,sooner_again,sooner_again_confidence,sooner_again_right,"+
		"by,by_confidence,by_right,sentence,changed,change,from,to,works,verdict,"+
		"score,max_score,phase,practice,first,second,task", ",")}
	for _, p := range all {
		row := []string{strconv.Itoa(p.n), p.name, "", "T", "T", "T", "T", "T"}
		for _, a := range []struct {
			class.Answer
			right string
		}{{p.first, rightSooner}, {p.second, rightSooner}, {p.by, rightBy}} {
			row = append(row, texts[a.Option], strconv.Itoa(a.Sure), yes(a.Option == a.right))
		}
		row = append(append(row, p.safe()), p.change()...)
		first, task := count(p.first.Option == rightSooner)+count(p.by.Option == rightBy), count(p.works)
		out = append(out, append(row, strconv.Itoa(first+task), "3", "predict", "no", strconv.Itoa(first),
			strconv.Itoa(count(p.second.Option == rightSooner)), strconv.Itoa(task)))
	}
	return out
}

// wantedAttempts has all entries in the order in which the class made them; a submission has a row a lane.
func wantedAttempts(all []*pupil) [][]string {
	out := [][]string{strings.Split("student,pseudonym,tag,time,phase,kind,answers,sentence,changed,change,from,to,works,verdict,"+
		"engine,scenario_id,policy,outcome,trace_hash,avg_jct_s,p95_jct_s,makespan_s,avg_queue_s,ftf_max,gpu_utilization,round",
		",")}
	rounds := map[string]string{class.Answers: "first", class.Vote: "second", class.Submission: "task"}
	add := func(p *pupil, phase class.Phase, kind string, cells ...string) {
		row := append([]string{strconv.Itoa(p.n), p.name, "", "T", string(phase), kind}, cells...)
		out = append(out, append(append(row, make([]string, len(out[0])-len(row)-1)...), rounds[kind]))
	}
	for _, p := range all {
		add(p, class.Predict, class.Answers, fmt.Sprintf("sooner=%s (%d); by=%s (%d)", texts[p.first.Option],
			p.first.Sure,
			texts[p.by.Option], p.by.Sure))
	}
	for _, p := range all {
		add(p, class.VoteAgain, class.Vote, fmt.Sprintf("sooner=%s (%d)", texts[p.second.Option], p.second.Sure))
	}
	for _, p := range all {
		add(p, class.Run, class.Sentence, "", p.safe())
	}
	for _, p := range all {
		for _, lane := range p.lanes {
			cells := append([]string{"", ""}, p.change()...)
			f := lane.Figures
			cells = append(cells, lab.Engine, p.id, lane.Policy, lane.Outcome, lane.TraceHash)
			add(p, class.Change, class.Submission, append(cells, each([]float64{f.AvgJCTS, f.P95JCTS, f.MakespanS,
				f.AvgQueueS, f.FTFMax, f.GPUUtilization}, number)...)...)
		}
	}
	return out
}

// nextPhase has a board go on to a phase: by a second press where it says that answers are out.
func (p *page) nextPhase(phase class.Phase) {
	p.t.Helper()
	there := fmt.Sprintf(`document.querySelector("[data-test=board]").dataset.phase === %q`, phase)
	p.click(test("next-phase"))
	p.until(there + ` || document.querySelector("[data-test=next-asks]") !== null`)
	if p.count(test("next-asks")) > 0 {
		p.click(test("next-phase"))
	}
	p.until(there)
}
