package state

import (
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/core/class"
	"hadarlab/scenarios"
)

// TestWhatTeachesIsFetchedOnce it is needed, and not before; what has waited for it goes on when it comes, though it
// comes at a second try.
func TestWhatTeachesIsFetchedOnce(t *testing.T) {
	calls := func(d *desk) (n int) {
		for _, e := range d.log {
			if c, ok := e.(room.Call); ok && c.Path == room.TeachingFile {
				n++
			}
		}
		return n
	}
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	id := lessons[0].ID
	whole := newDesk(t)
	whole.do(StartLesson{id})
	whole.do(LessonStep{1})
	whole.pass(1000)
	kept := whole.kept()
	for name, c := range map[string]struct {
		does Action
		done func(d *desk) bool
	}{
		"the gallery": {OpenGallery{}, func(d *desk) bool { return d.s.Learn.Gallery }},
		"a lesson": {StartLesson{id}, func(d *desk) bool {
			return d.s.Learn.Lesson != nil && d.s.Learn.Lesson.ID == id && d.s.Learn.Step == 0
		}},
		"a lesson after a reload": {kept, func(d *desk) bool {
			return d.s.Learn.Lesson != nil && d.s.Learn.Lesson.ID == id && d.s.Learn.Step == 1
		}},
		"a class": {room.Enter{Room: room.Teach}, func(d *desk) bool { return len(d.s.Shipped()) > 0 }},
	} {
		d := newDesk(t)
		d.cut = true
		if calls(d) > 0 {
			t.Fatal("it is fetched before it is needed")
		}
		d.do(c.does)
		d.do(FetchTeaching{}) // it is on its way already
		if n := calls(d); n != 1 || d.s.Teaching != nil || d.s.Untaught {
			t.Errorf("%s: asked %d times, and lost %v", name, n, d.s.Untaught)
		}
		for _, body := range []string{"", "{}", "<!doctype html>"} {
			d.do(room.Taught{Status: 200, Body: []byte(body)})
			if !d.s.Untaught || d.s.Announcement != "The lessons and assignments could not be loaded." {
				t.Errorf("%s: nobody is told that %q is no file of ours: %q", name, body, d.s.Announcement)
			}
		}
		if name == "a lesson after a reload" && (!d.s.Learn.Asked() || d.s.Learn.Saved() == nil) {
			t.Error("a lesson that is yet to come gives its answer away, or is lost by another reload")
		}
		d.cut = false
		d.do(FetchTeaching{})
		d.pass(1000)
		if d.s.Untaught || !c.done(d) {
			t.Errorf("%s does not go on when what teaches has come: %+v", name, d.s.Learn)
		}
		d.do(OpenGallery{})
		if n := calls(d); n != 2 {
			t.Errorf("%s: it is fetched %d times", name, n)
		}
	}
}

// TestLessonThatNeverComesCanBeLeft, and is not kept then.
func TestLessonThatNeverComesCanBeLeft(t *testing.T) {
	d := newDesk(t)
	d.cut = true
	d.do(StartLesson{"hadars-price"})
	d.do(room.Taught{})
	if d.s.Learn.Coming == nil {
		t.Fatal("the lesson is given up before its reader gives it up")
	}
	d.do(LeaveLesson{})
	d.cut = false
	d.do(FetchTeaching{})
	if d.s.Learn.Going() || d.kept().Lesson != nil {
		t.Errorf("it is on, or kept: %+v", d.s.Learn)
	}
}

// TestFilesWaitForTheAssignments, and are reported when these do not come.
func TestFilesWaitForTheAssignments(t *testing.T) {
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	for _, cut := range []bool{false, true} {
		d := newDesk(t)
		d.cut = true
		d.do(room.Enter{Room: room.Board, Arg: "board"})
		d.do(board.BoardFile{Name: "assignment.json", Text: string(doc)})
		file, err := scenarios.Teaching()
		if cut {
			file = nil
		}
		if d.do(room.Taught{Status: 200, Body: file}); err != nil || len(d.s.Board.Notes) != 1 {
			t.Fatalf("%q, %v", d.s.Board.Notes, err)
		}
		if opened := d.s.Board.Class.Assignment != nil; opened == cut {
			t.Errorf("with the assignments %v the file is opened: %v", !cut, opened)
		}
	}
}

// TestAssignmentsKeepTheirNames in the file that the page fetches: work that is handed in names its assignment.
func TestAssignmentsKeepTheirNames(t *testing.T) {
	d := newDesk(t)
	d.do(OpenGallery{})
	for i, id := range scenarios.Assignments {
		doc, _ := scenarios.Assignment(id)
		a := d.s.Shipped()[i]
		own, diags := class.Parse(doc)
		if own == nil {
			t.Fatal(diags)
		}
		if a.ID != own.ID || a.ContentID() != own.ContentID() {
			t.Errorf("%s is called %s", id, a.ContentID())
		}
	}
}
