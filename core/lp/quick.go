//go:build !small

package lp

// quick says that what only makes solves faster is part of the program: the loops of three.go, and kinds of blocks.
const quick = true
