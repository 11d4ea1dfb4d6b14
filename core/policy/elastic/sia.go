package elastic

import (
	"slices"

	"hadarlab/core/assign"
	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Sia chooses one configuration, a GPU type and a number of GPUs, for every job at once, so that the sum over jobs of
// a power of their normalised goodputs is best. Each job learns its goodput on each type; what it has not yet run on
// is guessed from another type and the speeds of one GPU.
func init() {
	policy.Register(&policy.Spec{
		ID: "sia", Title: "Sia", Rev: 1,
		Summary: "Gives every job a GPU type and a number of GPUs so that the sum of a power of all normalised goodputs is best; a job grows to at most twice the most GPUs that it has measured.",
		Source:  "Sia (SOSP 2023) and its artifact; a dynamic programme in place of its integer program (exact up to 4 million states × jobs, beyond them type by type, and by greed where one type is too large), sizes on uneven nodes, no discount for jobs without GPUs, restarts for a move at the same size and the guess from the best batch on one GPU ours; jobs in stages over several GPUs are left out",
		Formula: "least Σ G^p + λ × jobs left out; G = least GPUs × goodput ÷ the least useful configuration’s, × (age − restarts × S) ÷ (age + S) unless it stays or is younger than S; S = stall of a restart",
		Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
			return sim.Cadence{Every: unit.Seconds(v.Float("every_s"))}
		},
		Needs: policy.Needs{Profiles: true, Elastic: true},
		Params: []policy.Param{
			{Name: "every_s", Title: "Round", Kind: policy.Float, Unit: "s", Default: 60.0, Min: 1, Max: 1e7,
				Help: "How often configurations are chosen anew."},
			{Name: "p", Title: "Fairness p", Kind: policy.Float, Default: -0.5, Min: -10, Max: 1,
				Help: "Exponent of the normalised goodputs. The less, the more those count that have little. Above 0 the largest sum is sought, less λ for each job left out."},
			{Name: "lambda", Title: "λ of jobs left out", Kind: policy.Float, Default: 1.1, Min: 0, Max: 1000,
				Help: "What leaving a job out costs. From 1.01 on any configuration that costs no restart is better than none, as long as p is negative and no other job makes more of its GPUs; both count in hundredths."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &sia{cluster: m.Cluster, power: v.Float("p"), lambda: cents(v.Float("lambda"))}, nil
		},
	})
}

// Sia's limits: GPUs of a job, and a power of its goodput.
const (
	siaGPUs  = 64
	siaPower = 3000
)

// sia keeps what each job has learned of itself.
type sia struct {
	cluster *model.Cluster
	power   float64
	lambda  int64 // in hundredths, as all values
	jobs    []siaJob

	sack   assign.Knapsack
	placer place.Placer
	sizes  [][]int32     // by type: GPUs of its configurations
	reach  []place.Reach // by type
	room   []int32
	rows   [][]assign.Option
	todo   []model.JobID
}

// siaJob is what is known of one job, and its configurations at the present decision.
type siaJob struct {
	started  bool
	restarts int32
	gang     []model.Shard      // at the last decision
	first    model.TypeID       // on which it ran first, None = on none
	phi      float64            // last measured noise scale
	seen     []goodput.Observed // by type; nil = it has not come
	curve    []goodput.Curve

	cap     int32       // the most GPUs that it may have
	stays   float64     // restart factor of all but its present configuration
	configs []siaConfig // in the order of its row's options; that without GPUs is to wait
	pick    int32
}

// siaConfig is one way to run a job.
type siaConfig struct {
	typ     model.TypeID
	gpus    int32
	held    bool    // it is what the job has
	value   float64 // goodput as believed, 1 = that of the least useful configuration, times its GPUs
	gain    float64 // the same after the restart factor: G
	cost    int64   // G^p in hundredths
	pinned  bool    // it is restarting there and goes on
	learned bool    // from runs on this type
}

// Clone copies what the jobs have learned.
func (x *sia) Clone() sim.Policy {
	c := &sia{cluster: x.cluster, power: x.power, lambda: x.lambda, jobs: slices.Clone(x.jobs)}
	for i := range c.jobs {
		k := &c.jobs[i]
		k.gang, k.seen, k.configs = slices.Clone(k.gang), slices.Clone(k.seen), nil
		k.curve = make([]goodput.Curve, len(k.seen))
		for t := range k.seen {
			k.seen[t] = k.seen[t].Clone()
		}
	}
	return c
}

// cents rounds to whole hundredths, as Sia's program does; sums of them are exact.
func cents(v float64) int64 { return int64(float64(v*100) + 0.5) }

// Decide lets the jobs learn, chooses configurations and carries them out.
func (x *sia) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	x.survey(v)
	x.rows = x.rows[:0]
	for _, j := range v.Active() {
		for len(x.jobs) <= int(j) {
			x.jobs = append(x.jobs, siaJob{first: model.None})
		}
		x.learn(v, j)
		x.rows = append(x.rows, x.configure(v, j))
	}
	for i, o := range x.sack.Solve(x.rows, x.room) {
		x.jobs[v.Active()[i]].pick = o
	}
	for _, j := range v.Active() {
		if c := x.picked(j); v.Holds(j) && !c.held {
			p.Drop(j)
		}
	}
	for t := range x.cluster.Types {
		x.place(v, p, model.TypeID(t))
	}
	x.record(v, p, w)
}

