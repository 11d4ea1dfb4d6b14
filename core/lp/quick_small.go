//go:build small

package lp

// quick is false where a program must be small, as the edge's module: each block is a kind, and all loops are general.
const quick = false
