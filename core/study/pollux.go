package study

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/unit"
	"hadarlab/scenarios"
)

// polluxRequest is what a job of an application asks for.
type polluxRequest struct {
	app         string
	gpus, batch int
}

// polluxRequests are as Pollux's authors tuned them; an application's jobs have each of its own about as often.
var polluxRequests = [...]polluxRequest{
	{"cifar10", 6, 2048}, {"cifar10", 8, 2048}, {"cifar10", 12, 4096}, {"cifar10", 16, 4096}, {"ncf", 1, 32768},
	{"bert", 6, 384}, {"bert", 8, 384}, {"bert", 12, 384}, {"bert", 16, 384}, {"deepspeech2", 6, 320},
	{"deepspeech2", 8, 320}, {"deepspeech2", 12, 640}, {"yolov3", 4, 64}, {"imagenet", 24, 3200},
	{"imagenet", 32, 6400}, {"imagenet", 48, 6400},
}

// polluxApps are the applications, and how many of the 1,280 jobs of the eight workloads are theirs.
var polluxApps = [...]struct {
	name string
	jobs int
}{{"cifar10", 495}, {"ncf", 503}, {"bert", 86}, {"deepspeech2", 111}, {"yolov3", 59}, {"imagenet", 26}}

// polluxHours are how many of those jobs arrive in each of the eight hours.
var polluxHours = [...]int{144, 142, 92, 146, 197, 287, 148, 124}

// PolluxWorld draws a workload like the eight of Pollux's: 160 jobs in eight hours on 16 nodes of four T4, rounds of
// 60 s, 30 s for each start and move.
//
// Its authors sampled jobs of Microsoft's trace, which is not at hand, by the hour and by GPU time. Here an hour, an
// application and one of its tuned requests are drawn for each job independently, by their shares in the eight
// workloads, and the second within the hour evenly: that, and so that nothing of the trace's bursts within an hour is
// left, is our choice. Cluster, rounds, restarts, requests and shares are those of the artifact. Applications are its
// measurements by our fit (see DATA.md), where published runs replay the measurements; there, Pollux is 5 to 8 % faster
// than published. PolluxWorkload has the eight workloads themselves.
func PolluxWorld(seed uint64) *scenario.Document {
	d := polluxDocument(polluxDraw(seed), PolluxLanes())
	d.Scenario.Seed = seed
	d.Meta.Title = "Pollux, drawn, seed " + strconv.FormatUint(seed, 10)
	d.Meta.Notes = "Drawn: 160 jobs in 8 hours on 64 T4, hours, applications and tuned requests by their shares in the eight workloads of Pollux's artifact. Applications are as its artifact measured them, by our fit of its model. Steps are iterations with the initial batch."
	return d
}

// PolluxWorkload is one of the eight workloads of Pollux's artifact, from 1 to 8, job by job; else as PolluxWorld.
func PolluxWorkload(workload int) *scenario.Document {
	text := strings.Split(polluxWorkloads, "\n\n")[workload-1]
	var jobs []polluxJob
	at, gap := 0, 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			gap = 10*gap + int(c-'0')
		case c >= 'a':
			at += gap
			jobs = append(jobs, polluxJob{float64(at), polluxRequests[c-'a']})
			gap = 0
		}
	}
	d := polluxDocument(jobs, PolluxLanes())
	d.Meta.Title = "Pollux, workload " + strconv.Itoa(workload)
	d.Meta.Notes = "160 jobs in 8 hours on 64 T4: a workload of Pollux's artifact. Applications are as its artifact measured them, by our fit of its model. Steps are iterations with the initial batch."
	return d
}

// PolluxLanes are the lanes of PolluxWorld and PolluxWorkload, in the order of their documents: Tiresias and Optimus as
// the artifact sets them.
func PolluxLanes() []Lane {
	return []Lane{NewLane("pollux"),
		NewLane("tiresias", "every_s", 60.0, "limit_gpu_s", 57600.0, "place", "most-free", "order", "entry", "migrate",
			false),
		NewLane("optimus", "every_s", 60.0, "threshold", 0.0)}
}

// PolluxPublished are the published mean completion times of workloads 1 to 8 in s, of 64 T4 in the artifact's
// simulator, in the order of PolluxLanes.
var PolluxPublished = [3][8]float64{{2089, 3323, 2189, 2721, 2674, 2446, 3616, 2952},
	{2474, 5145, 3876, 3280, 3501, 3470, 5480, 5080}, {4087, 6914, 3944, 5968, 5656, 5302, 7291, 6294}}

