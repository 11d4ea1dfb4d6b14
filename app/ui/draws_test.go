package ui

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/timeline"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/chart/draw"
	"hadarlab/core/imports"
	jsontext "hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/own/starlark" // presets and lessons have programs
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// desk is a page without a browser: it carries out what the state asks for, with the engine in this process.
type desk struct {
	t    testing.TB
	h    *Host
	what string // is done, for failures

	stopAfter int // events after which runs are stopped, 0 = never
	server    func(c room.Call) (status int, body []byte)
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	s, err := state.New(born())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, h: newHost(s)}
	d.do(state.GoLive{})
	d.do(state.Answer{Message: &message.Message{V: message.Version, Ready: true}})
	return d
}

// born is what the page is born with: the catalogue and the first preset's result.
var born = sync.OnceValue(func() *room.Boot {
	b := &room.Boot{}
	if err := json.Unmarshal(lab.Catalogue(), &b.Catalogue); err != nil {
		panic(err)
	}
	var err error
	if b.Index, err = scenarios.NewIndex(); err != nil {
		panic(err)
	}
	session := lab.NewSession()
	session.Start(&message.RunRequest{Scenario: []byte(b.Docs[0])})
	for more := true; more; {
		var out []*message.Message
		out, more = session.Spend(1 << 20)
		for _, m := range out {
			if m.Lane != nil {
				b.Lanes = append(b.Lanes, room.BakedLane{Lane: *m.Lane, Trace: m.Body})
			}
		}
	}
	return b
})

// do does an action and all that follows from it. A panic names what was done.
func (d *desk) do(a state.Action) {
	d.t.Helper()
	defer d.survive(fmt.Sprintf("%T%+v", a, a))
	for n, todo := 0, []state.Action{a}; len(todo) > 0 && n < 5000; n++ {
		a, todo = todo[0], todo[1:]
		for _, e := range d.h.S.Reduce(a) {
			todo = append(todo, d.carryOut(e)...)
		}
	}
}

func (d *desk) survive(doing string) {
	if r := recover(); r != nil {
		d.t.Fatalf("%s: %.300s: %v", d.what, doing, r)
	}
}

func (d *desk) carryOut(e state.Effect) (out []state.Action) {
	answer := func(m *message.Message) { out = append(out, state.Answer{Message: m}) }
	refuse := func(id int64, diags jsontext.Diagnostics) {
		answer(&message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: "refused", Diagnostics: diags}})
	}
	switch e := e.(type) {
	case room.After:
		if e.Ms < 1000 { // what comes later takes a report away
			out = append(out, e.Action)
		}
	case room.Ask:
		d.asked(e.Request, answer, refuse)
	case room.Call:
		if e.Path == room.TeachingFile {
			file, err := scenarios.Teaching()
			if err != nil {
				d.t.Fatal(err)
			}
			out = append(out, e.Then(200, file))
		} else if d.server != nil {
			out = append(out, e.Then(d.server(e)))
		}
	}
	return out
}

// asked answers as the engine does.
func (d *desk) asked(r *message.Message, answer func(*message.Message), refuse func(int64, jsontext.Diagnostics)) {
	switch {
	case r.Run != nil:
		session := lab.NewSession()
		session.In = words.Now()
		session.SetID(r.ID)
		if diags := session.Start(r.Run); diags.HasErrors() {
			refuse(r.ID, diags)
			return
		}
		for more := true; more; {
			var msgs []*message.Message
			if d.stopAfter > 0 {
				msgs, _ = session.Spend(d.stopAfter)
				session.Stop()
				for _, m := range msgs {
					answer(m)
				}
			}
			msgs, more = session.Spend(1 << 20)
			for _, m := range msgs {
				answer(m)
			}
		}
	case r.Import != nil:
		done, document := imports.Answer(r.Import, r.Body)
		answer(&message.Message{ID: r.ID, Imported: done, Body: document})
	case r.Explain != nil:
		session := lab.NewSession()
		session.In = words.Now()
		x, diags := session.Explain(r.Explain)
		if x == nil {
			refuse(r.ID, diags)
			return
		}
		answer(&message.Message{ID: r.ID, Explanation: x})
	case r.Sweep != nil:
		w, diags := lab.NewSweep(r.Sweep)
		if w == nil {
			refuse(r.ID, diags)
			return
		}
		for w.Spend(1 << 20) {
		}
		answer(&message.Message{ID: r.ID, Swept: w.News()})
	}
}

