//go:build !js

package main

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// TestInOrder: pieces are taken in order however they end, no more are under way than are wanted, and nothing is left
// running.
func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var begun, ended atomic.Int32
	later := make(chan bool)
	do := func(i int) int {
		begun.Add(1)
		defer ended.Add(1)
		if i == 0 {
			<-later // the first ends last of those that may begin before it
		}
		if i == 4 {
			close(later)
		}
		return i
	}
	var took []int
	inOrder(1000, do, func(i int) bool { took = append(took, i); return i < 20 }, func() {})
	if want := slices.Collect(func(yield func(int) bool) {
		for i := range 21 {
			yield(i)
		}
	}); !slices.Equal(took, want) {
		t.Errorf("took %v", took)
	}
	if begun.Load() != ended.Load() || begun.Load() > 21+3*4 {
		t.Errorf("%d began, %d ended", begun.Load(), ended.Load())
	}
}

// TestEveryNumberOfCores: runs, replicates and sweeps print the same on one core as on several.
func TestEveryNumberOfCores(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--format", "json", "--policy", "hadar,gavel-las,nope-not", preset},
		{"run", "--format", "json", "--policy", "hadar,gavel-las,fifo,hadare,srtf", preset},
		{"run", "--format", "json", "--policy", "gavel-las-agnostic,hadar", "--replicates", "5", "--length-noise",
			"0.3", preset},
		{"sweep", "--format", "json", "--policy", "fifo,hadar", "--vary", "/scenario/round_s=60,180,360,720", preset},
		{"sweep", "--policy", "fifo", "--vary", "/scenario/jobs/0/gpus=1,2,400,3", preset},
	} {
		var said []string
		for _, cores := range []int{1, 4} {
			was := runtime.GOMAXPROCS(cores)
			out, errs, code := cli(t, "", args...)
			runtime.GOMAXPROCS(was)
			said = append(said, out+errs+string(rune('0'+code)))
		}
		if said[0] != said[1] || len(said[0]) < 20 {
			t.Errorf("%v: on one core\n%.400s\non four\n%.400s", args, said[0], said[1])
		}
	}
}
