// Package charts draws a result: its lanes over one time axis, and the charts under them, a file each, which registers
// itself. They are made as text from values, with finding, legend and table; nothing here knows the page or its events.
package charts

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/data"
	"hadarlab/core/insights"
)

// Chart is one of the charts, and what of a result it is drawn from.
type Chart struct {
	Plot
	Tab    string // which it is
	Moment int    // of the cursor
	Job    string // that is selected
	Log    bool   // prices stand by their logarithm
}

// Drawing is a chart: finding, pictures one under the other, legend and table.
type Drawing struct {
	Finding  insights.Finding
	Curves   []chart.Curve // of the legend
	Key      string        // another legend, as markup
	Test     string        // hook of the pictures
	Pictures []Picture
	Mark     func(job int32) string       // the selected job over the first picture, nil = it is drawn into it
	Nearest  func(x, y float64) (j int32) // job that a click in it means, nil = the one that it meets
	Head     []string                     // of the table, nil = there is none
	Table    func(t *markup.Table)
	moment   int // at which it holds, where it is of an instant
}

// Picture is a picture beside its names. One on the lanes' axis has a height in px, for the cursor.
type Picture struct {
	Names, SVG string
	High       float64
}

// tableRows is how many rows a chart's table lists.
const tableRows = 200

// kind is how one of the charts is drawn.
type kind struct {
	draw     func(c *Chart, r *run.Result) *Drawing
	offered  func(r *run.Result) bool // whether a result has something to show in it, nil = any has
	ofJob    bool                     // it shows the selected job
	ofMoment bool                     // it is of the cursor's instant
	scaled   bool                     // it has a logarithmic scale, too
}

var kinds = map[string]kind{}

// register gives a chart its drawing. It is called from init, by the file of each chart.
func register(id string, k kind) { kinds[id] = k }

// Offered says whether a result has something to show in a chart.
func Offered(r *run.Result, id string) bool {
	f := kinds[id].offered
	return f == nil || f(r)
}

// Shown is the chart that is drawn of a result where one is chosen: that one, or the first where the result has nothing
// to show in it, as when the next scenario is under other policies.
func Shown(r *run.Result, id string) string {
	if _, known := kinds[id]; known && Offered(r, id) {
		return id
	}
	return data.Charts()[0].ID
}

// Scaled says whether a chart has a logarithmic scale, too.
func Scaled(id string) bool { return kinds[id].scaled }

// At is the place of a chart among the tabs.
func At(id string) int {
	return slices.IndexFunc(data.Charts(), func(c *data.Chart) bool { return c.ID == id })
}

// Drawing is the chart drawn. Of one of an instant only the latest is kept.
func (c *Chart) Drawing() *Drawing {
	name, of := c.Tab, kinds[c.Tab]
	if of.ofJob {
		name += " " + c.Job
	}
	if of.scaled && c.Log {
		name += " by logarithm"
	}
	all := c.drawn().charts
	if d := all[name]; d == nil || of.ofMoment && d.moment != c.Moment {
		all[name] = c.Draw()
	}
	return all[name]
}

// Draw draws the chart.
func (c *Chart) Draw() *Drawing {
	if len(c.Result.Ran()) == 0 {
		return &Drawing{Finding: insights.Finding{Claim: words.T("Nothing was simulated.")}}
	}
	return kinds[c.Tab].draw(c, c.Result)
}
