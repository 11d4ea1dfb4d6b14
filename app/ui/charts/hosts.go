package charts

import (
	"slices"
	"strconv"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
)

func init() {
	register("hosts", kind{draw: (*Chart).hosts, offered: func(r *run.Result) bool {
		return r.Doc.Scenario.SharesHosts()
	}})
}

// hosts is how much of the nodes' CPUs and memory jobs have, and how much of that they can use.
func (c *Chart) hosts(r *run.Result) *Drawing {
	d := &Drawing{Test: "hosts", Head: []string{"Policy", "Node", "#CPUs", "#Memory, GB", "#A job lacks some",
		"#CPUs of no use"}}
	p, _ := scenario.Compile(r.Doc, nil)
	if p == nil {
		return d
	}
	var sides []insights.Side
	var all [][]chart.HostUse
	for _, l := range r.Ran() {
		sides, all = append(sides, l.Side()), append(all, chart.NewHostUses(l.Trace, p.Under(l.Policy.Params)))
	}
	hungriest := chart.Hungriest(all)
	d.Finding = insights.Hosts(words.Now(), sides, all, len(hungriest), &p.Cluster)
	if len(hungriest) == 0 {
		return d
	}
	c.eachRun(d, sides, func(run int) (strips []draw.Strip) {
		for k := range hungriest {
			strips = append(strips, hostStrips(&hungriest[k], all[run], &p.Cluster)...)
		}
		return strips
	})
	d.Key = markup.Swatches("hosts-legend", areaKey("busy"), words.T("jobs can use it"), areaKey("waste"),
		words.T("jobs have it and cannot use it"))
	d.Table = func(t *markup.Table) {
		rows := 0
		for i := range all {
			for k := range all[i] {
				u := &all[i][k]
				if rows++; rows <= tableRows {
					t.Row("", sides[i].Title, p.Cluster.Nodes[u.Node].Name, "#"+words.Sig(u.Host.CPUs, 4),
						"#"+words.Sig(u.Host.MemoryGB, 4), "#"+words.Fixed(u.Slowed*100, 1)+" %",
						"#"+words.Fixed(u.Lost*100, 1)+" %")
				}
			}
		}
		if rows > tableRows {
			t.Rest = words.F("The first {0} of {1} nodes.", strconv.Itoa(tableRows), strconv.Itoa(rows))
		}
	}
	return d
}

// hostStrips are the strips of a node, in percent of what it has: of its CPUs and of its memory, whichever it states.
func hostStrips(node *chart.HostUse, uses []chart.HostUse, c *model.Cluster) (strips []draw.Strip) {
	k := slices.IndexFunc(uses, func(of chart.HostUse) bool { return of.Node == node.Node })
	strip := func(name string, has float64, given, used func(now *chart.HostStep) float64) {
		s := draw.Strip{High: 30, Y: chart.LinearScale(100, 2), Name: name}
		if k >= 0 {
			for _, a := range [...]struct {
				use string
				of  func(now *chart.HostStep) float64
			}{{"waste", given}, {"busy", used}} {
				curve := uses[k].Curve(func(now *chart.HostStep) float64 { return a.of(now) / has * 100 })
				s.Areas = append(s.Areas, draw.StripArea{Use: a.use, Of: &curve})
			}
		}
		strips = append(strips, s)
	}
	name, h := c.Nodes[node.Node].Name, node.Host
	if h.CPUs > 0 {
		strip(words.F("{0}, % of {1} CPUs", name, words.Sig(h.CPUs, 4)), h.CPUs,
			func(now *chart.HostStep) float64 { return now.Given.CPUs },
			func(now *chart.HostStep) float64 { return now.Used.CPUs })
	}
	if h.MemoryGB > 0 {
		strip(words.F("{0}, % of {1} GB", name, words.Sig(h.MemoryGB, 4)), h.MemoryGB,
			func(now *chart.HostStep) float64 { return now.Given.MemoryGB },
			func(now *chart.HostStep) float64 { return now.Used.MemoryGB })
	}
	return strips
}
