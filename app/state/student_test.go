package state

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/student"
	course "hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// classroom is a desk with a student who has answered, and the server's side of the class.
type classroom struct {
	*desk
	me   course.Me
	from int // of the log: effects before are known
}

const studentKept = `{"code":"7KQM3XPA","token":"secret","n":3,"name":"quiet heron"}`

func newClassroom(t *testing.T, phase course.Phase) *classroom {
	t.Helper()
	c := &classroom{desk: newDesk(t)}
	c.me = course.Me{Student: course.Student{N: 3, Name: "quiet heron"}, State: course.State{Code: "7KQM3XPA",
		Phase: phase}, Entries: []course.Entry{{Seq: 7, Student: 3, Kind: course.Answers, Hash: "f00dbabe99",
		Body: course.Body{Answers: map[string]course.Answer{"sooner": {Option: "hadar", Sure: 4},
			"by": {Option: "30", Sure: 2}}}}}}
	c.do(room.Enter{Room: room.Student, Arg: "7kqm-3xpa", Kept: studentKept, Start: true})
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	c.answers("GET", "/me", 200, c.me)
	c.answers("GET", "/assignment", 200, json.RawMessage(doc))
	c.pass(1000)
	return c
}

// answers answers the latest request to the server, which must be this one.
func (c *classroom) answers(method, path string, status int, body any) room.Call {
	c.t.Helper()
	for i := len(c.log) - 1; i >= c.from; i-- {
		if call, ok := c.log[i].(room.Call); ok {
			if call.Method != method || !strings.HasSuffix(call.Path, "/classes/7KQM3XPA"+path) ||
				call.Token != "secret" {
				c.t.Fatalf("the server is asked %s %s, not %s %s", call.Method, call.Path, method, path)
			}
			b, err := json.Marshal(body)
			if err != nil {
				c.t.Fatal(err)
			}
			c.from = len(c.log)
			c.do(call.Then(status, b))
			return call
		}
	}
	c.t.Fatalf("the server is not asked %s %s", method, path)
	return room.Call{}
}

func (c *classroom) phase(p course.Phase) {
	c.me.State.Phase = p
	for _, e := range c.log {
		if f, ok := e.(room.Follow); ok && f.Path != "" {
			b, _ := json.Marshal(c.me.State)
			c.do(f.Then(200, b))
			return
		}
	}
	c.t.Fatal("nobody follows the class")
}

func (c *classroom) why() string {
	_, why := c.s.Student.Task()
	return why
}

func TestStudentWhoHasNotJoined(t *testing.T) {
	d := newDesk(t)
	for arg, want := range map[string]string{"7kqm3xpa": "/join#7KQM3XPA", "assign=1z.abc.def": "/join#a=1z.abc.def"} {
		d.log = nil
		d.do(room.Enter{Room: room.Student, Arg: arg, Kept: `{"code":"OTHERONE","token":"x"}`})
		if len(d.log) != 1 || d.log[0] != Effect(student.Visit{Address: want}) || d.s.Room != room.Lab {
			t.Errorf("%s leads to %v in room %d", arg, d.log, d.s.Room)
		}
	}
	c := &classroom{desk: d}
	d.do(room.Enter{Room: room.Student, Arg: "7KQM3XPA", Kept: studentKept})
	c.answers("GET", "/me", 200, course.Me{State: course.State{Phase: course.Run}})
	if got := d.log[len(d.log)-1]; got != Effect(student.Visit{Address: "/join#7KQM3XPA"}) {
		t.Errorf("who has not answered is led to %v", got)
	}
}

