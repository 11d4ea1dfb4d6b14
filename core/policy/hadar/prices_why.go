package hadar

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// larger says whether a is more than b by more than rounding.
func larger(a, b float64) bool { return a-b > float64(unit.Rounding*max(math.Abs(a), math.Abs(b))) }

// roundCount is a number of rounds.
func roundCount(n int64) words.Text { return words.Count(int(n), "{0} round", "{0} rounds") }

// worthLine is what a placement is worth in a round, and roundGainLine what it gains in one.
func worthLine(utility, rounds float64) words.Text {
	n := policy.Enough(4, 4, utility/rounds, func(as func(float64) float64) float64 { return as(utility) / rounds })
	return words.Say("worth of a round = utility ÷ rounds = {0} ÷ {1} = {2}", sim.Digits{Value: utility, N: n},
		policy.Four(rounds), policy.Four(utility/rounds))
}

func roundGainLine(utility, cost, rounds float64) words.Text {
	return gainLine("gain of a round = worth − price = {0} − {1} = {2}", utility/rounds, cost/rounds)
}

// gainLine is the line {0} − {1} = {2} with a name.
func gainLine(says string, a, b float64) words.Text {
	x, y := policy.CloseBy(a, b)
	gain, printed := sim.Digits{Value: a - b, N: x.N}, policy.AsPrinted(a, x.N)-policy.AsPrinted(b, x.N)
	for gain.N > 4 && policy.AsPrinted(gain.Value, gain.N) != policy.AsPrinted(printed, gain.N) {
		gain.N--
	}
	return words.Say(says, x, y, gain)
}

// roundsLine is how many rounds a job needs for so many steps at a speed, with digits enough to see that it is rounded
// up.
func roundsLine(left unit.Work, rate unit.Rate, round unit.Tick, n int64) words.Text {
	q := sim.Digits{Value: float64(left) / float64(float64(rate)*round.Seconds()), N: 4}
	for q.N < 12 && !(math.Abs(policy.AsPrinted(q.Value, q.N)-float64(n)) < 1) {
		q.N++
	}
	return words.Say("rounds that it still needs = steps left ÷ speed ÷ round = {0} ÷ {1} ÷ {2} = {3}, rounded up {4}",
		policy.Four(float64(left)), policy.Four(float64(rate)), round.Seconds(), q, n)
}

// bestTimeSums are the utility that is a job's best time, or its steps, over its lifetime, and the rounds that it
// needs. The best time of a job with copies is that of one of them, which all together may beat; if they merge in every
// round, the end counts the coming stall alone.
func bestTimeSums(total, left unit.Work, best, rate unit.Rate, waited, stall, round unit.Tick, rounds int64,
	normalised, copies, merge bool, utility float64) (out []words.Text) {
	life, d := lifetime(waited, stall, left, rate)
	if merge && rounds > 1 {
		life, d = lifeLine("from arrival to end, without the merges of later rounds = so far + stall + steps left ÷ speed = {0} + {1} + {2} ÷ {3} = {4} s",
			waited, stall, left, rate)
	}
	most := float64(total)
	if normalised {
		most /= float64(best)
		says := policy.Line("best time = all steps ÷ best speed now = {0} ÷ {1} = {2} s",
			float64(total), float64(best), most)
		if copies {
			says = policy.Line("best time on one node = all steps ÷ best speed there now = {0} ÷ {1} = {2} s",
				float64(total), float64(best), most)
		}
		out = append(out, says)
	}
	out = append(out, life)
	if least := round.Seconds(); normalised && min(most, d) < least {
		out = append(out, words.Say("no time counts as less than a round, {0} s", least))
		d, most = max(d, least), max(most, least)
	}
	switch {
	case normalised && copies:
		out = append(out, policy.Line("utility = best time on one node ÷ from arrival to end = {0} ÷ {1} = {2}", most, d,
			utility))
	case normalised:
		out = append(out, policy.Line("utility = best time ÷ from arrival to end = {0} ÷ {1} = {2}", most, d, utility))
	case d > 0:
		out = append(out, policy.Line("utility = all steps ÷ from arrival to end = {0} ÷ {1} = {2}", most, d, utility))
	}
	return append(out, roundsLine(left, rate, round, rounds))
}

