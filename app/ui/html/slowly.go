package html

import (
	"hadarlab/app/elm"
	"hadarlab/core/unit"
)

const (
	// slice is how long the page may be held up by what is done slowly.
	slice = 12 // ms
	// often is after how many entries the clock is looked at.
	often = 512
	// AnEntry is how many bytes that are read or written cost as much as an entry that is looked at.
	AnEntry = 64
)

// Slowly does long work in slices, between which the browser handles what has come in. It is given up once it is not
// wanted any more; failed is told of a panic, nil = as any other is told.
func Slowly(work func(unit.Pace), wanted func() bool, failed func(r any)) {
	s := unit.InSlices(work)
	elm.Slowly(slice, func() bool { return s.Spend(often) }, wanted, s.GiveUp, failed)
}
