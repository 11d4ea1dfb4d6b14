package editor

import (
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// cellAt marks a field as a cell of a sheet.
func cellAt(field app.UI, row, column int) app.UI {
	return Set(field, "data-cell", Itoa(row)+","+Itoa(column))
}

// sheet lets the arrow keys and Enter move between the cells of a table, and hands what is pasted over
// several cells to paste.
func sheet(table app.UI, scope string, paste func(row, column int, text string, cells [][]string)) app.UI {
	table = elm.On(table, "paste", func(_ app.Context, e app.Event) {
		row, column, ok := cellOf(e)
		if !ok {
			return
		}
		text := e.Get("clipboardData").Call("getData", "text").String()
		if cells := edit.Cells(text); cells != nil {
			e.PreventDefault()
			Do(state.Left{}) // what is being typed ends here
			paste(row, column, text, cells)
		}
	}, scope)
	return elm.On(Set(table, "data-sheet", scope), "keydown", func(_ app.Context, e app.Event) {
		row, column, ok := cellOf(e)
		if !ok || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
			return
		}
		field := e.Get("target")
		from, to, n := field.Get("selectionStart").Int(), field.Get("selectionEnd").Int(),
			len([]rune(field.Get("value").String()))
		whole := from == 0 && to == n
		switch key := e.Get("key").String(); {
		case key == "ArrowUp", key == "Enter" && e.Get("shiftKey").Bool():
			row--
		case key == "ArrowDown", key == "Enter":
			row++
		case key == "ArrowLeft" && (whole || to == 0):
			column--
		case key == "ArrowRight" && (whole || from == n):
			column++
		default:
			return
		}
		e.PreventDefault()
		platform.Enter(`[data-sheet="` + scope + `"] [data-cell="` + Itoa(row) + "," + Itoa(column) + `"]`)
	}, scope)
}

// cellOf is the cell in which an event happened.
func cellOf(e app.Event) (row, column int, ok bool) {
	target := e.Get("target")
	if !target.Get("getAttribute").Truthy() {
		return 0, 0, false
	}
	at := target.Call("getAttribute", "data-cell")
	if !at.Truthy() {
		return 0, 0, false
	}
	a, b, _ := strings.Cut(at.String(), ",")
	row, err := strconv.Atoi(a)
	column, err2 := strconv.Atoi(b)
	return row, column, err == nil && err2 == nil
}

// catalogue adds a built-in row of measured throughputs that the document does not have yet.
func (c *Editor) catalogue() app.UI {
	rows := c.Doc.Scenario.Throughputs.Rows
	has := map[string]bool{}
	for i := range rows {
		has[edit.ModelName(rows[i].Model, rows[i].Batch)] = true
	}
	all := scenario.Measured(c.types())
	options := []app.UI{Option("", words.T("+ A measured model…"), true)}
	for i := range all {
		if name := edit.ModelName(all[i].Model, all[i].Batch); !has[name] {
			options = append(options, Option(Itoa(i), name, false))
		}
	}
	return c.adder("editor-add-measured", words.T("Add a measured model"), options,
		func(v string) edit.Edit { return edit.AddMeasured(all[WholeNumber(v)]) })
}
