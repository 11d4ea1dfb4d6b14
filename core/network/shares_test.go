package network_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/network"
)

// TestSharesByHand: link 0 carries 1, link 1 carries 10, link 2 carries 4.
func TestSharesByHand(t *testing.T) {
	carries := []float64{1, 10, 4}
	for _, c := range []struct {
		name  string
		flows [][]int32
		want  []float64
	}{
		{"alone", [][]int32{{1}}, []float64{10}},
		{"alone on two", [][]int32{{1, 2}}, []float64{4}},
		{"two alike", [][]int32{{1}, {1}}, []float64{5, 5}},
		{"who is held back elsewhere leaves the rest", [][]int32{{0, 1}, {1}}, []float64{1, 9}},
		{"three links in a row", [][]int32{{0, 1}, {1, 2}, {2}, {1}}, []float64{1, 2, 2, 7}},
		{"joined by nothing", [][]int32{{0}, {2}}, []float64{1, 4}},
		{"none", nil, []float64{}},
	} {
		if got := network.Shares(carries, c.flows); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSharesLaws holds of random flows: no link carries more than it can; every flow has a link that is full and on
// which none has more (max-min fairness); flows in another order, and those that no link joins to them alone, get the
// same to the last bit.
func TestSharesLaws(t *testing.T) {
	const eps = 1e-12
	rng := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 3000 {
		carries := make([]float64, 1+rng.IntN(12))
		for l := range carries {
			carries[l] = []float64{11e9, 2.5e9, 22e9 / 3, 1e9 * (0.1 + rng.Float64())}[rng.IntN(4)]
		}
		flows := make([][]int32, 1+rng.IntN(20))
		for f := range flows {
			for _, l := range rng.Perm(len(carries))[:1+rng.IntN(min(4, len(carries)))] {
				flows[f] = append(flows[f], int32(l))
			}
		}
		shares := network.Shares(carries, flows)
		load, most := make([]float64, len(carries)), make([]float64, len(carries))
		for f, links := range flows {
			for _, l := range links {
				load[l] += shares[f]
				most[l] = max(most[l], shares[f])
			}
		}
		for l := range carries {
			if load[l] > carries[l]*(1+eps) {
				t.Fatalf("link %d carries %v of %v: %v", l, load[l], carries[l], flows)
			}
		}
		for f, links := range flows {
			if !slices.ContainsFunc(links, func(l int32) bool {
				return load[l] >= carries[l]*(1-eps) && shares[f] >= most[l]*(1-eps)
			}) {
				t.Fatalf("flow %d of %v gets %v; none of its links is full, or others have more: %v", f, flows,
					shares[f], shares)
			}
		}
		order := rng.Perm(len(flows))
		var shuffled [][]int32
		for _, f := range order {
			links := slices.Clone(flows[f])
			rng.Shuffle(len(links), func(i, k int) { links[i], links[k] = links[k], links[i] })
			shuffled = append(shuffled, links)
		}
		for k, s := range network.Shares(carries, shuffled) {
			if s != shares[order[k]] {
				t.Fatalf("flow %d gets %v, in another order %v", order[k], shares[order[k]], s)
			}
		}
		marked := make([]bool, len(carries))
		marked[flows[0][0]] = true
		if joined := network.Joined(flows, marked); len(joined) < len(flows) {
			apart++
			var some [][]int32
			for _, f := range joined {
				some = append(some, flows[f])
			}
			for k, s := range network.Shares(carries, some) {
				if s != shares[joined[k]] {
					t.Fatalf("flow %d gets %v, without those that no link joins to it %v", joined[k],
						shares[joined[k]], s)
				}
			}
		}
	}
	if apart < 100 {
		t.Errorf("only %d draws had flows that no link joins", apart)
	}
}

// racks are three nodes of two GPUs in one rack and one in another.
var racks = model.Cluster{Racks: []string{"x", "y"}, Nodes: []model.Node{{}, {}, {}, {Rack: 1}},
	Slots: []model.Slot{{Node: 0, Cap: 2}, {Node: 1, Cap: 1}, {Node: 1, Type: 1, Cap: 1}, {Node: 2, Cap: 2},
		{Node: 3, Cap: 2}}}

// TestLinksByHand: NICs of 12 GB/s whose racks' uplinks are oversubscribed four times, all congested twice: a NIC
// carries 6, the uplink of three nodes 3 × 6 / 4 = 4.5, and that of one 6 / 4 = 1.5 GB/s.
func TestLinksByHand(t *testing.T) {
	n := edr()
	n.NIC.BytesPerS, n.Congestion = 12e9, 2
	if got, want := n.Links(&racks), []float64{6e9, 6e9, 6e9, 6e9, 4.5e9, 1.5e9}; !slices.Equal(got, want) {
		t.Errorf("links carry %v, want %v", got, want)
	}
	for _, c := range []struct {
		shards      []model.Shard
		links       []int32
		nodes, most int
	}{
		{[]model.Shard{{Slot: 0, N: 2}}, nil, 1, 2},
		{[]model.Shard{{Slot: 1, N: 1}, {Slot: 2, N: 1}}, nil, 1, 2},
		{[]model.Shard{{Slot: 0, N: 1}, {Slot: 1, N: 1}, {Slot: 2, N: 1}}, []int32{0, 1}, 2, 2},
		{[]model.Shard{{Slot: 0, N: 1}, {Slot: 3, N: 1}, {Slot: 4, N: 2}}, []int32{0, 2, 3, 4, 5}, 3, 2},
	} {
		if links := network.Crossed(&racks, c.shards); !slices.Equal(links, c.links) {
			t.Errorf("%v uses links %v, want %v", c.shards, links, c.links)
		}
		if nodes, most := network.Spread(&racks, c.shards); nodes != c.nodes || most != c.most {
			t.Errorf("%v lies on %d nodes, %d GPUs on one, want %d, %d", c.shards, nodes, most, c.nodes, c.most)
		}
	}
}

// TestRateAt: a gang that has its NICs to itself runs as its table says on as many nodes; half the share doubles what
// passes between nodes; and 2+1+1 is slower than 2+2, for its gradients go round three nodes and not two.
func TestRateAt(t *testing.T) {
	n := edr()
	within(t, "alone", n.RateAt(11e9, 4, 1e9, 4, 2, 2, model.OneRack), n.Rate(4, 1e9, 4, 2, model.OneRack), 1e-15)
	// A step computes 1/4 s, averages 1 GB between two GPUs in 1/130 s + 10 µs, and between two nodes at 5.5 GB/s in
	// 1/5.5 s + 10 µs.
	within(t, "half", n.RateAt(5.5e9, 4, 1e9, 4, 2, 2, model.OneRack), 4/(0.25+1/130.0+1/5.5+2e-5), 1e-12)
	// Between three nodes 2·2/3 GB pass each, in four steps of the ring.
	within(t, "2+1+1", n.RateAt(11e9, 4, 1e9, 4, 2, 3, model.OneRack), 4/(0.25+1/130.0+4/3.0/11+3e-5), 1e-12)
}