// siaSlower is by what factor Sia's artifact slows an application down, and what a restart takes there in s.
var siaSlower = map[string][2]float64{"cifar10": {1.8, 50}, "bert": {1.2, 120}, "deepspeech2": {1.2, 25},
	"yolov3": {1.2, 80}, "imagenet": {1.2, 250}}

// siaLarge are the requests of imagenet in Sia's workloads, and how many of its 26 jobs there have each.
var siaLarge = [...]struct {
	polluxRequest
	jobs int
}{{polluxRequest{"imagenet", 10, 1600}, 15}, {polluxRequest{"imagenet", 12, 3200}, 4},
	{polluxRequest{"imagenet", 14, 3200}, 7}}

// siaFits are how the applications run on the GPU types that Sia adds to T4: an application, a type, the least and the
// greatest batch of a GPU, and the seven parameters of Pollux's throughput model in their usual order, fitted to the
// measurements in Sia's artifact (placements and scalability, rows alike averaged; of yolov3 batches of powers of two
// only, as the others are slower for no reason that we know). Median errors of a step are 2 to 9 %.
const siaFits = `cifar10 rtx2080ti 32 1024 0.0371405 0.000242842 0.0480338 0.00148734 0.0310013 0.00375943 1.24874
cifar10 a100 32 4096 0.0247066 8.64539e-05 0.00243146 0.000424659 0.00274397 0.000562546 1.22221
deepspeech2 rtx2080ti 10 57 0.377196 0.0115445 0.045266 0.0125993 0.05625 0.0195508 1.05547
deepspeech2 a100 10 320 0.421323 0.0133464 0.188339 0.0138929 0.160034 0.0168781 1.73845
bert rtx2080ti 4 12 0.159408 0.0226965 0.553948 0.02198 0.348586 0.0671983 1.94056
bert a100 4 48 0.098197 0.00470562 0.0241717 0.00296796 0.0212333 0.00501285 1.374
imagenet rtx2080ti 20 200 0.122057 0.00185173 0.170625 0.00602051 0.089711 0.0226783 2.0375
imagenet a100 20 800 0.0949641 0.000845015 0.0064036 0.00125881 0.0097915 0.00135403 1
yolov3 rtx2080ti 4 8 0.331639 0.0120692 0.303766 0.00726622 0.184915 0.0185927 1
yolov3 a100 4 32 0.259376 0.0152244 0.036219 0.0142587 0.0607905 0.0226024 1`

// siaTypes are the fits of an application.
func siaTypes(app string) (out []scenario.TypeProfile) {
	for line := range strings.Lines(siaFits) {
		part := strings.Fields(line)
		if part[0] != app {
			continue
		}
		t := scenario.TypeProfile{Type: part[1]}
		t.Low, _ = strconv.Atoi(part[2])
		t.High, _ = strconv.Atoi(part[3])
		for i, x := range []*float64{&t.AlphaC, &t.BetaC, &t.AlphaN, &t.BetaN, &t.AlphaR, &t.BetaR, &t.Gamma} {
			*x, _ = strconv.ParseFloat(part[4+i], 64)
		}
		out = append(out, t)
	}
	return out
}

// SiaWorld is PolluxWorld as Sia's artifact changes it on the same 64 T4: cifar10 in ncf's place, requests of
// imagenet that fit its smaller types, each application slower by the factor that its authors found, and a restart's
// time for each. Published there: a mean completion of 1.9 h under Sia and 2.0 h under Pollux, over measured tables, of
// which ours are fits.
func SiaWorld(seed uint64) *scenario.Document {
	d := siaDocument(seed)
	d.Meta.Title = "Sia on T4, drawn, seed " + strconv.FormatUint(seed, 10)
	d.Meta.Notes = "Drawn: 160 jobs in 8 hours on 64 T4, as Pollux's workloads are changed by Sia's artifact: cifar10 in ncf's place, slower applications, and restarts by application."
	return d
}

