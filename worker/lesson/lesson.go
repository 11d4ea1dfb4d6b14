// Package lesson is classes over HTTP: what a teacher and students ask, and what is answered. Who may do what in a
// class is class.Service's.
package lesson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/scenarios"
	"hadarlab/worker/answer"
	"hadarlab/worker/class"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
)

// API answers what is asked about classes.
type API struct {
	answer.Faults
	Gate *gate.Gate
	// Classes are those that are held here, nil = none are.
	Classes *class.Service
	// Truth runs the scenario of an assignment.
	Truth Truth
	// Picture runs it too and draws that in a language, nil where it cannot be drawn; a nil one draws nothing.
	Picture func(a *course.Assignment, language string) *course.Drawing
	// Stopped is closed when listeners are to go; nil = never.
	Stopped <-chan struct{}

	drawing  sync.Mutex                 // who asks meanwhile takes what is drawn now
	pictures map[string]*course.Drawing // by language and the assignment's ContentID; nil = it cannot be drawn
}

// Truth runs the scenario of an assignment and gives its lanes in the order of policies; none if that cannot run, or
// takes too long. After an error the class does not begin.
type Truth func(ctx context.Context, a *course.Assignment) ([]message.Lane, error)

// Routes are the methods and paths of the interface that this answers.
func (s *API) Routes() map[string]http.HandlerFunc {
	const one = "/api/v1/classes/{code}"
	type handler = func(http.ResponseWriter, *http.Request, class.Row)
	opened := func(h handler) http.HandlerFunc { return s.onClass(s.Classes.Open, h) }
	teacher := func(h handler) http.HandlerFunc { return s.onClass(s.Classes.Teacher, h) }
	staff := func(h handler) http.HandlerFunc { return s.onClass(s.staff().Find, h) }
	routes := map[string]http.HandlerFunc{
		"POST /api/v1/classes":               s.postClass,
		"GET " + one:                         opened(s.getClass),
		"GET " + one + "/events":             opened(s.classEvents),
		"GET " + one + "/assignment":         s.getAssignment,
		"GET " + one + "/wall":               opened(s.getWall),
		"POST " + one + "/students":          opened(s.join),
		"GET " + one + "/me":                 s.asStudent(s.getMe),
		"POST " + one + "/ready":             s.asStudent(s.ready),
		"GET " + one + "/picture":            s.asStudent(s.getPicture),
		"POST " + one + "/entries":           s.asStudent(s.hand),
		"GET " + one + "/board":              staff(s.getBoard),
		"PATCH " + one:                       staff(s.patchClass),
		"POST " + one + "/students/{n}/pass": teacher(s.postPass),
		"POST " + one + "/recover":           opened(s.recover),
		"POST " + one + "/assistant":         teacher(s.postAssistant),
		"DELETE " + one + "/assistant":       teacher(s.deleteAssistant),
		"DELETE " + one + "/students":        teacher(s.removeStudents),
		"DELETE " + one + "/students/{n}":    teacher(s.removeStudent),
		"GET " + one + "/students.csv":       staff(s.getTable("students.csv", studentsCSV)),
		"GET " + one + "/attempts.csv":       staff(s.getTable("attempts.csv", attemptsCSV)),
		"GET " + one + "/moves.csv":          staff(s.getTable("moves.csv", movesCSV)),
		"GET " + one + "/record.json":        staff(s.getTable("record.json", recordJSON)),
		"PUT " + one + "/verdicts/{seq}":     teacher(s.putVerdict),
		"POST " + one + "/larger":            teacher(s.postLarger),
		"DELETE " + one + "/larger":          teacher(s.deleteLarger),
		"DELETE " + one:                      teacher(s.deleteClass),
	}
	for route, h := range routes {
		routes[route] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			if s.Classes == nil {
				answer.Refuse(w, r, http.StatusNotFound, "this server holds no classes")
				return
			}
			h(w, r)
		}
	}
	return routes
}

