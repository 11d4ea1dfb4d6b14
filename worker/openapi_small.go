//go:build small

package worker

// openapi is no part of the edge's program, which must be small: there the build writes it as a file beside the page's.
var openapi []byte
