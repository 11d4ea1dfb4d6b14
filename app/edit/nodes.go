package edit

import (
	"maps"
	"slices"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// SetGPUs sets the number of GPUs of a type on a node; 0 takes the type away.
type SetGPUs struct {
	Node, N int
	Type    string
}

// Of is the edit with another number.
func (e SetGPUs) Of(v float64) Edit {
	e.N = int(v)
	return e
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
	for _, t := range jsondoc.Keys(gpus) {
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

// Edits of nodes and racks. A rack is nothing but a name that nodes share, so that an edit of a rack edits
// its nodes.

// inserted is a list with one more, and removed a list with one fewer: the library's own would be copied
// into the page for each type.
func inserted[T any](s []T, at int, v T) []T {
	s = append(s, v)
	copy(s[at+1:], s[at:])
	s[at] = v
	return s
}

func removed[T any](s []T, at int) []T { return append(s[:at], s[at+1:]...) }

// swapped has one change places with the next, false where there is none.
func swapped[T any](s []T, at int) bool {
	if at < 0 || at+1 >= len(s) {
		return false
	}
	s[at], s[at+1] = s[at+1], s[at]
	return true
}

// renamed gives a thing another name, and answers with the one that it had; false where that is the same.
func renamed(name *string, to string) (old string, changed bool) {
	old, *name = *name, strings.TrimSpace(to)
	return old, old != *name
}

// Rack is the name of a node's rack.
func Rack(n *scenario.Node) string {
	if n.Rack == "" {
		return "r1"
	}
	return n.Rack
}

// Racks are the names of the document's racks, in the order of their first nodes, and how many nodes each
// has.
func Racks(c *scenario.Cluster) (names []string, nodes []int) {
	for i := range c.Nodes {
		r := Rack(&c.Nodes[i])
		k := slices.Index(names, r)
		if k < 0 {
			k = len(names)
			names, nodes = append(names, r), append(nodes, 0)
		}
		nodes[k]++
	}
	return names, nodes
}

// freeNode is a node id that is not taken.
func freeNode(c *scenario.Cluster) string {
	return freeID("n", len(c.Nodes)+1, func(id string) bool {
		return slices.ContainsFunc(c.Nodes, func(n scenario.Node) bool { return n.ID == id })
	})
}

func freeRack(c *scenario.Cluster) string {
	names, _ := Racks(c)
	return freeID("r", len(names)+1, func(id string) bool { return slices.Contains(names, id) })
}

// likeNode is a node with the GPUs, the CPUs and the memory of another.
func likeNode(n *scenario.Node, id, rack string) scenario.Node {
	out := scenario.Node{ID: id, Rack: rack, GPUs: map[string]int{}, CPUs: n.CPUs, MemoryGB: n.MemoryGB}
	maps.Copy(out.GPUs, n.GPUs)
	return out
}

// RenameNode gives a node another id.
type RenameNode struct {
	Node int
	ID   string
}

func (e RenameNode) Change(d *scenario.Document) string {
	n := &d.Scenario.Cluster.Nodes[e.Node]
	old, changed := renamed(&n.ID, e.ID)
	if !changed {
		return ""
	}
	renameInForces(d, old, n.ID)
	return words.F("Node {0} renamed to {1}", old, jsondoc.ClipTo(n.ID, 24))
}

// CopyNode adds a node like one, after it and in its rack.
type CopyNode struct{ Node int }

func (e CopyNode) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	n := &c.Nodes[e.Node]
	made := likeNode(n, freeNode(c), n.Rack)
	old := n.ID
	c.Nodes = inserted(c.Nodes, e.Node+1, made)
	return words.F("{0} added, a copy of {1}: {2}", made.ID, old, gpuWords(made.GPUs))
}

// SetRack puts a node into a rack; an empty name means a new one.
type SetRack struct {
	Node int
	Rack string
}

func (e SetRack) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	n := &c.Nodes[e.Node]
	to := e.Rack
	if to == "" {
		to = freeRack(c)
	}
	old := Rack(n)
	if old == to {
		return ""
	}
	n.Rack = to
	return words.F("{0} moved from rack {1} to {2}", n.ID, old, to)
}

// RenameRack renames a rack; to the name of another, it joins the two.
type RenameRack struct{ Rack, Name string }

func (e RenameRack) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	name := strings.TrimSpace(e.Name)
	names, _ := Racks(c)
	if name == e.Rack || name == "" {
		return ""
	}
	for i := range c.Nodes {
		if Rack(&c.Nodes[i]) == e.Rack {
			c.Nodes[i].Rack = name
		}
	}
	if slices.Contains(names, name) {
		return words.F("Rack {0} joined to {1}", e.Rack, name)
	}
	return words.F("Rack {0} renamed to {1}", e.Rack, jsondoc.ClipTo(name, 24))
}

// AddRack adds a rack with one node like the last.
type AddRack struct{}

func (AddRack) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	rack := freeRack(c)
	AddNode{}.Change(d)
	n := &c.Nodes[len(c.Nodes)-1]
	n.Rack = rack
	return words.F("Rack {0} added with {1}: {2}", rack, n.ID, gpuWords(n.GPUs))
}

// CopyRack adds a rack whose nodes are like those of one.
type CopyRack struct{ Rack string }

func (e CopyRack) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	rack, n := freeRack(c), 0
	for i := range c.Nodes {
		if node := &c.Nodes[i]; Rack(node) == e.Rack {
			c.Nodes = append(c.Nodes, likeNode(node, freeNode(c), rack))
			n++
		}
	}
	return words.F("Rack {0} added, a copy of {1}: {2}", rack, e.Rack, words.Plural(n, "node"))
}

// RemoveRack takes a rack away with its nodes.
type RemoveRack struct{ Rack string }

func (e RemoveRack) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	var left []scenario.Node
	for i := range c.Nodes {
		if Rack(&c.Nodes[i]) != e.Rack {
			left = append(left, c.Nodes[i])
		}
	}
	gone := len(c.Nodes) - len(left)
	c.Nodes = left
	return words.F("Rack {0} removed with {1}", e.Rack, words.Plural(gone, "node"))
}

// renameInForces keeps forced choices with a node that gets another name.
func renameInForces(d *scenario.Document, old, name string) {
	for i := range d.Scenario.Policies {
		for _, f := range d.Scenario.Policies[i].Force {
			for _, g := range f.Gangs {
				for k := range g {
					if g[k].Node == old {
						g[k].Node = name
					}
				}
			}
		}
	}
}

// FirstGPUs is where the first screen changes a number: the first node that has GPUs, and the first type of them; -1 =
// there is none.
func FirstGPUs(d *scenario.Document) (node int, typ string) {
	for i := range d.Scenario.Cluster.Nodes {
		for _, t := range Types(d) {
			if d.Scenario.Cluster.Nodes[i].GPUs[t] > 0 {
				return i, t
			}
		}
	}
	return -1, ""
}
