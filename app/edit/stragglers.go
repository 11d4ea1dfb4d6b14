package edit

import (
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// SpellForm are the numbers of one spell of slowness.
func SpellForm(i int) []Figure {
	at := "/scenario/stragglers/" + itoa(i) + "/"
	return []Figure{number(at+"from_s", "Begin of a spell", "From", "", ""),
		number(at+"to_s", "End of a spell", "To", "", ""),
		number(at+"speed", "Speed in a spell", "Speed", "", "")}
}

// SlowingForm are the figures of nodes that are slow at random.
func SlowingForm() []Figure {
	const at = "/scenario/stragglers/generator/"
	return []Figure{
		number(at+"per_h", "Spells in an hour", "Spells in an hour", "of each node, counted while it is not slow", ""),
		number(at+"mean_s", "Length of a spell", "Length", "mean", ""),
		number(at+"speed", "Speed in a spell", "Speed", "the part that is left of a node’s speed", ""),
		number(at+"until_s", "Last spell", "Last spell", "empty: the horizon, or 30 days after the last arrival",
			"as the horizon"),
	}
}

// AddSpell lets a node be slow for a while, after those spells that it has.
func AddSpell(node string) Edit {
	return Rewrite{words.F("A spell of {0} added", jsondoc.ClipTo(node, 24)), func(d *scenario.Document) {
		s := &d.Scenario.Stragglers
		s.Generator = nil
		from := 3600.0
		for _, q := range s.List {
			if q.Node == node {
				from = max(from, q.ToS)
			}
		}
		s.List = append(s.List, scenario.Spell{Node: node, FromS: from, ToS: from + 3600, Speed: 0.25})
	}}
}

// RemoveSpell takes a spell away.
func RemoveSpell(i int) Edit {
	return Rewrite{words.F("Spell {0} removed", itoa(i+1)),
		func(d *scenario.Document) { d.Scenario.Stragglers.List = removed(d.Scenario.Stragglers.List, i) }}
}

// SlowAtRandom lets every node be slow at random, in place of the listed spells; or stops it.
func SlowAtRandom(on bool) Edit {
	if !on {
		return Rewrite{words.T("Nodes are no longer slow at random"),
			func(d *scenario.Document) { d.Scenario.Stragglers.Generator = nil }}
	}
	return Rewrite{words.T("Nodes are slow at random"), func(d *scenario.Document) {
		d.Scenario.Stragglers = scenario.Stragglers{
			Generator: &scenario.SpellGenerator{PerH: 0.5, MeanS: 1800, Speed: 0.25}}
	}}
}

// The kinds of redundancy, for lists; "" is none.
const (
	Backups = "backup"
	Coded   = "coding"
	Static  = "static"
	Dynamic = "dynamic"
)

// Redundancies are the kinds.
var Redundancies = [...]string{Backups, Coded, Static, Dynamic}

// RedundancyTitle is the name of a kind.
func RedundancyTitle(kind string) string {
	switch kind {
	case Backups:
		return words.T("backups")
	case Coded:
		return words.T("coding")
	case Static:
		return words.T("coding in static groups")
	case Dynamic:
		return words.T("coding in dynamic groups")
	}
	return words.In("redundancy", "none")
}

// RedundancyOf is the kind that a job has.
func RedundancyOf(j *scenario.Job) string {
	switch r := j.Redundancy; {
	case r == nil:
		return ""
	case r.Backup > 0:
		return Backups
	case r.Groups > 1 && r.Dynamic:
		return Dynamic
	case r.Groups > 1:
		return Static
	}
	return Coded
}

// RedundancyForm are the numbers of a job's redundancy of a kind.
func RedundancyForm(job int, kind string) []Figure {
	at := "/scenario/jobs/" + itoa(job) + "/redundancy/"
	if kind == Backups {
		return []Figure{number(at+"backup", "Backups", "Backups", "", "")}
	}
	out := []Figure{number(at+"coding", "Coding", "Each part computed", "", "")}
	if kind != Coded {
		out = append(out, number(at+"groups", "Groups that code", "Groups", "", ""))
	}
	return out
}

// SetRedundancy gives a job redundancy of a kind.
func SetRedundancy(job int, name, kind string) Edit {
	return Rewrite{words.F("{0}, redundancy: {1}", name, RedundancyTitle(kind)),
		func(d *scenario.Document) { redundant(&d.Scenario.Jobs[job], kind) }}
}

// RedundancyOfAll gives redundancy of a kind to all listed jobs that can have it.
func RedundancyOfAll(kind string) Edit {
	return Rewrite{words.F("Redundancy of all jobs: {0}", RedundancyTitle(kind)), func(d *scenario.Document) {
		for i := range d.Scenario.Jobs {
			if j := &d.Scenario.Jobs[i]; kind == "" || Redundant(j) {
				redundant(j, kind)
			}
		}
	}}
}

// Redundant says whether a job can have redundancy, as far as it says so itself.
func Redundant(j *scenario.Job) bool {
	return j.GPUs > 1 && j.Elastic == nil && j.BatchSplit == ""
}

// redundant gives a job the plainest form of a kind, and keeps the number of parts.
func redundant(j *scenario.Job, kind string) {
	was := j.Redundancy
	if kind == "" {
		j.Redundancy = nil
		return
	}
	r := &scenario.Redundancy{Groups: 1}
	if was != nil {
		r.Extra = was.Extra
	}
	if j.Redundancy = r; kind == Backups {
		r.Backup = 1
		return
	}
	if r.Coding = 2; was != nil && was.Coding > 1 {
		r.Coding = was.Coding
	}
	if kind != Coded {
		r.Groups, r.Dynamic = 2, kind == Dynamic
	}
}
