package imports

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// polluxApp is an application; its steps are iterations with its initial batch.
type polluxApp struct {
	profile scenario.Profile
	steps   float64
}

// polluxWorld is the world of one of the published workloads (Pollux, OSDI 2021): its rounds, restarts and lanes are
// those of the artifact's simulator. It has all applications, fitted to what the paper's artifact measured on nodes of
// four T4 (DATA.md).
func polluxWorld() (world *scenario.Scenario, apps []polluxApp) {
	d, _ := scenario.Parse(scenarios.PolluxWorld, scenario.FileLimits)
	s := &d.Scenario
	for _, f := range s.Throughputs.Profiles {
		of := slices.IndexFunc(s.Jobs, func(j scenario.Job) bool { return j.Model == f.Model })
		apps = append(apps, polluxApp{f, s.Jobs[of].Steps})
	}
	return s, apps
}

// pollux reads a workload of Pollux or Sia: columns time, application, num_replicas and batch_size, and name
// where present; or arrival_s, app, replicas, batch and job. A column workload tells several workloads in one file
// apart, of which one is read: they began at the same time on different days. An application becomes a model with a
// profile, and replicas and batch what the job asks for of policies that choose neither: as tuned, or in the columns
// replicas_untuned and batch_untuned as users who do not tune ask for it.
func (im *importer) pollux(in *input) bool {
	im.world, im.apps = polluxWorld()
	if !im.setup([]scenario.TypeCount{{Type: "t4", Count: 64}}) {
		return false
	}
	const workload = "workload"
	known := []string{"name", "time", "application", "num_replicas", "batch_size"}
	short := []string{"job", "arrival_s", "app", "replicas", "batch"}
	untuned := []string{"replicas_untuned", "batch_untuned"}
	t, ok := im.open(in, slices.Concat([]string{workload}, short, untuned, known), nil)
	if !ok {
		return false
	}
	names := known
	if _, has := t.at["app"]; has {
		names = short
	}
	_, im.report.Untuned = t.at[untuned[0]]
	if im.o.Untuned {
		names = append(names[:3:3], untuned...)
		im.assume(words.Say("GPUs and batches are those of users who do not tune"))
	}
	if !im.needs(t, names[1:]) {
		return false
	}
	for _, c := range im.o.Cluster {
		if _, how := im.against(c.Type, "t4"); how == unknown {
			return im.refuse(0, codeBadOption,
				words.Say("the speed of {0} against a t4 is unknown", jsondoc.Quote(c.Type)),
				words.Say("Choose types among {0}, or give it with --speed.", catalogueNames()))
		}
	}
	im.tellSpeeds("t4")
	_, several := t.at[workload]
	if im.o.Workload != "" && !several {
		return im.refuse(1, codeBadOption, words.Say("the trace has no column {0}", workload),
			words.Say("Leave out which workload to read."))
	}
	read := func() *fault {
		if several && !im.ofWorkload(t.cell(workload)) {
			return aside
		}
		return im.polluxJob(t, names)
	}
	if !im.each(&t.rows, read) || !im.whichWorkload() {
		return false
	}
	im.assume(words.Say("a job may have 1 GPU to as many as its batches can use, 64 at most or as many as it asks for; ncf keeps its batch and has no more GPUs than it asks for"))
	im.assume(words.Say("steps are iterations with the initial batch; speeds are a model's, fitted to measurements on T4"))
	im.assume(words.Say("rounds, restarts and lanes are those of the artifact's simulator, but for Pollux's quick search, which is ours; on workload 6 with 64 T4 Pollux is 8 % faster than published, for which speeds that are fitted and not measured are a plausible reason, not a tested one"))
	return true
}

// maxWorkloads is how many are listed.
const maxWorkloads = 64

