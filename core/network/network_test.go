package network_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/network"
)

// within fails when got is not within so large a part of want.
func within(t *testing.T, what string, got, want, part float64) {
	t.Helper()
	if math.Abs(got-want) > part*want {
		t.Errorf("%s: %.4f, want %.4f", what, got, want)
	}
}

// TestRing holds the flat ring over eight ranks at 130, 11 and 22 GB/s and 5 us a step, in ms.
func TestRing(t *testing.T) {
	for _, c := range []struct{ mb, node, edr, hdr float64 }{
		{102.4, 1.45, 16.36, 8.22}, {553.4, 7.52, 88.11, 44.09}, {440, 5.99, 70.07, 35.07},
		{1340, 18.11, 213.25, 106.66},
	} {
		for i, want := range []float64{c.node, c.edr, c.hdr} {
			l := network.Link{BytesPerS: []float64{130e9, 11e9, 22e9}[i], Latency: 5e-6}
			within(t, "ring", 1e3*network.Ring(8, c.mb*1e6, l), want, 0.01)
		}
	}
	if network.Ring(1, 1e9, network.Link{BytesPerS: 1, Latency: 1}) != 0 {
		t.Error("one rank has nobody to talk to")
	}
}

// edr is a node of 130 GB/s with a NIC of 11 GB/s and racks whose uplinks are oversubscribed four times.
func edr() network.Net {
	return network.Net{Node: network.Link{BytesPerS: 130e9, Latency: 5e-6},
		NIC: network.Link{BytesPerS: 11e9, Latency: 5e-6}, Across: 8e-6, Oversubscription: 4, Congestion: 1}
}

// TestHierarchical holds eight GPUs on one machine, 2×4 in a rack, 2×4 over two racks and 8×1 over four, in ms.
func TestHierarchical(t *testing.T) {
	n := edr()
	for _, c := range []struct{ mb, node, rack, racks, single float64 }{
		{102.4, 1.45, 10.53, 38.46, 65.28}, {553.4, 7.52, 56.73, 207.67, 352.28}, {440, 5.99, 45.12, 165.12, 280.11},
		{1340, 18.11, 137.32, 502.78, 852.84},
	} {
		s := c.mb * 1e6
		within(t, "one machine", 1e3*n.AllReduce(s, 8, 1, model.OneNode), c.node, 0.01)
		within(t, "2x4 in a rack", 1e3*n.AllReduce(s, 4, 2, model.OneRack), c.rack, 0.01)
		within(t, "2x4 over racks", 1e3*n.AllReduce(s, 4, 2, model.Network), c.racks, 0.01)
		within(t, "8x1 over racks", 1e3*n.AllReduce(s, 1, 8, model.Network), c.single, 0.01)
	}
}

// TestRate holds that one GPU never communicates, that farther is never faster, and what overlap hides.
func TestRate(t *testing.T) {
	n := edr()
	for tier := model.OneNode; tier <= model.Network; tier++ {
		if n.Rate(4, 1e9, 1, 8, tier) != 4 {
			t.Error("a gang of one GPU runs as it runs alone")
		}
	}
	for size := 2; size <= 64; size++ {
		last := math.Inf(1)
		for tier := model.OneNode; tier <= model.Network; tier++ {
			r := n.Rate(4, 4.4e8, size, 8, tier)
			if r > last || r <= 0 {
				t.Errorf("%d GPUs at tier %d: %v after %v", size, tier, r, last)
			}
			last = r
		}
	}
	n.Overlap = 1
	within(t, "hidden", n.Step(3, 1.5), 3, 1e-12)
	within(t, "half hidden", n.Step(3, 2.5), 3.5, 1e-12)
	n.Congestion = 10
	within(t, "congested", n.AllReduce(1e9, 1, 2, model.OneRack), 1/1.1+1e-5, 1e-9)
}
