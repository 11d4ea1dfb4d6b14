package charts

import (
	"strconv"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
)

func init() { register("types", kind{draw: (*Chart).types}) }

// types is how the GPUs of each type spend their time, lane by lane: a strip a GPU type.
func (c *Chart) types(r *run.Result) *Drawing {
	of := r.Ran()
	var sides []insights.Side
	var use [][]chart.Usage
	for _, l := range of {
		use, sides = append(use, l.Chart.UsageByType(l.Trace)), append(sides, l.Side())
	}
	d := &Drawing{Finding: insights.Usage(words.Now(), sides, use), Test: "usage", Key: usageLegend(),
		Head: []string{"Policy", "GPU type", "#GPUs", "#Busy", "#Held", "#Idle, a job waits", "#Free"}}
	for i, l := range of {
		d.Pictures = append(d.Pictures, Picture{draw.UsageGutterSVG(words.Now(), l.Trace, use[i], l.Title,
			c.Gutter()),
			draw.UsageSVG(c.Time(), l.Trace, use[i], l.Title+". "+d.Finding.Claim), draw.UsageHeight(len(use[i]))})
	}
	d.Table = func(t *markup.Table) {
		for i, l := range of {
			for k := range use[i] {
				u := &use[i][k]
				name := l.Trace.Types[u.Type]
				cells := []string{l.Title, figure.TypeTitle(name), "#" + strconv.Itoa(int(u.GPUs))}
				for _, s := range u.Share {
					cells = append(cells, "#"+words.Fixed(s*100, 1)+" %")
				}
				t.Row(` data-policy="`+draw.Escape(l.Policy.ID)+`" data-type="`+draw.Escape(name)+`" data-busy="`+
					markup.Exact(u.Share[chart.ShareBusy])+`"`, cells...)
			}
		}
	}
	return d
}

// usageLegend names the parts of a strip; the number beside each is the share that works.
func usageLegend() string {
	return markup.Swatches("usage-legend",
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="busy" width="16" height="12"></rect></svg>`,
		words.T("busy"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="held" width="16" height="12"></rect></svg>`,
		words.T("held, no progress"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="waste" width="16" height="12"></rect></svg>`,
		words.T("idle while a job waits"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-role="node-bg" width="16" height="12"></rect><rect data-role="usage-frame" width="16" height="12"></rect></svg>`, words.T("free"))
}
