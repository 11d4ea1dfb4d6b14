package board

import (
	"strings"

	teach "hadarlab/app/class"
	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/class"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Stage is what a wall shows of runs: the assignment's lanes, those of one change, and why the first part.
type Stage struct {
	Base    *run.Result // nil = it has not run yet
	Changed *run.Result
	Change  []class.Edit // that Changed is of
	Why     string       // the engine's sentence about the job of the first disagreement
	SinceMS int64        // this page's clock when the picture came

	asked   int64 // question to the engine why, that is under way; 0 = none
	answer  bool  // it has come: the job may have none
	picture class.Picture
	whole   bool
}

// Upto is which share of the base's time a wall shows at a moment of this page's clock: it grows by a decision a second
// until the lanes part, or, where the whole is asked for, on to the end; parts says that it has come there.
func (s *Stage) Upto(nowMS int64) (share float64, parts bool) {
	r := s.Base
	if r == nil || len(r.Diff.Moments) == 0 {
		return 1, false
	}
	const most = 6 // s that it takes
	from, to := 0, r.Diff.First+1
	if s.whole {
		from, to = max(r.Diff.First+1, 0), len(r.Diff.Moments)
	}
	if to <= 0 { // they never part
		to = len(r.Diff.Moments)
	}
	past := max(nowMS-s.SinceMS, 0) / 1000
	seconds := int64(min(to-from, most))
	if past >= seconds || seconds == 0 {
		if s.whole || r.Diff.First < 0 {
			return 1, r.Diff.First >= 0
		}
		return r.Axis.X(r.Diff.Moments[to-1].End), true
	}
	at := from + int((past+1)*int64(to-from)/seconds)
	return r.Axis.X(r.Diff.Moments[max(at, 1)-1].End), s.whole
}

// Walls reports that this page shows a wall: of a class, or in place of a board that is made from files.
func (m *Model) Walls() bool { return m.Room == room.Wall || m.Here }

// Wall is the class as a wall shows it: of a board from files by the same rule that a server has.
func (m *Model) Wall() *teach.Board {
	b := m.Class
	if b == nil || !b.Local() || b.Assignment == nil {
		return b
	}
	scene := b.Record(m.Boot.Engine, m.Defaults, true).Scene(b.State)
	return b.Watch(&scene)
}

// WallCode is the code of a class as somebody may have typed it into the address of its wall.
func WallCode(typed string) string { return strings.ToLower(class.FoldCode(typed)) }

// enterWall goes to the wall of a class. Where this browser has the class's key it is a remote, too.
func (m *Model) enterWall(a room.Enter) []room.Effect {
	code := WallCode(a.Arg)
	if b := m.Class; b != nil && b.Code == code && m.Room == room.Wall {
		return nil
	}
	m.Pages = Pages{Class: &teach.Board{Code: code, Key: a.Kept}}
	m.Room = room.Wall
	return []room.Effect{ReadClock{0}, m.getAssignment(), m.getBoard(),
		room.Follow{Path: classPath(code), Then: func(status int, body []byte) room.Action {
			return classNews{code, status, body}
		}}}
}

// gotScene is what a wall shows now.
type gotScene struct {
	status int
	body   []byte
}

func (a gotScene) on(m *Model) []room.Effect {
	scene := &class.Scene{}
	if effects, ok := m.heard(a.status, a.body, scene, &scene.State.NowMS); !ok {
		return effects
	}
	m.Class = m.Class.Watch(scene)
	m.watch()
	effects := append(m.work(), m.getLarger()...)
	if a := m.Class.Assignment; scene.State.Tells() && a != nil && a.Task != nil && a.Task.Text == "" {
		effects = append(effects, m.getAssignment()) // before, it said nothing of its task
	}
	if m.again {
		effects = append(effects, m.getBoard())
	}
	return effects
}

// watch notes since when this page shows the picture that stands there.
func (m *Model) watch() {
	w := &m.Class.State.Wall
	if now := w.Picture(m.Class.State.Phase); now != m.Stage.picture || w.Whole != m.Stage.whole {
		m.Stage.picture, m.Stage.whole, m.Stage.SinceMS = now, w.Whole, m.ClockMS
	}
}

// Remote control of the walls.
type (
	// PutUp puts something on the walls. WallBack puts up what stood there before.
	PutUp    struct{ class.Wall }
	WallBack struct{}
	// WallHere turns between a board that is made from files and its wall.
	WallHere struct{}
)

func (a PutUp) on(m *Model) []room.Effect {
	m.Walled = append(m.Walled, m.Class.State.Wall)
	return m.putUp(a.Wall)
}

func (WallBack) on(m *Model) []room.Effect {
	if len(m.Walled) == 0 {
		return nil
	}
	last := m.Walled[len(m.Walled)-1]
	m.Walled = m.Walled[:len(m.Walled)-1]
	return m.putUp(last)
}

func (m *Model) putUp(w class.Wall) []room.Effect {
	if m.Class.Local() {
		m.Class = m.Class.PutUp(w)
		m.watch()
		return m.work()
	}
	return SetClass{class.Settings{Wall: &w}}.on(m)
}

func (WallHere) on(m *Model) []room.Effect {
	m.Here = !m.Here
	m.watch()
	return append(m.work(), ReadClock{0})
}

// stage asks the engine for what the wall lacks: the lanes of the change that is shown, and why the base's part.
func (m *Model) stage() []room.Effect {
	s, b := &m.Stage, m.Wall()
	if !s.answer && s.asked == 0 && s.Base != nil && s.Base.Diff.First >= 0 {
		s.asked = m.Seq()
		return []room.Effect{room.Ask{Request: &message.Message{ID: s.asked, Explain: &message.ExplainRequest{
			Scenario: s.Base.Text, Policy: s.Base.Lanes[s.Base.Tells].Policy,
			Round: s.Base.Round(s.Base.Tells, s.Base.Diff.First)}}}}
	}
	shown := b.Shown()
	if shown == nil || b.State.Wall.Picture(b.State.Phase) != class.ChangePicture || class.SameChange(shown, s.Change) {
		return nil
	}
	if doc, ok := b.Assignment.Apply(shown); ok {
		return m.runFor(pendingRun{wall: shown, doc: doc})
	}
	return nil
}

// told takes the engine's reason; false where it was asked something else.
func (s *Stage) told(answer *message.Message) bool {
	if answer.ID == 0 || answer.ID != s.asked {
		return false
	}
	if s.asked, s.answer = 0, true; answer.Explanation == nil {
		return true
	}
	for i := range answer.Explanation.Jobs {
		if c := &answer.Explanation.Jobs[i]; c.ID == s.Base.TellingJob() {
			s.Why = c.Sentence
		}
	}
	return true
}

// resultOf lays out lanes that have run.
func (m *Model) resultOf(doc *scenario.Document, lanes []*run.Lane) *run.Result {
	r := run.New(m.Seq(), doc, doc.Marshal(false))
	for _, l := range lanes {
		if i := l.Meta.Lane; i >= 0 && i < len(r.Lanes) {
			l.Policy, r.Lanes[i] = r.Lanes[i].Policy, l
		}
	}
	r.LayOut(nil)
	compare.Say(r, m.Boot.WholeTitle)
	return r
}
