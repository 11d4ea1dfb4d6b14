package lp

import "math"

// proof is prices at which sum_i y_i unit_i level_i <= bound for all levels that can be had. It
// outlives the solve that found it.
type proof struct {
	row, price []float64
	bound      float64
}

// take copies the prices and the bound of a result.
func (p *proof) take(r *Result) {
	p.row, p.price, p.bound = append(p.row[:0], r.RowPrice...), append(p.price[:0], r.Price...), r.Bound
}

// stage finds the largest rise of the common level, within full, by Newton's method from above, and
// aims there. The x that it leaves in sv.keep reaches that level but for the factor returned.
// f.last and f.cut are the prices there and those that led there.
func (f *fill) stage(sv *Solver, s, gpus []float64, event, full float64, res *Filling) (z, factor float64, err error) {
	sv.need, sv.due = grow(sv.need, len(s)), grow(sv.due, len(s))
	level, floor := sv.need, sv.due
	z = event
	if !(z > 0) {
		z = full
	}
	f.cut.bound = math.Inf(1)
	// The target of a frozen job is where it stands. The program asks by what factor all targets can
	// be met; less than 1 says that z is too high.
	for top, try := full, 1; ; try++ {
		f.aim(z)
		for i, st := range f.state {
			if st == frozen {
				f.target[i] = f.low[i]
			}
			level[i], floor[i] = float64(f.target[i]*f.unit[i]), 0
			if level[i] == 0 {
				floor[i] = math.Inf(-1)
			}
		}
		step, err := sv.Solve(&Problem{Scale: s, Capacity: gpus, LevelGain: 1, Row: f.t, Level: level, Floor: floor})
		if err != nil {
			return 0, 0, err
		}
		res.Solves++
		f.last.take(&step)
		next, gap := f.reached(&f.last, top), math.Max(0, 1-step.Level)
		f.aim(next)
		switch {
		// In each case f.aim has set the targets to next. First: nobody rises, and the x of the
		// stage before will do.
		case f.still():
			f.aim(0)
			return 0, 1, nil
		// The first guess was reached and the prices allow more: it was too low.
		case gap <= exact && next > float64(z*(1+exact)):
			z = next
		// The targets cannot be met: Newton's step goes down to the level that the prices allow.
		case gap > exact && try < cuts && next < float64(z*(1-exact)):
			z, top = next, next
			f.cut, f.last = f.last, f.cut
		default:
			res.RelGap = math.Max(res.RelGap, gap)
			copy(sv.keep, step.X)
			f.aim(z)
			return z, 1 - gap, nil
		}
	}
}

// still says that no target is noticeably above where its job began, so that the stage changes
// nothing.
func (f *fill) still() bool {
	for _, i := range f.jobs {
		if f.target[i]-f.low[i] > float64(1e-9*f.cap[i]) {
			return false
		}
	}
	return true
}

// reached is the rise of the common level, up to top, beyond which the prices allow none. What the
// levels are worth at these prices only grows with the common level, so bisection finds it.
func (f *fill) reached(p *proof, top float64) float64 {
	affords := func(z float64) bool {
		f.aim(z)
		return f.worth(p) <= p.bound
	}
	if affords(top) {
		return top
	}
	lo, hi := 0.0, top
	for range 200 {
		mid := float64(0.5 * (lo + hi))
		if mid <= lo || mid >= hi {
			break
		}
		if affords(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// worth is sum_i y_i unit_i target_i, what the targets cost at the prices of a proof.
func (f *fill) worth(p *proof) float64 {
	sum := 0.0
	for i, st := range f.state {
		if st != out && p.row[i] > 0 {
			sum += float64(p.row[i] * float64(f.target[i]*f.unit[i]))
		}
	}
	return sum
}

// close ends a stage: it freezes the jobs that are provably at their limit, and takes from the
// others the types that are provably of no use to them. A job with a price at its row can rise no
// further than the prices spare, and one without can still gain. Some job is always frozen, the one
// whose row costs most, so that there are no more stages than jobs.
func (f *fill) close(s, gpus []float64, factor float64) {
	first, most := f.jobs[0], -1.0
	limit := make([]bool, len(f.state))
	for _, i := range f.jobs {
		limit[i] = f.target[i] >= float64(f.cap[i]*(1-exact))
		if v := float64(f.last.row[i]*f.unit[i]) * f.cap[i]; v > most {
			first, most = i, v
		}
	}
	limit[first] = true
	for _, p := range []*proof{&f.last, &f.cut} {
		if math.IsInf(p.bound, 1) {
			continue
		}
		spare := math.Max(0, p.bound-float64(factor*f.worth(p)))
		for _, i := range f.jobs {
			y := float64(p.row[i] * f.unit[i])
			limit[i] = limit[i] ||
				y > 0 && spare <= float64(y*float64(rise*math.Max(f.target[i], float64(1e-6*f.cap[i]))))
		}
		f.strike(s, gpus, p, spare, limit)
	}
	for _, i := range f.jobs {
		f.low[i] = f.target[i]
		if limit[i] {
			f.state[i] = frozen
		}
	}
}

// strike takes from the jobs that stay open the types on which they can have no time. The prices
// prove it: the reduced costs times the time there sum up to no more than spare.
func (f *fill) strike(s, gpus []float64, p *proof, spare float64, limit []bool) {
	k := len(gpus)
	for _, i := range f.jobs {
		if limit[i] {
			continue
		}
		t, y := f.t[int(i)*k:int(i)*k+k], p.row[i]
		head := 0.0
		for j, a := range t {
			if gpus[j] > 0 {
				head = math.Max(head, float64(a*y)-float64(s[i]*p.price[j]))
			}
		}
		for j, a := range t {
			if loss := head + float64(s[i]*p.price[j]) - float64(a*y); loss > 0 && spare <= float64(rise*loss) {
				t[j] = 0
			}
		}
		f.cap[i] = math.Max(f.target[i], best(t, gpus)/f.unit[i])
	}
}
