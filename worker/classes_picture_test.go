//go:build !js

package worker_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	course "hadarlab/core/class"
	"hadarlab/scenarios"
	"hadarlab/worker/runs"
)

// TestPicturesForPhones: of every assignment that comes with the page the runs are a picture that a phone can pay for,
// with the figures that the board has, and to nobody but a student from the run on. Of more jobs and lanes than a
// server runs at once there is none: the lab shows them.
func TestPicturesForPhones(t *testing.T) {
	n := newNative(t, runs.Options{Store: newStore(t)}, false)
	for _, id := range scenarios.Assignments {
		c := answerOf[course.Created](t, do(n, "POST", "/api/v1/classes", `{"assignment":"`+id+`"}`), 201)
		l := &lesson{t, n, "/api/v1/classes/" + c.Code, c.Key}
		s := l.join()
		if w := l.as(s.Token, "GET", "/picture", ""); w.Code != 409 {
			t.Errorf("%s: before the run the picture is %d", id, w.Code)
		}
		l.phase(course.Run)
		if w := l.as("", "GET", "/picture", ""); w.Code != 403 {
			t.Errorf("%s: without a token the picture is %d", id, w.Code)
		}
		doc, _ := scenarios.Assignment(id)
		if a, _ := course.Parse(doc); a.Document().JobCount()*len(a.Document().Scenario.Policies) > 400 {
			if w := l.as(s.Token, "GET", "/picture", ""); w.Code != 204 {
				t.Errorf("%s: the picture of so many jobs is %d", id, w.Code)
			}
			continue
		}
		p := answerOf[course.Drawing](t, l.as(s.Token, "GET", "/picture", ""), 200)
		if len(p.SVG) == 0 || len(p.SVG) > course.MaxPicture ||
			!strings.Contains(p.SVG, `aria-label="`+p.Lanes[0].Title) {
			t.Errorf("%s: the picture of %+v has %d bytes: %.300s", id, p.Lanes, len(p.SVG), p.SVG)
		}
		for in := xml.NewDecoder(strings.NewReader(p.SVG)); ; {
			if _, err := in.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: the picture is no XML: %v", id, err)
				break
			}
		}
		if to := os.Getenv("HADARLAB_PICTURES"); to != "" { // for people to look at
			if err := os.WriteFile(filepath.Join(to, id+".svg"), []byte(p.SVG), 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestReadyIsCounted once for each student who is there, and told to the board; another device of theirs is not ready.
func TestReadyIsCounted(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", `{"assignment":"hadar-vs-gavel"}`), 201)
			l := &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
			one, two := l.join(), l.join()
			ready := func(token string, want int) {
				t.Helper()
				if w := l.as(token, "POST", "/ready", ""); w.Code != want {
					t.Errorf("ready is answered %d: %s", w.Code, w.Body)
				}
			}
			count := func(want int) int64 {
				t.Helper()
				u := answerOf[course.Update](t, l.as(l.key, "GET", "/board", ""), 200)
				if u.State.Counts.Ready != want || u.State.Counts.Joined > 2 {
					t.Errorf("%+v are counted, %d ready", u.State.Counts, want)
				}
				return u.State.Seq
			}
			ready(one.Token, 204)
			ready("", 403)
			seq := count(1)
			ready(one.Token, 204)
			if now := count(1); now != seq {
				t.Error("who is ready already is news")
			}
			ready(two.Token, 204)
			count(2)
			pass := answerOf[course.Pass](t, l.as(l.key, "POST", "/students/1/pass", ""), 201)
			l.as("", "POST", "/recover", `{"code":"`+pass.Code+`"}`)
			count(1)
			ready(one.Token, 403)
		})
	}
}