// open opens a document and runs it.
func (d *desk) open(text []byte) {
	d.t.Helper()
	d.do(state.OpenFile{Name: "scenario.json", Data: text})
	if s := d.h.S; !s.Fresh() {
		d.t.Fatalf("%s: is %s: %v, %+v", d.what, s.Status(), s.Diags.Errors(), s.Notice)
	}
}

// draw draws one view, or the whole page, and says what no picture may hold.
func (d *desk) draw(what string, node app.UI) {
	d.t.Helper()
	d.h.turns = elm.Turns{}
	markup := app.HTMLString(node)
	if strings.Contains(markup, "cannot be drawn") {
		at := strings.Index(markup, "cannot be drawn")
		d.t.Fatalf("%s: %s: %s", d.what, what, markup[at:min(len(markup), at+300)])
	}
	if bad := simtest.Blemish(markup); bad != "" {
		d.t.Fatalf("%s: %s: …%s…", d.what, what, bad)
	}
}

// drawAll draws the page with every chart and table.
func (d *desk) drawAll() {
	d.t.Helper()
	h, v := d.h, &d.h.S.View
	r := h.S.Result
	v.Tables = [3]bool{true, true, true}
	d.draw("the page", &elm.Root{})
	d.strict()
	for _, at := range []int{0, max(r.Diff.First, 0), math.MaxInt} {
		d.do(state.Go{To: at})
		for lane := range r.Lanes {
			d.do(state.ExplainLane{Lane: lane})
			d.draw(fmt.Sprintf("the reasons of lane %d at moment %d", lane, v.Moment),
				elm.Part(why.Of(&h.S.Lab)))
		}
	}
	for _, tab := range data.Charts() {
		v.Tab = tab.ID
		d.draw("chart "+tab.ID,
			elm.Part(timeline.ChartsOf(&h.S.Lab)))
	}
	for _, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		if bad := simtest.Blemish(draw.ThumbSVG(l.Trace, l.Chart)); bad != "" {
			d.t.Fatalf("%s: the thumbnail: %s", d.what, bad)
		}
	}
}

// strict holds the moments to their law.
func (d *desk) strict() {
	d.t.Helper()
	for i, m := range d.h.S.Result.Diff.Moments {
		if m.End <= m.At || i > 0 && m.At != d.h.S.Result.Diff.Moments[i-1].End {
			d.t.Fatalf("%s: moment %d lasts from %d to %d", d.what, i, m.At, m.End)
		}
	}
}

// withPolicies is a document under other policies.
func withPolicies(t testing.TB, text []byte, change func(d *scenario.Document), ids ...string) []byte {
	t.Helper()
	doc, diags := scenario.Parse(text, scenario.FileLimits)
	if doc == nil || diags.HasErrors() {
		t.Fatal(diags)
	}
	doc.Scenario.Policies = nil
	for _, id := range ids {
		doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: id})
	}
	if change != nil {
		change(doc)
	}
	return doc.Marshal(false)
}

// TestEveryGoldenIsDrawn draws every preset under every policy, and the generated scenarios.
func TestEveryGoldenIsDrawn(t *testing.T) {
	d := newDesk(t)
	all := policy.All()
	for n, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		d.what = name
		d.open(text)
		d.drawAll()
		if testing.Short() || name == "sixty-measured-jobs" {
			continue
		}
		for k := 0; k < len(all); k += 2 {
			a, b := all[k].ID, all[(k+1+n)%len(all)].ID
			d.what = name + " under " + a + " and " + b
			d.open(withPolicies(t, text, nil, a, b))
			d.draw("the page", &elm.Root{})
			d.strict()
		}
	}
}

