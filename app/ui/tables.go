package ui

import (
	"hadarlab/core/chart/draw"
	"hadarlab/core/words"
)

// textTable writes a table as markup: caption and head, in message keys, and cells in order; one that begins with # is
// a number. The spec holds the table's attributes, after its tag.
type textTable struct {
	b    []byte
	rest string // what it leaves out
}

func newTextTable(attrs, caption string, head ...string) *textTable {
	t := &textTable{}
	t.add(`<table class="rows" ` + attrs + `><caption class="vh">` + draw.Escape(words.T(caption)) +
		"</caption><thead><tr>")
	for _, h := range head {
		name, class := cell(h)
		t.add(`<th scope="col"` + class + ">" + words.T(name) + "</th>")
	}
	t.add("</tr></thead><tbody>")
	return t
}

func (t *textTable) add(s string) { t.b = append(t.b, s...) }

func cell(s string) (text, class string) {
	if s != "" && s[0] == '#' {
		return draw.Escape(s[1:]), ` class="num"`
	}
	return draw.Escape(s), ""
}

// row adds a row with attributes.
func (t *textTable) row(attrs string, cells ...string) { t.rowWith(attrs, "", cells...) }

// rowWith is row with markup after its cells.
func (t *textTable) rowWith(attrs, markup string, cells ...string) {
	t.add("<tr" + attrs + ">")
	for _, c := range cells {
		text, class := cell(c)
		t.add("<td" + class + ">" + text + "</td>")
	}
	t.add(markup + "</tr>")
}

func (t *textTable) String() string { return string(t.b) + "</tbody></table>" }

// spansTable is one page of the timeline's table.
func (h *Host) spansTable(page int, job string) string {
	r := h.S.Result
	c := h.fresh()
	if c.spans != "" && c.page == page && c.only == job {
		return c.spans
	}
	rows, total := r.HolderRows(page, job)
	short := r.Axis.Unit.Short
	head, forked := []string{"Policy", "Job", "Node", "GPUs", "#" + words.F("From, {0}", short),
		"#" + words.F("To, {0}", short)}, r.Forked()
	if forked {
		head = append(head, words.In("column", "Copy"))
	}
	t := newTextTable(`data-test="spans-table" data-rows="`+itoa(total)+`"`, "Who holds which GPU", head...)
	for i := range rows {
		row := &rows[i]
		cells := []string{r.Lanes[row.Lane].Title, row.Job, row.Node, row.GPUs, "#" + row.From, "#" + row.To}
		if forked {
			cells = append(cells, row.Note)
		}
		t.row(` data-policy="`+draw.Escape(r.Lanes[row.Lane].Policy.ID)+`" data-job="`+draw.Escape(row.Job)+`"`,
			cells...)
	}
	c.spans, c.page, c.only = t.String(), page, job
	return c.spans
}