// ofWorkload notes the workload of a row and says whether it is the one to read.
func (im *importer) ofWorkload(name string) bool {
	r := &im.report
	if r.Workload == "" {
		if r.Workload = im.o.Workload; r.Workload == "" {
			r.Workload = strings.Clone(name)
		}
	}
	if len(r.Workloads) < maxWorkloads && !slices.Contains(r.Workloads, name) {
		r.Workloads = append(r.Workloads, strings.Clone(name))
	}
	return name == r.Workload
}

// whichWorkload says which one was read, or that there is none of that name.
func (im *importer) whichWorkload() bool {
	r := &im.report
	names := make([]string, len(r.Workloads))
	for i, name := range r.Workloads {
		names[i] = jsondoc.Clip(name)
	}
	all := strings.Join(names, ", ")
	switch {
	case im.o.Workload != "" && r.Read == 0:
		return im.refuse(0, codeBadOption,
			words.Say("the trace has no workload {0}; it has {1}", jsondoc.Quote(im.o.Workload), all),
			words.Say("Choose one of these."))
	case len(names) > 1:
		im.assume(words.Say("workload {0} of those in the file, which are {1}; the others are not read",
			jsondoc.Clip(r.Workload), all))
	}
	return true
}

func (im *importer) polluxJob(t *named, names []string) *fault {
	t.why = nil
	arrival := t.number(names[1], 0, scenario.MaxSeconds)
	replicas, batch := t.number(names[3], 1, scenario.MaxGangGPUs), t.number(names[4], 1, scenario.MaxBatch)
	if t.why != nil {
		return t.why
	}
	name := t.cell(names[2])
	apps := im.apps
	at := slices.IndexFunc(apps, func(a polluxApp) bool { return a.profile.Model == name })
	if at < 0 {
		return &fault{words.Say("no profile of its application"),
			words.Say("nothing is known of {0}", jsondoc.Quote(name))}
	}
	a := &apps[at]
	f := &a.profile
	if batch < float64(f.InitBatch) || batch > float64(f.MaxBatch) {
		return &fault{words.Say("a batch beyond its application's"),
			words.Say("{0} was measured with batches of {1} to {2}, not with {3}", jsondoc.Quote(name), f.InitBatch,
				f.MaxBatch, jsondoc.Number(batch))}
	}
	j := scenario.Job{ID: polluxID(name, t.cell(names[0])), Model: f.Model, Batch: int(batch), ArrivalS: arrival,
		GPUs: int(replicas), Steps: a.steps, Weight: scenario.DefaultWeight,
		Elastic: &scenario.Elastic{Min: 1, Max: max(int(replicas), min(mostReplicas, f.MaxBatch/f.Types[0].Low))}}
	if f.Model == "ncf" { // as in the artifact's simulator
		*j.Elastic = scenario.Elastic{Min: 1, Max: j.GPUs, Batch: "fixed"}
	}
	why := im.add(j, names[0])
	known := func(p scenario.Profile) bool { return p.Model == name }
	if list := &im.s.Throughputs.Profiles; why == nil && !slices.ContainsFunc(*list, known) {
		*list = append(*list, im.elsewhere(f))
	}
	return why
}

// elsewhere is a profile with the types of the cluster beside those that were profiled: a pass takes there the time on
// the first type over how much faster they are, and gradients travel as fast.
func (im *importer) elsewhere(f *scenario.Profile) scenario.Profile {
	out := *f
	out.Types = slices.Clone(f.Types)
	first := &f.Types[0]
	for _, c := range im.o.Cluster {
		if slices.ContainsFunc(f.Types, func(t scenario.TypeProfile) bool { return t.Type == c.Type }) {
			continue
		}
		by, _ := im.against(c.Type, first.Type)
		t := *first
		t.Type, t.AlphaC, t.BetaC = c.Type, jsondoc.Round9(t.AlphaC/by), jsondoc.Round9(t.BetaC/by)
		out.Types = append(out.Types, t)
	}
	return out
}

// mostReplicas is the most GPUs of a job in the artifact's simulator.
const mostReplicas = 64

// polluxID keeps a name like cifar10-3, and makes one of a plain number.
func polluxID(app, name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		name = app + "-" + name
	}
	return name
}