// odd turns a scenario into one of those that are seldom met; each has its turn.
func odd(n int, d *scenario.Document) string {
	s := &d.Scenario
	horizon := func(at float64) { s.HorizonS = at }
	first := 0.0
	for i := range s.Jobs {
		if i == 0 || s.Jobs[i].ArrivalS < first {
			first = s.Jobs[i].ArrivalS
		}
	}
	switch n % 10 {
	case 0:
		horizon(first + 1) // no job finishes, one round
		return "ends at once"
	case 1:
		s.Jobs = s.Jobs[:1]
		return "one job"
	case 2:
		s.Jobs = s.Jobs[:1]
		s.Jobs[0].GPUs, s.Jobs[0].ArrivalS, s.Jobs[0].Steps = 1, 0, 1e-6
		return "a job of nothing"
	case 3:
		for i := range s.Jobs {
			s.Jobs[i].ArrivalS = 0
		}
		return "all at 0"
	case 4:
		s.RoundS = 1e5
		return "one long round"
	case 5:
		for i := range s.Jobs {
			s.Jobs[i].ArrivalS = math.Round(s.Jobs[i].ArrivalS/355) * 355
		}
		return "arrivals just before rounds"
	case 6:
		s.Jobs = s.Jobs[:1]
		s.Jobs[0].Steps, s.RoundS = 3600, 360
		return "one size"
	}
	return "as drawn"
}

// TestEveryPairIsDrawn draws random scenarios, three hundred and as many as there are pairs of policies: each pair has
// its turn.
func TestEveryPairIsDrawn(t *testing.T) {
	d := newDesk(t)
	var pairs [][2]string
	for _, a := range policy.All() {
		for _, b := range policy.All() {
			if a.ID <= b.ID {
				pairs = append(pairs, [2]string{a.ID, b.ID})
			}
		}
	}
	for n := range max(300, len(pairs)) {
		pair := pairs[n%len(pairs)]
		kind := ""
		text := withPolicies(t, simtest.Document(n+1000), func(doc *scenario.Document) { kind = odd(n, doc) }, pair[0],
			pair[1])
		d.what = fmt.Sprintf("scenario %d (%s) under %s and %s", n, kind, pair[0], pair[1])
		d.open(text)
		d.drawAll()
		if n%10 == 7 {
			d.monkey(unit.Stream(uint64(n), "monkey"))
		}
	}
}

