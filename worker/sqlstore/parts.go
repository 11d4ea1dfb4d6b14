package sqlstore

import (
	"cmp"
	"context"
	"fmt"

	"hadarlab/core/unit"
	"hadarlab/worker/queue"
)

// Of what waits, lease_ms is until when it counts as on its way.

// due is what is on its way to nobody, and kind what is no class's work (0), or is (1).
const (
	due = ` (lease_ms < ?2 - ?3 OR lease_ms > ?2 + ?4 OR lease_ms < ?2
		AND NOT EXISTS (SELECT 1 FROM work WHERE state = 'running' AND lease_ms >= ?2)) `
	kind = ` (owner >= 'class ' AND owner < 'class!') = %d `
)

// Unsent implements queue.Table. It is one statement that changes rows and returns several, for a database whose
// readers may write: only the edge asks it.
func (s *work) Unsent(ctx context.Context, nowMS, untilMS int64, most int) (ids []string, err error) {
	// A whole that waits for its parts is on no way: they are.
	const some = `SELECT id FROM (SELECT id, turn, seq FROM work AS due WHERE state = 'queued' AND` + due + `AND` + kind + `
		ORDER BY turn, seq LIMIT max(0, ?5 - (SELECT count(*) FROM work AS due WHERE` + kind + `AND
		(state = 'running' AND lease_ms >= ?2 OR state = 'queued' AND NOT` + due + `AND NOT EXISTS (SELECT 1 FROM work
			WHERE work.id > due.id || '-' AND work.id < due.id || '.')))))`
	rows, err := s.db.QueryContext(ctx, `UPDATE work SET lease_ms = ?1 WHERE id IN (`+fmt.Sprintf(some, 0, 0)+
		` UNION ALL `+fmt.Sprintf(some, 1, 1)+`) RETURNING id, turn, seq`, untilMS, nowMS, lost, mostLease, most)
	if err != nil {
		return nil, wrap("list work to be sent", "", err)
	}
	defer rows.Close()
	type place struct {
		id        string
		turn, seq int64
	}
	var places []place
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.id, &p.turn, &p.seq); err != nil {
			return nil, wrap("list work to be sent", "", err)
		}
		places = append(places, p)
	}
	unit.Sort(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.seq, b.seq))
	})
	for _, p := range places {
		ids = append(ids, p.id)
	}
	return ids, wrap("list work to be sent", "", rows.Err())
}

// Split implements queue.Table. Parts are wanted as long as they are there, so nobody is listed.
// The whole comes after them, so that it does not hold up the count of turns.
func (s *work) Split(ctx context.Context, id string, n int, nowMS int64) error {
	_, err := s.exec(ctx, `WITH RECURSIVE part (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM part WHERE i + 1 < ?2)
		INSERT INTO work (id, kind, state, owner, turn, size, created_ms, askers, status, body)
		SELECT whole.id || printf('-%06d', i), whole.kind, 'queued', whole.owner, whole.turn + i, 0, ?3, '*', whole.status, ''
		FROM part, work AS whole WHERE whole.id = ?1 ORDER BY i ON CONFLICT (id) DO NOTHING`, id, n, nowMS)
	if err == nil {
		_, err = s.exec(ctx, `UPDATE work SET turn = 1 + coalesce((SELECT max(turn) FROM work WHERE`+parts+`), turn)
			WHERE id = ?1`, id)
	}
	return wrap("split work", id, err)
}

// Keep implements queue.Table.
func (s *work) Keep(ctx context.Context, part, holder, status string) error {
	whole, _ := queue.PartOf(part)
	_, err := s.exec(ctx, `INSERT INTO work (id, kind, state, owner, turn, size, created_ms, askers, status, body)
		SELECT ?1, kind, 'done', '', turn, 0, created_ms, '', ?2, '' FROM work WHERE id = ?3 AND state = 'running' AND holder = ?4
		ON CONFLICT (id) DO UPDATE SET status = excluded.status`, part, status, whole, holder)
	return wrap("keep part", part, err)
}

// parts are the ids of parts of one whole: '.' comes after '-'.
const parts = ` id > ?1 || '-' AND id < ?1 || '.' `

// Parts implements queue.Table.
func (s *work) Parts(ctx context.Context, id string) (p queue.Parts, err error) {
	err = s.row(ctx, `SELECT count(*), coalesce(sum(attempts > 0), 0), coalesce(sum(state = 'done'), 0),
		coalesce(min(CASE state WHEN 'failed' THEN id END), '') FROM work WHERE`+parts, id)(
		&p.All, &p.Begun, &p.Done, &p.Failed)
	return p, wrap("count parts of", id, err)
}

// Told implements queue.Table.
func (s *work) Told(ctx context.Context, id string, from, most int) (out []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT status FROM work WHERE id >= ?2 AND`+parts+`ORDER BY id LIMIT ?3`,
		id, queue.PartID(id, from), most)
	if err != nil {
		return nil, wrap("read parts of", id, err)
	}
	defer rows.Close()
	for rows.Next() {
		var status string
		if err := rows.Scan(&status); err != nil {
			return nil, wrap("read parts of", id, err)
		}
		out = append(out, status)
	}
	return out, wrap("read parts of", id, rows.Err())
}

// Unsplit implements queue.Table.
func (s *work) Unsplit(ctx context.Context, id string) error {
	_, err := s.exec(ctx, `DELETE FROM work WHERE`+parts, id)
	return wrap("drop parts of", id, err)
}
