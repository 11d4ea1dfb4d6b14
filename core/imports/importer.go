package imports

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// importer turns a trace into a scenario. All formats fill it the same way: a row is dropped with its
// reason, or becomes a candidate.
type importer struct {
	o       Options
	found   jsondoc.Diagnostics
	report  message.ImportReport
	s       scenario.Scenario
	kept    kept
	gpus    int               // of the whole cluster
	looks   string            // the format that the content looks like
	line    int               // of the row being read
	clock   bool              // arrivals are on some clock: count them from the earliest
	rows    map[string]int    // model → index into s.Throughputs.Rows
	table   map[string]*speed // measured, by model
	apps    []polluxApp
	host    func(typ string) scenario.Node // CPUs and memory of recorded nodes for each GPU of a type, nil = unknown
	world   *scenario.Scenario             // whose rounds, overheads and policies it gets, nil = the usual ones
	kinds   map[string]int                 // reason → index into report.Reasons
	states  map[string]int                 // jobs by recorded state
	renamed int                            // jobs whose id could not stay
}

func newImporter(o Options) *importer {
	return &importer{
		o: o, rows: map[string]int{}, kinds: map[string]int{}, states: map[string]int{},
		kept: kept{size: o.Sample, seed: o.Seed},
	}
}

// aside is no fault: the row is a comment, or belongs to another table of the same file, and counts for nothing.
var aside = &fault{}

// fault is why a row cannot be a job: the kind of reason, which is counted, and what was wrong there.
type fault struct{ kind, text words.Text }

func (f *fault) Error() string { return f.text.String() }

func (im *importer) refuse(line int, code string, msg, fix words.Text) bool {
	im.find(jsondoc.LevelError, line, code, msg, fix)
	return false
}

// find notes a finding about the trace or the options; line 0 is no line of it.
func (im *importer) find(level jsondoc.Level, line int, code string, msg, fix words.Text) {
	im.found = append(im.found,
		jsondoc.Diagnostic{Line: line, Level: string(level), Code: code, Message: msg, Fix: fix})
}

func (im *importer) assume(s words.Text) { im.report.Assumptions = append(im.report.Assumptions, s) }

func (im *importer) drop(why *fault) {
	im.report.Dropped++
	i, ok := im.kinds[why.kind.String()]
	if !ok {
		i = len(im.report.Reasons)
		im.kinds[why.kind.String()] = i
		im.report.Reasons = append(im.report.Reasons, message.Drop{Reason: why.kind, Line: im.line, First: why.text})
	}
	im.report.Reasons[i].Count++
	if im.report.Dropped <= jsondoc.PerCode {
		im.find(jsondoc.LevelWarning, im.line, codeRow, words.Say("row dropped: {0}", why.text), words.Text{})
	}
}

// defaultCluster is the cluster of Gavel's physical experiments.
var defaultCluster = []scenario.TypeCount{{Type: "v100", Count: 8}, {Type: "p100", Count: 16}, {Type: "k80", Count: 24}}

const maxTypeName = 50 // letters: node ids are made of it

