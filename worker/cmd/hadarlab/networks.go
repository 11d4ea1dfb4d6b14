//go:build !js

package main

import (
	core "hadarlab/core/class"
	"hadarlab/worker/class"
)

// networks is what the page on networks says in figures. The sizes, in MB, are bounds that other tests
// hold the page to; a test holds these to them.
type networks struct {
	Port, Joins, Students int
	Drawn                 int // jobs × policies that a server runs for a picture
	Phones                int // of the example
	Sizes                 []phoneSize
}

func newNetworks() *networks {
	return &networks{Port: classPort, Joins: class.JoinsAMinute, Students: core.MaxStudents,
		Drawn: core.MaxMarked, Phones: 30,
		Sizes: []phoneSize{
			{"Joining, the questions and the answers", 0.06},
			{"The runs as a picture, from Run on", 0.1},
			{"The lab’s program, over plain HTTP", 4.3},
			{"The lab’s program, over TLS", 2.88}}}
}

// phoneSize is the most that a phone takes of something, in MB.
type phoneSize struct {
	What string
	MB   float64
}

// Class is what all phones of the example take together.
func (n *networks) Class(s phoneSize) float64 { return float64(n.Phones) * s.MB }