func (s *API) staff() class.Staff { return class.Staff{Classes: s.Classes} }

// asker is who asks: never more of an address than its network.
func (s *API) asker(r *http.Request) class.Asker {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return class.Asker{Token: token, Prefix: s.Gate.Network(r)}
}

// finds is how a request comes to its class: class.Service's Open or Teacher.
type finds func(ctx context.Context, code string, who class.Asker) (class.Row, error)

func (s *API) onClass(find finds, h func(http.ResponseWriter, *http.Request, class.Row)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		row, err := find(r.Context(), r.PathValue("code"), s.asker(r))
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		h(w, r, row)
	}
}

func (s *API) asStudent(h func(http.ResponseWriter, *http.Request, class.Row, course.Student)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who := s.asker(r)
		row, st, err := s.Classes.Student(r.Context(), r.PathValue("code"), who)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		if s.Gate.AdmitOwner(w, r, queue.ClassOwner(row.Code, st.N)) {
			h(w, r, row, st)
		}
	}
}

// failClass answers what a class refuses.
func (s *API) failClass(w http.ResponseWriter, r *http.Request, err error) {
	var no *class.Refusal
	switch {
	case errors.As(err, &no):
	case errors.Is(err, errTruth):
		s.Log.Error("a class cannot begin", "error", err)
		no = &class.Refusal{Reason: class.Crowded, Code: "no-simulator", Wait: 10 * time.Second,
			Detail: "the assignment cannot be run just now, so that the class would not know what is right; " +
				"send it again in a while"}
	case errors.Is(err, class.ErrNone):
		no = &class.Refusal{Reason: class.NoClass, Code: "no-class", Detail: "there is no such class, or no longer"}
	default:
		s.Fail(w, r, err)
		return
	}
	status := map[class.Reason]int{class.NoClass: 404, class.Slow: 429, class.Foreign: 403, class.Conflict: 409,
		class.Bad: 422, class.Crowded: 503}[no.Reason]
	if no.Wait > 0 {
		answer.Later(w, no.Wait)
	}
	errs := no.Errors
	if errs == nil {
		errs = jsondoc.Diagnostics{jsondoc.Error("", no.Code, words.Own(no.Detail), words.Text{})}
	}
	answer.Refuse(w, r, status, no.Detail, errs...)
}

// postClass begins a class on a shipped assignment or on one that is sent. What is right is found out at once.
func (s *API) postClass(w http.ResponseWriter, r *http.Request) {
	body, done, ok := s.Gate.ReadKept(w, r, course.MaxBytes+1024)
	if !ok {
		return
	}
	defer done()
	var named struct {
		Assignment json.RawMessage
		course.Hours
	}
	var id string
	if err := json.Unmarshal(body, &named); err != nil || len(named.Assignment) == 0 {
		answer.Refuse(w, r, http.StatusBadRequest,
			`the body is not a request for a class: send {"assignment": "`+scenarios.Assignments[0]+`"}, or a document`)
		return
	}
	if json.Unmarshal(named.Assignment, &id) == nil {
		if named.Assignment, ok = scenarios.Assignment(id); !ok {
			answer.Refuse(w, r, http.StatusUnprocessableEntity, "there is no assignment with this id; there are "+
				strings.Join(scenarios.Assignments, ", "))
			return
		}
	}
	a, diags := course.Parse(named.Assignment)
	if a == nil {
		answer.Refuse(w, r, http.StatusUnprocessableEntity, "the assignment has faults", diags.Errors()...)
		return
	}
	if err := s.Classes.MayBegin(r.Context(), s.asker(r).Prefix); err != nil {
		s.failClass(w, r, err)
		return
	}
	c, err := Begin(r.Context(), s.Classes, a, named.Assignment, s.Truth, named.Hours)
	if err == nil {
		err = s.Classes.Host(r.Context(), c.Code, s.asker(r).Prefix)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/v1/classes/"+c.Code)
	answer.JSON(w, r, http.StatusCreated, c)
}

// errTruth marks what kept a class from beginning that is nobody's fault who asked.
var errTruth = errors.New("lesson: what is right cannot be found out")

// Begin begins a class on the assignment in doc, with what a run of its scenario says is right; as a homework where
// there are hours.
func Begin(ctx context.Context, classes *class.Service, a *course.Assignment, doc []byte, truth Truth,
	hours course.Hours) (course.Created, error) {
	lanes, err := truth(ctx, a)
	if err != nil {
		return course.Created{}, fmt.Errorf("%w: %w", errTruth, err)
	}
	return classes.Begin(ctx, a, doc, a.Truth(lanes), hours)
}

func (s *API) getClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	st, err := s.Classes.State(r.Context(), row)
	s.answerClass(w, r, http.StatusOK, st, err)
}

