package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrangler runs the script that deploys, as somebody who is logged in nowhere.
func wrangler(t *testing.T, plan, command string) (out string, err error) {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "worker/cmd/edge/wrangler.sh"), command)
	cmd.Env = append(os.Environ(), "PLAN="+plan, "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "CLOUDFLARE_API_TOKEN=")
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// TestDeployRefuses: without a database's id nothing is sent, and it says where to read how.
func TestDeployRefuses(t *testing.T) {
	for _, plan := range []string{"paid", "free"} {
		if out, err := wrangler(t, plan, "deploy"); err == nil || !strings.Contains(out, "names no database") ||
			!strings.Contains(out, "worker/deploy/cloudflare.md") {
			t.Errorf("%s: %v %s", plan, err, out)
		}
	}
	if out, err := wrangler(t, "dear", "deploy"); err == nil || !strings.Contains(out, "PLAN=dear") {
		t.Errorf("%v %s", err, out)
	}
}

// TestUploadOfEachPlan: the same programs, with a queue only where the plan has one that is of use. Both bind the
// database, and the page's Worker alone the simulator.
func TestUploadOfEachPlan(t *testing.T) {
	t.Parallel()
	for plan, queues := range map[string]int{"paid": 2, "free": 0} {
		out, err := wrangler(t, plan, "size")
		for what, times := range map[string]int{"env.WORK": queues, "env.DB": 2, "env.SIMULATOR": 1, "env.ASSETS": 1,
			`env.PLAN ("` + plan + `")`: 2} {
			if err != nil || strings.Count(out, what) != times {
				t.Errorf("%s: %v, %s not %d times in %s", plan, err, what, times, out)
			}
		}
	}
}
