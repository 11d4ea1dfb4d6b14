package scenario

import (
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Overheads are the stalls of allocation changes, in s; all 0 by default.
type Overheads struct {
	CheckpointS, RestartS, MergeS float64
	CheckpointEveryS              float64 // period of the checkpoints that a fault falls back to; 0 = every step is safe
	Models                        []ModelOverheads
	Extra                         Extra
}

// ModelOverheads are the stalls of one model, at any batch size; nil = as the others.
type ModelOverheads struct {
	Model                                           string
	CheckpointS, RestartS, MergeS, CheckpointEveryS *float64
	Extra                                           Extra
}

var (
	overheadsMembers      = members{may: []string{"checkpoint_s", "restart_s", "merge_s", "checkpoint_every_s", "models"}}
	modelOverheadsMembers = members{need: []string{"model"}, may: []string{"checkpoint_s", "restart_s", "merge_s", "checkpoint_every_s"}}
)

const atModels = "/scenario/overheads/models"

// stalls are the four figures by name, so that what is done with one is done with all.
func (o *Overheads) stalls() [4]figure {
	return [4]figure{{"checkpoint_s", &o.CheckpointS}, {"restart_s", &o.RestartS}, {"merge_s", &o.MergeS}, {"checkpoint_every_s", &o.CheckpointEveryS}}
}

type figure struct {
	name string
	v    *float64
}

func (o *ModelOverheads) stalls() [4]ownFigure {
	return [4]ownFigure{{"checkpoint_s", &o.CheckpointS}, {"restart_s", &o.RestartS}, {"merge_s", &o.MergeS}, {"checkpoint_every_s", &o.CheckpointEveryS}}
}

type ownFigure struct {
	name string
	v    **float64
}

func (r *reader) overheads(i int, o *Overheads) {
	o.Extra = r.object(i, &overheadsMembers, func(name string, v int) {
		if name == "models" {
			r.list(v, "an object", func(v int) { o.Models = append(o.Models, r.modelOverheads(v)) })
		}
		for _, f := range o.stalls() {
			if f.name == name {
				r.number(v, f.v)
			}
		}
	})
}

func (r *reader) modelOverheads(i int) (o ModelOverheads) {
	o.Extra = r.object(i, &modelOverheadsMembers, func(name string, v int) {
		if name == "model" {
			r.text(v, &o.Model)
		}
		for _, f := range o.stalls() {
			if f.name == name {
				*f.v = new(float64)
				r.number(v, *f.v)
			}
		}
	})
	return o
}

func (c *checker) overheads(o *Overheads) {
	p := place{list: atOverheads, index: -1}
	for _, f := range o.stalls() {
		c.within(p.at(f.name), "", f.name, *f.v, 0, maxSeconds, " s")
	}
	c.most(atModels, "models", len(o.Models), maxRows)
	seen := map[string]int{}
	for i := range o.Models {
		m := &o.Models[i]
		p := place{list: atModels, index: i}
		c.name(p.at("model"), m.Model)
		for _, f := range m.stalls() {
			if *f.v != nil {
				c.within(p.at(f.name), clip(m.Model), f.name, **f.v, 0, maxSeconds, " s")
			}
		}
		if first, ok := seen[m.Model]; ok && m.Model != "" {
			c.fail(p.String(), codeDuplicate, "entries "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+" are for "+clip(m.Model), "Keep one of the two.")
		} else {
			seen[m.Model] = i
		}
	}
}

// stallsFit warns of restarts that take a whole round, and of models that no row has.
func (c *checker) stallsFit(rowsKnown bool) {
	s := &c.d.Scenario
	o := &s.Overheads
	if c.tainted(atOverheads) {
		return
	}
	warn := func(path, who string, stall float64) {
		if stall >= s.RoundS && s.RoundS > 0 {
			c.add(LevelWarning, path, codeStall, "a restart"+who+" stalls "+numberText(stall)+" s and a round is "+numberText(s.RoundS)+
				" s; a policy that preempts every round never trains", "Lengthen round_s, or lower restart_s and checkpoint_s.")
		}
	}
	warn("/scenario/overheads/restart_s", "", o.CheckpointS+o.RestartS)
	names := map[string]bool{}
	for i := range s.Throughputs.Rows {
		names[s.Throughputs.Rows[i].Model] = true
	}
	for i := range o.Models {
		m := &o.Models[i]
		p := place{list: atModels, index: i}
		warn(p.at("restart_s").String(), " of "+clip(m.Model), or(m.CheckpointS, o.CheckpointS)+or(m.RestartS, o.RestartS))
		if rowsKnown && !names[m.Model] {
			fix := "Remove the entry, or add a row."
			if like := nearest(m.Model, keys(names)); like != "" {
				fix = "Did you mean " + clip(like) + "?"
			}
			c.add(LevelWarning, p.at("model").String(), codeModelRow, "throughputs has no row for "+clip(m.Model)+"; its overheads have no effect", fix)
		}
	}
}

func or(own *float64, usual float64) float64 {
	if own != nil {
		return *own
	}
	return usual
}

func (w *writer) overheads(o *Overheads) {
	n := len(o.Extra) + len(o.Models)
	for _, f := range o.stalls() {
		if round9(*f.v) != 0 {
			n++
		}
	}
	w.mapping("overheads", n, func() {
		for _, f := range o.stalls() {
			w.numberOr(f.name, *f.v, 0)
		}
		if len(o.Models) > 0 {
			w.member("models")
			w.list(len(o.Models), func(i int) {
				m := &o.Models[i]
				w.begin()
				w.member("model")
				w.text(m.Model)
				for _, f := range m.stalls() {
					w.numberPtr(f.name, *f.v)
				}
				w.extra(m.Extra)
				w.end()
			})
		}
		w.extra(o.Extra)
	})
}

func (o Overheads) clone() Overheads {
	o.Extra = o.Extra.clone()
	o.Models = append([]ModelOverheads(nil), o.Models...)
	for i := range o.Models {
		m := &o.Models[i]
		m.Extra = m.Extra.clone()
		for _, f := range m.stalls() {
			*f.v = clonePtr(*f.v)
		}
	}
	return o
}

// compileCosts gives the usual costs, and those of each job.
func compileCosts(s *Scenario, jobs []model.Job) (usual model.Costs, of []model.Costs) {
	o := &s.Overheads
	ticks := func(v float64) unit.Tick { return unit.Seconds(round9(v)) }
	usual = model.Costs{Save: ticks(o.CheckpointS), Load: ticks(o.RestartS), Merge: ticks(o.MergeS), CheckpointEvery: ticks(o.CheckpointEveryS)}
	own := map[string]model.Costs{}
	for i := range o.Models {
		m := &o.Models[i]
		own[m.Model] = model.Costs{Save: ticks(or(m.CheckpointS, o.CheckpointS)), Load: ticks(or(m.RestartS, o.RestartS)),
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
