//go:build !js

package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	course "hadarlab/core/class"
)

// code is what the first finding of a refusal is called.
func code(w *httptest.ResponseRecorder) string {
	var p struct{ Errors []struct{ Code string } }
	if json.Unmarshal(w.Body.Bytes(), &p) != nil || len(p.Errors) == 0 {
		return w.Body.String()
	}
	return p.Errors[0].Code
}

// list gives the class a list of tags.
func (l *lesson) list(tags ...string) *httptest.ResponseRecorder {
	l.t.Helper()
	body, err := json.Marshal(map[string]any{"tags": append([]string{}, tags...)})
	if err != nil {
		l.t.Fatal(err)
	}
	return l.as(l.key, "PATCH", "", string(body))
}

// TestOnlyListedTagsJoin: with a list only its tags join, capitals or not, each once; who comes with a tag that is in
// the class is told so, and the teacher sees it once; who is removed frees the tag.
func TestOnlyListedTagsJoin(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			l := begin(t, h)
			early := l.join()
			joins := func(tag string) *httptest.ResponseRecorder {
				return do(h, "POST", l.path+"/students", fmt.Sprintf(`{"tag":%q}`, tag))
			}
			refused := func(tag, want string) {
				t.Helper()
				if w := joins(tag); w.Code != 409 || code(w) != want {
					t.Errorf("tag %q: %d %s, want %s", tag, w.Code, code(w), want)
				}
			}
			logged := func() (n int) {
				for _, e := range l.board(0).Entries {
					if e.Text == course.TagAgain {
						n++
					}
				}
				return n
			}
			if st := answerOf[course.State](t, l.list(" Ab1 ", "", "b2", "c%3"), 200); !st.Listed {
				t.Fatal("the state does not say that there is a list")
			}
			if tags := l.board(0).Tags; tags == nil || !slices.Equal(*tags, []string{"Ab1", "b2", "c%3"}) {
				t.Errorf("the board has %v", tags)
			}
			for _, tag := range []string{"", "row 3", "ab", "1", "Ab1 b2", "Ab1\u2028b2"} {
				if w := joins(tag); w.Code != 409 && w.Code != 422 {
					t.Errorf("tag %q: %d %s", tag, w.Code, w.Body)
				}
			}
			refused("row 3", "tag-not-listed")
			one := answerOf[course.Joined](t, joins("ab1 "), 201)
			if one.Student.Tag != "Ab1" {
				t.Errorf("the tag is kept as %q", one.Student.Tag)
			}
			seq := l.board(0).State.Seq
			if l.board(seq).Tags != nil {
				t.Error("the list comes though it has not changed")
			}
			refused("AB1", "tag-taken")
			refused("Ab1", "tag-taken")
			if n := logged(); n != 1 {
				t.Errorf("the log says %d times that the tag came again", n)
			}
			pass := answerOf[course.Pass](t, l.as(l.key, "POST", "/students/2/pass", ""), 201)
			back := answerOf[course.Joined](t, do(h, "POST", l.path+"/recover", `{"code":"`+pass.Code+`"}`), 200)
			if back.Student.N != one.Student.N || l.as(one.Token, "GET", "/me", "").Code != 403 {
				t.Errorf("came back as %+v", back.Student)
			}
			refused("Ab1", "tag-taken")
			if n := logged(); n != 2 {
				t.Errorf("after the student came back the log says %d times that the tag came again", n)
			}
			if w := l.as(l.key, "DELETE", "/students/2", ""); w.Code != 204 {
				t.Fatal(w.Code)
			}
			if again := answerOf[course.Joined](t, joins("Ab1"), 201); again.Student.N == 2 {
				t.Errorf("the removed student came back: %+v", again.Student)
			}
			answerOf[course.State](t, l.list("d4"), 200)
			refused("b2", "tag-not-listed")
			answerOf[course.Joined](t, joins("d4"), 201)
			if w := l.as(early.Token, "GET", "/me", ""); w.Code != 200 {
				t.Errorf("who came before the list: %d", w.Code)
			}
			if st := answerOf[course.State](t, l.list(), 200); st.Listed {
				t.Error("there is still a list")
			}
			if tags := l.board(0).Tags; tags == nil || len(*tags) != 0 {
				t.Errorf("after the list is lifted the board has %v", tags)
			}
			answerOf[course.Joined](t, joins(""), 201)
		})
	}
}

// TestTagsStandInNoOpenAnswer: no answer to students or to who has the code alone has a tag in it, but a student's
// own.
func TestTagsStandInNoOpenAnswer(t *testing.T) {
	for home, h := range homes(t) {
		l := begin(t, h)
		answerOf[course.State](t, l.list("secret-one", "secret-two"), 200)
		one := answerOf[course.Joined](t, do(h, "POST", l.path+"/students", `{"tag":"secret-one"}`), 201)
		do(h, "POST", l.path+"/students", `{"tag":"secret-one"}`)
		l.phase(course.Run)
		for _, op := range classRequests {
			method, path, _ := strings.Cut(op.op, " ")
			if op.token == "key" || method != "GET" || home == "native" && path == "/events" {
				continue
			}
			w := l.as(map[string]string{"student": one.Token}[op.token], method, path, "")
			text := strings.ReplaceAll(w.Body.String(), `"tag":"secret-one"`, "")
			if strings.Contains(text, "secret-") {
				t.Errorf("%s: %s tells a tag: %s", home, op.op, text)
			}
		}
	}
}

