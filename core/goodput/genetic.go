package goodput

import (
	"cmp"
	"math"
	"slices"
)

// The genetic algorithm of Pollux's scheduler (OSDI 2021, section 4.2, and its artifact): NSGA-II. Its second
// objective, the utility, keeps the population varied; the answer is the member with the best fitness.
//
//	population = what the jobs hold, or the Pareto-optimal members of the search before      begin
//	for each generation:
//	    until there are as many new children as members:                                    breed
//	        choose two pairs of parents by tournament                                       contest
//	        exchange the rows of the first jobs                                             cross
//	        reset rows, thin rows out, let jobs grow on nodes with free GPUs                mutate
//	        cut what breaks a limit                                                         repair
//	    keep the best of members and children                                               survive

const (
	attempts  = 100 // to make children that are new
	most      = 1 << 32
	mixing    = most * 9 / 10 // in 32 bits, the probability that parents exchange rows
	resetting = most / 10     // that a row becomes what the job holds
	thinning  = most / 10     // that elements of a row are dropped, and of each that it is
)

// begin makes the first population: what the jobs hold and, of a search that is warm, the best of the search before.
func (s *Search) begin() {
	m := s.take()
	copy(s.at(m).cells, s.now.cells)
	s.enter(m, &s.live)
	s.present = s.members[m].cost
	if s.Warm {
		for k := range s.kept {
			m := s.take()
			for j := range s.tasks {
				clear(s.at(m).rows[j])
				if was := slices.Index(s.keptIDs, s.tasks[j].ID); was >= 0 {
					copy(s.at(m).rows[j], s.kept[k].rows[was])
				}
			}
			s.enter(m, &s.live)
		}
	}
	s.survive()
}

// breed fills children with as many new members as the population holds. Those that are like another are thrown away
// and drawn again, as long as there are tries left.
func (s *Search) breed(tries *int) {
	clear(s.known)
	for _, m := range s.live {
		s.known[s.members[m].hash] = m
	}
	for range attempts {
		left := s.Population - len(s.children)
		if left <= 0 || *tries <= 0 {
			return
		}
		pairs := (left + 1) / 2
		s.shuffle(4 * pairs)
		for i := range pairs {
			a := s.contest(s.parents[4*i], s.parents[4*i+1])
			b := s.contest(s.parents[4*i+2], s.parents[4*i+3])
			x, y := s.cross(a, b)
			*tries -= 2
			s.mutate(s.at(x))
			s.enter(x, &s.children)
			if len(s.children) == s.Population {
				s.unused = append(s.unused, y)
				return
			}
			s.mutate(s.at(y))
			s.enter(y, &s.children)
		}
	}
}

// shuffle puts random permutations of the population one after another, until they have n entries.
func (s *Search) shuffle(n int) {
	s.parents = s.parents[:0]
	for len(s.parents) < n {
		from := len(s.parents)
		s.parents = append(s.parents, s.live...)
		s.mix(s.parents[from:])
	}
}

// contest is the winner of two members: who dominates, else who stands less crowded, else a coin.
func (s *Search) contest(a, b int32) int32 {
	x, y := &s.members[a], &s.members[b]
	switch {
	case x.dominates(y):
		return a
	case y.dominates(x):
		return b
	case x.crowding > y.crowding:
		return a
	case y.crowding > x.crowding || s.u32()&1 == 0:
		return b
	}
	return a
}

// dominates says whether x is nowhere worse than y, and somewhere better.
func (x *member) dominates(y *member) bool {
	return x.cost <= y.cost && x.idle <= y.idle && (x.cost < y.cost || x.idle < y.idle)
}

// cross makes two children, which mostly exchange their parents' rows of the first few jobs.
func (s *Search) cross(a, b int32) (x, y int32) {
	x, y = s.take(), s.take()
	copy(s.at(x).cells, s.at(a).cells)
	copy(s.at(y).cells, s.at(b).cells)
	if s.u32() < mixing {
		for j := range s.below(len(s.tasks)) {
			copy(s.at(x).rows[j], s.at(b).rows[j])
			copy(s.at(y).rows[j], s.at(a).rows[j])
		}
	}
	return x, y
}

