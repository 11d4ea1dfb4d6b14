package data

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"hadarlab/core/csv"
	"hadarlab/core/words"
)

// MostRows is how many rows a Vega-Lite specification holds: beyond, browsers take long to draw it.
const MostRows = 50_000

// ErrRows is returned for a table of more than MostRows.
var ErrRows = errors.New("data: a Vega-Lite specification holds at most " + strconv.Itoa(MostRows) +
	" rows; the same chart as CSV has no such limit")

// CSV writes the table, row by row.
func (t *Table) CSV(w io.Writer) error {
	var head []string
	for _, c := range t.Columns {
		head = append(head, c.Name)
	}
	out := csv.NewWriter(w)
	out.Row(head...)
	t.Rows(out.Row)
	return out.Flush()
}

// Vega writes the table as a self-contained Vega-Lite specification of version 6 with its numbers inline, under a
// title; its texts in a catalogue's language. Lines step as the page's do. Nothing is written for too many rows
// (ErrRows).
func (t *Table) Vega(w io.Writer, in words.Catalogue, title string) error {
	n, names := 0, make(map[string][]string) // the texts of each column, in order of appearance
	seen := make([]map[string]bool, len(t.Columns))
	t.Rows(func(cells ...string) bool {
		n++
		for i, c := range t.Columns {
			if c.Number || seen[i][cells[i]] {
				continue
			}
			if seen[i] == nil {
				seen[i] = map[string]bool{}
			}
			seen[i][cells[i]], names[c.Name] = true, append(names[c.Name], cells[i])
		}
		return n <= MostRows
	})
	if n > MostRows {
		return ErrRows
	}
	out := bufio.NewWriter(w)
	o := object{w: out}
	o.text("$schema", "https://vega.github.io/schema/vega-lite/v6.json")
	o.text("title", title)
	o.raw("width", "640")
	o.raw("height", t.height())
	o.open("mark")
	o.text("type", t.plot.mark)
	switch {
	case t.plot.mean:
		o.raw("point", "true")
	case t.plot.mark == "line" || t.plot.mark == "area":
		o.text("interpolate", "step-after")
	case t.plot.stack != "":
		o.text("stroke", "#ffffff")
	}
	o.raw("tooltip", "true")
	o.close()
	o.open("encoding")
	t.channel(&o, in, "x", t.plot.x, names)
	t.channel(&o, in, "y", t.plot.y, names)
	t.colours(&o, in, names[t.plot.colour])
	t.channel(&o, in, "row", t.plot.facet, names)
	t.channel(&o, in, "column", t.plot.side, names)
	o.close()
	if t.plot.apart != "" {
		o.raw("resolve", `{"scale":{"`+t.plot.apart+`":"independent"}}`)
	}
	o.open("data")
	o.member("values")
	out.WriteByte('[')
	first := true
	t.Rows(func(cells ...string) bool {
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteByte('\n')
		row := object{w: out}
		for i, c := range t.Columns {
			switch {
			case !c.Number:
				row.text(c.Name, cells[i])
			case cells[i] == "":
				row.raw(c.Name, "null")
			default:
				row.raw(c.Name, cells[i])
			}
		}
		row.close()
		return true
	})
	out.WriteByte(']')
	o.close()
	o.close()
	out.WriteByte('\n')
	return out.Flush()
}

// height is that of one panel in px; bars are as high as there are of them.
func (t *Table) height() string {
	switch {
	case t.plot.mark == "bar" || t.plot.mark == "tick":
		return `{"step":20}`
	case t.plot.facet != "":
		return "120"
	}
	return "240"
}

// channel writes where a column stands, and texts in their order.
func (t *Table) channel(o *object, in words.Catalogue, channel, name string, names map[string][]string) {
	c := t.column(name)
	if c == nil {
		return
	}
	o.open(channel)
	o.text("field", c.Name)
	if c.Number {
		o.text("type", "quantitative")
	} else {
		o.text("type", "nominal")
		o.member("sort")
		o.list(len(names[name]), func(i int) string { return quote(names[name][i]) })
	}
	o.text("title", c.Title.In(in))
	if t.plot.mean && channel == "y" {
		o.text("aggregate", "mean")
	}
	if c.Number && t.plot.stack != "" && c.Name != "from_s" {
		o.text("stack", t.plot.stack)
	}
	o.close()
}

// colours writes the colours and dashes of the page.
func (t *Table) colours(o *object, in words.Catalogue, names []string) {
	c := t.column(t.plot.colour)
	for _, channel := range []string{"color", "strokeDash"} {
		if channel == "strokeDash" && t.plot.mark != "line" {
			return
		}
		o.open(channel)
		o.text("field", c.Name)
		o.text("type", "nominal")
		o.text("title", c.Title.In(in))
		o.raw("legend", `{"labelLimit":0}`)
		o.open("scale")
		o.member("domain")
		o.list(len(names), func(i int) string { return quote(names[i]) })
		o.member("range")
		o.list(len(names), func(i int) string {
			h := t.plot.hues(names[i])
			if channel == "color" {
				return quote(h.fill)
			}
			return "[" + h.dash + "]"
		})
		o.close()
		o.close()
	}
}

// object writes the members of a JSON object.
type object struct {
	w     *bufio.Writer
	depth int
	any   [4]bool // members before, by depth
}

func quote(s string) string {
	b, _ := json.Marshal(strings.ToValidUTF8(s, "?")) // a text has no fault
	return string(b)
}

func (o *object) member(name string) {
	if !o.any[o.depth] {
		o.w.WriteByte('{')
	} else {
		o.w.WriteByte(',')
	}
	o.any[o.depth] = true
	o.w.WriteString(quote(name))
	o.w.WriteByte(':')
}

func (o *object) raw(name, value string)  { o.member(name); o.w.WriteString(value) }
func (o *object) text(name, value string) { o.raw(name, quote(value)) }

func (o *object) open(name string) {
	o.member(name)
	o.depth++
	o.any[o.depth] = false
}

func (o *object) close() {
	if !o.any[o.depth] {
		o.w.WriteByte('{')
	}
	o.w.WriteByte('}')
	o.depth = max(o.depth-1, 0)
}

func (o *object) list(n int, of func(i int) string) {
	o.w.WriteByte('[')
	for i := range n {
		if i > 0 {
			o.w.WriteByte(',')
		}
		o.w.WriteString(of(i))
	}
	o.w.WriteByte(']')
}