// TestFaultsOfLists: a list with faults is refused line by line, and the one that stood stays.
func TestFaultsOfLists(t *testing.T) {
	h := homes(t)["edge"]
	l := begin(t, h)
	answerOf[course.State](t, l.list("a", "b"), 200)
	many := make([]string, course.MaxStudents+1)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	for want, tags := range map[string][]string{"same-tag": {"x", "y", "X "}, "bad-tag": {"x", strings.Repeat("é", 21)},
		"too-many-tags": many} {
		if w := l.list(tags...); w.Code != 422 || code(w) != want {
			t.Errorf("want %s, got %d %.300s", want, w.Code, w.Body)
		}
	}
	if tags := *l.board(0).Tags; !slices.Equal(tags, []string{"a", "b"}) {
		t.Errorf("the list is %v", tags)
	}
	answerOf[course.State](t, l.list(many[:course.MaxStudents]...), 200)
}

// TestNobodyFillsAListedClass: 1,000 joins from another address without a tag of the list take no place.
func TestNobodyFillsAListedClass(t *testing.T) {
	t.Parallel()
	for home, h := range homes(t) {
		l := begin(t, h)
		tags := make([]string, 60)
		for i := range tags {
			tags[i] = fmt.Sprintf("m%03d", i)
		}
		answerOf[course.State](t, l.list(tags...), 200)
		for i := range 1000 {
			w := from(h, fmt.Sprintf("203.0.113.%d:1", i%250), "POST", l.path+"/students", `{"tag":"guess"}`)
			if w.Code != 409 && w.Code != 429 {
				t.Fatalf("%s: %d %s", home, w.Code, w.Body)
			}
		}
		for _, tag := range tags {
			if w := from(h, "192.0.2.1:1", "POST", l.path+"/students", `{"tag":"`+tag+`"}`); w.Code != 201 {
				t.Fatalf("%s: tag %s: %d %s", home, tag, w.Code, w.Body)
			}
		}
		if n := l.board(0).State.Counts.Joined; n != 60 {
			t.Errorf("%s: %d have joined", home, n)
		}
	}
}

// TestAssistants: the assistants' key opens, of all that takes the class's key, the board and the exports, and changes
// the wall alone; a new one ends the old, and the teacher can take it back.
func TestAssistants(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			l := begin(t, h)
			l.join()
			if l.board(0).Assistants {
				t.Error("there is a key of assistants that nobody made")
			}
			first := answerOf[course.Created](t, l.as(l.key, "POST", "/assistant", ""), 201)
			made := answerOf[course.Created](t, l.as(l.key, "POST", "/assistant", ""), 201)
			if u := l.board(0); !u.Assistants {
				t.Errorf("the teacher's board: %+v", u)
			}
			if w := l.as(first.Key, "GET", "/board", ""); w.Code != 403 {
				t.Errorf("the key of before opens the board: %d", w.Code)
			}
			reads := []string{"GET /board", "GET /students.csv", "GET /attempts.csv", "GET /moves.csv",
				"GET /record.json"}
			replace := strings.NewReplacer("{n}", "1", "{seq}", "1")
			for _, op := range classRequests {
				if op.token != "key" {
					continue
				}
				method, path, _ := strings.Cut(op.op, " ")
				want := 403
				if slices.Contains(reads, op.op) {
					want = 200
				}
				if w := l.as(made.Key, method, replace.Replace(path), op.body); w.Code != want {
					t.Errorf("%s: %d, want %d: %s", op.op, w.Code, want, w.Body)
				}
			}
			for body, want := range map[string]int{
				`{"wall":{"shows":"question"}}`: 200, `{"wall":{"shows":"lanes"}}`: 409,
				`{"wall":{"shows":"join"},"locked":true}`: 403, `{"locked":true}`: 403, `{"tags":["x"]}`: 403,
				`{"minutes":5}`: 403, `{"revealed":[]}`: 403, `{"lab_locked":false}`: 403} {
				if w := l.as(made.Key, "PATCH", "", body); w.Code != want {
					t.Errorf("PATCH %s: %d, want %d: %s", body, w.Code, want, w.Body)
				}
			}
			u := answerOf[course.Update](t, l.as(made.Key, "GET", "/board", ""), 200)
			if u.State.Wall.Shows != "question" || u.State.Locked || u.State.Phase != course.Lobby ||
				len(u.Students) != 1 {
				t.Errorf("the assistant's board: %+v", u)
			}
			whole := answerOf[course.Assignment](t, l.as(made.Key, "GET", "/assignment", ""), 200)
			if whole.Plan[0].Teacher == "" {
				t.Error("assistants do not see what is for the teacher")
			}
			if w := l.as(l.key, "DELETE", "/assistant", ""); w.Code != 204 {
				t.Fatal(w.Code)
			}
			if w := l.as(made.Key, "GET", "/board", ""); w.Code != 403 || l.board(0).Assistants {
				t.Errorf("the key that was taken back opens the board: %d", w.Code)
			}
		})
	}
}
