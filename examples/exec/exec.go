// Package exec is an example of a scheduler that is a program outside, for the manual.
package exec

import _ "embed"

// SRTF is srtf.py: shortest remaining time first, over the lines of protocol 1.
//
//go:embed srtf.py
var SRTF string
