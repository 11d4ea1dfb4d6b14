package edit

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Rewrite is an edit without a number, as a function: by it the parts of a scenario that most do without are added,
// removed and turned into one another.
type Rewrite struct {
	Sentence string
	Make     func(d *scenario.Document)
}

func (e Rewrite) Change(d *scenario.Document) string {
	e.Make(d)
	return e.Sentence
}

// Generate draws the jobs instead of listing them; the listed ones come back by undo.
func Generate(jobs int) Edit {
	n := max(20, jobs)
	return Rewrite{words.F("Jobs are drawn: {0}", words.Plural(n, "job")), func(d *scenario.Document) {
		d.Scenario.Jobs, d.Scenario.Generator = nil, &scenario.Generator{Count: n,
			Arrivals: scenario.Arrivals{Arrivals: generate.Arrivals{Process: "poisson", RatePerH: 4}}}
	}}
}

// MeasureSome measures the middle half of the jobs, of which there are so many.
func MeasureSome(jobs int) Edit {
	w := &scenario.Window{From: jobs / 4, Jobs: max(1, jobs/2)}
	return Rewrite{words.F("Measured are jobs {0} to {1}", itoa(w.From+1), itoa(w.From+w.Jobs)),
		func(d *scenario.Document) { d.Scenario.Window = w }}
}

// MeasureAll measures all jobs again.
func MeasureAll() Edit {
	return Rewrite{words.T("All jobs are measured"), func(d *scenario.Document) { d.Scenario.Window = nil }}
}

// AddNetwork gives the cluster a network whose links gangs share, with the defaults of what a document leaves out. An
// older program refuses the document, which it would simulate as one without sharing.
func AddNetwork() Edit {
	return Rewrite{words.T("A network between the nodes"), func(d *scenario.Document) {
		d.Scenario.Cluster.Network = &scenario.Network{NodeGBPerS: 130, NICGBPerS: 11, NodeLatencyUs: 5,
			RackLatencyUs: 5, AcrossLatencyUs: 8, Oversubscription: 4, Congestion: 1, SharedLinks: true}
		d.Requires = append(slices.Clone(d.Requires), scenario.SharedLinks)
	}}
}

// RemoveNetwork takes the network away.
func RemoveNetwork() Edit {
	return Rewrite{words.T("No network between the nodes"),
		func(d *scenario.Document) {
			d.Scenario.Cluster.Network = nil
			d.Requires = slices.DeleteFunc(slices.Clone(d.Requires),
				func(s string) bool { return s == scenario.SharedLinks })
		}}
}

// Freeze writes the drawn jobs and faults out.
func Freeze() Edit {
	return Rewrite{words.T("Drawn jobs and faults written out"),
		func(d *scenario.Document) { *d = *scenario.Freeze(d) }}
}

// AddTenant adds a tenant.
func AddTenant(n int) Edit {
	return Rewrite{words.T("A tenant added"), func(d *scenario.Document) {
		s := &d.Scenario
		id := freeID("team-", n+1, func(id string) bool {
			return slices.ContainsFunc(s.Tenants, func(t scenario.Tenant) bool { return t.ID == id })
		})
		s.Tenants = append(s.Tenants, scenario.Tenant{ID: id, Weight: 1, Order: "fair"})
	}}
}

// RemoveTenant takes a tenant away; its jobs belong to none then.
func RemoveTenant(i int, id string) Edit {
	return Rewrite{words.F("Tenant {0} removed", jsondoc.ClipTo(id, 24)), func(d *scenario.Document) {
		renameTenant(d, id, "")
		d.Scenario.Tenants = removed(d.Scenario.Tenants, i)
	}}
}

