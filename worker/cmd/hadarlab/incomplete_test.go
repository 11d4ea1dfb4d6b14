//go:build !js

package main

import (
	"strings"
	"testing"
)

// TestFiguresOfUnfinishedRuns: of which jobs the figures of a table are is told where some are left, and only there.
func TestFiguresOfUnfinishedRuns(t *testing.T) {
	doc := `{"hadarlab":1,"scenario":{"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}}]},%
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
		"jobs":[{"id":"j1","model":"m","steps":100,"gpus":1},{"id":"j2","model":"m","steps":500,"gpus":1}],
		"policies":[{"id":"fifo"}]}}`
	for horizon, want := range map[string]string{"": "", `"horizon_s":300,`: "fifo: 1 of 2 jobs complete;",
		`"horizon_s":60,`: "fifo: 0 of 2 jobs complete;"} {
		out, errs, code := cli(t, strings.Replace(doc, "%", horizon, 1), "run", "-")
		if told := strings.Contains(out, " complete;"); code != exitOK || told != (want != "") ||
			!strings.Contains(out, want) {
			t.Errorf("%s: code %d, %s%s", horizon, code, errs, out)
		}
	}
}
