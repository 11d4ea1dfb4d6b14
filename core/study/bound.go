package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// BoundWorld draws a small case for the claim that Hadar's total utility is at least 1/(2α) of the best: four to twelve
// jobs with speeds of their own on up to three types of GPU, gangs of one to four, rounds of 360 s, no stalls, and
// distance that costs nothing. In every second case all come at 0, which is what the proof's constants suppose to be
// known; in the others they come one after another.
//
// The claim and the setting (gangs, task level, a barrier between a gang's workers, exponential prices) are the
// family's, as core/papers/hadar.md has them; that the paper states it we remember and have not read. The proof wants
// jobs that are small against a node, which gangs on nodes of one to four GPUs are not. Sizes, speeds and lengths are
// ours.
func BoundWorld(seed uint64) *scenario.Document {
	random := unit.Stream(seed, "bound")
	s := scenario.Scenario{Seed: seed, RoundS: 360, Policies: policies(BoundLanes())}
	types := []string{"v100", "p100", "k80"}[:1+random.IntN(3)]
	for _, typ := range types {
		for range 1 + random.IntN(2) {
			s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(len(s.Cluster.Nodes)+1),
				GPUs: map[string]int{typ: 1 + random.IntN(4)}})
		}
	}
	gpus := 0
	for _, n := range s.Cluster.Nodes {
		for _, k := range n.GPUs {
			gpus += k
		}
	}
	at := 0.0
	for j := range 4 + random.IntN(9) {
		row := scenario.Row{Model: "m" + strconv.Itoa(j+1), PerGPU: map[string]float64{}, Source: "made up"}
		best := 0.0
		for _, typ := range types {
			row.PerGPU[typ] = float64(1 + random.IntN(20))
			best = max(best, row.PerGPU[typ])
		}
		job := scenario.Job{ID: "j" + strconv.Itoa(j+1), Model: row.Model, GPUs: min(1+random.IntN(4), gpus),
			ArrivalS: at, Weight: 1}
		// a quarter of a round to sixteen of them at its best, short ones as often as long ones
		rounds := unit.Exp(unit.Log(2) * (float64(6*random.Float64()) - 2))
		job.Steps = math.Ceil(rounds * 360 * best * float64(job.GPUs))
		s.Throughputs.Rows, s.Jobs = append(s.Throughputs.Rows, row), append(s.Jobs, job)
		if gap := math.Floor(720 * unit.Exponential(random)); seed%2 == 1 {
			at += gap
		}
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s, Meta: scenario.Meta{
		Title: "Hadar's bound, case " + strconv.FormatUint(seed, 10)}}
}

// BoundLanes are the lanes of BoundWorld, in the order of its documents: Hadar with our utility and with the paper's,
// as we remember it.
func BoundLanes() []Lane {
	return []Lane{NewLane("hadar"), NewLane("hadar", "utility", "effective").Named("hadar utility=effective")}
}

// Bound is a lane's total utility beside what no schedule is above.
type Bound struct {
	Got   float64 // Σ U_j of the run
	Most  float64 // no schedule in which jobs have the gangs that they ask for is worth more
	Alpha float64 // the largest of the run's rounds; constants are worked out anew in each (ours)
}

// Ratio is at least which part of the best the run reaches.
func (b *Bound) Ratio() float64 { return b.Got / b.Most }

// Bounds runs BoundLanes on the document and bounds each. Stalls and distance only take away from what is bounded; jobs
// have rows, and none is faster over nodes than on one.
func Bounds(d *scenario.Document) ([]Bound, jsondoc.Diagnostics) {
	p, diags := scenario.Compile(d, lab.Defaults())
	if p == nil {
		return nil, diags
	}
	runs, diags := run(d, BoundLanes())
	var out []Bound
	for i := range runs {
		r, u := &runs[i], newUtility(p, i == 1)
		b := Bound{Got: u.of(r)}
		b.Most = u.most(b.Got)
		for _, m := range r.Measured {
			if strings.HasSuffix(m.Name, "2α") {
				b.Alpha = m.Value / 2
			}
		}
		out = append(out, b)
	}
	return out, diags
}

// utility is what jobs are worth, by when they end.
type utility struct {
	jobs []worthOf
	gpus []float64 // by type
}

// worthOf is one job: its worth is scale over its lifetime, which does not count as less than floor.
type worthOf struct {
	arrive, least float64   // s; least is its lifetime alone at its best speed
	work, gang    float64   // steps, GPUs
	rate          []float64 // steps/s of the gang on each type
	scale, floor  float64
}

