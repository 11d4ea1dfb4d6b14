package lab

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestProgressIsOfTheWindow: a run with a window counts the jobs that are measured, and all of them have finished only
// where the run is over: others were counted in, so that 160 of 160 were done with half of the run to go.
func TestProgressIsOfTheWindow(t *testing.T) {
	var jobs []string
	for i := range 12 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","gpus":1,"arrival_s":%d,"steps":%d}`, i, 100*i,
			map[bool]int{true: 9000, false: 300}[i == 4]))
	}
	doc := `{"kind":"scenario","version":1,"scenario":{"round_s":100,"window":{"from":4,"jobs":3},
"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
"jobs":[` + strings.Join(jobs, ",") + `],"policies":[{"id":"fifo"}]}}`
	s := NewBatch()
	if diags := s.Start(&message.RunRequest{Scenario: []byte(doc)}); diags.HasErrors() {
		t.Fatal(diags)
	}
	told, over := 0, false
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1)
		for _, m := range out {
			over = over || m.Lane != nil
			if p := m.Progress; p != nil && !over {
				told++
				if p.Jobs != 3 || p.Finished < 0 || p.Finished > 2 {
					t.Errorf("%d of %d jobs at %v s, and the run goes on", p.Finished, p.Jobs, p.TimeS)
				}
			}
		}
	}
	if told < 3 || !over {
		t.Errorf("progress was told %d times, over %v", told, over)
	}
}
