package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	course "hadarlab/core/class"
	"hadarlab/worker/class"
)

// latest is the seq of the last change in class ?1, and so its index on every table: none is read through.
const latest = `max((SELECT coalesce(max(seq), 0) FROM classes WHERE id = ?1),
	(SELECT coalesce(max(seq), 0) FROM students WHERE class = ?1),
	(SELECT coalesce(max(seq), 0) FROM entries WHERE class = ?1))`

// noRow turns what SQL says of no row into what a class.Table says.
func noRow(what, code string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return class.ErrNone
	}
	return wrap(what, code, err)
}

// hit says whether a statement changed a row.
func hit(what, code string, n int64, err error) error {
	if err == nil && n == 0 {
		return class.ErrNone
	}
	return wrap(what, code, err)
}

// AddClass implements class.Table.
func (s *lessons) AddClass(ctx context.Context, r class.Row, assignment string, most int, sinceMS int64) error {
	n, err := s.exec(ctx, `INSERT INTO classes (id, seq, key, seed, engine, content, title, assignment, truth, phase,
			since_ms, ends_ms, revealed, created_ms, revs, told_ms, lab_locked, wall, opens_ms, closes_ms)
		SELECT ?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?16, ?17, ?18, ?19, ?20, ?21
		WHERE (SELECT count(*) FROM classes WHERE created_ms > ?14) < ?15 ON CONFLICT (id) DO NOTHING`,
		r.Code, r.Key, r.Seed, r.Engine, r.Content, r.Title, assignment, r.Truth, string(r.Phase), r.SinceMS, r.EndsMS,
		r.Revealed, r.CreatedMS, sinceMS, most, r.Revs, r.ToldMS, flag(r.LabLocked),
		r.Wall, r.OpensMS, r.ClosesMS)
	if err != nil || n > 0 {
		return wrap("add class", r.Code, err)
	}
	if _, err := s.GetClass(ctx, r.Code); errors.Is(err, class.ErrNone) {
		return class.ErrFull
	}
	return class.ErrNone
}

// aClass are the columns of a class.Row.
const aClass = `id, seq, key, seed, engine, content, title, truth, phase, since_ms, ends_ms, locked <> 0, revealed,
	created_ms, revs, told_ms, lab_locked <> 0, wall, opens_ms, closes_ms, assistant, tags <> ''`

func places(r *class.Row) []any {
	return []any{&r.Code, &r.RowSeq, &r.Key, &r.Seed, &r.Engine, &r.Content, &r.Title, &r.Truth, &r.Phase, &r.SinceMS,
		&r.EndsMS, &r.Locked, &r.Revealed, &r.CreatedMS, &r.Revs, &r.ToldMS, &r.LabLocked, &r.Wall, &r.OpensMS,
		&r.ClosesMS, &r.Assistant, &r.Listed}
}

// GetClass implements class.Table.
func (s *lessons) GetClass(ctx context.Context, code string) (r class.Row, err error) {
	err = s.row(ctx, `SELECT `+aClass+`, `+latest+` FROM classes WHERE id = ?1`, code)(append(places(&r), &r.Seq)...)
	return r, noRow("get class", code, err)
}

// Assignment implements class.Table.
func (s *lessons) Assignment(ctx context.Context, code string) (doc string, err error) {
	err = s.row(ctx, `SELECT assignment FROM classes WHERE id = ?`, code)(&doc)
	return doc, noRow("get class", code, err)
}

// SetClass implements class.Table.
func (s *lessons) SetClass(ctx context.Context, r class.Row) error {
	n, err := s.exec(ctx, `UPDATE classes SET seq = 1 + `+latest+`, phase = ?2, since_ms = ?3, ends_ms = ?4, locked = ?5,
		revealed = ?6, told_ms = ?8, lab_locked = ?9, wall = ?10, opens_ms = ?11, closes_ms = ?12
		WHERE id = ?1 AND seq = ?7`, r.Code, string(r.Phase), r.SinceMS, r.EndsMS, flag(r.Locked), r.Revealed, r.RowSeq,
		r.ToldMS, flag(r.LabLocked), r.Wall, r.OpensMS, r.ClosesMS)
	return hit("set class", r.Code, n, err)
}

