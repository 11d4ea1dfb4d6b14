package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

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

// saving says which file is being written, and lets the reader give it up.
func (f *Foot) saving() app.UI {
	return El("div.toast|data-test=writing", Txt("span", f.Writing),
		Button(".btn|data-test=writing-cancel", "Cancel", "writing-cancel", state.StopSaving{}))
}
