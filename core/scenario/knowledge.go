package scenario

import (
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
	Extra     Extra
}

var knowledgeMembers = members{may: []string{"lengths", "error", "rates", "rate_error"}}

const (
	knowTrue         = "true"
	knowNoisy        = "noisy"
	knowUnknown      = "unknown"
	defaultError     = 0.3
	defaultRateError = 0.1
	maxError         = 2
	atKnowledge      = "/scenario/knowledge"
)

func (r *reader) knowledge(i int, k *Knowledge) {
	k.Extra = r.object(i, &knowledgeMembers, func(name string, v int) {
		switch name {
		case "lengths":
			r.word(v, &k.Lengths, knowTrue)
		case "error":
			r.positive(v, &k.Error, defaultError)
		case "rates":
			r.word(v, &k.Rates, knowTrue)
		case "rate_error":
			r.positive(v, &k.RateError, defaultRateError)
		}
	})
}

// word reads a text; def becomes "", which stands for it.
func (r *reader) word(v int, to *string, def string) {
	if r.text(v, to); *to == def {
		*to = ""
	}
}

// positive reads a number; def becomes 0, which stands for it in a document made in code. In a text 0
// is a mistake.
func (r *reader) positive(v int, to *float64, def float64) {
	r.number(v, to)
	if r.t.kind(v) == kNumber && *to == 0 {
		r.fail(r.pointer(), codeRange, r.who()+r.label()+" is 0; it must be above 0", "Set "+r.label()+" to a number above 0, or leave it out.")
	}
	if *to == def {
		*to = 0
	}
}

func (c *checker) knowledge(k *Knowledge) {
	p := place{list: atKnowledge, index: -1}
	c.choice(p.at("lengths"), "", "lengths", orDefault(k.Lengths, knowTrue), knowTrue, knowNoisy, knowUnknown)
	c.choice(p.at("rates"), "", "rates", orDefault(k.Rates, knowTrue), knowTrue, knowNoisy)
	c.within(p.at("error"), "", "error", k.Error, 0, maxError, "")
	c.within(p.at("rate_error"), "", "rate_error", k.RateError, 0, maxError, "")
}

func (w *writer) knowledge(k *Knowledge) {
	lengths, rates := orDefault(k.Lengths, knowTrue), orDefault(k.Rates, knowTrue)
	e, re := orDefault(k.Error, defaultError), orDefault(k.RateError, defaultRateError)
	n := len(k.Extra)
	if lengths != knowTrue || rates != knowTrue || round9(e) != defaultError || round9(re) != defaultRateError {
		n++
	}
	w.mapping("knowledge", n, func() {
		w.textOr("lengths", lengths, knowTrue)
		w.numberOr("error", e, defaultError)
		w.textOr("rates", rates, knowTrue)
		w.numberOr("rate_error", re, defaultRateError)
		w.extra(k.Extra)
	})
}

// compileKnowledge draws the beliefs: lengths in the order of the document's jobs, speeds in that
// of its rows and, for each, its types by name.
func compileKnowledge(s *Scenario, p *model.Problem, tables []int32) {
	k := &s.Knowledge
	switch orDefault(k.Lengths, knowTrue) {
	case knowUnknown:
		p.Know.HideLengths = true
	case knowNoisy:
		rng := unit.Stream(s.Seed, "knowledge of lengths")
		e := round9(orDefault(k.Error, defaultError))
		of := make([]float64, len(s.Jobs))
		for i := range of {
			of[i] = unit.Exp(e * unit.Normal(rng))
		}
		p.Know.LengthFactor = make([]float64, len(p.Jobs))
		for j := range p.Jobs {
			p.Know.LengthFactor[j] = of[p.Jobs[j].Doc]
		}
	}
	if orDefault(k.Rates, knowTrue) != knowNoisy {
		return
	}
	rng := unit.Stream(s.Seed, "knowledge of rates")
	e := round9(orDefault(k.RateError, defaultRateError))
	factors := make([][]float64, len(p.Tables))
	p.Know.Tables = make([]model.Throughput, len(p.Tables))
	for _, t := range tables {
		factor := make([]float64, len(p.Cluster.Types))
		for i := range factor {
			factor[i] = unit.Exp(e * unit.Normal(rng))
		}
		if t >= 0 {
			factors[t], p.Know.Tables[t] = factor, p.Tables[t].Scaled(factor)
		}
	}
	for _, q := range p.Pairs {
		q.RateA = unit.Rate(float64(q.RateA) * factors[q.A][q.Type])
		q.RateB = unit.Rate(float64(q.RateB) * factors[q.B][q.Type])
		p.Know.Pairs = append(p.Know.Pairs, q)
	}
}
