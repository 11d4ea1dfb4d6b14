//go:build !js

package main

import (
	"errors"
	"os"
	"path/filepath"

	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/scenarios"
)

// writeThumbs draws the first lane of every preset, for the gallery.
func writeThumbs(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		s := lab.NewSession()
		if diags := s.Start(&message.RunRequest{Scenario: doc}); diags.HasErrors() {
			return errors.New("preset " + name + " cannot run: " + diags.Errors()[0].Message)
		}
		for more := true; more; {
			_, more = s.Spend(1 << 20)
		}
		t := s.Trace(0)
		if t == nil {
			return errors.New("preset " + name + " fails in its first lane")
		}
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(chart.ThumbSVG(t, chart.NewLane(t))), 0o644); err != nil {
			return err
		}
	}
	return nil
}
