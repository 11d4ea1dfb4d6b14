package ui

import (
	"runtime"

	"hadarlab/app/platform"
	"hadarlab/app/state"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// write makes a file beside the page's own work.
func (h *Host) write(e state.Write) {
	h.saves.Store(e.ID)
	go func() {
		s := &paper{h: h, id: e.ID, picture: e.Type == "image/png", from: now()}
		defer func() {
			if r := recover(); r != nil { // not after a Goexit
				h.send(state.Written{ID: e.ID, Err: fault(reason(r))})
			}
		}()
		err := e.Fill(s, s.did)
		s.did(often) // it may be unwanted
		h.guard(func() {
			if err == nil {
				s.hand(e.Name, e.Type)
			}
			h.Do(state.Written{ID: e.ID, Err: err})
		})
	}()
}

// fault is why a file cannot be written.
type fault string

func (f fault) Error() string { return string(f) }

// paper is a file that is being written, in parts that lie outside the program's memory.
type paper struct {
	h       *Host
	id      int64
	picture bool  // it is written as SVG, which is short and stays whole
	from    int64 // ms at which the present slice began
	work    int   // since the clock was last looked at
	part    []byte
	parts   []any
}

const (
	// often is after how many entries the clock is looked at.
	often = 512
	// partSize is about the length in bytes of a part.
	partSize = 1 << 20
	// anEntry is how many bytes that are written cost as much as an entry that is looked at.
	anEntry = 64
)

// did lets the browser handle what has come in, and ends the goroutine when nobody wants the file any more.
func (s *paper) did(entries int) {
	if s.work += entries; s.work < often {
		return
	}
	s.work = 0
	if now()-s.from > slice {
		breathe()
		s.from = now()
	}
	if s.h.saves.Load() != s.id {
		runtime.Goexit()
	}
}

// Write takes a piece of the file.
func (s *paper) Write(b []byte) (int, error) {
	if s.part = append(s.part, b...); len(s.part) >= partSize && !s.picture {
		s.keep()
	}
	s.did(len(b) / anEntry)
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

// saving says which file is being written, and lets the reader give it up.
func (f *Foot) saving() app.UI {
	return el("div.toast|data-test=writing", txt("span", f.Writing),
		button(".btn|data-test=writing-cancel", "Cancel", "writing-cancel", state.StopSaving{}))
}