// SiaMixedWorld is the jobs of SiaWorld on the heterogeneous set of Sia's simulations: 24 T4 in nodes of four, 24 RTX
// 2080 Ti and 16 A100 in nodes of eight. Published there: a mean completion of 0.6 h under Sia and 1.0 h under Pollux,
// with total times of 14.2 and 24.5 h.
//
// Speeds are our fits to what Sia's artifact measured on each type, with the batches that it measured; Sia's Pollux
// splits nodes of eight in two, ours does not. Noise scales are those of T4, as there. The catalogue has no RTX 2080
// Ti, so that it comes last where policies go by a type's speed. Left out are the artifact's testbed of 44 GPUs, whose
// node of Quadro RTX 6000 was measured alone, and its GPT in a pipeline, since documents have no pipelines. Gavel
// decides every six minutes there, in rounds of the document; Sia is asked each minute whatever the rounds.
func SiaMixedWorld(seed uint64) *scenario.Document {
	d := siaDocument(seed)
	s := &d.Scenario
	watts, memory := 250.0, 11.0 // of the maker's sheet
	s.Cluster.Nodes = nil
	s.Cluster.GPUTypes = map[string]scenario.GPUType{"rtx2080ti": {Watts: &watts, MemoryGiB: &memory}}
	for _, of := range []struct {
		typ         string
		nodes, gpus int
	}{{"t4", 6, 4}, {"rtx2080ti", 3, 8}, {"a100", 2, 8}} {
		for i := range of.nodes {
			s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: of.typ + "-" + strconv.Itoa(i+1),
				GPUs: map[string]int{of.typ: of.gpus}})
		}
	}
	for i := range s.Throughputs.Profiles {
		f := &s.Throughputs.Profiles[i]
		f.Source = "fitted to the Pollux artifact's measurements on T4 and to Sia's on the others"
		for _, t := range siaTypes(f.Model) {
			f.Types = append(f.Types, slower(t, siaSlower[f.Model][0]))
		}
	}
	d.Meta.Title = "Sia, drawn, seed " + strconv.FormatUint(seed, 10)
	d.Meta.Notes = "Drawn: 160 jobs in 8 hours on 24 T4, 24 RTX 2080 Ti and 16 A100, as Pollux's workloads are changed by Sia's artifact. Applications are as the artifacts measured them, by our fits."
	return d
}

// SiaLanes are the lanes of SiaWorld and SiaMixedWorld, in the order of their documents.
func SiaLanes() []Lane { return []Lane{NewLane("sia"), NewLane("pollux")} }

// siaDocument is SiaWorld without a title.
func siaDocument(seed uint64) *scenario.Document {
	jobs := polluxDraw(seed)
	pick := unit.Stream(seed, "sia requests")
	for i := range jobs {
		small, large := pick.IntN(4), pick.IntN(26)
		switch jobs[i].app {
		case "ncf":
			jobs[i].polluxRequest = polluxRequests[small]
		case "imagenet":
			k := 0
			for ; large >= siaLarge[k].jobs; k++ {
				large -= siaLarge[k].jobs
			}
			jobs[i].polluxRequest = siaLarge[k].polluxRequest
		}
	}
	d := polluxDocument(jobs, SiaLanes())
	s := &d.Scenario
	s.Seed = seed
	s.Throughputs.Profiles = slices.DeleteFunc(s.Throughputs.Profiles,
		func(f scenario.Profile) bool { return f.Model == "ncf" })
	for i := range s.Throughputs.Profiles {
		f := &s.Throughputs.Profiles[i]
		slow, restart := siaSlower[f.Model][0], siaSlower[f.Model][1]
		f.Types[0] = slower(f.Types[0], slow)
		s.Overheads.Models = append(s.Overheads.Models, scenario.ModelOverheads{Model: f.Model, RestartS: &restart})
	}
	return d
}

// slower takes so many times as long for each pass and exchange.
func slower(t scenario.TypeProfile, by float64) scenario.TypeProfile {
	for _, x := range []*float64{&t.AlphaC, &t.BetaC, &t.AlphaN, &t.BetaN, &t.AlphaR, &t.BetaR} {
		*x = float64(*x * by)
	}
	return t
}

// PolluxSeries are PolluxWorld, SiaWorld and SiaMixedWorld.
func PolluxSeries() []Series {
	return []Series{{"pollux", PolluxLanes(), PolluxWorld}, {"sia", SiaLanes(), SiaWorld},
		{"sia mixed", SiaLanes(), SiaMixedWorld}}
}

// polluxJob is a job that arrives at a second.
type polluxJob struct {
	at float64
	polluxRequest
}

