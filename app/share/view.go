package share

import (
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/core/chart/data"
	"hadarlab/core/unit"
)

// View is what a link says of where to look: "&v=c1440000.z0-3600000.kprices.ylog.wb.jj3". Cursor and window of the
// time axis are in ms. "p" covers the result until the reader has predicted it. It is no part of a scenario's identity,
// and safe to drop as a whole or in parts: a page passes over what it does not know.
type View struct {
	Predict bool
	Cursor  unit.Tick // -1 = as usual
	Zoom    run.Window
	Tab     string // "" = as usual, as below
	Log     bool   // prices stand by their logarithm
	Lane    int    // that the Why panel explains, -1 = as usual
	Job     string
	// Runs is the path of many runs of the scenario on the server, "" = none: "r" and the id of replicates, or "s" of a
	// sweep.
	Runs string
}

// maxViewTime is far behind the end of any run, in ms.
const maxViewTime = 1 << 50

// Text is a view whose members are all given, as a link says it.
func (v View) Text() string {
	parts := []string{"c" + strconv.Itoa(int(v.Cursor))}
	if !v.Zoom.Whole() {
		parts = append(parts, "z"+strconv.Itoa(int(v.Zoom.From))+"-"+strconv.Itoa(int(v.Zoom.To)))
	}
	parts = append(parts, "k"+v.Tab)
	if v.Log {
		parts = append(parts, "ylog")
	}
	parts = append(parts, "w"+strings.ToLower(edit.LaneLetter(v.Lane)))
	if v.Job != "" {
		parts = append(parts, "j"+v.Job) // last: an id may hold dots
	}
	return strings.Join(parts, ".")
}

// ParseView reads what it understands of a view; the rest is as usual.
func ParseView(text string) View {
	v := View{Cursor: -1, Lane: -1}
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
		case 'p':
			v.Predict = value == ""
		case 'c':
			v.Cursor = viewTime(value)
		case 'z':
			from, to, _ := strings.Cut(value, "-")
			if w := (run.Window{From: viewTime(from), To: viewTime(to)}); w.From >= 0 && w.From < w.To {
				v.Zoom = w
			}
		case 'k':
			if data.Find(value) != nil {
				v.Tab = value
			}
		case 'y':
			v.Log = value == "log"
		case 'w':
			if len(value) == 1 && value[0] >= 'a' && value[0] < 'a'+edit.MaxLanes {
				v.Lane = int(value[0] - 'a')
			}
		case 'r', 's':
			if len(value) == 26 && strings.Trim(value, "0123456789abcdefghjkmnpqrstvwxyz") == "" {
				v.Runs = map[byte]string{'r': "/api/v1/runs/", 's': "/api/v1/sweeps/"}[part[0]] + value
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