// setup checks the options and builds the cluster they describe.
func (im *importer) setup(cluster []scenario.TypeCount) bool {
	if !im.options() {
		return false
	}
	if len(im.o.Cluster) == 0 {
		im.o.Cluster = cluster
		var entries []string
		for _, t := range cluster {
			entries = append(entries, t.Type+"="+strconv.Itoa(t.Count))
		}
		im.assume(words.Say("cluster {0}", strings.Join(entries, ",")))
	}
	if im.o.GPUsPerNode == 0 {
		im.o.GPUsPerNode = 4
		im.assume(words.Say("{0} GPUs a node", 4))
	}
	nodes, seen := 0, map[string]bool{}
	for _, t := range im.o.Cluster {
		if t.Count < 1 || t.Count > scenario.MaxGPUs || t.Type == "" || scenario.Slug(t.Type) != t.Type ||
			len(t.Type) > maxTypeName || seen[t.Type] {
			return im.badOption(words.Say("the cluster entry {0} is not like v100=8, or a second one of its type",
				jsondoc.Quote(t.Type+"="+strconv.Itoa(t.Count))))
		}
		seen[t.Type] = true
		im.gpus += t.Count
		nodes += 1 + (t.Count-1)/max(1, im.o.GPUsPerNode)
	}
	switch {
	case nodes > scenario.FileLimits.Nodes:
		return im.badOption(words.Say("the cluster has {0}; the most is {1}", jsondoc.Plural(nodes, "node"),
			scenario.FileLimits.Nodes))
	case im.gpus > scenario.MaxGPUs || len(im.o.Cluster) > scenario.MaxTypes:
		return im.badOption(words.Say("the cluster has {0} of {1}; the most is {2} of {3}", jsondoc.Plural(im.gpus, "GPU"),
			jsondoc.Plural(len(im.o.Cluster), "type"), scenario.MaxGPUs, scenario.MaxTypes))
	case im.o.GPUsPerNode < 1 || im.o.GPUsPerNode > scenario.MaxSlotGPUs:
		return im.badOption(words.Say("there are {0} GPUs a node; it must be 1 to {1}", im.o.GPUsPerNode,
			scenario.MaxSlotGPUs))
	}
	im.nodes()
	return true
}

func (im *importer) badOption(msg words.Text) bool {
	return im.refuse(0, codeBadOption, msg, words.Say("See import --help."))
}

// options checks those that say which jobs to take.
func (im *importer) options() bool {
	o := &im.o
	if o.ArrivalDivisor == 0 {
		o.ArrivalDivisor = 1
	}
	switch {
	case o.First < 0:
		return im.badOption(words.Say("the number of rows to read is {0}; it must be 0 or more", o.First))
	case o.Sample < 0 || o.Sample > scenario.FileLimits.Jobs:
		return im.badOption(words.Say("the sample has {0}; it must be 0 to {1}", jsondoc.Plural(o.Sample, "job"),
			scenario.FileLimits.Jobs))
	case o.Seed > jsondoc.MaxSafe:
		return im.badOption(words.Say("the seed is {0}; the most is {1}", strconv.FormatUint(o.Seed, 10),
			jsondoc.MaxSafe))
	case !(o.ArrivalDivisor > 0 && o.ArrivalDivisor <= scenario.MaxSeconds):
		return im.badOption(words.Say("the arrival divisor is {0}; it must be above 0", jsondoc.Number(o.ArrivalDivisor)))
	}
	return true
}

// nodes fills nodes of one type each; the last node of a type takes what remains.
func (im *importer) nodes() {
	for _, t := range im.o.Cluster {
		for n, left := 1, t.Count; left > 0; n++ {
			held := min(left, im.o.GPUsPerNode)
			left -= held
			im.s.Cluster.Nodes = append(im.s.Cluster.Nodes, scenario.Node{ID: t.Type + "-" + strconv.Itoa(n),
				Rack: scenario.DefaultRack, GPUs: map[string]int{t.Type: held}})
		}
	}
	im.assume(words.Say("one GPU type a node, one rack"))
}

// each calls take for every row of a table and drops those that it finds fault with; false means that the
// table broke off.
func (im *importer) each(r *rows, take func() *fault) bool {
	for im.o.First == 0 || im.report.Read < im.o.First {
		err := r.next()
		if err == io.EOF {
			break
		}
		why, bad := err.(*fault)
		if err != nil && !bad {
			return im.refuse(r.passed+1, codeUnreadable,
				words.Say("the trace cannot be read to its end: {0}", err.Error()),
				words.Say("Check the file."))
		}
		im.report.Read++
		im.line = r.line
		if err == nil {
			why = take()
		}
		if why == aside {
			im.report.Read--
			continue
		}
		if why != nil {
			im.drop(why)
			continue
		}
		im.report.Kept++
	}
	return true
}

