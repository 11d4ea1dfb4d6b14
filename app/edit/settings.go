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

// RunForm are the settings of the run, in the order above.
func RunForm() []Figure {
	of := func(member, name, help string) Figure {
		f := number("/scenario/"+member, "", "", "", "")
		f.Name, f.Label, f.Help = name, name, help
		return f
	}
	return []Figure{
		of("round_s", "Round length", "how often round-based policies decide"),
		of("horizon_s", "Horizon", "end of the simulation; 0 = none"),
		of("overheads/checkpoint_s", "Checkpoint", "added unless it is the first start"),
		of("overheads/restart_s", "Restart", "stall when a gang starts or changes"),
		of("overheads/merge_s", "Merge", "stall of forked copies each round"),
		of("seed", "Seed", "of everything random"),
	}
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
