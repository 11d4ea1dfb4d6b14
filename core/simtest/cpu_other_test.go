//go:build !unix

package simtest

import "time"

func userTime() time.Duration { return 0 }
