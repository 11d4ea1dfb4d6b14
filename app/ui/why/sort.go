package why

import (
	"strings"

	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// sorted is a table whose numbers sort it by their headings. The head is in message keys; those of numbers begin with
// #, and numbers has theirs in each row.
func (w *Why) sorted(spec, caption string, head []string, rows []app.UI, numbers [][]float64) app.UI {
	s, n, sorted := w.Sort, 0, false
	by := make([]float64, len(rows)) // all alike
	ways := Each(len(head), func(i int) app.UI {
		key, number := strings.CutPrefix(head[i], "#")
		if !number {
			return Term("th|scope=col", words.T(key))
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
		return Set(El("th.num|scope=col",
			Means(Button(
				".sort|title=Sorts by this number: largest first, then smallest first, then in the policy’s order", key,
				key, state.SortBy{By: key}), key)), "aria-sort", way)
	})
	order := s.Order(by)
	return El("div.wide", El("table.rows"+spec, Txt("caption.vh", caption), El("thead", El("tr", ways...)),
		El("tbody", Each(len(order), func(i int) app.UI { return rows[order[i]] })...),
		Set(El("tfoot", El("tr", Txt("td.mute xs|colspan=5|data-test=why-sorted", s.Describe()))),
			"hidden", Flag(!sorted))))
}
