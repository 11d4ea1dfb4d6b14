package charts

import (
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/scenario"
)

func init() {
	register("cloud", kind{draw: (*Chart).cloud, offered: func(r *run.Result) bool {
		return r.Doc.Scenario.Cloud != nil
	}})
}

// rents is a mark a lane: mean completion over what its nodes for money cost.
func (c *Chart) rents(r *run.Result, title string) Picture {
	lanes, styles := ran(r)
	v, u := &chart.Vary{Now: -1, Name: words.T("Mean completion over rent in USD"), Noun: "USD"}, r.Axis.Unit
	v.X = append(v.X, 0)
	for _, l := range lanes {
		v.X = append(v.X, l.Meta.Metrics.RentUSD)
	}
	slices.Sort(v.X)
	v.X = slices.Compact(v.X)
	for i, l := range lanes {
		line := chart.VaryLine{Name: l.Title, Style: styles[i], Letter: edit.LaneLetter(slices.Index(r.Lanes, l)),
			Y: slices.Repeat([]float64{chart.Unfinished}, len(v.X)), Cut: make([]bool, len(v.X))}
		at := slices.Index(v.X, l.Meta.Metrics.RentUSD)
		if m := l.Meta.Metrics.AvgJCTS; m > 0 { // a job has finished
			line.Y[at], line.Cut[at] = m/u.Length.Seconds(), l.Meta.Outcome != "done"
		}
		v.Lines = append(v.Lines, line)
	}
	y := v.Scale()
	return Picture{draw.ScaleSVG(words.Now(), &y, u.Short, c.Gutter()), draw.VarySVG(words.Now(), v, -1, title), 0}
}

// cloud is how many GPUs of nodes for money are there and in use, and in its table what they cost.
func (c *Chart) cloud(r *run.Result) *Drawing {
	d := &Drawing{Test: "cloud", Head: []string{"Policy", "Group", "#Nodes came", "#Hours there", "#Hours billed",
		"#USD an hour", "#Rent, USD", "#of it idle", "#Mean completion"}}
	p, _ := scenario.Compile(r.Doc, nil)
	if p == nil || p.Cloud == nil {
		return d
	}
	var sides []insights.Side
	var all [][]chart.CloudUse
	most := make([]float64, len(p.Cloud.Groups))
	for _, l := range r.Ran() {
		sides, all = append(sides, l.Side()), append(all, chart.NewCloudUses(l.Trace, p))
	}
	for g := range most {
		of := &p.Cloud.Groups[g]
		most[g] = float64(int32(of.To-of.From) * p.Cluster.Slots[of.From].Cap)
	}
	d.Finding = insights.Cloud(words.Now(), sides)
	c.eachRun(d, sides, func(run int) (strips []draw.Strip) {
		for g := range most {
			u := &all[run][g]
			strips = append(strips, draw.Strip{High: 40, Y: chart.LinearScale(most[g], 2),
				Name:  words.F("{0}, GPUs", p.Cloud.Groups[g].Name),
				Areas: []draw.StripArea{{Use: "waste", Of: &u.There}, {Use: "busy", Of: &u.Used}}})
		}
		return strips
	})
	if len(sides) > 1 && slices.ContainsFunc(sides, func(s insights.Side) bool { return s.Metrics.RentUSD > 0 }) {
		d.Pictures = append(d.Pictures, c.rents(r, d.Finding.Claim))
	}
	d.Key = markup.Swatches("cloud-legend", areaKey("busy"), words.T("jobs hold them"), areaKey("waste"),
		words.T("there, without a job"))
	d.Table = func(t *markup.Table) {
		for i := range all {
			for g := range all[i] {
				u, of := &all[i][g], &p.Cloud.Groups[g]
				idle := "–"
				if u.USD > 0 {
					idle = words.Fixed(u.IdleUSD/u.USD*100, 1) + " %"
				}
				t.Row("", sides[i].Title, of.Name, "#"+strconv.Itoa(u.Nodes), "#"+words.Sig(u.HadH, 4),
					"#"+words.Sig(u.BilledH, 4), "#"+words.Sig(of.USDPerHour, 4), "#"+words.Sig(u.USD, 4), "#"+idle,
					"#"+figure.Say(words.Now(), sides[i].Metrics.AvgJCTS, "s"))
			}
		}
	}
	return d
}
