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

var settings = [...]struct {
	Title string
	Range Range
	Path  string
}{
	{"Round length", Range{Min: 1, Max: 1e6, Unit: "s"}, "round_s"},
	{"Horizon", Range{Min: 0, Max: 1e9, Unit: "s"}, "horizon_s"},
	{"Checkpoint", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/checkpoint_s"},
	{"Restart", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/restart_s"},
	{"Merge", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/merge_s"},
	{"Seed", Range{Min: 0, Max: 1<<53 - 1, Whole: true}, "seed"},
}

// Setting describes a setting of the run.
func Setting(which int) (title string, r Range) {
	return words.T(settings[which].Title), settings[which].Range
}

// SettingPath is the pointer to a setting.
func SettingPath(which int) string { return "/scenario/" + settings[which].Path }

// SettingValue reads a setting.
func SettingValue(d *scenario.Document, which int) float64 {
	s := &d.Scenario
	return [...]float64{s.RoundS, s.HorizonS, s.Overheads.CheckpointS, s.Overheads.RestartS, s.Overheads.MergeS,
		float64(s.Seed)}[which]
}

// Set sets a setting of the run.
type Set struct {
	Which int
	Value float64
}

func (e Set) Key() string { return "set " + itoa(e.Which) }
func (e Set) Change(d *scenario.Document) string {
	old := SettingValue(d, e.Which)
	if old == e.Value {
		return ""
	}
	s := &d.Scenario
	switch e.Which {
	case Round:
		s.RoundS = e.Value
	case Horizon:
		s.HorizonS = e.Value
	case Checkpoint:
		s.Overheads.CheckpointS = e.Value
	case Restart:
		s.Overheads.RestartS = e.Value
	case Merge:
		s.Overheads.MergeS = e.Value
	case Seed:
		s.Seed = uint64(e.Value)
	}
	return words.F("{0}: {1} to {2}", words.T(settings[e.Which].Title), FormatNumber(old),
		settings[e.Which].Range.Say(e.Value))
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
