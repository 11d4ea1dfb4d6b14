package imports

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// polluxApps are the applications of the published workloads (Pollux, OSDI 2021), fitted to what its artifact measured
// on nodes of four T4 (DATA.md). An application is a line of name, initial and greatest batch, epochs, steps, least and
// greatest batch of a GPU, and the parameters of scenario.TypeProfile in its order; a line of where each stretch of
// noise ends, as a part of the steps; and for each batch a line of the noise scales there.
const polluxApps = `cifar10 128 4096 100 39062.908 32 1024 0.0186594 0.000679814 0.0915219 0.00252491 0.0153994 4.72841e-08 1.2769
0.01 0.04 0.08 0.17 0.32 0.49 0.6 0.69 0.8 1
128 72.48 143.3 361.6 1168 2442 3777 5407 7736 12510 25340
256 102.7 195.8 657.2 1716 3224 5527 9129 12890 22300 30700
512 138.8 453.3 1123 2313 4389 7942 13180 22360 37720 53460
1024 96.09 540.1 1421 2702 4940 9273 18300 33190 45230 72960
2048 65.42 582.7 1481 3428 6276 10990 23730 53530 77870 108000
4096 105.8 478 1463 3290 6451 11500 23150 46810 99820 140300
ncf 256 32768 10 194174 32 32768 0.00695698 6.35642e-07 0.0174807 0.000555968 0.00543878 0.000609009 1.24811
0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1
256 18570 7669000 297500 6902000 7490000 20770000 18310000 47830000 39250000 59130000
512 872100 13210000 2569000 7734000 29800000 23120000 19470000 45780000 52260000 43980000
1024 28820 1335000 938900 3250000 23070000 24230000 16890000 29420000 12840000 43030000
2048 249400 660900 834900 912600 7109000 7315000 6139000 40150000 25580000 10380000
4096 161000 889600 738100 1458000 3345000 6115000 5825000 14260000 15070000 16270000
8192 41490 865300 878200 894300 4835000 6252000 5225000 10920000 21590000 35620000
16384 119800 1158000 1234000 978100 5511000 7919000 5042000 24680000 53370000 34730000
32768 207200 1867000 1697000 1684000 4193000 8124000 7095000 57010000 65020000 63690000
bert 12 384 2 14774 4 12 0.171936 0.058611 1.38571 0.00943142 0.284204 0.00962192 1.90221
0.5 1
12 423 1124
24 1073 3784
48 1440 7639
96 2206 6705
192 4895 86660
384 11220 12790
deepspeech2 20 640 80 28536 10 80 0.311102 0.023844 0.48713 0.00981845 0.0839421 0.00136998 1.4131
0.05 0.15 0.2875 0.45 0.6625 0.7 0.7875 0.9 0.9625 1
20 13.86 192.5 1527 10710 37700 5180000 6400000 184100 6400000 191900
40 22.05 331 2193 15960 101500 97550 135900 210300 570600 98800
80 29.97 446.4 2800 19740 34640 55730 34730 34850 32710 23400
160 47.94 583.9 3006 25860 28790 23480 23080 35110 33800 59540
320 52.38 641.6 2789 8766 69810 191000 152000 37860 47120 49840
640 57.1 668.6 1960 5177 39090 280800 137200 94150 93310 85350
yolov3 8 512 50 103443.98 4 8 0.217112 0.0113378 0.781843 0.0102856 0.133327 0.0250569 1.14906
0.02 0.08 0.32 0.54 0.72 0.8 0.9 0.96 0.98 1
8 0.6494 170.5 348 493.7 700.9 1174 2019 4690 6716 5099
16 0.5565 177.5 346.7 469.4 629.6 1094 2432 4171 27010 9569
32 0.4768 184.6 325.8 463.4 729.8 1299 2216 4763 6069 6168
64 0.3988 192.7 353.8 456.4 719 1196 1987 4668 10370 11870
128 0.3294 188.2 356.1 484.8 783.8 1251 1577 3833 9031 10300
256 0.2806 181.8 370 535.6 761.5 1341 1607 2678 900.5 1529
512 0.2603 198.6 383.8 540.9 831.1 1179 1667 1531 5604 1380
imagenet 200 12800 90 576525.59 20 200 0.0641743 0.00448029 0.29948 0.00663745 0.0264621 5.18734e-05 2.47053
0.0111111 0.0222222 0.0444444 0.111111 0.333333 0.422222 0.666667 0.677778 0.766667 1
200 928.2 2764 4009 5056 5889 11540 11360 14400 14610 14270
400 1083 3010 4655 6223 7621 20840 19020 28940 29420 28990
800 687.1 2821 4687 6403 8175 31580 26550 55510 56380 54480
1600 1111 2650 4446 6582 8729 41000 31290 91940 95080 89590
3200 678.2 2682 5198 7539 9714 47330 34040 131300 159100 132900
6400 637.9 1589 4464 7909 10650 51280 36240 153700 200200 157900
12800 1056 2689 6045 9130 11860 57120 40540 115000 253900 189400`

// polluxSource is where they come from.
const polluxSource = "fitted to the Pollux artifact's measurements on T4"

// polluxApp is an application; its steps are iterations with its initial batch.
type polluxApp struct {
	profile scenario.Profile
	steps   float64
}

