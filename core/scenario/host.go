package scenario

import (
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// HostPoint is the part of its row's speed at which a job runs with so many CPUs, or GB of memory, for each GPU.
type HostPoint struct {
	PerGPU, Speed float64
	Extra         jsondoc.Extra
}

var _ = describe[HostPoint](table{
	{name: "per_gpu", need: true, above: true, high: MaxHost},
	{name: "speed", need: true, high: 1},
})

const maxHostPoints = 100

// curve checks that the points of a row's curve rise, and end at full speed.
func (c *checker) curve(p jsondoc.Place, who words.Text, points []HostPoint) {
	c.Most(p.String(), words.Say("points in {0}", jsondoc.Of(who, p.Label())), len(points), maxHostPoints)
	for k := range points {
		here := jsondoc.EntryAt(p.String(), k)
		c.fields(here, jsondoc.Of(who, p.Label()), &points[k])
		if k > 0 && (points[k].PerGPU <= points[k-1].PerGPU || points[k].Speed < points[k-1].Speed) {
			c.Fail(here.String(), codeCurve,
				words.Say("{0} does not rise at point {1}", jsondoc.Of(who, p.Label()), k+1),
				words.Say("List the points by per_gpu, each no slower than the one before."))
		}
	}
	if n := len(points); n > 0 && points[n-1].Speed != 1 {
		c.Fail(jsondoc.EntryAt(p.String(), n-1).At("speed").String(), codeCurve,
			words.Say("{0} ends at the speed {1}; the row's own speed is 1", jsondoc.Of(who, p.Label()),
				jsondoc.Number(points[n-1].Speed)),
			words.Say("Divide the speeds by the last, and let the row give the speed that belongs to it."))
	}
}

// hosts is the first node that says what its host has, and needs the place of the first row or job that needs any.
func (s *Scenario) hosts() (host int, needs string) {
	host = slices.IndexFunc(s.Cluster.Nodes, func(n Node) bool { return n.CPUs > 0 || n.MemoryGB > 0 })
	if i := slices.IndexFunc(s.Throughputs.Rows, func(r Row) bool { return len(r.CPUs)+len(r.MemoryGB) > 0 }); i >= 0 {
		return host, jsondoc.EntryAt(atRows, i).String()
	}
	if i := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.CPUs > 0 || j.MemoryGB > 0 }); i >= 0 {
		return host, jsondoc.EntryAt(atJobs, i).String()
	}
	return host, ""
}

// SharesHosts says whether jobs need CPUs or memory that a node may lack.
func (s *Scenario) SharesHosts() bool {
	host, needs := s.hosts()
	return host >= 0 && needs != ""
}

// hostsFit notes needs that no node can leave open, and hosts that nobody needs.
func (c *checker) hostsFit() {
	switch host, needs := c.d.Scenario.hosts(); {
	case host >= 0 && needs == "":
		c.Add(jsondoc.LevelNote, jsondoc.EntryAt(atNodes, host).String(), codeUnneeded,
			words.Say("no job needs CPUs or memory, so those of the nodes have no effect"),
			words.Say("Give rows of throughputs, or jobs, cpus or memory_gb."))
	case host < 0 && needs != "":
		c.Add(jsondoc.LevelNote, needs, codeNoHost,
			words.Say("no node says how many CPUs or how much memory it has, so that nobody lacks any"),
			words.Say("Give the nodes cpus or memory_gb."))
	}
}

func (n *Node) host() model.Host {
	return model.Host{CPUs: jsondoc.Round9(n.CPUs), MemoryGB: jsondoc.Round9(n.MemoryGB)}
}

// compileNeeds sets what the jobs need of their hosts, if any of them needs what a node may lack.
func compileNeeds(s *Scenario, p *model.Problem, rows map[rowKey]int) {
	if !s.SharesHosts() {
		return
	}
	ofRow := make([]*model.Need, len(s.Throughputs.Rows))
	for i := range ofRow {
		if r := &s.Throughputs.Rows[i]; len(r.CPUs)+len(r.MemoryGB) > 0 {
			ofRow[i] = &model.Need{CPUs: compileCurve(r.CPUs), MemoryGB: compileCurve(r.MemoryGB)}
		}
	}
	p.Needs = make([]*model.Need, len(p.Jobs))
	for i := range p.Jobs {
		j := &s.Jobs[p.Jobs[i].Doc]
		need := ofRow[rows[j.row()]]
		if j.CPUs > 0 || j.MemoryGB > 0 {
			var own model.Need
			if need != nil {
				own = *need
			}
			gpus := float64(j.GPUs)
			if j.CPUs > 0 {
				own.CPUs = model.Curve{{PerGPU: jsondoc.Round9(j.CPUs) / gpus, Speed: 1}}
			}
			if j.MemoryGB > 0 {
				own.MemoryGB = model.Curve{{PerGPU: jsondoc.Round9(j.MemoryGB) / gpus, Speed: 1}}
			}
			need = &own
		}
		p.Needs[i] = need
	}
}

func compileCurve(points []HostPoint) (c model.Curve) {
	for _, p := range points {
		c = append(c, model.CurvePoint{PerGPU: jsondoc.Round9(p.PerGPU), Speed: jsondoc.Round9(p.Speed)})
	}
	return c
}
