// Package figure writes numbers for people: digits that count, thousands and decimal signs in the reader's language,
// ratios, counts with their noun, spreads, and times in a unit that suits a picture.
//
// It knows the catalogue and the clock's ticks, and nothing of runs: what a number means is said by who asks.
package figure
