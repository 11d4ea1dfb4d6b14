package edit

import (
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// SetGPUs sets the number of GPUs of a type on a node; 0 takes the type away.
type SetGPUs struct {
	Node, N int
	Type    string
}

func (e SetGPUs) Key() string { return "gpus " + itoa(e.Node) + " " + e.Type }
func (e SetGPUs) Change(d *scenario.Document) string {
	nodes := d.Scenario.Cluster.Nodes
	if e.Node >= len(nodes) || nodes[e.Node].GPUs[e.Type] == e.N {
		return ""
	}
	n := &nodes[e.Node]
	old := n.GPUs[e.Type]
	if n.GPUs == nil {
		n.GPUs = map[string]int{}
	}
	n.GPUs[e.Type] = e.N
	return words.F("{0} on {1}: {2} to {3}", figure.TypeTitle(e.Type), n.ID, itoa(old), itoa(e.N))
}

// RemoveType takes a GPU type off a node.
type RemoveType struct {
	Node int
	Type string
}

func (e RemoveType) Change(d *scenario.Document) string {
	n := &d.Scenario.Cluster.Nodes[e.Node]
	if _, ok := n.GPUs[e.Type]; !ok {
		return ""
	}
	delete(n.GPUs, e.Type)
	return words.F("{0} removed from {1}", figure.TypeTitle(e.Type), n.ID)
}

// AddNode adds a node like the last one.
type AddNode struct{}

func (AddNode) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	n := scenario.Node{ID: freeNode(c), Rack: "r1", GPUs: map[string]int{"v100": 2}}
	if k := len(c.Nodes); k > 0 {
		n = likeNode(&c.Nodes[k-1], n.ID, c.Nodes[k-1].Rack)
	}
	c.Nodes = append(c.Nodes, n)
	return words.F("{0} added: {1}", n.ID, gpuWords(n.GPUs))
}

// RemoveNode takes a node away.
type RemoveNode struct{ Node int }

func (e RemoveNode) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	if e.Node >= len(c.Nodes) {
		return ""
	}
	id := c.Nodes[e.Node].ID
	c.Nodes = removed(c.Nodes, e.Node)
	return words.F("{0} removed", id)
}

func gpuWords(gpus map[string]int) string {
	var parts []string
	for _, t := range text.Keys(gpus) {
		parts = append(parts, itoa(gpus[t])+" × "+figure.TypeTitle(t))
	}
	return strings.Join(parts, ", ")
}

// freeID is prefix and the first number from n on that is not taken.
func freeID(prefix string, n int, taken func(string) bool) string {
	for ; taken(prefix + itoa(n)); n++ {
	}
	return prefix + itoa(n)
}
