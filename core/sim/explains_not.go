//go:build noexplain

package sim

// Explains is false: nothing asks this program why.
const Explains = false