func newUtility(p *model.Problem, effective bool) *utility {
	u := &utility{}
	for _, n := range p.Cluster.Counts() {
		u.gpus = append(u.gpus, float64(n))
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		w := worthOf{arrive: j.Arrive.Seconds(), work: float64(j.Work), gang: float64(j.Shape.Size)}
		best := 0.0
		for t := range u.gpus {
			v := float64(p.Tables[j.Phases[0].Tables[0]].Rate(model.TypeID(t), j.Shape.Size, model.OneNode))
			w.rate, best = append(w.rate, v), max(best, v)
		}
		w.least = w.work / best
		if w.scale = w.work; !effective {
			w.floor = p.Round.Seconds()
			w.scale = max(w.least, w.floor)
		}
		u.jobs = append(u.jobs, w)
	}
	return u
}

// at is the worth of ending at a second, or as soon as it can after it.
func (w *worthOf) at(end float64) float64 { return w.scale / max(end-w.arrive, w.least, w.floor) }

// of is the total of a run.
func (u *utility) of(r *message.Lane) (sum float64) {
	for i := range u.jobs {
		if j := &r.Jobs[i]; j.FinishS != nil {
			sum += u.jobs[i].at(*j.FinishS)
		}
	}
	return sum
}

// most bounds the total of every schedule from above: the dual of the linear program over whole schedules, as
// core/papers/hadar.md has it (The problem), at prices that are sought, and any prices ≥ 0 bound it. Time is cut into
// spans, and a GPU of each type has a price in each. A job's payoff is the most over the spans in which it may end of
// its worth at their beginning less the least that its work costs until their end; it may also end after all spans,
// for nothing. What is relaxed: a gang may be a fluid of GPU seconds of several types, up to all of its GPUs on each.
// So nothing that a schedule may do costs more than here, mixed gangs included, which are no faster than their GPUs'
// mean.
//
// The search is by subgradients towards a target between the best bound so far and what a run got.
func (u *utility) most(got float64) float64 {
	const spans, tries = 40, 400
	end := 0.0
	for i := range u.jobs {
		end = max(end, u.jobs[i].arrive)
	}
	for i := range u.jobs {
		end += u.jobs[i].least
	}
	edges := make([]float64, spans+1)
	for k := range edges {
		edges[k] = float64(end*float64(k*k)) / (spans * spans)
	}
	types := len(u.gpus)
	full := make([]float64, spans*types) // GPU seconds of a span and type
	for k := range full {
		full[k] = float64(u.gpus[k%types] * (edges[k/types+1] - edges[k/types]))
	}
	price, used := make([]float64, len(full)), make([]float64, len(full)) // price of all of full
	best, short, since := math.Inf(1), 0.5, 0
	for range tries {
		clear(used)
		sum := 0.0
		for k := range price {
			sum += price[k]
		}
		for i := range u.jobs {
			sum += u.jobs[i].answer(edges, full, price, used)
		}
		if since++; sum < best {
			best, since = sum, 0
		} else if since > 10 {
			short, since = short/2, 0
		}
		norm := 0.0
		for k := range used {
			used[k] = 1 - used[k]/full[k]
			if price[k] > 0 || used[k] < 0 {
				norm += float64(used[k] * used[k])
			}
		}
		if norm == 0 {
			break
		}
		step := (sum - best + float64(short*(best-got))) / norm
		for k := range price {
			price[k] = max(0, price[k]-float64(step*used[k]))
		}
	}
	return best
}

// answer is the payoff of the job's best answer to the prices, whose GPU seconds it adds to used.
func (w *worthOf) answer(edges, full, price, used []float64) float64 {
	types := len(w.rate)
	payoff, last := w.at(edges[len(edges)-1]), -1
	order := make([]int32, 0, len(price)) // places by cost, of the spans so far
	cost := make([]float64, len(price))   // of a step
	fill := func(add []float64) (paid float64, done bool) {
		left := w.work
		for _, k := range order {
			span, t := int(k)/types, int(k)%types
			can := float64(w.rate[t] * (edges[span+1] - max(edges[span], w.arrive)))
			does := min(left, can)
			if left -= does; add != nil {
				add[k] += float64(does / w.rate[t] * w.gang)
			}
			if paid += float64(does * cost[k]); left <= 0 {
				return paid, true
			}
		}
		return paid, false
	}
	for span := range len(edges) - 1 {
		if edges[span+1] <= w.arrive {
			continue
		}
		for t := range types {
			if w.rate[t] <= 0 || full[span*types+t] <= 0 {
				continue
			}
			k := int32(span*types + t)
			cost[k] = price[k] / full[k] * w.gang / w.rate[t]
			order = append(order, k)
			for i := len(order) - 1; i > 0 && cost[order[i-1]] > cost[k]; i-- {
				order[i], order[i-1] = order[i-1], k
			}
		}
		if edges[span+1] < w.arrive+w.least {
			continue
		}
		if paid, done := fill(nil); done && w.at(edges[span])-paid > payoff {
			payoff, last = w.at(edges[span])-paid, span
		}
	}
	if last >= 0 {
		order = slices.DeleteFunc(order, func(k int32) bool { return int(k)/types > last })
		fill(used)
	}
	return payoff
}
