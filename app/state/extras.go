package state

import (
	"slices"
	"strings"

	"hadarlab/core/generate"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Turn is an edit without a number: the parts of a scenario that most do without are added, removed and
// turned into one another by it.
type Turn struct {
	Sentence string
	Make     func(d *scenario.Document)
}

func (Turn) Key() string { return "" }
func (e Turn) Change(d *scenario.Document) string {
	e.Make(d)
	return e.Sentence
}

// Generate draws the jobs instead of listing them; the listed ones come back by undo.
func Generate(jobs int) Edit {
	n := max(20, jobs)
	return Turn{words.F("Jobs are drawn: {0}", plural(n, "job")), func(d *scenario.Document) {
		d.Scenario.Jobs, d.Scenario.Generator = nil, &scenario.Generator{Count: n,
			Arrivals: scenario.Arrivals{Arrivals: generate.Arrivals{Process: "poisson", RatePerH: 4}}}
	}}
}

// Freeze writes the drawn jobs and faults out.
func Freeze() Edit {
	return Turn{words.T("Drawn jobs and faults written out"), func(d *scenario.Document) { *d = *scenario.Freeze(d) }}
}

// AddTenant adds a tenant.
func AddTenant(n int) Edit {
	return Turn{words.T("A tenant added"), func(d *scenario.Document) {
		s := &d.Scenario
		id := freeID("team-", n+1, func(id string) bool {
			return slices.ContainsFunc(s.Tenants, func(t scenario.Tenant) bool { return t.ID == id })
		})
		s.Tenants = append(s.Tenants, scenario.Tenant{ID: id, Weight: 1, Order: "fair"})
	}}
}

// RemoveTenant takes a tenant away; its jobs belong to none then.
func RemoveTenant(i int, id string) Edit {
	return Turn{words.F("Tenant {0} removed", clip(id)), func(d *scenario.Document) {
		renameTenant(d, id, "")
		d.Scenario.Tenants = removed(d.Scenario.Tenants, i)
	}}
}

// RenameTenant renames a tenant, and what its jobs call it.
func RenameTenant(i int, old, id string) Edit {
	id = strings.TrimSpace(id)
	return Turn{words.F("Tenant {0} renamed to {1}", clip(old), clip(id)), func(d *scenario.Document) {
		renameTenant(d, old, id)
		d.Scenario.Tenants[i].ID = id
	}}
}

func renameTenant(d *scenario.Document, old, id string) {
	for i := range d.Scenario.Jobs {
		if j := &d.Scenario.Jobs[i]; j.Tenant == old {
			j.Tenant = id
		}
	}
}

// SetTenant gives a job to a tenant, "" = none.
func SetTenant(job int, name, id string) Edit {
	said := id
	if id == "" {
		said = words.In("tenant", "none")
	}
	return Turn{words.F("{0}, tenant: {1}", name, clip(said)),
		func(d *scenario.Document) { d.Scenario.Jobs[job].Tenant = id }}
}

// AddFault lets a node fail; AddChange lets it grow.
func AddFault(node string) Edit {
	return Turn{words.F("A fault of {0} added", clip(node)), func(d *scenario.Document) {
		f := &d.Scenario.Faults
		f.Generator = nil
		f.List = append(f.List, scenario.Fault{Node: node, AtS: 3600, RepairS: 1800})
	}}
}

// RemoveFault takes a fault away.
func RemoveFault(i int) Edit {
	return Turn{words.F("Fault {0} removed", itoa(i+1)),
		func(d *scenario.Document) { d.Scenario.Faults.List = removed(d.Scenario.Faults.List, i) }}
}

// FailAtRandom lets every node fail at random, in place of the listed faults; or stops it.
func FailAtRandom(on bool) Edit {
	if !on {
		return Turn{words.T("Nodes no longer fail at random"),
			func(d *scenario.Document) { d.Scenario.Faults.Generator = nil }}
	}
	return Turn{words.T("Nodes fail at random"), func(d *scenario.Document) {
		d.Scenario.Faults = scenario.Faults{Generator: &scenario.FaultGenerator{MTBFH: 24, MTTRS: 3600}}
	}}
}

// AddChange lets a node have another number of GPUs from an instant on.
func AddChange(node, typ string, gpus int) Edit {
	return Turn{words.F("A change of {0} added", clip(node)), func(d *scenario.Document) {
		c := &d.Scenario.Cluster
		at := 3600.0
		for _, q := range c.Changes { // no two at one instant
			at = max(at, q.AtS+3600)
		}
		c.Changes = append(c.Changes, scenario.Change{AtS: at, Node: node, Type: typ, GPUs: gpus})
	}}
}

// RemoveChange takes a change away.
func RemoveChange(i int) Edit {
	return Turn{words.F("Change {0} removed", itoa(i+1)),
		func(d *scenario.Document) { d.Scenario.Cluster.Changes = removed(d.Scenario.Cluster.Changes, i) }}
}

// AddOverheads lists a model for stalls of its own; until they are set they are those of all.
func AddOverheads(model string) Edit {
	return Turn{words.F("Overheads of {0} added", clip(model)), func(d *scenario.Document) {
		o := &d.Scenario.Overheads
		o.Models = append(o.Models, scenario.ModelOverheads{Model: model})
	}}
}

// RemoveOverheads lets a model stall as the others.
func RemoveOverheads(i int, model string) Edit {
	return Turn{words.F("Overheads of {0} removed", clip(model)), func(d *scenario.Document) {
		d.Scenario.Overheads.Models = removed(d.Scenario.Overheads.Models, i)
	}}
}