// picked is the configuration chosen for a job.
func (x *sia) picked(j model.JobID) *siaConfig { return &x.jobs[j].configs[x.jobs[j].pick] }

// survey lists the sizes of each type's configurations: powers of two up to the largest node, then as many whole nodes
// of that size as there are.
func (x *sia) survey(v sim.View) {
	x.sizes, x.room, x.reach = x.sizes[:0], x.room[:0], x.reach[:0]
	for t := range x.cluster.Types {
		typ := model.TypeID(t)
		reach := place.ReachOf(x.cluster, v, typ)
		var sizes []int32
		for n := int32(1); n < reach.Node; n *= 2 {
			sizes = append(sizes, n)
		}
		for s, n := 0, int32(0); s < len(x.cluster.Slots) && reach.Node > 0; s++ {
			if x.cluster.Slots[s].Type == typ && v.Capacity(model.SlotID(s)) == reach.Node {
				n += reach.Node
				sizes = append(sizes, n)
			}
		}
		x.sizes, x.room, x.reach = append(x.sizes, sizes), append(x.room, v.CapacityOf(typ)), append(x.reach, reach)
	}
}

// learn counts a job's restarts, and adds to its belief what it measures of itself.
func (x *sia) learn(v sim.View, j model.JobID) {
	k := &x.jobs[j]
	if k.seen == nil {
		k.seen, k.curve = make([]goodput.Observed, len(x.cluster.Types)), make([]goodput.Curve, len(x.cluster.Types))
	}
	var gang []model.Shard
	if v.Holds(j) {
		gang = v.Gang(j, 0)
	}
	if len(gang) > 0 && !slices.Equal(gang, k.gang) {
		if k.started {
			k.restarts++
		}
		k.started = true
	}
	k.gang = append(k.gang[:0], gang...)
	if s, ok := v.Sample(j); ok {
		k.phi = s.Phi
		if k.first < 0 {
			k.first = s.Type
		}
		if k.seen[s.Type].Add(s.GPUs, s.Batch, s.Tier > model.OneNode, s.Grad, s.Iter) {
			k.seen[s.Type].Fit()
		}
	}
	for t := range k.seen {
		if b, ok := v.Batches(j, model.TypeID(t)); ok && k.seen[t].Any() {
			k.curve[t].Set(&k.seen[t].Perf, k.phi, b)
		}
	}
}

