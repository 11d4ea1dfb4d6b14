package scenario

import (
	"cmp"
	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Knowledge says what policies may know of the truth, alike for all of them. A factor on a length or
// a speed is log-normal, exp(error × z) with z standard normal: its median is 1, twice too long is
// as likely as half as long, and no belief is ever zero or negative.
type Knowledge struct {
	Lengths   string  // "" = "true", the default; "noisy", a factor for each job; "unknown"
	Error     float64 // standard deviation of the logarithm of a length's factor; 0 = the default, 0.3
	Rates     string  // "" = "true", the default; "noisy", a factor for each row and GPU type
	RateError float64 // of a speed's factor; 0 = the default, 0.1
	Extra     jsondoc.Extra
}

var _ = describe[Knowledge](table{
	{name: "lengths", words: []string{knowTrue, knowNoisy, knowUnknown}},
	{name: "error", high: maxError, def: defaultError, zero: true},
	{name: "rates", words: []string{knowTrue, knowNoisy}},
	{name: "rate_error", high: maxError, def: defaultRateError, zero: true},
})

const (
	knowTrue         = "true"
	knowNoisy        = "noisy"
	knowUnknown      = "unknown"
	defaultError     = 0.3
	defaultRateError = 0.1
	maxError         = 2
	atKnowledge      = "/scenario/knowledge"
)

// compileKnowledge draws the beliefs, given the row of each table: lengths in the order of the document's jobs, speeds
// in that of its rows and, for each, its types by name.
func compileKnowledge(s *Scenario, p *model.Problem, rows int, rowOf []int32) {
	k := &s.Knowledge
	switch cmp.Or(k.Lengths, knowTrue) {
	case knowUnknown:
		p.Know.HideLengths = true
	case knowNoisy:
		of := generate.LengthFactors(s.Seed, cmp.Or(k.Error, defaultError), len(s.Jobs))
		p.Know.LengthFactor = make([]float64, len(p.Jobs))
		for j := range p.Jobs {
			p.Know.LengthFactor[j] = of[p.Jobs[j].Doc]
		}
	}
	if cmp.Or(k.Rates, knowTrue) != knowNoisy {
		return
	}
	byRow := generate.RateFactors(s.Seed, cmp.Or(k.RateError, defaultRateError), rows, len(p.Cluster.Types))
	factors := make([][]float64, len(p.Tables))
	p.Know.Tables = make([]model.Throughput, len(p.Tables))
	for t, row := range rowOf {
		if base := s.Throughputs.Rows[row].base; base > 0 { // a model is believed as fast for whoever may use less
			row = int32(base - 1)
		}
		factors[t], p.Know.Tables[t] = byRow[row], p.Tables[t].Scaled(byRow[row])
	}
	for _, q := range p.Pairs {
		q.RateA = unit.Rate(float64(q.RateA) * factors[q.A][q.Type])
		q.RateB = unit.Rate(float64(q.RateB) * factors[q.B][q.Type])
		p.Know.Pairs = append(p.Know.Pairs, q)
	}
}
