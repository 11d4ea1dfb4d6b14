package starlark

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	"hadarlab/core/sim"
	"hadarlab/core/star"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// planHost is the plan in a program.
type planHost struct {
	b       *binding
	methods map[string]star.Value
}

func (b *binding) planObject() *planHost {
	if b.planned == nil {
		h := &planHost{b: b, methods: map[string]star.Value{}}
		for name, do := range map[string]func(*star.Machine, []star.Value, []star.Named) star.Value{
			"free": h.free, "holds": h.holds, "keep": h.keep, "drop": h.drop, "clear": h.clear, "place": h.place,
			"give": h.give, "wake": h.wake,
		} {
			h.methods[name] = star.Builtin(name, do)
		}
		b.planned = h
	}
	return b.planned
}

func (*planHost) Type() string    { return "plan" }
func (*planHost) Attrs() []string { return attrs("plan") }

// Attr is what a program may do.
func (h *planHost) Attr(name string) (star.Value, bool) {
	v, ok := h.methods[name]
	return v, ok
}

func (h *planHost) free(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	b := h.b
	of := m.Args("free", args, named, 0, "of")[0]
	host, _ := of.AsHost()
	if slot, ok := host.(*slotHost); ok {
		return star.Int(int64(b.plan.Free(slot.id)))
	}
	if of.IsUnset() || of.IsNone() {
		all, _ := place.Free(b.public.Cluster, b.plan)
		return star.Int(int64(all))
	}
	return star.Int(int64(b.plan.FreeOf(b.typeOf(m, "free", of))))
}

func (h *planHost) holds(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	j := h.b.jobOf(m, "holds", m.Args("holds", args, named, 1, "job")[0])
	return star.Bool(h.b.plan.Holds(j))
}

func (h *planHost) keep(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	b := h.b
	j := b.jobOf(m, "keep", m.Args("keep", args, named, 1, "job")[0])
	kept := b.plan.Keep(j)
	if kept {
		b.why.Chose(j, 0, 0, 0)
		b.did(m, "keep({0}): it keeps what it holds", j)
	} else {
		b.refuse(m, "keep({0}): it held nothing, or that has been given away", j)
	}
	return star.Bool(kept)
}

func (h *planHost) drop(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	j := h.b.jobOf(m, "drop", m.Args("drop", args, named, 1, "job")[0])
	h.b.plan.Drop(j)
	if h.b.plan.Holds(j) {
		h.b.did(m, "drop({0}): what this decision has given it, it keeps", j)
	} else {
		h.b.did(m, "drop({0}): what it held is free", j)
	}
	return star.None
}

func (h *planHost) clear(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	m.Args("clear", args, named, 0)
	m.Charge(int64(len(h.b.view.Active())))
	h.b.plan.Clear()
	h.b.did(m, "clear(): what all held is free")
	return star.None
}

func (h *planHost) place(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	b, c := h.b, h.b.public.Cluster
	got := m.Args("place", args, named, 1, "job", "type")
	j := b.jobOf(m, "place", got[0])
	m.Charge(int64(len(c.Slots)))
	placed, gang := false, []model.Shard(nil)
	if got[1].IsUnset() || got[1].IsNone() {
		placed = b.placer.Fastest(c, b.view, b.plan, j)
		gang = b.placer.Gang()
	} else if gang = b.placer.OnType(c, b.plan, b.view.Shape(j).Size, b.typeOf(m, "place", got[1])); gang != nil {
		placed = place.Put(b.plan, j, 0, gang)
	}
	switch {
	case placed:
		b.why.Chose(j, 0, 0, 0)
		b.gave(m, "place({0}): it gets {1}", j, gang)
	case b.explains:
		b.refuse(m, "place({0}): {1}", j, b.reason(j))
	}
	return star.Bool(placed)
}

func (h *planHost) give(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	b := h.b
	got := m.Args("give", args, named, 2, "job", "gang", "quota", "copy")
	j := b.jobOf(m, "give", got[0])
	gang := b.gang(m, "give", got[1])
	var most *float64
	if quota, ok := got[2].AsFloat(); ok {
		most = &quota
	} else if !got[2].IsUnset() && !got[2].IsNone() {
		m.Wrong("give", got[2], "int, float")
	}
	taken := own.State(b.plan, j, gang, most, got[3].Truth())
	switch {
	case taken:
		b.why.Chose(j, 0, 0, 0)
		b.gave(m, "give({0}): it gets {1}", j, gang)
	case b.explains:
		b.refuse(m, "give({0}, {1}): {2}", j, slices.Clone(gang),
			own.WrongGang(b.public.Cluster, b.view, b.plan, j, gang))
	}
	return star.Bool(taken)
}