// configure lists the configurations of a job, first what it has, then to wait, then the others, fast types and few
// GPUs first. Of equal sums the exact search takes the first option of the last job, then of the one before it, so that
// of two jobs alike the second gets the fast type.
func (x *sia) configure(v sim.View, j model.JobID) []assign.Option {
	k, shape := &x.jobs[j], v.Shape(j)
	most := int32(0)
	for t := range k.seen {
		most = max(most, k.seen[t].Most())
	}
	k.cap = min(max(2*most, shape.Min), max(siaGPUs, shape.Min), shape.Max)
	held := siaConfig{typ: model.None}
	if v.Holds(j) {
		held = x.present(v, j)
	}
	k.configs = k.configs[:0]
	if held.value > 0 {
		k.configs = append(k.configs, held)
	}
	k.configs = append(k.configs, siaConfig{typ: model.None})
	for _, t := range x.cluster.BySpeed {
		last := int32(0)
		for i := -1; i < len(x.sizes[t]); i++ { // the least size of the job goes first, whatever it is
			n := shape.Min
			if i >= 0 {
				n = x.sizes[t][i]
			}
			if n <= last && i >= 0 || n < shape.Min || n > min(k.cap, x.room[t]) ||
				(n-shape.Min)%max(shape.Step, 1) != 0 {
				continue
			}
			last = n
			c := siaConfig{typ: t, gpus: n}
			if c.value, c.learned = x.believe(v, j, t, n); c.value > 0 && (held.typ != t || held.gpus != n) {
				k.configs = append(k.configs, c)
			}
		}
	}
	return x.weigh(v, j)
}

// present is the configuration that a job has; without value when it is none of Sia's.
func (x *sia) present(v sim.View, j model.JobID) siaConfig {
	gang := v.Gang(j, 0)
	c := siaConfig{typ: x.cluster.Slots[gang[0].Slot].Type, held: true, pinned: v.Charge(j, gang) > 0}
	for _, sh := range gang {
		c.gpus += sh.N
		if x.cluster.Slots[sh.Slot].Type != c.typ {
			return siaConfig{typ: model.None}
		}
	}
	c.value, c.learned = x.believe(v, j, c.typ, c.gpus)
	return c
}

// believe is the goodput of a job on n GPUs of type t, in a unit that is the same for all its configurations; 0 = it
// cannot run so. learned says that it has run on the type. Before it has run at all, its least size is worth the same
// on every type.
func (x *sia) believe(v sim.View, j model.JobID, t model.TypeID, n int32) (value float64, learned bool) {
	k, speed := &x.jobs[j], v.Speed(j, 1)
	b, ok := v.Batches(j, t)
	several := n > x.reach[t].Node
	if !ok || speed == nil || b.High <= 0 || speed.Rate(t, n, x.reach[t].Tier(n)) <= 0 ||
		n > max(b.GPUs(), v.Shape(j).Min) {
		return 0, false
	}
	switch {
	case k.first < 0:
		return 1, false
	case k.seen[t].Any():
		return k.curve[t].Goodput(n, several), true
	}
	examples := func(t model.TypeID) float64 { // of one GPU a second
		if pt, ok := speed.Point(t, 1, model.OneNode); ok {
			return float64(pt.Total(1)) / goodput.Iteration(pt)
		}
		return float64(speed.Rate(t, v.Shape(j).Min, x.reach[t].Tier(v.Shape(j).Min)))
	}
	from := examples(k.first)
	if from <= 0 {
		from = 1
	}
	return k.curve[k.first].Goodput(n, several) * (examples(t) / from), false
}

