package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// goldenRun is a scenario with its recorded trace hashes, or the first digits of them, by policy; policies
// that refuse it are left out. The other targets are held to the same files by core/lab's own tests.
type goldenRun struct {
	name string
	doc  []byte
	want map[string]string
}

// goldens are the presets and the generated scenarios.
func goldens(t *testing.T) []goldenRun {
	t.Helper()
	var runs []goldenRun
	read := func(file, name string, doc []byte) {
		b, err := os.ReadFile("../scenarios/golden/" + file)
		if err != nil {
			t.Fatal(err)
		}
		g := goldenRun{name, doc, map[string]string{}}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); f[0] == name {
				g.want[f[1]] = f[2]
			}
		}
		if len(g.want) < 4 {
			t.Fatalf("only %d golden hashes of %s", len(g.want), name)
		}
		runs = append(runs, g)
	}
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		read("hashes.txt", name, doc)
	}
	for n := range simtest.Documents {
		read("generated.txt", strconv.Itoa(n), simtest.Document(n))
	}
	return runs
}

// policyIDs lists the registered policies.
func policyIDs() (ids []string) {
	for _, p := range lab.Policies() {
		ids = append(ids, p.ID)
	}
	return ids
}

// list is a JSON array.
func list(t *testing.T, ids []string) string {
	t.Helper()
	b, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// compare holds the hashes of a target to the golden ones.
func (g *goldenRun) compare(t *testing.T, where string, got map[string]string) {
	t.Helper()
	if len(got) != len(g.want) {
		t.Errorf("%s, %s: %d policies answered, golden are %d", where, g.name, len(got), len(g.want))
	}
	for id, hash := range got {
		if want := g.want[id]; want == "" || !strings.HasPrefix(hash, want) {
			t.Errorf("%s, %s under %s: trace hash %.12s, golden %.12s", where, g.name, id, hash, want)
		}
	}
}

// TestParityInTheEdgeRuntime: every golden scenario under every policy gives its trace in workerd.
func TestParityInTheEdgeRuntime(t *testing.T) {
	t.Parallel()
	s := edge(t)
	for _, g := range goldens(t) {
		got := map[string]string{}
		doc, _ := scenario.Parse(g.doc, scenario.FileLimits)
		able := slices.DeleteFunc(policyIDs(), func(id string) bool { return g.want[id] == "" })
		most := min(scenario.MaxPolicies, max(1, 200/doc.JobCount())) // a request there is small
		for ids := range slices.Chunk(able, most) {
			_, res := runInline(t, s, `{"scenario":`+string(g.doc)+`,"policies":`+list(t, ids)+`}`)
			for _, r := range res.Runs {
				got[r.Policy] = r.TraceHash
			}
		}
		g.compare(t, "workerd", got)
	}
}

// engineClient runs a scenario under policies, none = its own lanes, in a Web Worker of its own with one of the page's
// two modules, compiled once, and resolves to the lanes' hashes and milliseconds by policy, as JSON.
const engineClient = `async (doc, policies, name) => {
  window.compiled ??= {};
  const module = await (compiled[name] ??= WebAssembly.compileStreaming(fetch("/web/" + name + ".wasm")));
  const worker = new Worker("/web/engine.js");
  const hashes = {}, ms = {};
  let began = 0;
  return await new Promise((resolve, reject) => {
    worker.onerror = e => reject(new Error("the worker failed: " + e.message));
    worker.onmessage = ({data}) => {
      const size = new DataView(data).getUint32(0, true);
      const m = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
      if (m.ready) {
        const head = new TextEncoder().encode(JSON.stringify({v: 1, id: 1, run: {scenario: doc, policies: policies.map(id => ({id}))}}));
        const b = new Uint8Array(4 + head.length);
        new DataView(b.buffer).setUint32(0, head.length, true);
        b.set(head, 4);
        began = performance.now();
        worker.postMessage(b.buffer, [b.buffer]);
      }
      if (m.failure && m.failure.lane < 0) reject(new Error(JSON.stringify(m.failure)));
      if (m.lane) {
        hashes[m.lane.policy] = m.lane.trace_hash;
        ms[m.lane.policy] = performance.now() - began;
        began = performance.now();
      }
      if (m.finished) { worker.terminate(); resolve(JSON.stringify({hashes, ms})); }
    };
    worker.postMessage(module);
  });
}`

// engineRun is what engineClient resolves to.
type engineRun struct {
	Hashes map[string]string
	MS     map[string]float64
}

// runInWorker runs a document in the browser's Web Worker. The page must be on the server.
func runInWorker(p *page, doc []byte, policies string) engineRun {
	p.t.Helper()
	return runBy(p, "app", doc, policies)
}

// runBy is runInWorker by the page's own module, app, or by the one that also runs programs.
func runBy(p *page, module string, doc []byte, policies string) (got engineRun) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(eval[string](p, "("+engineClient+")("+string(doc)+", "+policies+", '"+module+"')")),
		&got); err != nil {
		p.t.Fatal(err)
	}
	return got
}

// TestParityInTheBrowser: the same in Chromium, in the page's Web Worker.
func TestParityInTheBrowser(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := newPage(t)
	p.open(s.url + "/healthz")
	for _, g := range goldens(t) {
		g.compare(t, "Chromium", runInWorker(p, g.doc, list(t, policyIDs())).Hashes)
	}
}
