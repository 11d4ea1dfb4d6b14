package fork

// leftovers are what phase 2 keeps from one idle node to the next.
type leftovers struct {
	ranks []ranking // by kind of node
	given []int32   // the jobs that got a node, in that order
	first []int32   // by node, its first holder among the holders; -1 = none
	holders
}

// holders are the jobs that need not move to a node, with the place of the next one of that node, -1 = none.
type holders []struct {
	job, next int32
}

// ranking are the gains of all jobs by a node of one kind that is new to them, and who leads: a tree of winners over
// the jobs, of which those with the same gain are in their order.
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

// fill is phase 2: each idle node, in index order, goes to the job whose round it makes worth most
// more, with what moving costs. It goes whatever the payoff is: the utilisation theorem (4.6) rests
// on no node staying idle. A node changes the gain of the job only that it goes to.
func (pl *Planner) fill() {
	s := &pl.spare
	s.ranks, s.given = grow(s.ranks, pl.kinds), s.given[:0]
	for k := range s.ranks {
		s.ranks[k].knew = -1
	}
	pl.hold()
	for n, owner := range pl.res.Owner {
		if owner >= 0 || len(pl.prob.Jobs) == 0 {
			continue
		}
		k := int(pl.nodes.kind[n])
		r := pl.rank(k)
		for at := s.first[n]; at >= 0; at = s.holders[at].next {
			pl.enter(r, int(s.holders[at].job), k, false)
		}
		j := int(r.lead[1])
		if j >= 0 {
			c := pl.copy(j, n)
			c.Phase, c.Utility, c.Payoff = 2, r.gain[j], r.gain[j]
			pl.give(j, c)
			s.given = append(s.given, int32(j))
			pl.res.Gifts = append(pl.res.Gifts, Gift{Node: c.Node, Slot: c.Slot, Job: int32(j)})
		}
		for at := s.first[n]; at >= 0; at = s.holders[at].next {
			pl.enter(r, int(s.holders[at].job), k, true)
		}
	}
}

// hold lists the holders of each node.
func (pl *Planner) hold() {
	s := &pl.spare
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

// rank is the ranking for nodes of kind k as it is now.
func (pl *Planner) rank(k int) *ranking {
	r, jobs, given := &pl.spare.ranks[k], len(pl.prob.Jobs), pl.spare.given
	if r.knew >= 0 {
		for _, j := range given[r.knew:] {
			pl.enter(r, int(j), k, true)
		}
	} else {
		r.gain, r.lead = grow(r.gain, jobs), grow(r.lead, max(2, 2*jobs))
		for j := range jobs {
			pl.weigh(r, j, k, true)
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
	for i := (len(pl.prob.Jobs) + j) / 2; i > 0; i /= 2 {
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

// nodeGain is gain for a node of kind k.
func (pl *Planner) nodeGain(j, k int, moves bool) (gain float64, can bool) {
	x := &pl.spotsOf(j)[k]
	if x.rate <= 0 {
		return 0, false
	}
	return pl.gain(j, pl.nodes.of(pl.nodes.sample[k])[x.at], x, moves)
}
