//go:build unix

package simtest

import (
	"syscall"
	"time"
)

// userTime is the processor time that the test has used, which a busy machine disturbs less than a clock.
func userTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
