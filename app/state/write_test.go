package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/core/chart/data"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// endless is a document that fits into a link, and whose two jobs take turns for 200,000 rounds.
const endless = `{"kind":"scenario","version":1,"scenario":{"round_s":1,
"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
"jobs":[{"id":"a","model":"m","gpus":1,"steps":1e5},{"id":"b","model":"m","gpus":1,"steps":1e5}],
"policies":[{"id":"gavel-las"},{"id":"fifo"}]}}`

// longDesk has a scenario of more than 100,000 spans open.
func longDesk(t *testing.T, name string) *desk {
	t.Helper()
	text := []byte(endless)
	if name == "long waits" {
		text = bytes.Replace(simtest.LongWaits(0), []byte(`"overheads"`),
			[]byte(`"policies":[{"id":"gavel-makespan"},{"id":"gavel-las"}],"overheads"`), 1)
	}
	d := newDesk(t)
	d.do(OpenFile{Name: "long.json", Data: text})
	d.pass(60_000)
	if r := d.s.Result; len(r.Ran()) != 2 || recorded(r.Ran()...) < 100_000 {
		t.Fatalf("%s: %+v", name, d.s.Notice)
	}
	return d
}

// clerk writes a file as the page does, but counts work instead of time: a slice ends with the telling by which it has
// come to sliceWork entries.
type clerk struct {
	bytes.Buffer
	work, slices, longest, all int
	until                      int // entries after which nobody wants it any more, 0 = never
}

const (
	sliceWork = 4096
	anEntry   = 64 // bytes that are written count as one
)

func (c *clerk) did(entries int) {
	c.work, c.all = c.work+entries, c.all+entries
	c.longest = max(c.longest, c.work)
	if c.work >= sliceWork {
		c.work = 0
		c.slices++
	}
	if c.until > 0 && c.all > c.until {
		runtime.Goexit()
	}
}

func (c *clerk) Write(b []byte) (int, error) {
	c.did(len(b) / anEntry)
	return c.Buffer.Write(b)
}

// fill has a file written; whole is false where it was given up.
func (c *clerk) fill(w Write) (whole bool, err error) {
	done := make(chan bool)
	go func() {
		defer close(done)
		err = w.Fill(c, unit.Told(c.did))
		whole = true
	}()
	<-done
	return whole, err
}

// saves are all that a page saves of a result.
func saves() (all []Action) {
	all = []Action{SaveChrome{}, SavePNG{"x"}}
	for lane := range 2 {
		all = append(all, SaveEvents{lane}, SaveSVG{lane})
	}
	for _, c := range data.Charts() {
		all = append(all, SaveChart{Of: c.ID}, SaveChart{Of: c.ID, Vega: true})
	}
	return all
}