// mutate changes a child at random: rows go back to what their jobs hold, or are thinned out, and then jobs grow on
// nodes that have free GPUs.
func (s *Search) mutate(m *allocation) {
	for j := range s.tasks {
		row, dice := m.rows[j], s.u32() // two dice of 16 bits
		if dice&0xffff < resetting>>16 {
			copy(row, s.now.rows[j])
		}
		if dice>>16 < thinning>>16 {
			for n := range row.Columns {
				if s.u32() < thinning {
					row.Set(n, 0)
				}
			}
		}
	}
	s.grow(m)
}

// grow has jobs grow on nodes that have free GPUs: with probability 1/J each, and with 1/c beside where it is one of c
// jobs there. How many of those grow that are not there is drawn at once for all.
func (s *Search) grow(m *allocation) {
	copy(s.free, s.capacity)
	clear(s.there)
	for _, row := range m.rows {
		for n := range row.Columns {
			s.free[n] -= row.Get(n)
			s.there[n]++
		}
	}
	for _, row := range m.rows {
		for n := range row.Columns {
			if s.free[n] > 0 && s.u32() < s.chance[s.there[n]] {
				row.Add(n, s.upTo(max(s.capacity[n]-row.Get(n), 0)))
			}
		}
	}
	for n, free := range s.free {
		if free <= 0 {
			continue
		}
		for _, j := range s.some() {
			if row := m.rows[j]; row.Get(n) == 0 { // who was there already has had its chance
				row.Add(n, s.upTo(s.capacity[n]))
			}
		}
	}
}

// odds prepares the dice of grow: a job that is one of c somewhere grows there with p1 + p2 − p1·p2, p1 = 1/J and
// p2 = 1/c; and k of J jobs grow with the binomial probability of k successes in J throws of p1.
func (s *Search) odds(jobs int) {
	bits := func(p float64) uint64 { return uint64(math.Floor(float64(p * most))) }
	p1 := 1 / float64(jobs)
	s.chance = s.chance[:0]
	for c := range jobs + 1 {
		p2 := 1 / float64(max(c, 1))
		s.chance = append(s.chance, bits(p1+p2-float64(p1*p2)))
	}
	s.grown = s.grown[:0]
	q, all := 1.0, 0.0
	for range jobs {
		q = float64(q * (1 - p1))
	}
	for k := range jobs + 1 {
		if jobs == 1 {
			q = float64(k)
		}
		all += q
		s.grown = append(s.grown, bits(min(all, 1)))
		if k < jobs && jobs > 1 {
			q = float64(q*float64(jobs-k)) / float64(k+1) * (p1 / (1 - p1))
		}
	}
}

// some are different jobs, as many as grow where they are not.
func (s *Search) some() []int32 {
	jobs, x, k := len(s.tasks), s.u32(), 0
	for k < jobs && x >= s.grown[k] {
		k++
	}
	s.picked = s.picked[:0]
	for len(s.picked) < k {
		if j := int32(s.below(jobs)); !slices.Contains(s.picked, j) {
			s.picked = append(s.picked, j)
		}
	}
	return s.picked
}

// repair makes a member obey all limits, job by job in their order, which so decides who keeps what all cannot have. A
// job leaves nodes where it may not be and, if it has several, those where such a job has been; it is cut to its own
// limits in random order of its nodes, and to the GPUs that are left.
func (s *Search) repair(m *allocation) {
	clear(s.there)
	copy(s.left, s.all)
	for j, row := range m.rows {
		t := &s.tasks[j]
		if t.Barred != nil {
			for n := range row.Columns {
				if t.Barred[n] {
					row.Set(n, 0)
				}
			}
		}
		gpus, nodes := row.Sum()
		if s.Apart && nodes > 1 {
			s.part(row)
			gpus, nodes = row.Sum()
		}
		if gpus == 0 {
			continue
		}
		if gpus > t.Most || nodes > t.Nodes {
			s.cut(row, t)
		}
		switch gpus = row.Take(s.left); {
		case gpus < t.Least:
			row.Return(gpus, s.left)
		case t.Step > 1:
			row.Return((gpus-t.Least)%t.Step, s.left)
		}
	}
}

// part has a job of several nodes leave those where another one has been.
func (s *Search) part(row byColumn) {
	for n := range row.Columns {
		if s.there[n]++; s.there[n] > 1 {
			row.Set(n, 0)
		}
	}
}

