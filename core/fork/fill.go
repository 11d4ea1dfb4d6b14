package fork

import "hadarlab/core/model"

// leftovers are what phase 2 keeps from one idle node to the next.
type leftovers struct {
	ranks []ranking // by kind of node, or of slot, and size of gang
	given []int32   // the jobs that got a node, in that order
	first []int32   // by node, its first holder among the holders; -1 = none
	aside []entry   // that must not lead on the present node
	holders
}

// entry is a job in the ranking of its gangs on a kind of slot.
type entry struct{ job, kind int32 }

// holders are the jobs that need not move to a node, with the place of the next one of that node, -1 = none.
type holders []struct {
	job, next int32
}

// ranking are the gains of all jobs, for each unit that they pay for, by gangs of one size on a node, or slot, of one
// kind that is new to them, and who leads: a tree of winners over the jobs, of which those with the same gain are in
// their order.
type ranking struct {
	gain []float64 // by job
	lead []int32   // 1 = of all; 2i and 2i+1 play for i, and jobs are the last half; -1 = no job that can run there
	knew int       // how many of the given nodes it reckons with, -1 = it is not of this round
}

// play decides between two places of the tree.
func (r *ranking) play(i int) {
	a, b := r.lead[2*i], r.lead[2*i+1]
	if a < 0 || b >= 0 && (r.gain[b] > r.gain[a] || r.gain[b] == r.gain[a] && b < a) {
		a = b
	}
	r.lead[i] = a
}

// fill is phase 2 where copies have nodes to themselves: each idle node goes to who leads in the ranking of its kind. A
// node changes the gain of the job only that it goes to.
func (pl *Planner) fill() {
	s := &pl.spare
	pl.unranked()
	for n, owner := range pl.res.Owner {
		if owner >= 0 || len(pl.prob.Jobs) == 0 {
			continue
		}
		k := int(pl.nodes.kind[n])
		pl.greet(n, k, false)
		if j := int(pl.rank(k, 0).lead[1]); j >= 0 {
			at, _ := pl.spotAt(j, model.NodeID(n), 0)
			pl.gift(j, at)
			s.given = append(s.given, int32(j))
		}
		pl.greet(n, k, true)
	}
}

// unranked forgets the rankings of the last round, and lists the holders of each node.
func (pl *Planner) unranked() {
	s := &pl.spare
	s.ranks, s.given = grow(s.ranks, pl.kinds*len(pl.sizes)), s.given[:0]
	for i := range s.ranks {
		s.ranks[i].knew = -1
	}
	s.first, s.holders = grow(s.first, len(pl.prob.Cluster.Nodes)), s.holders[:0]
	for n := range s.first {
		s.first[n] = -1
	}
	for j := range pl.prob.Jobs {
		if job := &pl.prob.Jobs[j]; job.Keep != job.Move {
			for _, n := range job.Held {
				s.holders = append(s.holders, struct{ job, next int32 }{int32(j), s.first[n]})
				s.first[n] = int32(len(s.holders) - 1)
			}
		}
	}
}

// rank is the ranking for gangs of a size on nodes, or slots, of kind k as it is now.
func (pl *Planner) rank(k, size int) *ranking {
	r, jobs, given := &pl.spare.ranks[k*len(pl.sizes)+size], len(pl.prob.Jobs), pl.spare.given
	if r.knew >= 0 {
		for _, j := range given[r.knew:] {
			if int(pl.spotsOf(int(j))[k].size) == size {
				pl.enter(r, int(j), k, true)
			}
		}
	} else {
		r.gain, r.lead = grow(r.gain, jobs), grow(r.lead, max(2, 2*jobs))
		for j := range jobs {
			if r.lead[jobs+j] = -1; int(pl.spotsOf(j)[k].size) == size {
				pl.weigh(r, j, k, true)
			}
		}
		for i := jobs - 1; i > 0; i-- {
			r.play(i)
		}
	}
	r.knew = len(given)
	return r
}

