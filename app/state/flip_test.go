package state

import (
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// seek is the search that the page has asked for last.
func (d *desk) seek() *asked[message.FlipRequest] {
	for i := len(d.log) - 1; i >= 0; i-- {
		if e, ok := d.log[i].(room.Ask); ok && e.Request.Flip != nil {
			return &asked[message.FlipRequest]{e.Request.ID, e.Request.Flip}
		}
	}
	d.t.Fatal("nothing was asked")
	return nil
}

// TestFlipIsAnsweredTriedAndUndone: what the engine finds is offered where it was asked, changes the document as one
// edit, and is gone with the result that it was about.
func TestFlipIsAnsweredTriedAndUndone(t *testing.T) {
	d := newDesk(t)
	d.do(AskFlip{Lane: 0})
	seek := d.seek()
	f, diags := lab.NewSession().Flip(seek.Request)
	if f == nil {
		t.Fatal(diags)
	}
	for f.Spend(1000) {
	}
	d.do(Answer{&message.Message{ID: seek.ID, Progress: &message.Progress{Finished: 3, Jobs: 9}}})
	if here := d.s.Flip.At(d.s.Result, 0, &d.s.View); here == nil || !here.Busy() || here.Tried != 3 || here.All != 9 {
		t.Fatalf("%+v", here)
	}
	d.do(Answer{&message.Message{ID: seek.ID, Flipped: f.Result()}})
	here := d.s.Flip.At(d.s.Result, 0, &d.s.View)
	if here == nil || here.Busy() || here.Result == nil || len(here.Result.Found) == 0 {
		t.Fatalf("%+v", here)
	}
	if d.s.Flip.At(d.s.Result, 1, &d.s.View) != nil {
		t.Error("it is offered for the other lane's decision")
	}
	hash, before := d.hash(0), string(d.s.Doc.Marshal(false))
	c := here.Result.Found[0]
	d.do(Try{edit.Alter{Pointer: c.Pointer, Value: c.To, What: c.What}})
	if d.s.Toast == nil || !d.s.Toast.Undo || d.s.Toast.Text != c.What {
		t.Errorf("tried is %q, and the page says %+v", c.What, d.s.Toast)
	}
	d.pass(1000)
	if d.hash(0) == hash || d.s.Flip.At(d.s.Result, 0, &d.s.View) != nil {
		t.Error("the change changes nothing, or its search outlives the result")
	}
	d.do(Undo{})
	d.pass(1000)
	if d.hash(0) != hash || string(d.s.Doc.Marshal(false)) != before {
		t.Error("the change is not undone")
	}
}

// TestFlipIsCancelledByTheNext: one search at a time, and late answers are nobody's.
func TestFlipIsCancelledByTheNext(t *testing.T) {
	d := newDesk(t)
	d.do(AskFlip{Lane: 0})
	first := d.seek().ID
	d.do(AskFlip{Lane: 1})
	cancelled := false
	for _, e := range d.log {
		if c, ok := e.(End); ok && c.ID == first {
			cancelled = true
		}
	}
	d.do(Answer{&message.Message{ID: first, Flipped: &message.FlipResult{Sentence: "late"}}})
	if here := d.s.Flip.At(d.s.Result, 1, &d.s.View); !cancelled || here == nil || !here.Busy() || here.Result != nil {
		t.Errorf("cancelled %v, %+v", cancelled, here)
	}
	d.do(StopFlip{})
	if d.s.Flip.At(d.s.Result, 1, &d.s.View) != nil {
		t.Error("a stopped search stays")
	}
}