// flag is a bool as every database has it.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// SetKey implements class.Table.
func (s *lessons) SetKey(ctx context.Context, code, key string) error {
	n, err := s.exec(ctx, `UPDATE classes SET key = ? WHERE id = ?`, key, code)
	return hit("set the key of class", code, n, err)
}

// SetAssistant implements class.Table.
func (s *lessons) SetAssistant(ctx context.Context, code, key string) error {
	n, err := s.exec(ctx, `UPDATE classes SET seq = 1 + `+latest+`, assistant = ?2 WHERE id = ?1`, code, key)
	return hit("set the assistants' key of class", code, n, err)
}

// SetTags implements class.Table. No tag has a line end in it.
func (s *lessons) SetTags(ctx context.Context, code string, tags []string) error {
	list := ""
	if len(tags) > 0 {
		list = "\n" + strings.Join(tags, "\n") + "\n"
	}
	n, err := s.exec(ctx, `UPDATE classes SET seq = 1 + `+latest+`, tags = ?2 WHERE id = ?1`, code, list)
	return hit("set the tags of class", code, n, err)
}

// Tags implements class.Table.
func (s *lessons) Tags(ctx context.Context, code string) (tags []string, err error) {
	var list string
	if err = s.row(ctx, `SELECT tags FROM classes WHERE id = ?`, code)(&list); err != nil || list == "" {
		return []string{}, noRow("get the tags of class", code, err)
	}
	return strings.Split(strings.Trim(list, "\n"), "\n"), nil
}

// DropClass implements class.Table. The class goes first, so that nothing more comes in.
func (s *lessons) DropClass(ctx context.Context, code string) error {
	for _, q := range []string{`DELETE FROM classes WHERE id = ?`, `DELETE FROM students WHERE class = ?`,
		`DELETE FROM entries WHERE class = ?`, `DELETE FROM passes WHERE class = ?`} {
		if _, err := s.exec(ctx, q, code); err != nil {
			return wrap("drop class", code, err)
		}
	}
	return nil
}

// Classes implements class.Table.
func (s *lessons) Classes(ctx context.Context) ([]class.Row, error) {
	return rows(ctx, s.base, `SELECT `+aClass+` FROM classes ORDER BY created_ms DESC, id`, func(r *class.Row) []any {
		return places(r)
	})
}

// rows reads all rows of a query.
func rows[T any](ctx context.Context, s *base, query string, into func(*T) []any, args ...any) ([]T, error) {
	out := []T{}
	all, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrap("read", "classes", err)
	}
	defer all.Close()
	for all.Next() {
		var row T
		if err := all.Scan(into(&row)...); err != nil {
			return nil, wrap("read", "classes", err)
		}
		out = append(out, row)
	}
	return out, wrap("read", "classes", all.Err())
}

// ExpireClasses implements class.Table.
func (s *lessons) ExpireClasses(ctx context.Context, beforeMS, emptyMS, nowMS, latestMS int64) (gone int64, err error) {
	gone, err = s.exec(ctx, `DELETE FROM classes WHERE created_ms < ?1 OR created_ms < ?2 AND closes_ms < ?2 AND
		NOT EXISTS (SELECT 1 FROM students WHERE class = classes.id)`, beforeMS, emptyMS)
	for _, q := range []string{`DELETE FROM students WHERE class NOT IN (SELECT id FROM classes)`,
		`DELETE FROM entries WHERE class NOT IN (SELECT id FROM classes)`,
	} {
		if err == nil {
			_, err = s.exec(ctx, q)
		}
	}
	for _, table := range []string{"passes", "guesses"} {
		if err == nil {
			_, err = s.exec(ctx, `DELETE FROM `+table+` WHERE ends_ms <= ? OR ends_ms > ?`, nowMS, latestMS+apart)
		}
	}
	return gone, wrap("expire", "classes", err)
}

