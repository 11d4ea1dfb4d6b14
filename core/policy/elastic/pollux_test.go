package elastic_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// full runs the searches of the paper's size too, which take ten seconds each.
var full = flag.Bool("full", false, "the 160-job workload with the search of the paper's size, on three workloads")

// polluxApp is an application of Pollux's workloads in ../shared/facts/pollux_apps.json.
type polluxApp struct {
	Name   string
	Init   int32               `json:"init_batch"`
	Max    int32               `json:"max_batch"`
	Target float64             `json:"target_progress"`
	Local  map[string][2]int32 `json:"local_batch"`
	// As Sia's artifact has it: seconds of a restart, and how many times slower it is than measured.
	Restart  map[string]float64 `json:"restart_s"`
	Slowdown float64            `json:"sia_slowdown"`
	Perf     map[string]struct {
		AlphaC float64 `json:"alpha_c"`
		BetaC  float64 `json:"beta_c"`
		AlphaN float64 `json:"alpha_n"`
		BetaN  float64 `json:"beta_n"`
		AlphaR float64 `json:"alpha_r"`
		BetaR  float64 `json:"beta_r"`
		Gamma  float64
	}
	Noise struct {
		Ends    []float64 `json:"progress_end_fraction"`
		Batches []int32
		Phi     [][]float64
	}
}

// compiled adds the application to p, so many times slower, and gives its phases. NCF keeps its batch, as in the
// artifact's simulator. On types other than T4 its passes are scaled by the catalogue, as those of documents are.
func (a *polluxApp) compiled(p *model.Problem, slow float64) (phases []model.Phase) {
	q := a.Perf["t4"]
	b := model.Batches{Init: a.Init, Max: a.Max, Low: a.Local["t4"][0], High: a.Local["t4"][1]}
	prof := model.Profile{Model: a.Name}
	t4, _ := scenario.CatalogueType("t4")
	for i := range p.Cluster.Types {
		typ, _ := scenario.CatalogueType(p.Cluster.Types[i].Name)
		pass := slow * (t4.FP32TFLOPS / typ.FP32TFLOPS)
		prof.Batches = append(prof.Batches, b)
		prof.Perf = append(prof.Perf, model.Perf{AlphaC: q.AlphaC * pass, BetaC: q.BetaC * pass,
			AlphaN: q.AlphaN * slow,
			BetaN:  q.BetaN * slow, AlphaR: q.AlphaR * slow, BetaR: q.BetaR * slow, Gamma: q.Gamma})
	}
	p.Profiles = append(p.Profiles, prof)
	from := 0.0
	for k, end := range a.Noise.Ends {
		var phi []float64
		for _, row := range a.Noise.Phi {
			phi = append(phi, row[k])
		}
		noise := model.NewNoise(a.Noise.Batches, phi)
		tab := model.NewThroughput(a.Name, len(prof.Perf), 64)
		for typ := range prof.Perf {
			for n := int32(1); n <= 64; n++ {
				var at [2]model.Point
				var rates [2]unit.Rate
				for several := range at {
					pt, _, ok := goodput.Best(&prof.Perf[typ], &noise, b, n, several > 0, true)
					if a.Name == "ncf" {
						pt, ok = goodput.Fixed(&prof.Perf[typ], &noise, b, n, several > 0, 32768)
					} else if ok {
						pt, ok = goodput.Clamp(&prof.Perf[typ], &noise, b, n, several > 0, pt)
					}
					if ok {
						at[several], rates[several] = pt, goodput.Rate(pt, b, n)
					}
				}
				tab.Set(model.TypeID(typ), n, rates[0], rates[1], rates[1])
				tab.SetPoints(model.TypeID(typ), n, at[0], at[1])
			}
		}
		i := int32(len(p.Tables))
		p.Tables = append(p.Tables, tab)
		phases = append(phases, model.Phase{From: unit.Work(a.Target * from), Tables: []int32{i, i}})
		from = end
	}
	return phases
}

// sixteenT4 is the paper's cluster.
var sixteenT4 = slices.Repeat([]simtest.Node{{"t4": 4}}, 16)

