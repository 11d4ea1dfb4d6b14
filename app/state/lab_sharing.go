package state

import (
	"encoding/json"

	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/core/scenario"
)

// Sharing is what is shared and kept, and what came by a link.
type Sharing struct {
	*room.Shared
	Share share.State
	// Snapshots are what this browser keeps, latest first, as it was last read.
	Snapshots []share.Snapshot
	// Lineage says what a linked scenario was made from, until it is changed; nil = nothing to say.
	Lineage *share.Lineage
	coming  comingLink
	linked  *share.View        // what a link that was opened points at, nil = nothing; for the result of linkedDoc
	linkDoc *scenario.Document // that the link has
}

// comingLink is a short link that is being opened.
type comingLink struct {
	id            string // "" = none is
	address, view string
	start         bool  // the page starts with it
	since         int64 // the entry of the history at which it was asked for
}

// rememberView remembers the view of a link until the link's result is there.
func (s *Sharing) rememberView(view string, of *scenario.Document) {
	if view != "" {
		v := share.ParseView(view)
		s.linked, s.linkDoc = &v, of
	}
}

// storeSnapshots keeps the list, and says so.
func (s *Sharing) storeSnapshots(says string) []Effect {
	b, _ := json.Marshal(s.Snapshots) // texts always encode
	return append([]Effect{room.Store{Name: SnapshotsName, Text: string(b)}}, s.Tell(says, false)...)
}
