package state

// Waiting are moments at which a job holds nothing in a lane, unless the cursor's is among them.
func (s *State) Waiting(lane int, job string, most int) (moments []int, all int) {
	return s.Result.Waiting(lane, job, s.View.Moment, most)
}

// Waiting are the moments at which a job holds nothing in a lane, unless the cursor's is among them: where to look for
// the reason of its waiting. There are at most most of them; all counts them.
func (r *Result) Waiting(lane int, job string, cursor, most int) (moments []int, all int) {
	l := r.Lanes[lane]
	j, known := r.Jobs[job]
	if !known || l.Chart == nil {
		return nil, 0
	}
	next := 0
	for i := range l.Chart.Waits {
		w := &l.Chart.Waits[i]
		if w.Job != j {
			continue
		}
		for k := max(next, r.Diff.At(w.From)); k < len(r.Diff.Moments) && r.Diff.Moments[k].At < w.To; k++ {
			if r.Diff.Moments[k].At < w.From {
				continue
			}
			if k == cursor {
				return nil, 0
			}
			if all++; len(moments) < most {
				moments = append(moments, k)
			}
			next = k + 1
		}
	}
	return moments, all
}
