//go:build small

package unit

// Small is true in the edge's modules, which must be small: what only makes core/lp faster is left out, what explains, the plain
// forms of algorithms are too, and programs that somebody wrote are not run there.
const Small = true
