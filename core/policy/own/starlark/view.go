package starlark

import (
	"math/rand/v2"
	"strings"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy/own"
	"hadarlab/core/sim"
	"hadarlab/core/star"
	"hadarlab/core/words"
)

// binding is what a program is told in one decision, and what it says. A clone has its own.
type binding struct {
	public  model.Public
	machine *star.Machine

	// of the decision that lasts
	view      sim.View
	plan      *sim.Plan
	why       *sim.Why
	decisions int64 // begun so far, from 1: what is kept of one says of which
	source    *rand.Rand
	active    star.Value // lists, made when they are asked for
	waiting   star.Value
	arrived   star.Value
	said      []said
	shown     *viewHost    // to decide; key is shown job and cluster
	steps     []words.Text // what it did, while a decision is explained
	refused   int          // of these

	jobs     []*jobHost
	slots    star.Value
	whole    *clusterHost
	planned  *planHost
	placer   place.Placer
	shards   []model.Shard
	explains bool
}

// said is what a program says of a job: why.
type said struct {
	job   model.JobID
	text  string
	terms []sim.Term
}

// clone is a binding for a program that goes on by itself.
func (b *binding) clone() *binding {
	c := &binding{public: b.public}
	c.machine = b.machine.Clone(c)
	return c
}

// begin is called before a program is asked in a decision.
func (b *binding) begin(v sim.View, p *sim.Plan, w *sim.Why) {
	b.view, b.plan, b.why, b.explains = v, p, w, w.Detail != nil
	b.decisions++
	b.source, b.active, b.waiting, b.arrived = nil, star.Value{}, star.Value{}, star.Value{}
	b.said, b.steps, b.refused = b.said[:0], b.steps[:0], 0
}

// list is a tuple of jobs.
func (b *binding) list(jobs []model.JobID) star.Value {
	items := make([]star.Value, len(jobs))
	for i, j := range jobs {
		items[i] = star.Object(b.job(j))
	}
	return star.Tuple(items)
}

// job is the object of a job, which stays the same from decision to decision.
func (b *binding) job(j model.JobID) *jobHost {
	for int(j) >= len(b.jobs) {
		b.jobs = append(b.jobs, &jobHost{b: b, id: model.JobID(len(b.jobs))})
	}
	return b.jobs[j]
}

func (b *binding) cluster() *clusterHost {
	if b.whole == nil {
		b.whole = &clusterHost{b: b}
	}
	return b.whole
}

// slot is the object of a slot.
func (b *binding) slot(s model.SlotID) star.Value {
	if b.slots.IsUnset() {
		items := make([]star.Value, len(b.public.Cluster.Slots))
		for i := range items {
			items[i] = star.Object(&slotHost{b, model.SlotID(i)})
		}
		b.slots = star.Tuple(items)
	}
	items, _ := b.slots.Items()
	return items[s]
}

// fact are the facts by what they are of, and their names without it.
var fact = func() map[string]map[string]*own.Fact {
	all := map[string]map[string]*own.Fact{"job": {}, "cluster": {}}
	for i := range own.Facts {
		of, name, _ := strings.Cut(own.Facts[i].As, ".")
		all[of][name] = &own.Facts[i]
	}
	return all
}()

// attrs are the names of what an object has, in the manual's order.
func attrs(of string) (names []string) {
	add := func(as string) {
		name, has := strings.CutPrefix(as, of+".")
		if name, _, _ = strings.Cut(name, "("); has {
			names = append(names, name)
		}
	}
	for i := range own.Facts {
		add(own.Facts[i].As)
	}
	for i := range own.Members {
		add(own.Members[i].As)
	}
	return names
}

// known is the value of a fact: None where it is not known.
func (b *binding) known(f *own.Fact, j model.JobID) star.Value {
	x, ok := f.Of(b.public.Cluster, b.view, j)
	switch {
	case !ok:
		return star.None
	case f.Count:
		return star.Int(int64(x))
	}
	return star.Float(x)
}

