package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// policies are the lanes with the forms of their policies.
func (c *Editor) policies() app.UI {
	h := c.H
	lanes := h.S.Doc.Scenario.Policies
	kids := each(len(lanes), c.lane)
	if len(lanes) < edit.MaxLanes {
		p := &h.S.Boot.Policies[0]
		kids = append(kids, h.button(".btn|data-test=editor-add-lane", "+ Add a lane", "lane",
			state.Do{Edit: edit.AddLane{ID: p.ID, Title: p.Title, Rev: p.Rev}}))
	}
	return chapter("Policies", words.F("{0} of up to {1}", figure.Plural(len(lanes), "lane"), itoa(edit.MaxLanes)),
		kids...)
}

func (c *Editor) lane(i int) app.UI {
	h := c.H
	lanes := h.S.Doc.Scenario.Policies
	info := h.S.Boot.Policy(lanes[i].ID)
	head := []app.UI{laneTag(i), h.picker(i)}
	if i+1 < len(lanes) {
		head = append(head, h.tool("|data-kind=quiet|data-test=editor-move-lane", "swap",
			words.F("Change places with lane {0}", edit.LaneLetter(i+1)), "mv"+itoa(i),
			state.Do{Edit: edit.MoveLane{Lane: i}}))
	}
	if len(lanes) > 1 {
		head = append(head, h.tool("|data-kind=quiet|data-test=editor-remove-lane", "trash",
			words.F("Remove lane {0}", edit.LaneLetter(i)), "rm"+itoa(i), state.Do{Edit: edit.RemoveLane{Lane: i}}))
	}
	kids := []app.UI{el("div.line", head...)}
	if info != nil {
		kids = append(kids, say("p.mute", info.Summary))
	}
	if info != nil && len(info.Params) > 0 {
		brief := words.T("all defaults")
		if n := len(lanes[i].Params); n > 0 {
			brief = words.F("{0} changed", itoa(n))
		}
		fields := each(len(info.Params), func(k int) app.UI { return c.param(i, &info.Params[k]) })
		kids = append(kids, el("details",
			append([]app.UI{el("summary", say("b", "Parameters"), txt("span.mute", brief))}, fields...)...))
	}
	return el("div.lanecard", kids...)
}

// param is the field of one parameter, by its kind.
func (c *Editor) param(lane int, p *edit.Param) app.UI {
	h := c.H
	policy := &h.S.Doc.Scenario.Policies[lane]
	value, changed := policy.Params[p.Name]
	if !changed {
		value = p.Default
	}
	id, path := "param-"+itoa(lane)+"-"+p.Name, "/scenario/policies/"+itoa(lane)+"/params/"+p.Name
	scope := policy.ID + id
	to := func(v any) state.Action { return state.Do{Edit: edit.SetParam{Lane: lane, Param: p, Value: v}} }
	var field app.UI
	switch p.Kind {
	case "bool":
		yes, _ := value.(bool)
		field = h.checked(el("input|type=checkbox"), yes, func(on bool) state.Action { return to(on) })
	case "choice":
		now, _ := value.(string)
		field = h.given(el("select.field", each(len(p.Choices), func(k int) app.UI {
			return option(p.Choices[k], message.ChoiceName(p.Choices[k]), p.Choices[k] == now)
		})...), "change", func(s string) state.Action { return to(s) }, scope)
	default:
		v, _ := value.(float64)
		field = h.input(number{id: scope, name: words.T(p.Title), value: v,
			rng:  edit.Range{Min: p.Min, Max: p.Max, Whole: p.Kind == "int", Unit: p.Unit},
			path: path,
			edit: func(v float64) edit.Edit { return edit.SetParam{Lane: lane, Param: p, Value: v} }})
	}
	field = set(field, "id", id, "data-test", "editor-param", "data-param", p.Name, "data-lane", edit.LaneLetter(lane),
		"data-path", path)
	return set(el("div.line param", set(say("label", p.Title), "for", id),
		el("span.unit", field, say("span.mute", p.Unit)), say("span.mute help", p.Help)), "data-set", flag(changed))
}
