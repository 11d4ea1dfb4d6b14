package goodput

import (
	"math"
)

// The search for the parameters is L-BFGS-B (Byrd, Lu, Nocedal and Zhu 1995; projected as by Morales and Nocedal 2011)
// with the line search of Moré and Thuente (1994), with the settings that the paper's artifact leaves at their
// defaults. Where it stops is a part of the model: on models whose parameters differ by orders of magnitude it stops
// far from the least objective, and a job believes what it has found by then.
const (
	remembered  = 10                    // corrections from which curvature is estimated
	flat        = 1e-5                  // largest part of the projected gradient at which it stops
	gainsLittle = 2.220446049250313e-09 // gain of a step, relative to the objective or 1, at which it stops
	mostSteps   = 15000
	mostTries   = 20 // of a step's length
	epsilon     = 0x1p-52
)

// correction is a step and what it changed of the gradient.
type correction struct{ s, y vector }

func dot(a, b *vector) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func (m *matrix) times(v *vector) (out vector) {
	for i := range m {
		out[i] = dot(&m[i], v)
	}
	return out
}

// minimise improves x between low and high.
func (o *Observed) minimise(x, low, high *vector) {
	var g vector
	f := o.value(x, &g)
	past, theta := make([]correction, 0, remembered), 1.0
	for step := 0; step < mostSteps && projectedGradNorm(x, &g, low, high) > flat; {
		b := curvature(theta, past)
		to, free := cauchy(x, &g, low, high, &b)
		if len(past) > 0 && !subspace(x, &g, low, high, &b, &to, &free) {
			past, theta = past[:0], 1
			continue
		}
		var d vector
		for i := range d {
			d[i] = to[i] - x[i]
		}
		was, before, slope := *x, g, dot(&g, &d)
		fWas := f
		length, ok := 0.0, slope < 0
		if ok {
			length, f, ok = o.search(x, &to, &d, &g, low, high, f, step == 0)
		}
		if !ok {
			*x, g, f = was, before, fWas
			if len(past) == 0 {
				return
			}
			past, theta = past[:0], 1
			continue
		}
		step++
		if projectedGradNorm(x, &g, low, high) <= flat ||
			fWas-f <= float64(gainsLittle*max(math.Abs(fWas), math.Abs(f), 1)) {
			return
		}
		c := correction{}
		for i := range d {
			c.s[i], c.y[i] = float64(d[i]*length), g[i]-before[i]
		}
		if change := float64((dot(&g, &d) - slope) * length); change > -float64(epsilon*float64(slope*length)) {
			if len(past) == remembered {
				past = past[:copy(past, past[1:])]
			}
			past, theta = append(past, c), dot(&c.y, &c.y)/change
		}
	}
}

// projectedGradNorm is the largest part of the gradient that no limit holds.
func projectedGradNorm(x, g, low, high *vector) (most float64) {
	for i, v := range g {
		if v < 0 {
			v = max(x[i]-high[i], v)
		} else {
			v = min(x[i]-low[i], v)
		}
		most = max(most, math.Abs(v))
	}
	return most
}

// curvature is the estimate of the second derivatives.
func curvature(theta float64, past []correction) (b matrix) {
	for i := range b {
		b[i][i] = theta
	}
	for k := range past {
		c := &past[k]
		bs := b.times(&c.s)
		sbs, ys := dot(&c.s, &bs), dot(&c.y, &c.s)
		for i := range b {
			up, down := c.y[i]/ys, bs[i]/sbs
			for j := range b {
				b[i][j] += float64(up*c.y[j]) - float64(down*bs[j])
			}
		}
	}
	return b
}

// cauchy follows the projected gradient to the first minimum of the model. free are the parameters that no limit holds
// there.
func cauchy(x, g, low, high *vector, b *matrix) (to vector, free [params]bool) {
	var d, at vector // direction, and where a limit ends it
	for i, v := range g {
		at[i], d[i] = math.Inf(1), -v
		switch {
		case low[i] == high[i], v >= 0 && x[i] <= low[i], v <= 0 && x[i] >= high[i]:
			d[i] = 0
			continue
		case v < 0:
			at[i] = (x[i] - high[i]) / v
		case v > 0:
			at[i] = (x[i] - low[i]) / v
		}
		free[i] = true
	}
	to = *x
	var z vector
	bd := b.times(&d)
	slope, bend := -dot(&d, &d), dot(&d, &bd)
	first, t := bend, 0.0
	if slope == 0 {
		return to, free
	}
	for {
		next := -1
		for i := range at {
			if d[i] != 0 && !math.IsInf(at[i], 1) && (next < 0 || at[i] < at[next]) {
				next = i
			}
		}
		by := -slope / bend
		if next < 0 || by < at[next]-t {
			by = max(by, 0)
			for i := range z {
				z[i] += float64(by * d[i])
				if d[i] != 0 {
					to[i] = x[i] + z[i]
				}
			}
			return to, free
		}
		by = at[next] - t
		t = at[next]
		for i := range z {
			z[i] += float64(by * d[i])
		}
		to[next] = high[next]
		if d[next] < 0 {
			to[next] = low[next]
		}
		z[next], d[next], free[next] = to[next]-x[next], 0, false
		bd = b.times(&d)
		slope, bend = dot(g, &d)+dot(&z, &bd), max(dot(&d, &bd), float64(epsilon*first))
		if slope >= 0 && dot(&d, &d) == 0 {
			return to, free
		}
	}
}

