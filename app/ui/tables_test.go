package ui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/scenarios"
)

var (
	tableHead = regexp.MustCompile(`(?s)<thead>.*?</thead>`)
	tableRow  = regexp.MustCompile(`(?s)<tr\b.*?</tr>`)
	tableCell = regexp.MustCompile(`(?s)<(?:td|th)\b([^>]*)>(.*?)</(?:td|th)>`)
	markupTag = regexp.MustCompile(`<[^>]*>`)
	numClass  = regexp.MustCompile(`class="(?:[^"]* )?num[ "]`)
)

// misaligned are the cells of a page's tables that stand under a head of numbers, and not as numbers do; under counts
// the heads of numbers.
func misaligned(page string) (bad []string, under int) {
	for _, table := range strings.Split(page, "<table")[1:] {
		table, _, _ = strings.Cut(table, "</table>")
		thead := tableHead.FindString(table)
		heads := tableCell.FindAllStringSubmatch(thead, -1)
		for _, row := range tableRow.FindAllString(strings.Replace(table, thead, "", 1), -1) {
			cells := tableCell.FindAllStringSubmatch(row, -1)
			if len(cells) != len(heads) {
				continue // cells that reach over several columns
			}
			for i, c := range cells {
				if !numClass.MatchString(heads[i][1]) {
					continue
				}
				if under++; !numClass.MatchString(c[1]) && !strings.Contains(c[1], `scope="row"`) {
					bad = append(bad, markupTag.ReplaceAllString(heads[i][2]+": "+c[2], ""))
				}
			}
		}
	}
	return bad, under
}

// TestNumbersStandAsNumbers: in every table of the page, whatever stands under a head of numbers stands as numbers do,
// a dash for one that is missing too.
func TestNumbersStandAsNumbers(t *testing.T) {
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	d, seen := newDesk(t), 0
	check := func(preset string) {
		t.Helper()
		bad, under := misaligned(app.HTMLString((&elm.Root{}).Render()))
		if seen += under; len(bad) > 0 {
			t.Errorf("%s: %q", preset, bad)
		}
	}
	for which := range 3 {
		d.do(state.ToggleTable{Which: which})
	}
	for i := range cards {
		text, _ := lab.Preset(cards[i].Preset)
		d.open(text)
		for lane := range d.h.S.Result.Lanes {
			d.do(state.ExplainLane{Lane: lane})
			check(cards[i].Preset)
		}
		for _, c := range data.Charts() {
			d.do(state.ChooseChart{Name: c.ID})
			check(cards[i].Preset + ", " + c.ID)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d cells are under a head of numbers", seen)
	}
}