// answerClass answers with v, or with what went wrong.
func (s *API) answerClass(w http.ResponseWriter, r *http.Request, status int, v any, err error) {
	switch {
	case err != nil:
		s.failClass(w, r, err)
	case v == nil:
		w.WriteHeader(status)
	default:
		answer.JSON(w, r, status, v)
	}
}

// classEvents streams how a class stands: now, and whenever that changes. Where nothing outlives its request it tells
// it once, and when to come again.
func (s *API) classEvents(w http.ResponseWriter, r *http.Request, row class.Row) {
	hub := s.Classes.Hub
	if hub == nil {
		st, err := s.Classes.State(r.Context(), row)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		out := answer.Stream(w)
		if r.Method == http.MethodHead {
			return
		}
		out.Printf("retry: %d\n\n", st.PollMS)
		out.Send("message", st)
		return
	}
	defer hub.Listen(row.Code)()
	st, next, err := hub.Look(row.Code)
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	out := answer.Stream(w)
	if r.Method == http.MethodHead {
		return
	}
	out.Printf("retry: 1000\n\n")
	out.Send("message", st)
	pulse := time.NewTicker(answer.Beat)
	defer pulse.Stop()
	for {
		select {
		case <-next:
			if st, next, err = hub.Look(row.Code); err != nil {
				return // it is gone: who comes back hears so
			}
			out.Send("message", st)
		case <-pulse.C:
			out.Printf(": here\n\n")
		case <-r.Context().Done():
			return
		case <-s.Stopped: // the next server goes on
			return
		}
	}
}

