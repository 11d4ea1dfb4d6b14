package model

import (
	"math"

	"hadarlab/core/unit"
)

// Split is how the GPUs of a gang of several types share the batch of a step where they do not share it alike: by their
// speeds, so that none waits (dynamic batching, arXiv 2305.12213). Shares are counted in even shares, of which a gang
// of W GPUs has W in all. A GPU whose type alone does v steps per second as a gang of W, and which has the share x, is
// done with its part of a step after
//
//	t(x) = (h + (1 − h)·x) ÷ v   seconds,
//
// with h the overhead; the step lasts as long as the last of them. In the paper's symbols t0 = h/v, and t1·b the rest;
// communication counts to h, and that h is one number for all types is ours: with it no split is faster than the mean
// of the rates. A nil *Split is even.
type Split struct {
	Overhead    float64 // h: part of a step at the even share that does not shrink with the share, in [0, 1)
	Least, Most float64 // bounds of a GPU's share, ≤ 1 and ≥ 1; Most 0 = none

	// Learned: the gang begins with even shares, and a controller measures how long its GPUs take (Next). Otherwise the
	// shares are the best from the start.
	Learned bool
	Band    float64   // a GPU whose time is nearer to the mean than this part of it keeps its share
	Check   unit.Tick // of training between two checks
	Change  unit.Tick // the gang stands still for it when shares change
}

// MostChecks is how many changes of shares in a row a learned split makes at most (ours): within bounds they might
// never end.
const MostChecks = 32

// LeastChange is the least change of a share that a check makes, in even shares (ours): a thousandth is less than one
// example of most batches. Without it a GPU whose overhead alone outlasts the mean would give away ever smaller parts,
// and the gang would pay for each.
const LeastChange = 1e-3

// Part is the GPUs of one type in a gang.
type Part struct {
	Type  TypeID
	GPUs  float64
	Rate  float64 // v, steps per second of a gang of the whole size of this type alone
	Share float64 // x of each of them

	pull, was float64 // scratch: what its share grows with; its share before
}

// AddPart adds GPUs of a type, whose gangs have a rate, to the parts of a gang; they are in the order of types.
func AddPart(parts []Part, t TypeID, gpus float64, rate unit.Rate) []Part {
	i := 0
	for i < len(parts) && parts[i].Type < t {
		i++
	}
	if i < len(parts) && parts[i].Type == t {
		parts[i].GPUs += gpus
		return parts
	}
	parts = append(parts, Part{})
	copy(parts[i+1:], parts[i:])
	parts[i] = Part{Type: t, GPUs: gpus, Rate: float64(rate), Share: 1}
	return parts
}

// Perfect says whether the best split has all GPUs busy all the time, however slow some of them are: the gang then runs
// at the mean of its GPUs' rates.
func (s *Split) Perfect() bool {
	return s.Overhead == 0 && s.Least == 0 && s.Most == 0 && !s.Learned
}

// Settled gives the parts the shares that they have in the end, and is the gang's speed then: the best, or those at
// which a learned split stops. All rates are > 0.
func (s *Split) Settled(parts []Part) unit.Rate {
	if !s.Learned {
		for i := range parts {
			parts[i].pull = parts[i].Rate
		}
		s.fill(parts, s.Overhead)
		return s.Speed(parts)
	}
	for i := range parts {
		parts[i].Share = 1
	}
	for n := 0; n < MostChecks && s.Next(parts); n++ {
		continue
	}
	return s.Speed(parts)
}

// Speed is that of a gang with the shares that its parts have: the slowest part's.
func (s *Split) Speed(parts []Part) unit.Rate {
	least := math.Inf(1)
	for i := range parts {
		least = min(least, 1/s.time(&parts[i]))
	}
	return unit.Rate(least)
}

// time is t(x).
func (s *Split) time(p *Part) float64 {
	return float64(s.Overhead+float64((1-s.Overhead)*p.Share)) / p.Rate
}

// Next is one check of a learned split; it is false, and leaves all shares as they are, where none would change by
// LeastChange. A GPU that took t for its part of a step
// is to have its share times mean(t) ÷ t, the mean over all GPUs; within the dead band, |t − mean| < Band·mean, it
// keeps it. The shares are then scaled so that they add up to W again, with those at a bound left there, and the rest
// spread over the others (in proportion: ours; the paper's code shifts all by the same amount, after the bounds).
func (s *Split) Next(parts []Part) (moved bool) {
	mean, all := 0.0, 0.0
	for i := range parts {
		p := &parts[i]
		mean += float64(p.GPUs * s.time(p))
		all += p.GPUs
	}
	mean /= all
	for i := range parts {
		p := &parts[i]
		t := s.time(p)
		p.pull, p.was = p.Share, p.Share
		if math.Abs(t-mean) >= float64((s.Band-unit.Rounding)*mean) { // at the band's edge, whatever rounding says
			p.pull, moved = float64(p.Share*mean)/t, true
		}
	}
	if !moved {
		return false
	}
	s.fill(parts, 0)
	moved = false
	for i := range parts {
		moved = moved || math.Abs(parts[i].Share-parts[i].was) >= LeastChange
	}
	for i := range parts {
		if !moved {
			parts[i].Share = parts[i].was
		}
	}
	return moved
}

// fill is water-filling: it gives each part the share
//
//	x = min(Most, max(Least, (τ·pull − h) ÷ (1 − h)))
//
// at the one level τ at which GPUs times share add up to W. With pull = v the level is a time, and no shares within the
// bounds are done with a step sooner: who has more would be later, and somebody has more unless all have these. The sum
// grows with τ and is linear between the levels at which a part comes to a bound or leaves it. From the last of these
// at which it is at most W
//
//	τ = ((1 − h)·(W − Σ GPUs·x at a bound) + h·Σ GPUs of the others) ÷ Σ GPUs·pull of the others.
func (s *Split) fill(parts []Part, h float64) {
	least, most := s.Least, s.Most
	if most == 0 {
		most = math.Inf(1)
	}
	enters := func(p *Part, bound float64) float64 { return float64(h+float64((1-h)*bound)) / p.pull }
	share := func(p *Part, level float64) float64 {
		return min(most, max(least, (float64(level*p.pull)-h)/(1-h)))
	}
	all, from := 0.0, 0.0
	for i := range parts {
		all += parts[i].GPUs
	}
	for i := range parts {
		for _, bound := range [...]float64{least, most} {
			at, sum := enters(&parts[i], bound), 0.0
			for k := range parts {
				sum += float64(parts[k].GPUs * share(&parts[k], at))
			}
			if at > from && sum <= all {
				from = at
			}
		}
	}
	left, free, pull := all, 0.0, 0.0
	for i := range parts {
		p := &parts[i]
		if enters(p, least) <= from && from < enters(p, most) {
			free += p.GPUs
			pull += float64(p.GPUs * p.pull)
		} else {
			left -= float64(p.GPUs * share(p, from))
		}
	}
	if pull > 0 {
		from = float64(float64((1-h)*left)+float64(h*free)) / pull
	}
	for i := range parts {
		parts[i].Share = share(&parts[i], from)
	}
}
