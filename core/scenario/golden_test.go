package scenario

import (
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/simtest/golden"
)

// tiny are limits that a hand-written case can exceed.
var tiny = Limits{Limits: jsondoc.Limits{Bytes: 600, Depth: 7}, Jobs: 2, Drawn: 2, Nodes: 2, Name: 20}

// run gives the findings of a case.
func run(t *testing.T, c *golden.Case) string {
	in := c.Input()
	switch c.Kind {
	case "parse", "tiny":
		lim := FileLimits
		if c.Kind == "tiny" {
			lim = tiny
		}
		d, diags := Parse([]byte(in), lim)
		if d != nil && !diags.HasErrors() {
			p, more := Compile(d, nil)
			if (p == nil) != more.HasErrors() {
				t.Errorf("%s: Problem %v with findings %v", c.Name, p, more)
			}
			diags = append(diags, more...)
		}
		return golden.Lines(diags)
	case "canonical":
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil {
			return golden.Lines(diags)
		}
		return string(d.Canonical(testDefaults)) + "\n" + d.ID(testDefaults) + "\n"
	case "human":
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil {
			return golden.Lines(diags)
		}
		return string(d.Marshal(true))
	case "frozen": // what generators draw, the same bytes on every target
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil || diags.HasErrors() {
			return golden.Lines(diags)
		}
		return string(Freeze(d).Marshal(true))
	}
	t.Fatalf("unknown kind %q", c.Kind)
	return ""
}

var testDefaults = Defaults{"hadar": {Rev: 1, Params: map[string]any{"cost": "lifetime", "beam": 8}},
	"gavel-las": {Rev: 1, Params: map[string]any{"min_reset_s": 1920.0, "use_weights": true}}}

// The policies that the goldens name, as core/lab tells of them.
func init() {
	KnowPolicies(func(id string) Traits {
		switch id {
		case "gavel":
			id = "gavel-las"
		case "dally":
			return Traits{id, true}
		}
		return Traits{ID: id}
	})
}

func TestGoldens(t *testing.T) {
	for _, path := range []string{"testdata/diagnostics.txt", "testdata/forms.txt"} {
		golden.Test(t, path, run)
	}
}
