package state

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/unit"
)

// Tabs are the names of the charts.
var Tabs = []string{"busy", "prices", "queue", "cdf", "winners", "fairness", "types", "shares", "overheads"}

// LinkView is what a link says of where to look: "&v=c1440000.z0-3600000.kqueue.wb.jj3". Cursor and window of the
// time axis are in ms. It is no part of a scenario's identity, and safe to drop as a whole or in parts.
type LinkView struct {
	Cursor unit.Tick // -1 = as usual
	Zoom   Window
	Tab    string // "" = as usual, as below
	Lane   int    // that the Why panel explains, -1 = as usual
	Job    string
}

// maxViewTime is far behind the end of any run, in ms.
const maxViewTime = 1 << 50

// linkView is the present view for a link.
func (s *State) linkView() string {
	v := &s.View
	return LinkView{v.at, v.Zoom, v.Tab, v.WhyLane, v.Job}.text()
}

// text is a view whose members are all given, as a link says it.
func (v LinkView) text() string {
	parts := []string{"c" + itoa(int(v.Cursor))}
	if !v.Zoom.Whole() {
		parts = append(parts, "z"+itoa(int(v.Zoom.From))+"-"+itoa(int(v.Zoom.To)))
	}
	parts = append(parts, "k"+v.Tab, "w"+strings.ToLower(edit.LaneLetter(v.Lane)))
	if v.Job != "" {
		parts = append(parts, "j"+v.Job) // last: an id may hold dots
	}
	return strings.Join(parts, ".")
}

// ParseLinkView reads what it understands of a view; the rest is as usual.
func ParseLinkView(text string) LinkView {
	v := LinkView{Cursor: -1, Lane: -1}
	for text != "" {
		var part string
		if text[0] == 'j' {
			part, text = text, ""
		} else {
			part, text, _ = strings.Cut(text, ".")
		}
		if part == "" {
			continue
		}
		value := part[1:]
		switch part[0] {
		case 'c':
			v.Cursor = viewTime(value)
		case 'z':
			from, to, _ := strings.Cut(value, "-")
			if w := (Window{viewTime(from), viewTime(to)}); w.From >= 0 && w.From < w.To {
				v.Zoom = w
			}
		case 'k':
			if slices.Contains(Tabs, value) {
				v.Tab = value
			}
		case 'w':
			if len(value) == 1 && value[0] >= 'a' && value[0] < 'a'+edit.MaxLanes {
				v.Lane = int(value[0] - 'a')
			}
		case 'j':
			if len(value) <= 64 {
				v.Job = value
			}
		}
	}
	return v
}

// viewTime reads an instant in ms, -1 where it is none.
func viewTime(s string) unit.Tick {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > maxViewTime {
		return -1
	}
	return unit.Tick(n)
}

// rememberView remembers the view of a link until the link's result is there.
func (s *State) rememberView(view string) {
	if view != "" {
		v := ParseLinkView(view)
		s.linked, s.linkedRev = &v, s.Rev
	}
}

// takeLinkView shows what a link points at, once its result stands.
func (s *State) takeLinkView() {
	l := s.linked
	if s.linked = nil; l == nil || s.linkedRev != s.Result.Rev {
		return
	}
	v := &s.View
	if l.Cursor >= 0 {
		v.Moment, v.Pinned = s.Result.Diff.At(l.Cursor), true
		s.rememberTime()
	}
	if !l.Zoom.Whole() && l.Zoom.From < s.Result.Axis.To {
		s.see(l.Zoom.From, l.Zoom.To-l.Zoom.From)
	}
	if l.Tab != "" {
		v.Tab = l.Tab
	}
	if _, ok := s.Result.Jobs[l.Job]; ok {
		v.Job, v.Peek = l.Job, !v.Sight.Why
	}
	s.explain(l.Lane)
}

// KeepView says whether the link of the dialog points at what is looked at.
type KeepView struct{ On bool }

func (a KeepView) on(s *State) []Effect {
	s.Share.KeepView, s.Share.Copied = a.On, false
	return nil
}

// ShortAddress is the short link that is handed on, empty before it is made.
func (s *ShareState) ShortAddress() string {
	if s.Short != "" && s.KeepView && s.View != "" {
		return s.Short + "#v=" + s.View
	}
	return s.Short
}

// Address is the link that is handed on: path and fragment.
func (s *ShareState) Address() string {
	if s.KeepView && s.View != "" {
		return s.Link + "&v=" + s.View
	}
	return s.Link
}
