package editor

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// cloud is the nodes that can be had for money, and who asks for them.
func cloud(c *Editor) app.UI {
	h := &c.Fields
	s := &h.Doc.Scenario
	brief := words.T("none")
	var kids []app.UI
	if s.Cloud != nil {
		brief = words.N(len(s.Cloud.Groups), "{0} kind of nodes for money", "{0} kinds of nodes for money")
		for i := range s.Cloud.Groups {
			g := &s.Cloud.Groups[i]
			kids = append(kids, Set(h.entryRow(g.ID+", "+g.Type, edit.GroupForm(i), "editor-remove-group",
				words.F("Remove {0}", g.ID), edit.RemoveGroup(i, g.ID)), "data-group", g.ID))
		}
		kids = append(kids, h.form(edit.CloudWords(), nil)...)
		for i := range s.Policies {
			kids = append(kids, El("div.line", Txt("span", words.F("Autoscaler of lane {0}", edit.LaneLetter(i))),
				El("span.unit", Set(h.autoscaler(i), "data-test", "editor-autoscaler"))))
		}
	}
	types := map[string]bool{}
	for i := range s.Cluster.Nodes {
		for typ, n := range s.Cluster.Nodes[i].GPUs {
			types[typ] = types[typ] || n > 0
		}
	}
	options := []app.UI{Option("", words.T("+ Nodes for money with…"), true)}
	for _, typ := range jsondoc.Keys(types) {
		if types[typ] {
			options = append(options, Option(typ, typ, false))
		}
	}
	kids = append(kids, El("div.line", c.adder("editor-add-group", words.T("Nodes for money"), options, edit.AddGroup)),
		Say("p.mute help",
			"Nodes that can be had come a while after somebody asks for them and are paid for until they go. Policies see them come and go as after faults, and know nothing of the autoscaler."))
	return shut("editor-cloud", "Cloud", brief, kids...)
}

// autoscaler is the list of a lane's own autoscaler.
func (h *Fields) autoscaler(lane int) app.UI {
	now := edit.AutoscalerOf(&h.Doc.Scenario.Policies[lane])
	options := []app.UI{Option("", edit.AutoscalerTitle(""), now == "")}
	for _, auto := range scenario.Autoscalers {
		options = append(options, Option(auto, edit.AutoscalerTitle(auto), auto == now))
	}
	return Given(Set(El("select.field", options...), "data-path",
		"/scenario/policies/"+Itoa(lane)+"/params/autoscaler", "aria-label",
		words.F("Autoscaler of lane {0}", edit.LaneLetter(lane))), "change",
		func(s string) state.Action { return state.Do{Edit: edit.SetAutoscaler(lane, s)} }, Itoa(lane))
}