// readPolluxApps reads the table.
func readPolluxApps() (apps []polluxApp) {
	for _, line := range strings.Split(polluxApps, "\n") {
		part := strings.Split(line, " ")
		num := make([]float64, len(part))
		for i := range part {
			num[i], _ = strconv.ParseFloat(part[i], 64)
		}
		switch {
		case part[0][0] >= 'a':
			v := num[7:]
			apps = append(apps, polluxApp{steps: num[4], profile: scenario.Profile{Model: part[0],
				InitBatch: int(num[1]), MaxBatch: int(num[2]), Epochs: int(num[3]), Source: polluxSource,
				Types: []scenario.TypeProfile{{Type: "t4", Low: int(num[5]), High: int(num[6]), AlphaC: v[0],
					BetaC: v[1], AlphaN: v[2], BetaN: v[3], AlphaR: v[4], BetaR: v[5], Gamma: v[6]}}}})
		case len(apps[len(apps)-1].profile.Noise) == 0:
			for _, until := range num {
				f := &apps[len(apps)-1].profile
				f.Noise = append(f.Noise, scenario.Noise{Until: until, Phi: map[string]float64{}})
			}
		default:
			for k, phi := range num[1:] {
				apps[len(apps)-1].profile.Noise[k].Phi[part[0]] = phi
			}
		}
	}
	return apps
}

// pollux reads a workload of Pollux or Sia: columns time, application, num_replicas and batch_size, and name
// where present; or arrival_s, app, replicas, batch and job. A column workload tells several workloads in one file
// apart, of which one is read: they began at the same time on different days. An application becomes a model with a
// profile, and replicas and batch what the job asks for of policies that choose neither.
func (im *importer) pollux(in *input) bool {
	im.apps = readPolluxApps()
	if !im.setup([]TypeCount{{"t4", 64}}) {
		return false
	}
	const workload = "workload"
	known := []string{"name", "time", "application", "num_replicas", "batch_size"}
	short := []string{"job", "arrival_s", "app", "replicas", "batch"}
	t, ok := im.open(in, append(append([]string{workload}, short...), known...), nil)
	if !ok {
		return false
	}
	names := known
	if _, has := t.at["app"]; has {
		names = short
	}
	if !im.needs(t, names[1:]) {
		return false
	}
	base, _ := scenario.CatalogueType("t4")
	for _, c := range im.o.Cluster {
		if typ, ok := scenario.CatalogueType(c.Type); !ok {
			return im.refuse(0, codeBadOption,
				words.Say("the speed of {0} against a t4 is unknown", text.Quote(c.Type)),
				words.Say("Choose types among {0}.", catalogueNames()))
		} else if c.Type != "t4" {
			im.assume(words.Say("{0} is {1} times as fast as a t4, by single-precision rate", c.Type,
				strconv.FormatFloat(typ.FP32TFLOPS/base.FP32TFLOPS, 'g', 3, 64)))
		}
	}
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
	im.assume(words.Say("a job may have 1 GPU to as many as its batches can use, 64 at most; ncf keeps one and its batch"))
	im.assume(words.Say("steps are iterations with the initial batch; speeds are a model's, fitted to measurements on T4"))
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
		names[i] = text.Clip(name)
	}
	all := strings.Join(names, ", ")
	switch {
	case im.o.Workload != "" && r.Read == 0:
		return im.refuse(0, codeBadOption,
			words.Say("the trace has no workload {0}; it has {1}", text.Quote(im.o.Workload), all),
			words.Say("Choose one of these."))
	case len(names) > 1:
		im.assume(words.Say("workload {0} of those in the file, which are {1}; the others are not read",
			text.Clip(r.Workload), all))
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
			words.Say("nothing is known of {0}", text.Quote(name))}
	}
	a := &apps[at]
	f := &a.profile
	if batch < float64(f.InitBatch) || batch > float64(f.MaxBatch) {
		return &fault{words.Say("a batch beyond its application's"),
			words.Say("{0} was measured with batches of {1} to {2}, not with {3}", text.Quote(name), f.InitBatch,
				f.MaxBatch, text.Number(batch))}
	}
	j := scenario.Job{ID: im.polluxID(name, t.cell(names[0])), Model: f.Model, Batch: int(batch), ArrivalS: arrival,
		GPUs: int(replicas), Steps: a.steps, Weight: scenario.DefaultWeight,
		Elastic: &scenario.Elastic{Min: 1, Max: max(int(replicas), min(mostReplicas, f.MaxBatch/f.Types[0].Low))}}
	if f.Model == "ncf" { // as in the paper's simulator
		*j.Elastic = scenario.Elastic{Min: 1, Max: j.GPUs, Batch: "fixed"}
	}
	why := im.add(j, names[0])
	known := func(p scenario.Profile) bool { return p.Model == name }
	if list := &im.s.Throughputs.Profiles; why == nil && !slices.ContainsFunc(*list, known) {
		*list = append(*list, *f)
	}
	return why
}

// mostReplicas is the most GPUs of a job in the paper's simulator.
const mostReplicas = 64

// polluxID keeps a name like cifar10-3, and makes one of a plain number.
func (im *importer) polluxID(app, name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		name = app + "-" + name
	}
	return im.id(name)
}
