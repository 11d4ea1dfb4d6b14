package findings

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Usage says which GPU type is wasted most, and where.
func Usage(in words.Catalogue, sides []Side, use [][]chart.Usage) Finding {
	lane, typ, most := -1, 0, 0.005
	for i := range use {
		for k := range use[i] {
			if s := use[i][k].Share[chart.ShareWaste]; s > most {
				lane, typ, most = i, k, s
			}
		}
	}
	f := Finding{Claim: in.T("No GPU stands idle while a job waits."),
		Because: in.T("A GPU is idle only when no waiting job could use it.")}
	if lane >= 0 {
		name := figure.TypeTitle(sides[lane].Trace.Types[typ])
		f = Finding{Claim: in.F("Under {0}, {1} GPUs stand idle while a job waits for {2} of the time.",
			sides[lane].Title, name, figure.Percent(in, most))}
		for i := range use {
			if i != lane && typ < len(use[i]) {
				f.Because += in.F("Under {0} it is {1}.", sides[i].Title,
					figure.Percent(in, use[i][typ].Share[chart.ShareWaste])) + " "
			}
		}
	}
	return f
}
