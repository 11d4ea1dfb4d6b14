package scenario

import (
	"math"
	"strings"
	"testing"
)

// lambda are examples, tokens or samples per second of one GPU in mixed precision: SSD, BERT base and large on SQuAD,
// GNMT, ResNet-50, Tacotron 2, WaveGlow (repository lambdal/deeplearning-benchmark at aa5addb6, folder pytorch:
// csv_v1_v2/pytorch-train-throughput-fp16.csv; H200: pytorch-train-throughput-v2-fp16.csv, row LambdaBM_ENG04_1xH200).
var lambda = map[string][7]float64{
	"v100":    {229, 189, 57, 79111, 833, 12611, 47253},     // 16 GB
	"a100":    {395, 368, 117, 186947, 1396, 38131, 195108}, // PCIe
	"a100-80": {458, 443, 152, 243500, 1582, 59716, 244438}, // SXM4
	"h100":    {859, 858, 311, 473757, 2791, 85457, 472240}, // SXM5
	"h200":    {946, 932, 350, 570504, 3079, 128468, 549126},
	"rtx3090": {236, 172, 52, 86080, 905, 25018, 97100},
	"a10g":    {174, 135, 42, 67836, 638, 16900, 80357}, // an A10
}

// sia are the most examples per second of one T4 and one A100 with 40 GB over all batches that were tried: BERT,
// ResNet-18 on CIFAR-10, ResNet-50, DeepSpeech2, YOLOv3 (repository siasosp23/artifacts at aaf7a0de, folder
// adaptdl/sched/traces: local_bsz ÷ step_time of placements-aws.csv and placements-dgx-ext.csv, placement 1).
var sia = [...][2]float64{{13.022, 140.44}, {1461.4, 10063}, {216.56, 1034}, {35.661, 77.505}, {27.942, 81.41}}

// sheets are dense mixed-precision TFLOPS and memory bandwidth in GB/s of data sheets.
var sheets = map[string][2]float64{"v100": {125, 900}, "l4": {121, 300}, "t4": {65, 320}, "a100": {312, 1555},
	"a100-80": {312, 2039}, "h100": {989, 3350}, "h200": {989, 4800}, "rtx3090": {71, 936}}

func geometric(of []float64) float64 {
	sum := 0.0
	for _, v := range of {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(of)))
}

// bySheetOf is the rule for what was not measured.
func bySheetOf(typ string) float64 {
	a, b := sheets[typ], sheets["v100"]
	return math.Sqrt(a[0] / b[0] * a[1] / b[1])
}

// TestSpeedsFollowFromTheirTables computes every factor again from what was published.
func TestSpeedsFollowFromTheirTables(t *testing.T) {
	want := map[string]float64{"v100": 1, "l4": bySheetOf("l4")}
	for typ, of := range lambda {
		var by []float64
		for i, v := range of {
			by = append(by, v/lambda["v100"][i])
		}
		want[typ] = geometric(by)
	}
	var by []float64
	for _, of := range sia {
		by = append(by, of[0]/of[1])
	}
	want["t4"] = geometric(by) * want["a100"]
	for _, typ := range []string{"k80", "p100"} {
		families := map[string][]float64{}
		for _, r := range measuredRows([]string{typ, "v100"}) {
			families[r.Model] = append(families[r.Model], r.PerGPU[typ]/r.PerGPU["v100"])
		}
		var means []float64
		for _, of := range families {
			means = append(means, geometric(of))
		}
		if want[typ] = geometric(means); len(means) != 7 {
			t.Errorf("%d families", len(means))
		}
	}
	for i := range typeSpeeds {
		s := &typeSpeeds[i]
		if math.Abs(s.Factor/want[s.Type]-1) > 0.005 {
			t.Errorf("%s is %v, by its table %.4f", s.Type, s.Factor, want[s.Type])
		}
		if got, ok := SpeedOf(s.Type); !ok || got != *s {
			t.Errorf("%s is %+v", s.Type, got)
		}
		if i > 0 && typeSpeeds[i-1].Type >= s.Type {
			t.Errorf("%s is out of order", s.Type)
		}
		if _, listed := CatalogueType(s.Type); !listed || s.Source == "" {
			t.Errorf("%+v", s)
		}
	}
	if len(want) != len(typeSpeeds) {
		t.Errorf("%d types, %d tables", len(typeSpeeds), len(want))
	}
	for _, c := range Catalogue() {
		if s, ok := SpeedOf(c.Name); !ok || s.Factor <= 0 {
			t.Errorf("%s: %+v", c.Name, s)
		}
	}
	if s, _ := SpeedOf("titan-rtx"); !s.Estimate || s.Factor != 1.03821656 {
		t.Errorf("%+v", s)
	}
	if _, ok := SpeedOf("tpu"); ok {
		t.Error("a type of no catalogue has a speed")
	}
}

