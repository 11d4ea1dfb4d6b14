package generate

import (
	"cmp"
	"strconv"

	"hadarlab/core/unit"
)

// sizeShare is the share of jobs with so many GPUs, and how long they take: s[i] seconds at most for
// the share at[i] of its workload. No seconds = those of the size before.
type sizeShare struct {
	gpus  int
	share float64
	s     []float64
}

// workload is a kind of generated jobs: its marginals. Sizes, durations, models and arrivals are drawn
// independently, but for what a size's own durations say. That makes them "-style": the traces they
// are named after have correlations that no table of shares holds.
type workload struct {
	kind  string
	at    []float64 // shares at which durations are known
	sizes []sizeShare
	logs  []logPiece // instead of known durations
	ref   string     // GPU type whose speed turns a duration into steps; "" = the job's fastest
}

// logPiece is a log-uniform part of durations: 60 s × 10^U(from, to).
type logPiece struct{ share, from, to float64 }

// workloads are the kinds, the default first. Sources stand in DATA.md.
var workloads = []workload{
	// Gavel's generator of jobs: 70/10/15/5 % on 1, 2, 4, 8 GPUs; a fifth of jobs is long.
	{kind: "gavel-mix", ref: "v100", sizes: []sizeShare{{1, 70, nil}, {2, 10, nil}, {4, 15, nil}, {8, 5, nil}},
		logs: []logPiece{{0.8, 1.5, 3}, {0.2, 3, 4}}},
	// Run times of all GPU jobs of the four Helios clusters, at powers of two; sizes are the clusters'
	// shares weighted by their jobs. The two are independent here.
	{kind: "helios", at: []float64{0.04, 0.064, 0.107, 0.162, 0.249, 0.378, 0.566, 0.676, 0.752, 0.841, 0.875, 0.908,
		0.944, 0.963, 0.978, 0.989, 0.995, 0.999, 1},
		sizes: []sizeShare{{1, 72.2, []float64{1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768,
			65536, 131072, 262144, 524288, 2097152}},
			{2, 2.5, nil}, {4, 5.8, nil}, {8, 14.2, nil}, {16, 3.1, nil}, {32, 1.6, nil}, {64, 0.4, nil}}},
	// Alibaba PAI 2020: quantiles read off a figure to a tenth; requests for a part of a GPU count as one.
	{kind: "pai", at: []float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.95},
		sizes: []sizeShare{{1, 97.3, []float64{25, 86, 514, 3260, 11500, 22000}}, {2, 2.7, nil}}},
	// Philly, a cleaned table of 82,247 jobs: shares and quantiles by size.
	{kind: "philly", at: []float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}, sizes: []sizeShare{
		{1, 93.17, []float64{62, 122, 1117, 2716, 8512, 19137, 135404}},
		{2, 2.21, []float64{11, 16, 21, 76, 73625, 197392, 526030}},
		{4, 2.27, []float64{138, 772, 17431, 89422, 184519, 274339, 908661}},
		{8, 2.00, []float64{216, 1871, 23683, 173288, 352409, 525631, 1066894}},
		{16, 0.24, []float64{51, 380, 52548, 167367, 341346, 511238, 1369876}},
		{32, 0.08, []float64{812, 1182, 14262, 53301, 64338, 78004, 128924}}}},
}

// hourly is how busy each hour of the day is, from midnight on, relative to the mean: Philly's
// arrivals (DATA.md).
var hourly = [24]float64{1.27, 0.98, 1.12, 1.10, 0.70, 1.15, 1.67, 2.09, 1.11, 1.01, 1.02, 0.87, 0.75, 0.70, 0.64, 0.65,
	0.88, 0.67, 0.80, 0.73, 1.02, 0.92, 1.13, 1.01}

// Kinds names the kinds of generated jobs, the default first.
func Kinds() (out []string) {
	for i := range workloads {
		out = append(out, workloads[i].kind)
	}
	return out
}

// find is the kind of a name, "" = the default; nil for an unknown one.
func find(kind string) *workload {
	for i := range workloads {
		if workloads[i].kind == cmp.Or(kind, workloads[0].kind) {
			return &workloads[i]
		}
	}
	return nil
}

// Reference is the GPU type on which the durations of a kind hold; "" = the fastest of each job.
func Reference(kind string) string {
	if w := find(kind); w != nil {
		return w.ref
	}
	return ""
}

// SizeShares are the shares of jobs by gang size of a kind of generated jobs, "" = the default; nil for an unknown one.
func SizeShares(kind string) map[string]float64 {
	w := find(kind)
	if w == nil {
		return nil
	}
	out := map[string]float64{}
	for _, z := range w.sizes {
		out[strconv.Itoa(z.gpus)] = z.share
	}
	return out
}

// duration turns a uniform number into seconds for a job of so many GPUs: between known shares the
// logarithm of the duration is linear, below the first one from 1 s on, beyond the last one it is the last.
func (w *workload) duration(u float64, gpus int) float64 {
	low := 0.0
	for i, p := range w.logs {
		if u < low+p.share || i+1 == len(w.logs) {
			return 60 * pow10(p.from+float64((p.to-p.from)*min(1, (u-low)/p.share)))
		}
		low += p.share
	}
	var known []float64
	for i := range w.sizes {
		if z := &w.sizes[i]; z.s != nil && (known == nil || z.gpus <= gpus) {
			known = z.s
		}
	}
	share, s := 0.0, 1.0
	for i, at := range w.at {
		if u < at {
			from := unit.Log(s)
			return unit.Exp(from + float64((u-share)/(at-share)*(unit.Log(known[i])-from)))
		}
		share, s = at, known[i]
	}
	return s
}

func pow10(x float64) float64 { return unit.Exp(x * 2.302585092994046) }