// add makes a candidate of a job, whose id is as the trace has it; one that cannot be used gives way to the number of
// the row.
func (im *importer) add(j scenario.Job, idColumn string) *fault {
	j.ID = strings.ToLower(j.ID)
	usable := j.ID != "" && scenario.Slug(j.ID) == j.ID
	if !usable {
		j.ID = "j" + strconv.Itoa(im.report.Read-1)
	}
	switch {
	case im.kept.find(j.ID) != nil:
		return &fault{words.Say("{0} stands twice", idColumn),
			words.Say("{0} {1} stands twice", idColumn, jsondoc.Quote(j.ID))}
	case j.GPUs > im.gpus:
		return im.tooMany(j.GPUs)
	case im.o.Sample == 0 && len(im.kept.list) >= scenario.FileLimits.Jobs:
		return im.beyond()
	}
	if !usable {
		im.renamed++
	}
	im.kept.add(candidate{Job: j, line: im.line})
	return nil
}

func (im *importer) tooMany(gpus int) *fault {
	return &fault{words.Say("more GPUs than the cluster has"),
		words.Say("it asks for {0}; the cluster has {1}", jsondoc.Plural(gpus, "GPU"), im.gpus)}
}

func (im *importer) beyond() *fault {
	why := words.Say("beyond the most jobs, {0}", scenario.FileLimits.Jobs)
	return &fault{why, why}
}

// tally counts a job's recorded state; a file that is none has too many of them to list.
func (im *importer) tally(state string) {
	if _, ok := im.states[state]; ok || len(im.states) < 12 {
		im.states[strings.Clone(jsondoc.Clip(state))]++
	}
}

// document closes the import; nil when it holds no job.
func (im *importer) document(in *input, f *Format) *scenario.Document {
	if in.over() {
		im.refuse(0, jsondoc.CodeTooBig, words.Say("the trace has more than {0} bytes", scenario.FileLimits.Bytes),
			words.Say("Split it, or take the first rows only."))
		return nil
	}
	before := len(im.kept.list)
	im.s.Jobs = im.kept.jobs(im.clock)
	im.report.Jobs, im.report.Seed = len(im.s.Jobs), im.o.Seed
	im.report.Sampled = im.kept.cut || before > len(im.s.Jobs)
	if !im.arrivals() {
		return nil
	}
	if im.renamed > 0 {
		im.assume(words.Say("jobs without a usable id, called by row: {0}", im.renamed))
	}
	if len(im.states) > 0 {
		var counts []string
		for _, state := range jsondoc.Keys(im.states) {
			counts = append(counts, state+" "+strconv.Itoa(im.states[state]))
		}
		im.assume(words.Say("recorded states {0}; whatever the end, a job is as long as it ran",
			strings.Join(counts, ", ")))
	}
	if im.report.Sampled && (im.renamed > 0 || len(im.states) > 0) {
		im.assume(words.Say("ids and states are counted over all {0} from which the sample is drawn",
			jsondoc.Plural(im.report.Kept, "job")))
	}
	title := f.Title + ", " + jsondoc.Plural(len(im.s.Jobs), "job").String()
	if t := im.o.Template; t != nil {
		d := t.Clone()
		d.Scenario.Jobs, d.Scenario.Generator = im.s.Jobs, nil
		d.Meta = scenario.Meta{Title: title, Notes: "Jobs from a CSV file"}
		if t.Meta.Title != "" {
			d.Meta.Notes += "; cluster and speeds of the scenario " + jsondoc.Quote(t.Meta.Title)
		}
		d.Meta.Notes += "."
		return d
	}
	im.usedRows()
	im.hosts()
	im.s.Throughputs.Unit = scenario.StepsPerS
	if w := im.world; w != nil {
		im.assume(words.Say("rounds of {0} s, restarts of {1} s", w.RoundS, w.Overheads.RestartS))
		im.s.RoundS, im.s.Overheads, im.s.Policies = w.RoundS, w.Overheads, w.Policies
	} else {
		im.assume(words.Say("rounds of {0} s, no overheads", scenario.DefaultRoundS))
		im.s.RoundS = scenario.DefaultRoundS
		im.s.Policies = []scenario.Policy{{ID: "hadar"}, {ID: "gavel-las"}}
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version,
		Meta: scenario.Meta{Title: title, Notes: f.notes}, Scenario: im.s}
}

