package scenario

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Overheads are the stalls of allocation changes, in s; all 0 by default.
type Overheads struct {
	CheckpointS, RestartS, MergeS float64
	// period of the checkpoints that a fault falls back to; 0 = every step is safe
	CheckpointEveryS float64
	Models           []ModelOverheads
	Extra            jsondoc.Extra
}

var _ = describe[Overheads](append(stalls, member{name: "models"}))

// stalls are the members of an object of overheads, for all models or for one.
var stalls = table{
	{name: "checkpoint_s", high: MaxSeconds, unit: " s"},
	{name: "restart_s", high: MaxSeconds, unit: " s"},
	{name: "merge_s", high: MaxSeconds, unit: " s"},
	{name: "checkpoint_every_s", high: MaxSeconds, unit: " s"},
}

// ModelOverheads are the stalls of one model, at any batch size; nil = as the others.
type ModelOverheads struct {
	Model                                           string
	CheckpointS, RestartS, MergeS, CheckpointEveryS *float64
	Extra                                           jsondoc.Extra
}

var _ = describe[ModelOverheads](append(table{{name: "model", need: true, model: true}}, stalls...))

const atModels = "/scenario/overheads/models"

func (c *checker) overheads(o *Overheads) {
	c.fields(jsondoc.ObjectAt(atOverheads), words.Text{}, o)
	c.Most(atModels, words.Say("models"), len(o.Models), MaxRows)
	seen := map[string]int{}
	for i := range o.Models {
		m := &o.Models[i]
		p := jsondoc.EntryAt(atModels, i)
		c.fields(p, words.Own(jsondoc.Clip(m.Model)), m)
		if first, ok := seen[m.Model]; ok && m.Model != "" {
			c.Fail(p.String(), jsondoc.CodeDuplicate,
				words.Say("entries {0} and {1} are for {2}", first+1, i+1, jsondoc.Clip(m.Model)),
				words.Say("Keep one of the two."))
		} else {
			seen[m.Model] = i
		}
	}
}

// stallsFit warns of restarts that take a whole round, and of models that no row has.
func (c *checker) stallsFit(rowsKnown bool) {
	s := &c.d.Scenario
	o := &s.Overheads
	if c.Tainted(atOverheads) {
		return
	}
	warn := func(path string, who words.Text, stall float64) {
		if stall >= s.RoundS && s.RoundS > 0 {
			c.Add(jsondoc.LevelWarning, path, codeStall,
				words.Say("{0} stalls {1} s and a round is {2} s; a policy that preempts every round never trains", who,
					jsondoc.Number(stall), jsondoc.Number(s.RoundS)),
				words.Say("Lengthen round_s, or lower restart_s and checkpoint_s."))
		}
	}
	warn("/scenario/overheads/restart_s", words.Say("a restart"), o.CheckpointS+o.RestartS)
	names := map[string]bool{}
	for i := range s.Throughputs.Rows {
		names[s.Throughputs.Rows[i].Model] = true
	}
	for i := range s.Throughputs.Profiles {
		names[s.Throughputs.Profiles[i].Model] = true
	}
	for i := range o.Models {
		m := &o.Models[i]
		p := jsondoc.EntryAt(atModels, i)
		warn(p.At("restart_s").String(), words.Say("a restart of {0}", jsondoc.Clip(m.Model)),
			or(m.CheckpointS, o.CheckpointS)+or(m.RestartS, o.RestartS))
		if rowsKnown && !names[m.Model] {
			fix := jsondoc.Meant(m.Model, jsondoc.Keys(names), words.Say("Remove the entry, or add a row."))
			c.Add(jsondoc.LevelWarning, p.At("model").String(), codeModelRow,
				words.Say("throughputs has no row for {0}; its overheads have no effect", jsondoc.Clip(m.Model)), fix)
		}
	}
}

func or(own *float64, usual float64) float64 {
	if own != nil {
		return *own
	}
	return usual
}

// compileCosts gives the usual costs, and those of each job.
func compileCosts(s *Scenario, jobs []model.Job) (usual model.Costs, of []model.Costs) {
	o := &s.Overheads
	ticks := func(v float64) unit.Tick { return unit.Seconds(jsondoc.Round9(v)) }
	usual = model.Costs{Save: ticks(o.CheckpointS), Load: ticks(o.RestartS), Merge: ticks(o.MergeS),
		CheckpointEvery: ticks(o.CheckpointEveryS)}
	own := map[string]model.Costs{}
	for i := range o.Models {
		m := &o.Models[i]
		own[m.Model] = model.Costs{Save: ticks(or(m.CheckpointS, o.CheckpointS)),
			Load:  ticks(or(m.RestartS, o.RestartS)),
			Merge: ticks(or(m.MergeS, o.MergeS)), CheckpointEvery: ticks(or(m.CheckpointEveryS, o.CheckpointEveryS))}
	}
	of = make([]model.Costs, len(jobs))
	for i := range jobs {
		c, ok := own[jobs[i].Model]
		if !ok {
			c = usual
		}
		of[i] = c
	}
	return usual, of
}