// AddStudent implements class.Table.
func (s *lessons) AddStudent(ctx context.Context, code, token, tag string, most int, sinceMS, nowMS int64) (n int,
	seq, joinedMS int64, err error) {
	err = s.change(ctx, `INSERT INTO students (class, n, seq, token, tag, joined_ms)
		SELECT ?1, (SELECT coalesce(max(n), 0) + 1 FROM students WHERE class = ?1), 1 + `+latest+`, ?2, ?3,
			max(?4, (SELECT coalesce(max(joined_ms), 0) FROM students WHERE class = ?1)) FROM classes
		WHERE id = ?1 AND locked = 0 AND phase <> 'closed' AND (created_ms >= ?5 AND closes_ms = 0 OR closes_ms > ?4)
			AND (SELECT count(*) FROM students WHERE class = ?1 AND removed = 0) < ?6
			AND (SELECT coalesce(max(n), 0) FROM students WHERE class = ?1) < 10 * ?6
			AND (tags = '' OR instr(tags, char(10) || ?3 || char(10)) > 0 AND ?3 <> ''
				AND NOT EXISTS (SELECT 1 FROM students WHERE class = ?1 AND tag = ?3 AND removed = 0)) RETURNING n, seq, joined_ms`,
		code, token, tag, nowMS, sinceMS, most)(&n, &seq, &joinedMS)
	return n, seq, joinedMS, noRow("join class", code, err)
}

// aStudent are the columns of a student, who gets a name elsewhere.
const aStudent = `n, seq, tag, joined_ms, removed <> 0`

func seats(st *course.Student) []any {
	return []any{&st.N, &st.Seq, &st.Tag, &st.JoinedMS, &st.Removed}
}

// FindStudent implements class.Table.
func (s *lessons) FindStudent(ctx context.Context, code, token string) (st course.Student, kept string, err error) {
	err = s.row(ctx, `SELECT `+aStudent+`, token FROM students
		WHERE class = ? AND token = ? AND removed = 0`, code, token)(
		append(seats(&st), &kept)...)
	return st, kept, noRow("find a student of class", code, err)
}

// SetToken implements class.Table.
func (s *lessons) SetToken(ctx context.Context, code string, n int, token string) (st course.Student, err error) {
	err = s.change(ctx, `UPDATE students SET token = ?2, ready = 0, seq = 1 + `+latest+` WHERE class = ?1 AND n = ?3
		AND removed = 0
		RETURNING `+aStudent, code, token, n)(seats(&st)...)
	return st, noRow("set a token in class", code, err)
}

// SetReady implements class.Table.
func (s *lessons) SetReady(ctx context.Context, code string, n int) (bool, error) {
	marked, err := s.exec(ctx, `UPDATE students SET ready = 1, seq = 1 + `+latest+` WHERE class = ?1 AND n = ?2
		AND removed = 0 AND ready = 0`, code, n)
	return marked > 0, wrap("mark a student of class", code, err)
}

// RemoveStudent implements class.Table.
func (s *lessons) RemoveStudent(ctx context.Context, code string, n int) error {
	_, err := s.exec(ctx, `UPDATE students SET removed = 1, seq = 1 + `+latest+` WHERE class = ?1 AND n = ?2
		AND removed = 0`, code, n)
	return wrap("remove a student of class", code, err)
}

// RemoveSince implements class.Table.
func (s *lessons) RemoveSince(ctx context.Context, code string, sinceMS int64) (int64, error) {
	n, err := s.exec(ctx, `UPDATE students SET removed = 1, seq = 1 + `+latest+` WHERE class = ?1 AND joined_ms >= ?2
		AND removed = 0`, code, sinceMS)
	return n, wrap("remove students of class", code, err)
}

// Students implements class.Table.
func (s *lessons) Students(ctx context.Context, code string, after int64) ([]course.Student, error) {
	return rows(ctx, s.base, `SELECT `+aStudent+` FROM students WHERE class = ? AND seq > ? ORDER BY n`, seats, code, after)
}