// subspace goes on from the Cauchy point to the minimum of the model in the free parameters, projected into the limits.
func subspace(x, g, low, high *vector, b *matrix, to *vector, free *[params]bool) bool {
	var z, r vector
	var held [params]bool
	any := false
	for i := range z {
		z[i], held[i] = to[i]-x[i], !free[i]
		any = any || free[i]
	}
	if !any {
		return true
	}
	bz := b.times(&z)
	for i := range r {
		r[i] = g[i] + bz[i]
	}
	d, ok := solve(b, &r, &held)
	if !ok {
		return false
	}
	from := *to
	cut := false
	for i := range d {
		if free[i] {
			to[i] = from[i] + d[i]
			if p := min(max(to[i], low[i]), high[i]); p <= low[i] || p >= high[i] {
				to[i], cut = p, true
			}
		}
	}
	if !cut {
		return true
	}
	slope := 0.0
	for i := range to {
		slope += float64((to[i] - x[i]) * g[i])
	}
	if slope <= 0 {
		return true
	}
	*to = from
	alpha, ends := 1.0, -1
	for i := range d {
		if !free[i] {
			continue
		}
		limit := alpha
		if room := low[i] - to[i]; d[i] < 0 {
			if room >= 0 {
				limit = 0
			} else if float64(d[i]*alpha) < room {
				limit = room / d[i]
			}
		} else if room := high[i] - to[i]; d[i] > 0 {
			if room <= 0 {
				limit = 0
			} else if float64(d[i]*alpha) > room {
				limit = room / d[i]
			}
		}
		if limit < alpha {
			alpha, ends = limit, i
		}
	}
	for i := range d {
		switch {
		case i == ends && d[i] > 0:
			to[i] = high[i]
		case i == ends:
			to[i] = low[i]
		case free[i]:
			to[i] += float64(alpha * d[i])
		}
	}
	return true
}

// solve is −b⁻¹r in the parameters that are not held, by Cholesky's factors; ok is false when b is not positive there.
func solve(b *matrix, r *vector, held *[params]bool) (step vector, ok bool) {
	var l matrix
	for i := range l {
		if held[i] {
			continue
		}
		sum := -r[i]
		for j := range i + 1 {
			if held[j] {
				continue
			}
			v := b[i][j]
			for k := range j {
				v -= float64(l[i][k] * l[j][k])
			}
			if i == j {
				if !(v > 0) {
					return step, false
				}
				l[i][i] = math.Sqrt(v)
			} else {
				l[i][j] = v / l[j][j]
				sum -= float64(l[i][j] * step[j])
			}
		}
		step[i] = sum / l[i][i]
	}
	for i := params - 1; i >= 0; i-- {
		if held[i] {
			continue
		}
		for j := i + 1; j < params; j++ {
			if !held[j] {
				step[i] -= float64(l[j][i] * step[j])
			}
		}
		step[i] /= l[i][i]
	}
	return step, true
}

// search finds how far to go from x in direction d, which ends at to for a length of 1: so far that the objective falls
// enough and its slope flattens. ok is false when it does not come to an end.
func (o *Observed) search(x, to, d, g, low, high *vector, f float64, first bool) (length, least float64, ok bool) {
	from, most := *x, 1e10
	if first {
		most = 1
	} else {
		for i, v := range d {
			if room := low[i] - x[i]; v < 0 {
				if room >= 0 {
					most = 0
				} else if float64(v*most) < room {
					most = room / v
				}
			} else if room := high[i] - x[i]; v > 0 {
				if room <= 0 {
					most = 0
				} else if float64(v*most) > room {
					most = room / v
				}
			}
		}
	}
	s := lineSearch{most: most, length: 1}
	if first {
		s.length = min(1/math.Sqrt(dot(d, d)), most)
	}
	s.begin(f, dot(g, d))
	for range mostTries {
		for i := range x {
			x[i] = from[i] + float64(s.length*d[i])
		}
		if s.length == 1 {
			*x = *to
		}
		f = o.value(x, g)
		if s.next(f, dot(g, d)) {
			return s.length, f, true
		}
	}
	return 0, f, false
}

// end is a length with the objective and its slope there.
type end struct{ at, f, g float64 }

// lineSearch is Moré and Thuente's.
type lineSearch struct {
	length, most   float64
	start, x, y    end // x is the best so far, y the other end
	bracketed      bool
	second         bool
	width, width1  float64
	lower, greater float64
}

const (
	enoughFall = 1e-3 // of the slope
	enoughFlat = 0.9
	narrow     = 0.1
)

func (s *lineSearch) begin(f, g float64) {
	s.start = end{0, f, g}
	s.x, s.y = s.start, s.start
	s.width, s.width1 = s.most, 2*s.most
	s.greater = float64(5 * s.length)
}

