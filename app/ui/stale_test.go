package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
	boardview "hadarlab/app/ui/board"
	"hadarlab/app/ui/editor"
	. "hadarlab/app/ui/html"
	"hadarlab/core/chart/data"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/unit"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// keys remembers what each view of the last screen was said to need, and what it showed.
type keys struct {
	d    *desk
	last map[string]shown
}

type shown struct {
	needs elm.View
	html  string
}

// check draws the screen and says which view shows something else than before though it needs the same, so that the
// page would not draw it again.
func (k *keys) check() {
	k.d.t.Helper()
	h, now := k.d.h, map[string]shown{}
	var order []string
	count := map[string]int{}
	elm.Heard = func(v elm.View) {
		name := reflect.TypeOf(v).Elem().Name()
		count[name]++
		name += fmt.Sprint(count[name])
		now[name] = shown{needs: v}
		order = append(order, name)
	}
	h.turns = elm.Turns{}
	app.HTMLString(&elm.Root{})
	elm.Heard = nil
	for _, name := range order {
		s := now[name]
		s.html = ordered(app.HTMLString(El("div", s.needs.Render())))
		now[name] = s
		before, ok := k.last[name]
		if !ok || !reflect.DeepEqual(before.needs, s.needs) || before.html == s.html {
			continue
		}
		i := 0
		for i < min(len(before.html), len(s.html)) && before.html[i] == s.html[i] {
			i++
		}
		from := max(0, i-60)
		k.d.t.Errorf("%s: %s is stale: …%s… stays, …%s… should show", k.d.what, name,
			before.html[from:min(len(before.html), i+60)], s.html[from:min(len(s.html), i+60)])
	}
	k.last = now
}

// ordered is markup with the attributes of each element in order of their names: go-app writes them as a map has them.
func ordered(markup string) string {
	var out strings.Builder
	out.Grow(len(markup))
	for {
		i := strings.IndexByte(markup, '<')
		if i < 0 {
			return out.String() + markup
		}
		parts, end := tag(markup[i:])
		slices.Sort(parts[1:])
		out.WriteString(markup[:i])
		for _, part := range parts {
			out.WriteString(part)
		}
		markup = markup[i+end:]
	}
}

// tag is what a tag consists of, parted before each attribute, and where it ends. go-app writes a value as Go quotes
// it, so that a program's own quotes and angles may stand in one.
func tag(markup string) (parts []string, end int) {
	quoted, begin := false, 0
	for i := 0; i < len(markup); i++ {
		switch c := markup[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == ' ':
			parts, begin = append(parts, markup[begin:i]), i
		case !quoted && c == '>':
			return append(parts, markup[begin:i]), i
		}
	}
	return append(parts, markup[begin:]), len(markup)
}

// large says whether a preset has many jobs, which differs in nothing that views know and takes long to draw.
func large(preset string) bool { return preset == "sixty-measured-jobs" || preset == "pollux-world" }

// edits are what a reader may do to the scenario, the panels and the layers of the lab.
func (k *keys) edits(rng *rand.Rand) []func() state.Action {
	n := func(most int) int { return rng.IntN(max(most, 1)) }
	s := k.d.h.S
	doc := func() (nodes, jobs, lanes int) {
		c := &s.Doc.Scenario
		return len(c.Cluster.Nodes), len(c.Jobs), len(c.Policies)
	}
	do := func(e edit.Edit) state.Action { return state.Do{Edit: e} }
	typed := func() state.Typed {
		nodes, _, _ := doc()
		i := n(nodes)
		typ := ""
		for typ = range s.Doc.Scenario.Cluster.Nodes[i].GPUs {
			break
		}
		f := editor.FieldsOf(&s.Lab)
		return f.GPUs(i, typ).Typed
	}
	jobs := func() state.Typed {
		_, jobs, _ := doc()
		f := editor.FieldsOf(&s.Lab)
		return f.JobNumber(n(jobs), n(3)).Typed
	}
	wrong := "" // the field in which something is that cannot be read
	return []func() state.Action{
		func() state.Action { a := jobs(); a.Text = fmt.Sprint(1 + n(3)); return a },
		func() state.Action { a := jobs(); a.Text, wrong = "abc", a.Field; return a },
		func() state.Action { return state.Left{Field: cmp.Or(wrong, jobs().Field)} },
		func() state.Action { return do(edit.Rename{Title: fmt.Sprint("title ", n(5))}) },
		func() state.Action { a := typed(); a.Text = fmt.Sprint(1 + n(4)); return a },
		func() state.Action { a := typed(); a.Text = "abc"; return a },
		func() state.Action { return state.Left{Field: typed().Field} },
		func() state.Action { return state.PutBack{Field: typed().Field} },
		func() state.Action { _, jobs, _ := doc(); return do(edit.AddJob{CopyOf: n(jobs)}) },
		func() state.Action { // but the last
			if _, jobs, _ := doc(); jobs > 1 {
				return do(edit.RemoveJob{Job: n(jobs)})
			}
			return do(edit.AddJob{})
		},
		func() state.Action { return do(edit.AddNode{}) },
		func() state.Action { return state.Undo{} },
		func() state.Action { return state.Redo{} },
		func() state.Action { return state.Go{To: n(9)} },
		func() state.Action { return state.Step{By: 1 - 2*n(2)} },
		func() state.Action { return state.Disagreement{By: 1} },
		func() state.Action { _, jobs, _ := doc(); return state.Select{Job: s.Doc.Scenario.Jobs[n(jobs)].ID} },
		func() state.Action { _, _, lanes := doc(); return state.ExplainLane{Lane: n(lanes)} },
		func() state.Action { return state.ChooseChart{Name: data.Charts()[n(len(data.Charts()))].ID} },
		func() state.Action { return state.ToggleFacts{} },
		func() state.Action { return state.ToggleTable{Which: n(3)} },
		func() state.Action { return state.ToggleEditor{} },
		func() state.Action { return state.ShowJSON{On: n(2) == 0} },
		func() state.Action { return state.TogglePredict{} },
		func() state.Action { return state.Guess{Side: n(3)} },
		func() state.Action { return state.ZoomBy{By: 0.5} },
		func() state.Action { return state.ZoomBy{} },
		func() state.Action { return state.ToggleKeys{} },
		func() state.Action { return room.CloseToast{} },
		func() state.Action { return state.AskFlip{} },
		func() state.Action { return state.WhyHere{} },
		func() state.Action { return state.ChangeOne{} },
		func() state.Action { return state.OpenGallery{} },
		func() state.Action { return state.CloseGallery{} },
		func() state.Action { return state.ServerKnown{} },
		func() state.Action { return state.Arrange{By: []string{"type", "node"}[n(2)]} },
		func() state.Action { return state.ToggleCommands{} },
		func() state.Action { return state.Search{Text: "j", At: n(3)} },
		func() state.Action { return state.SortBy{By: "rate"} },
		func() state.Action { return state.ToggleOnlyJob{} },
		func() state.Action { return state.ToggleLog{} },
		func() state.Action { return state.PlotWidth{Px: 400 + 100*n(4), Names: 60 + 40*n(2)} },
	}
}

