// Package markup writes what the page is given as text and not as elements: tables of hundreds of rows, legends of
// small pictures, and numbers that read back as themselves.
package markup

import (
	"math"
	"strconv"

	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
)

// Table writes a table as markup: caption and head, in message keys, and cells in order; one that begins with # is
// a number.
type Table struct {
	b    []byte
	Rest string // what it leaves out
}

// NewTable begins a table; attrs are its attributes as markup.
func NewTable(attrs, caption string, head ...string) *Table {
	t := &Table{}
	t.add(`<table class="rows" ` + attrs + `><caption class="vh">` + draw.Escape(words.T(caption)) +
		"</caption><thead><tr>")
	for _, h := range head {
		name, class := cell(h)
		t.add(`<th scope="col"` + class + ">" + words.T(name) + "</th>")
	}
	t.add("</tr></thead><tbody>")
	return t
}

func (t *Table) add(s string) { t.b = append(t.b, s...) }

func cell(s string) (text, class string) {
	if s != "" && s[0] == '#' {
		return draw.Escape(s[1:]), ` class="num"`
	}
	return draw.Escape(s), ""
}

// Row adds a row with attributes.
func (t *Table) Row(attrs string, cells ...string) { t.RowWith(attrs, "", cells...) }

// RowWith is Row with markup after its cells.
func (t *Table) RowWith(attrs, markup string, cells ...string) {
	t.add("<tr" + attrs + ">")
	for _, c := range cells {
		text, class := cell(c)
		t.add("<td" + class + ">" + text + "</td>")
	}
	t.add(markup + "</tr>")
}

// String is the whole table.
func (t *Table) String() string { return string(t.b) + "</tbody></table>" }

// Swatches is a legend: pictures as SVG, each with what it stands for in the reader's language.
func Swatches(test string, pairs ...string) string {
	out := `<ul class="legend" data-test="` + test + `">`
	for i := 0; i+1 < len(pairs); i += 2 {
		out += "<li>" + pairs[i] + "<span>" + draw.Escape(pairs[i+1]) + "</span></li>"
	}
	return out + "</ul>"
}

// Exact writes a number so that it reads back as itself; what is none, as a figure of nothing, is left out.
func Exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