// polluxDraw draws 160 jobs in order of arrival.
func polluxDraw(seed uint64) []polluxJob {
	hours, seconds := unit.Stream(seed, "pollux hours"), unit.Stream(seed, "pollux seconds")
	apps, requests := unit.Stream(seed, "pollux applications"), unit.Stream(seed, "pollux requests")
	jobs := make([]polluxJob, 160)
	for i := range jobs {
		h, u := 0, hours.IntN(1280)
		for ; u >= polluxHours[h]; h++ {
			u -= polluxHours[h]
		}
		a, u := 0, apps.IntN(1280)
		for ; u >= polluxApps[a].jobs; a++ {
			u -= polluxApps[a].jobs
		}
		var of []polluxRequest
		for _, r := range polluxRequests {
			if r.app == polluxApps[a].name {
				of = append(of, r)
			}
		}
		jobs[i] = polluxJob{float64(3600*h + seconds.IntN(3600)), of[requests.IntN(len(of))]}
	}
	unit.Sort(jobs, func(a, b polluxJob) int { return int(a.at - b.at) })
	return jobs
}

// polluxDocument is the world of Pollux's artifact with these jobs.
func polluxDocument(jobs []polluxJob, lanes []Lane) *scenario.Document {
	d, _ := scenario.Parse(scenarios.PolluxWorld, scenario.FileLimits)
	d = d.Clone() // lines of its text mean nothing here
	s := &d.Scenario
	one := s.Jobs // of each application
	s.Jobs, s.Cluster.Nodes, s.Policies = nil, nil, policies(lanes)
	for i := range 16 {
		s.Cluster.Nodes = append(s.Cluster.Nodes,
			scenario.Node{ID: "t4-" + strconv.Itoa(i+1), GPUs: map[string]int{"t4": 4}})
	}
	for i, j := range jobs {
		of := one[slices.IndexFunc(one, func(o scenario.Job) bool { return o.Model == j.app })]
		of.ID, of.ArrivalS, of.GPUs, of.Batch = j.app+"-"+strconv.Itoa(i), j.at, j.gpus, j.batch
		s.Jobs = append(s.Jobs, of)
	}
	return d
}

