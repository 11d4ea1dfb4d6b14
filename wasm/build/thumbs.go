//go:build !js

package main

import (
	"errors"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/scenarios"
	"hadarlab/wasm/webdir"
)

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
