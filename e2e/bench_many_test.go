package e2e

import (
	"fmt"
	"slices"
	"testing"

	"hadarlab/core/imports"
	"hadarlab/core/scenario"
)

// BenchmarkManyJobs drops a file of 5,000 jobs on 108 GPUs on the page, or of 20,000 on 432, and drags through the
// rounds of what becomes of it: how long until both runs stand, the times between frames, and the tab's private memory.
func BenchmarkManyJobs(b *testing.B) {
	doc, err := generated5000()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	b.Run("5000", func(b *testing.B) { manyJobs(b, doc.Marshal(false)) })
	b.Run("20000", func(b *testing.B) { manyJobs(b, fourfold(doc).Marshal(false)) })
}

func manyJobs(b *testing.B, doc []byte) {
	s := native(b)
	for b.Loop() {
		p := newPage(b)
		p.open(s.url + "/")
		p.ready()
		p.drop("many.json", string(doc))
		p.see(test("cancel"))
		ready := `new Promise(done => { const end = performance.now() + 30000, look = () => {
			const is = document.querySelector("[data-test=lab]").dataset.state === "ready";
			is || performance.now() > end ? done(is) : setTimeout(look, 200) }; look() })`
		for range 10 { // each step in the browser has its bound
			if eval[bool](p, ready) {
				break
			}
		}
		b.ReportMetric(b.Elapsed().Seconds(), "ready-s")
		eval[bool](p, "new Promise(done => setTimeout(() => done(true), 5000))") // bars are painted in slices
		frames := eval[[]float64](p, scrubFrames)
		slices.Sort(frames)
		b.ReportMetric(frames[len(frames)/2], "scrub-p50-ms")
		b.ReportMetric(frames[len(frames)*95/100], "scrub-p95-ms")
		b.ReportMetric(largest(b, p.renderers()), "tab-MB")
	}
	b.ReportMetric(0, "ns/op")
}

// generated5000 are the first 5,000 jobs of Gavel's generator on 36 GPUs of each type, under Gavel and a queue.
func generated5000() (*scenario.Document, error) {
	doc, err := gavelTrace("gavel_gen_multi_seed0.csv", imports.Options{ArrivalDivisor: 2.16,
		Cluster: []scenario.TypeCount{{Type: "v100", Count: 36}, {Type: "p100", Count: 36}, {Type: "k80", Count: 36}}},
		"gavel-las", "fifo")
	if err != nil {
		return nil, err
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	return parsed, nil
}

// fourfold has each job and node four times, a job's others a quarter of an hour after one another.
func fourfold(doc *scenario.Document) *scenario.Document {
	big := doc.Clone()
	jobs, nodes := &big.Scenario.Jobs, &big.Scenario.Cluster.Nodes
	for n := 1; n < 4; n++ {
		for _, j := range doc.Scenario.Jobs {
			j.ID = fmt.Sprintf("%s-%d", j.ID, n)
			j.ArrivalS += float64(n) * 900
			*jobs = append(*jobs, j)
		}
		for _, node := range doc.Scenario.Cluster.Nodes {
			node.ID = fmt.Sprintf("%s-%d", node.ID, n)
			*nodes = append(*nodes, node)
		}
	}
	return big
}
