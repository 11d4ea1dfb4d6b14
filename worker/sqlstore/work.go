package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"hadarlab/worker/queue"
)

const (
	// keepWork is how many later arrivals an ended piece of work stays to be asked about.
	keepWork = 5000
	// mostAskers is how many of those who want one piece of work are told apart. Beyond it nobody can end it any more.
	mostAskers = 1000
	// mostLease is longer than any lease: one that ends later was given by a clock that was ahead.
	mostLease = 60 * 60 * 1000
	// lost is how long after it should have come a message counts as lost while others come.
	lost = 10 * 60 * 1000
)

// live are the states of work that has not ended.
const live = ` state IN ('queued', 'running') `

// Ask implements queue.Table.
func (s *Store) Ask(ctx context.Context, w queue.Work, asker string, lim queue.Limits, nowMS int64) error {
	// The two statements exclude each other; only between them can another change what they found.
	for range 3 {
		joined, err := s.exec(ctx, `UPDATE work SET askers = CASE WHEN instr(askers, '*') > 0 THEN askers
			WHEN length(askers) < ? THEN askers || ? ELSE askers || '*' END WHERE id = ? AND askers <> '' AND`+live,
			mostAskers*len(key(asker)), key(asker), w.ID)
		if err != nil || joined > 0 {
			return wrap("ask for work", w.ID, err)
		}
		added, err := s.exec(ctx, `INSERT INTO work (id, kind, state, owner, turn, size, created_ms, askers, status, body)
			SELECT ?1, ?2, 'queued', ?3, max(coalesce((SELECT min(turn) FROM work WHERE state = 'queued'), 0),
				coalesce((SELECT max(turn) + 1 FROM work WHERE owner = ?3 AND`+live+`), 0)), ?4, ?5, ?6, ?7, ?8
			WHERE (SELECT count(*) FROM work WHERE state = 'queued' AND size > 0) < ?9
				AND (SELECT count(*) FROM work WHERE state = 'queued' AND owner = ?3) < ?10
				AND (SELECT coalesce(sum(size), 0) FROM work WHERE state = 'queued') <= ?11 - ?4
			ON CONFLICT (id) DO UPDATE SET seq = (SELECT max(seq) + 1 FROM work), state = 'queued', owner = excluded.owner, turn = excluded.turn, size = excluded.size,
				lease_ms = 0, attempts = 0, result = '', askers = excluded.askers, status = excluded.status, body = excluded.body
				WHERE work.state NOT IN ('queued', 'running')`,
			w.ID, w.Kind, w.Owner, len(w.Body), nowMS, key(asker), w.Status, w.Body, lim.Places, lim.Each, lim.Bytes)
		if err != nil || added > 0 {
			return wrap("ask for work", w.ID, err)
		}
		var state string
		var greedy bool
		err = s.row(ctx, `SELECT coalesce((SELECT CASE WHEN askers = '' THEN 'leaving' ELSE state END FROM work WHERE id = ?), ''),
			(SELECT count(*) FROM work WHERE state = 'queued' AND owner = ?) >= ?`, w.ID, w.Owner, lim.Each)(&state, &greedy)
		switch {
		case err != nil:
			return wrap("ask for work", w.ID, err)
		case state == "leaving":
			return queue.ErrLeaving
		case state == queue.Queued || state == queue.Running:
			continue // it came in between: join it
		case greedy:
			return queue.ErrGreedy
		}
	}
	return queue.ErrFull
}

// key is how an asker stands in its column.
func key(asker string) string { return "(" + asker + ")" }

// Take implements queue.Table.
func (s *Store) Take(ctx context.Context, id, holder string, nowMS, leaseMS int64) (w queue.Work, err error) {
	which := `id = (SELECT id FROM work WHERE state = 'queued' ORDER BY turn, seq LIMIT 1) AND state = 'queued'`
	if id != "" {
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

// Note implements queue.Table.
func (s *Store) Note(ctx context.Context, id, holder, status string, leaseMS int64) (held, wanted bool, err error) {
	err = s.change(
		ctx,
		`UPDATE work SET lease_ms = ?, status = ? WHERE id = ? AND state = 'running' AND holder = ? RETURNING askers <> ''`,
		leaseMS, status, id, holder)(&wanted)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	return err == nil, wanted, wrap("note work", id, err)
}

// End implements queue.Table. What ended long ago goes with it.
func (s *Store) End(ctx context.Context, id, holder, state, status, result string) (bool, error) {
	n, err := s.exec(ctx, `UPDATE work SET state = ?, status = ?, result = ?, body = '', size = 0, holder = '', lease_ms = 0
		WHERE id = ? AND state = 'running' AND holder = ?`, state, status, result, id, holder)
	if err != nil || n == 0 {
		return false, wrap("end work", id, err)
	}
	_, err = s.exec(ctx, `DELETE FROM work WHERE seq <= (SELECT max(seq) FROM work) - ? AND NOT`+live, keepWork)
	return true, wrap("drop old work", id, err)
}

// Fail implements queue.Table.
func (s *Store) Fail(ctx context.Context, id, status string, nowMS int64) (bool, error) {
	n, err := s.exec(ctx, `UPDATE work SET state = 'failed', status = ?, body = '', size = 0, holder = '', lease_ms = 0
		WHERE id = ? AND (state = 'queued' OR state = 'running' AND lease_ms < ?)`, status, id, nowMS)
	return n > 0, wrap("fail work", id, err)
}

// Leave implements queue.Table.
func (s *Store) Leave(ctx context.Context, id, asker string, atOnce bool) (state string, last bool, err error) {
	ends := `(state = 'queued' OR ?3) AND replace(askers, ?1, '') = ''`
	err = s.change(ctx, `UPDATE work SET askers = replace(askers, ?1, ''),
		state = CASE WHEN `+ends+` THEN 'cancelled' ELSE state END, body = CASE WHEN `+ends+` THEN '' ELSE body END
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
func (s *Store) Find(ctx context.Context, id string) (queue.Work, error) {
	w := queue.Work{ID: id}
	err := s.row(ctx, `SELECT kind, state, owner, attempts, status, result FROM work WHERE id = ?`, id)(
		&w.Kind, &w.State, &w.Owner, &w.Attempts, &w.Status, &w.Result)
	return w, none(wrap("find work", id, err))
}

// Waiting implements queue.Table.
func (s *Store) Waiting(ctx context.Context) (out []queue.Work, err error) {
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
func (s *Store) GiveBack(ctx context.Context, holder string, untilMS int64) error {
	return s.requeue(ctx, 1, untilMS, `holder = ?`, holder)
}

// Reclaim implements queue.Table.
func (s *Store) Reclaim(ctx context.Context, nowMS int64) error {
	ahead := nowMS
	if ahead < math.MaxInt64-mostLease {
		ahead += mostLease
	}
	return s.requeue(ctx, 0, 0, `(lease_ms < ? OR lease_ms > ?)`, nowMS, ahead)
}

func (s *Store) requeue(ctx context.Context, uncounted int, untilMS int64, which string, args ...any) error {
	_, err := s.exec(ctx, `UPDATE work SET state = CASE askers WHEN '' THEN 'cancelled' ELSE 'queued' END,
		body = CASE askers WHEN '' THEN '' ELSE body END, holder = '', attempts = attempts - ?, lease_ms = ?
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
