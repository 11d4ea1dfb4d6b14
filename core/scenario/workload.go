package scenario

import "hadarlab/core/unit"

// knot says that a share P of durations is at most S seconds.
type knot struct{ P, S float64 }

// sizeShare is the share of jobs with so many GPUs, and their durations; no knots = those of the size
// before.
type sizeShare struct {
	gpus  int
	share float64
	knots []knot
}

// workload is a kind of generated jobs: its marginals. Sizes, durations, models and arrivals are drawn
// independently, but for what a size's own durations say. That makes them "-style": the traces they
// are named after have correlations that no table of shares holds.
type workload struct {
	kind  string
	sizes []sizeShare
	logs  []logPiece // instead of knots
	ref   string     // GPU type whose speed turns a duration into steps; "" = the job's fastest
}

// logPiece is a log-uniform part of durations: 60 s × 10^U(from, to).
type logPiece struct{ share, from, to float64 }

const defaultKind = "gavel-mix"

// workloads are the kinds by name. Sources stand in DATA.md.
var workloads = []workload{
	// Gavel's generator of jobs: 70/10/15/5 % on 1, 2, 4, 8 GPUs; a fifth of jobs is long.
	{kind: defaultKind, ref: "v100", sizes: []sizeShare{{1, 70, nil}, {2, 10, nil}, {4, 15, nil}, {8, 5, nil}}, logs: []logPiece{{0.8, 1.5, 3}, {0.2, 3, 4}}},
	// Run times of all GPU jobs of the four Helios clusters, at powers of two; sizes are the clusters'
	// shares weighted by their jobs. The two are independent here.
	{kind: "helios", sizes: []sizeShare{{1, 72.2, []knot{{0.04, 1}, {0.064, 4}, {0.107, 16}, {0.162, 32}, {0.249, 64}, {0.378, 128}, {0.566, 256}, {0.676, 512},
		{0.752, 1024}, {0.841, 2048}, {0.875, 4096}, {0.908, 8192}, {0.944, 16384}, {0.963, 32768}, {0.978, 65536}, {0.989, 131072}, {0.995, 262144},
		{0.999, 524288}, {1, 2097152}}}, {2, 2.5, nil}, {4, 5.8, nil}, {8, 14.2, nil}, {16, 3.1, nil}, {32, 1.6, nil}, {64, 0.4, nil}}},
	// Alibaba PAI 2020: quantiles read off a figure to a tenth; requests for a part of a GPU count as one.
	{kind: "pai", sizes: []sizeShare{{1, 97.3, []knot{{0.1, 25}, {0.25, 86}, {0.5, 514}, {0.75, 3260}, {0.9, 11500}, {0.95, 22000}}}, {2, 2.7, nil}}},
	// Philly, a cleaned table of 82,247 jobs: shares and quantiles by size.
	{kind: "philly", sizes: []sizeShare{
		{1, 93.17, philly(62, 122, 1117, 2716, 8512, 19137, 135404)},
		{2, 2.21, philly(11, 16, 21, 76, 73625, 197392, 526030)},
		{4, 2.27, philly(138, 772, 17431, 89422, 184519, 274339, 908661)},
		{8, 2.00, philly(216, 1871, 23683, 173288, 352409, 525631, 1066894)},
		{16, 0.24, philly(51, 380, 52548, 167367, 341346, 511238, 1369876)},
		{32, 0.08, philly(812, 1182, 14262, 53301, 64338, 78004, 128924)}}},
}

func philly(s ...float64) []knot {
	p := [...]float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}
	knots := make([]knot, len(p))
	for i := range p {
		knots[i] = knot{p[i], s[i]}
	}
	return knots
}

// hourly is how busy each hour of the day is, from midnight on, relative to the mean: Philly's
// arrivals (DATA.md).
var hourly = [24]float64{1.27, 0.98, 1.12, 1.10, 0.70, 1.15, 1.67, 2.09, 1.11, 1.01, 1.02, 0.87, 0.75, 0.70, 0.64, 0.65, 0.88, 0.67, 0.80, 0.73, 1.02, 0.92, 1.13, 1.01}

func findWorkload(kind string) *workload {
	for i := range workloads {
		if workloads[i].kind == kind {
			return &workloads[i]
		}
	}
	return nil
}

func workloadKinds() (kinds []string) {
	for i := range workloads {
		kinds = append(kinds, workloads[i].kind)
	}
	return kinds
}

// duration turns a uniform number into seconds for a job of so many GPUs: between knots the logarithm
// of the duration is linear, below the first one from 1 s on, beyond the last one it is the last.
func (w *workload) duration(u float64, gpus int) float64 {
	low := 0.0
	for _, p := range w.logs {
		if u < low+p.share || p == w.logs[len(w.logs)-1] {
			return 60 * pow10(p.from+float64((p.to-p.from)*min(1, (u-low)/p.share)))
		}
		low += p.share
	}
	var knots []knot
	for _, s := range w.sizes {
		if s.knots != nil && (knots == nil || s.gpus <= gpus) {
			knots = s.knots
		}
	}
	at := knot{0, 1}
	for _, k := range knots {
		if u < k.P {
			part := (u - at.P) / (k.P - at.P)
			from := unit.Log(at.S)
			return unit.Exp(from + float64(part*(unit.Log(k.S)-from)))
		}
		at = k
	}
	return at.S
}

func pow10(x float64) float64 { return unit.Exp(x * 2.302585092994046) }