func (h *planHost) wake(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	at, ok := m.Args("wake", args, named, 1, "at")[0].AsFloat()
	if !ok || at < 0 || at > 1e12 {
		m.Fail(words.Say("wake takes a time in seconds from 0 to 1e12."))
	}
	h.b.plan.WakeAt(unit.Tick(at * 1000))
	h.b.did(m, "wake: the next decision is at {0} at the latest", sim.Instant(at))
	return star.None
}

// did notes what a program did, with its line, while a decision is explained.
func (b *binding) did(m *star.Machine, says string, args ...any) {
	if b.explains && len(b.steps) < mostSaid {
		b.steps = append(b.steps, words.Say("line {0}: {1}", m.Line(), words.Say(says, args...)))
	}
}

// gave is did for a gang, whose room is used again.
func (b *binding) gave(m *star.Machine, says string, j model.JobID, gang []model.Shard) {
	if b.explains {
		b.did(m, says, j, slices.Clone(gang))
	}
}

// refuse is did for what the kernel did not take.
func (b *binding) refuse(m *star.Machine, says string, args ...any) {
	if b.explains {
		b.refused++
		b.did(m, "refused: {0}", words.Say(says, args...))
	}
}

// reason says why no gang was found for a job.
func (b *binding) reason(j model.JobID) words.Text {
	if b.plan.Holds(j) {
		return words.Say("it holds GPUs in the plan; drop it first")
	}
	return policy.Room(b.public.Cluster, b.view, b.plan, j)
}

// given are the names that a program is given, and builtins what they stand for. They ask the machine's host, for
// clones share them.
var (
	given    = []string{"random", "why"}
	builtins = []star.Value{
		star.Builtin("random", func(m *star.Machine, args []star.Value, named []star.Named) star.Value {
			m.Args("random", args, named, 0)
			return star.Float(asked(m, "random").random())
		}),
		star.Builtin("why", func(m *star.Machine, args []star.Value, named []star.Named) star.Value {
			return asked(m, "why").tell(m, args, named)
		}),
	}
)

// asked is the binding of the decision that lasts.
func asked(m *star.Machine, name string) *binding {
	b, ok := m.Host.(*binding)
	if !ok || b.plan == nil {
		m.Fail(words.Say("{0} can be asked in a decision only, in key or decide.", name))
	}
	return b
}

// tell is why(job, text, name = number …).
func (b *binding) tell(m *star.Machine, args []star.Value, named []star.Named) star.Value {
	got := m.Args("why", args, nil, 2, "job", "text")
	s := said{job: b.jobOf(m, "why", got[0])}
	text, ok := got[1].AsString()
	if !ok {
		m.Wrong("why", got[1], "string")
	}
	m.Charge(int64(len(named)))
	s.text = short(text) // a whole one may be most of what the program may allocate
	for _, n := range named {
		x, ok := n.Value.AsFloat()
		if !ok {
			m.Wrong("why", n.Value, "int, float")
		}
		s.terms = append(s.terms, sim.Named(n.Name, x, ""))
	}
	if b.explains && len(b.said) < mostSaid {
		b.said = append(b.said, s)
	}
	return star.None
}

// What of a decision's texts is kept: so many, of so many bytes each.
const (
	mostSaid    = 1000
	longestText = 400
)

// print hears what a program prints.
func print(m *star.Machine, _ int, text string) {
	if b, ok := m.Host.(*binding); ok && b.explains {
		b.did(m, "prints {0}", words.Own(short(text)))
	}
}

// short cuts a text.
func short(text string) string {
	if len(text) <= longestText {
		return text
	}
	return string([]rune(text[:longestText-3])) + "…"
}

// end is called after a program was asked: a fault ends the run, and what the program said is told.
func (b *binding) end(p *sim.Plan, w *sim.Why, fault error) {
	b.plan = nil
	if fault != nil {
		p.Fail(asFault(fault))
	}
	if w.Detail == nil {
		return
	}
	if fault != nil {
		w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: words.Say("The program ended here"),
			Note: asFault(fault).Says})
	}
	for i := range b.said {
		s := &b.said[i]
		d := w.Detail.Of(s.job)
		d.Sections = append(d.Sections, &sim.Section{Title: words.Say("What the program says"),
			Note: words.Own(s.text), Terms: s.terms})
	}
	w.Detail.Sections = append(w.Detail.Sections, b.given()...)
	if len(b.steps) > 0 {
		title := words.Say("What the program did, step by step")
		if b.refused > 0 {
			title = words.Count(b.refused, "What the program did, step by step; the kernel refused {0} call",
				"What the program did, step by step; the kernel refused {0} calls")
		}
		w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: title, Folded: true,
			Formula: slices.Clone(b.steps)})
	}
}
