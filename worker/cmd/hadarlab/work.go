//go:build !js

package main

import (
	"os"
	"os/signal"
	"runtime"
	"sync"
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

// inOrder has n pieces of work done on all cores, and take called with what they give, in order, until it wants no
// more. Meanwhile it calls look every so often. Only do runs beside others. Of what is not yet taken it holds a few a
// core.
func inOrder[T any](n int, do func(i int) T, take func(T) (more bool), look func()) {
	// Nothing touches it, so that it takes addresses only, but the collector counts it and waits for as much again: a
	// run of a few hundred jobs ends before that, and is a fifth shorter.
	reserve := make([]byte, 128<<20)
	defer runtime.KeepAlive(reserve)
	cores := min(n, runtime.GOMAXPROCS(0))
	type piece struct {
		i    int
		done chan T
	}
	todo, order := make(chan piece), make(chan piece, 2*cores)
	enough := make(chan struct{})
	var working sync.WaitGroup
	for range cores {
		working.Go(func() {
			for p := range todo {
				p.done <- do(p.i)
			}
		})
	}
	go func() {
		defer close(order)
		defer close(todo)
		for i := range n {
			p := piece{i, make(chan T, 1)}
			select {
			case order <- p:
			case <-enough:
				return
			}
			todo <- p
		}
	}()
	defer working.Wait()
	defer close(enough)
	tick := time.NewTicker(lookUp)
	defer tick.Stop()
	for p := range order {
		for waits := true; waits; {
			select {
			case v := <-p.done:
				if waits = false; !take(v) {
					return
				}
			case <-tick.C:
				look()
			}
		}
	}
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
