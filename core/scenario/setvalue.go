package scenario

import (
	"strconv"
	"strings"

	"hadarlab/core/text"
)

// Alter sets one value of a document by its RFC 6901 pointer: the GPUs of a node, a job's gpus, steps or weight, a
// parameter of a policy. It says whether the document has such a value and is changed. Whether the new value is
// allowed, Parse says.
func (d *Document) Alter(pointer string, value any) bool {
	p := strings.Split(pointer, "/")
	if len(p) < 5 || p[0] != "" || p[1] != "scenario" {
		return false
	}
	s := &d.Scenario
	v, number := value.(float64)
	last := text.Unescape(p[len(p)-1])
	switch {
	case len(p) == 7 && p[2] == "cluster" && p[3] == "nodes" && p[5] == "gpus":
		i := indexOf(p[4], len(s.Cluster.Nodes))
		if i < 0 || !number || s.Cluster.Nodes[i].GPUs[last] == int(v) {
			return false
		}
		if s.Cluster.Nodes[i].GPUs == nil {
			s.Cluster.Nodes[i].GPUs = map[string]int{}
		}
		s.Cluster.Nodes[i].GPUs[last] = int(v)
	case len(p) == 5 && p[2] == "jobs":
		i := indexOf(p[3], len(s.Jobs))
		if i < 0 || !number {
			return false
		}
		j := &s.Jobs[i]
		before := [3]float64{float64(j.GPUs), j.Steps, j.Weight}
		switch last {
		case "gpus":
			j.GPUs = int(v)
		case "steps":
			j.Steps = v
		case "weight":
			j.Weight = v
		}
		return before != [3]float64{float64(j.GPUs), j.Steps, j.Weight}
	case len(p) == 6 && p[2] == "policies" && p[4] == "params":
		i := indexOf(p[3], len(s.Policies))
		if i < 0 || s.Policies[i].Params[last] == value {
			return false
		}
		if s.Policies[i].Params == nil {
			s.Policies[i].Params = map[string]any{}
		}
		s.Policies[i].Params[last] = value
	default:
		return false
	}
	return true
}

// indexOf reads a place in a list of n, -1 for any other text.
func indexOf(step string, n int) int {
	if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < n && strconv.Itoa(i) == step {
		return i
	}
	return -1
}
