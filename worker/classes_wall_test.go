//go:build !js

package worker_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	course "hadarlab/core/class"
)

// TestWallFollowsTheRemote: what a teacher puts on the walls is what everybody with the code gets, phase by phase, and
// nothing else: no picture of the run before it, no change before it is shown, and no name beside what somebody did.
func TestWallFollowsTheRemote(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			l := begin(t, h)
			one, two := l.join(), l.join()
			wall := func() course.Scene {
				t.Helper()
				return answerOf[course.Scene](t, do(h, "GET", l.path+"/wall", ""), 200)
			}
			set := func(body string, status int) {
				t.Helper()
				if w := l.as(l.key, "PATCH", "", body); w.Code != status {
					t.Fatalf("%s: %d %s", body, w.Code, w.Body)
				}
			}
			if s := wall(); !slices.Equal(s.Names, []string{two.Student.Name, one.Student.Name}) || len(s.Tallies) > 0 {
				t.Errorf("in the lobby: %+v", s)
			}
			l.phase(course.Predict)
			if s := wall(); s.Names != nil || s.State.Wall.Picture(s.State.Phase) != course.QuestionPicture {
				t.Errorf("in predict: %+v", s)
			}
			for _, body := range []string{`{"wall":{"shows":"party"}}`, `{"wall":{"question":"none"}}`,
				`{"wall":{"larger":4}}`, `{"wall":{"change":[{"path":"/scenario/none","from":1,"to":2}]}}`,
				`{"wall":{"sentence":"` + strings.Repeat("ä", 501) + `"}}`} {
				set(body, 422)
			}
			for _, picture := range course.Pictures {
				if picture.Tells() {
					set(`{"wall":{"shows":"`+string(picture)+`"}}`, 409)
				}
			}
			set(`{"wall":{"question":"by","larger":2}}`, 200)
			if s := wall(); s.State.Wall.Question != "by" || s.State.Wall.Larger != 2 {
				t.Errorf("the second question, larger: %+v", s.State.Wall)
			}
			l.as(one.Token, "POST", "/entries", predicted)
			l.phase(course.Run)
			if s := wall(); !reflect.DeepEqual(s.State.Wall, course.Wall{Larger: 2}) ||
				len(s.Tallies) != len(usual(t).Questions) ||
				s.Tallies[0].Right == "" {
				t.Errorf("in the run: %+v", s)
			}
			set(`{"wall":{"shows":"sentence","sentence":"because of the gangs"}}`, 200)
			if s := wall(); s.State.Wall.Sentence != "because of the gangs" {
				t.Errorf("a sentence: %+v", s.State.Wall)
			}
			l.phase(course.Change)
			work := usual(t).Task.Works[0]
			sent := l.as(one.Token, "POST", "/entries", changed(t, work.Path, *work.To))
			made := answerOf[course.Entry](t, sent, 201)
			if s := wall(); s.Tries != nil {
				t.Errorf("changes before they are shown: %+v", s.Tries)
			}
			set(`{"wall":{"shows":"changes"}}`, 200)
			if s := wall(); len(s.Tries) != 1 || s.Tries[0].Seq < made.Seq || s.Tries[0].Student != 1 ||
				len(s.Tries[0].Lanes) != 2 || s.Tries[0].Hash != "" || s.Podium != nil {
				t.Errorf("changes: %+v", s)
			}
			l.phase(course.Closed)
			if s := wall(); len(s.Podium) == 0 || !slices.Contains(s.Podium[0].Names, one.Student.Name) ||
				s.Podium[0].Score < 1 || slices.ContainsFunc(s.Podium, func(p course.Place) bool {
				return slices.Contains(p.Names, two.Student.Name)
			}) {
				t.Errorf("podium: %+v", s.Podium)
			}
		})
	}
}
