package state

import (
	"slices"

	"hadarlab/app/share"
	"hadarlab/app/words"
)

// The turns of the snapshots. Kept is what the browser has at that moment: other tabs change it too.
type (
	// ListSnapshots shows them.
	ListSnapshots struct{ Kept string }
	// TakeSnapshot keeps the scenario as it stands.
	TakeSnapshot struct{ Kept, At string }
	// OpenSnapshot opens one, by its place in the list.
	OpenSnapshot struct{ At int }
	// DropSnapshot forgets the one of a name, KeepAgain takes that back.
	DropSnapshot struct{ Kept, Name string }
	KeepAgain    struct {
		Kept string
		share.Snapshot
	}
	// NoRoom says that the browser did not take what was to be kept.
	NoRoom struct{}
)

func (a ListSnapshots) on(s *Lab) []Effect { s.Snapshots = share.ParseSnapshots(a.Kept); return nil }

func (a TakeSnapshot) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	text := string(s.Doc.Marshal(false))
	switch {
	case len(text) > share.LargestSnapshot:
		return s.Tell(words.T("This scenario is too large to be kept in the browser. Save it as a file."), false)
	case len(s.Snapshots) >= share.MostSnapshots:
		return s.Tell(
			words.F("The browser keeps {0} snapshots at most. Forget one first, or save the scenario as a file.",
				itoa(share.MostSnapshots)), false)
	}
	name, there := share.FreeName(s.Snapshots, s.Title(), text)
	if there {
		return s.Tell(words.F("This browser keeps it already, as “{0}”.", name), false)
	}
	_, since := s.shared()
	s.Snapshots = append([]share.Snapshot{{Name: name, At: a.At, What: since.Brief(), Text: text}}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", name))
}

func (a OpenSnapshot) on(s *Lab) []Effect {
	if a.At < 0 || a.At >= len(s.Snapshots) {
		return nil
	}
	k := s.Snapshots[a.At]
	said := words.F("Snapshot “{0}” opened.", k.Name)
	return s.open(0, []byte(k.Text), Load{Sentence: words.F("Opened snapshot “{0}”", k.Name), Toast: said, Opens: true},
		words.F("The snapshot “{0}” cannot be read.", k.Name), false)
}

func (a DropSnapshot) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	at := slices.IndexFunc(s.Snapshots, func(k share.Snapshot) bool { return k.Name == a.Name })
	if at < 0 {
		return nil
	}
	gone := s.Snapshots[at]
	s.Snapshots = slices.Delete(s.Snapshots, at, at+1)
	effects := s.storeSnapshots(words.F("Snapshot “{0}” forgotten.", a.Name))
	s.Toast.Forgotten = &gone
	return effects
}

func (a KeepAgain) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	s.Snapshots = append([]share.Snapshot{a.Snapshot}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", a.Name))
}

func (NoRoom) on(s *Lab) []Effect {
	return s.Tell(words.T("This browser has no room for it, or keeps nothing. Save the scenario as a file."), false)
}