// jobHost is a job in a program.
type jobHost struct {
	b       *binding
	id      model.JobID
	methods map[string]star.Value
	asked   int64 // decision in which its key was asked for
	key     float64
	has     bool       // a key
	held    star.Value // what it holds, in the decision gangsOf
	gangsOf int64
}

func (*jobHost) Type() string    { return "job" }
func (*jobHost) Attrs() []string { return attrs("job") }

// Attr is what a program may know of the job.
func (h *jobHost) Attr(name string) (star.Value, bool) {
	b := h.b
	if f := fact["job"][name]; f != nil {
		return b.known(f, h.id), true
	}
	switch name {
	case "id":
		return star.Int(int64(h.id)), true
	case "name":
		return star.String(b.view.Name(h.id)), true
	case "model":
		return star.String(b.view.Model(h.id)), true
	case "tenant":
		return star.String(b.view.Tenants()[b.view.Tenant(h.id)].Name), true
	case "gangs":
		if h.gangsOf != b.decisions {
			h.held, h.gangsOf = h.gangs(), b.decisions
		}
		return h.held, true
	}
	if h.methods == nil {
		h.methods = map[string]star.Value{"speed_on": star.Builtin("speed_on", h.speedOn),
			"speed_at": star.Builtin("speed_at", h.speedAt), "stall_at": star.Builtin("stall_at", h.stallAt)}
	}
	v, ok := h.methods[name]
	return v, ok
}

// gangs is what the job holds.
func (h *jobHost) gangs() star.Value {
	b := h.b
	gangs := make([]star.Value, b.view.Gangs(h.id))
	for i := range gangs {
		var parts []star.Value
		for _, sh := range b.view.Gang(h.id, i) {
			parts = append(parts, star.Tuple([]star.Value{b.slot(sh.Slot), star.Int(int64(sh.N))}))
		}
		gangs[i] = star.Tuple(parts)
	}
	return star.Tuple(gangs)
}

func (h *jobHost) speedOn(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	got := m.Args("speed_on", args, named, 1, "type", "gpus")
	t, size := h.b.typeOf(m, "speed_on", got[0]), h.b.view.Shape(h.id).Size
	if n, given := got[1].AsInt(); given {
		size = int32(min(max(n, 0), 1<<20))
	} else if !got[1].IsUnset() {
		m.Wrong("speed_on", got[1], "int")
	}
	return h.speedOnType(t, size)
}

func (h *jobHost) speedOnType(t model.TypeID, size int32) star.Value {
	return star.Float(float64(h.b.view.Speed(h.id, 0).Rate(t, size, model.OneNode)))
}

func (h *jobHost) speedAt(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	gang := h.b.gang(m, "speed_at", m.Args("speed_at", args, named, 1, "gang")[0])
	return star.Float(float64(h.b.view.Rate(h.id, 0, gang)))
}

func (h *jobHost) stallAt(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	gang := h.b.gang(m, "stall_at", m.Args("stall_at", args, named, 1, "gang")[0])
	return star.Float(h.b.view.Charge(h.id, gang).Seconds())
}

// clusterHost is the cluster in a program.
type clusterHost struct {
	b     *binding
	types star.Value
}

func (*clusterHost) Type() string    { return "cluster" }
func (*clusterHost) Attrs() []string { return attrs("cluster") }

// Attr is what a program may know of the cluster.
func (h *clusterHost) Attr(name string) (star.Value, bool) {
	if f := fact["cluster"][name]; f != nil {
		return h.b.known(f, 0), true
	}
	if name != "types" {
		return star.Value{}, false
	}
	if h.types.IsUnset() {
		var types []star.Value
		for _, t := range h.b.public.Cluster.Types {
			types = append(types, star.String(t.Name))
		}
		h.types = star.Tuple(types)
	}
	return h.types, true
}

// slotHost is a slot in a program.
type slotHost struct {
	b  *binding
	id model.SlotID
}

func (*slotHost) Type() string    { return "slot" }
func (*slotHost) Attrs() []string { return attrs("slot") }

