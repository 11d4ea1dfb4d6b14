package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestResultsSayTheirVersion: every result and sweep says the version of its format, and a file of a later one is
// refused with the field, the version that is known, and the way out; one without it is of version 1.
func TestResultsSayTheirVersion(t *testing.T) {
	for _, v := range []any{message.Result{}, &message.Result{}, message.SweepResult{}, &message.SweepResult{}} {
		b, err := json.Marshal(v)
		if err != nil || !strings.HasPrefix(string(b), `{"version":1,"engine"`) {
			t.Errorf("%T: %s %v", v, b, err)
		}
	}
	const result = `{"version":1,"engine":"9.0.0","scenario_id":"x","runs":[{"policy":"fifo","trace_hash":"y"}]}`
	for text, want := range map[string]string{
		result: "",
		strings.Replace(result, `"version":1,`, ``, 1): "",
		strings.Replace(result, `"version":1,`, `"version":2,"kind":"result",`, 1): "/version: version is 2; " +
			"this release reads up to 1 (Open it with a newer release, or ask for the file in version 1.)",
		`{"version":7,"engine":"9.0.0","lanes":[]}`: "/version: version is 7",
	} {
		f, diags := ParseResult([]byte(text))
		said := ""
		for _, d := range diags.Errors() {
			said += d.Path + ": " + d.Message.In(nil) + " (" + d.Fix.In(nil) + ")"
		}
		if (f == nil) != (want != "") || !strings.HasPrefix(said, want) {
			t.Errorf("%s: %s", text, said)
		}
	}
}
