package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
	"hadarlab/scenarios"
	"hadarlab/worker/class"
)

// NewClasses returns the classes that a table keeps. With a runner submissions are run again, and listeners are told
// of changes as they come.
func NewClasses(table class.Table, runner *Runner, now func() time.Time) *class.Service {
	pool := runner != nil && runner.Send == nil
	s := class.New(table, lab.Engine, lab.Defaults(), now, pool)
	switch {
	case pool:
		verify(s, runner)
	case runner != nil:
		v := &verifier{classes: s, runner: runner}
		s.Verify = func(d class.Due) { v.settle(context.Background(), d) }
	}
	return s
}

// classRoutes are the part of routes that is about classes.
func (s *server) classRoutes() map[string]http.HandlerFunc {
	const one = "/api/v1/classes/{code}"
	type handler = func(http.ResponseWriter, *http.Request, class.Row)
	opened := func(h handler) http.HandlerFunc { return s.onClass(s.Classes.Open, h) }
	teacher := func(h handler) http.HandlerFunc { return s.onClass(s.Classes.Teacher, h) }
	routes := map[string]http.HandlerFunc{
		"POST /api/v1/classes":               s.postClass,
		"GET " + one:                         opened(s.getClass),
		"GET " + one + "/events":             opened(s.classEvents),
		"GET " + one + "/assignment":         s.getAssignment,
		"POST " + one + "/students":          opened(s.join),
		"GET " + one + "/me":                 s.asStudent(s.getMe),
		"POST " + one + "/entries":           s.asStudent(s.hand),
		"GET " + one + "/board":              teacher(s.getBoard),
		"PATCH " + one:                       teacher(s.patchClass),
		"POST " + one + "/students/{n}/pass": teacher(s.postPass),
		"POST " + one + "/recover":           opened(s.recover),
		"DELETE " + one + "/students":        teacher(s.removeStudents),
		"DELETE " + one + "/students/{n}":    teacher(s.removeStudent),
		"GET " + one + "/students.csv":       teacher(s.getTable("students.csv", studentsCSV)),
		"GET " + one + "/attempts.csv":       teacher(s.getTable("attempts.csv", attemptsCSV)),
		"GET " + one + "/record.json":        teacher(s.getTable("record.json", recordJSON)),
		"PUT " + one + "/verdicts/{seq}":     teacher(s.putVerdict),
		"DELETE " + one:                      teacher(s.deleteClass),
	}
	for route, h := range routes {
		routes[route] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			if s.Classes == nil {
				problem(w, r, http.StatusNotFound, "this server holds no classes")
				return
			}
			h(w, r)
		}
	}
	return routes
}

// asker is who asks: never more of an address than its network.
func (s *server) asker(r *http.Request) class.Asker {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return class.Asker{Token: token, Prefix: network(s.Address(r))}
}

// network is the first 24 bits of an address, or the first 48 of one of IPv6.
func network(address string) string {
	if at, err := netip.ParseAddrPort(address); err == nil {
		address = at.Addr().String()
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := 48
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		bits = 24
	}
	p, _ := ip.Prefix(bits) // of as many bits as it has
	return p.String()
}

// finds is how a request comes to its class: class.Service's Open or Teacher.
type finds func(ctx context.Context, code string, who class.Asker) (class.Row, error)

func (s *server) onClass(find finds, h func(http.ResponseWriter, *http.Request, class.Row)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		row, err := find(r.Context(), r.PathValue("code"), s.asker(r))
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		h(w, r, row)
	}
}

func (s *server) asStudent(h func(http.ResponseWriter, *http.Request, class.Row, course.Student)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who := s.asker(r)
		row, st, err := s.Classes.Student(r.Context(), r.PathValue("code"), who)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		if s.Runner != nil {
			if wait := s.Runner.clients.Draw(studentOwner(row.Code, st.N), 1, s.Now()); wait > 0 {
				tooMany(w, r, wait)
				return
			}
		}
		h(w, r, row, st)
	}
}

// failClass answers what a class refuses.
func (s *server) failClass(w http.ResponseWriter, r *http.Request, err error) {
	var no *class.Refusal
	switch {
	case errors.As(err, &no):
	case errors.Is(err, class.ErrNone):
		no = &class.Refusal{Why: class.NoClass, Code: "no-class", Detail: "there is no such class, or no longer"}
	default:
		s.fail(w, r, err)
		return
	}
	status := map[class.Why]int{class.NoClass: 404, class.Slow: 429, class.Foreign: 403, class.Conflict: 409,
		class.Bad: 422, class.Crowded: 503}[no.Why]
	if no.Wait > 0 {
		later(w, no.Wait)
	}
	errs := no.Errors
	if errs == nil {
		errs = text.Diagnostics{text.Error("", no.Code, words.Own(no.Detail), words.Text{})}
	}
	problem(w, r, status, no.Detail, errs...)
}

