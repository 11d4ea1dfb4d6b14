package queue

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSlotsGoRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.Acquire(t.Context(), "first", 0); err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, client := range []string{"much", "much", "much", "little", "much", "other"} {
			go func() {
				if err := s.Acquire(t.Context(), client, 10); err != nil {
					t.Error(err)
				}
				order = append(order, client)
				s.Release()
			}()
			synctest.Wait()
		}
		s.Release()
		synctest.Wait()
		if got := strings.Join(order, " "); got != "much little other much much much" {
			t.Errorf("slots went to %s", got)
		}
	})
}

func TestSlotsAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(2)
		for range 2 {
			if err := s.Acquire(t.Context(), "a", 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Acquire(t.Context(), "b", 0); err != ErrBusy {
			t.Errorf("with no place to wait: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := s.Acquire(ctx, "b", 1); err != ErrBusy || s.Waiting() != 0 {
			t.Errorf("after waiting long: %v, %d in the line", err, s.Waiting())
		}
		s.Release()
		if err := s.Acquire(ctx, "b", 1); err != nil {
			t.Errorf("a slot that nobody waited for: %v", err)
		}
		result := make(chan error)
		go func() { result <- s.Acquire(t.Context(), "c", 1) }()
		synctest.Wait()
		s.Close()
		if err := <-result; err != ErrClosed {
			t.Errorf("waiting when all is closed: %v", err)
		}
		if err := s.Acquire(t.Context(), "c", 1); err != ErrClosed {
			t.Errorf("after that: %v", err)
		}
	})
}

func TestClientsAreBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	c := NewClients(nil, Rate{Burst: 3, PerSecond: 1}, Rate{Burst: 2, PerSecond: 1})
	first := c.Admit("", 1, now)
	second := c.Admit("made up", 1, now)
	third := c.Admit("", 1, now)
	if first.Wait != 0 || second.Wait != 0 || third.Wait != time.Second || third.Token == "" {
		t.Fatalf("without tokens: %+v %+v %+v", first, second, third)
	}
	if first.Token == second.Token || first.Client == second.Client || first.Client != Hash(first.Token) {
		t.Errorf("clients %+v and %+v", first, second)
	}
	for i := range 4 {
		if a := c.Admit(first.Token, 1, now); (a.Wait == 0) != (i < 3) || a.Token != "" || a.Client != first.Client {
			t.Errorf("request %d with a token: %+v", i, a)
		}
	}
	if a := c.Admit(second.Token, 1, now); a.Wait != 0 {
		t.Errorf("another client is held up: %+v", a)
	}
	if a := c.Admit(first.Token, 1, now.Add(-24*time.Hour)); a.Wait != time.Second {
		t.Errorf("the clock goes back: %+v", a)
	}
	if a := c.Admit(first.Token, 1, now.Add(-24*time.Hour+time.Second)); a.Wait != 0 {
		t.Errorf("and goes on from there: %+v", a)
	}
	if a := NewClients(nil, Rate{1, 1}, Rate{1, 1}).Admit(first.Token, 1, now); a.Token == "" {
		t.Errorf("a token of another program: %+v", a)
	}
	if a := c.Admit(second.Token, 1000, now.Add(time.Hour)); a.Wait != 0 {
		t.Errorf("what costs more than a bucket holds: %+v", a)
	}
	for range 2 * most { // buckets that are full again are not kept
		now = now.Add(time.Second)
		c.Admit(c.issue(), 1, now)
	}
	if len(c.buckets) > most {
		t.Errorf("%d clients are remembered", len(c.buckets))
	}
}
