package chart

import "slices"

// Same says of each holding of a lane whether another run of the same scenario gives its job the same GPUs all the
// while.
func Same(of, other *Lane) []bool {
	theirs := make([][]*Holding, len(of.Looks)) // by job, by start
	for i := range other.Holdings {
		h := &other.Holdings[i]
		theirs[h.Job] = append(theirs[h.Job], h)
	}
	same := make([]bool, len(of.Holdings))
	for i := range of.Holdings {
		h := &of.Holdings[i]
		list := theirs[h.Job]
		for len(list) > 0 && list[0].To <= h.From { // nor does a later holding of the job need it
			list = list[1:]
		}
		theirs[h.Job] = list
		at := h.From
		for _, o := range list {
			if o.From > at {
				break
			}
			if o.To > at && slices.Equal(o.Shards, h.Shards) {
				at = o.To
			}
		}
		same[i] = at >= h.To
	}
	return same
}
