package class

import (
	"cmp"
	"slices"

	"hadarlab/core/unit"
)

// Wall is what stands on every wall of a class, the large pictures that the whole room sees. The teacher's remote sets
// it; the zero value is the picture of the phase.
type Wall struct {
	Shows    Picture `json:"shows,omitempty"`    // "" = what belongs to the phase
	Question string  `json:"question,omitempty"` // that the picture is about, "" = the first
	Sentence string  `json:"sentence,omitempty"` // one that a student wrote
	// Change is the change whose lanes are shown, none = the smallest that works.
	Change []Edit `json:"change,omitempty"`
	Whole  bool   `json:"whole,omitempty"`  // the lanes are shown to their end, not only until they part
	Larger int    `json:"larger,omitempty"` // steps, 0 to MaxLarger
}

// MaxLarger is how often a wall may be made larger.
const MaxLarger = 3

// Picture is one picture of a wall.
type Picture string

// The pictures. From OnlyTold on they show what the run tells.
const (
	JoinPicture     Picture = "join"     // how one joins, and who has
	QuestionPicture Picture = "question" // the situation, a question, how many have answered
	VotesPicture    Picture = "votes"    // what was answered: first votes, from the run on both and what is right
	LanesPicture    Picture = "lanes"    // both lanes until they part, and why
	SentencePicture Picture = "sentence" // one sentence
	TaskPicture     Picture = "task"     // what is to be changed, and how many have
	ChangesPicture  Picture = "changes"  // what was changed, by how many, and who won
	ChangePicture   Picture = "change"   // the lanes of one change, with outlines of the first ones
	LargerPicture   Picture = "larger"   // what came of the larger run, or how far it is
	LearnedPicture  Picture = "learned"  // what was learned, and who did best
)

// Pictures are all of them, in the order of a class.
var Pictures = []Picture{JoinPicture, QuestionPicture, VotesPicture, LanesPicture, SentencePicture, TaskPicture,
	ChangesPicture, ChangePicture, LargerPicture, LearnedPicture}

// Tells says whether a picture shows what the run tells.
func (p Picture) Tells() bool {
	return p == LanesPicture || p == TaskPicture || p == SentencePicture || p.Changes() || p == LargerPicture ||
		p == LearnedPicture
}

// Changes says whether a picture shows what was changed.
func (p Picture) Changes() bool { return p == ChangesPicture || p == ChangePicture }

// Picture is what stands on the walls in a phase.
func (w *Wall) Picture(p Phase) Picture {
	if w.Shows != "" {
		return w.Shows
	}
	switch p {
	case Lobby, Homework:
		return JoinPicture
	case Predict, Discuss, VoteAgain:
		return QuestionPicture
	case Run:
		return LanesPicture
	case Change:
		return TaskPicture
	}
	return LearnedPicture
}

// QuestionOn is the question on the wall, nil where the assignment has none.
func (a *Assignment) QuestionOn(w *Wall) *Question {
	if q := a.Question(w.Question); q != nil || len(a.Questions) == 0 {
		return q
	}
	return &a.Questions[0]
}

// Scene is what a wall shows of a class beside its assignment: what everybody in the room may see now, and no more.
// Nothing in it says who did what but the podium.
type Scene struct {
	State State `json:"state"`
	// Names are of who has joined, the latest first, while the wall says how one joins.
	Names []string `json:"names,omitempty"`
	// Tallies are of the revealed questions.
	Tallies []QuestionTally `json:"tallies"`
	// Tries are the latest submissions, while the wall shows what was changed. Their students are numbered anew.
	Tries []Entry `json:"tries,omitempty"`
	// Race are the places of a race, while the wall shows what was changed or what was learned, by the names that were
	// given. What was written is among them when the class is closed.
	Race []Racer `json:"race,omitempty"`
	// Podium is the three best scores, while the wall says what was learned.
	Podium []Place  `json:"podium,omitempty"`
	Joins  []string `json:"joins,omitempty"` // see Update
}

// Place is a score and who has it.
type Place struct {
	Score int      `json:"score"`
	Most  int      `json:"most"`
	Names []string `json:"names"`
}

// Scene is what a class shows. Until what is right is told it holds first votes alone.
func (r *Record) Scene(st State) Scene {
	s := Scene{State: st, Tallies: []QuestionTally{}}
	in := map[int]bool{}
	for i := len(r.Students) - 1; i >= 0; i-- {
		if in[r.Students[i].N] = !r.Students[i].Removed; !r.Students[i].Removed {
			s.Names = append(s.Names, r.Students[i].Name)
		}
	}
	shows := st.Wall.Picture(st.Phase)
	if shows != JoinPicture {
		s.Names = nil
	}
	for _, t := range r.Assignment.Tally(r.Truth, r.Students, r.Entries).Questions {
		if !slices.Contains(st.Revealed, t.ID) {
			continue
		}
		if !st.Tells() {
			t = t.Firsts()
		}
		s.Tallies = append(s.Tallies, t)
	}
	if !st.Tells() {
		return s
	}
	if shows.Changes() || shows == LearnedPicture {
		s.Race = r.race(st.Phase)
	}
	switch {
	case shows.Changes() && s.Race == nil:
		for i, e := range latest(r.Entries, in)[Submission] {
			s.Tries = append(s.Tries, Entry{Seq: e.Seq, Student: i + 1, Kind: Submission, Verdict: e.Verdict,
				Body: Body{Changes: e.Changes, Lanes: e.Lanes}})
		}
	case shows == LearnedPicture:
		s.Podium = r.podium()
	}
	return s
}

// race are the places of a race as everybody may see them in a phase.
func (r *Record) race(p Phase) []Racer {
	names := map[int]string{}
	for _, s := range r.Students {
		names[s.N] = s.Name
	}
	out := r.Assignment.Racers(r.Students, r.Entries)
	for i := range out {
		if out[i].Name, out[i].Student, out[i].Seq = names[out[i].Student], 0, 0; p != Closed {
			out[i].Written = nil
		}
	}
	return out
}

// podium is the three best scores that somebody has.
func (r *Record) podium() (out []Place) {
	scores := r.Scores()
	for i := range r.Students {
		s, here := scores[r.Students[i].N]
		if !here || s.Sum() == 0 {
			continue
		}
		at := slices.IndexFunc(out, func(p Place) bool { return p.Score == s.Sum() })
		if at < 0 {
			at, out = len(out), append(out, Place{Score: s.Sum(), Most: s.Most})
		}
		out[at].Names = append(out[at].Names, r.Students[i].Name)
	}
	unit.Sort(out, func(a, b Place) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), 3)]
}
