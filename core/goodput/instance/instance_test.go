package instance

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"hadarlab/core/goodput"
	"hadarlab/core/jsondoc"
)

const shared = "../../../../shared/fixtures/pollux_goodput/"

var lim = jsondoc.Limits{Bytes: 1 << 20, Depth: 24}

// TestWorkedNumbers: what stands in the reference's files comes out again. Fits may reach another point of a flat
// optimum: their objective and what they predict are compared.
func TestWorkedNumbers(t *testing.T) {
	for _, name := range []string{"goodput", "fitness", "fit"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(shared + name + ".json")
			if os.IsNotExist(err) {
				t.Skip("needs " + shared + name + ".json")
			}
			d, diags := Evaluate(data, lim)
			if d == nil {
				t.Fatal(diags)
			}
			out, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			compare(t, "", got, want)
		})
	}
}

// compare holds values to those of the reference, by the tolerances of its README.
func compare(t *testing.T, at string, got, want any) {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		if len(g) != len(w) {
			t.Errorf("%s has %d members, want %d", at, len(g), len(w))
		}
		for k, v := range w {
			if k == "fitted" || k == "epsilon" {
				continue
			}
			compare(t, at+"/"+k, g[k], v)
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			t.Errorf("%s has %d entries, want %d", at, len(g), len(w))
			return
		}
		for i := range w {
			compare(t, at+"/"+string(rune('0'+i%10)), g[i], w[i])
		}
	case float64:
		g, ok := got.(float64)
		near := 1e-9 * math.Abs(w)
		switch {
		case strings.HasSuffix(at, "/objective"):
			near = 0.02*w + 1e-3
		case strings.Contains(at, "predicted"):
			near = 1e-6 * w
		case strings.HasSuffix(at, "gap"):
			near = 1e-9
		}
		if !ok || math.Abs(g-w) > near {
			t.Errorf("%s is %v, want %v", at, got, w)
		}
	default:
		if got != want {
			t.Errorf("%s is %v, want %v", at, got, want)
		}
	}
}

const small = `{"kind":"goodput","cases":[{"id":"a","perf":{"alpha_c":0.02,"beta_c":0.0007,"alpha_n":0.1,"beta_n":0.0025,
"alpha_r":0.015,"beta_r":0,"gamma":1.3},"grad":{"sqr":1,"var":300},"init_batch":128,"max_batch":4096,
"atomic_range":[32,1024],"accumulation":true,"points":[],"optimum":[],"speedup_vs_1gpu":[]}]}`

// TestTheSearchChoosesAsThePlainRule: goodput.Best, which leaves out candidates that come twice, finds the first of the
// best of all fifty.
func TestTheSearchChoosesAsThePlainRule(t *testing.T) {
	for _, noise := range []string{"0", "3", "300", "9e9"} {
		for _, accumulate := range []string{"true", "false"} {
			var doc struct{ Cases []*goodputCase }
			text := strings.NewReplacer(`"var":300`, `"var":`+noise, `"accumulation":true`,
				`"accumulation":`+accumulate)
			if err := json.Unmarshal([]byte(text.Replace(small)), &doc); err != nil {
				t.Fatal(err)
			}
			c := doc.Cases[0]
			for k := int32(1); k <= 128; k++ {
				n := c.noise()
				pt, g, ok := goodput.Best(c.perf(), &n, c.batches(), k, k > 4, c.Accumulate)
				grid := c.grid(k, k > 4, false)
				w := grid[first(grid)]
				if ok != (w.Goodput > 0) || ok && (pt.Batch != w.Batch || pt.Accum != w.Accum ||
					math.Abs(g-w.Goodput) > 1e-9*w.Goodput) {
					t.Fatalf("noise %s, %d GPUs: %+v at %v, want %+v", noise, k, pt, g, w)
				}
			}
		}
	}
}

// TestBadDocuments: what is wrong is named by field, limit and way out.
func TestBadDocuments(t *testing.T) {
	for _, c := range []struct{ old, new, path string }{
		{`"goodput"`, `"good"`, "/kind"}, {`"gamma":1.3`, `"gamma":0.5`, "/cases/0/perf/gamma"},
		{`"init_batch":128`, `"init_batch":0`, "/cases/0/init_batch"},
		{`[32,1024]`, `[32,8]`, "/cases/0/atomic_range/1"},
		{`"points":[]`, `"points":[{"nodes":2,"replicas":1,"atomic_batch":1}]`, "/cases/0/points/0/replicas"},
		{`"perf"`, `"other"`, "/cases/0"}, {`"cases":[`, `"cases":[],"x":[`, "/cases"},
		{`"grad":{"sqr":1`, `"grad":{"sqr":"one"`, "/cases/0/grad/sqr"},
	} {
		d, diags := Evaluate([]byte(strings.Replace(small, c.old, c.new, 1)), lim)
		if d != nil || !diags.HasErrors() || diags.Errors()[0].Path != c.path {
			t.Errorf("%s: %v, want an error at %s", c.new, diags, c.path)
		}
	}
	if d, diags := Evaluate([]byte(small), lim); d == nil {
		t.Error(diags)
	}
}