// weigh normalises a job's row, discounts what means a restart and takes the power. It returns the row's options, to
// be maximised: what leaving the job out costs, less what a configuration does.
func (x *sia) weigh(v sim.View, j model.JobID) []assign.Option {
	k := &x.jobs[j]
	k.stays = 1
	if age, s := (v.Now() - v.Arrive(j)).Seconds(), v.Charge(j, nil).Seconds(); v.Holds(j) && age >= s {
		k.stays = goodput.Discount(age, s, k.restarts)
	}
	least := 0.0
	for _, c := range k.configs {
		if c.gpus > 0 && (least == 0 || c.value < least) {
			least = c.value
		}
	}
	row := make([]assign.Option, len(k.configs))
	for i := range k.configs {
		c := &k.configs[i]
		if c.gpus == 0 {
			continue
		}
		c.value = float64(v.Shape(j).Min) * (c.value / least)
		if c.gain = c.value; !c.held {
			c.gain *= k.stays
		}
		c.cost = siaPower * 100
		if power := unit.Exp(float64(x.power * unit.Log(max(c.gain, unit.Tiny)))); power < siaPower {
			c.cost = cents(power)
		}
		row[i] = assign.Option{Type: c.typ, GPUs: c.gpus, Value: x.lambda - c.cost}
		if x.power > 0 {
			row[i].Value = x.lambda + c.cost
		}
		if c.pinned {
			row[i].Value = 1e12
		}
	}
	return row
}

// place gives the jobs of type t their GPUs, the largest first. Who has its configuration keeps them, unless somebody
// finds no node so: then all that are not restarting are placed anew.
func (x *sia) place(v sim.View, p *sim.Plan, t model.TypeID) {
	before := p.Mark()
	if x.put(v, p, t, func(c *siaConfig) bool { return !c.held }) {
		return
	}
	p.Undo(before)
	for _, j := range v.Active() {
		if c := x.picked(j); c.typ == t && c.held && !c.pinned {
			p.Drop(j)
		}
	}
	x.put(v, p, t, func(c *siaConfig) bool { return !c.pinned })
}

// put places those jobs of type t; it is false when one finds no node.
func (x *sia) put(v sim.View, p *sim.Plan, t model.TypeID, who func(*siaConfig) bool) bool {
	x.todo = x.todo[:0]
	for _, j := range v.Active() {
		if c := x.picked(j); c.typ == t && c.gpus > 0 && who(c) {
			x.todo = append(x.todo, j)
		}
	}
	all := true
	for _, i := range unit.Order(len(x.todo),
		func(a, b int32) int { return int(x.picked(x.todo[b]).gpus - x.picked(x.todo[a]).gpus) }) {
		j := x.todo[i]
		c := x.picked(j)
		if c.held && p.Keep(j) {
			continue
		}
		gang, node := x.placer.OnType(x.cluster, p, c.gpus, t), max(x.reach[t].Node, 1)
		if ok := len(gang) == int((c.gpus+node-1)/node); ok {
			all = place.Put(p, j, 1, gang) && all
		} else {
			all = false
		}
	}
	return all
}

// record says why each job has what it has.
func (x *sia) record(v sim.View, p *sim.Plan, w *sim.Why) {
	for i, j := range v.Active() {
		k, c := &x.jobs[j], x.picked(j)
		switch {
		case p.Holds(j):
			w.Chose(j, c.gain, float64(x.lambda)/100, float64(c.cost)/100)
		case c.gpus > 0:
			free, one := place.Free(x.cluster, p)
			w.Wait(j, trace.WaitShape, float64(c.gpus), float64(free), float64(one))
		case len(k.configs) == 1:
			policy.WaitForRoom(x.cluster, v, p, w, j)
		default:
			best := k.best()
			w.Wait(j, trace.WaitOutbid, float64(x.rows[i][best].Value)/100, float64(x.lambda)/100,
				float64(k.configs[best].cost)/100)
		}
	}
	if sim.Explains && w.Detail != nil {
		x.explain(v, p, w)
	}
}

// best is the configuration with the largest G, of equals the first.
func (k *siaJob) best() (at int) {
	for i := range k.configs {
		if k.configs[i].gain > k.configs[at].gain {
			at = i
		}
	}
	return at
}