// monkey does what a reader may do to the view, and what a link, a kept tab or a page around the lab may ask for, with
// indices far out of range too.
func (d *desk) monkey(rng *rand.Rand) {
	d.t.Helper()
	s := d.h.S
	number := func() int {
		return []int{0, 1, 2, 3, -1, -7, 40, 1 << 30, math.MinInt, math.MaxInt}[rng.IntN(10)]
	}
	part := func() float64 {
		return []float64{0, 1, 0.5, 0.001, 0.9999, -3, 7, math.NaN(), math.Inf(1), 1e300}[rng.IntN(10)]
	}
	job := func() string { return []string{"j1", "j2", "j7", "", "nobody", "\x00", "é"}[rng.IntN(7)] }
	bar := func() state.BarAt { return state.BarAt{Lane: number(), Index: number()} }
	moves := []func() state.Action{
		func() state.Action { return state.Go{To: number(), Why: number()} },
		func() state.Action { return state.Step{By: number()} },
		func() state.Action { return state.Disagreement{By: []int{1, -1}[rng.IntN(2)]} },
		func() state.Action { return state.GoTime{At: unit.Tick(number())} },
		func() state.Action { return state.GoRound{Round: number()} },
		func() state.Action { return state.Select{Job: job()} },
		func() state.Action { return state.SelectBar{At: bar(), Explain: rng.IntN(2) == 0} },
		func() state.Action { return state.Walk{DX: []int{1, -1}[rng.IntN(2)]} },
		func() state.Action { return state.Walk{DY: []int{1, -1}[rng.IntN(2)]} },
		func() state.Action { return state.ExplainLane{Lane: number()} },
		func() state.Action {
			if n := rng.IntN(len(data.Charts()) + 1); n > 0 {
				return state.ChooseChart{Name: data.Charts()[n-1].ID}
			}
			return state.ChooseChart{Name: "nothing"}
		},
		func() state.Action { return state.TurnPage{By: number()} },
		func() state.Action { return state.ToggleOnlyJob{} },
		func() state.Action { return state.TurnJobs{To: number()} },
		func() state.Action { return state.ToggleFacts{} },
		func() state.Action { return state.ToggleLog{} },
		func() state.Action { return state.ToggleTable{Which: rng.IntN(3)} },
		func() state.Action { return state.ZoomBy{By: part()} },
		func() state.Action { return state.Pan{By: part()} },
		func() state.Action { return state.SetWindow{From: part(), To: part()} },
		func() state.Action { return state.FitSelection{} },
		func() state.Action { return state.Fold{Node: []string{"n1", "n2", "nowhere"}[rng.IntN(3)]} },
		func() state.Action { return state.Pin{Node: []string{"n1", "n2", "nowhere"}[rng.IntN(3)]} },
		func() state.Action { return state.Arrange{By: []string{"type", "node", "what"}[rng.IntN(3)]} },
		func() state.Action { return state.OfBar{Pin: rng.IntN(2) == 0} },
		func() state.Action { return state.PlotWidth{Px: number(), Names: number()} },
		func() state.Action { return state.Seen{VisiblePanels: state.VisiblePanels{Why: rng.IntN(2) == 0}} },
		func() state.Action { return state.ToggleEditor{} },
		func() state.Action { return state.ShowJSON{On: rng.IntN(2) == 0, Field: "/scenario/jobs/99/steps"} },
		func() state.Action { return state.ShowPlace{Path: "/scenario/jobs/99999999/steps"} },
		func() state.Action { return state.Caret{At: number()} },
	}
	what := d.what
	for range 40 {
		a := moves[rng.IntN(len(moves))]()
		d.what = fmt.Sprintf("%s, after %T%+v", what, a, a)
		d.do(a)
		if rng.IntN(4) == 0 {
			d.draw("the page", &elm.Root{})
		}
	}
	if s.View.Editing {
		d.do(state.ToggleEditor{})
	}
	s.View.JobPage, s.View.Page, s.View.WhyLane = 0, 0, 0
	d.do(state.ZoomBy{})
}

// onePrice is a scenario whose lowest and highest price are one power of ten.
const onePrice = `{"kind":"scenario","version":1,"scenario":{"seed":1,"round_s":360,"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":1}}]},` +
	`"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"jobs":[{"id":"j1","model":"m","arrival_s":0,"gpus":1,"steps":3600}],"policies":[{"id":"hadar"}]}}`

// TestALinkPointsAnywhere opens links whose view names every chart, and instants, windows, lanes and jobs that there
// are not.
func TestALinkPointsAnywhere(t *testing.T) {
	d := newDesk(t)
	views := []string{"c0.kprices", "c99999999999999.z0-1.kwinners.wc.jnobody", "z5-3.k.w.j", "z0-1125899906842624",
		"c-1.z-5-7.wz", "w\x00.c1e9.kcdf.jj1", "....", "j", "c", "z", "k", "w",
		strings.Repeat("c1.", 400), "z1125899906842623-1125899906842624.c1125899906842624"}
	rng := rand.New(unit.Source(1, "views"))
	for range 300 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteByte("czkwj0123456789.-abc\x00\xff&"[rng.IntN(23)])
		}
		views = append(views, b.String())
	}
	for _, kind := range data.Charts() {
		views = append(views, "k"+kind.ID)
	}
	two := withPolicies(t, simtest.Document(3), nil, "hadar", "fifo", "gavel-las")
	for n, text := range [][]byte{[]byte(onePrice), withPolicies(t, []byte(onePrice),
		func(doc *scenario.Document) { doc.Scenario.HorizonS = 1 }, "hadar", "fifo"), two} {
		doc, diags := scenario.Parse(text, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			t.Fatal(diags)
		}
		link := link.Encode(doc, d.h.S.Defaults)
		for i, view := range views {
			if n > 0 && i > 60 && i%5 != 0 {
				continue
			}
			d.what = fmt.Sprintf("document %d with view %q", n, view)
			d.do(state.OpenLink{Address: fmt.Sprint("/#", n, i), Link: link + "&v=" + view})
			if s := d.h.S; !s.Fresh() || s.Notice != nil {
				t.Fatalf("%s is %s, %+v", d.what, s.Status(), s.Notice)
			}
			d.draw("the page", &elm.Root{})
			d.strict()
		}
	}
}

