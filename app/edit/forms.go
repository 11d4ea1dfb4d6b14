package edit

import (
	"cmp"

	"hadarlab/app/words"
	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Figure is one number of the document that a form edits.
type Figure struct {
	Path  string // pointer into the document, for its faults; also its name
	Name  string // in sentences
	Label string
	Help  string
	Range Range
	Empty string // what an empty field means, "" = it must not be empty; empty is 0
	Else  string // pointer of the number that holds where this one is left out
}

// number is the figure at a pointer. What it may be is the document's to say.
func number(path, name, label, help, empty string) Figure {
	v, _ := new(scenario.Document).Value(path)
	return Figure{Path: path, Name: name, Label: label, Help: help, Empty: empty,
		Range: Range{Min: v.Low, Max: v.High, Open: v.Above && empty == "", Whole: v.Whole, Unit: v.Unit}}
}

// Get is what stands in the field: what the document has, 0 = empty where that means something.
func (f *Figure) Get(d *scenario.Document) float64 {
	if f.Empty == "" {
		return f.Holds(d)
	}
	v, _ := d.Value(f.Path)
	n, _ := v.Number()
	return n
}

// Holds is what counts: what the document has, or what stands for it where it is left out.
func (f *Figure) Holds(d *scenario.Document) float64 {
	v, _ := d.Value(f.Path)
	n, has := v.Number()
	if !has && f.Else != "" {
		other, _ := d.Value(f.Else)
		n, _ = other.Number()
	}
	return cmp.Or(n, v.Default)
}

// SetFigure sets a figure.
type SetFigure struct {
	Figure
	Value float64
}

// Of is the edit with another number.
func (e SetFigure) Of(v float64) Edit {
	e.Value = v
	return e
}

func (e SetFigure) Key() string { return e.Path }
func (e SetFigure) Change(d *scenario.Document) string {
	v, _ := d.Value(e.Path)
	old := e.Get(d)
	if old == e.Value || !v.Found() {
		return ""
	}
	v.SetNumber(e.Value)
	was, now := FormatNumber(old), e.Range.Say(e.Value)
	if e.Empty != "" && old == 0 {
		was = words.T(e.Empty)
	}
	if e.Empty != "" && e.Value == 0 {
		now = words.T(e.Empty)
	}
	return words.F("{0}: {1} to {2}", words.T(e.Name), was, now)
}

// Word is one text of the document that is chosen from a list.
type Word struct {
	Path, Name, Label, Help string
	Choices                 []string
	Titles                  []string                   // of the choices, as people say them
	Then                    func(d *scenario.Document) // what else a choice needs, nil = nothing
}

// choice is the text at a pointer, with a title for each of its choices.
func choice(path, name, label, help string, titles ...string) Word {
	v, _ := new(scenario.Document).Value(path)
	return Word{Path: path, Name: name, Label: label, Help: help, Choices: v.Choices, Titles: titles}
}

// Get is what the document has.
func (w *Word) Get(d *scenario.Document) string {
	v, _ := d.Value(w.Path)
	return v.Text()
}

// SetWord chooses a word.
type SetWord struct {
	Word
	Value string
}

func (e SetWord) Change(d *scenario.Document) string {
	v, _ := d.Value(e.Path)
	old := v.Text()
	if old == e.Value || !v.Found() {
		return ""
	}
	v.SetText(e.Value)
	if e.Then != nil {
		e.Then(d)
	}
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

// KnowledgeForm is what policies may know.
func KnowledgeForm() ([]Word, []Figure) {
	const at = "/scenario/knowledge/"
	return []Word{
			choice(at+"lengths", "Known lengths", "Job lengths", "what policies know of the steps that jobs need",
				"true", "noisy", "unknown"),
			choice(at+"rates", "Known speeds", "Speeds", "what policies know of the throughputs", "true", "noisy"),
		}, []Figure{
			number(at+"error", "Error of lengths", "Error of lengths",
				"standard deviation of the logarithm of a factor for each job; counts when lengths are noisy", ""),
			number(at+"rate_error", "Error of speeds", "Error of speeds",
				"the same for each model and GPU type; counts when speeds are noisy", ""),
		}
}

// TenantForm is one tenant.
func TenantForm(i int) (Word, Figure) {
	at := "/scenario/tenants/" + itoa(i) + "/"
	return choice(at+"order", "Order within a tenant", "Order", "", "fair by weight", "first in, first out"),
		number(at+"weight", "Weight of a tenant", "Weight", "", "")
}

// FaultForm are the numbers of one fault.
func FaultForm(i int) []Figure {
	at := "/scenario/faults/" + itoa(i) + "/"
	return []Figure{number(at+"at_s", "Instant of a fault", "At", "", ""),
		number(at+"gpus", "GPUs of a fault", "GPUs", "", "all"), number(at+"repair_s", "Repair", "Repair", "", "never")}
}

// FailingForm are the figures of nodes that fail at random.
func FailingForm() []Figure {
	const at = "/scenario/faults/generator/"
	return []Figure{
		number(at+"mtbf_h", "Time between failures", "Between failures",
			"mean of each node, from a repair to the next failure", ""),
		number(at+"mttr_s", "Time to repair", "Repair", "mean", ""),
		number(at+"until_s", "Last failure", "Last failure", "empty: the horizon, or 30 days after the last arrival",
			"as the horizon"),
	}
}

// GrowthForm are the numbers of one change of the cluster.
func GrowthForm(i int) []Figure {
	at := "/scenario/cluster/changes/" + itoa(i) + "/"
	return []Figure{number(at+"at_s", "Instant of a change", "From", "", ""),
		number(at+"gpus", "GPUs from then on", "GPUs", "", "")}
}

// BatchForm is the batch of an elastic job whose model is profiled.
func BatchForm(job int) Word {
	return choice("/scenario/jobs/"+itoa(job)+"/elastic/batch", "Batch on other sizes", "Batch", "", "best", "fixed")
}

// SplitForm is how the GPUs of a job's gang of several types share its batch.
func SplitForm(job int) Word {
	return choice("/scenario/jobs/"+itoa(job)+"/batch_split", "Batch split", "Batch split",
		"alike: all wait for the slowest GPU of a gang of several types; by speed: each has as many examples as it trains in the same time; learned: the same, found out by measuring",
		"alike", "by speed", "learned")
}

// NetworkForm is what averaging gradients costs between GPUs; it is for documents with a network.
func NetworkForm() ([]Word, []Figure) {
	of := func(member, name, help string) Figure { return setting("cluster/network/"+member, name, help) }
	shared := choice("/scenario/cluster/network/shared_links", "Links between nodes", "Links between nodes",
		"each gang over several nodes has them to itself, or those that use one network card or a rack’s uplink slow each other",
		"not shared", "shared")
	return []Word{shared}, []Figure{
		of("node_gb_per_s", "Bandwidth in a node", "between its GPUs"),
		of("nic_gb_per_s", "Bandwidth of a node", "to other nodes of its rack"),
		of("oversubscription", "Oversubscription", "to other racks a node has its bandwidth divided by this"),
		of("congestion", "Congestion", "divides what every node has to all others"),
		of("node_latency_us", "Latency in a node", "of a step of the ring"),
		of("rack_latency_us", "Latency in a rack", "the same between nodes"),
		of("across_latency_us", "Latency across racks", "the same between racks"),
		of("overlap", "Overlap", "part of the backward pass behind which communication hides, from 0 to 1"),
	}
}

// Networked says whether a document has a network.
func Networked(d *scenario.Document) bool {
	v, _ := d.Value("/scenario/cluster/network/nic_gb_per_s")
	return v.Found()
}

// GradientForm is how much a step of a row's model exchanges.
func GradientForm(row int) Figure {
	return number("/scenario/throughputs/rows/"+itoa(row)+"/gradient_mb", "Gradients", "Gradients, MB", "", "none")
}

// Gradients says whether rows show how much they exchange: where there is a network, or one says it.
func Gradients(d *scenario.Document) bool {
	some := Networked(d)
	for i := range d.Scenario.Throughputs.Rows {
		f := GradientForm(i)
		some = some || f.Get(d) > 0
	}
	return some
}

// CheckpointPeriod is the figure of the checkpoints that a fault falls back to.
func CheckpointPeriod() Figure {
	return number("/scenario/overheads/checkpoint_every_s", "Checkpoint period", "Checkpoint every",
		"a fault costs the work since; empty: nothing is lost", "every step")
}

// OverheadForm are the stalls of one model; what it does not state is as for the others.
func OverheadForm(i int) []Figure {
	of := func(member, name string) Figure {
		f := number("/scenario/overheads/models/"+itoa(i)+"/"+member, "", "", "", "")
		f.Name, f.Label, f.Else = words.F("{0} of a model", words.T(name)), name, "/scenario/overheads/"+member
		return f
	}
	return []Figure{of("checkpoint_s", "Checkpoint"), of("restart_s", "Restart"), of("merge_s", "Merge"),
		of("checkpoint_every_s", "Every")}
}

// Settings of the run.
const (
	Round = iota
	Horizon
	Checkpoint
	Restart
	Merge
	Seed
)

// setting is a number of the scenario with its name and what it means.
func setting(member, name, help string) Figure {
	f := number("/scenario/"+member, "", "", "", "")
	f.Name, f.Label, f.Help = name, name, help
	return f
}

// RunForm are the settings of the run, in the order above.
func RunForm() []Figure {
	return []Figure{
		setting("round_s", "Round length", "how often round-based policies decide"),
		setting("horizon_s", "Horizon", "end of the simulation; 0 = none"),
		setting("overheads/checkpoint_s", "Checkpoint", "added unless it is the first start"),
		setting("overheads/restart_s", "Restart", "stall when a gang starts or changes"),
		setting("overheads/merge_s", "Merge", "stall of forked copies each round"),
		setting("seed", "Seed", "of everything random"),
	}
}

// WindowForm are the jobs that are measured; it is for documents that measure some of them.
func WindowForm() []Figure {
	return []Figure{
		setting("window/from", "Jobs before them", "arrive first, and fill the cluster"),
		setting("window/jobs", "Jobs measured", "by order of arrival; the run ends when they have finished"),
	}
}

// Rename sets the title.
type Rename struct{ Title string }

func (Rename) Key() string { return "title" }
func (e Rename) Change(d *scenario.Document) string {
	if d.Meta.Title == e.Title {
		return ""
	}
	d.Meta.Title = e.Title
	return words.F("Title: {0}", jsondoc.ClipTo(e.Title, 24))
}

// GeneratorForm is how jobs are drawn; it is for documents with a generator.
func GeneratorForm() ([]Word, []Figure) {
	const at = "/scenario/jobs/generator/"
	of := func(member, name, help, empty string) Figure {
		f := number(at+member, "", "", "", empty)
		f.Name, f.Label, f.Help = name, name, help
		return f
	}
	process := choice(at+"arrivals/process", "Arrivals", "Arrivals", "", "all at 0", "Poisson", "in bursts",
		"by the hour of the day")
	process.Then = needRate
	count := number(at+"count", "Jobs to draw", "Jobs", "empty: as many as arrive in the time below",
		"as many as arrive")
	count.Range.Max = MostJobs
	rate := of("arrivals/rate_per_h", "Arrival rate", "mean jobs per hour; for all but arrivals at 0", "none")
	rate.Range = Range{Max: rate.Range.Max, Unit: "jobs/h"}
	return []Word{
			choice(at+"kind", "Kind of jobs", "Kind", "sizes and lengths in the style of that workload", "Gavel’s mix",
				"Helios-style", "PAI-style", "Philly-style"),
			process,
		}, []Figure{count,
			of("duration_s", "Time of arrivals", "jobs arrive within it; empty: until there are enough", "no end"),
			rate,
			of("arrivals/burst", "Jobs in a burst", "mean; for bursts only", "10"),
			of("arrivals/burst_gap_s", "Gap in a burst", "mean time between its jobs", "10 s"),
			of("lengths/scale", "Length factor", "on every job’s length", "1"),
			of("lengths/median_s", "Median length", "lengths are log-normal around it; empty: those of the kind",
				"as the kind"),
			of("lengths/sigma", "Spread of lengths", "standard deviation of their logarithm; counts with a median",
				"0"),
			of("lengths/min_s", "Shortest job", "what is shorter takes so long", "1 s"),
			of("lengths/max_s", "Longest job", "what is longer takes so long", "no bound"),
			of("priority_share", "Share with priority", "of the jobs, from 0 to 1: their weight is 5", "none"),
			of("slo_share", "Share with a deadline", "of the jobs, from 0 to 1", "none"),
		}
}

// needRate gives a process of arrivals the rate that it needs.
func needRate(d *scenario.Document) {
	if a := &d.Scenario.Generator.Arrivals; a.Process != generate.Static && a.RatePerH == 0 {
		a.RatePerH = 4
	}
}

// ReferenceForm is the GPU type on which drawn lengths hold.
func ReferenceForm(types []string) Word {
	return Word{Path: "/scenario/jobs/generator/reference", Name: "Reference of lengths", Label: "Reference",
		Help: "GPU type on which a drawn length holds", Choices: append([]string{""}, types...),
		Titles: append([]string{"as the kind"}, types...)}
}

// SizeForm is the share of jobs of one gang size.
func SizeForm(size string) Figure {
	f := number("/scenario/jobs/generator/gpus/"+size, "", "", "", "")
	f.Name, f.Label = words.F("Share of jobs with {0}", gang(size)), gang(size)
	return f
}

// MixForm is the share of jobs that train one model.
func MixForm(i int, m *scenario.ModelShare) Figure {
	f, name := number("/scenario/jobs/generator/models/"+itoa(i)+"/share", "", "", "", ""), ModelName(m.Model, m.Batch)
	f.Name, f.Label = words.F("Share of jobs with {0}", name), name
	return f
}
