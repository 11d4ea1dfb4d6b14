package policy

import (
	"math"
	"slices"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

const (
	// MostLines is up to how many lines of one kind stand beside a table, which has them all.
	MostLines = 6
	// MostPlaced is how many placements are listed for a job.
	MostPlaced = 8
)

// GPUCount is a number of GPUs.
func GPUCount(n int32) words.Text { return words.Count(int(n), "{0} GPU", "{0} GPUs") }

// Four is a number in a line of a formula.
func Four(v float64) sim.Digits { return sim.Digits{Value: v, N: 4} }

// Line is a line of a formula with its numbers. It makes the program smaller than words.Say with each of them.
func Line(says string, numbers ...float64) words.Text {
	args := make([]any, len(numbers))
	for i, v := range numbers {
		args[i] = Four(v)
	}
	return words.Say(says, args...)
}

// CloseBy are two numbers with so many digits that their difference follows from what is printed.
func CloseBy(a, b float64) (x, y sim.Digits) {
	n := 4
	for m := math.Max(math.Abs(a), math.Abs(b)); n < 12 && math.Abs(a-b)*math.Pow10(n-4) < m; n++ {
	}
	n = Enough(n, 4, a-b, func(as func(float64) float64) float64 { return as(a) - as(b) })
	return sim.Digits{Value: a, N: n}, sim.Digits{Value: b, N: n}
}

// Enough is how many digits, at least n, numbers need so that again, which works a result out of them as they are
// printed, finds the digits of it that are shown.
func Enough(n, shown int, result float64, again func(as func(float64) float64) float64) int {
	for ; n < 12; n++ {
		if AsPrinted(again(func(v float64) float64 { return AsPrinted(v, n) }), shown) == AsPrinted(result, shown) {
			break
		}
	}
	return n
}

// AsPrinted is v with n digits that count; whole numbers keep all of theirs.
func AsPrinted(v float64, n int) float64 {
	if math.Abs(v) >= math.Pow10(n) {
		return math.Round(v)
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64) // a number that FormatFloat wrote
	return r
}

// OutOfReach says of a job that is fastest on more GPUs of a type than the cluster has that its best speed counts them
// all the same; it is empty where one of the types on which it is as fast has enough of them.
func OutOfReach(c *model.Cluster, size int32, best float64, on func(model.TypeID) float64) (says []words.Text) {
	for t := range c.Types {
		typ := model.TypeID(t)
		if best <= 0 || on(typ) < best {
			continue
		}
		n := c.Count(typ)
		if n >= size {
			return nil
		}
		says = []words.Text{words.Say("the best speed is that on {0} {1}, of which the cluster has {2}", size, typ, n)}
	}
	return says
}

// ShareOutOfReach says of which types an equal share of the cluster is reckoned with time on them, though the cluster
// has fewer of them than a job asks for (as in Gavel's normaliser).
func ShareOutOfReach(c *model.Cluster, size int32, on func(model.TypeID) float64) (says []words.Text) {
	for t := range c.Types {
		if typ, n := model.TypeID(t), c.Count(model.TypeID(t)); n < size && on(typ) > 0 {
			says = append(says, words.Say(
				"an equal share counts time on {0} as well, of which the cluster has {1} and it asks for {2}", typ, n, size))
		}
	}
	return says
}

// TimeSum is how long steps take at a speed, if there is one.
func TimeSum(says string, steps unit.Work, rate float64) []words.Text {
	if rate <= 0 {
		return nil
	}
	return []words.Text{Line(says, float64(steps), rate, float64(steps)/rate)}
}

// Plus adds a term to a sum, which begins as the zero Text.
func Plus(sum words.Text, term any) words.Text {
	if sum.IsZero() {
		return words.Say("{0}", term)
	}
	return words.Say("{0} + {1}", sum, term)
}

// BestOutOfReach says that BestRate counts more GPUs than there are.
func BestOutOfReach(c *model.Cluster, v sim.View, j model.JobID) []words.Text {
	return OutOfReach(c, v.Shape(j).Size, BestRate(c, v, j), Speeds(v, j))
}

// ByAge says who goes first of equals where nothing else decides: jobs are numbered as they arrive, then as listed.
func ByAge(v sim.View, first, second model.JobID) words.Text {
	if v.Arrive(first) != v.Arrive(second) {
		return words.Say("among equals the job goes first that came earlier")
	}
	return words.Say("among equals that came together the job goes first that is listed first")
}

// Room says what is free for a job under the plan.
func Room(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) words.Text {
	size := v.Shape(j).Size
	free, one := place.Free(c, p)
	switch {
	case !Serves(c, v):
		return words.Count(int(size),
			"it needs {0} GPU, and none is in service",
			"it needs {0} GPUs, and none is in service")
	case free == 0:
		return words.Count(int(size), "it needs {0} GPU, and none is free", "it needs {0} GPUs, and none is free")
	case free < size && free == 1:
		return words.Say("it needs {0} GPUs, and {1} is free", size, free)
	case free < size:
		return words.Say("it needs {0} GPUs, and {1} are free", size, free)
	}
	if size > 1 && BestRate(c, v, j) <= 0 {
		return words.Say(
			"it needs {0} GPUs and has a speed over several nodes only, where none are looked for as long as a node has as many; {1} are free",
			size, free)
	}
	if all, most := apartTypes(c, v, p, j); all >= size {
		return words.Say(
			"it needs {0} GPUs at once; {1} that it can use are free, at most {2} of one type, and types are mixed only where none that it can use has enough",
			size, all, most)
	}
	if size == 1 && free == 1 {
		return words.Say("it needs {0} GPU, and cannot use the one that is free", size)
	}
	return words.Count(int(size), "it needs {0} GPU, and can use none of the {1} that are free",
		"it needs {0} GPUs at once; {1} are free, at most {2} of one type, and it cannot use these together",
		free, one)
}

// RoomOfOneType is Room for whoever mixes types for no job.
func RoomOfOneType(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) words.Text {
	size, speed, served, most := v.Shape(j).Size, v.Speed(j, 0), int32(0), int32(0)
	for t := range model.TypeID(len(c.Types)) {
		if speed.Rate(t, size, model.OneNode) > 0 || speed.Rate(t, size, model.Network) > 0 {
			served, most = max(served, v.CapacityOf(t)), max(most, p.FreeOf(t))
		}
	}
	free, _ := place.Free(c, p)
	switch {
	case served < size:
		return words.Say("its GPUs must be of one type, and no type has {0} in service that it can use", size)
	case most < size && free >= size:
		return words.Say("its GPUs must be of one type, it needs {0}, and at most {1} of one that it can use are free",
			size, most)
	}
	return Room(c, v, p, j)
}

// apartTypes is how many free GPUs there are of types on which a job has a speed, and the most of one, where a type
// could hold the job but none has enough of them free; else 0.
func apartTypes(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) (all, most int32) {
	size, speed, holds := v.Shape(j).Size, v.Speed(j, 0), false
	for _, t := range c.BySpeed {
		if speed.Rate(t, size, model.OneNode) > 0 || speed.Rate(t, size, model.Network) > 0 {
			n := p.FreeOf(t)
			all, most, holds = all+n, max(most, n), holds || v.CapacityOf(t) >= size
		}
	}
	if !holds || most >= size {
		return 0, 0
	}
	return all, most
}

// Serves says whether any GPU is in service.
func Serves(c *model.Cluster, v sim.View) bool {
	return slices.ContainsFunc(c.BySpeed, func(t model.TypeID) bool { return v.CapacityOf(t) > 0 })
}

// GoFirst is a list of who goes first: some by name, of so many.
func GoFirst(names []any, all int) words.Text {
	switch {
	case len(names) == 0:
		return words.Say("others come first")
	case all == 1:
		return words.Say("{0} comes first", names...)
	case all == 2:
		return words.Say("{0} and {1} come first", names...)
	case all == 3:
		return words.Say("{0}, {1} and one more come first", names...)
	}
	return words.Say("{0}, {1} and {2} more come first", names[0], names[1], all-2)
}

// Apart is how many decimals tell two figures apart, and the first from 0: as many as given, or more.
func Apart(decimals int, v, other float64) int {
	write := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	for decimals < 20 && (other != v && write(other) == write(v) || v != 0 && write(v) == write(0)) {
		decimals++
	}
	return decimals
}
