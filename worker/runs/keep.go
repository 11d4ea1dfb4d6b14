package runs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"hadarlab/core/message"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// keptParts are parts of a sweep that ended one after another, as the table keeps them while the sweep goes on. A row
// has as many as end between two words to the table, since a row for each would be up to 100,000; it stands as the
// first of them.
type keptParts struct {
	From  int              `json:"from"`
	Jobs  int              `json:"jobs"` // of the sweep, up to the last of them
	Parts [][]message.Lane `json:"parts"`
}

// takeUp gives a sweep what was kept of it when it was begun before, and notes what ends from now on.
func (p *pool) takeUp(x *run, w sweep) {
	next := 0
	for {
		rows, err := p.Table.Told(context.Background(), x.id, next, 1)
		if err != nil {
			p.Log.Error("what is done of a sweep cannot be read", "run", x.id, "error", err)
		}
		var k keptParts
		if len(rows) == 0 || json.Unmarshal([]byte(rows[0]), &k) != nil || k.From != next || len(k.Parts) == 0 {
			break // damaged, or of an earlier attempt that came further: it is run again
		}
		w.Resume(k.Parts, k.Jobs)
		next += len(k.Parts)
	}
	x.takeSweep(w.Progress(), false, nil)
	x.kept.From = next
	w.OnPart(func(lanes []message.Lane) {
		x.kept.Jobs = w.Jobs()
		x.kept.Parts = append(x.kept.Parts, w.Kept(slices.Clone(lanes)))
	})
}

// keep has the table keep the parts of a sweep that have ended since it last did.
func (p *pool) keep(x *run) {
	if len(x.kept.Parts) == 0 {
		return
	}
	b, err := json.Marshal(x.kept)
	if err == nil {
		err = p.Table.Keep(context.Background(), queue.PartID(x.id, x.kept.From), p.holder, string(b))
	}
	if err != nil { // they are kept with the next
		if !errors.Is(err, vault.ErrFull) {
			p.Log.Warn("what is done of a sweep could not be kept", "run", x.id, "error", err)
		}
		return
	}
	x.kept = keptParts{From: x.kept.From + len(x.kept.Parts)}
}
