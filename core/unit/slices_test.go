package unit

import (
	"slices"
	"testing"
)

// TestSlicesAreTheWholeWork: in slices of any length everything is done once, in order, and each slice is of the length
// that was asked for.
func TestSlicesAreTheWholeWork(t *testing.T) {
	for _, entries := range []int{1, 7, 100, 1000} {
		var done []int
		s := InSlices(func(pace Pace) {
			for i := range 100 {
				done = append(done, i)
				pace.Did(1)
			}
		})
		if len(done) > 0 {
			t.Fatal("it has begun before it was asked to")
		}
		for most := entries; s.Spend(entries); most += entries {
			if len(done) != most {
				t.Fatalf("slices of %d: %d done, want %d", entries, len(done), most)
			}
		}
		if len(done) != 100 || !slices.IsSorted(done) || s.Spend(entries) {
			t.Errorf("slices of %d: done %v", entries, done)
		}
	}
}

// TestSlicesAreGivenUp: nothing more is done, and what the work has put off still is.
func TestSlicesAreGivenUp(t *testing.T) {
	done, tidied := 0, false
	work := func(pace Pace) {
		defer func() { tidied = true }()
		for range 100 {
			done++
			pace.Did(1)
		}
	}
	s := InSlices(work)
	s.Spend(10)
	s.GiveUp()
	if s.Spend(10) || done != 10 || !tidied {
		t.Errorf("given up after 10, %d are done; tidied: %v", done, tidied)
	}
	s = InSlices(work)
	if s.GiveUp(); s.Spend(10) || done != 10 {
		t.Errorf("given up before it began, %d are done", done)
	}
}

// TestAPanicOfASlice reaches who asked for the slice.
func TestAPanicOfASlice(t *testing.T) {
	s := InSlices(func(pace Pace) {
		pace.Did(1)
		panic("broken")
	})
	s.Spend(1)
	defer func() {
		if r := recover(); r != "broken" {
			t.Errorf("got %v", r)
		}
	}()
	s.Spend(1)
	t.Error("nothing was told")
}
