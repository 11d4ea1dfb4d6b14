package queues

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// Jobs that can use only some GPUs go before those that can go elsewhere, in the manner of Venn: contention is seen in
// how the sets of GPUs that jobs can use overlap.

var (
	vennOrder = policy.Param{Name: "order", Title: "Who goes first", Kind: policy.Choice, Default: "scarcest",
		Choices: []string{"scarcest", "arrival", "random"},
		Help:    "scarcest: for whose GPUs most is asked. The two others are there to compare with: in order of arrival, or as drawn."}
	vennWithin = policy.Param{Name: "within", Title: "Who goes first of equals", Kind: policy.Choice,
		Default: "arrival",
		Choices: []string{"arrival", "shortest"},
		Help:    "Of jobs for whose GPUs as much is asked who can use fewer GPUs goes first, then who can use fewer types; of these who came first, or who has least time left, where lengths are known."}
	vennPlace = policy.Param{Name: "place", Title: "Where a job goes", Kind: policy.Choice, Default: "spare",
		Choices: []string{"spare", "fastest"},
		Help:    "spare: to the type, of those with room, for whose GPUs least is asked, so that the scarce ones are left to who has no other. fastest: as FIFO does."}
)

func init() {
	policy.Register(&policy.Spec{
		ID: "venn-style", Title: "Venn-style", Rev: 1,
		Summary: "Who can use only scarce GPUs goes first, and who has a choice takes those that others want least; nobody is stopped.",
		Source:  "abstract of Venn (MLSys 2025): devices for jobs whose needs overlap; what is scarce, who goes first and where a job goes are ours",
		Formula: "asked of what a job can use ÷ GPUs of that in service, most first; each job asks alike of all that it can use",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params:  []policy.Param{vennOrder, vennWithin, vennPlace},
		Random:  func(v policy.Values) bool { return v[vennOrder.Name] == "random" },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			x := &venn{cluster: m.Cluster, seed: m.Seed, order: v.Choice(vennOrder),
				shortest: v[vennWithin.Name] == "shortest", spare: v[vennPlace.Name] == "spare"}
			return x.Clone(), nil
		},
	})
}

// venn puts the jobs that wait in order by how scarce what they can use is. Nobody who runs is disturbed.
type venn struct {
	cluster         *model.Cluster
	seed            uint64
	order           int // position in the choices of vennOrder
	shortest, spare bool

	placer place.Placer
	stream *rand.Rand
	drawn  []float64 // by job
	sets   []demand
	loads  []float64 // GPUs asked of each of a type
	types  []model.TypeID
}

// demand is what the jobs that are here ask of one set of GPU types.
type demand struct {
	types  uint64 // a bit a type, as bitOf
	supply int32  // GPUs of them in service
	asked  int32  // GPUs of the jobs that can use just these
}

func bitOf(t model.TypeID) uint64 { return 1 << min(t, 63) }

// Clone copies the parameters; what was drawn is drawn again.
func (x *venn) Clone() sim.Policy {
	return &venn{cluster: x.cluster, seed: x.seed, order: x.order, shortest: x.shortest, spare: x.spare,
		stream: unit.Stream(x.seed, "venn order")}
}

// Decide starts the jobs that wait, one after the other; who does not fit blocks nobody.
func (x *venn) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	x.count(v)
	order := x.sort(v, v.Waiting())
	for _, r := range order {
		if x.put(v, p, r.job) {
			w.Chose(r.job, math.Abs(r.key), 0, 0)
		} else {
			policy.WaitForRoom(x.cluster, v, p, w, r.job)
		}
	}
	if sim.Explains && w.Detail != nil {
		for _, r := range order {
			w.Detail.Order = append(w.Detail.Order, r.job)
		}
		x.explain(v, p, w)
	}
}

// setOf are the types on which a job has a speed at its size.
func (x *venn) setOf(v sim.View, j model.JobID) (set uint64) {
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	for t := range model.TypeID(len(x.cluster.Types)) {
		if max(speed.Rate(t, size, model.OneNode), speed.Rate(t, size, model.OneRack),
			speed.Rate(t, size, model.Network)) > 0 {
			set |= bitOf(t)
		}
	}
	return set
}

// supply is how many GPUs of a set are in service.
func (x *venn) supply(v sim.View, set uint64) (n int32) {
	for t := range model.TypeID(len(x.cluster.Types)) {
		if set&bitOf(t) != 0 {
			n += v.CapacityOf(t)
		}
	}
	return n
}

