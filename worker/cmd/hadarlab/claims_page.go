//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strings"

	"hadarlab/core/claims"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
)

// claimsPage is the paper board as the manual shows it.
type claimsPage struct {
	Counts, Rule string
	Seeds        int
	Papers       []claimsPaper
}

// First are the papers that the lab is named after.
func (p *claimsPage) First() []claimsPaper { return p.Papers[:2] }

type claimsPaper struct {
	*claims.Paper
	Believe string
	Rows    []claimsRow
}

// claimsRow is a row with what is made of its figures.
type claimsRow struct {
	*claims.Standing
	Mean, Interval, SeedsText, Why string
	Picture, Movers                template.HTML
	Drawn                          *claimsPicture // in the form of its paper
	Open                           *opened
	MoverSeeds                     int
}

// opened is the scenario that the page opens of a row, with what is to be seen there.
type opened struct{ Link, Says string }

func newClaimsPage(board []*claims.Standing) *claimsPage {
	p := &claimsPage{Rule: claims.Rule, Seeds: claims.Seeds}
	of := map[claims.Verdict]int{}
	for _, s := range board {
		of[s.Verdict]++
		if n := len(p.Papers); n == 0 || p.Papers[n-1].Paper != s.Paper {
			p.Papers = append(p.Papers, claimsPaper{Paper: s.Paper, Believe: claims.Believe(s.Paper, board)})
		}
		paper := &p.Papers[len(p.Papers)-1]
		paper.Rows = append(paper.Rows, newClaimsRow(s))
	}
	var parts []string
	for _, v := range claims.Verdicts {
		parts = append(parts, figure.Int(of[v])+" "+string(v))
	}
	p.Counts = "Of " + figure.Plural(nil, len(board), "claim") + " " + strings.Join(parts, ", ") + "."
	return p
}

func newClaimsRow(s *claims.Standing) claimsRow {
	r := claimsRow{Standing: s, Why: s.Why()}
	if s.Ours.N == 0 {
		return r
	}
	r.Mean, r.Interval = s.Unit.Say(s.Ours.Mean), s.Unit.Spread(s.Ours)
	r.SeedsText = figure.Plural(nil, s.Ours.N, "seed")
	figures, _ := s.Full.Figures(s.Unit, s.World.Value.Good)
	scale := newTrack(s)
	r.Picture = scale.picture(figures)
	r.Movers = scale.movers()
	r.Drawn = newClaimsPicture(s.Claim.ID, s.Picture())
	if len(s.Moved) > 0 {
		r.MoverSeeds = s.Moved[0].To.N
	}
	if doc := s.Claim.Open(1); doc != nil {
		r.Open = &opened{Link: "#" + link.Encode(doc, lab.Defaults()), Says: s.OpenSays()}
	}
	return r
}

// claimRows is the board for programs, with a link that opens a seed of each row.
func claimRows(board []*claims.Standing) []claims.Row {
	rows := claims.JSON(board)
	for i, s := range board {
		if doc := s.Claim.Open(1); doc != nil {
			rows[i].Scenario = link.Encode(doc, lab.Defaults())
		}
	}
	return rows
}

// track is the axis of a row's pictures: where a figure lies, from 0 to 100 % of the width, better to the right.
type track struct {
	*claims.Standing
	low, high float64 // on the scale of means
}

func newTrack(s *claims.Standing) *track {
	t := &track{Standing: s, low: math.Inf(1), high: math.Inf(-1)}
	take := func(v float64) {
		if x := s.Unit.Place(v); !math.IsNaN(x) && !math.IsInf(x, 0) {
			t.low, t.high = min(t.low, x), max(t.high, x)
		}
	}
	take(s.Unit.None())
	take(s.Published.Low)
	take(s.Published.High)
	figures, _ := s.Full.Figures(s.Unit, s.World.Value.Good)
	for _, v := range figures {
		take(v)
	}
	estimate := func(e message.Estimate) {
		take(e.Mean)
		if e.Low != nil {
			take(*e.Low)
			take(*e.High)
		}
	}
	estimate(s.Ours)
	for _, m := range s.Largest() {
		estimate(m.To)
	}
	return t
}

// at is where a figure lies, in per cent of the width, with room for words at both ends.
func (t *track) at(v float64) float64 {
	return 12 + 76*(t.Unit.Place(v)-t.low)/max(t.high-t.low, 1e-9)
}