// cut takes from a row what is beyond its job's limits, in random order of its columns.
func (s *Search) cut(row byColumn, t *Task) {
	s.picked = s.picked[:0]
	for n := range row.Columns {
		s.picked = append(s.picked, int32(n))
	}
	s.mix(s.picked)
	gpus, nodes := t.Most, t.Nodes
	for _, at := range s.picked {
		n := int(at)
		keep := min(row.Get(n), gpus)
		if gpus -= keep; nodes == 0 {
			keep = 0
		}
		if keep > 0 {
			nodes--
		}
		row.Set(n, keep)
	}
}

// survive keeps the best of the live members, as many as the population holds: front by front of those that none
// dominates, and of the front that does not fit whole those that stand least crowded.
func (s *Search) survive() {
	// Sorted by one objective, then the other, each member is in the first front whose last member does not dominate
	// it: of those before it in a front that one has the least of the other objective.
	list := s.live
	s.sort(list)
	s.fronts, s.order = s.fronts[:0], s.order[:0]
	for len(s.order) < min(s.Population, len(s.live)) {
		from := len(s.order)
		rest := list[:0]
		var last *member
		for _, m := range list {
			x := &s.members[m]
			if last == nil || x.idle < last.idle || x.idle == last.idle && x.cost == last.cost {
				s.order = append(s.order, m)
				last = x
			} else {
				rest = append(rest, m)
			}
		}
		list = rest
		front := s.order[from:]
		s.crowd(front)
		if over := len(s.order) - s.Population; over > 0 {
			s.mix(front)
			s.sortByCrowding(front)
			list = append(list, front[len(front)-over:]...)
			s.order = s.order[:s.Population]
			s.sort(s.order[from:])
		}
		s.fronts = append(s.fronts, len(s.order))
	}
	s.unused = append(s.unused, list...)
	s.live, s.order = s.order, s.live
}

// sort puts members in order of their cost and, of equals, of the other objective.
func (s *Search) sort(list []int32) {
	slices.SortFunc(list, func(a, b int32) int {
		switch x, y := &s.members[a], &s.members[b]; {
		case x.cost < y.cost || x.cost == y.cost && (x.idle < y.idle || x.idle == y.idle && a < b):
			return -1
		case a == b:
			return 0
		}
		return 1
	})
}

// sortByCrowding puts the least crowded first.
func (s *Search) sortByCrowding(list []int32) {
	slices.SortStableFunc(list, func(a, b int32) int {
		return cmp.Compare(s.members[b].crowding, s.members[a].crowding)
	})
}

// crowd computes how far apart the members of a front stand: by each objective, the distance of one's neighbours in
// parts of the front's range. The ends stand free.
func (s *Search) crowd(front []int32) {
	first, last := &s.members[front[0]], &s.members[front[len(front)-1]]
	cost, idle := last.cost-first.cost, first.idle-last.idle
	for i, m := range front {
		x := &s.members[m]
		if x.crowding = 0; i == 0 || i == len(front)-1 {
			x.crowding = math.Inf(1)
			continue
		}
		before, after := &s.members[front[i-1]], &s.members[front[i+1]]
		if cost > 0 {
			x.crowding += (after.cost - before.cost) / cost
		}
		if idle > 0 {
			x.crowding += (before.idle - after.idle) / idle
		}
	}
}

// take gives a member that is not in use.
func (s *Search) take() int32 {
	m := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	return m
}

// enter repairs a member, and evaluates it and puts it into a list unless there is one like it already.
func (s *Search) enter(m int32, into *[]int32) {
	s.repair(s.at(m))
	h := s.at(m).hash()
	s.members[m].hash = h
	if o, ok := s.known[h]; ok && slices.Equal(s.at(o).cells, s.at(m).cells) {
		s.unused = append(s.unused, m)
		return
	}
	s.known[h] = m
	s.evaluate(m)
	*into = append(*into, m)
}

// u32 draws 32 bits.
func (s *Search) u32() uint64 {
	if s.halves {
		s.halves = false
		return s.half
	}
	x := s.Random.Uint64()
	s.half, s.halves = x>>32, true
	return x & (most - 1)
}

// below draws a number from 0 to n-1, and upTo one from 0 to n.
func (s *Search) below(n int) int    { return int(s.u32() * uint64(n) >> 32) }
func (s *Search) upTo(n int32) int32 { return int32(s.below(int(n) + 1)) }

// mix puts a list into random order.
func (s *Search) mix(list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		k := s.below(i + 1)
		list[i], list[k] = list[k], list[i]
	}
}
