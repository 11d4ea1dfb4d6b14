//go:build !js

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/train"
	"hadarlab/core/unit"
)

// trainedJSON is what `hadarlab train --format json` printed when `make train-data` last ran.
//
//go:embed train.json
var trainedJSON []byte

// trained is the recorded comparison of copies, synchronous training and one node, as the manual shows it.
type trained struct {
	*train.Result
	Courses []*train.Lane // those that take the same time
	Charts  []trainedChart
	Rows    []trainedRow
	Tables  []trainedTable
	Ahead   float64 // steps of the copies for one of one node in the same time
}

type trainedChart struct {
	Title       string
	Scale, Plot template.HTML
}

// trainedRow is an instant of the courses: three cells a lane.
type trainedRow struct {
	TimeS float64
	Cells []string
}

// trainedTable is how lanes end with the same steps, or the same time.
type trainedTable struct {
	Caption string
	Ends    []trainedEnd
}

type trainedEnd struct {
	train.End
	Less *train.Difference // nil for one node
}

func newTrained() (*trained, error) {
	t := &trained{}
	if err := json.Unmarshal(trainedJSON, &t.Result); err != nil {
		return nil, fmt.Errorf("train.json: %w", err)
	}
	for _, same := range []string{train.SameSteps, train.SameTime} {
		table := trainedTable{Caption: sameOf(t.Result, same)}
		for _, e := range t.Ends {
			if e.Same == same {
				table.Ends = append(table.Ends, trainedEnd{e, t.Less(e.Lane, same)})
			}
		}
		t.Tables = append(t.Tables, table)
	}
	t.Ahead = float64(t.Ends[0].Steps) / float64(t.Ends[len(t.Ends)-1].Steps)
	most := 0.0
	for i := range t.Lanes {
		l := &t.Lanes[i]
		if l.Same == train.SameSteps {
			continue
		}
		t.Courses = append(t.Courses, l)
		for k := range l.Loss {
			most = max(most, l.Loss[k]+l.LossHalf[k])
		}
	}
	accuracy, loss := chart.Scale{Min: 0.4, Max: 1, Ticks: []float64{0.4, 0.6, 0.8, 1}}, chart.LinearScale(most, 4)
	t.chart("Accuracy on points held out", &accuracy,
		func(l *train.Lane) ([]float64, []float64) { return l.Accuracy, l.AccuracyHalf })
	t.chart("Loss on points held out, in nats", &loss,
		func(l *train.Lane) ([]float64, []float64) { return l.Loss, l.LossHalf })
	for i, at := range t.Courses[0].TimeS { // when the copies are merged, which the others are measured at, too
		row := trainedRow{TimeS: at}
		for _, l := range t.Courses {
			row.Cells = append(row.Cells, strconv.Itoa(l.Steps[i]),
				meanOf(train.Figure{Mean: l.Accuracy[i], Half: l.AccuracyHalf[i]}),
				meanOf(train.Figure{Mean: l.Loss[i], Half: l.LossHalf[i]}))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// meanOf writes a mean with half its interval, if it has one.
func meanOf(f train.Figure) string { return fmt.Sprintf("%.3f", f.Mean) + half(f) }

// gap writes a mean difference in the same way; one that is 0 to three decimals has no minus.
func gap(f train.Figure) string {
	return strings.Replace(fmt.Sprintf("%+.3f", f.Mean), "-0.000", "+0.000", 1) + half(f)
}

func half(f train.Figure) string {
	if f.Half == 0 {
		return ""
	}
	return fmt.Sprintf(" ± %.3f", f.Half)
}

// bandStyle is the look of a lane's line.
func bandStyle(lane int) string { return string(rune('a' + lane)) }

// chart draws one figure of the courses over simulated time; where they end is the text in place of the picture.
func (t *trained) chart(title string, y *chart.Scale, of func(*train.Lane) (mean, half []float64)) {
	var bands []draw.Band
	says := title + " over simulated time"
	for i, l := range t.Courses {
		b := draw.Band{Style: bandStyle(i)}
		for _, s := range l.TimeS {
			b.T = append(b.T, unit.Seconds(s))
		}
		b.Mean, b.Half = of(l)
		bands = append(bands, b)
		last := len(l.TimeS) - 1
		says += fmt.Sprintf("; %s, at %.0f s after %d steps: %.3f", l.Lane, l.TimeS[last], l.Steps[last], b.Mean[last])
	}
	ends := bands[0].T
	axis := chart.NewAxis(ends[len(ends)-1], 0)
	// What draw writes has its texts escaped.
	t.Charts = append(t.Charts, trainedChart{title, template.HTML(draw.ScaleSVG(nil, y, "", 48)),
		template.HTML(draw.BandsSVG(nil, &axis, y, bands, 800, says+"."))})
}

// compactTrained is the recorded result without the room that people need.
func compactTrained() ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, trainedJSON)
	return b.Bytes(), err
}
