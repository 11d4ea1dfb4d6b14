package class

import "encoding/json"

// What goes between a class's server and its pages, as JSON. Times are the server's clock, Unix time in milliseconds.

// State is what everybody may know of a class who knows its code.
type State struct {
	Code    string `json:"code"`
	Title   string `json:"title"`
	Engine  string `json:"engine"`         // under which it began, and found what is right
	Revs    []int  `json:"revs,omitempty"` // of its lanes' policies then, in their order; absent = 1
	Old     bool   `json:"old,omitempty"`  // a run of its scenario may come out otherwise today
	Phase   Phase  `json:"phase"`
	SinceMS int64  `json:"since_ms"`          // the phase began
	EndsMS  int64  `json:"ends_ms,omitempty"` // of the phase, as planned; 0 = when the teacher says so
	NowMS   int64  `json:"now_ms"`
	// ToldMS is when what is right was told first, by a phase of Phase.Tells; 0 = not yet. It stays told when the class
	// goes back.
	ToldMS int64 `json:"told_ms,omitempty"`
	Hours
	Locked bool `json:"locked,omitempty"` // nobody can join now
	Listed bool `json:"listed,omitempty"` // only who has a tag of the teacher's list can join, each once
	// LabLocked says that the class's lab is shut until what is right is told.
	LabLocked bool `json:"lab_locked,omitempty"`
	// Revealed are the questions whose counts everybody sees.
	Revealed []string `json:"revealed"`
	Wall     Wall     `json:"wall"` // what stands on the walls
	Counts   Counts   `json:"counts"`
	Seq      int64    `json:"seq"`               // of the latest change of a row of the class
	PollMS   int      `json:"poll_ms,omitempty"` // ask again so much later, where the server cannot hold a stream open

	// LargerRun is the latest one, nil = there is none. It is never before what is right is told.
	LargerRun *LargerRun `json:"larger_run,omitempty"`
}

// Tells says whether what is right is told: then the server says it, answers are practice, and the lab is open.
func (s *State) Tells() bool { return s.ToldMS != 0 || s.Phase.Tells() }

// Shut says that the class's lab is not to be entered now, whatever one has handed in. A homework's is open to who has
// answered.
func (s *State) Shut() bool { return s.LabLocked && !s.Tells() && s.Phase != Homework }

// Counts are of students.
type Counts struct {
	Joined    int `json:"joined"`
	Committed int `json:"committed"`
	Voted     int `json:"voted"`
	Explained int `json:"explained"`
	Submitted int `json:"submitted"`
	Ready     int `json:"ready"` // their phones have the lab's program, or are opening it
}

// Drawing is the runs of a class's own scenario, for phones that have not the lab's program: figures, and an SVG file
// with a lane for each. It tells what is right, and is nobody's before that is told.
type Drawing struct {
	Lanes []DrawingLane `json:"lanes"`
	SVG   string        `json:"svg"`
}

// DrawingLane is what a run came to.
type DrawingLane struct {
	Policy    string  `json:"policy"`
	Title     string  `json:"title"`
	AvgJCTS   float64 `json:"avg_jct_s"`
	MakespanS float64 `json:"makespan_s"`
}

// MaxPicture is the largest Picture.SVG in bytes; a larger one is not sent, as phones pay for it.
const MaxPicture = 100_000

// AssistantKey begins the keys of assistants: they read the board, export, and put something on the wall.
const AssistantKey = "assistant-"

// Created answers who began a class, or made a key for assistants. Key is told once.
type Created struct {
	Code string `json:"code"`
	Key  string `json:"key"`
}

// Joined answers who joined, or came back with a one-time code. Token is told once.
type Joined struct {
	Token   string  `json:"token"`
	Student Student `json:"student"`
	State   State   `json:"state"`
}

// Me is what a student's page shows after a reload.
type Me struct {
	Student Student `json:"student"`
	State   State   `json:"state"`
	Entries []Entry `json:"entries"`
	// Tallies are of the revealed questions.
	Tallies []QuestionTally `json:"tallies"`
	Pace    Pace            `json:"pace,omitempty"` // in a homework
}

// Handed is what a student's page hands in. A submission has its whole scenario document.
type Handed struct {
	Kind     string          `json:"kind"`
	Scenario json.RawMessage `json:"scenario,omitempty"`
	Body
}

// Settings are what a teacher changes of a class; what is nil stays.
type Settings struct {
	Phase     *Phase    `json:"phase,omitempty"`
	Minutes   *float64  `json:"minutes,omitempty"` // until the phase ends, 0 = no end; default that of the plan
	Locked    *bool     `json:"locked,omitempty"`
	LabLocked *bool     `json:"lab_locked,omitempty"`
	Revealed  *[]string `json:"revealed,omitempty"`
	// OpensMS and ClosesMS are a homework's Hours. It takes another opening time until it has opened, and another
	// closing time until the feedback is released; a time that is past is now.
	OpensMS  *int64 `json:"opens_ms,omitempty"`
	ClosesMS *int64 `json:"closes_ms,omitempty"`
	// Tags are those who alone may join, as ReadTags takes them; none = everybody may.
	Tags *[]string `json:"tags,omitempty"`
	// Wall is what stands on the walls. A change of phase without it brings the phase's own picture.
	Wall *Wall `json:"wall,omitempty"`
}

// Assists says whether an assistant may do this too: to put something on the wall, and nothing else.
func (s Settings) Assists() bool { return s == Settings{Wall: s.Wall} }

// Update is what a board gets: everything that changed after a Seq.
type Update struct {
	State    State     `json:"state"`
	Truth    Truth     `json:"truth"`
	Students []Student `json:"students"`
	Entries  []Entry   `json:"entries"`
	Verifies bool      `json:"verifies"` // the server runs submissions again; otherwise the board may
	CreateMS int64     `json:"created_ms"`
	GoneMS   int64     `json:"gone_ms"` // everything is deleted then
	// Joins are the origins at which students' devices reach the server, the best first; none where it does not know.
	Joins []string `json:"joins,omitempty"`
	// Tags are the list of those who alone may join, nil = it is as it was.
	Tags *[]string `json:"tags,omitempty"`
	// Assistants says that there is a key of assistants.
	Assistants bool `json:"assistants,omitempty"`
}

// Pass is a one-time code by which a student comes back on another device.
type Pass struct {
	Code   string `json:"code"`
	EndsMS int64  `json:"ends_ms"`
}

// Log is the kind of entries that the server writes: what the teacher did to a student. Their student is whom it
// concerns, their text one of the words below.
const (
	Log       = "log"
	Recovered = "recovered" // came back by a one-time code
	Removed   = "removed"
	TagAgain  = "tag-again" // somebody wanted to join with the student's tag
)

// HandIn is a student's work as a file, where a class has no server.
type HandIn struct {
	Kind       string  `json:"kind"` // HandInKind
	Version    int     `json:"version"`
	Assignment string  `json:"assignment"` // its ContentID
	Name       string  `json:"name"`       // given by the page
	Tag        string  `json:"tag,omitempty"`
	Engine     string  `json:"engine"`
	Entries    []Entry `json:"entries"`
}

// HandInKind is the kind of a HandIn.
const HandInKind = "hand-in"
