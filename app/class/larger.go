package class

import (
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/figure"
)

// LargerProgress says how far the larger run of a class is.
func LargerProgress(r *course.LargerRun) string {
	if r.Runs == 0 || r.State == "queued" {
		return words.T("Larger run: waiting for its turn")
	}
	return words.F("Larger run: {0} of {1} done", figure.Int(r.Done), figure.Int(r.Runs))
}
