package ui

import (
	"hadarlab/app/board"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/core/unit"
)

// maxFile is the largest file that is opened, in bytes.
const maxFile = 64 << 20

// PickFile lets the reader choose a file, and opens it.
func (h *Host) PickFile(accept string) { platform.PickFile(accept, maxFile, h.entry, h.file) }

// entry is the entry of the history that stands.
func (h *Host) entry() int64 { return h.S.History.Stands().ID }

// file takes a file that was chosen or dropped, when an entry of the history stood.
func (h *Host) file(name string, data []byte, problem string, since int64) {
	if problem == "" && h.S.Room >= room.Board {
		h.Send(board.BoardFile{Name: name, Text: string(data)})
		return
	}
	if problem != "" {
		h.Send(state.FileProblem{Name: name, Message: problem})
		return
	}
	h.Send(state.OpenFile{Name: name, Data: data, Since: since})
}

// write makes a file beside the page's own work.
func (h *Host) write(e state.Write) {
	h.saves = e.ID
	Slowly(func(pace unit.Pace) {
		s := &paper{pace: pace, picture: e.Type == "image/png"}
		err := e.Fill(s, pace)
		if err == nil {
			s.hand(e.Name, e.Type)
		}
		h.Do(state.Written{ID: e.ID, Err: err})
	}, func() bool { return h.saves == e.ID }, func(r any) { h.Do(state.Written{ID: e.ID, Err: fault(reason(r))}) })
}

// fault is why a file cannot be written.
type fault string

func (f fault) Error() string { return string(f) }

// paper is a file that is being written, in parts that lie outside the program's memory.
type paper struct {
	pace    unit.Pace
	picture bool // it is written as SVG, which is short and stays whole
	part    []byte
	parts   []any
}

// partSize is about the length in bytes of a part.
const partSize = 1 << 20

// Write takes a piece of the file.
func (s *paper) Write(b []byte) (int, error) {
	if s.part = append(s.part, b...); len(s.part) >= partSize && !s.picture {
		s.keep()
	}
	s.pace.Did(len(b) / AnEntry)
	return len(b), nil
}

// keep puts the part aside.
func (s *paper) keep() {
	s.parts = append(s.parts, platform.Bytes(s.part))
	s.part = s.part[:0]
}

// hand hands the file to the reader.
func (s *paper) hand(name, kind string) {
	if s.picture {
		platform.DownloadPNG(name, string(s.part))
		return
	}
	s.keep()
	platform.Download(name, kind, s.parts...)
}