// getAssignment answers its teacher and assistants with the whole of it, and others, who have the code, with what
// students see.
func (s *API) getAssignment(w http.ResponseWriter, r *http.Request) {
	code, who := r.PathValue("code"), s.asker(r)
	row, err := s.staff().Find(r.Context(), code, who)
	no := (*class.Refusal)(nil)
	whole := !errors.As(err, &no) || no.Reason != class.Foreign
	if !whole {
		row, err = s.Classes.Open(r.Context(), code, who)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	a, err := s.Classes.Assignment(r.Context(), row, whole, who)
	s.answerClass(w, r, http.StatusOK, a, err)
}

func (s *API) join(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in struct{ Tag string }
	if !s.Gate.AdmitNetwork(w, r) || !s.readClass(w, r, 4<<10, &in) {
		return
	}
	j, err := s.Classes.Join(r.Context(), row, in.Tag, s.asker(r))
	s.answerClass(w, r, http.StatusCreated, j, err)
}

func (s *API) recover(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in struct{ Code string }
	if !s.Gate.AdmitNetwork(w, r) || !s.readClass(w, r, 4<<10, &in) {
		return
	}
	j, err := s.Classes.Recover(r.Context(), row, in.Code, s.asker(r))
	s.answerClass(w, r, http.StatusOK, j, err)
}

// readClass reads a body; if it is not ok the problem has been answered.
func (s *API) readClass(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	body, ok := answer.ReadJSON(w, r, limit)
	if !ok {
		return false
	}
	if err := json.Unmarshal(body, into); err != nil {
		answer.Refuse(w, r, http.StatusBadRequest, "the body is not what is sent here: "+err.Error())
		return false
	}
	return true
}

func (s *API) getMe(w http.ResponseWriter, r *http.Request, row class.Row, st course.Student) {
	me, err := s.Classes.Me(r.Context(), row, st)
	s.answerClass(w, r, http.StatusOK, me, err)
}

func (s *API) ready(w http.ResponseWriter, r *http.Request, row class.Row, st course.Student) {
	s.answerClass(w, r, http.StatusNoContent, nil, s.Classes.Ready(r.Context(), row, st))
}

// getPicture answers with the runs of the class as they came out when it began. Of another version's they are none.
func (s *API) getPicture(w http.ResponseWriter, r *http.Request, row class.Row, _ course.Student) {
	st, err := s.Classes.State(r.Context(), row)
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	if !st.Tells() {
		answer.Refuse(w, r, http.StatusConflict, "the runs are shown from the run on")
		return
	}
	var p *course.Drawing
	if s.Picture != nil && !st.Old {
		if p, err = s.picture(r.Context(), row, r.URL.Query().Get("lang")); err != nil {
			s.failClass(w, r, err)
			return
		}
	}
	if p == nil { // no fault of who asks: the lab shows the runs
		s.answerClass(w, r, http.StatusNoContent, nil, nil)
		return
	}
	s.answerClass(w, r, http.StatusOK, p, nil)
}

// picture is that of a class's assignment, drawn once for a whole class that asks at once.
func (s *API) picture(ctx context.Context, row class.Row, language string) (*course.Drawing, error) {
	a, err := s.Classes.Assignment(ctx, row, true, class.Asker{})
	if err != nil {
		return nil, err
	}
	s.drawing.Lock()
	defer s.drawing.Unlock()
	if language != "de" {
		language = "en"
	}
	key := language + " " + row.Content
	p, drawn := s.pictures[key]
	if !drawn {
		if p = s.Picture(a, language); s.pictures == nil || len(s.pictures) >= 64 {
			s.pictures = map[string]*course.Drawing{}
		}
		s.pictures[key] = p
	}
	return p, nil
}

func (s *API) hand(w http.ResponseWriter, r *http.Request, row class.Row, st course.Student) {
	var in course.Handed
	if !s.readClass(w, r, course.MaxBytes+32<<10, &in) {
		return
	}
	if in.Kind == course.Submission {
		done, ok := s.Gate.Reads(w, r, queue.ClassOwner(row.Code, st.N))
		if !ok {
			return
		}
		defer done()
	}
	e, err := s.Classes.Hand(r.Context(), row, st, in)
	s.answerClass(w, r, http.StatusCreated, e, err)
}

func (s *API) getBoard(w http.ResponseWriter, r *http.Request, row class.Row) {
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	if err != nil && r.URL.Query().Get("after") != "" {
		answer.Refuse(w, r, http.StatusBadRequest, "after is the seq of an earlier answer, or is left out")
		return
	}
	u, err := s.Classes.Board(r.Context(), row, after)
	s.answerClass(w, r, http.StatusOK, u, err)
}

func (s *API) getWall(w http.ResponseWriter, r *http.Request, row class.Row) {
	scene, err := s.Classes.Scene(r.Context(), row)
	s.answerClass(w, r, http.StatusOK, scene, err)
}

func (s *API) patchClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in course.Settings
	if !s.readClass(w, r, 128<<10, &in) { // a list of tags is the longest in it
		return
	}
	err := s.staff().May(row, s.asker(r), in)
	if err == nil {
		err = s.Classes.Set(r.Context(), row, in)
	}
	var st course.State
	if err == nil {
		st, err = s.Classes.Fresh(r.Context(), row.Code)
	}
	s.answerClass(w, r, http.StatusOK, st, err)
}