// TestWhatWasKeptIsDrawn: what a tab had kept may be of another version, have faults, or nothing in it.
func TestWhatWasKeptIsDrawn(t *testing.T) {
	whole := string(withPolicies(t, simtest.Document(5), nil, "hadar", "fifo"))
	texts := []string{"", "{", "[]", "null", `{"kind":"scenario","version":1}`,
		`{"kind":"scenario","version":1,"scenario":{}}`,
		`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[]},"jobs":[],"policies":[]}}`,
		`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{}]},"jobs":[{}],"policies":[{}],"throughputs":{"rows":[{}]},"tenants":[{}],"faults":{"list":[{}]},"overheads":{"models":[{}]}}}`,
		strings.Replace(whole, `"gpus":`, `"gpus":-1e9,"x":`, 1),
		strings.Replace(whole, `"arrival_s":`, `"arrival_s":1e300,"y":`, 1),
		strings.ReplaceAll(whole, `"model":"m1"`, `"model":"nobody"`), strings.Replace(whole, `"hadar"`, `"nobody"`, 1),
		onePrice, whole}
	for n, text := range texts {
		for predict := range 4 {
			d := newDesk(t)
			d.what = fmt.Sprintf("kept text %d, predicting %d", n, predict)
			d.do(state.Restore{Kept: state.Kept{Steps: []edit.Entry{{ID: 7, Preset: "nothing", Text: []byte(text)}},
				Predict: predict, Lesson: &learn.Saved{ID: "nothing", Step: 99}}})
			d.draw("the page", &elm.Root{})
			for side := range 3 {
				d.do(state.Guess{Side: side})
			}
			d.do(state.ToggleEditor{})
			d.draw("the editor", &elm.Root{})
			d.do(state.ShowJSON{On: true})
			d.draw("the text", &elm.Root{})
			d.do(state.OpenShare{}) // its dialog asks the browser for the address; it is drawn there only
			d.do(state.CloseShare{})
			for range 3 {
				d.do(state.Undo{})
			}
			d.draw("the page after undo", &elm.Root{})
		}
	}
}

// TestAStoppedRunIsDrawn: what was done of a run that was stopped, and of one that failed in a lane, is drawn.
func TestAStoppedRunIsDrawn(t *testing.T) {
	d := newDesk(t)
	for n, ids := range [][]string{{"hadar", "fifo"}, {"gavel-las", "hadar", "srtf"}, {"fifo"}} {
		for events := 1; events < 400; events *= 3 {
			d.what = fmt.Sprintf("run %d stopped after %d events", n, events)
			d.stopAfter = events
			d.do(state.OpenFile{Name: "scenario.json", Data: withPolicies(t, simtest.Document(20+n), nil, ids...)})
			d.draw("the page", &elm.Root{})
			if r := d.h.S.Result; r != nil && len(r.Diff.Moments) > 0 {
				d.drawAll()
			}
		}
	}
	d.stopAfter = 0
	d.what = "a policy that cannot run"
	d.do(state.OpenFile{Name: "scenario.json", Data: withPolicies(t, simtest.Document(5), nil, "allox", "hadar")})
	d.drawAll()
	d.do(state.OpenFile{Name: "scenario.json", Data: withPolicies(t, simtest.Document(5), nil, "allox")})
	d.draw("the page without any run", &elm.Root{})
}
