package ui

import (
	"slices"

	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/core/chart/draw"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// names is the column beside the plot. A click on a node's name folds it; the menu View does it for the keyboard.
func (v *LaneView) names(p *draw.Picture) app.UI {
	wide := v.H.gutter()
	return el("div.rownames", app.Raw(draw.GutterSVG(p.Lane, p.Trace, p.Frame, wide)),
		on(el("div|data-test=folds", app.Raw(draw.FoldsSVG(p.Lane, p.Trace, p.Frame, wide))), "click", v.fold,
			itoa(v.Lane)))
}

func (v *LaneView) fold(_ app.Context, e app.Event) {
	if node := platform.Closest(e.Value, "data-node"); node != "" {
		v.H.Do(state.Fold{Node: node})
	}
}

// mostNodes is how many nodes the menu lists.
const mostNodes = 100

// views is the menu of how the lanes are shown: what a row is, how much of the time, and the same as a table.
func (t *Timeline) views(r *run.Result) app.UI {
	h, a := t.H, &t.H.S.View.Rows
	by := h.S.RowsBy()
	which := func(name, label string) app.UI {
		return set(h.button("|data-test=rows-"+name, label, name, state.Arrange{By: name}),
			"aria-pressed", onoff(by == name))
	}
	nodes := h.S.Result.Nodes()
	list := each(min(len(nodes), mostNodes), func(i int) app.UI {
		n := nodes[i]
		pinned := slices.Contains(a.Pinned, n)
		return set(el("li", txt("b", n),
			set(h.button(".btn|data-test=rows-fold", "Fold", "fold"+n, state.Fold{Node: n}),
				"aria-label", words.F("Fold {0}", n), "aria-pressed", onoff(slices.Contains(a.Folded, n)),
				"disabled", flag(a.Types && !pinned)),
			set(h.button(".btn|data-test=rows-pin", "Pin to top", "pin"+n, state.Pin{Node: n}),
				"aria-label", words.F("Pin {0} to the top", n), "aria-pressed", onoff(pinned))), "data-node", n)
	})
	if n := len(nodes) - mostNodes; n > 0 {
		list = append(list, txt("li", words.F("and {0} more", itoa(n))))
	}
	open, zoom := onoff(t.Table), app.UI(nil)
	if t.Zoom.Whole() {
		zoom = t.zoomIn(r)
	}
	return el("details.drop rows-menu|data-test=rows", say("summary.btn|data-kind=quiet", "View"), el("div.menu",
		el("div.menu-row", set(h.button(".btn|data-test=spans-toggle", "Table", "table", state.ToggleTable{Which: 0}),
			"aria-expanded", open, "aria-pressed", open), zoom),
		el("div.menu-row", say("b", "Rows"), el("span.seg|role=group|aria-label=What a row is",
			which(state.RowGPU, "GPUs"), which(state.RowNode, "Nodes"), which(state.RowType, "GPU types"))),
		el("ul", list...)))
}
