package queue

import (
	"context"
	"slices"
	"strconv"
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

// TestSlotsArePassed: who passes its slot on waits as others do, and keeps it where nobody waits.
func TestSlotsArePassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.Acquire(t.Context(), "long", 0); err != nil {
			t.Fatal(err)
		}
		if passed, err := s.Pass(t.Context(), "long"); passed || err != nil {
			t.Errorf("nobody waits: %v %v", passed, err)
		}
		var order []string
		use := func(client string, pass bool) {
			go func() {
				err := s.Acquire(t.Context(), client, 10)
				order = append(order, client)
				if pass && err == nil {
					_, err = s.Pass(t.Context(), client)
					order = append(order, client+" again")
				}
				if err != nil {
					t.Error(err)
				}
				s.Release()
			}()
			synctest.Wait()
		}
		use("other", true)
		use("short", false)
		passed, err := s.Pass(t.Context(), "long")
		order = append(order, "long again")
		if !passed || err != nil {
			t.Errorf("two wait: %v %v", passed, err)
		}
		s.Release()
		synctest.Wait()
		if got := strings.Join(order, ", "); got != "other, short, long again, other again" || s.Waiting() != 0 {
			t.Errorf("slots went to %s; %d wait", got, s.Waiting())
		}
		// Who leaves while another has it has none any more.
		if err := s.Acquire(t.Context(), "long", 1); err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		over := make(chan bool)
		go func() {
			if err := s.Acquire(t.Context(), "short", 1); err != nil {
				t.Error(err)
			}
			leave()
			<-over
			s.Release()
		}()
		synctest.Wait()
		if _, err := s.Pass(ctx, "long"); err != ErrBusy {
			t.Errorf("who has left: %v", err)
		}
		close(over)
		synctest.Wait()
		if err := s.Acquire(t.Context(), "next", 0); err != nil {
			t.Errorf("then the slot is not free: %v", err)
		}
		s.Close()
		if passed, err := s.Pass(t.Context(), "long"); !passed || err != ErrClosed {
			t.Errorf("when all is closed: %v %v", passed, err)
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

// TestSlotsAreShared: a group that asks for much, by however many clients, leaves half of the places and comes in
// turns of a few, and all without a token have a quarter and one turn.
func TestSlotsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.Acquire(t.Context(), "first", 0); err != nil {
			t.Fatal(err)
		}
		const most = 40
		var order []string
		wait := func(owner string) (refused bool) {
			over := make(chan bool, 1)
			go func() {
				if s.Acquire(t.Context(), owner, most) != nil {
					over <- true
					return
				}
				order = append(order, owner)
				s.Release()
			}()
			synctest.Wait()
			select {
			case refused = <-over:
			default:
			}
			return refused
		}
		count := func(owner func(i int) string) (n int) {
			for i := range 2 * most {
				if !wait(owner(i)) {
					n++
				}
			}
			return n
		}
		if n := count(func(int) string { return nobody }); n != most/4 {
			t.Errorf("without a token there are %d places", n)
		}
		if n := count(func(i int) string { return Owner("flood", strconv.Itoa(i)) }); n != most*3/4/2 {
			t.Errorf("one network has %d places beside them", n)
		}
		if wait("home/one") || wait(ClassOwner("lesson", 1)) {
			t.Error("there is no place for others")
		}
		s.Release()
		synctest.Wait()
		if i := slices.Index(order, "home/one"); i < 0 || i > 1+PerTurn {
			t.Errorf("who came last waits for %d of others: %q", i, order)
		}
	})
}

func TestClientsAreBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	c := NewClients(nil, Rate{Burst: 3, PerSecond: 1}, Rate{Burst: 2, PerSecond: 1})
	first := c.Admit("", "home", 1, now)
	second := c.Admit("made up", "school", 1, now)
	third := c.Admit("", "school", 1, now)
	if first.Wait != 0 || second.Wait != 0 || third.Wait != time.Second || third.Token == "" {
		t.Fatalf("without tokens: %+v %+v %+v", first, second, third)
	}
	if first.Token == second.Token || first.Owner != second.Owner {
		t.Errorf("clients %+v and %+v", first, second)
	}
	young := c.Admit(first.Token, "home", 1, now)
	if a := c.Admit(first.Token, "home", 1, now); young.Wait != 0 || young.Token != "" || a.Wait != time.Second {
		t.Errorf("with new tokens, beyond the bucket of their network: %+v %+v", young, a)
	}
	if a := c.Admit(second.Token, "elsewhere", 1, now); a.Wait != 0 || a.Owner == young.Owner {
		t.Errorf("a new token on another network: %+v", a)
	}
	if _, wait := c.Issue("home", now); wait != time.Second {
		t.Errorf("another token for the network: in %v", wait)
	}
	now = now.Add(newFor)
	for i := range 4 {
		a := c.Admit(first.Token, "home", 1, now)
		if (a.Wait == 0) != (i < 3) || a.Token != "" || GroupOf(a.Owner) != GroupOf(young.Owner) ||
			a.Owner == young.Owner {
			t.Errorf("request %d with a token that is not new: %+v", i, a)
		}
	}
	if a := c.Admit(second.Token, "home", 1, now); a.Wait != 0 {
		t.Errorf("another client is held up: %+v", a)
	}
	back := now.Add(-time.Minute)
	if a := c.Admit(first.Token, "home", 1, back); a.Wait != 0 || !strings.HasSuffix(a.Owner, "/new") {
		t.Errorf("the clock goes back: %+v", a)
	}
	if a := c.Admit(first.Token, "home", 1, now.Add(-newFor-time.Minute)); a.Token != "" {
		t.Errorf("it goes back to shortly before the token: %+v", a)
	}
	if a := c.Admit(first.Token, "a third", 1, now.Add(-newFor-time.Hour)); a.Wait != 0 || a.Token != "" ||
		strings.HasSuffix(a.Owner, "/new") {
		t.Errorf("it goes back to long before the token, which would be new until then: %+v", a)
	}
	if a := c.Admit(first.Token, "home", 1, now.Add(lasts)); a.Token == "" {
		t.Errorf("a token that is old: %+v", a)
	}
	if a := NewClients(nil, Rate{1, 1}, Rate{1, 1}).Admit(first.Token, "", 1, now); a.Token == "" {
		t.Errorf("a token of another program: %+v", a)
	}
	if a := c.Admit(second.Token, "home", 1000, now.Add(time.Hour)); a.Wait != 0 {
		t.Errorf("what costs more than a bucket holds: %+v", a)
	}
	for range 2 * most { // buckets that are full again are not kept
		now = now.Add(time.Second)
		c.Admit(c.issue(now.Add(-newFor)), "home", 1, now)
	}
	if len(c.buckets) > most {
		t.Errorf("%d clients are remembered", len(c.buckets))
	}
	now = now.Add(-24 * time.Hour)
	for range 2 * most { // and those of a clock that went back neither
		now = now.Add(time.Second)
		c.Admit(c.issue(now.Add(-newFor)), "home", 1, now)
	}
	if len(c.buckets) > most {
		t.Errorf("after the clock went back %d clients are remembered", len(c.buckets))
	}
}