// next takes in the objective and its slope at the present length, and chooses the next one unless it is done.
func (s *lineSearch) next(f, g float64) (done bool) {
	slope := float64(enoughFall * s.start.g)
	enough := s.start.f + float64(s.length*slope)
	if !s.second && f <= enough && g >= 0 {
		s.second = true
	}
	switch {
	case s.bracketed && (s.length <= s.lower || s.length >= s.greater),
		s.bracketed && s.greater-s.lower <= float64(narrow*s.greater),
		s.length == s.most && f <= enough && g <= slope,
		s.length == 0 && (f > enough || g >= slope),
		f <= enough && math.Abs(g) <= float64(enoughFlat*-s.start.g):
		return true
	}
	if !s.second && f <= s.x.f && f > enough {
		lift := func(e *end, by float64) {
			e.f, e.g = e.f+float64(by*float64(e.at*slope)), e.g+float64(by*slope)
		}
		now := end{s.length, f, g}
		lift(&now, -1)
		lift(&s.x, -1)
		lift(&s.y, -1)
		s.step(now)
		lift(&s.x, 1)
		lift(&s.y, 1)
	} else {
		s.step(end{s.length, f, g})
	}
	if s.bracketed {
		if math.Abs(s.y.at-s.x.at) >= float64(0.66*s.width1) {
			s.length = s.x.at + float64(0.5*(s.y.at-s.x.at))
		}
		s.width1, s.width = s.width, math.Abs(s.y.at-s.x.at)
		s.lower, s.greater = min(s.x.at, s.y.at), max(s.x.at, s.y.at)
	} else {
		s.lower = s.length + float64(1.1*(s.length-s.x.at))
		s.greater = s.length + float64(4*(s.length-s.x.at))
	}
	s.length = min(max(s.length, 0), s.most)
	if s.bracketed && (s.length <= s.lower || s.length >= s.greater || s.greater-s.lower <= float64(narrow*s.greater)) {
		s.length = s.x.at
	}
	return false
}

// cubic gives what the minimum of the cubic through two ends is found from.
func cubic(a, b end, floor bool) (theta, root float64) {
	theta = float64(3*(a.f-b.f))/(b.at-a.at) + a.g + b.g
	scale := max(math.Abs(theta), math.Abs(a.g), math.Abs(b.g))
	under := float64((theta/scale)*(theta/scale)) - float64((a.g/scale)*(b.g/scale))
	if floor {
		under = max(under, 0)
	}
	return theta, float64(scale * math.Sqrt(under))
}

// step chooses a length from the ends and now, and moves the ends.
func (s *lineSearch) step(now end) {
	x, y := s.x, s.y
	turned := now.g*(x.g/math.Abs(x.g)) < 0
	var to float64
	quadratic := func() float64 { return now.at + float64(now.g/(now.g-x.g)*(x.at-now.at)) }
	switch {
	case now.f > x.f:
		theta, root := cubic(x, now, false)
		if now.at < x.at {
			root = -root
		}
		c := x.at + float64(((root-x.g)+theta)/(((root-x.g)+root)+now.g)*(now.at-x.at))
		q := x.at + float64(x.g/((x.f-now.f)/(now.at-x.at)+x.g)/2*(now.at-x.at))
		if math.Abs(c-x.at) < math.Abs(q-x.at) {
			to = c
		} else {
			to = c + float64((q-c)/2)
		}
		s.bracketed = true
	case turned:
		theta, root := cubic(x, now, false)
		if now.at > x.at {
			root = -root
		}
		c := now.at + float64(((root-now.g)+theta)/(((root-now.g)+root)+x.g)*(x.at-now.at))
		if to = quadratic(); math.Abs(c-now.at) > math.Abs(to-now.at) {
			to = c
		}
		s.bracketed = true
	case math.Abs(now.g) < math.Abs(x.g):
		theta, root := cubic(x, now, true)
		if now.at > x.at {
			root = -root
		}
		c := s.lower
		if r := ((root - now.g) + theta) / ((root + (x.g - now.g)) + root); r < 0 && root != 0 {
			c = now.at + float64(r*(x.at-now.at))
		} else if now.at > x.at {
			c = s.greater
		}
		q := quadratic()
		nearer := math.Abs(c-now.at) < math.Abs(q-now.at)
		if to = q; nearer == s.bracketed && (nearer || math.Abs(c-now.at) > math.Abs(q-now.at)) {
			to = c
		}
		if !s.bracketed {
			to = max(min(to, s.greater), s.lower)
		} else if limit := now.at + float64(0.66*(y.at-now.at)); now.at > x.at {
			to = min(limit, to)
		} else {
			to = max(limit, to)
		}
	case s.bracketed:
		theta, root := cubic(now, y, false)
		if now.at > y.at {
			root = -root
		}
		to = now.at + float64(((root-now.g)+theta)/(((root-now.g)+root)+y.g)*(y.at-now.at))
	case now.at > x.at:
		to = s.greater
	default:
		to = s.lower
	}
	switch {
	case now.f > x.f:
		s.y = now
	case turned:
		s.x, s.y = now, x
	default:
		s.x = now
	}
	s.length = to
}
