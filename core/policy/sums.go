package policy

import (
	"math"
	"strconv"

	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// four is a number in a line of a formula.
func four(v float64) sim.Digits { return sim.Digits{Value: v, N: 4} }

// line is a line of a formula with its numbers. It makes the program smaller than sim.Say with each of them.
func line(says string, numbers ...float64) *sim.Text {
	t := &sim.Text{Pattern: says, Args: make([]any, len(numbers))}
	for i, v := range numbers {
		t.Args[i] = four(v)
	}
	return t
}

// gainLine is the line {0} − {1} = {2} with a name.
func gainLine(says string, a, b float64) *sim.Text {
	x, y := closeBy(a, b)
	return sim.Say(says, x, y, four(a-b))
}

// closeBy are two numbers with so many digits that their difference follows from what is printed.
func closeBy(a, b float64) (x, y sim.Digits) {
	n := 4
	for m := math.Max(math.Abs(a), math.Abs(b)); n < 12 && math.Abs(a-b)*math.Pow10(n-4) < m; n++ {
	}
	return sim.Digits{Value: a, N: n}, sim.Digits{Value: b, N: n}
}

// roundsLine is how many rounds a job needs for so many steps at a speed, with digits enough to see that it is rounded
// up.
func roundsLine(left unit.Work, rate unit.Rate, round unit.Tick, n int64) *sim.Text {
	q := sim.Digits{Value: float64(left) / float64(float64(rate)*round.Seconds()), N: 4}
	for q.N < 12 && !(math.Abs(asPrinted(q.Value, q.N)-float64(n)) < 1) {
		q.N++
	}
	return sim.Say("rounds that it still needs = steps left ÷ speed ÷ round = {0} ÷ {1} ÷ {2} = {3}, rounded up {4}", four(float64(left)),
		four(float64(rate)), round.Seconds(), q, n)
}

// asPrinted is v with n digits that count.
func asPrinted(v float64, n int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64) // a number that FormatFloat wrote
	return r
}

// bestTimeSums are the utility that is a job's best time, or its steps, over its lifetime, and the rounds that it
// needs.
func bestTimeSums(total, left unit.Work, best, rate unit.Rate, waited, stall, round unit.Tick, rounds int64,
	normalised bool, utility float64) (out []*sim.Text) {
	d, most := (waited+stall).Seconds()+float64(left)/float64(rate), float64(total)
	if normalised {
		most /= float64(best)
		out = append(out, line("best time = all steps ÷ best speed = {0} ÷ {1} = {2} s",
			float64(total), float64(best), most))
	}
	out = append(out, lifeLine("from arrival to end = so far + stall + steps left ÷ speed = {0} + {1} + {2} ÷ {3} = {4} s",
		waited, stall, left, rate))
	if least := round.Seconds(); normalised && min(most, d) < least {
		out = append(out, sim.Say("no time counts as less than a round, {0} s", least))
		d, most = max(d, least), max(most, least)
	}
	switch {
	case normalised:
		out = append(out, line("utility = best time ÷ from arrival to end = {0} ÷ {1} = {2}", most, d, utility))
	case d > 0:
		out = append(out, line("utility = all steps ÷ from arrival to end = {0} ÷ {1} = {2}", most, d, utility))
	}
	return append(out, roundsLine(left, rate, round, rounds))
}

// lifeLine is the time from arrival to end, or from now on.
func lifeLine(says string, before, stall unit.Tick, left unit.Work, rate unit.Rate) *sim.Text {
	return line(says, before.Seconds(), stall.Seconds(), float64(left), float64(rate),
		(before+stall).Seconds()+float64(left)/float64(rate))
}

// priceLine is Hadar's price of a unit of which there are so many, when some are taken.
func priceLine(uMin, uMax float64, used, capacity int32) *sim.Text {
	return sim.Say("its price, {0} of {1} taken = U_min × (U_max ÷ U_min)^(taken ÷ all) = {2} × ({3} ÷ {2})^({0} ÷ {1}) = {4}",
		used, capacity, four(uMin), four(uMax), four(primaldual.Price(uMin, uMax, used, capacity)))
}

// timeSum is how long steps take at a speed, if there is one.
func timeSum(says string, steps unit.Work, rate float64) []*sim.Text {
	if rate <= 0 {
		return nil
	}
	return []*sim.Text{line(says, float64(steps), rate, float64(steps)/rate)}
}

// plus adds a term to a sum, which begins as nil.
func plus(sum *sim.Text, term any) *sim.Text {
	if sum == nil {
		return sim.Say("{0}", term)
	}
	return sim.Say("{0} + {1}", sum, term)
}
