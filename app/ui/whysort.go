package ui

import (
	"strings"

	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// sorted is a table whose numbers sort it by their headings. The head is in message keys; those of numbers begin with
// #, and numbers has theirs in each row.
func (w *Why) sorted(spec, caption string, head []string, rows []app.UI, numbers [][]float64) app.UI {
	s, n, sorted := w.Sort, 0, false
	by := make([]float64, len(rows)) // all alike
	ways := each(len(head), func(i int) app.UI {
		key, number := strings.CutPrefix(head[i], "#")
		if !number {
			return term("th|scope=col", words.T(key))
		}
		way := "none"
		if s.By == key {
			sorted, way = true, "descending"
			if s.Ascending {
				way = "ascending"
			}
			for row := range by {
				by[row] = numbers[row][n]
			}
		}
		n++
		return set(el("th.num|scope=col",
			means(button(
				".sort|title=Sorts by this number: largest first, then smallest first, then in the policy’s order", key,
				key, state.SortBy{By: key}), key)), "aria-sort", way)
	})
	order := s.Order(by)
	return el("div.wide", el("table.rows"+spec, txt("caption.vh", caption), el("thead", el("tr", ways...)),
		el("tbody", each(len(order), func(i int) app.UI { return rows[order[i]] })...),
		set(el("tfoot", el("tr", txt("td.mute xs|colspan=5|data-test=why-sorted", s.Describe()))),
			"hidden", flag(!sorted))))
}