// TestTheRuleAgainstMeasurements: the manual and the WHY.md of core/imports say how far the rule for what was not
// measured is off where something was, in whole per cents.
func TestTheRuleAgainstMeasurements(t *testing.T) {
	off := func(typ string) int {
		s, _ := SpeedOf(typ)
		if s.Estimate {
			t.Errorf("%s was not measured", typ)
		}
		return int(math.Round((bySheetOf(typ)/s.Factor - 1) * 100))
	}
	low, high := 0, 0
	for _, typ := range []string{"t4", "a100", "a100-80", "h100", "h200"} {
		low, high = min(low, off(typ)), max(high, off(typ))
	}
	if low != -19 || high != 3 || off("rtx3090") != -37 {
		t.Errorf("the rule lies %d to %d %% off, for the RTX 3090 %d %%", low, high, off("rtx3090"))
	}
}

// TestModernRows: rows of newer types say what was measured, as steps of their batch.
func TestModernRows(t *testing.T) {
	rows := modernRows([]string{"h100", "h200"})
	if len(rows) != 4 || len(modernRows([]string{"t4"})) != 0 {
		t.Fatalf("%+v", rows)
	}
	r := rows[3]
	if r.Model != "resnet-50-fp16" || r.Speed("h100", 4) != 43.1914062 || r.Gang["h200"]["2"] != 0 ||
		r.Speed("h200", 2) != 2*r.PerGPU["h200"] || r.Speed("h200", 8) != 95.6210938 || r.PerGPU["v100"] != 0 {
		t.Errorf("%+v", r)
	}
	for i, line := range strings.Split(modernSpeeds, "\n") {
		if part := strings.Split(line, " "); len(part) != 2+len(modernTypes) || part[0] != rows[i].Model {
			t.Errorf("%q", line)
		}
		one := [...]int{0, 1, 2, 4}[i] // of lambda
		all := modernRows(modernTypes[:])[i]
		for _, typ := range modernTypes {
			if got := all.PerGPU[typ] * float64(all.Batch); math.Abs(got/lambda[typ][one]-1) > 1e-8 {
				t.Errorf("%s on %s: %v examples/s", all.Model, typ, got)
			}
		}
	}
}

// TestTooLargeNamesTheGang: a gang that is too large is not told that its model does not run over nodes where a smaller
// one does.
func TestTooLargeNamesTheGang(t *testing.T) {
	doc, _ := Parse([]byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},
{"id":"b","gpus":{"k80":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1,"k80":0.5},
"spread":{"v100":{"4":0},"k80":{"4":0}}}]},"jobs":[{"id":"x","model":"m","gpus":4,"steps":3000}]}}`), FileLimits)
	found := doc.Check()
	for _, d := range found {
		if d.Code == codeTooLarge {
			if want := "x asks for 4 GPUs and can get 3; m does not run with 4 GPUs spread over nodes"; d.Message.String() !=
				want {
				t.Errorf("it says %q", d.Message)
			}
			return
		}
	}
	t.Errorf("nothing is too large: %v", found)
}
