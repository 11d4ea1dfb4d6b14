package lab_test

import (
	"fmt"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// TestLimitsOfTheNetwork holds what the manual admits (How far to trust it): gangs that share a node's network card do
// not slow each other, and a gang's shape counts by its tier alone.
func TestLimitsOfTheNetwork(t *testing.T) {
	ends := func(nodes []int, gangs ...int) (at []float64) {
		doc := `{"kind":"scenario","version":1,"scenario":{"round_s":300,"cluster":{"network":{"node_gb_per_s":130,` +
			`"nic_gb_per_s":1},"nodes":[`
		for i, gpus := range nodes {
			doc += fmt.Sprintf(`{"id":"n%d","gpus":{"v100":%d}},`, i, gpus)
		}
		doc = doc[:len(doc)-1] + `]},"throughputs":{"rows":[{"model":"bert","per_gpu":{"v100":2},` +
			`"gradient_mb":1340}]},"jobs":[`
		for i, gpus := range gangs {
			doc += fmt.Sprintf(`{"id":"j%d","model":"bert","gpus":%d,"steps":3600},`, i, gpus)
		}
		doc = doc[:len(doc)-1] + `],"policies":[{"id":"fifo"}]}}`
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: []byte(doc)})
		if res == nil || len(failed) > 0 {
			t.Fatal(failed, diags)
		}
		for _, j := range res.Runs[0].Jobs {
			at = append(at, *j.FinishS)
		}
		return at
	}
	alone, beside := ends([]int{2, 2, 2}, 3), ends([]int{2, 2, 2}, 3, 3)
	if beside[0] != alone[0] || beside[1] != alone[0] {
		t.Errorf("a gang over two nodes takes %v s alone and %v s beside another on the same card", alone, beside)
	}
	one, two, three := ends([]int{4}, 4), ends([]int{2, 2}, 4), ends([]int{2, 1, 1}, 4)
	if two[0] != three[0] || two[0] == one[0] {
		t.Errorf("4 GPUs take %v s, 2 + 2 %v s, 2 + 1 + 1 %v s", one, two, three)
	}
}
