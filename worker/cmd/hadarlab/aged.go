//go:build !js

package main

import (
	"sync"
	"time"
)

// aged is the clock by which things are removed when they are old, and newcomers find a class closed. It goes back with
// the machine's clock, since what is kept a little longer harms nobody; but ahead of the time that has passed it goes
// at twice its speed until it has caught up. So a clock that jumps a day ahead removes nothing that day, and one that
// stays there, as that of a machine which was asleep, is believed. Use newAged.
type aged struct {
	wall   func() time.Time     // may jump
	passed func() time.Duration // since some moment; never jumps

	mu  sync.Mutex
	now time.Time // as time has passed
	at  time.Duration
}

// written is before any time at which this program runs: a clock that says less has not been set yet.
var written = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newAged(wall func() time.Time, passed func() time.Duration) *aged {
	return &aged{wall: wall, passed: passed, now: wall(), at: passed()}
}

// Now is the time.
func (a *aged) Now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	wall, at := a.wall(), a.passed()
	step := at - a.at
	a.now, a.at = a.now.Add(step), at
	if ahead := wall.Sub(a.now); ahead > 0 {
		a.now = a.now.Add(min(step, ahead))
	}
	if a.now.Before(written) {
		a.now = wall
	}
	if wall.Before(a.now) {
		return wall
	}
	return a.now
}
