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
	register("links", kind{draw: (*Chart).links, offered: func(r *run.Result) bool {
		return r.Doc.Scenario.SharesLinks() && spread(r)
	}})
}

// links is how much of what network cards and uplinks carry is sent, and where several gangs share them.
func (c *Chart) links(r *run.Result) *Drawing {
	d := &Drawing{Test: "links", Head: []string{"Policy", "Link", "#Carries, GB/s", "#Sent, mean", "#Shared",
		"#Gangs at once"}}
	p, _ := scenario.Compile(r.Doc, nil)
	if p == nil {
		return d
	}
	var sides []insights.Side
	var all [][]chart.Load
	for _, l := range r.Ran() {
		sides, all = append(sides, l.Side()), append(all, chart.NewLoads(l.Trace, p))
	}
	busiest := chart.Busiest(all)
	d.Finding = insights.Loads(words.Now(), sides, all, len(busiest), &p.Cluster)
	if len(busiest) == 0 {
		return d
	}
	c.eachRun(d, sides, func(run int) (strips []draw.Strip) {
		for k := range busiest {
			strips = append(strips, loadStrip(&busiest[k], all[run], &p.Cluster))
		}
		return strips
	})
	d.Key = markup.Swatches("links-legend", areaKey("busy"), words.T("sent, on average over a step"), areaKey("waste"),
		words.T("unused, and several gangs share the link"), areaKey("held"),
		words.T("unused, and one gang has the link"))
	d.Table = func(t *markup.Table) {
		rows := 0
		for i := range all {
			for k := range all[i] {
				l := &all[i][k]
				if rows++; rows <= tableRows {
					t.Row("", sides[i].Title, insights.LinkName(words.Now(), l, &p.Cluster),
						"#"+words.Sig(l.Carries/1e9, 4), "#"+words.Fixed(l.Mean*100, 1)+" %",
						"#"+words.Fixed(l.Shared*100, 1)+" %", "#"+strconv.Itoa(int(l.Most)))
				}
			}
		}
		if rows > tableRows {
			t.Rest = words.F("The first {0} of {1} links.", strconv.Itoa(tableRows), strconv.Itoa(rows))
		}
	}
	return d
}

// loadStrip is the strip of a link, in percent of what it carries.
func loadStrip(link *chart.Load, loads []chart.Load, c *model.Cluster) draw.Strip {
	s := draw.Strip{High: 30, Y: chart.LinearScale(100, 2), Name: words.F("{0}, % of {1} GB/s",
		insights.LinkName(words.Now(), link, c), words.Sig(link.Carries/1e9, 4))}
	k := slices.IndexFunc(loads, func(of chart.Load) bool { return of.Link == link.Link })
	if k < 0 {
		return s
	}
	area := func(use string, of func(now *chart.LoadStep) float64) {
		curve := loads[k].Curve(func(now *chart.LoadStep) float64 { return of(now) / link.Carries * 100 })
		s.Areas = append(s.Areas, draw.StripArea{Use: use, Of: &curve})
	}
	area("held", func(now *chart.LoadStep) float64 { return now.Given })
	area("waste", func(now *chart.LoadStep) float64 {
		if now.Gangs < 2 {
			return 0
		}
		return now.Given
	})
	area("busy", func(now *chart.LoadStep) float64 { return now.Sent })
	return s
}