// act does random actions, each followed by a look at every view.
func (k *keys) act(what string, rng *rand.Rand, n int, more ...func() state.Action) {
	k.d.t.Helper()
	moves := append(k.edits(rng), more...)
	k.check()
	for i := range n {
		a := moves[rng.IntN(len(moves))]()
		k.d.what = fmt.Sprintf("%s, action %d, %T", what, i, a)
		k.d.do(a)
		k.check()
	}
}

// TestNothingIsStale: on every preset, in a class and on its board, a view that shows something else needs something
// else, so that it is drawn again.
func TestNothingIsStale(t *testing.T) {
	n := 30 // more than two thousand in all
	if testing.Short() {
		n = 8
	}
	for i, name := range scenarios.Names {
		if large(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			text, _ := lab.Preset(name)
			d.open(text)
			k := &keys{d: d}
			k.act(name, unit.Stream(uint64(i), "stale"), n)
		})
	}
	t.Run("many runs", func(t *testing.T) {
		d := newDesk(t)
		text, _ := lab.Preset("whose-round")
		d.open(text)
		for _, a := range []state.Action{state.ToggleSweep{}, state.ToggleSweep{Vary: true}, state.Replicate{},
			state.RunVary{}, state.StartWinnerSearch{}} {
			d.do(a)
		}
		if s := d.h.S; s.Replicates.Runs() == 0 || len(s.Vary.Points) == 0 || s.WinnerSearch.Done == 0 {
			t.Fatalf("%d runs, %d points, %d tries", s.Replicates.Runs(), len(s.Vary.Points), s.WinnerSearch.Done)
		}
		rng := unit.Stream(3, "stale many")
		(&keys{d: d}).act("many runs", rng, n,
			func() state.Action { return state.WalkPoint{By: 1 - 2*rng.IntN(2)} },
			func() state.Action { return state.OpenWalked{} },
			func() state.Action { return state.SetSeeds{Text: fmt.Sprint(rng.IntN(4))} },
			func() state.Action { return state.SetNoise{Text: fmt.Sprint(rng.IntN(4))} },
			func() state.Action { return state.TypeValues{Text: fmt.Sprint("1 to ", rng.IntN(5))} },
			func() state.Action { return state.ChooseVariable{Axis: 1, Path: "/scenario/round_s"} },
			func() state.Action { return state.RunVary{} },
			func() state.Action { return state.ToggleSweep{Vary: rng.IntN(2) == 0} })
	})
	for _, phase := range slices.Concat(class.Phases, []class.Phase{class.Homework}) {
		t.Run("student in "+string(phase), func(t *testing.T) {
			d := aStudent(t, phase)
			rng := unit.Stream(1, "stale "+string(phase))
			(&keys{d: d}).act("student", rng, n,
				func() state.Action { return student.SetSentence{Text: fmt.Sprint("since ", rng.IntN(3))} },
				func() state.Action { return student.SetVote{Question: "sooner", Option: "hadar", Sure: rng.IntN(6)} },
				func() state.Action { return student.HandIn{Kind: class.Sentence} },
				func() state.Action { return student.HandIn{Kind: class.Submission} },
				func() state.Action { return student.RestartTask{} })
		})
		t.Run("board in "+string(phase), func(t *testing.T) {
			d := boardDesk(t, phase)
			k := &keys{d: d}
			look := func(a state.Action) func() state.Action { return func() state.Action { return a } }
			moves := []func() state.Action{
				look(board.ToggleTries{}),
				look(board.PutUp{Wall: class.Wall{Larger: 1}}),
				look(board.ToggleTwin{}),
				look(board.OpenSheet{Name: "students"}),
				look(board.OpenSheet{}),
				look(board.RevealAnswers{Question: "sooner", On: true}),
			}
			k.check()
			rng := unit.Stream(2, "stale "+string(phase))
			for i := range n {
				d.what = fmt.Sprint("board, action ", i)
				d.do(moves[rng.IntN(len(moves))]())
				k.check()
			}
		})
	}
}

