package trace

// What version 2 of the codec told among the reasons.
const (
	secondLeft  Code = 13 // how many GPUs of the slot's node a copy cannot use
	secondMerge Code = 17 // how many seconds the merges of a job take
	secondTimer Code = 25 // the GPUs of jobs, the tier that they wait for, and how many seconds
)

// second makes the series of a trace of version 2: of some of its reasons, which it takes out, and of the prices, which
// come next.
func (d *decoder) second(t *Trace) {
	round, kept, all := 0, int32(0), len(t.Reasons)
	tell := func(q *Quantity, of int32, v float64) {
		s := &t.Series[t.Begin(q, 0)]
		s.Points = append(s.Points, Point{int32(round - 1), of, v})
	}
	for k := 0; k <= all; k++ {
		t.Pace.Did(1)
		for ; round < len(t.Rounds) && int(t.Rounds[round].Reason) == k; round++ {
			t.Rounds[round].Reason = kept
		}
		if k == all {
			break
		}
		switch r := &t.Reasons[k]; r.Code {
		case secondLeft:
			tell(&Left, r.Slot, r.Num[0])
		case secondMerge:
			tell(&Merge, r.Job, r.Num[0])
		case secondTimer:
			q := &WaitsNode
			if r.Num[1] > 0 {
				q = &WaitsRack
			}
			tell(q, int32(r.Num[0]), r.Num[2])
		default:
			t.Reasons[kept] = *r
			kept++
		}
	}
	t.Reasons = t.Reasons[:kept]
	if prices := d.points(t.Pace); len(prices) > 0 {
		t.Series[t.Begin(&Price, 0)].Points = prices
	}
	d.bad = d.bad || round < len(t.Rounds) // they are out of order, or beyond the reasons
}