// postLarger has the larger run of a class worked on, and answers how the class stands then.
func (s *API) postLarger(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in course.Larger
	if !s.readClass(w, r, 16<<10, &in) {
		return
	}
	err := class.LargerRuns{Service: s.Classes}.Start(r.Context(), row, in)
	var st course.State
	if err == nil {
		st, err = s.Classes.Fresh(r.Context(), row.Code)
	}
	s.answerClass(w, r, http.StatusAccepted, st, err)
}

func (s *API) deleteLarger(w http.ResponseWriter, r *http.Request, row class.Row) {
	err := class.LargerRuns{Service: s.Classes}.Stop(r.Context(), row)
	s.answerClass(w, r, http.StatusNoContent, nil, err)
}

// number is a part of the path that counts; 0 counts nothing.
func number(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func (s *API) postPass(w http.ResponseWriter, r *http.Request, row class.Row) {
	p, err := s.Classes.Pass(r.Context(), row, int(number(r, "n")))
	s.answerClass(w, r, http.StatusCreated, p, err)
}

// postAssistant gives the assistants' key, which is told once.
func (s *API) postAssistant(w http.ResponseWriter, r *http.Request, row class.Row) {
	c, err := s.staff().NewKey(r.Context(), row)
	s.answerClass(w, r, http.StatusCreated, c, err)
}

func (s *API) deleteAssistant(w http.ResponseWriter, r *http.Request, row class.Row) {
	s.answerClass(w, r, http.StatusNoContent, nil, s.staff().DropKey(r.Context(), row))
}

func (s *API) removeStudent(w http.ResponseWriter, r *http.Request, row class.Row) {
	err := s.Classes.Remove(r.Context(), row, int(number(r, "n")))
	s.answerClass(w, r, http.StatusNoContent, nil, err)
}

// removeStudents takes out all who joined since a moment.
func (s *API) removeStudents(w http.ResponseWriter, r *http.Request, row class.Row) {
	since, err := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64)
	if err != nil || since < 0 {
		answer.Refuse(w, r, http.StatusBadRequest,
			"since is a time in milliseconds, as joined_ms of students: all who joined then or later are removed")
		return
	}
	n, err := s.Classes.RemoveSince(r.Context(), row, since)
	s.answerClass(w, r, http.StatusOK, map[string]int64{"removed": n}, err)
}

// getTable answers with a record in a form of its own, to be kept as a file.
func (s *API) getTable(name string,
	form func(*course.Record, bool) []byte) func(http.ResponseWriter, *http.Request, class.Row) {
	return func(w http.ResponseWriter, r *http.Request, row class.Row) {
		record, err := s.Classes.Record(r.Context(), row)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		w.Header().Set("Content-Disposition", `attachment; filename="class-`+row.Code+`-`+name+`"`)
		kind := "text/csv; charset=utf-8"
		if strings.HasSuffix(name, ".json") {
			kind = "application/json"
		}
		answer.Bytes(w, r, http.StatusOK, kind, form(record, r.URL.Query().Get("names") != "0"))
	}
}

func studentsCSV(r *course.Record, named bool) []byte { return r.StudentsCSV(named, clock) }
func attemptsCSV(r *course.Record, named bool) []byte { return r.AttemptsCSV(named, clock) }

func movesCSV(r *course.Record, _ bool) []byte { return r.MovesCSV() }

// clock is a time as spreadsheets read it, in UTC.
func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateTime) }

func recordJSON(r *course.Record, named bool) []byte {
	for i := range r.Students {
		if !named {
			r.Students[i].Name, r.Students[i].Tag = "", ""
		}
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		panic(err) // it was read from JSON
	}
	return append(b, '\n')
}

func (s *API) putVerdict(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in struct {
		Verdict string
		Lanes   []course.Lane
	}
	if !s.readClass(w, r, 32<<10, &in) {
		return
	}
	err := s.Classes.Judge(r.Context(), row, number(r, "seq"), in.Verdict, in.Lanes)
	s.answerClass(w, r, http.StatusNoContent, nil, err)
}

func (s *API) deleteClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	s.answerClass(w, r, http.StatusNoContent, nil, s.Classes.Drop(r.Context(), row))
}