// TestNothingIsDrawnInVain: of one state, selectors make values that are equal, so that what nobody has changed is not
// drawn again. A function among what a view needs, or a number that is none, would be unlike itself.
func TestNothingIsDrawnInVain(t *testing.T) {
	same := func(what string, d *desk) {
		needs := func() (all []elm.View) {
			elm.Heard = func(v elm.View) { all = append(all, v) }
			defer func() { elm.Heard = nil }()
			app.HTMLString(&elm.Root{})
			return all
		}
		d.h.turns = elm.Turns{}
		first, again := needs(), needs()
		if len(first) != len(again) || len(first) < 5 {
			t.Fatalf("%s: %d views, then %d", what, len(first), len(again))
		}
		for i := range first {
			if !reflect.DeepEqual(first[i], again[i]) {
				t.Errorf("%s: %T is unlike itself", what, first[i])
			}
		}
	}
	for _, name := range []string{"whose-round", "too-much-work", "patience-for-locality"} {
		d := newDesk(t)
		d.do(state.LoadPreset{Name: name})
		for _, a := range []state.Action{state.ToggleSweep{}, state.ToggleSweep{Vary: true}, state.Replicate{},
			state.RunVary{}, state.StartWinnerSearch{}, state.AskFlip{}, state.ToggleTable{Which: 0},
			state.ToggleTable{Which: 1}, state.ToggleTable{Which: 2}, state.ToggleFacts{}, state.ToggleKeys{},
			state.ToggleCommands{}, state.OpenGallery{}} {
			d.do(a)
			same(fmt.Sprintf("%s after %T", name, a), d)
		}
		d.do(state.ToggleEditor{})
		same(name+" in the editor", d)
	}
	for _, phase := range slices.Concat(class.Phases, []class.Phase{class.Homework}) {
		d := aStudent(t, phase)
		same("a student in "+string(phase), d)
		d = boardDesk(t, phase)
		d.do(board.ToggleTries{})
		d.do(board.OpenSheet{Name: "students"})
		same("the board in "+string(phase), d)
	}
	d := newDesk(t)
	d.do(room.Enter{Room: room.Teach})
	d.do(board.WriteAssignment{})
	d.h.turns = elm.Turns{}
	if a, b := boardview.TeachOf(&d.h.S.Board, ""), boardview.TeachOf(&d.h.S.Board, ""); !reflect.DeepEqual(a, b) {
		t.Error("the page that begins a class is unlike itself")
	}
}

// hoursOf are the hours of a class in a phase: a homework is open.
func hoursOf(phase class.Phase) class.Hours {
	if phase != class.Homework {
		return class.Hours{}
	}
	return class.Hours{ClosesMS: 1 << 50}
}

// studentDesk is a desk with a student in a phase of a class.
func aStudent(t *testing.T, phase class.Phase) *desk {
	t.Helper()
	d := newDesk(t)
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	answered := class.Body{Answers: map[string]class.Answer{"sooner": {Option: "hadar", Sure: 4},
		"by": {Option: "30", Sure: 2}}}
	me := class.Me{Student: class.Student{N: 3, Name: "quiet heron"},
		State:   class.State{Code: "7KQM3XPA", Phase: phase, Hours: hoursOf(phase)},
		Entries: []class.Entry{{Seq: 7, Student: 3, Kind: class.Answers, Hash: "f00dbabe99", Body: answered}}}
	d.server = func(c room.Call) (int, []byte) {
		switch {
		case strings.HasSuffix(c.Path, "/assignment"):
			return 200, doc
		case strings.HasSuffix(c.Path, "/me"):
			b, _ := json.Marshal(me)
			return 200, b
		}
		return 0, nil
	}
	d.do(room.Enter{Room: room.Student, Arg: "7kqm-3xpa",
		Kept: `{"code":"7KQM3XPA","token":"secret","n":3,"name":"quiet heron"}`, Start: true})
	if d.h.S.Student.Student == nil || d.h.S.Student.Assignment == nil {
		t.Fatal("the student is not in the class")
	}
	return d
}
