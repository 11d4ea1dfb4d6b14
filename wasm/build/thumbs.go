//go:build !js

package main

import (
	"errors"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
	"hadarlab/wasm/webdir"
	"hadarlab/worker/picture"
	"hadarlab/worker/shared"
)

// addCard draws what other programs show of a link to the lab: its question, over the machines and jobs of the first
// preset.
func addCard(files webdir.Files) (err error) {
	preset, _ := lab.Preset(scenarios.Names[0])
	doc, diags := scenario.Parse(preset, scenario.FileLimits)
	if doc == nil {
		return errors.New("the first preset cannot be read: " + diags.Errors()[0].Message.String())
	}
	shows := shared.Preview(doc)
	shows.Title = "Which scheduler ends your jobs sooner, and why?"
	files[webdir.Card], err = picture.PNG(shows)
	return err
}

// addThumbs draws the first lane of every preset, for the gallery.
func addThumbs(files webdir.Files) error {
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		s := lab.NewSession()
		if diags := s.Start(&message.RunRequest{Scenario: doc}); diags.HasErrors() {
			return errors.New("preset " + name + " cannot run: " + diags.Errors()[0].Message.String())
		}
		for more := true; more; {
			_, more = s.Spend(1 << 20)
		}
		t := s.Trace(0)
		if t == nil {
			return errors.New("preset " + name + " fails in its first lane")
		}
		files["web/thumbs/"+name+".svg"] = []byte(draw.ThumbSVG(t, chart.NewLane(t)))
	}
	return nil
}
