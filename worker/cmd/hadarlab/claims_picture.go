//go:build !js

package main

import (
	"fmt"
	"html/template"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/claims"
	"hadarlab/core/message"
)

// claimsPicture is a picture in the form of its row's paper, as the board shows it: bars, columns or curves.
type claimsPicture struct {
	*claims.Picture
	Head []string
	Body [][]string
	SVG  template.HTML
	Keys []pictureKey
}

// pictureKey is an entry of a legend: a name, and the mark that has its style.
type pictureKey struct {
	Name string
	Mark template.HTML
}

// The rows of bars are so high; columns and curves share a frame of this height, in px. Across, all is in per cent of
// the width, so that a picture needs no second form on a narrow page.
const (
	barHeight               = 22
	frameTop, frameFoot     = 20, 200
	frameHeight             = 240
	frameLeft, frameBreadth = 9, 87
)

func newClaimsPicture(id string, p *claims.Picture) *claimsPicture {
	if p == nil {
		return nil
	}
	c := &claimsPicture{Picture: p}
	c.Head, c.Body = p.Table()
	var b strings.Builder
	height, draw := frameHeight, c.columns
	switch {
	case p.X != nil:
		draw = c.curves
	case len(p.Rows) == 1:
		height, draw = barHeight*len(p.Lines), c.bars
	}
	title := p.Title
	if p.Unit != "" {
		title += ", " + p.Unit
	}
	fmt.Fprintf(&b, `<svg class="track kit" role="img" aria-labelledby="%s-title %s-desc" height="%d" width="100%%">`+
		`<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, id, id, height, id,
		template.HTMLEscapeString(title), id, template.HTMLEscapeString(c.told()))
	draw(&b)
	b.WriteString("</svg>\n")
	c.SVG = template.HTML(b.String()) //nolint:gosec // numbers, and texts of ours escaped
	return c
}

// told is what the picture shows, in words: the last row of bars, or both ends of the curves.
func (c *claimsPicture) told() string {
	rows := []int{len(c.Rows) - 1}
	if c.X != nil {
		rows = []int{0, len(c.Rows) - 1}
	}
	var says []string
	for i := range c.Lines {
		for _, r := range rows {
			if e := &c.Lines[i].At[r]; e.N > 0 {
				at := ""
				if c.X != nil {
					at = " at " + c.Rows[r]
				}
				says = append(says, c.Lines[i].Title()+at+": "+c.say(e.Mean))
			}
		}
	}
	return strings.Join(says, "; ") + "."
}

func (c *claimsPicture) say(v float64) string {
	if c.Unit == "" {
		return c.Number(v)
	}
	return c.Number(v) + " " + c.Unit
}

// top is the greatest value that has to find room; ends of intervals may be cut.
func (c *claimsPicture) top() (top float64) {
	for i := range c.Lines {
		for r := range c.Lines[i].At {
			top = max(top, c.Lines[i].At[r].Mean)
		}
	}
	for _, band := range c.Claimed {
		top = max(top, band.Low)
	}
	return top
}

// style is the look of a line: that of its scheduler, and whether it was published.
func (c *claimsPicture) style(i int) string {
	lane := -1
	for k := range c.Lines[:i+1] {
		if !c.Lines[k].Published {
			lane++
		}
	}
	published := ""
	if c.Lines[i].Published {
		published = ` data-published=""`
	}
	return fmt.Sprintf(`data-lane="%s"%s`, bandStyle(lane), published)
}

// key puts an entry in the legend.
func (c *claimsPicture) key(name, mark string) {
	svg := `<svg class="kit" width="28" height="12" aria-hidden="true">` + mark + `</svg>`
	c.Keys = append(c.Keys, pictureKey{name, template.HTML(svg)}) //nolint:gosec // marks are ours
}

func (c *claimsPicture) keyClaimed() {
	if c.Claimed != nil {
		c.key("where the claim would put "+c.Lines[0].Name, `<line class="claimed" x1="2" x2="26" y1="6" y2="6"/>`)
	}
}

// bars lie one below the other, each with its name before it and its value behind it.
func (c *claimsPicture) bars(b *strings.Builder) {
	const left, breadth = 36, 39
	scale := breadth / c.top()
	for i := range c.Lines {
		l, e, y := &c.Lines[i], &c.Lines[i].At[0], barHeight*i
		name := l.Name
		if l.Published {
			name = "published"
		}
		end := left + scale*e.Mean
		fmt.Fprintf(b, `<text x="0" y="%d">%s</text><rect %s x="%d%%" y="%d" width="%.2f%%" height="12"/>`, y+15,
			template.HTMLEscapeString(name), c.style(i), left, y+5, end-left)
		if e.Low != nil {
			most := min(left+scale**e.High, left+breadth*1.15)
			reach(b, left+scale**e.Low, most, float64(y+11), float64(y+11))
			end = max(end, most)
		}
		fmt.Fprintf(b, `<text x="%.2f%%" dx="6" y="%d">%s</text>`, end, y+15, c.Number(e.Mean))
	}
	for _, v := range c.Claimed {
		for _, at := range []float64{v.Low, v.High} {
			fmt.Fprintf(b, `<line class="claimed" x1="%.2f%%" x2="%.2f%%" y1="1" y2="21"/>`, left+scale*at, left+scale*at)
		}
	}
	c.keyClaimed()
}

// frame is the axes of columns and curves, and what turns a value into its height.
func (c *claimsPicture) frame(b *strings.Builder) (y func(float64) float64) {
	scale := chart.LinearScale(c.top(), 4)
	y = func(v float64) float64 { return frameTop + scale.Down(min(v, scale.Max), frameFoot-frameTop) }
	for _, tick := range scale.Ticks {
		fmt.Fprintf(b, `<line class="grid" x1="%d%%" x2="100%%" y1="%.1f" y2="%.1f"/><text x="%d%%" dx="-6" y="%.1f" `+
			`text-anchor="end">%s</text>`, frameLeft, y(tick), y(tick), frameLeft, y(tick)+4, c.Number(tick))
	}
	fmt.Fprintf(b, `<text x="100%%" y="%d" text-anchor="end">%s</text>`, frameHeight-4,
		template.HTMLEscapeString(c.Axis))
	return y
}

// columns stand in groups, a group a row.
func (c *claimsPicture) columns(b *strings.Builder) {
	y := c.frame(b)
	group := frameBreadth / float64(len(c.Rows))
	wide := min(group*0.8/float64(len(c.Lines)), 5)
	for r, name := range c.Rows {
		middle := frameLeft + 2 + group*(float64(r)+0.5)
		from := middle - wide*float64(len(c.Lines))/2
		for i := range c.Lines {
			e, x := &c.Lines[i].At[r], from+wide*float64(i)
			if e.N == 0 {
				continue
			}
			fmt.Fprintf(b, `<rect %s x="%.2f%%" width="%.2f%%" y="%.1f" height="%.1f"/>`, c.style(i), x, wide*0.85,
				y(e.Mean), frameFoot-y(e.Mean))
			whisker(b, e, x+wide*0.425, y)
		}
		if c.Claimed != nil {
			for _, at := range []float64{c.Claimed[r].Low, c.Claimed[r].High} {
				fmt.Fprintf(b, `<line class="claimed" x1="%.2f%%" x2="%.2f%%" y1="%.1f" y2="%.1f"/>`, from-0.5,
					from+wide+0.35, y(at), y(at))
			}
		}
		fmt.Fprintf(b, `<text x="%.2f%%" y="%d" text-anchor="middle">%s</text>`, middle, frameFoot+16,
			template.HTMLEscapeString(name))
	}
	told := false
	for i := range c.Lines {
		l, mark := &c.Lines[i], fmt.Sprintf(`<rect %s x="2" y="1" width="20" height="10"/>`, c.style(i))
		switch {
		case !l.Published:
			c.key(l.Name, mark)
		case !told:
			c.key("published, right of ours", mark)
			told = true
		}
	}
	c.keyClaimed()
}

// whisker is the interval of an estimate that stands upright.
func whisker(b *strings.Builder, e *message.Estimate, x float64, y func(float64) float64) {
	if e.Low != nil {
		reach(b, x, x, y(*e.Low), y(*e.High))
	}
}

// reach is the line of an interval, with light around it so that it is seen on a dark bar.
func reach(b *strings.Builder, x1, x2, y1, y2 float64) {
	for _, class := range []string{"light", "reach"} {
		fmt.Fprintf(b, `<line class=%q x1="%.2f%%" x2="%.2f%%" y1="%.1f" y2="%.1f"/>`, class, x1, x2, y1, y2)
	}
}

// curves run from point to point: ours with dots and intervals, published ones without.
func (c *claimsPicture) curves(b *strings.Builder) {
	y := c.frame(b)
	first, last := c.X[0], c.X[len(c.X)-1]
	x := func(r int) float64 { return frameLeft + 2 + (frameBreadth-2)*(c.X[r]-first)/(last-first) }
	written := -100.0
	for r, name := range c.Rows {
		if x(r)-written < 9 { // two numbers need so much room
			continue
		}
		written = x(r)
		fmt.Fprintf(b, `<text x="%.2f%%" y="%d" text-anchor="middle">%s</text>`, x(r), frameFoot+16, name)
	}
	for i := range c.Lines {
		l, before := &c.Lines[i], -1
		for r := range l.At {
			e := &l.At[r]
			if e.N == 0 {
				continue
			}
			if before >= 0 {
				fmt.Fprintf(b, `<line %s x1="%.2f%%" x2="%.2f%%" y1="%.1f" y2="%.1f"/>`, c.style(i), x(before), x(r),
					y(l.At[before].Mean), y(e.Mean))
			}
			before = r
			if !l.Published {
				whisker(b, e, x(r), y)
				fmt.Fprintf(b, `<circle %s cx="%.2f%%" cy="%.1f" r="3.5"/>`, c.style(i), x(r), y(e.Mean))
			}
		}
		mark := fmt.Sprintf(`<line %s x1="0" x2="28" y1="6" y2="6"/>`, c.style(i))
		if !l.Published {
			mark += fmt.Sprintf(`<circle %s cx="14" cy="6" r="3.5"/>`, c.style(i))
		}
		c.key(l.Title(), mark)
	}
}
