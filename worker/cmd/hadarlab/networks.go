//go:build !js

package main

import (
	core "hadarlab/core/class"
	"hadarlab/worker/class"
)

// networks is what the page on networks says in figures. The sizes, in MB, are bounds that other tests
// hold the page to; a test holds these to them.
type networks struct {
	Port, Joins, Students  int
	Phones                 int // of the example
	JoinMB, PlainMB, TLSMB float64
}

func newNetworks() *networks {
	return &networks{Port: classPort, Joins: class.JoinsAMinute, Students: core.MaxStudents, Phones: 30, JoinMB: 0.15,
		PlainMB: 4.3, TLSMB: 2.9}
}

// Class is what all phones take together.
func (n *networks) Class(each float64) float64 { return float64(n.Phones) * each }