// polluxWorkloads are the eight workloads at load 1 of Pollux's artifact (OSDI 2021, Apache-2.0), whose arrivals and
// size classes descend from Microsoft's Philly trace: for each job the seconds since the one before, and the letter of
// its request in polluxRequests.
const polluxWorkloads = `107a3j25e127l94d483e292e151e50c121e43a108o7b129c38d154d376e46c66e195e247e626e429l360e49b81c350e1056h28b39e223e254m
130e214c31b167a126c307e1e411e479b594d8e377a867d408e171b171b113a275d124e51m146m1080d75d540e39c14a31e301e151j47e85e36d
138e155c22e23c174e9b76c9e202e38k105e28a104e136a26i90d340b1e112e116b113d3h384c5e498e334e385c83e103d172e76j128e127j
246j85c87e59e236a23h353e22l9d33b41e28e194e92l10c156e98e90e52c154a130k77d12h73e99e368d15e48e38d138n164e192b69d11f184c
257c126e1222a109e4d470e13b351e74a269e180c114e123e315b127a9a25e11e188e16b40g561e67a153j34o844o64e1e

498a929e132e38d45c190e83e258o247e156e499p42b1e223b93e131e165d26c30e315b120d44e11e283e173a111c88e29e10m563a143m74i26e
23d1532a1117c469c158a560e1240c6e42e345j150e696e180a437e600a1a82e112e220b129m355c75a67b182e5e122a344m76e67k28d347e
155m97e40e170c59e56l134k29e135g101e177m3a11e207e121e256n209c29e98l128c81j2a91a48g48l9d4a92e19l229b20c223d72k36e104e
41a48d58f72k184c45b56e42e155a53k25c471d43a352k171h151e1e19a56l28g25a84c18b101j77b91l29e180e203b5e57b10e705h119b102e
517h318c381c38c14e154e21l94e494a91e166m40d38b87d96c311e14a4e285a25e51j238e121e222l340b258e

791e360c164c20e51j51e316e102b82d18e1002f157e29a16d30a512a88e443e20e53e661a27b132e314m94c160a336c88e94l359k15d147e
456e143e1e404e532j367d480e1200e351a119m132b364e33m173m67m28e347a188c165m378b411e47e331l9e39e135e42e38c246e62d39c82b
31c150e155e1c37e21e175f215a643m1012e354e127e104h386e94i158e13k124e27l148c64h47c529m166f7l56k52h37e224l122e14e14l111c
35b253e258e440m159e24d127c15e3e27d24d68c79m44e62e29b2e342e117b56i196m1d92e456b464a380e219a129b121c35b66e368e50a135e
172e125a71e5e380a28e113e229e125e58h7b108j40m64m77e151l123f11m59i25e30e28l180i227g235f9a1220e53e351a

259f30a158d96k564e207d89e140e217e113e42b1e1d328p108d697e37c44b47c83c431b500e60d24a225a314e519c181e16b198e72a228e88b
179e83l289a71c8e37a278b99o462e299c371i151c472e236c921e505c338e14m2a57e89e110e145a21e238n177k411e111f1063e6e108b47d
53e48i540a57e15c144e54e33d91b305e605d90e249e8l438e101e84c596e9e480e50e193g43e28j75l201e97c189e225l2f101e52c39d60e0e
72c87e23e108e53e54k101n14e90c226e189c45d14a97e60l94a182c75e103a56c99a465b16b288b277k52e5e233c74c166l247e112m74e194e
417e166m162e450f706e68e50d120e91j109e472e24c12e20e133e99e398a113e5a69k157m263k58m55m271c328b

16c151m14c401c551i153e10d137a73e115e191e229e29e190n330b266a461a147e195c283p79d29d120d29b64a29e92b20e109e133e246e38d
239m33a165e166b359j1178d82g119b442a470e343a354b63a172b49e139e6e133m291a425e175e75m57i138e393e65e100e185b906e266a25c
174e15e117j564e253d76e173a315a234e67e242e39d113e91d132m11p83a387e45e140e67e9e24b235d98e462e209i49k284e158e123e3k87e
182b117d56j31f427e286a32c20k32e126d65e210e31c143e16d5e149c76d123e90g79c73f66e86j131i25e43b44l92m37k63e24e43e51b320i
227e306e118e52e472e364c375e2e36j456i678e198e224j408e61c21b81f416o44e83e228c445e328e373e89e185d292e181e996e

53a101a172k42d367g580c270e232e99a8e514f80a17e200i115e223b34b296e69n215d46c270c4b71e23d847e1e6d217c105c8a851d188e82k
325e166e855b535a157a88e82d612m324m62m120e144e275f167e1e714e223f32j4f154b45l24a337l352e354e308a72b1393d46a0a331f109b
298e448e316b231c209e12d106e123e25e340a21f11d533h25e113k382o149a130e102e119b189l81e5e21e71a288j37e37j67c10b16e3e58d
21g36e239g362a52k36a130b44a150c111k39h30b22d4e34e23d125e157e9a44d96k33d19c224e253e20d32c38a59m51c446c437i14k249b8e
96d157k185e422p140e92b230e393e25e75a14e256c4b550c196b22e1e54i128j163l610e23m256e10g87e960b

131b1a265c108d137b170f36e68e481d209b122a180d218h159d155d272a219j728e55d74b213m80d235e1a36e668o186b288b132e387e100m
17a711e121e190i239e124m383b34a454c150e80e420e690e802e21a49b733e117i246e490c54c479e224b49c341e154e254g67a117o275j43e
330e401e5e73e175d131e457m27a35i275e152l108e441m80c103e34e105i89a189a63b2b70e39b51a153c161p141a27a79e50e55m264e27e
218c60c2a21a48e80l4i145g9c91b20d82c53m104c126b78e224e164b265b38e53e0e16c11b220e153e7j205c234e196e277g36m91j69e50c68k
505e191n1038m46h572a159e0m14d155e284a357e57e68a28e49e74c51e57c27k19p303j63b106d28h214e742b356e956b104e

35e485m678e72h33k194e22c100e239e159e237a495e162d223e74c213e144e167c584d376a10d554e174e70c111e96b67p27c53e30a1226e
237b215m64e232j48e131m276b955e43e80m122e69e30e103e602b75c268d77d122d201e722b423j174e42d291e394e351e97e180a63e141a
152m96e19a40e254h124c92b22l134e61e5l55l140c113m95a395e44b56a28g163a41e10i65i190k49b207b22e401f98f129l39l137d107g228e
117d194h55d24b72a33e40e101m30c134c162c33d56e51l2e72i159e57b119a71e161d103l320e142d305d168c1e0e17c125c21a48c142d53e
195d203e152e128m65e52e81b81e148d154n772h512c129a32b422k52a25l123j655b322b313e87e21b29c556l319d517g94n568j509l`
