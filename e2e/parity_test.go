package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/scenarios"
)

// golden reads the recorded trace hashes, by "preset policy". The native run and the run in Node are
// held to the same file by core/lab's own tests.
func golden(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../scenarios/golden/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 5 {
			want[f[0]+" "+f[1]] = f[2]
		}
	}
	if len(want) < len(scenarios.Names)*4 {
		t.Fatalf("only %d golden hashes", len(want))
	}
	return want
}

// policyIDs lists the registered policies as a JSON array.
func policyIDs(t *testing.T) string {
	t.Helper()
	var ids []string
	for _, p := range lab.Policies() {
		ids = append(ids, p.ID)
	}
	b, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func compare(t *testing.T, where, preset string, got map[string]string) {
	t.Helper()
	want := golden(t)
	for _, p := range lab.Policies() {
		if got[p.ID] != want[preset+" "+p.ID] {
			t.Errorf("%s, %s under %s: trace hash %.12s, golden %.12s", where, preset, p.ID, got[p.ID], want[preset+" "+p.ID])
		}
	}
}

// TestParityInTheEdgeRuntime: every preset under every policy gives the golden trace in workerd.
func TestParityInTheEdgeRuntime(t *testing.T) {
	s := edge(t)
	for _, preset := range scenarios.Names {
		doc, _ := lab.Preset(preset)
		_, res := runInline(t, s, `{"scenario":`+string(doc)+`,"policies":`+policyIDs(t)+`}`)
		got := map[string]string{}
		for _, r := range res.Runs {
			got[r.Policy] = r.TraceHash
		}
		compare(t, "workerd", preset, got)
	}
}

// engineClient runs a scenario in a Web Worker with the page's own module, message by message, and
// resolves to the lanes' hashes and milliseconds by policy, as JSON.
const engineClient = `async (doc, policies) => {
  const module = await WebAssembly.compileStreaming(fetch("/web/app.wasm"));
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
      if (m.failure) reject(new Error(JSON.stringify(m.failure)));
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
func runInWorker(p *page, doc []byte, policies string) (got engineRun) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(eval[string](p, "("+engineClient+")("+string(doc)+", "+policies+")")), &got); err != nil {
		p.t.Fatal(err)
	}
	return got
}

// TestParityInTheBrowser: the same in Chromium, in the page's Web Worker.
func TestParityInTheBrowser(t *testing.T) {
	s := native(t)
	p := newPage(t)
	p.open(s.url + "/healthz")
	for _, preset := range scenarios.Names {
		doc, _ := lab.Preset(preset)
		compare(t, "Chromium", preset, runInWorker(p, doc, policyIDs(t)).Hashes)
	}
}
