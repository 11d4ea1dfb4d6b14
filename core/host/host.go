// Package host is what the hosts of GPUs give to the jobs on them: CPUs, which prepare their input, and memory, which
// keeps it at hand (Synergy, OSDI 2022). It splits what a node has between the gangs that hold GPUs of it, and says how
// fast a job runs on what it gets. It knows no clock and no policy.
//
// Flow: the gangs of a node → Proportional or Tuned → Speed.
package host

import (
	"math"

	"hadarlab/core/model"
)

// Tenant is a job on a node.
type Tenant struct {
	GPUs float64     // that it holds there; part of one where jobs share it
	Need *model.Need // nil = it runs alike on any host
}

// Share is what a tenant gets of its node.
type Share struct {
	CPUs     float64
	MemoryGB float64
}

// Speed is the part of its full speed, 0 to 1, at which a job with so much for all its GPUs on a node runs there: the
// least of what its CPUs and its memory allow, since a step waits for both (the least is ours; Synergy measured the
// two together).
func (s Share) Speed(h *model.Host, t *Tenant) float64 {
	speed := 1.0
	if t.Need == nil {
		return speed
	}
	if h.CPUs > 0 {
		speed = min(speed, t.Need.CPUs.At(s.CPUs/t.GPUs))
	}
	if h.MemoryGB > 0 {
		speed = min(speed, t.Need.MemoryGB.At(s.MemoryGB/t.GPUs))
	}
	return speed
}

// Split is Tuned or Proportional.
func Split(h *model.Host, gpus float64, tenants []Tenant, tuned bool) []Share {
	if tuned {
		return Tuned(h, gpus, tenants)
	}
	return Proportional(h, gpus, tenants)
}

// Proportional gives each tenant its GPUs' part of the node, which has so many GPUs: what a scheduler that looks at
// GPUs alone does. What belongs to GPUs that are free stays free.
func Proportional(h *model.Host, gpus float64, tenants []Tenant) []Share {
	out := make([]Share, len(tenants))
	for i, t := range tenants {
		out[i] = Share{h.CPUs * t.GPUs / gpus, h.MemoryGB * t.GPUs / gpus}
	}
	return out
}

// Tuned gives each tenant as much as it can use, and never makes one slower than Proportional would (Synergy-TUNE, OSDI
// 2022, section 4; that it is asked anew whenever somebody comes or goes, not each round, and that where a job runs
// is left to the policy, are ours). Tenants come in their order. One for whom there is not enough takes what is free,
// and what it can use of its GPUs' part at least: for that those before it that hold more than their part give up what
// is missing, whoever has the most CPUs a GPU first.
func Tuned(h *model.Host, gpus float64, tenants []Tenant) []Share {
	fair := Proportional(h, gpus, tenants)
	out := make([]Share, len(tenants))
	free := Share{h.CPUs, h.MemoryGB}
	for i := range tenants {
		want := tenants[i].Best(h)
		least := Share{min(want.CPUs, fair[i].CPUs), min(want.MemoryGB, fair[i].MemoryGB)}
		if !want.fits(free) {
			want = Share{max(least.CPUs, min(want.CPUs, free.CPUs)),
				max(least.MemoryGB, min(want.MemoryGB, free.MemoryGB))}
		}
		for !want.fits(free) {
			k := richest(out[:i], fair, tenants, want, free)
			if k < 0 {
				break // rounding alone: the parts of all are the whole
			}
			cpus := min(max(out[k].CPUs-fair[k].CPUs, 0), max(want.CPUs-free.CPUs, 0))
			gb := min(max(out[k].MemoryGB-fair[k].MemoryGB, 0), max(want.MemoryGB-free.MemoryGB, 0))
			out[k] = Share{out[k].CPUs - cpus, out[k].MemoryGB - gb}
			free = Share{free.CPUs + cpus, free.MemoryGB + gb}
		}
		out[i] = Share{min(want.CPUs, max(free.CPUs, 0)), min(want.MemoryGB, max(free.MemoryGB, 0))}
		free.CPUs -= out[i].CPUs
		free.MemoryGB -= out[i].MemoryGB
	}
	return out
}

// Best is the least with which a tenant runs at full speed.
func (t *Tenant) Best(h *model.Host) (s Share) {
	if t.Need == nil {
		return s
	}
	if h.CPUs > 0 {
		s.CPUs = t.GPUs * t.Need.CPUs.Full()
	}
	if h.MemoryGB > 0 {
		s.MemoryGB = t.GPUs * t.Need.MemoryGB.Full()
	}
	return s
}

// slack is what counts as rounding, in CPUs and in GB.
const slack = 1e-9

func (s Share) fits(free Share) bool {
	return s.CPUs <= free.CPUs+slack && s.MemoryGB <= free.MemoryGB+slack
}

// richest is the tenant to cut so that want fits: of those that hold more than their part of what is short the one with
// the most CPUs a GPU, then with the most memory, then the first; -1 = nobody holds more.
func richest(has, fair []Share, tenants []Tenant, want, free Share) int {
	at, cpus, gb := -1, math.Inf(-1), math.Inf(-1)
	for k := range has {
		short := want.CPUs > free.CPUs+slack && has[k].CPUs > fair[k].CPUs+slack ||
			want.MemoryGB > free.MemoryGB+slack && has[k].MemoryGB > fair[k].MemoryGB+slack
		c, m := has[k].CPUs/tenants[k].GPUs, has[k].MemoryGB/tenants[k].GPUs
		if short && (c > cpus || c == cpus && m > gb) {
			at, cpus, gb = k, c, m
		}
	}
	return at
}