// RenameTenant renames a tenant, and what its jobs call it.
func RenameTenant(i int, old, id string) Edit {
	id = strings.TrimSpace(id)
	return Rewrite{words.F("Tenant {0} renamed to {1}", jsondoc.ClipTo(old, 24), jsondoc.ClipTo(id, 24)),
		func(d *scenario.Document) {
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
	return Rewrite{words.F("{0}, tenant: {1}", name, jsondoc.ClipTo(said, 24)),
		func(d *scenario.Document) { d.Scenario.Jobs[job].Tenant = id }}
}

// AddFault lets a node fail; AddChange lets it grow.
func AddFault(node string) Edit {
	return Rewrite{words.F("A fault of {0} added", jsondoc.ClipTo(node, 24)), func(d *scenario.Document) {
		f := &d.Scenario.Faults
		f.Generator = nil
		f.List = append(f.List, scenario.Fault{Node: node, AtS: 3600, RepairS: 1800})
	}}
}

// RemoveFault takes a fault away.
func RemoveFault(i int) Edit {
	return Rewrite{words.F("Fault {0} removed", itoa(i+1)),
		func(d *scenario.Document) { d.Scenario.Faults.List = removed(d.Scenario.Faults.List, i) }}
}

// FailAtRandom lets every node fail at random, in place of the listed faults; or stops it.
func FailAtRandom(on bool) Edit {
	if !on {
		return Rewrite{words.T("Nodes no longer fail at random"),
			func(d *scenario.Document) { d.Scenario.Faults.Generator = nil }}
	}
	return Rewrite{words.T("Nodes fail at random"), func(d *scenario.Document) {
		d.Scenario.Faults = scenario.Faults{Generator: &scenario.FaultGenerator{MTBFH: 24, MTTRS: 3600}}
	}}
}

// AddChange lets a node have another number of GPUs from an instant on.
func AddChange(node, typ string, gpus int) Edit {
	return Rewrite{words.F("A change of {0} added", jsondoc.ClipTo(node, 24)), func(d *scenario.Document) {
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
	return Rewrite{words.F("Change {0} removed", itoa(i+1)),
		func(d *scenario.Document) { d.Scenario.Cluster.Changes = removed(d.Scenario.Cluster.Changes, i) }}
}

// AddOverheads lists a model for stalls of its own; until they are set they are those of all.
func AddOverheads(model string) Edit {
	return Rewrite{words.F("Overheads of {0} added", jsondoc.ClipTo(model, 24)), func(d *scenario.Document) {
		o := &d.Scenario.Overheads
		o.Models = append(o.Models, scenario.ModelOverheads{Model: model})
	}}
}

// RemoveOverheads lets a model stall as the others.
func RemoveOverheads(i int, model string) Edit {
	return Rewrite{words.F("Overheads of {0} removed", jsondoc.ClipTo(model, 24)), func(d *scenario.Document) {
		d.Scenario.Overheads.Models = removed(d.Scenario.Overheads.Models, i)
	}}
}

// MostJobs is how many jobs the page draws, or takes over from a trace.
const MostJobs = scenario.MostDrawn

func gang(size string) string {
	n, _ := strconv.Atoi(size) // of a document that is wrong it is 0
	return words.Plural(n, "GPU")
}

// Sizes are the gang sizes that have a share, ascending.
func Sizes(d *scenario.Document) []string {
	sizes := jsondoc.Keys(generator(d).GPUs)
	unit.Sort(sizes, func(a, b string) int { return len(a) - len(b) })
	return sizes
}

// ListSizes gives the sizes the shares that the kind has, to be changed; or leaves them to it again.
func ListSizes(on bool) Edit {
	if !on {
		return Rewrite{words.T("Gang sizes as the kind has them"),
			func(d *scenario.Document) { generator(d).GPUs = nil }}
	}
	return Rewrite{words.T("Shares of gang sizes listed"),
		func(d *scenario.Document) { generator(d).GPUs = generate.SizeShares(generator(d).Kind) }}
}

// AddSize gives a gang size a share.
func AddSize(size string) Edit {
	return Rewrite{words.F("Jobs with {0} are drawn", gang(size)), func(d *scenario.Document) {
		g := generator(d)
		if g.GPUs == nil {
			g.GPUs = map[string]float64{}
		}
		g.GPUs[size] = 1
	}}
}

// RemoveSize lets no job have a gang size.
func RemoveSize(size string) Edit {
	return Rewrite{words.F("No jobs with {0} are drawn", gang(size)),
		func(d *scenario.Document) { delete(generator(d).GPUs, size) }}
}

// ListMix gives every row of the throughputs a share of the jobs; or draws all alike again.
func ListMix(on bool) Edit {
	if !on {
		return Rewrite{words.T("All models are drawn alike"), func(d *scenario.Document) { generator(d).Models = nil }}
	}
	return Rewrite{words.T("Shares of models listed"), func(d *scenario.Document) {
		for i := range d.Scenario.Throughputs.Rows {
			addMix(d, i)
		}
	}}
}

// AddMix gives a row of the throughputs a share.
func AddMix(row int) Edit {
	return Rewrite{words.T("A model added to those that are drawn"), func(d *scenario.Document) { addMix(d, row) }}
}

func addMix(d *scenario.Document, row int) {
	r := &d.Scenario.Throughputs.Rows[row]
	generator(d).Models = append(generator(d).Models, scenario.ModelShare{Model: r.Model, Batch: r.Batch, Share: 1})
}

// RemoveMix takes a model's share away.
func RemoveMix(i int) Edit {
	return Rewrite{words.T("A model taken from those that are drawn"),
		func(d *scenario.Document) { generator(d).Models = removed(generator(d).Models, i) }}
}

// generator is the document's, or one that nobody sees.
func generator(d *scenario.Document) *scenario.Generator {
	if d.Scenario.Generator == nil {
		return &scenario.Generator{}
	}
	return d.Scenario.Generator
}
