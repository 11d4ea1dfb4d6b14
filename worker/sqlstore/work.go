package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"hadarlab/worker/queue"
)

const (
	// keepWork is how many later arrivals an ended piece of work stays to be asked about.
	keepWork = 5000
	// mostAskers is how many of those who want one piece of work are told apart. Beyond it nobody can end it any more.
	mostAskers = 1000
	// mostLease is longer than any lease: one that ends later was given by a clock that was ahead.
	mostLease = 5 * 60 * 1000
	// lost is how long after it should have come a message counts as lost while others come.
	lost = 10 * 60 * 1000
)

// live are the states of work that has not ended.
const live = ` state IN ('queued', 'running') `

// Work is looked at by its group, ?4 to ?5 without that, and with all of its kind, that of classes apart from others.
const (
	ofGroup = ` owner >= ?4 AND owner < ?5 `
	ofKind  = ` size > 0 AND (owner >= 'class ' AND owner < 'class!') = ?6 `
)

// turnSQL finds the turn of more work of an owner: the first from base on in which its group has less than PerTurn.
const turnSQL = `WITH
	base (turn) AS (SELECT max(coalesce((SELECT min(turn) FROM work WHERE state = 'queued'), 0),
		coalesce((SELECT max(turn) + 1 FROM work WHERE owner = ?3 AND` + live + `), 0))),
	held (turn, n) AS (SELECT work.turn, count(*) FROM work, base WHERE state = 'queued' AND` + ofGroup + `
		AND work.turn >= base.turn GROUP BY work.turn),
	fits (turn) AS (SELECT min(turn) FROM (SELECT turn FROM base UNION SELECT turn + 1 FROM held) AS each
		WHERE coalesce((SELECT n FROM held WHERE held.turn = each.turn), 0) < ?7)`

// joinSQL gives work that waits to who joins it, where it comes earlier so: nobody makes others wait by asking for the
// same before them.
const joinSQL = turnSQL + ` UPDATE work SET owner = ?3, turn = (SELECT turn FROM fits) WHERE id = ?1 AND state = 'queued'
	AND turn > (SELECT turn FROM fits)`

// askSQL adds work where Limits allow it.
const askSQL = turnSQL + `,
	of_kind (n, bytes) AS (SELECT count(*), coalesce(sum(size), 0) FROM work WHERE state = 'queued' AND` + ofKind + `),
	of_group (n, bytes) AS (SELECT count(*), coalesce(sum(size), 0) FROM work WHERE state = 'queued' AND size > 0
		AND` + ofGroup + `)
	INSERT INTO work (id, kind, state, owner, turn, size, created_ms, askers, status, body)
	SELECT ?1, ?2, 'queued', ?3, fits.turn, ?8, ?9, ?10, ?11, ?12 FROM fits, of_kind, of_group
	WHERE of_group.n < min(?13, ?14 - of_kind.n) AND of_group.bytes + ?8 <= min(?15, ?16 - of_kind.bytes)
		AND (SELECT count(*) FROM work WHERE state = 'queued' AND size > 0 AND owner = ?3) < ?17
	ON CONFLICT (id) DO UPDATE SET seq = (SELECT max(seq) + 1 FROM work), state = 'queued', owner = excluded.owner,
		turn = excluded.turn, size = excluded.size, lease_ms = 0, attempts = 0, result = '', askers = excluded.askers,
		status = excluded.status, body = excluded.body WHERE work.state NOT IN ('queued', 'running')`

// Ask implements queue.Table.
func (s *work) Ask(ctx context.Context, w queue.Work, asker string, lim queue.Limits, nowMS int64) error {
	group := queue.GroupOf(w.Owner)
	from, to, class := group+"/", group+"0", flag(queue.ForClasses(w.Owner)) // '0' comes after '/'
	places, bytes := lim.Group(w.Owner)
	// The two statements exclude each other; only between them can another change what they found.
	for range 3 {
		joined, err := s.exec(ctx, `UPDATE work SET askers = CASE WHEN instr(askers, '*') > 0 THEN askers
			WHEN length(askers) < ? THEN askers || ? ELSE askers || '*' END WHERE id = ? AND askers <> '' AND`+live,
			mostAskers*len(key(asker)), key(asker), w.ID)
		if err == nil && joined > 0 {
			_, err = s.exec(ctx, joinSQL, w.ID, w.Kind, w.Owner, from, to, class, queue.PerTurn)
		}
		if err != nil || joined > 0 {
			return wrap("ask for work", w.ID, err)
		}
		added, err := s.exec(ctx, askSQL, w.ID, w.Kind, w.Owner, from, to, class, queue.PerTurn, len(w.Body), nowMS,
			key(asker), w.Status, w.Body, places, lim.Places, bytes, lim.Bytes, lim.Client(w.Owner))
		if err != nil || added > 0 {
			return wrap("ask for work", w.ID, err)
		}
		var state string
		var full bool
		err = s.row(ctx, `SELECT coalesce((SELECT CASE WHEN askers = '' THEN 'leaving' ELSE state END FROM work
			WHERE id = ?1), ''), (SELECT count(*) >= ?2 OR coalesce(sum(size), 0) > ?3 FROM work WHERE state = 'queued'
			AND`+strings.ReplaceAll(ofKind, "?6", "?4")+`) AND (SELECT count(*) FROM work WHERE state = 'queued' AND size > 0
			AND owner = ?5) < ?6`, w.ID, lim.Places, lim.Bytes-len(w.Body), class, w.Owner, lim.Client(w.Owner))(
			&state, &full)
		switch {
		case err != nil:
			return wrap("ask for work", w.ID, err)
		case state == "leaving":
			return queue.ErrLeaving
		case state == queue.Queued || state == queue.Running:
			continue // it came in between: join it
		case !full:
			return queue.ErrGreedy
		}
	}
	return queue.ErrFull
}