// picture has the seeds, the mean with its interval, the published figure and the line of no difference.
func (t *track) picture(figures []float64) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="track" role="img" aria-label="%s" height="92" width="100%%">`, template.HTMLEscapeString(t.told()))
	t.grid(&b, 24, 72)
	word := func(v float64, y int, class, text string) {
		anchor := "middle"
		if x := t.at(v); x > 75 {
			anchor = "end"
		} else if x < 25 {
			anchor = "start"
		}
		fmt.Fprintf(&b, `<text x="%.1f%%" y="%d" text-anchor=%q class=%q>%s</text>`, t.at(v), y, anchor, class,
			template.HTMLEscapeString(text))
	}
	if none := t.Unit.None(); !math.IsNaN(none) {
		word(none, 88, "none", "no difference")
	}
	if !math.IsNaN(t.Published.Low) {
		t.published(&b, 34)
		word(t.Published.Low, 14, "published", "published "+t.PublishedText())
	}
	for _, v := range figures {
		fmt.Fprintf(&b, `<circle class="seed" cx="%.1f%%" cy="56" r="3"/>`, t.at(v))
	}
	t.interval(&b, t.Ours, 56)
	b.WriteString("</svg>\n")
	return template.HTML(b.String()) //nolint:gosec // numbers, and texts of ours escaped
}

// told is the picture in words.
func (t *track) told() string {
	says := "Ours " + t.Unit.Say(t.Ours.Mean) + ", interval " + t.Unit.Spread(t.Ours) + "; published " +
		t.PublishedText()
	if none := t.Unit.None(); !math.IsNaN(none) {
		says += "; no difference at " + t.Unit.Say(none)
	}
	return says
}

func (t *track) grid(b *strings.Builder, from, to int) {
	x := t.at(t.Unit.None())
	if math.IsNaN(x) {
		return
	}
	fmt.Fprintf(b, `<line class="none" x1="%.1f%%" x2="%.1f%%" y1="%d" y2="%d"/>`, x, x, from, to)
}

// published is the published figure as a stroke, or its band.
func (t *track) published(b *strings.Builder, y int) {
	low, high := t.at(t.Published.Low), t.at(t.Published.High)
	low, high = max(0, min(low, high)), min(100, max(low, high)) // an open end goes on to the edge
	fmt.Fprintf(b, `<rect class="published" x="%.1f%%" width="%.1f%%" y="%d" height="12"/>`, low-0.4, high-low+0.8, y-8)
}

// interval is a mean with its interval.
func (t *track) interval(b *strings.Builder, e message.Estimate, y int) {
	if e.Low != nil {
		fmt.Fprintf(b, `<line class="reach" x1="%.1f%%" x2="%.1f%%" y1="%d" y2="%d"/>`, t.at(*e.Low), t.at(*e.High), y, y)
	}
	fmt.Fprintf(b, `<circle class="mean" cx="%.1f%%" cy="%d" r="5"/>`, t.at(e.Mean), y)
}

// movers is a line for the figure as it is set, and one for each of the largest movers.
func (t *track) movers() template.HTML {
	largest := t.Largest()
	if len(largest) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div class="movers">`)
	line := func(name string, e message.Estimate) {
		fmt.Fprintf(&b, `<span>%s</span><svg class="track" aria-hidden="true" height="24" width="100%%">`,
			template.HTMLEscapeString(name))
		t.grid(&b, 0, 24)
		if !math.IsNaN(t.Published.Low) {
			t.published(&b, 14)
		}
		t.interval(&b, e, 12)
		fmt.Fprintf(&b, "</svg><span>%s</span>\n", t.Unit.Say(e.Mean))
	}
	line("as it is set", t.Ours)
	for _, m := range largest {
		line(m.Choice+": "+m.Value, m.To)
	}
	b.WriteString("</div>\n")
	return template.HTML(b.String()) //nolint:gosec // numbers, and texts of ours escaped
}

// claimsFiles are the data behind the board.
func claimsFiles(board []*claims.Standing) (map[string][]byte, error) {
	var b bytes.Buffer
	claims.CSV(&b, board)
	j, err := json.Marshal(claimRows(board))
	return map[string][]byte{"docs/claims.csv": b.Bytes(), "docs/claims.json": append(j, '\n')}, err
}

// ranksTable is how all policies rank, as the page of policies shows it.
type ranksTable struct {
	Places                 []claims.Place
	Heads                  []string
	Scenarios, Jobs, Seeds int
	Date, Engine, Refused  string
}

func newRanksTable() (*ranksTable, error) {
	r, err := claims.RecordedRanks()
	if err != nil || len(r.Policies) == 0 { // nothing was recorded yet
		return nil, err
	}
	t := &ranksTable{Places: r.Places(), Scenarios: len(r.Scenarios), Jobs: claims.RankJobs, Seeds: claims.RankSeeds,
		Date: r.Date, Engine: r.Engine}
	for _, name := range claims.RankMetrics {
		t.Heads = append(t.Heads, message.FindMetric(name).Title)
	}
	var ids []string
	for _, x := range r.Refused {
		ids = append(ids, x.ID)
	}
	t.Refused = strings.Join(ids, ", ")
	return t, nil
}

// rankCell is a mean rank with its interval.
func rankCell(e message.Estimate) string {
	if e.Low == nil {
		return figure.Fixed(nil, e.Mean, 1)
	}
	return figure.Fixed(nil, e.Mean, 1) + " (" + figure.Fixed(nil, *e.Low, 1) + " to " +
		figure.Fixed(nil, *e.High, 1) + ")"
}