// AddEntry implements class.Table.
func (s *lessons) AddEntry(ctx context.Context, code string, n int, e course.Entry) (seq int64, err error) {
	body, err := json.Marshal(e.Body)
	if err != nil {
		return 0, err
	}
	err = s.change(ctx, `INSERT INTO entries (class, student, n, seq, kind, at_ms, phase, hash, verdict, body)
		SELECT ?1, ?2, ?3, 1 + `+latest+`, ?4, ?5, ?6, ?7, ?8, ?9 FROM classes, students
		WHERE classes.id = ?1 AND phase = ?6 AND (closes_ms = 0 OR ?5 >= opens_ms AND ?5 < closes_ms)
			AND students.class = ?1 AND students.n = ?2 AND removed = 0
		ON CONFLICT (class, student, n) DO NOTHING RETURNING seq`,
		code, e.Student, n, e.Kind, e.AtMS, string(e.Phase), e.Hash, e.Verdict, string(body))(&seq)
	return seq, noRow("add to class", code, err)
}

// entry is a course.Entry with its body as text, and its class.
type entry struct {
	course.Entry
	code, body string
}

func (e *entry) places() []any {
	return []any{&e.code, &e.Student, &e.Seq, &e.Kind, &e.AtMS, &e.Phase, &e.Hash, &e.Verdict, &e.body}
}

const anEntry = `SELECT class, student, seq, kind, at_ms, phase, hash, verdict, body FROM entries `

// entries reads entries by a query.
func (s *lessons) entries(ctx context.Context, where string, args ...any) ([]entry, error) {
	all, err := rows(ctx, s.base, anEntry+where, (*entry).places, args...)
	for i := range all {
		if err == nil {
			err = wrap("read an entry of class", all[i].code, json.Unmarshal([]byte(all[i].body), &all[i].Body))
		}
	}
	return all, err
}

// Entries implements class.Table.
func (s *lessons) Entries(ctx context.Context, code string, student int, after int64) ([]course.Entry, error) {
	where, args := `WHERE class = ? AND seq > ? ORDER BY seq`, []any{code, after}
	if student != 0 {
		where, args = `WHERE class = ? AND student = ? AND seq > ? ORDER BY n`, []any{code, student, after}
	}
	all, err := s.entries(ctx, where, args...)
	out := []course.Entry{}
	for i := range all {
		out = append(out, all[i].Entry)
	}
	return out, err
}

// SetVerdict implements class.Table.
func (s *lessons) SetVerdict(ctx context.Context, code string, seq int64, verdict string, b course.Body) error {
	body, err := json.Marshal(b)
	if err != nil {
		return err
	}
	n, err := s.exec(ctx, `UPDATE entries SET seq = 1 + `+latest+`, verdict = ?2, body = ?3 WHERE class = ?1 AND seq = ?4
		AND verdict = 'pending'`, code, verdict, string(body), seq)
	return hit("judge in class", code, n, err)
}

// Pending implements class.Table.
func (s *lessons) Pending(ctx context.Context) (out []class.Due, err error) {
	all, err := s.entries(ctx, `AS e WHERE verdict = 'pending' AND NOT EXISTS (SELECT 1 FROM entries WHERE class = e.class
		AND student = e.student AND kind = e.kind AND n > e.n) ORDER BY at_ms, class, seq`)
	for i := range all {
		out = append(out, class.Due{Code: all[i].code, Entry: all[i].Entry})
	}
	return out, err
}

// Counts implements class.Table.
func (s *lessons) Counts(ctx context.Context, code string) (c course.Counts, err error) {
	err = s.row(ctx, `SELECT (SELECT count(*) FROM students WHERE class = ?1 AND removed = 0),
		(SELECT count(*) FROM students WHERE class = ?1 AND removed = 0 AND ready = 1),
		coalesce(sum(kind = 'answers'), 0), coalesce(sum(kind = 'vote'), 0), coalesce(sum(kind = 'sentence'), 0),
		coalesce(sum(kind = 'submission'), 0)
		FROM (SELECT DISTINCT kind, student FROM entries JOIN students ON students.class = ?1 AND students.n = student
			WHERE entries.class = ?1 AND removed = 0)`, code)(&c.Joined, &c.Ready, &c.Committed, &c.Voted, &c.Explained,
		&c.Submitted)
	return c, wrap("count in class", code, err)
}

