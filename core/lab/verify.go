package lab

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// ResultFile is a result as `run --format json` printed it, with or without its scenario.
type ResultFile struct {
	Version    int             `json:"version"` // 0 = absent, as release 0.1.0 left it: 1
	Engine     string          `json:"engine"`
	ScenarioID string          `json:"scenario_id"`
	Runs       []ResultRun     `json:"runs"`
	Scenario   json.RawMessage `json:"scenario,omitempty"`
	Summary    struct {
		LengthNoise float64 `json:"length_noise"`
	} `json:"summary"`
}

// ResultRun is one run of a ResultFile. Metrics are kept by name: a file may lack some of ours, or
// have some that we do not know.
type ResultRun struct {
	Policy    string             `json:"policy"`
	Rev       int                `json:"rev,omitempty"` // absent = 1
	Params    map[string]any     `json:"params"`
	Force     json.RawMessage    `json:"force,omitempty"`
	Seed      uint64             `json:"seed"`
	Outcome   string             `json:"outcome"`
	Metrics   map[string]float64 `json:"metrics"`
	TraceHash string             `json:"trace_hash"`
	Jobs      []message.JobRow   `json:"jobs"`
}

// Tolerance is the relative difference up to which two figures count as the same.
const Tolerance = 1e-9

var startResult = words.Say(`Give a file that hadarlab run --format json printed: {"engine":…,"scenario_id":…,"runs":[…]}.`)

// ParseResult reads a result file; it is nil exactly when there are errors.
func ParseResult(data []byte) (*ResultFile, jsondoc.Diagnostics) {
	var f struct {
		Kind string `json:"kind"`
		ResultFile
	}
	diags := jsondoc.Unmarshal(data, scenario.FileLimits.Limits, startResult, &f)
	fail := func(path, code string, msg words.Text) { // faults of the text come first, and alone
		diags = append(diags, jsondoc.Error(path, code, msg, startResult))
	}
	switch {
	case diags.HasErrors():
	case f.Kind == scenario.Kind:
		fail("/kind", "wrong-kind", words.Say("this is a scenario, not a result"))
	case f.Version > message.LatestResult:
		d, _ := jsondoc.Version(f.Version, message.LatestResult)
		diags = append(diags, d)
	case len(f.Runs) == 0:
		fail("/runs", "missing-member", words.Say("the result holds no runs"))
	default:
		for i := range f.Runs {
			if r := &f.Runs[i]; r.Policy == "" || r.TraceHash == "" {
				fail("/runs/"+itoa(i), "missing-member", words.Say("run {0} has no policy or no trace_hash", i+1))
			}
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	return &f.ResultFile, diags
}

// Difference is one figure of a run that did not come out again.
type Difference struct{ What, Was, Is string }

// Compare says how a new run differs from the one in the file.
func (r *ResultRun) Compare(l *message.Lane) (out []Difference) {
	text := func(what, was, is string) {
		if was != is {
			out = append(out, Difference{what, was, is})
		}
	}
	number := func(what string, was, is float64) {
		if !same(was, is) {
			out = append(out, Difference{what, digits(was), digits(is)})
		}
	}
	text("trace_hash", r.TraceHash, l.TraceHash)
	text("outcome", r.Outcome, l.Outcome)
	now := figures(&l.Metrics)
	for _, name := range sorted(r.Metrics) {
		if is, ok := now[name]; ok {
			number(name, r.Metrics[name], is)
		} else {
			text(name, digits(r.Metrics[name]), "not a metric of this release")
		}
	}
	if r.Jobs == nil {
		return out
	}
	text("jobs", itoa(len(r.Jobs)), itoa(len(l.Jobs)))
	for i := range min(len(r.Jobs), len(l.Jobs)) {
		was, is := &r.Jobs[i], &l.Jobs[i]
		text("job "+itoa(i+1), was.ID, is.ID)
		number(is.ID+" arrival_s", was.ArrivalS, is.ArrivalS)
		number(is.ID+" start_s", orNaN(was.StartS), orNaN(is.StartS))
		number(is.ID+" finish_s", orNaN(was.FinishS), orNaN(is.FinishS))
		number(is.ID+" gpu_s", was.GPUS, is.GPUS)
		number(is.ID+" restarts", float64(was.Restarts), float64(is.Restarts))
	}
	return out
}

func same(a, b float64) bool {
	return math.Abs(a-b) <= float64(Tolerance*max(1, math.Abs(a), math.Abs(b))) || math.IsNaN(a) && math.IsNaN(b)
}

func orNaN(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

func digits(v float64) string {
	if math.IsNaN(v) {
		return "none"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// figures are metrics by their names in results.
func figures(m *message.Metrics) (out map[string]float64) {
	b, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		panic("lab: metrics: " + err.Error()) // plain numbers
	}
	return out
}

func sorted(m map[string]float64) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
