package scenario

import "hadarlab/core/jsondoc"

// TypeSpeed is how fast a GPU type trains, over many models.
type TypeSpeed struct {
	Type     string
	Factor   float64 // times a V100 with 16 GB
	Estimate bool    // nothing was measured, or not on this type itself
	Source   string  // what it was measured on, or how it was estimated
}

// Where speeds come from; DATA.md has the tables, and a test computes every factor from them.
const (
	byLambda = "one GPU, mixed precision, geometric mean of seven models, each with the batch that fits; Lambda, 2021 to 2025"
	byGavel  = "one GPU, geometric mean of seven families of models; Gavel, OSDI 2020"
	bySia    = "one GPU, geometric mean of five models, each with its best batch, against an A100; Sia, SOSP 2023"
	// The rule for what was not measured: √(mixed-precision rate × memory bandwidth), each as a multiple of a
	// V100's, 125 TFLOPS and 900 GB/s.
	bySheet  = "√(mixed-precision rate ÷ 125 TFLOPS × memory bandwidth ÷ 900 GB/s) of its data sheet"
	byA10    = "an A10, measured by Lambda: the same memory and bandwidth, other clocks"
	bySingle = "single-precision rate ÷ 15.7 TFLOPS, for want of anything better"
)

// typeSpeeds are sorted by type.
var typeSpeeds = [...]TypeSpeed{
	{"a100", 2.3, false, byLambda},
	{"a100-80", 2.92, false, byLambda},
	{"a10g", 0.929, true, byA10},
	{"h100", 5.36, false, byLambda},
	{"h200", 6.3, false, byLambda},
	{"k80", 0.276, false, byGavel},
	{"l4", 0.568, true, bySheet},
	{"p100", 0.859, false, byGavel},
	{"rtx3090", 1.22, false, byLambda},
	{"t4", 0.491, false, bySia},
	{"v100", 1, false, "what the others are counted in"},
}

// SpeedOf is how fast a type of the catalogue trains: as measured, else estimated; false for one that is not listed.
// It serves imports, which write what they take of it into the document. A document's own speeds and profiles never
// depend on it.
func SpeedOf(typ string) (TypeSpeed, bool) {
	for _, s := range typeSpeeds {
		if s.Type == typ {
			return s, true
		}
	}
	t, ok := CatalogueType(typ)
	v100, _ := CatalogueType("v100")
	return TypeSpeed{typ, jsondoc.Round9(t.FP32TFLOPS / v100.FP32TFLOPS), true, bySingle}, ok
}
