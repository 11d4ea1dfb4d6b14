package queue

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// GivesWay tells whether work of an owner gives way to that of others: of those without a token, or with a new one, and
// larger runs of classes, since everybody may begin a class.
func GivesWay(owner string) bool {
	return owner == nobody || strings.HasSuffix(owner, newcomers) || strings.HasPrefix(owner, larger)
}

// Slots are the places in which simulations may run at one time: whoever simulates holds one. Clients take turns, so
// that one who asks for much waits behind others who ask for little, and so do their groups. Use NewSlots.
type Slots struct {
	mu     sync.Mutex
	free   int
	line   []*waiter
	turn   int64 // of the slot given last
	closed bool
}

type waiter struct {
	owner string
	turn  int64
	given chan struct{} // closed when the slot is its
}

// NewSlots makes n slots.
func NewSlots(n int) *Slots { return &Slots{free: n} }

// Acquire takes a slot, in turn with other owners. It fails with ErrBusy when ctx ends before one is free, and at once
// when as many as most wait, or as many of the owner's group as leave no more for others; see Limits.
func (s *Slots) Acquire(ctx context.Context, owner string, most int) error {
	s.mu.Lock()
	switch {
	case s.closed:
		s.mu.Unlock()
		return ErrClosed
	case s.free > 0:
		s.free--
		s.mu.Unlock()
		return nil
	case s.crowded(owner, most):
		s.mu.Unlock()
		return ErrBusy
	}
	w := s.enter(owner)
	s.mu.Unlock()
	return s.wait(ctx, w)
}

// enter puts one more of owner into the line.
func (s *Slots) enter(owner string) *waiter {
	w := &waiter{owner: owner, turn: s.next(owner), given: make(chan struct{})}
	if s.closed {
		close(w.given)
	} else {
		s.line = append(s.line, w)
	}
	return w
}

// wait waits until a slot is given to w, or all are sent away.
func (s *Slots) wait(ctx context.Context, w *waiter) error {
	select {
	case <-w.given:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.line, w)
	switch {
	case i >= 0: // nobody gave it a slot
		s.line = slices.Delete(s.line, i, i+1)
		return ErrBusy
	case s.closed:
		return ErrClosed
	}
	return nil
}

// crowded tells whether there is no place to wait for one of the owner's group.
func (s *Slots) crowded(owner string, most int) bool {
	of := 0
	for _, w := range s.line {
		if GroupOf(w.owner) == GroupOf(owner) {
			of++
		}
	}
	part, _ := Limits{Places: most}.Group(owner)
	return of >= min(part, most-len(s.line))
}

// next is the turn of one more of owner: after all of its own, and the first in which its group has room.
func (s *Slots) next(owner string) int64 {
	turn, taken := s.turn+1, map[int64]int{}
	for _, w := range s.line {
		if w.owner == owner {
			turn = max(turn, w.turn+1)
		}
		if GroupOf(w.owner) == GroupOf(owner) {
			taken[w.turn]++
		}
	}
	for taken[turn] >= PerTurn {
		turn++
	}
	return turn
}

// Release gives the slot to the next in turn.
func (s *Slots) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.line) == 0 {
		s.free++
		return
	}
	next := slices.MinFunc(s.line, func(a, b *waiter) int { return int(a.turn - b.turn) }) // the first of equals
	s.line = slices.DeleteFunc(s.line, func(w *waiter) bool { return w == next })
	s.turn = next.turn
	close(next.given)
}

// Pass gives the slot of an owner to the next in turn and waits for one again, or keeps it where nobody waits. After an
// error, which is one of Acquire's, it has none. passed says that others may have had it meanwhile.
func (s *Slots) Pass(ctx context.Context, owner string) (passed bool, err error) {
	s.mu.Lock()
	if len(s.line) == 0 && !s.closed {
		s.mu.Unlock()
		return false, nil
	}
	w := s.enter(owner)
	s.mu.Unlock()
	s.Release()
	return true, s.wait(ctx, w)
}

// Waiting is how many wait for a slot.
func (s *Slots) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.line)
}

// Close sends away all who wait, and all who come.
func (s *Slots) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, w := range s.line {
		close(w.given)
	}
	s.line = nil
}
