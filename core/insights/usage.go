package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Usage says which GPU type is wasted most, and where.
func Usage(in words.Catalogue, sides []Side, use [][]chart.Usage) Finding {
	lane, typ, most := -1, 0, 0.0
	for i := range use {
		for k := range use[i] {
			if s := use[i][k].Share[chart.ShareWaste]; s > most {
				lane, typ, most = i, k, s
			}
		}
	}
	f := Finding{Claim: in.T("No GPU stands idle while a job waits."),
		Because: in.T("GPUs are idle only when nobody waits.")}
	if lane >= 0 {
		name := figure.TypeTitle(sides[lane].Trace.Types[typ])
		f = Finding{Claim: in.F("Under {0}, {1} GPUs stand idle for {2} of their GPU time while a job waits.",
			sides[lane].Title, name, some(in, figure.Percent, most))}
		for i := range use {
			if i != lane && typ < len(use[i]) {
				f.Because += in.F("Under {0} it is {1}.", sides[i].Title,
					some(in, figure.Percent, use[i][typ].Share[chart.ShareWaste])) + " "
			}
		}
		f.Because += in.T("Counted is any waiting job, whether it fits on these GPUs or not.")
	}
	return f
}

// some writes a share so that a small one is not read as none.
func some(in words.Catalogue, write func(words.Catalogue, float64) string, v float64) string {
	if v > 0 && v < 0.001 {
		return in.T("less than 0.1 %")
	}
	return write(in, v)
}