// enter brings job j in the ranking up to date.
func (pl *Planner) enter(r *ranking, j, k int, moves bool) {
	pl.weigh(r, j, k, moves)
	r.replay(j)
}

// replay decides anew where job j plays.
func (r *ranking) replay(j int) {
	for i := (len(r.lead)/2 + j) / 2; i > 0; i /= 2 {
		r.play(i)
	}
}

// weigh notes the gain of job j.
func (pl *Planner) weigh(r *ranking, j, k int, moves bool) {
	gain, can := pl.nodeGain(j, k, moves)
	r.gain[j] = gain
	leaf := &r.lead[len(pl.prob.Jobs)+j]
	if *leaf = -1; can {
		*leaf = int32(j)
	}
}

// fillShares is phase 2 where they share nodes.
func (pl *Planner) fillShares() {
	s := &pl.spare
	pl.unranked()
	for n := range pl.prob.Cluster.Nodes {
		for _, slot := range pl.nodes.of(model.NodeID(n)) {
			pl.greet(n, int(pl.slots.kind[slot]), false)
		}
		for pl.fillOne(model.NodeID(n)) {
		}
		for _, slot := range pl.nodes.of(model.NodeID(n)) {
			pl.greet(n, int(pl.slots.kind[slot]), true)
		}
		for _, e := range s.aside {
			pl.anew(int(e.job), int(e.kind), true)
		}
		s.aside = s.aside[:0]
	}
}

// room is how many GPUs of a slot are left.
func (pl *Planner) room(at model.SlotID) int32 { return pl.prob.Usable[at] - pl.res.Used[at] }

// greet ranks the holders of node n on a kind as those that need not move there, and later as all others.
func (pl *Planner) greet(n, k int, moves bool) {
	s := &pl.spare
	for at := s.first[n]; at >= 0; at = s.holders[at].next {
		pl.anew(int(s.holders[at].job), k, moves)
	}
}

// anew ranks a job on a kind anew, where its gang is.
func (pl *Planner) anew(j, k int, moves bool) {
	if x := &pl.spotsOf(j)[k]; x.rate > 0 {
		pl.enter(pl.rank(k, int(x.size)), j, k, moves)
	}
}

// fillOne gives one copy on a node to the job that gains most by it for each of its GPUs: of equals to the older job,
// and to the first slot. It is false if none fits.
func (pl *Planner) fillOne(n model.NodeID) bool {
	best, at, most := -1, model.SlotID(model.None), 0.0
	for _, slot := range pl.nodes.of(n) {
		for size, gang := range pl.sizes {
			if gang > pl.room(slot) {
				continue
			}
			r := pl.leader(int(pl.slots.kind[slot]), size, n)
			if j := int(r.lead[1]); j >= 0 && (best < 0 || r.gain[j] > most || r.gain[j] == most && j < best) {
				best, at, most = j, slot, r.gain[j]
			}
		}
	}
	if best < 0 {
		return false
	}
	pl.gift(best, at)
	pl.spare.given = append(pl.spare.given, int32(best))
	return true
}

// leader is a ranking where no job leads that has a copy on node n: such jobs are put aside.
func (pl *Planner) leader(k, size int, n model.NodeID) *ranking {
	r := pl.rank(k, size)
	for r.lead[1] >= 0 && pl.has(int(r.lead[1]), n) {
		j := r.lead[1]
		pl.spare.aside = append(pl.spare.aside, entry{j, int32(k)})
		r.lead[len(r.lead)/2+int(j)] = -1
		r.replay(int(j))
	}
	return r
}

// has says whether job j has a copy on node n. Nodes are filled in their order, so that it is soon found.
func (pl *Planner) has(j int, n model.NodeID) bool {
	copies := pl.res.Copies[j]
	i := len(copies) - 1
	for i >= 0 && copies[i].Node > n {
		i--
	}
	return i >= 0 && copies[i].Node == n
}