// polluxWorkload is one of the paper's workloads on the nodes or, with sia set, what Sia's artifact makes of it:
// cifar10 in ncf's place, slowdowns, and a restart's time for each application. The test is skipped where its facts are
// absent.
func polluxWorkload(t *testing.T, workload string, sia bool, nodes []simtest.Node) *model.Problem {
	const shared = "../../../../shared/"
	data, err := os.ReadFile(shared + "facts/pollux_apps.json")
	if err != nil {
		t.Skip("needs " + shared + "facts/pollux_apps.json")
	}
	var doc struct{ Apps []polluxApp }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile(shared + "traces/pollux_workloads_all8.csv")
	if err != nil {
		t.Skip("needs " + shared + "traces/pollux_workloads_all8.csv")
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	restart := model.Costs{Load: unit.Seconds(30)}
	p := simtest.Build(60, nodes, nil, restart)
	slices.SortFunc(p.Cluster.BySpeed, func(a, b model.TypeID) int {
		x, _ := scenario.CatalogueType(p.Cluster.Types[a].Name)
		y, _ := scenario.CatalogueType(p.Cluster.Types[b].Name)
		return cmp.Compare(y.FP32TFLOPS, x.FP32TFLOPS)
	})
	phases := make([][]model.Phase, len(doc.Apps))
	for i := range doc.Apps {
		slow := 1.0
		if sia {
			slow = doc.Apps[i].Slowdown
		}
		phases[i] = doc.Apps[i].compiled(p, slow)
	}
	for i, row := range rows[1:] {
		if row[0] != workload {
			continue
		}
		if sia && row[2] == "ncf" {
			row[2] = "cifar10"
		}
		app := slices.IndexFunc(doc.Apps, func(a polluxApp) bool { return a.Name == row[2] })
		at, _ := strconv.ParseFloat(row[3], 64)
		shape := model.Shape{Size: 1, Min: 1, Max: 64, Step: 1, Gangs: 1}
		if row[2] == "ncf" {
			shape.Max = 1
		}
		p.Jobs = append(p.Jobs, model.Job{Name: row[1], Model: row[2], Doc: int32(i), Arrive: unit.Seconds(at),
			Batch: 32768, KeepsBatch: row[2] == "ncf",
			Weight: 1, Work: unit.Work(doc.Apps[app].Target), Profile: int32(app), Shape: shape, Phases: phases[app]})
		if sia {
			restart.Load = unit.Seconds(doc.Apps[app].Restart["sia_sim"])
		}
		p.Costs = append(p.Costs, restart)
	}
	return p
}

// polluxMean is the mean completion time in s, and how often a job was restarted.
func polluxMean(t *testing.T, p *model.Problem, id string, params map[string]any) (mean, restarts float64) {
	tr := simtest.Run(t, p, id, params)
	for i := range tr.Jobs {
		j := &tr.Jobs[i]
		if j.Finish < 0 {
			t.Fatalf("job %s does not finish", j.Name)
		}
		mean += (j.Finish - j.Arrive).Seconds() / float64(len(tr.Jobs))
		restarts += float64(j.Starts-1+j.Moved) / float64(len(tr.Jobs))
	}
	return mean, restarts
}

// TestPolluxWorkload: the artifact's policy, run in this profile world with the search of the paper's size, brings 160
// jobs to a mean completion time of 2261 s, and two other policies 3494 and 5317 s.
func TestPolluxWorkload(t *testing.T) {
	const reference = 2261
	p := polluxWorkload(t, "6", false, sixteenT4)
	fast, restarts := polluxMean(t, p, "pollux", nil)
	t.Logf("fast: %.0f s, %.2f restarts a job", fast, restarts)
	if math.Abs(fast/reference-1) > 0.06 {
		t.Errorf("the mean completion time is %.0f s, the reference's %d s", fast, reference)
	}
	if !*full {
		return
	}
	for _, workload := range []string{"6", "1", "3"} {
		p := polluxWorkload(t, workload, false, sixteenT4)
		fast, _ := polluxMean(t, p, "pollux", nil)
		paper, restarts := polluxMean(t, p, "pollux", map[string]any{"search": "paper"})
		t.Logf("workload %s: fast %.0f s, paper %.0f s with %.2f restarts a job", workload, fast, paper, restarts)
		if fast > paper*1.05 {
			t.Errorf("workload %s: the fast search reaches %.0f s, the paper's %.0f s", workload, fast, paper)
		}
		if workload == "6" && math.Abs(paper/reference-1) > 0.06 {
			t.Errorf("the mean completion time is %.0f s, the reference's %d s", paper, reference)
		}
	}
}

// elastic are jobs of 1 to 16 GPUs that run alike on all types, on nodes of four.
func elastic(types []string, jobs int) *model.Problem {
	var nodes []simtest.Node
	for _, typ := range types {
		nodes = append(nodes, simtest.Node{typ: 4})
	}
	rates := map[string]float64{}
	for _, typ := range types {
		rates[typ] = 1
	}
	p := simtest.Build(60, nodes, slices.Repeat([]simtest.Job{{GPUs: 1, Steps: 40000, Rates: rates}}, jobs),
		model.Costs{Load: unit.Seconds(20)})
	perf := make([]model.Perf, len(p.Cluster.Types))
	for i := range perf {
		perf[i] = model.Perf{AlphaC: 0.02, BetaC: 0.0007, AlphaN: 0.06, BetaN: 0.002, AlphaR: 0.01, BetaR: 0.0001,
			Gamma: 1.3}
	}
	for i := range p.Jobs {
		simtest.Profiled(p, i, perf, model.Batches{Init: 128, Max: 4096, Low: 32, High: 1024}, []float64{500, 20000},
			model.Shape{Size: 1, Min: 1, Max: 16, Step: 1, Gangs: 1})
	}
	return p
}

// TestKeptBatches: a job that keeps its batch of 256 is believed to keep it. On the sizes that it has measured, Pollux
// and Sia hold it to be as fast as its table says, and Optimus takes the table's speed.
func TestKeptBatches(t *testing.T) {
	p := elastic([]string{"a", "a", "a", "a"}, 1)
	job := &p.Jobs[0]
	job.Batch, job.KeepsBatch = 256, true
	for k := range job.Phases {
		job.Phases[k].Tables[1] = job.Phases[k].Tables[0]
	}
	truth := func(gpus int32) float64 {
		tier := model.OneNode
		if gpus > 4 {
			tier = model.OneRack
		}
		return float64(p.Tables[job.Phases[0].Tables[0]].Rate(0, gpus, tier))
	}
	explained := func(id string, at int) *sim.Detail {
		r := simtest.Start(t, p, id, nil, sim.Options{})
		r.Explain(at)
		for r.Explained() == nil && r.Step() {
		}
		return r.Explained()
	}
	seen := 0
	for _, row := range explained("pollux", 10).Choices[0].Sections[0].Table.Rows {
		gpus := row.Cells[1].(int32)
		over := strings.Contains(row.Cells[0].(sim.Noted).Note.Pattern(), "apart")
		if gpus > 8 || over != (gpus > 4) { // up to 4 GPUs it has run on one node only
			continue
		}
		seen++
		if row.Cells[2] != 256.0 || math.Abs(row.Cells[5].(float64)/truth(gpus)/128-1) > 0.01 {
			t.Errorf("pollux: %d GPUs with a batch of %v bring %v, and by the table %v", gpus, row.Cells[2],
				row.Cells[5],
				truth(gpus)*128)
		}
	}
	if seen != 4 {
		t.Errorf("pollux: %d sizes, want 1, 2, 4 and 8", seen)
	}
	rows := explained("sia", 5).Choices[0].Sections[0].Table.Rows
	seen = 0
	for _, row := range rows {
		gpus := row.Cells[0].(words.Text).Args()[0].(int32)
		seen++
		if want := truth(gpus) / truth(1); math.Abs(row.Cells[1].(float64)/want-1) > 0.01 {
			t.Errorf("sia: %d GPUs are worth %v of one, by the table %v", gpus, row.Cells[1], want)
		}
	}
	if seen != 4 {
		t.Errorf("sia: %d sizes, want 1, 2, 4 and 8", seen)
	}
	tr := simtest.Run(t, p, "optimus", nil)
	of, _ := sizes(tr)
	if left := tr.Reasons[0].Num[1]; math.Abs(left-float64(job.Work)/truth(of[0][0])) > 1e-6 {
		t.Errorf("optimus: %v s are left on %d GPUs, by the table %v", left, of[0][0],
			float64(job.Work)/truth(of[0][0]))
	}
}

// sizes are the GPUs of each span of each job, in order, and whether all are of one type.
func sizes(tr *trace.Trace) (of [][]int32, pure bool) {
	of, pure = make([][]int32, len(tr.Jobs)), true
	for i := range tr.Spans.Len() {
		n := int32(0)
		for _, sh := range tr.Spans.At(i) {
			n += sh.N
			pure = pure && tr.Slots[sh.Slot].Type == tr.Slots[tr.Spans.At(i)[0].Slot].Type
		}
		j := tr.Spans.Job[i]
		of[j] = append(of[j], n)
	}
	return of, pure
}

func TestPolluxGrowsByDoubling(t *testing.T) {
	tr := simtest.Run(t, elastic([]string{"a", "a", "a", "a"}, 1), "pollux", nil)
	of, _ := sizes(tr)
	most := int32(0)
	for _, n := range of[0] {
		if n > max(1, 2*most) {
			t.Fatalf("the job grows to %d GPUs, the most before were %d: %v", n, most, of[0])
		}
		most = max(most, n)
	}
	if most < 8 {
		t.Errorf("alone on 16 GPUs the job has at most %d", most)
	}
}

// TestPolluxServesAll: with p = −1 nobody goes without a GPU while there are as many as jobs. A start counts for
// nothing in the instant of arrival.
func TestPolluxServesAll(t *testing.T) {
	tr := simtest.Run(t, elastic([]string{"a", "a", "a"}, 12), "pollux", nil)
	for i := range tr.Jobs {
		if at := tr.Jobs[i].Start; at < 0 || at > 120*unit.Second {
			t.Errorf("job %d starts at %v s", i, at.Seconds())
		}
	}
}

func TestPolluxKeepsToOneType(t *testing.T) {
	tr := simtest.Run(t, elastic([]string{"a", "b", "a", "b", "b"}, 4), "pollux", nil)
	of, pure := sizes(tr)
	if !pure {
		t.Error("a gang is of several types")
	}
	if most := slices.Max(of[0]); most < 4 {
		t.Errorf("a job has at most %d GPUs", most)
	}
}

// TestPolluxKeepsSizes: a job of fixed size has that size or nothing, and all get their turn.
func TestPolluxKeepsSizes(t *testing.T) {
	p := elastic([]string{"a", "a", "b", "b"}, 5)
	for i, n := range []int32{8, 3, 0, 4, 0} {
		if n > 0 {
			p.Jobs[i].Shape = model.Shape{Size: n, Min: n, Max: n, Step: 1, Gangs: 1}
		}
	}
	tr := simtest.Run(t, p, "pollux", nil)
	of, _ := sizes(tr)
	for i := range tr.Jobs {
		if tr.Jobs[i].Finish < 0 {
			t.Errorf("job %d does not finish", i)
		}
		for _, n := range of[i] {
			if s := p.Jobs[i].Shape; n < s.Min || n > s.Max {
				t.Errorf("job %d has %d GPUs: %+v", i, n, s)
			}
		}
	}
}

// TestPolluxKnowsWhatItMeasures: what the scenario says of speeds to policies that read it changes nothing.
func TestPolluxKnowsWhatItMeasures(t *testing.T) {
	p := elastic([]string{"a", "a", "a"}, 5)
	want := simtest.Run(t, p, "pollux", nil).Hash()
	q := *p
	for i := range p.Tables {
		q.Know.Tables = append(q.Know.Tables, p.Tables[i].Scaled([]float64{float64(1 + i%7)}))
	}
	if simtest.Run(t, &q, "pollux", nil).Hash() != want {
		t.Error("believed speeds change what is decided")
	}
	q = *p
	q.Seed++
	if simtest.Run(t, &q, "pollux", nil).Hash() == want {
		t.Error("the seed changes nothing: is the search random at all?")
	}
}

func TestPolluxNeedsProfiles(t *testing.T) {
	spec, err := policy.Find("pollux")
	if err != nil {
		t.Fatal(err)
	}
	p := elastic([]string{"a"}, 2)
	if lacks := spec.Unmet(p); len(lacks) > 0 {
		t.Errorf("profiled jobs lack %v", lacks[0].Code)
	}
	p.Jobs[1].Profile = model.None
	if lacks := spec.Unmet(p); len(lacks) != 1 || lacks[0].Code != "needs-profiles" {
		t.Errorf("a job without a profile: %+v", lacks)
	}
}

// TestPolluxExplains: the chosen row of each job's table is the gang that it gets, a fair share on one node has speedup
// 1, and the allocation found is at least as fit as what the jobs held.
func TestPolluxExplains(t *testing.T) {
	p := elastic([]string{"a", "a", "a"}, 3)
	r := simtest.Start(t, p, "pollux", nil, sim.Options{})
	for round := range 8 {
		r.Explain(round)
		for r.Rounds() <= round && r.Step() {
		}
		d := r.Explained()
		found, held := simtest.Term(d.Sections, "of what was found"), simtest.Term(d.Sections, "of what the jobs held")
		if !(found >= held) {
			t.Errorf("decision %d: fitness %v, of what the jobs held %v", round, found, held)
		}
		for _, c := range d.Choices {
			size := int32(0)
			for _, g := range c.Gangs {
				for _, sh := range g {
					size += sh.N
				}
			}
			chosen := int32(0)
			for _, row := range simtest.Rows(c.Sections, "gpus") {
				if row["chosen"] == true {
					chosen = row["gpus"].(int32)
				}
				if e, ok := row["efficiency"].(float64); ok && !(e > 0 && e <= 1) {
					t.Errorf("decision %d: efficiency %v", round, e)
				}
				speedup := row["speedup"].(float64)
				// A fair share of 12 GPUs among 3 jobs is a node.
				if one := row["gpus"].(int32) == 4; one && speedup > 1 || row["gpus"].(int32) < 4 && speedup >= 1 {
					t.Errorf("decision %d: speedup %v on %d GPUs", round, speedup, row["gpus"])
				}
			}
			if chosen != size || c.Says.IsZero() {
				t.Errorf("decision %d: job %d has %d GPUs, said to be %d: %v", round, c.Job, size, chosen, c.Says)
			}
		}
	}
}
