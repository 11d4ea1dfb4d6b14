package edit

import (
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Autoscaler is the parameter that every lane may have: who asks for the cloud's nodes in it.
const Autoscaler = "autoscaler"

// AutoscalerTitle is the name of an autoscaler; "" is the scenario's.
func AutoscalerTitle(auto string) string {
	switch auto {
	case "reactive":
		return words.T("reactive")
	case "predictive":
		return words.T("predictive")
	case "fixed":
		return words.In("autoscaler", "fixed")
	}
	return words.T("as in the scenario")
}

// CloudWords chooses who asks for nodes.
func CloudWords() []Word {
	return []Word{choice("/scenario/cloud/autoscaler", "Autoscaler", "Autoscaler",
		"reactive: what waiting jobs need; predictive: also what a forecast says; fixed: all, all the time", "reactive",
		"predictive", "always all")}
}

// GroupForm are the numbers of a group of nodes.
func GroupForm(i int) []Figure {
	at := "/scenario/cloud/groups/" + itoa(i) + "/"
	return []Figure{number(at+"gpus", "GPUs of a node for money", "GPUs of a node", "", ""),
		number(at+"nodes", "Nodes for money", "Nodes", "", ""),
		number(at+"usd_per_h", "Price of a node", "USD an hour", "", ""),
		number(at+"start_s", "Time until a node comes", "Comes after", "", ""),
		number(at+"idle_s", "Time until a node is released", "Released after", "", ""),
		number(at+"min_s", "Least time that is billed", "Billed at least", "", ""),
		number(at+"spot_per_h", "Times a node vanishes", "Vanishes, an hour", "", "")}
}

// AddGroup lets nodes with GPUs of a type be had for money, at the price of their GPUs.
func AddGroup(typ string) Edit {
	return Rewrite{words.F("Nodes with {0} can be had for money", jsondoc.ClipTo(typ, 24)), func(d *scenario.Document) {
		s := &d.Scenario
		if s.Cloud == nil {
			s.Cloud = &scenario.Cloud{Autoscaler: scenario.Autoscalers[0]}
		}
		if !slices.Contains(d.Requires, scenario.CloudFeature) {
			d.Requires = append(d.Requires, scenario.CloudFeature)
		}
		g := scenario.CloudGroup{Type: typ, GPUs: 1, Nodes: 2, StartS: scenario.DefaultStartS,
			IdleS: scenario.DefaultIdleS, MinS: 60}
		known, _ := scenario.CatalogueType(typ)
		g.USDPerH = known.USDPerHour
		taken := func(id string) bool {
			return slices.ContainsFunc(s.Cloud.Groups, func(o scenario.CloudGroup) bool { return o.ID == id }) ||
				slices.ContainsFunc(s.Cluster.Nodes, func(n scenario.Node) bool {
					return n.ID == id+"-1" || n.ID == id+"-2"
				})
		}
		for n := 1; g.ID == "" || taken(g.ID); n++ {
			if g.ID = "rent"; n > 1 {
				g.ID = "rent" + itoa(n)
			}
		}
		s.Cloud.Groups = append(s.Cloud.Groups, g)
	}}
}

// RemoveGroup takes a group away, and with the last one all that is of the cloud.
func RemoveGroup(i int, id string) Edit {
	return Rewrite{words.F("{0} can no longer be had", jsondoc.ClipTo(id, 24)), func(d *scenario.Document) {
		s := &d.Scenario
		if s.Cloud.Groups = removed(s.Cloud.Groups, i); len(s.Cloud.Groups) > 0 {
			return
		}
		s.Cloud = nil
		d.Requires = slices.DeleteFunc(d.Requires, func(f string) bool { return f == scenario.CloudFeature })
		for k := range s.Policies {
			delete(s.Policies[k].Params, Autoscaler)
		}
	}}
}

// SetAutoscaler gives a lane an autoscaler of its own, or with "" the scenario's.
func SetAutoscaler(lane int, auto string) Edit {
	return Rewrite{words.F("Lane {0}, autoscaler: {1}", LaneLetter(lane), AutoscalerTitle(auto)),
		func(d *scenario.Document) {
			p := &d.Scenario.Policies[lane]
			if delete(p.Params, Autoscaler); auto == "" {
				return
			}
			if p.Params == nil {
				p.Params = map[string]any{}
			}
			p.Params[Autoscaler] = auto
		}}
}

// AutoscalerOf is a lane's own, "" = it has the scenario's.
func AutoscalerOf(p *scenario.Policy) string {
	auto, _ := p.Params[Autoscaler].(string)
	return auto
}