// Attr is what a program may know of the slot.
func (h *slotHost) Attr(name string) (star.Value, bool) {
	c := h.b.public.Cluster
	s := &c.Slots[h.id]
	switch name {
	case "id":
		return star.Int(int64(h.id)), true
	case "node":
		return star.String(c.Nodes[s.Node].Name), true
	case "rack":
		return star.String(c.Racks[c.Nodes[s.Node].Rack]), true
	case "type":
		return star.String(c.Types[s.Type].Name), true
	case "gpus":
		return star.Int(int64(h.b.view.Capacity(h.id))), true
	}
	return star.Value{}, false
}

// viewHost is what decide is shown.
type viewHost struct {
	b     *binding
	state star.Value
}

func (*viewHost) Type() string    { return "view" }
func (*viewHost) Attrs() []string { return attrs("view") }

// Attr is what a program may know at a decision.
func (h *viewHost) Attr(name string) (star.Value, bool) {
	b := h.b
	switch name {
	case "now":
		return star.Float(b.view.Now().Seconds()), true
	case "round":
		return star.Float(b.public.Round.Seconds()), true
	case "decision":
		return star.Int(int64(b.view.Decision())), true
	case "jobs":
		if b.active.IsUnset() {
			b.active = b.list(b.view.Active())
		}
		return b.active, true
	case "waiting":
		if b.waiting.IsUnset() {
			b.waiting = b.list(b.view.Waiting())
		}
		return b.waiting, true
	case "arrived":
		if b.arrived.IsUnset() {
			b.arrived = b.list(b.view.Arrived())
		}
		return b.arrived, true
	case "slots":
		if len(b.public.Cluster.Slots) > 0 {
			b.slot(0)
		}
		return b.slots, true
	case "cluster":
		return star.Object(b.cluster()), true
	case "state":
		return h.state, true
	}
	return star.Value{}, false
}

// typeOf is the GPU type that a value names.
func (b *binding) typeOf(m *star.Machine, name string, v star.Value) model.TypeID {
	text, ok := v.AsString()
	if !ok {
		m.Wrong(name, v, "string")
	}
	var have []string
	for t := range b.public.Cluster.Types {
		if b.public.Cluster.Types[t].Name == text {
			return model.TypeID(t)
		}
		have = append(have, b.public.Cluster.Types[t].Name)
	}
	m.Fail(words.Say("There is no GPU type {0}; there are {1}.", text, strings.Join(have, ", ")))
	return 0
}

// gang reads a list of (slot, GPUs) into shards in slot order.
func (b *binding) gang(m *star.Machine, name string, v star.Value) []model.Shard {
	parts, ok := v.Items()
	if !ok {
		m.Wrong(name, v, "list")
	}
	m.Charge(int64(len(parts)))
	counts := map[model.SlotID]int32{}
	for _, part := range parts {
		pair, _ := part.Items()
		if len(pair) != 2 {
			m.Fail(words.Say("A gang is a list of (slot, GPUs), and here stands a {0}.", part.Type()))
		}
		host, _ := pair[0].AsHost()
		slot, isSlot := host.(*slotHost)
		n, isCount := pair[1].AsInt()
		if !isSlot || !isCount || n < 1 || n > 1<<20 {
			m.Fail(words.Say("A gang is a list of (slot, GPUs), and here stands ({0}, {1}).", pair[0].Type(),
				pair[1].Type()))
		}
		counts[slot.id] += int32(n)
	}
	b.shards = b.shards[:0]
	for s := range b.public.Cluster.Slots {
		if n := counts[model.SlotID(s)]; n > 0 {
			b.shards = append(b.shards, model.Shard{Slot: model.SlotID(s), N: n})
		}
	}
	return b.shards
}

// jobOf is the job that a value is.
func (b *binding) jobOf(m *star.Machine, name string, v star.Value) model.JobID {
	host, _ := v.AsHost()
	job, ok := host.(*jobHost)
	if !ok {
		m.Wrong(name, v, "job")
	}
	return job.id
}