// key is how an asker stands in its column.
func key(asker string) string { return "(" + asker + ")" }

// Take implements queue.Table.
func (s *work) Take(ctx context.Context, id, holder string, nowMS, leaseMS int64) (w queue.Work, err error) {
	const next = `id = (SELECT id FROM work WHERE state = 'queued'%s ORDER BY turn, seq LIMIT 1) AND state = 'queued'`
	which := fmt.Sprintf(next, "")
	switch id {
	case "":
	case queue.Class:
		which = fmt.Sprintf(next, ` AND owner >= 'class ' AND owner < 'class!'`)
	default:
		which = `id = ?3 AND (state = 'queued' OR state = 'running' AND (lease_ms < ?4 OR lease_ms > ?5))`
	}
	whole, _ := queue.PartOf(id)
	err = s.change(ctx, `UPDATE work SET state = 'running', holder = ?1, lease_ms = ?2, attempts = attempts + 1
		WHERE `+which+` RETURNING id, kind, state, owner, attempts, status, result, CASE size WHEN 0 THEN
			coalesce((SELECT body FROM work AS whole WHERE whole.id = ?6), '') ELSE body END`,
		holder, leaseMS, id, nowMS, nowMS+mostLease, whole)(
		&w.ID, &w.Kind, &w.State, &w.Owner, &w.Attempts, &w.Status, &w.Result, &w.Body)
	return w, none(wrap("take work", id, err))
}

// Renew implements queue.Table.
func (s *work) Renew(ctx context.Context, id, holder string, w queue.Work, nowMS int64) (bool, error) {
	const old = ` FROM work AS old WHERE old.id = ?1 AND old.state = 'running' AND old.holder = ?2 AND old.askers <> ''`
	n, err := s.exec(ctx, `UPDATE work SET askers = CASE WHEN length(askers) < ?4 THEN askers || (SELECT askers`+old+`)
		ELSE askers || '*' END WHERE id = ?3 AND askers <> '' AND`+live+`AND EXISTS (SELECT 1`+old+`)`,
		id, holder, w.ID, mostAskers*len(key(queue.Hash(""))))
	if err == nil && n == 0 {
		n, err = s.exec(ctx, `INSERT INTO work (id, kind, state, owner, turn, size, created_ms, askers, status, body)
			SELECT ?3, kind, 'queued', owner, turn, size, ?4, askers, ?5, body`+old+`
			ON CONFLICT (id) DO UPDATE SET seq = (SELECT max(seq) + 1 FROM work), state = 'queued', owner = excluded.owner,
			turn = excluded.turn, size = excluded.size, lease_ms = 0, attempts = 0, result = '', askers = excluded.askers,
			status = excluded.status, body = excluded.body WHERE work.state NOT IN ('queued', 'running')`,
			id, holder, w.ID, nowMS, w.Status)
	}
	return n > 0, wrap("renew work", id, err)
}

// Note implements queue.Table.
func (s *work) Note(ctx context.Context, id, holder, status string, leaseMS int64) (held, wanted bool, err error) {
	err = s.change(
		ctx,
		`UPDATE work SET lease_ms = ?, status = ? WHERE id = ? AND state = 'running' AND holder = ? RETURNING askers <> ''`,
		leaseMS, status, id, holder)(&wanted)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	return err == nil, wanted, wrap("note work", id, err)
}

