//go:build !noexplain

package sim

// Explains says whether this program can explain decisions. The edge worker cannot: pages explain by themselves what it
// has run, and its module has a limit of size (tag noexplain). What is decided and recorded is the same.
const Explains = true
