//go:build !js

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/train"
	"hadarlab/core/unit"
)

// trainedJSON is what `hadarlab train --format json` printed when `make train-data` last ran.
//
//go:embed train.json
var trainedJSON []byte

// trained is the recorded comparison of copies with one node, as the manual shows it.
type trained struct {
	*train.Result
	Charts []trainedChart
	Rows   []trainedRow
}

type trainedChart struct {
	Title       string
	Scale, Plot template.HTML
}

// trainedRow is an instant of the table: a cell a lane, none where a lane has ended.
type trainedRow struct {
	TimeS float64
	Cells []string
}

func newTrained() (*trained, error) {
	t := &trained{}
	if err := json.Unmarshal(trainedJSON, &t.Result); err != nil {
		return nil, fmt.Errorf("train.json: %w", err)
	}
	accuracy := chart.Scale{Min: 0.4, Max: 1, Ticks: []float64{0.4, 0.6, 0.8, 1}}
	t.chart("Accuracy on points held out", &accuracy,
		func(l *train.Lane) ([]float64, []float64) { return l.Accuracy, l.AccuracyHalf },
		func(e *train.End) float64 { return e.Accuracy.Mean })
	most := 0.0
	for _, l := range t.Lanes {
		for i := range l.Loss {
			most = max(most, l.Loss[i]+l.LossHalf[i])
		}
	}
	loss := chart.LinearScale(most, 4)
	t.chart("Loss on points held out, in nats", &loss,
		func(l *train.Lane) ([]float64, []float64) { return l.Loss, l.LossHalf },
		func(e *train.End) float64 { return e.Loss.Mean })
	for i, at := range t.Lanes[0].TimeS { // when the copies are merged, which one node is measured at, too
		row := trainedRow{TimeS: at}
		for _, l := range t.Lanes {
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

// gap writes a mean difference in the same way.
func gap(f train.Figure) string { return fmt.Sprintf("%+.3f", f.Mean) + half(f) }

func half(f train.Figure) string {
	if f.Half == 0 {
		return ""
	}
	return fmt.Sprintf(" ± %.3f", f.Half)
}

// bandStyle is the look of a lane's line.
func bandStyle(lane int) string { return string(rune('a' + lane)) }

// chart draws one figure of every lane over simulated time; its ends are the text in place of the picture.
func (t *trained) chart(title string, y *chart.Scale, of func(*train.Lane) (mean, half []float64),
	ends func(*train.End) float64) {
	var bands []draw.Band
	longest := 0.0
	for i := range t.Lanes {
		b := draw.Band{Style: bandStyle(i)}
		for _, s := range t.Lanes[i].TimeS {
			b.T = append(b.T, unit.Seconds(s))
			longest = max(longest, s)
		}
		b.Mean, b.Half = of(&t.Lanes[i])
		bands = append(bands, b)
	}
	axis := chart.NewAxis(unit.Seconds(longest), 0)
	says := title + " over simulated time"
	for i := range t.Ends {
		e := &t.Ends[i]
		says += fmt.Sprintf("; %s, at %.0f s after %d steps: %.3f", e.Lane, e.TimeS, e.Steps, ends(e))
	}
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
