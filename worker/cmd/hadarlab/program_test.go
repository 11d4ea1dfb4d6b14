//go:build !js

package main

import (
	"os"
	"testing"
)

// TestMain lets the test binary be the program, for tests that need a process of their own.
func TestMain(m *testing.M) {
	if os.Getenv("HADARLAB_AS_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}