// AddPass implements class.Table.
func (s *lessons) AddPass(ctx context.Context, code string, n int, pass string, endsMS int64) error {
	_, err := s.exec(ctx, `INSERT OR REPLACE INTO passes (class, student, code, ends_ms) VALUES (?, ?, ?, ?)`,
		code, n, pass,
		endsMS)
	return wrap("add a pass to class", code, err)
}

// TakePass implements class.Table.
func (s *lessons) TakePass(ctx context.Context, code, pass string, nowMS int64) (n int, err error) {
	err = s.change(ctx, `DELETE FROM passes WHERE class = ? AND code = ? AND ends_ms > ? RETURNING student`, code, pass,
		nowMS)(&n)
	return n, noRow("take a pass of class", code, err)
}

// apart is by how much, in ms, requests that are served at once may differ in the time that it is for them: what one
// has just written is not of a clock that was ahead for another.
const apart = int64(time.Minute / time.Millisecond)

// Salt implements class.Table.
func (s *lessons) Salt(ctx context.Context, fresh string, nowMS, endsMS int64) (salt string, err error) {
	const kept = `SELECT substr(who, 6) FROM guesses WHERE who >= 'salt ' AND who < 'salt!' AND ends_ms > ? AND ends_ms <= ?
		ORDER BY ends_ms DESC, who LIMIT 1`
	err = s.row(ctx, kept, nowMS, endsMS+apart)(&salt)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = s.exec(ctx, `INSERT INTO guesses (who, failed, ends_ms) VALUES (?, 0, ?) ON CONFLICT (who) DO NOTHING`,
			"salt "+fresh, endsMS)
		if err == nil {
			err = s.row(ctx, kept, nowMS, endsMS+apart)(&salt)
		}
	}
	return salt, wrap("read the salt", "", err)
}

// Guesses implements class.Table.
func (s *lessons) Guesses(ctx context.Context, who, known string, nowMS, latestMS int64) (failed int, endsMS int64,
	knows bool, err error) {
	err = s.row(ctx, `SELECT coalesce(max(CASE WHEN who = ?1 THEN failed END), 0),
		coalesce(max(CASE WHEN who = ?1 THEN ends_ms END), 0), coalesce(sum(who = ?2), 0) > 0 FROM guesses
		WHERE who IN (?1, ?2) AND ends_ms > ?3 AND (who = ?2 OR ends_ms <= ?4)`, who, known, nowMS,
		latestMS+apart)(&failed, &endsMS, &knows)
	return failed, endsMS, knows, wrap("read guesses", "", err)
}

// Failed implements class.Table.
func (s *lessons) Failed(ctx context.Context, who string, nowMS, endsMS int64) error {
	_, err := s.exec(ctx, `INSERT INTO guesses (who, failed, ends_ms) VALUES (?1, 1, ?2) ON CONFLICT (who) DO UPDATE SET
		failed = CASE WHEN ends_ms > ?3 AND ends_ms <= ?4 THEN failed + 1 ELSE 1 END,
		ends_ms = CASE WHEN ends_ms > ?3 AND ends_ms <= ?4 THEN ends_ms ELSE ?2 END`,
		who, endsMS, nowMS, endsMS+apart)
	return wrap("count a guess", "", err)
}

// Know implements class.Table.
func (s *lessons) Know(ctx context.Context, known string, endsMS int64) error {
	_, err := s.exec(ctx, `INSERT OR REPLACE INTO guesses (who, failed, ends_ms) VALUES (?, 0, ?)`, known, endsMS)
	return wrap("remember a network", "", err)
}
