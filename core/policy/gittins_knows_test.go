package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/policy"
	"hadarlab/core/simtest"
)

// TestGittinsKnowsTheSpread: its order hangs on the true lengths of all jobs, whatever policies are told of them, and
// Source says so.
func TestGittinsKnowsTheSpread(t *testing.T) {
	hashes := map[string]bool{}
	for _, knows := range []string{`{"lengths":"true"}`, `{"lengths":"noisy","error":1}`, `{"lengths":"unknown"}`} {
		p := written(t, `"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},"knowledge":`+knows+`,
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"jobs":[{"id":"a","model":"m","gpus":1,"steps":7200},
{"id":"b","model":"m","gpus":1,"steps":1800},{"id":"c","model":"m","gpus":1,"steps":1800},
{"id":"d","model":"m","gpus":1,"steps":360},{"id":"e","model":"m","gpus":1,"steps":900,"arrival_s":3000}]`)
		tr := simtest.Run(t, p, "gittins", nil)
		ends := ""
		for i := range tr.Jobs {
			ends += fmt.Sprint(tr.Jobs[i].Finish, " ")
		}
		hashes[ends] = true
	}
	s, err := policy.Find("gittins")
	if err != nil || len(hashes) != 1 || !strings.Contains(s.Source, "hides lengths or makes them wrong") {
		t.Errorf("%v %v: %s", err, hashes, s.Source)
	}
}