func TestStudentSeesWhatIsRight(t *testing.T) {
	c := newClassroom(t, course.Run)
	st := c.s.Student
	if c.s.Title() != "Three jobs, six GPUs" || st.Truth["sooner"] != "hadar" || st.Truth["by"] != "10-30" {
		t.Errorf("of %q it is right that %v", c.s.Title(), st.Truth)
	}
	if right, all := st.Right(); right != 1 || all != 2 {
		t.Errorf("%d of %d are right", right, all)
	}
	lines := st.Lines(course.Answers)
	if len(lines) != 2 || !lines[0].Right || lines[1].Right || lines[1].Is != "10 to 40 %" {
		t.Errorf("the answers are shown as %+v", lines)
	}
	report := st.Report(func(p string) string { return p })
	for _, want := range []string{"quiet heron", "**over 40 %**", "It is: 10 to 40 %", "F00DBABE"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if path := lastPath(c.log); path != "" && path != "/#class=7KQM3XPA" {
		t.Errorf("the address is %q", path)
	}
}

func lastPath(log []Effect) (path string) {
	for _, e := range log {
		if a, ok := e.(room.SetAddress); ok && a.Path != "" {
			path = a.Path
		}
	}
	return path
}

// TestNothingIsRightBeforeTheRun: in a lab that is open before the run nothing is found to be right; with the run it
// is, from the assignment that says so.
func TestNothingIsRightBeforeTheRun(t *testing.T) {
	c := newClassroom(t, course.VoteAgain)
	st := c.s.Student
	if _, all := st.Right(); st.Truth != nil || all != 0 || !st.Votes() || st.Explains() ||
		st.Lines(course.Answers)[0].Is != "" {
		t.Errorf("before the run it is right that %v", st.Truth)
	}
	c.from = len(c.log)
	c.phase(course.Run)
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	c.answers("GET", "/assignment", 200, json.RawMessage(doc))
	c.pass(1000)
	if st := c.s.Student; st.Truth["sooner"] != "hadar" || st.Votes() || !st.Explains() {
		t.Errorf("with the run it is right that %v", st.Truth)
	}
}

// TestTheLabIsLocked: who comes to a locked lab before the run is led back to where the class answers, and so is who is
// there when it is locked.
func TestTheLabIsLocked(t *testing.T) {
	away := Effect(student.Visit{Address: "/join#7KQM3XPA"})
	c := newClassroom(t, course.Discuss)
	c.me.State.LabLocked = true
	c.phase(course.Discuss)
	if got := c.log[len(c.log)-1]; got != away {
		t.Errorf("who is there is led to %v", got)
	}
	d := &classroom{desk: newDesk(t), me: c.me}
	d.do(room.Enter{Room: room.Student, Arg: "7KQM3XPA", Kept: studentKept})
	d.answers("GET", "/me", 200, d.me)
	if got := d.log[len(d.log)-1]; got != away {
		t.Errorf("who comes is led to %v", got)
	}
	d.me.State.ToldMS = 1
	e := &classroom{desk: newDesk(t), me: d.me}
	e.do(room.Enter{Room: room.Student, Arg: "7KQM3XPA", Kept: studentKept})
	e.answers("GET", "/me", 200, e.me)
	if got := e.log[len(e.log)-1]; got == away {
		t.Error("a lab is locked when what is right is told")
	}
}

// TestOldAnswerTakesNothingBack: what the server had before a second answer was handed in comes after it.
func TestOldAnswerTakesNothingBack(t *testing.T) {
	c := newClassroom(t, course.VoteAgain)
	c.me.State.Revealed = []string{"sooner"}
	c.phase(course.VoteAgain)
	c.pass(60000)
	old, ok := c.log[len(c.log)-1].(room.Call)
	if !ok || !strings.HasSuffix(old.Path, "/me") {
		t.Fatalf("what is revealed is not asked for, but %v", c.log[len(c.log)-1])
	}
	c.from = len(c.log)
	for _, q := range c.s.Student.Again() {
		c.do(student.SetVote{Question: q.ID, Option: q.Options[0].ID})
		c.do(student.SetVote{Question: q.ID, Sure: 5})
	}
	c.do(student.HandIn{Kind: course.Vote, At: 0})
	vote := course.Entry{Seq: 9, Student: 3, Kind: course.Vote, Body: course.Body{Answers: c.s.Student.Vote}}
	c.answers("POST", "/entries", 201, vote)
	body, _ := json.Marshal(c.me)
	c.do(old.Then(200, body))
	if st := c.s.Student; st.Votes() || st.Entry(course.Vote) == nil {
		t.Error("the second answer is asked for again")
	}
	c.me.Entries = append(c.me.Entries, vote)
	c.answers("GET", "/me", 200, c.me)
	if c.s.Student.Votes() {
		t.Error("the second answer is asked for again when the server says that it has it")
	}
}

// TestSentenceOutlivesTheNetwork: what is handed in is sent until the server has it.
func TestSentenceOutlivesTheNetwork(t *testing.T) {
	c := newClassroom(t, course.Run)
	c.do(student.SetSentence{Text: "Because. "})
	c.do(student.HandIn{Kind: course.Sentence, At: 0})
	c.answers("POST", "/entries", 0, nil)
	if !c.s.Student.Lost || c.s.Student.Sending == nil || c.s.Student.Sentence != "Because. " {
		t.Errorf("without a network: %+v", c.s.Student)
	}
	c.pass(20000)
	sent := c.answers("POST", "/entries", 201, course.Entry{Seq: 9, Kind: course.Sentence, Body: course.Body{
		Text: "Because."}})
	if !strings.Contains(string(sent.Body), `"text":"Because."`) {
		t.Errorf("%s is sent", sent.Body)
	}
	if st := c.s.Student; st.Lost || st.Sending != nil || st.Sentence != "" ||
		st.Entry(course.Sentence).Text != "Because." {
		t.Errorf("afterwards: %+v", st)
	}
	c.do(student.SetSentence{Text: strings.Repeat("ü", course.MaxSentence+1)})
	c.do(student.HandIn{Kind: course.Sentence, At: 0})
	if c.s.Student.Sending != nil || c.s.Student.Problem == "" {
		t.Error("a sentence that is too long is sent")
	}
}

func TestTask(t *testing.T) {
	c := newClassroom(t, course.Run)
	c.edit(edit.AddNode{}) // who explores is free until the task begins
	c.do(Undo{})
	c.pass(1000)
	if !c.s.Student.Spoils() {
		t.Error("before the task the page would look for what solves it")
	}
	c.phase(course.Change)
	if toast := c.s.Toast; toast == nil || toast.Shows != room.PartStep ||
		toast.Text != "Change has begun. Now change one thing." || c.s.Announcement != toast.Text {
		t.Errorf("who reads on is told %+v", toast)
	}
	if c.s.Student.Spoils() || !c.s.Student.Changing() {
		t.Error("the task has not begun")
	}
	if c.why() != "Nothing is changed yet." {
		t.Errorf("unchanged: %q", c.why())
	}
	stood := c.s.Doc
	for _, e := range []edit.Edit{edit.AddNode{}, edit.SetJob{Job: 0, Field: edit.JobWeight, Value: 2},
		edit.SetJob{Job: 0, Field: edit.JobGPUs, Value: 4}, edit.RemoveJob{Job: 1}} {
		if c.edit(e); c.s.Doc != stood {
			t.Errorf("%#v is not refused", e)
		}
	}
	if why := form(c.s).Lock("/scenario/jobs/0/weight"); why == "" || form(c.s).Lock("/scenario/jobs/0/gpus") != "" {
		t.Errorf("the wrong values are locked: %q", why)
	}
	if r := form(c.s).Bound("/scenario/jobs/0/gpus", edit.Range{Min: 1, Max: 4096}); r.Max != 3 {
		t.Errorf("GPUs of a job are bounded by %v", r)
	}
	c.edit(edit.SetJob{Job: 2, Field: edit.JobGPUs, Value: 1})
	if edits, why := c.s.Student.Task(); why != "" || class.EditText(edits[0], c.name) != "GPUs of j3, 2 to 1" {
		t.Errorf("one change: %q, %v", why, edits)
	}
	c.edit(edit.SetGPUs{Node: 0, Type: "v100", N: 4})
	if c.why() != "The task asks for exactly 1 change. Undo some, or start again." {
		t.Errorf("two changes: %q", c.why())
	}
	c.do(Undo{})
	c.pass(1000)
	c.do(student.HandIn{Kind: course.Submission, At: 0})
	var sent course.Handed
	e := course.Entry{Seq: 12, Kind: course.Submission, Verdict: course.Pending}
	call := c.answers("POST", "/entries", 201, e)
	if err := json.Unmarshal(call.Body, &sent); err != nil || len(sent.Lanes) != 2 || len(sent.Scenario) == 0 ||
		sent.Lanes[0].TraceHash != c.hash(0) || sent.Engine != c.s.Boot.Engine {
		t.Errorf("%s is sent: %v", call.Body, err)
	}
	c.pass(20000)
	e.Verdict = course.Verified
	c.me.Entries = append(c.me.Entries, e)
	c.answers("GET", "/me", 200, c.me)
	if got := c.s.Student.Entry(course.Submission).Verdict; got != course.Verified {
		t.Errorf("the verdict is %q", got)
	}
	c.do(student.RestartTask{})
	c.pass(1000)
	if edits, _ := c.s.Student.Task(); len(edits) != 0 {
		t.Errorf("started again with %v", edits)
	}
	c.do(Undo{})
	if edits, _ := c.s.Student.Task(); len(edits) != 1 {
		t.Errorf("undo of that gives %v", edits)
	}
	c.do(student.LeaveClass{})
	if c.s.Room != room.Lab || c.s.Student.Locks() != nil || lastPath(c.log) != "/" {
		t.Errorf("left for %q, locked %v", lastPath(c.log), c.s.Student.Locks() != nil)
	}
}

func (c *classroom) name(path string) string { return c.s.Varying().Variable(path).Name }

func TestClassThatIsOver(t *testing.T) {
	for _, status := range []int{401, 404, 410, 418} {
		c := newClassroom(t, course.Run)
		c.do(student.HandIn{Kind: course.Vote, At: 0})
		if c.s.Student.Problem != "Choose an answer." {
			t.Errorf("an empty vote: %q", c.s.Student.Problem)
		}
		c.do(student.SetVote{Question: "sooner", Option: "hadar", Sure: 0})
		c.do(student.SetVote{Question: "sooner", Option: "", Sure: 5})
		c.do(student.HandIn{Kind: course.Vote, At: 0})
		c.answers("POST", "/entries", status, nil)
		if st := c.s.Student; st.Sending != nil || (st.Over == "") != (status == 418) || status == 418 &&
			st.Problem == "" {
			t.Errorf("status %d: %q, %q", status, st.Over, st.Problem)
		}
	}
}

// TestStudentAlone: an assignment in a link goes on at the student's own pace, and is handed in as a file.
func TestStudentAlone(t *testing.T) {
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	arg := link.Pack(course.LinkAssignment, doc)
	kept, err := json.Marshal(class.Kept{Name: "calm otter", Packed: strings.TrimPrefix(arg, "assign="),
		Entries: []course.Entry{{Student: 1, Kind: course.Answers}}})
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.do(room.Enter{Room: room.Student, Arg: arg, Kept: string(kept), Start: true})
	d.pass(1000)
	st := d.s.Student
	if st.Truth["sooner"] != "hadar" || st.State.Phase != course.Run {
		t.Fatalf("in phase %q it is right that %v", st.State.Phase, st.Truth)
	}
	for d.s.Student.State.Phase != course.Change {
		d.log = nil
		d.do(student.NextPhase{})
		if !slices.Contains(d.log, Effect(room.Focus{Part: room.PartStep})) {
			t.Error("the next phase is not gone to")
		}
	}
	d.edit(edit.SetJob{Job: 2, Field: edit.JobGPUs, Value: 1})
	d.do(student.HandIn{Kind: course.Submission, At: 1234})
	if !strings.Contains(d.s.Announcement, "to be handed in at the end") {
		t.Errorf("what is kept here is told as %q", d.s.Announcement)
	}
	d.do(student.NextPhase{})
	if d.s.Announcement != "Now hand in." {
		t.Errorf("at the end it says %q", d.s.Announcement)
	}
	d.log = nil
	d.do(student.SaveHandIn{})
	file := d.log[0].(room.Download)
	h, diags := course.ParseHandIn(file.Data)
	if h == nil || h.Name != "calm otter" || len(h.Entries) != 2 || h.Entries[1].AtMS != 1234 ||
		len(h.Entries[1].Changes) != 1 || h.Assignment != st.Assignment.ContentID() {
		t.Errorf("%s hands in %s: %v", file.Name, file.Data, diags)
	}
	handIn := student.HandInLink(d.s.Student.Student, d.s.Boot.Engine)
	if text, diags := link.Unpack(handIn, course.MaxHandIn, course.LinkHandIn); len(text) == 0 {
		t.Errorf("the link holds nothing: %v", diags)
	}
}

// TestARecordIsNoneOfAClass: in a class's lab a record of decisions, with its scenario or without, or within a saved
// scenario, is refused with the reason, and the class's scenario stands as it was.
func TestARecordIsNoneOfAClass(t *testing.T) {
	c := newClassroom(t, course.Change)
	stands := c.s.Doc
	record := recordOf(t, stands, "srtf", "mine")
	alone := newDesk(t)
	alone.do(OpenFile{Name: "mine.jsonl", Data: []byte(record)})
	alone.pass(1000)
	saved := string(alone.s.Doc.Marshal(true))
	if !alone.s.Doc.Recorded() {
		t.Fatal("alone there is no record, either")
	}
	for _, text := range []string{record, withoutScenario(t, record), saved} {
		c.do(OpenFile{Name: "mine.jsonl", Data: []byte(text)})
		c.pass(1000)
		if c.s.Doc != stands || c.s.Notice == nil || len(c.s.Notice.Diags) != 1 ||
			c.s.Notice.Diags[0].Message.String() != scenario.RecordsStay().String() {
			t.Fatalf("a record in a class: %+v", c.s.Notice)
		}
		c.do(room.CloseNotice{})
	}
}
