//go:build !js

package main

import (
	"context"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/worker/class"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// TestNothingIsRemovedEarly: a clock that jumps ahead, also for hours, removes no class and no scenario before its time
// has passed, and one that goes back keeps none for ever.
func TestNothingIsRemovedEarly(t *testing.T) {
	const day = 24 * time.Hour
	for name, jump := range map[string]time.Duration{"none": 0, "a day ahead": day, "a year ahead": 365 * day,
		"an hour back": -time.Hour, "forty years back": -40 * 365 * day} {
		t.Run(name, func(t *testing.T) {
			db, err := sqlite.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			store := sqlstore.New(db)
			store.Retain = 2 * day
			passed, ahead := time.Duration(0), time.Duration(0)
			start := time.Now()
			wall := func() time.Time { return start.Round(0).Add(passed + ahead) }
			clock := newAged(wall, func() time.Duration { return passed })
			classes := class.New(store, lab.Engine, lab.Defaults(), wall, true)
			classes.Aged = clock.Now
			if err := store.AddClass(t.Context(), class.Row{Code: "empty", Phase: "lobby", Revealed: "[]", Revs: "[]",
				CreatedMS: wall().UnixMilli()}, "{}", 9, 0); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Put(t.Context(), vault.Scenarios, vault.Content{ID: "a",
				CreatedMS: wall().UnixMilli()}); err != nil {
				t.Fatal(err)
			}
			there := func() (class, scenario bool) {
				if _, err := store.Expire(t.Context(), clock.Now()); err != nil {
					t.Fatal(err)
				}
				if _, err := classes.Expire(context.Background()); err != nil {
					t.Fatal(err)
				}
				_, err := store.GetClass(t.Context(), "empty")
				n := 0
				if err := db.QueryRow(`SELECT count(*) FROM scenarios`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return err == nil, n == 1
			}
			there()
			passed = time.Hour
			ahead = jump
			for range 10 { // it stays so for hours, and then is set right
				passed += time.Hour
				if class, scenario := there(); !class || !scenario {
					t.Fatalf("after %v the class is there: %v, the scenario: %v", passed, class, scenario)
				}
			}
			ahead = 0
			passed = day - time.Minute
			if class, scenario := there(); !class || !scenario {
				t.Errorf("after %v the class is there: %v, the scenario: %v", passed, class, scenario)
			}
			for passed < 5*day { // the clock of what is removed has caught up again
				passed += time.Hour
				there()
			}
			if class, scenario := there(); class || scenario {
				t.Errorf("after %v the class is there: %v, the scenario: %v", passed, class, scenario)
			}
		})
	}
}

// TestAgedCatchesUp: a machine that was asleep for three days is believed within three days, and one that had no time
// when it started as soon as it has.
func TestAgedCatchesUp(t *testing.T) {
	wall, passed := time.Now().Round(0), time.Duration(0)
	a := newAged(func() time.Time { return wall }, func() time.Duration { return passed })
	wall = wall.Add(72 * time.Hour)
	for i := range 72 {
		if !a.Now().Before(wall) {
			t.Fatalf("after %d hours it is believed", i)
		}
		wall, passed = wall.Add(time.Hour), passed+time.Hour
	}
	if now := a.Now(); !now.Equal(wall) {
		t.Errorf("it is %v behind", wall.Sub(now))
	}
	set := wall
	wall = time.Unix(0, 0)
	a = newAged(func() time.Time { return wall }, func() time.Duration { return passed })
	wall = set
	if now := a.Now(); !now.Equal(wall) {
		t.Errorf("a clock that was set after the start is %v behind", wall.Sub(now))
	}
}