// postClass begins a class on a shipped assignment or on one that is sent. What is right is found out at once.
func (s *server) postClass(w http.ResponseWriter, r *http.Request) {
	body, done, ok := s.readKept(w, r, course.MaxBytes+1024)
	if !ok {
		return
	}
	defer done()
	var named struct{ Assignment json.RawMessage }
	var id string
	if err := json.Unmarshal(body, &named); err != nil || len(named.Assignment) == 0 {
		problem(w, r, http.StatusBadRequest,
			`the body is not a request for a class: send {"assignment": "`+scenarios.Assignments[0]+`"}, or a document`)
		return
	}
	if json.Unmarshal(named.Assignment, &id) == nil {
		if named.Assignment, ok = scenarios.Assignment(id); !ok {
			problem(w, r, http.StatusUnprocessableEntity, "there is no assignment with this id; there are "+
				strings.Join(scenarios.Assignments, ", "))
			return
		}
	}
	a, diags := course.Parse(named.Assignment)
	if a == nil {
		problem(w, r, http.StatusUnprocessableEntity, "the assignment has faults", diags.Errors()...)
		return
	}
	if err := s.Classes.MayBegin(r.Context(), s.asker(r).Prefix); err != nil {
		s.failClass(w, r, err)
		return
	}
	c, err := BeginClass(r.Context(), s.Classes, a, named.Assignment, s.RunSize, s.RunSlices, s.Yield)
	if err == nil {
		err = s.Classes.Host(r.Context(), c.Code, s.asker(r).Prefix)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/v1/classes/"+c.Code)
	writeJSON(w, r, http.StatusCreated, c)
}

// BeginClass begins a class on the assignment in doc, with what a run of its scenario says is right, where the run is
// within bounds.
func BeginClass(ctx context.Context, classes *class.Service, a *course.Assignment, doc []byte, size, slices int,
	yield func()) (course.Created, error) {
	var lanes []message.Lane
	if d := a.Document(); d.JobCount()*len(d.Scenario.Policies) <= size {
		lanes = runOnce(a.Scenario, slices, yield)
	}
	return classes.Begin(ctx, a, doc, a.Truth(lanes))
}

// runOnce runs a small scenario and gives its lanes in the order of policies; none if one cannot run, or takes too
// long.
func runOnce(scenario []byte, slices int, yield func()) (lanes []message.Lane) {
	session := lab.NewBatch()
	session.Bound(8 << 20)
	if diags := session.Start(&message.RunRequest{Scenario: scenario}); diags.HasErrors() {
		return nil
	}
	for more := true; more; slices-- {
		if slices == 0 {
			return nil
		}
		var msgs []*message.Message
		msgs, more = session.Spend(SliceEvents)
		for _, m := range msgs {
			if m.Failure != nil {
				return nil
			}
			if m.Lane != nil {
				lanes = append(lanes, *m.Lane)
			}
		}
		yield()
	}
	if session.Full() {
		return nil
	}
	return lanes
}

func (s *server) getClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	st, err := s.Classes.State(r.Context(), row)
	s.answerClass(w, r, http.StatusOK, st, err)
}

// answerClass answers with v, or with what went wrong.
func (s *server) answerClass(w http.ResponseWriter, r *http.Request, status int, v any, err error) {
	switch {
	case err != nil:
		s.failClass(w, r, err)
	case v == nil:
		w.WriteHeader(status)
	default:
		writeJSON(w, r, status, v)
	}
}

// classEvents streams how a class stands: now, and whenever that changes. Where nothing outlives its request it tells
// it once, and when to come again.
func (s *server) classEvents(w http.ResponseWriter, r *http.Request, row class.Row) {
	hub := s.Classes.Hub
	if hub == nil {
		st, err := s.Classes.State(r.Context(), row)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		out := openStream(w)
		if r.Method == http.MethodHead {
			return
		}
		out.write("retry: %d\n\n", st.PollMS)
		out.send("message", st)
		return
	}
	defer hub.Listen(row.Code)()
	st, next, err := hub.Look(row.Code)
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	out := openStream(w)
	if r.Method == http.MethodHead {
		return
	}
	out.write("retry: 1000\n\n")
	out.send("message", st)
	pulse := time.NewTicker(beat)
	defer pulse.Stop()
	for {
		select {
		case <-next:
			if st, next, err = hub.Look(row.Code); err != nil {
				return // it is gone: who comes back hears so
			}
			out.send("message", st)
		case <-pulse.C:
			out.write(": here\n\n")
		case <-r.Context().Done():
			return
		case <-s.Runner.stopped: // the next server goes on
			return
		}
	}
}