// TestNoFileStopsThePage: what is saved of a long run is written in slices of bounded work, says so, can be given up at
// any of them, and is the same file as at once.
func TestNoFileStopsThePage(t *testing.T) {
	for _, name := range []string{"long waits", "endless"} {
		d := longDesk(t, name)
		for _, a := range saves() {
			label := fmt.Sprintf("%s: %+v", name, a)
			d.s.Notice, d.log = nil, nil
			d.do(a)
			if len(d.s.Writing) == 0 { // a lane of few spans
				f, ok := d.log[len(d.log)-1].(room.Download)
				if e, of := a.(SaveEvents); !ok || of && recorded(d.s.Result.Lanes[e.Lane]) > atOnce {
					t.Errorf("%s is written at once: %v", label, f.Name)
				}
				continue
			}
			w, ok := d.log[len(d.log)-1].(Write)
			if !ok || !strings.Contains(d.s.WritingSays(), w.Name) || d.s.Announcement != d.s.WritingSays() {
				t.Fatalf("%s: it is not said that it is written, but %q", label, d.s.WritingSays())
			}
			c := &clerk{}
			whole, err := c.fill(w)
			var why cannot
			if !whole || err != nil && !errors.As(err, &why) {
				t.Fatalf("%s: %v %v", label, whole, err)
			}
			if c.longest > 2*sliceWork {
				t.Errorf("%s: %d entries at once", label, c.longest)
			}
			if e, ok := a.(SaveEvents); ok {
				if least := 5 * recorded(d.s.Result.Lanes[e.Lane]) / sliceWork / 2; c.slices < least {
					t.Errorf("%s: %d slices, fewer than %d", label, c.slices, least)
				}
			}
			d.do(Written{ID: w.ID, Err: err})
			if len(d.s.Writing) > 0 || (err == nil) != (d.s.Notice == nil) {
				t.Errorf("%s: after its end %q, notice %v", label, d.s.WritingSays(), d.s.Notice)
			}
			if c.all > 2*sliceWork {
				half := &clerk{until: c.all / 2}
				d.do(a)
				again := d.s.Writing[0]
				if whole, _ := half.fill(again); whole || half.Len() > c.Len() {
					t.Errorf("%s cannot be given up", label)
				}
				d.log = nil
				if d.do(StopSaving{}); len(d.s.Writing) > 0 || d.log[0] != Effect(StopWriting{}) {
					t.Errorf("%s: it is still being written: %v", label, d.log)
				}
				d.do(Written{ID: again.ID}) // too late
			}
		}
	}
}

// TestFilesComeOneAfterTheOther: a second file waits for the first, also when that is given up or fails.
func TestFilesComeOneAfterTheOther(t *testing.T) {
	d := longDesk(t, "endless")
	d.log = nil
	for range 3 {
		d.do(SaveEvents{0})
	}
	begun := func() (ids []int64) {
		for _, e := range d.log {
			if w, ok := e.(Write); ok {
				ids = append(ids, w.ID)
			}
		}
		return ids
	}
	if len(begun()) != 1 || !strings.Contains(d.s.WritingSays(), "2 more") {
		t.Fatalf("%d files at once; %q", len(begun()), d.s.WritingSays())
	}
	d.do(StopSaving{})
	if len(begun()) != 2 {
		t.Error("after the one that was given up comes none")
	}
	d.do(Written{ID: begun()[0]})
	d.do(Written{ID: begun()[1], Err: errors.New("no memory")})
	if len(begun()) != 3 || d.s.Notice == nil || !strings.Contains(d.s.Notice.Title, "no memory") {
		t.Errorf("a failure is not told, or the next does not come: %+v", d.s.Notice)
	}
	d.do(Written{ID: begun()[2]})
	if d.s.WritingSays() != "" || !strings.Contains(d.s.Announcement, "is written") {
		t.Errorf("in the end %q, %q", d.s.WritingSays(), d.s.Announcement)
	}
}

// TestResultJobByJob: a result that is written job by job has the bytes of one that is marshalled as a whole, and none
// of its texts is taken for a list.
func TestResultJobByJob(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	r := message.Result{Engine: `x "jobs": []`, ScenarioID: "y"}
	for n := range 4 {
		if n > 0 {
			lane := d.s.Result.Lanes[n%2].Meta
			lane.Params = map[string]any{"jobs": []int{}, "a": `"jobs": []`}
			if n == 3 {
				lane.Jobs = nil
			}
			r.Runs = append(r.Runs, lane)
		}
		want, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := share.ResultJSON(&got, r, nil); err != nil || got.String() != string(want)+"\n" {
			t.Errorf("%d lanes: %v\n%s\nwant\n%s", n, err, got.String(), want)
		}
		if n > 0 {
			if err := share.ResultJSON(broken{}, r, nil); err == nil {
				t.Error("a failure to write is not told")
			}
		}
	}
	var b bytes.Buffer
	err := share.JobsCSV(&b, d.s.Result, unit.Told(func(int) {}))
	if err != nil || strings.Count(b.String(), "\n") != 13 {
		t.Errorf("%v\n%s", err, b.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
