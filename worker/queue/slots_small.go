//go:build small

package queue

import "context"

// Slots are not counted in a small build: each of its instances has one request.
type Slots struct{}

// NewSlots makes them.
func NewSlots(int) *Slots { return &Slots{} }

// Acquire takes one at once.
func (s *Slots) Acquire(context.Context, string, int) error { return nil }

// Release gives it back.
func (s *Slots) Release() {}

// Waiting is how many wait for one: none.
func (s *Slots) Waiting() int { return 0 }

// Close does nothing.
func (s *Slots) Close() {}
