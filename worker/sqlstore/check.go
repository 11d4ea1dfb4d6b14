//go:build !js

package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"hadarlab/worker/vault"
)

// checkAtOnce is how many rows are read between two pauses of Check.
const checkAtOnce = 20

// Check reads every scenario and text, a few between two pauses so that it holds nobody up, calls damaged with each
// that is not what was stored, and tells how many there are. It counts as no reading. A result that is damaged is made
// anew by itself.
func (s *Store) Check(ctx context.Context, pause func(context.Context),
	damaged func(kind vault.Kind, id string)) (rows int, err error) {
	for _, kind := range []vault.Kind{vault.Scenarios, vault.Texts} {
		for last := ""; ; pause(ctx) {
			ids, err := s.after(ctx, kind, last)
			if err != nil {
				return rows, err
			}
			if len(ids) == 0 {
				break
			}
			for _, id := range ids {
				c, _, err := s.look(ctx, kind, id)
				if errors.Is(err, vault.ErrNotFound) {
					continue // removed meanwhile
				}
				if err != nil {
					return rows, err
				}
				if rows++; !c.Whole() {
					damaged(kind, id)
				}
			}
			last = ids[len(ids)-1]
		}
	}
	return rows, nil
}

// after lists the next ids of a kind. The list is closed before a row is read, which takes the same connection.
func (s *Store) after(ctx context.Context, kind vault.Kind, last string) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id FROM `+string(kind)+` WHERE id > ? ORDER BY id LIMIT ?`, last,
		checkAtOnce)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: list %s: %w", kind, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("sqlstore: list %s: %w", kind, err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