// arrivals puts the kept jobs on the scenario's clock.
func (im *importer) arrivals() bool {
	if len(im.s.Jobs) == 0 {
		return im.refuse(0, codeNoRows,
			words.Say("none of the {0} of the trace can be a job", jsondoc.Plural(im.report.Read, "row")),
			im.otherSpeeds())
	}
	origin := 0.0
	if im.clock {
		origin = im.s.Jobs[0].ArrivalS
		im.assume(words.Say("time 0 is the earliest submission among the jobs"))
	}
	for i := range im.s.Jobs {
		j := &im.s.Jobs[i]
		if j.ArrivalS = jsondoc.Round9((j.ArrivalS - origin) / im.o.ArrivalDivisor); j.ArrivalS > scenario.MaxSeconds {
			return im.refuse(0, codeBadOption,
				words.Say("job {0} arrives at {1} s; the most is {2}", jsondoc.Quote(j.ID), jsondoc.Number(j.ArrivalS),
					jsondoc.Number(scenario.MaxSeconds)),
				words.Say("Take fewer rows, or a larger arrival divisor."))
		}
	}
	return true
}

// otherSpeeds is the advice where no row can be a job: where other speeds come from, if those are what is lacking.
func (im *importer) otherSpeeds() words.Text {
	switch _, lacks := im.kinds[noSpeed.String()]; {
	case lacks && im.report.Format == "csv":
		return words.Say("Speeds come from a scenario that has these models (--template, in the page the one that is open), or from a file (--throughputs).")
	case lacks:
		return words.Say("Give the speeds of these models with --throughputs FILE.")
	}
	return words.Say("See the reasons, or give the right trace.")
}

// hosts gives the nodes the CPUs and the memory of the recorded ones, where the trace says what jobs asked of those.
func (im *importer) hosts() {
	asks := func(j scenario.Job) bool { return j.CPUs > 0 || j.MemoryGB > 0 }
	if im.host == nil || !slices.ContainsFunc(im.s.Jobs, asks) {
		return
	}
	im.assume(words.Say("a job that has as many CPUs and as much memory as it asked for runs as it did; with less it is slower in proportion"))
	for _, t := range im.o.Cluster {
		h := im.host(t.Type)
		im.assume(words.Say("nodes of {0} have {1} CPUs and {2} GB for each GPU, as those of the trace", t.Type,
			jsondoc.Number(h.CPUs), jsondoc.Number(h.MemoryGB)))
	}
	for i := range im.s.Cluster.Nodes {
		n := &im.s.Cluster.Nodes[i]
		for typ, gpus := range n.GPUs { // there is one
			h := im.host(typ)
			n.CPUs, n.MemoryGB = h.CPUs*float64(gpus), h.MemoryGB*float64(gpus)
		}
	}
}

// usedRows leaves out throughput rows of jobs that a sample left out.
func (im *importer) usedRows() {
	type key struct {
		model string
		batch int
	}
	used := map[key]bool{}
	for i := range im.s.Jobs {
		used[key{im.s.Jobs[i].Model, im.s.Jobs[i].Batch}] = true
	}
	im.s.Throughputs.Rows = slices.DeleteFunc(im.s.Throughputs.Rows,
		func(r scenario.Row) bool { return !used[key{r.Model, r.Batch}] })
}
