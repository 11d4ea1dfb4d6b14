//go:build !js

package main

import (
	"errors"
	"os"
	"sync"
	"testing"
)

// TestMain lets the test binary be the program, for tests that need a process of their own.
func TestMain(m *testing.M) {
	if os.Getenv("HADARLAB_AS_PROGRAM") != "" {
		main()
		return
	}
	code := m.Run()
	if manualDir != "" {
		os.RemoveAll(manualDir)
	}
	os.Exit(code)
}

// manualDir is the folder of the manual, once a test has asked for it.
var manualDir string

// manual writes the manual as the command does, once for all tests that read it, since most of its figures are of runs.
var manual = sync.OnceValues(func() (dir string, err error) {
	if manualDir, err = os.MkdirTemp("", "hadarlab-manual-"); err != nil {
		return "", err
	}
	if code, _, errs := try("docs", "--dir", manualDir); code != exitOK {
		return "", errors.New(errs)
	}
	return manualDir, nil
})

// lessons are the pages to teach from, made once for the tests that read them.
var lessons = sync.OnceValues(handouts)