// count adds up what the jobs that are here, running or not, ask of each set, and so of each type.
func (x *venn) count(v sim.View) {
	x.sets = x.sets[:0]
	for _, j := range v.Active() {
		set := x.setOf(v, j)
		at, found := slices.BinarySearchFunc(x.sets, set,
			func(d demand, of uint64) int { return cmp.Compare(d.types, of) })
		if !found {
			x.sets = slices.Insert(x.sets, at, demand{types: set, supply: x.supply(v, set)})
		}
		x.sets[at].asked += v.Shape(j).Size
	}
	x.loads = x.loads[:0]
	for t := range model.TypeID(len(x.cluster.Types)) {
		load := 0.0
		for _, d := range x.sets {
			if d.types&bitOf(t) != 0 && d.supply > 0 {
				load += float64(d.asked) / float64(d.supply)
			}
		}
		x.loads = append(x.loads, math.Round(load*1e6)/1e6)
	}
}

// asked is the demand on a set: of what each job asks the part that falls to the set, if it asks alike of all that it
// can use.
func (x *venn) asked(v sim.View, set uint64) (sum float64) {
	for _, d := range x.sets {
		if both := x.supply(v, d.types&set); both > 0 {
			sum += float64(d.asked) * float64(both) / float64(d.supply)
		}
	}
	return sum
}

// scarcity is the demand on what a job can use over how much of it there is, to a millionth; 0 where there is none.
func (x *venn) scarcity(v sim.View, set uint64) float64 {
	supply := x.supply(v, set)
	if supply == 0 {
		return 0
	}
	return math.Round(x.asked(v, set)/float64(supply)*1e6) / 1e6
}

// key is what the order goes by, least first.
func (x *venn) key(v sim.View, j model.JobID) float64 {
	switch x.order {
	case 0:
		return -x.scarcity(v, x.setOf(v, j))
	case 1:
		return 0
	}
	for int(j) >= len(x.drawn) {
		x.drawn = append(x.drawn, x.stream.Float64())
	}
	return x.drawn[j]
}

// left is the time that decides within a set, 0 where age does.
func (x *venn) left(v sim.View, j model.JobID) float64 {
	if _, known := v.Remaining(j); !x.shortest || !known || x.order > 0 {
		return 0
	}
	return remaining(x.cluster, v, j)
}

// sort puts jobs in order: of sets as scarce that of fewer GPUs in service goes first, then that of fewer types, and of
// equals who is chosen to.
func (x *venn) sort(v sim.View, jobs []model.JobID) []ranked {
	of := make(map[uint64]float64, len(x.sets))
	order := make([]ranked, len(jobs))
	for i, j := range jobs {
		if x.order > 0 {
			order[i] = ranked{j, x.key(v, j)}
			continue
		}
		set := x.setOf(v, j)
		key, known := of[set]
		if !known {
			key = -x.scarcity(v, set)
			of[set] = key
		}
		order[i] = ranked{j, key}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Or(x.compare(v, a.job, b.job), cmp.Compare(a.job, b.job))
	})
	return order
}

// compare is what decides among jobs of one key but for their age.
func (x *venn) compare(v sim.View, a, b model.JobID) int {
	if x.order > 0 {
		return 0
	}
	first, second := x.setOf(v, a), x.setOf(v, b)
	return cmp.Or(cmp.Compare(x.supply(v, first), x.supply(v, second)),
		cmp.Compare(bits.OnesCount64(first), bits.OnesCount64(second)), cmp.Compare(x.left(v, a), x.left(v, b)))
}

// put places a job: on the type for whose GPUs least is asked, of those that hold it, or where it is fastest; types are
// mixed as FIFO mixes them.
func (x *venn) put(v sim.View, p *sim.Plan, j model.JobID) bool {
	if x.spare {
		for _, t := range x.wish(v, j) {
			if gang := x.placer.OnType(x.cluster, p, v.Shape(j).Size, t); gang != nil && v.Rate(j, 0, gang) > 0 {
				return place.Put(p, j, 0, gang)
			}
		}
	}
	return x.placer.Fastest(x.cluster, v, p, j)
}

// wish lists the types that a job can use, the least asked first, of equals the faster.
func (x *venn) wish(v sim.View, j model.JobID) []model.TypeID {
	x.types = x.types[:0]
	for _, t := range x.placer.Types(x.cluster, v, j) {
		x.types = append(x.types, t.Type)
	}
	slices.SortStableFunc(x.types, func(a, b model.TypeID) int { return cmp.Compare(x.loads[a], x.loads[b]) })
	return x.types
}