func (s *server) getAssignment(w http.ResponseWriter, r *http.Request) {
	code, who := r.PathValue("code"), s.asker(r)
	row, err := s.Classes.Teacher(r.Context(), code, who)
	var student *course.Student
	if no := (*class.Refusal)(nil); errors.As(err, &no) && no.Why == class.Foreign {
		var st course.Student
		row, st, err = s.Classes.Student(r.Context(), code, who)
		student = &st
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	a, err := s.Classes.Assignment(r.Context(), row, student)
	s.answerClass(w, r, http.StatusOK, a, err)
}

func (s *server) join(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in struct{ Tag string }
	if !s.admitNetwork(w, r) || !s.readClass(w, r, 4<<10, &in) {
		return
	}
	j, err := s.Classes.Join(r.Context(), row, in.Tag, s.asker(r))
	s.answerClass(w, r, http.StatusCreated, j, err)
}

func (s *server) recover(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in struct{ Code string }
	if !s.admitNetwork(w, r) || !s.readClass(w, r, 4<<10, &in) {
		return
	}
	j, err := s.Classes.Recover(r.Context(), row, in.Code, s.asker(r))
	s.answerClass(w, r, http.StatusOK, j, err)
}

// readClass reads a body; if it is not ok the problem has been answered.
func (s *server) readClass(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	body, ok := readJSON(w, r, limit)
	if !ok {
		return false
	}
	if err := json.Unmarshal(body, into); err != nil {
		problem(w, r, http.StatusBadRequest, "the body is not what is sent here: "+err.Error())
		return false
	}
	return true
}

func (s *server) getMe(w http.ResponseWriter, r *http.Request, row class.Row, st course.Student) {
	me, err := s.Classes.Me(r.Context(), row, st)
	s.answerClass(w, r, http.StatusOK, me, err)
}

func (s *server) hand(w http.ResponseWriter, r *http.Request, row class.Row, st course.Student) {
	var in course.Handed
	if !s.readClass(w, r, course.MaxBytes+32<<10, &in) {
		return
	}
	if in.Kind == course.Submission {
		done, ok := s.reads(w, r, studentOwner(row.Code, st.N))
		if !ok {
			return
		}
		defer done()
	}
	e, err := s.Classes.Hand(r.Context(), row, st, in)
	s.answerClass(w, r, http.StatusCreated, e, err)
}

func (s *server) getBoard(w http.ResponseWriter, r *http.Request, row class.Row) {
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	if err != nil && r.URL.Query().Get("after") != "" {
		problem(w, r, http.StatusBadRequest, "after is the seq of an earlier answer, or is left out")
		return
	}
	u, err := s.Classes.Board(r.Context(), row, after)
	s.answerClass(w, r, http.StatusOK, u, err)
}

func (s *server) patchClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	var in course.Settings
	if !s.readClass(w, r, 16<<10, &in) {
		return
	}
	err := s.Classes.Set(r.Context(), row, in)
	var st course.State
	if err == nil {
		st, err = s.Classes.Fresh(r.Context(), row.Code)
	}
	s.answerClass(w, r, http.StatusOK, st, err)
}

// number is a part of the path that counts; 0 counts nothing.
func number(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func (s *server) postPass(w http.ResponseWriter, r *http.Request, row class.Row) {
	p, err := s.Classes.Pass(r.Context(), row, int(number(r, "n")))
	s.answerClass(w, r, http.StatusCreated, p, err)
}

func (s *server) removeStudent(w http.ResponseWriter, r *http.Request, row class.Row) {
	err := s.Classes.Remove(r.Context(), row, int(number(r, "n")))
	s.answerClass(w, r, http.StatusNoContent, nil, err)
}

// removeStudents takes out all who joined since a moment.
func (s *server) removeStudents(w http.ResponseWriter, r *http.Request, row class.Row) {
	since, err := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64)
	if err != nil || since < 0 {
		problem(w, r, http.StatusBadRequest,
			"since is a time in milliseconds, as joined_ms of students: all who joined then or later are removed")
		return
	}
	n, err := s.Classes.RemoveSince(r.Context(), row, since)
	s.answerClass(w, r, http.StatusOK, map[string]int64{"removed": n}, err)
}

// getTable answers with a record in a form of its own, to be kept as a file.
func (s *server) getTable(name string,
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
		writeBytes(w, r, http.StatusOK, kind, form(record, r.URL.Query().Get("names") != "0"))
	}
}

func studentsCSV(r *course.Record, named bool) []byte { return r.StudentsCSV(named, clock) }
func attemptsCSV(r *course.Record, named bool) []byte { return r.AttemptsCSV(named, clock) }

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

func (s *server) putVerdict(w http.ResponseWriter, r *http.Request, row class.Row) {
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

func (s *server) deleteClass(w http.ResponseWriter, r *http.Request, row class.Row) {
	s.answerClass(w, r, http.StatusNoContent, nil, s.Classes.Drop(r.Context(), row))
}
