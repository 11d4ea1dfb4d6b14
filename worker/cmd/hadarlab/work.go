//go:build !js

package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"time"
)

// lookUp is how long the command line works before it shows progress and sees whether it was interrupted.
const lookUp = 100 * time.Millisecond

// workFor calls spend until some time has gone or nothing is left, and tells whether there is more. One event among
// 20,000 waiting jobs may take as long as a million others, so no number of them says how long they take.
func workFor(d time.Duration, spend func() (more bool)) (more bool) {
	for end := time.Now().Add(d); spend(); {
		if time.Now().After(end) {
			return true
		}
	}
	return false
}

// interrupts notes the first Ctrl C, so that what is done can be printed; the second one ends the program. Call off
// when the work is over.
func interrupts() (interrupted func() bool, off func()) {
	var stop atomic.Bool
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		if _, ok := <-signals; ok {
			stop.Store(true)
			signal.Stop(signals)
		}
	}()
	return stop.Load, func() { signal.Stop(signals); close(signals) }
}
