package hadar

import (
	"math"
	"testing"

	"hadarlab/core/primaldual"
	"hadarlab/core/unit"
)

// TestUnfairnessOfTheRoundThatEnded is 6.8's: 3600 s after its arrival a job has 12000 steps left at 2 steps/s, the
// work done so far takes 3000 s alone, and what is left goes at 1.5 steps/s there.
func TestUnfairnessOfTheRoundThatEnded(t *testing.T) {
	var h hadar
	job := primaldual.Job{Remaining: 12000}
	h.recall(&job, 2)
	if job.Unfair != 0 || job.Alone != 0 {
		t.Fatalf("at the first decision nothing is known, ρ̂ counts as 1: %+v", job)
	}
	h.past[0] = past{at: 3600 * unit.Second, left: 12000, isolated: 1.5, alone: 3000}
	job.Remaining = 11280 // a round of 360 s at 2 steps/s later
	h.recall(&job, 2)
	if math.Abs(job.Unfair-9600./11000) > 1e-12 {
		t.Errorf("ρ̂ = %v, want %v", job.Unfair, 9600./11000)
	}
	if want := 3000 + 720/1.5; math.Abs(job.Alone-want) > 1e-9 {
		t.Errorf("the work done takes %v s alone, want %v", job.Alone, want)
	}
	h.past[0] = past{at: 3600 * unit.Second, left: 12000, isolated: 1.5, alone: 3000}
	h.recall(&job, 0) // it held nothing: the isolated speed
	if math.Abs(job.Unfair-(3600+8000)/11000.) > 1e-12 {
		t.Errorf("ρ̂ = %v without GPUs", job.Unfair)
	}
}
