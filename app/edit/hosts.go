package edit

import (
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Hosted says whether a document says anything of CPUs or memory: of a node, a row of the throughputs, or a job.
func Hosted(d *scenario.Document) bool {
	s := &d.Scenario
	some := s.Cluster.HostSplit != ""
	for i := range s.Cluster.Nodes {
		some = some || s.Cluster.Nodes[i].CPUs > 0 || s.Cluster.Nodes[i].MemoryGB > 0
	}
	for i := range s.Throughputs.Rows {
		some = some || len(s.Throughputs.Rows[i].CPUs)+len(s.Throughputs.Rows[i].MemoryGB) > 0
	}
	for i := range s.Jobs {
		some = some || s.Jobs[i].CPUs > 0 || s.Jobs[i].MemoryGB > 0
	}
	return some
}

// NodeHostForm are the CPUs and the memory of a node.
func NodeHostForm(node int, id string) []Figure {
	at := "/scenario/cluster/nodes/" + itoa(node) + "/"
	return []Figure{number(at+"cpus", words.F("CPUs of {0}", id), "CPUs", "", "no bound"),
		number(at+"memory_gb", words.F("Memory of {0}", id), "GB", "", "no bound")}
}

// HostSplitForm is how the jobs on a node share its CPUs and memory.
func HostSplitForm() Word {
	return choice("/scenario/cluster/host_split", "CPUs and memory of a node", "Shared by jobs",
		"each job has its GPUs’ part of its node, or those that want less leave the rest to those that can use it",
		"by their GPUs", "tuned to what they can use")
}

// Synergy's server (OSDI 2022) has so much for each GPU.
const (
	cpusAGPU   = 3
	memoryAGPU = 62.5
)

// measuredNeeds are what models need, as Synergy measured it; a model is of the first kind that its name begins with.
// That the others are as ResNet-50 is ours.
var measuredNeeds = []struct{ models, cpus, memory string }{
	{"bert gnmt lm lstm transformer vae", "1 1", "20.83 1"},
	{"deepspeech", "1 0.3, 2 0.66, 3 1", "20.83 0.1, 62.5 1"},
	{"resnet-18", "1 0.154, 2 0.3, 3 0.417, 4 0.542, 5 0.638, 6 0.729, 9 1", "20.83 0.042, 62.5 1"},
	{"", "1 0.348, 2 0.643, 3 0.87, 4 1", "20.83 0.087, 62.5 1"},
}

// MakeHosts gives the nodes that have none CPUs and memory, as Synergy's server has them, and the rows of the
// throughputs what models of their kind need; or takes all of it away.
type MakeHosts struct{ Off bool }

func (e MakeHosts) Change(d *scenario.Document) string {
	s := &d.Scenario
	if e.Off {
		s.Cluster.HostSplit = ""
	}
	for i := range s.Cluster.Nodes {
		n := &s.Cluster.Nodes[i]
		gpus := 0
		for _, g := range n.GPUs { // a sum: the order is immaterial
			gpus += g
		}
		if e.Off {
			n.CPUs, n.MemoryGB = 0, 0
		} else if n.CPUs == 0 && n.MemoryGB == 0 {
			n.CPUs, n.MemoryGB = cpusAGPU*float64(gpus), memoryAGPU*float64(gpus)
		}
	}
	for i := range s.Throughputs.Rows {
		r := &s.Throughputs.Rows[i]
		if e.Off {
			r.CPUs, r.MemoryGB = nil, nil
		} else if len(r.CPUs)+len(r.MemoryGB) == 0 {
			r.CPUs, r.MemoryGB = needs(r.Model)
		}
	}
	if e.Off {
		for i := range s.Policies {
			delete(s.Policies[i].Params, "host_split")
		}
		for i := range s.Jobs {
			s.Jobs[i].CPUs, s.Jobs[i].MemoryGB = 0, 0
		}
		return words.T("CPUs and memory no longer count")
	}
	return words.F("Nodes have {0} CPUs and {1} GB for each GPU", FormatNumber(cpusAGPU), FormatNumber(memoryAGPU))
}

// needs are what a model of a kind needs.
func needs(model string) (cpus, memory []scenario.HostPoint) {
	for _, n := range measuredNeeds {
		for _, prefix := range strings.Split(n.models, " ") {
			if strings.HasPrefix(model, prefix) {
				cpus, _ = ReadCurve(n.cpus)
				memory, _ = ReadCurve(n.memory)
				return cpus, memory
			}
		}
	}
	return nil, nil
}

// Curve is one of the curves of a row: how fast its jobs are by the CPUs, or by the memory, that each GPU has.
type Curve struct {
	Row    int
	Memory bool
}

// at is where it stands in a document, nil = nowhere.
func (c Curve) at(d *scenario.Document) *[]scenario.HostPoint {
	if c.Row >= len(d.Scenario.Throughputs.Rows) {
		return nil
	}
	r := &d.Scenario.Throughputs.Rows[c.Row]
	if c.Memory {
		return &r.MemoryGB
	}
	return &r.CPUs
}

// Path is the pointer to it.
func (c Curve) Path() string {
	at := "/scenario/throughputs/rows/" + itoa(c.Row) + "/"
	if c.Memory {
		return at + "memory_gb"
	}
	return at + "cpus"
}

// Text is its points as they are written: what each GPU has and the speed with it, as 1 0.35, 4 1.
func (c Curve) Text(d *scenario.Document) string {
	var points []string
	if at := c.at(d); at != nil {
		for _, p := range *at {
			points = append(points, jsondoc.Number(p.PerGPU)+" "+jsondoc.Number(p.Speed))
		}
	}
	return strings.Join(points, ", ")
}

// ReadCurve reads the points of a curve as they are written, or says what is wrong there. Whether they rise and end at
// full speed, the document's own check says.
func ReadCurve(text string) (points []scenario.HostPoint, problem string) {
	if text = strings.TrimRight(text, " ,;\n"); text == "" {
		return nil, ""
	}
	list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })
	for i, point := range list {
		pair := strings.Fields(point)
		if len(pair) != 2 {
			return nil, words.F("point {0} must be two numbers, as in 1 0.35, 4 1; it says “{1}”", itoa(i+1),
				jsondoc.ClipTo(strings.TrimSpace(point), 24))
		}
		var p scenario.HostPoint
		for k, to := range [...]*float64{&p.PerGPU, &p.Speed} {
			f := number("/scenario/throughputs/rows/0/cpus/0/"+[...]string{"per_gpu", "speed"}[k], "", "", "", "")
			v, wrong := ParseNumber(pair[k], f.Range)
			if wrong != "" {
				return nil, words.F("point {0}, number {1}: it {2}", itoa(i+1), itoa(k+1), wrong)
			}
			*to = v
		}
		points = append(points, p)
	}
	return points, ""
}

// SetCurve sets the points of a curve, none = its jobs are as fast with any.
type SetCurve struct {
	Curve
	Points []scenario.HostPoint
}

// Key makes one entry of the history of what is typed into one field.
func (e SetCurve) Key() string { return e.Path() }

// Change sets them.
func (e SetCurve) Change(d *scenario.Document) string {
	at, was := e.at(d), e.Text(d)
	if at == nil {
		return ""
	}
	*at = e.Points
	now := e.Text(d)
	if now == was {
		return ""
	}
	r := &d.Scenario.Throughputs.Rows[e.Row]
	name := words.F("{0}, speed by CPUs", ModelName(r.Model, r.Batch))
	if e.Memory {
		name = words.F("{0}, speed by memory", ModelName(r.Model, r.Batch))
	}
	for _, says := range []*string{&was, &now} {
		if *says == "" {
			*says = words.T("with any")
		}
	}
	return words.F("{0}: {1} to {2}", name, was, now)
}