// End implements queue.Table. What ended long ago goes with it, but for parts of what goes on.
func (s *work) End(ctx context.Context, id, holder, state, status, result string) (bool, error) {
	n, err := s.exec(ctx, `UPDATE work SET state = ?, status = ?, result = ?, body = '', size = 0, owner = '', holder = '', lease_ms = 0
		WHERE id = ? AND state = 'running' AND holder = ?`, state, status, result, id, holder)
	if err != nil || n == 0 {
		return false, wrap("end work", id, err)
	}
	_, err = s.exec(ctx, `DELETE FROM work WHERE seq <= (SELECT max(seq) FROM work) - ? AND NOT`+live+`AND NOT EXISTS
		(SELECT 1 FROM work AS whole WHERE whole.id = substr(work.id, 1, instr(work.id, '-') - 1) AND`+
		strings.ReplaceAll(live, "state", "whole.state")+`)`, keepWork)
	return true, wrap("drop old work", id, err)
}

// Fail implements queue.Table.
func (s *work) Fail(ctx context.Context, id, status string, nowMS int64) (bool, error) {
	n, err := s.exec(ctx, `UPDATE work SET state = 'failed', status = ?, body = '', size = 0, owner = '', holder = '', lease_ms = 0
		WHERE id = ? AND (state = 'queued' OR state = 'running' AND lease_ms < ?)`, status, id, nowMS)
	return n > 0, wrap("fail work", id, err)
}

// Leave implements queue.Table.
func (s *work) Leave(ctx context.Context, id, asker string, atOnce bool) (state string, last bool, err error) {
	ends := `(state = 'queued' OR ?3) AND replace(askers, ?1, '') = ''`
	err = s.change(ctx, `UPDATE work SET askers = replace(askers, ?1, ''),
		state = CASE WHEN `+ends+` THEN 'cancelled' ELSE state END, body = CASE WHEN `+ends+` THEN '' ELSE body END,
		owner = CASE WHEN `+ends+` THEN '' ELSE owner END
		WHERE id = ?2 AND (instr(askers, ?1) > 0 OR instr(askers, '*') > 0) AND`+live+`RETURNING state, askers = ''`,
		key(asker), id, atOnce)(&state, &last)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return state, last, wrap("leave work", id, err)
	}
	// It has ended, or is being ended: who goes back on it once more waits with the last.
	err = none(wrap("leave work", id, s.row(ctx, `SELECT state, askers = '' FROM work WHERE id = ?`, id)(&state,
		&last)))
	if err == nil && !last && (state == queue.Queued || state == queue.Running) {
		err = queue.ErrForeign
	}
	return state, last, err
}

// Find implements queue.Table.
func (s *work) Find(ctx context.Context, id string) (queue.Work, error) {
	w := queue.Work{ID: id}
	err := s.row(ctx, `SELECT kind, state, owner, attempts, status, result FROM work WHERE id = ?`, id)(
		&w.Kind, &w.State, &w.Owner, &w.Attempts, &w.Status, &w.Result)
	return w, none(wrap("find work", id, err))
}

// Waiting implements queue.Table.
func (s *work) Waiting(ctx context.Context) (out []queue.Work, err error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT id, kind, state, owner, attempts, status FROM work WHERE state = 'queued' ORDER BY turn, seq`)
	if err != nil {
		return nil, wrap("list work", "", err)
	}
	defer rows.Close()
	for rows.Next() {
		var w queue.Work
		if err := rows.Scan(&w.ID, &w.Kind, &w.State, &w.Owner, &w.Attempts, &w.Status); err != nil {
			return nil, wrap("list work", "", err)
		}
		out = append(out, w)
	}
	return out, wrap("list work", "", rows.Err())
}

// GiveBack implements queue.Table.
func (s *work) GiveBack(ctx context.Context, holder string, untilMS int64) error {
	return s.requeue(ctx, 1, untilMS, `holder = ?`, holder)
}

// Reclaim implements queue.Table.
func (s *work) Reclaim(ctx context.Context, nowMS int64) error {
	ahead := nowMS
	if ahead < math.MaxInt64-mostLease {
		ahead += mostLease
	}
	return s.requeue(ctx, 0, 0, `(lease_ms < ? OR lease_ms > ?)`, nowMS, ahead)
}

func (s *work) requeue(ctx context.Context, uncounted int, untilMS int64, which string, args ...any) error {
	_, err := s.exec(ctx, `UPDATE work SET state = CASE askers WHEN '' THEN 'cancelled' ELSE 'queued' END,
		body = CASE askers WHEN '' THEN '' ELSE body END, owner = CASE askers WHEN '' THEN '' ELSE owner END, holder = '', attempts = attempts - ?, lease_ms = ?
		WHERE state = 'running' AND `+which, append([]any{uncounted, untilMS}, args...)...)
	return wrap("put work back", "", err)
}

func wrap(what, id string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %s %s: %w", what, id, err)
}

func none(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return queue.ErrNone
	}
	return err
}
