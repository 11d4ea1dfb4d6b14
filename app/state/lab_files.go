package state

import (
	"bytes"

	"hadarlab/app/room"
	"hadarlab/app/words"
)

// Files are files that are handed out.
type Files struct {
	*room.Shared
	Writing []Write // those that are being written, the first one now
}

// atOnce is how many entries of a run are written in one go, within some tens of milliseconds.
const atOnce = 4000

// hand hands out a file of so many entries. What takes long is written in slices, one file after the other.
func (s *Files) hand(name, ending string, entries int, write fill) []Effect {
	kind := map[string]string{".json": "application/json", ".csv": "text/csv", ".png": "image/png",
		".svg": "image/svg+xml", ".md": "text/markdown"}[ending]
	w := Write{s.Seq(), name + ending, kind, write}
	if entries > atOnce {
		if s.Writing = append(s.Writing[:len(s.Writing):len(s.Writing)], w); len(s.Writing) > 1 {
			return nil // it comes in its turn
		}
		return s.write()
	}
	var b bytes.Buffer
	if err := write(&b, nil); err != nil { // a buffer takes everything
		return s.unwritten(w.Name, err)
	}
	return []Effect{room.Download{Name: w.Name, Type: w.Type, Data: b.Bytes()}}
}

// write begins with the next file.
func (s *Files) write() []Effect {
	if len(s.Writing) == 0 {
		return nil
	}
	s.Announcement = s.WritingSays()
	return []Effect{s.Writing[0]}
}

// WritingSays says which file is being written, "" = none.
func (s *Files) WritingSays() string {
	switch n := len(s.Writing); n {
	case 0:
		return ""
	case 1:
		return words.F("Writing {0}…", s.Writing[0].Name)
	default:
		return words.F("Writing {0}…, then {1} more", s.Writing[0].Name, itoa(n-1))
	}
}

// cannot is why there is no such file, in a sentence.
type cannot string

func (c cannot) Error() string { return string(c) }

// unwritten says why there is no file.
func (s *Files) unwritten(name string, err error) []Effect {
	if why, ok := err.(cannot); ok {
		return s.Notify(room.Notice{Title: string(why)})
	}
	return s.Notify(room.Notice{Title: words.F("{0} could not be written: {1}.", name, err.Error())})
}