// lifetime is how long a job takes from arrival to end, with its line.
func lifetime(waited, stall unit.Tick, left unit.Work, rate unit.Rate) (words.Text, float64) {
	return lifeLine("from arrival to end = so far + stall + steps left ÷ speed = {0} + {1} + {2} ÷ {3} = {4} s",
		waited, stall, left, rate)
}

// lifeLine is a line of a time before, a stall and what training takes from then on, with their sum.
func lifeLine(says string, before, stall unit.Tick, left unit.Work, rate unit.Rate) (words.Text, float64) {
	d := (before + stall).Seconds() + float64(left)/float64(rate)
	return policy.Line(says, before.Seconds(), stall.Seconds(), float64(left), float64(rate), d), d
}

// roundPrice is the line of a round's price, shown with so many digits: so many GPUs at each price.
func roundPrice(counts []int32, prices []float64, shown int) (says words.Text) {
	sum := func(as func(float64) float64) (v float64) {
		for k, p := range prices {
			v += float64(float64(counts[k]) * as(p))
		}
		return v
	}
	total := sum(func(p float64) float64 { return p })
	n := policy.Enough(shown, shown, total, sum)
	var terms words.Text
	for k, p := range prices {
		terms = policy.Plus(terms, words.Say("{0} × {1}", counts[k], sim.Digits{Value: p, N: n}))
	}
	return words.Say("price of a round = {0} = {1}", terms, sim.Digits{Value: total, N: shown})
}

// priceLine is Hadar's price of a unit of which there are so many, when some are taken.
func priceLine(uMin, uMax float64, used, capacity int32) words.Text {
	price := primaldual.Price(uMin, uMax, used, capacity)
	n := policy.Enough(5, 5, price, func(as func(float64) float64) float64 {
		return primaldual.Price(as(uMin), as(uMax), used, capacity)
	})
	return words.Say(
		"its price, {0} of {1} taken = U_min × (U_max ÷ U_min)^(taken ÷ all) = {2} × ({3} ÷ {2})^({0} ÷ {1}) = {4}",
		used, capacity, sim.Digits{Value: uMin, N: n}, sim.Digits{Value: uMax, N: n}, policy.Four(price))
}

// priceSource is where the constants of Hadar's prices come from.
type priceSource struct {
	now, round   unit.Tick
	fixedEta     bool
	fixedHorizon unit.Tick
	c            *primaldual.Constants
	job          func(i int) model.JobID
}

// lines are the horizon T and η, unless the settings say them.
func (p *priceSource) lines() (says []words.Text) {
	if !(p.fixedHorizon > p.now) {
		says = append(says, words.Say(
			"T = now + rounds of all jobs one after another, each where it is slowest × round = {0} + {1} × {2} = {3} s",
			p.now.Seconds(), p.c.Serial, p.round.Seconds(), p.c.Horizon.Seconds()))
	}
	if d := p.c.Demand; !p.fixedEta && d.Gang > 0 {
		says = append(says, words.Say(
			"η, for which {0} asks the most = rounds until T × all ÷ (its rounds × its gang) = {1} × {2} ÷ ({3} × {4}) = {5}",
			p.job(d.Job), policy.Four(d.Left), d.Units, d.Rounds, d.Gang, policy.Four(p.c.Eta)))
	}
	return says
}

// bounds are the prices of what is empty and of what is full: of one GPU type, or of all, of which nothing is said.
func (p *priceSource) bounds(typ model.TypeID) []words.Text {
	most, least, eta, uMin, uMax := p.c.Bounds[typ].Most, p.c.Bounds[typ].Least, p.c.Eta, p.c.UMin[typ], p.c.UMax[typ]
	low := policy.Line("U_min = U_max ÷ e = {0} ÷ 2.71828 = {1}", uMax, uMin)
	if uMin == least.Value()/float64(4*eta) {
		low = words.Say(
			"U_min, by {0} if it ended at T = utility ÷ (its rounds × its gang × four times η) = {1} ÷ ({2} × {3} × 4 × {4}) = {5}",
			p.job(least.Job), policy.Four(least.Utility), least.Rounds, least.Gang, policy.Four(eta), policy.Four(uMin))
	}
	return []words.Text{low, words.Say("U_max, by {0} if it ended as soon as it can = utility ÷ its gang = {1} ÷ {2} = {3}",
		p.job(most.Job), policy.Four(most.Utility), most.Gang, policy.Four(uMax))}
}
