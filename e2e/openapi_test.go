package e2e

import (
	"os"
	"os/exec"
	"testing"
)

// TestOpenAPIRules holds the document of the interface to Redocly's recommended rules, warnings too, without a network.
func TestOpenAPIRules(t *testing.T) {
	const program, rules = "worker/cmd/edge/node_modules/@redocly/cli/bin/cli.js", "recommended-strict"
	if err := need(program, "make tools"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", program, "lint", "--extends", rules, "worker/openapi.json")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
