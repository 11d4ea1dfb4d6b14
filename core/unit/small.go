//go:build small

package unit

// Small is true in the edge's modules, which must be small. Left out are what only makes core/lp faster, what explains
// decisions, and the plain forms of algorithms; programs that somebody wrote are not run there.
const Small = true
