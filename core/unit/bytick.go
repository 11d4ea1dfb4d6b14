package unit

// SortByTick sorts a list by instants and leaves equal entries as they are, in linear time: what a run records is
// long, and much of it nearly in order.
func SortByTick[T any](list []T, at func(*T) Tick) { SortByTickPaced(list, at, nil) }

// SortByTickPaced is SortByTick in the pace of whoever waits for it.
func SortByTickPaced[T any](list []T, at func(*T) Tick, pace Pace) {
	column := make([]Tick, len(list))
	inOrder := true
	for i := range list {
		pace.Did(1)
		column[i] = at(&list[i])
		inOrder = inOrder && (i == 0 || column[i-1] <= column[i])
	}
	if inOrder {
		return
	}
	sorted := make([]T, len(list))
	for i, k := range ByTick(column, pace) {
		pace.Did(1)
		sorted[i] = list[k]
	}
	for i := range sorted {
		pace.Did(1)
		list[i] = sorted[i]
	}
}

// ByTick is the indices of a column of instants, the earliest first and of equals the first, in linear time. Those that
// are in order already, as ends of spans are, stay as they are; those of rounds, of which each is soon in its place,
// move there.
func ByTick(column []Tick, pace Pace) []int32 {
	list := make([]int32, len(column))
	const most = 8 // places that one moves by on average, beyond which sorting by digits is faster
	moved := 0
	for i, t := range column {
		pace.Did(1)
		k := i
		for ; k > 0 && column[list[k-1]] > t; k-- {
			list[k] = list[k-1]
		}
		list[k] = int32(i)
		if moved += i - k; moved > most*len(column) {
			return byDigits(column, list, pace)
		}
	}
	return list
}

// byDigits is ByTick by 12 bits at a time, since a run has hundreds of thousands of spans. It uses up list.
func byDigits(column []Tick, list []int32, pace Pace) []int32 {
	const bits = 12
	low, high := Never, -Never
	for i, t := range column {
		pace.Did(1)
		list[i] = int32(i)
		low, high = min(low, t), max(high, t)
	}
	other := make([]int32, len(column))
	for shift := 0; uint64(high-low)>>shift > 0; shift += bits {
		digit := func(t Tick) int { return int(uint64(t-low) >> shift & (1<<bits - 1)) }
		var first [1<<bits + 1]int32
		for _, t := range column {
			pace.Did(1)
			first[digit(t)+1]++
		}
		for d := range 1 << bits {
			first[d+1] += first[d]
		}
		for _, i := range list {
			pace.Did(1)
			d := digit(column[i])
			other[first[d]] = i
			first[d]++
		}
		list, other = other, list
	}
	return list
}
