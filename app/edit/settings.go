package edit

import (
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// Settings of the run.
const (
	Round = iota
	Horizon
	Checkpoint
	Restart
	Merge
	Seed
)

var settings = [...]struct{ member, name string }{
	{"round_s", "Round length"}, {"horizon_s", "Horizon"}, {"overheads/checkpoint_s", "Checkpoint"},
	{"overheads/restart_s", "Restart"}, {"overheads/merge_s", "Merge"}, {"seed", "Seed"},
}

// SettingForm is a setting of the run.
func SettingForm(which int) Figure {
	f := number("/scenario/"+settings[which].member, "", "", "", "")
	f.Name = words.T(settings[which].name)
	return f
}

// Set sets a setting of the run.
type Set struct {
	Which int
	Value float64
}

func (e Set) Key() string { return "set " + itoa(e.Which) }
func (e Set) Change(d *scenario.Document) string {
	return SetFigure{SettingForm(e.Which), e.Value}.Change(d)
}

// Rename sets the title.
type Rename struct{ Title string }

func (Rename) Key() string { return "title" }
func (e Rename) Change(d *scenario.Document) string {
	if d.Meta.Title == e.Title {
		return ""
	}
	d.Meta.Title = e.Title
	return words.F("Title: {0}", text.ClipTo(e.Title, 24))
}
