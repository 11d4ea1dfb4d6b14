package edit

import (
	"cmp"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Figure is one number of the document that a form edits.
type Figure struct {
	Path  string // pointer into the document, for its faults; also its name
	Name  string // in sentences
	Label string
	Help  string
	Range Range
	Empty string // what an empty field means, "" = it must not be empty; empty is 0
	Get   func(d *scenario.Document) float64
	Set   func(d *scenario.Document, v float64)
}

// SetFigure sets a figure.
type SetFigure struct {
	Figure
	Value float64
}

func (e SetFigure) Key() string { return e.Path }
func (e SetFigure) Change(d *scenario.Document) string {
	old := e.Get(d)
	if old == e.Value {
		return ""
	}
	e.Set(d, e.Value)
	return words.F("{0}: {1} to {2}", words.T(e.Name), e.describe(old), e.describe(e.Value))
}

func (f *Figure) describe(v float64) string {
	if v == 0 && f.Empty != "" {
		return words.T(f.Empty)
	}
	return f.Range.Say(v)
}

// Word is one text of the document that is chosen from a list.
type Word struct {
	Path, Name, Label, Help string
	Choices                 []string
	Titles                  []string // of the choices, as people say them
	Get                     func(d *scenario.Document) string
	Set                     func(d *scenario.Document, v string)
}

// SetWord chooses a word.
type SetWord struct {
	Word
	Value string
}

func (SetWord) Key() string { return "" }
func (e SetWord) Change(d *scenario.Document) string {
	old := e.Get(d)
	if old == e.Value {
		return ""
	}
	e.Set(d, e.Value)
	return words.F("{0}: {1} to {2}", words.T(e.Name), e.title(old), e.title(e.Value))
}

// Title is what the document has, in words.
func (w *Word) Title(d *scenario.Document) string { return w.title(w.Get(d)) }

func (w *Word) title(choice string) string {
	for i, c := range w.Choices {
		if c == choice && i < len(w.Titles) {
			return words.T(w.Titles[i])
		}
	}
	return choice
}

// Ranges of seconds and of shares.
var (
	anySeconds = Range{Min: 0, Max: 1e9, Unit: "s"}
	shareRange = Range{Min: 0, Max: 1}
)

// KnowledgeForm is what policies may know.
func KnowledgeForm() ([]Word, []Figure) {
	const at = "/scenario/knowledge/"
	know := func(d *scenario.Document) *scenario.Knowledge { return &d.Scenario.Knowledge }
	return []Word{
			{at + "lengths", "Known lengths", "Job lengths", "what policies know of the steps that jobs need",
				[]string{"true", "noisy", "unknown"}, []string{"true", "noisy", "unknown"},
				func(
					d *scenario.Document) string {
					return cmp.Or(know(d).Lengths, "true")
				}, func(d *scenario.Document, v string) { know(d).Lengths = v }},
			{at + "rates", "Known speeds", "Speeds", "what policies know of the throughputs", []string{"true", "noisy"},
				[]string{"true", "noisy"},
				func(
					d *scenario.Document) string {
					return cmp.Or(know(d).Rates, "true")
				}, func(d *scenario.Document, v string) { know(d).Rates = v }},
		}, []Figure{
			{Path: at + "error", Name: "Error of lengths", Label: "Error of lengths",
				Help:  "standard deviation of the logarithm of a factor for each job; counts when lengths are noisy",
				Range: Range{Min: 0, Max: 2, Open: true},
				Get:   func(d *scenario.Document) float64 { return cmp.Or(know(d).Error, 0.3) },
				Set:   func(d *scenario.Document, v float64) { know(d).Error = v }},
			{Path: at + "rate_error", Name: "Error of speeds", Label: "Error of speeds",
				Help:  "the same for each model and GPU type; counts when speeds are noisy",
				Range: Range{Min: 0, Max: 2, Open: true},
				Get:   func(d *scenario.Document) float64 { return cmp.Or(know(d).RateError, 0.1) },
				Set:   func(d *scenario.Document, v float64) { know(d).RateError = v }},
		}
}

// TenantForm is one tenant.
func TenantForm(i int) (Word, Figure) {
	at := "/scenario/tenants/" + itoa(i) + "/"
	of := func(d *scenario.Document) *scenario.Tenant {
		if i >= len(d.Scenario.Tenants) {
			return &scenario.Tenant{}
		}
		return &d.Scenario.Tenants[i]
	}
	return Word{at + "order", "Order within a tenant", "Order", "", []string{"fair", "fifo"},
			[]string{"fair by weight", "first in, first out"},
			func(
				d *scenario.Document) string {
				return cmp.Or(of(d).Order, "fair")
			}, func(d *scenario.Document, v string) { of(d).Order = v }},
		Figure{Path: at + "weight", Name: "Weight of a tenant", Label: "Weight",
			Range: Range{Min: 0, Max: 1e6, Open: true},
			Get:   func(d *scenario.Document) float64 { return of(d).Weight },
			Set:   func(d *scenario.Document, v float64) { of(d).Weight = v }}
}

// FaultForm are the numbers of one fault.
func FaultForm(i int) []Figure {
	at := "/scenario/faults/" + itoa(i) + "/"
	of := func(d *scenario.Document) *scenario.Fault {
		if i >= len(d.Scenario.Faults.List) {
			return &scenario.Fault{}
		}
		return &d.Scenario.Faults.List[i]
	}
	return []Figure{
		{Path: at + "at_s", Name: "Instant of a fault", Label: "At", Range: anySeconds,
			Get: func(d *scenario.Document) float64 { return of(d).AtS },
			Set: func(d *scenario.Document, v float64) { of(d).AtS = v }},
		{Path: at + "gpus", Name: "GPUs of a fault", Label: "GPUs", Range: Range{Min: 0, Max: 4096, Whole: true},
			Empty: "all", Get: func(d *scenario.Document) float64 { return float64(of(d).GPUs) },
			Set: func(d *scenario.Document, v float64) { of(d).GPUs = int(v) }},
		{Path: at + "repair_s", Name: "Repair", Label: "Repair", Range: anySeconds, Empty: "never",
			Get: func(d *scenario.Document) float64 { return of(d).RepairS },
			Set: func(d *scenario.Document, v float64) { of(d).RepairS = v }},
	}
}

// FailingForm are the figures of nodes that fail at random.
func FailingForm() []Figure {
	const at = "/scenario/faults/generator/"
	of := func(d *scenario.Document) *scenario.FaultGenerator {
		if d.Scenario.Faults.Generator == nil {
			return &scenario.FaultGenerator{}
		}
		return d.Scenario.Faults.Generator
	}
	return []Figure{
		{Path: at + "mtbf_h", Name: "Time between failures", Label: "Between failures",
			Help: "mean of each node, from a repair to the next failure", Range: Range{Min: 0.001, Max: 1e7, Unit: "h"},
			Get: func(d *scenario.Document) float64 { return of(d).MTBFH },
			Set: func(d *scenario.Document, v float64) { of(d).MTBFH = v }},
		{Path: at + "mttr_s", Name: "Time to repair", Label: "Repair", Help: "mean",
			Range: Range{Min: 0.001, Max: 1e9, Unit: "s"},
			Get:   func(d *scenario.Document) float64 { return of(d).MTTRS },
			Set:   func(d *scenario.Document, v float64) { of(d).MTTRS = v }},
		{Path: at + "until_s", Name: "Last failure", Label: "Last failure",
			Help: "empty: the horizon, or 30 days after the last arrival", Range: anySeconds, Empty: "as the horizon",
			Get: func(d *scenario.Document) float64 { return of(d).UntilS },
			Set: func(d *scenario.Document, v float64) { of(d).UntilS = v }},
	}
}

// GrowthForm are the numbers of one change of the cluster.
func GrowthForm(i int) []Figure {
	at := "/scenario/cluster/changes/" + itoa(i) + "/"
	of := func(d *scenario.Document) *scenario.Change {
		if i >= len(d.Scenario.Cluster.Changes) {
			return &scenario.Change{}
		}
		return &d.Scenario.Cluster.Changes[i]
	}
	return []Figure{
		{Path: at + "at_s", Name: "Instant of a change", Label: "From", Range: anySeconds,
			Get: func(d *scenario.Document) float64 { return of(d).AtS },
			Set: func(d *scenario.Document, v float64) { of(d).AtS = v }},
		{Path: at + "gpus", Name: "GPUs from then on", Label: "GPUs", Range: Range{Min: 0, Max: 4096, Whole: true},
			Get: func(d *scenario.Document) float64 { return float64(of(d).GPUs) },
			Set: func(d *scenario.Document, v float64) { of(d).GPUs = int(v) }},
	}
}

// CheckpointPeriod is the figure of the checkpoints that a fault falls back to.
func CheckpointPeriod() Figure {
	return Figure{Path: "/scenario/overheads/checkpoint_every_s", Name: "Checkpoint period", Label: "Checkpoint every",
		Help: "a fault costs the work since; empty: nothing is lost", Range: anySeconds, Empty: "every step",
		Get: func(d *scenario.Document) float64 { return d.Scenario.Overheads.CheckpointEveryS },
		Set: func(d *scenario.Document, v float64) { d.Scenario.Overheads.CheckpointEveryS = v }}
}

// OverheadForm are the stalls of one model; what it does not state is as for the others.
func OverheadForm(i int) []Figure {
	figure := func(member, name string, own func(m *scenario.ModelOverheads) **float64,
		all func(o *scenario.Overheads) float64) Figure {
		return Figure{Path: "/scenario/overheads/models/" + itoa(i) + "/" + member,
			Name: words.F("{0} of a model", words.T(name)), Label: name, Range: anySeconds,
			Get: func(d *scenario.Document) float64 {
				o := &d.Scenario.Overheads
				if i < len(o.Models) && *own(&o.Models[i]) != nil {
					return **own(&o.Models[i])
				}
				return all(o)
			}, Set: func(d *scenario.Document, v float64) { *own(&d.Scenario.Overheads.Models[i]) = &v }}
	}
	return []Figure{
		figure("checkpoint_s", "Checkpoint", func(m *scenario.ModelOverheads) **float64 { return &m.CheckpointS },
			func(o *scenario.Overheads) float64 { return o.CheckpointS }),
		figure("restart_s", "Restart", func(m *scenario.ModelOverheads) **float64 { return &m.RestartS },
			func(o *scenario.Overheads) float64 { return o.RestartS }),
		figure("merge_s", "Merge", func(m *scenario.ModelOverheads) **float64 { return &m.MergeS },
			func(o *scenario.Overheads) float64 { return o.MergeS }),
		figure("checkpoint_every_s", "Every", func(m *scenario.ModelOverheads) **float64 { return &m.CheckpointEveryS },
			func(o *scenario.Overheads) float64 { return o.CheckpointEveryS }),
	}
}
