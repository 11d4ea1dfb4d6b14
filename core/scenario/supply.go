package scenario

import (
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/network"
)

// supply is what a cluster can give, by type: in all, and node by node (equal nodes once). Where
// that changes in time, the most of each counts.
type supply struct {
	types []string
	total []int
	gpus  int
	nodes [][]int
	cap   int            // largest count of one type in one node
	slot  map[string]int // the same by type
	net   *network.Net   // nil = none
}

// GPUs is how many the cluster has; where that changes in time, the most of each node and type counts.
func (c *Cluster) GPUs() int { return newSupply(c).gpus }

func newSupply(c *Cluster) *supply {
	s := &supply{slot: map[string]int{}, net: c.Network.net()}
	index := map[string]int{}
	count := map[string]int{}
	most := c.most()
	for i := range c.Nodes {
		for typ, n := range most[i] { // sums of integers: the order is immaterial
			if n > 0 {
				count[typ] += n
				s.gpus += n
				s.cap = max(s.cap, n)
				s.slot[typ] = max(s.slot[typ], n)
			}
		}
	}
	s.types = jsondoc.Keys(count)
	for i, typ := range s.types {
		index[typ] = i
		s.total = append(s.total, count[typ])
	}
	seen := map[string]bool{}
	for i := range c.Nodes {
		held := make([]int, len(s.types))
		var name []byte
		for t, typ := range s.types {
			held[t] = max(most[i][typ], 0)
			name = append(strconv.AppendInt(name, int64(held[t]), 10), ' ')
		}
		if !seen[string(name)] {
			seen[string(name)] = true
			s.nodes = append(s.nodes, held)
		}
	}
	return s
}

// gives says whether a gang of n GPUs that run r together exists in the cluster: over several
// nodes, or on one. only restricts it to one type, -1 allows mixing.
func (s *supply) gives(r *Row, n, only int) bool {
	over, runs := 0, make([]bool, len(s.types))
	for t, typ := range s.types {
		if only >= 0 && t != only {
			continue
		}
		runs[t] = r.rate(s, typ, n, model.OneNode) > 0
		if n > 1 && max(r.rate(s, typ, n, model.OneRack), r.rate(s, typ, n, model.Network)) > 0 {
			over += s.total[t]
		}
	}
	if over >= n {
		return true
	}
	for _, held := range s.nodes {
		sum := 0
		for t := range held {
			if runs[t] {
				sum += held[t]
			}
		}
		if sum >= n {
			return true
		}
	}
	return false
}

// most is the largest gang below n that the cluster gives, 0 when there is none.
func (s *supply) most(r *Row, n, only int) int {
	named := r.sizes()
	best := 0
	for _, size := range named {
		if size < n && size > best && size <= s.gpus && s.gives(r, size, only) {
			best = size
		}
	}
	// Sizes that no table names run on every type with a speed, up to the last such GPU.
	plain := 0
	for t, typ := range s.types {
		if (only < 0 || t == only) && jsondoc.Round9(r.PerGPU[typ]) > 0 {
			plain += s.total[t]
		}
	}
	for plain = min(plain, n-1); plain > best; plain-- {
		if _, ok := slices.BinarySearch(named, plain); !ok {
			return plain
		}
	}
	return best
}

// verdict is how a gang size of one row fares on the cluster.
type verdict struct {
	fits, oneType bool
	fastest       float64
}

func (s *supply) judge(r *Row, n int) (v verdict) {
	v.fits = n <= s.gpus && s.gives(r, n, -1)
	for t, typ := range s.types {
		v.oneType = v.oneType || v.fits && s.total[t] >= n && s.gives(r, n, t)
		v.fastest = max(v.fastest, r.rate(s, typ, n, model.OneNode), r.rate(s, typ, n, model.OneRack),
			r.rate(s, typ, n, model.Network))
	}
	return v
}
