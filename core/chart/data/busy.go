package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(1, "busy", "Utilisation", busy) }

func busy(t *Table, s *Source) words.Text {
	return t.overTime(s, "gpus_busy", words.Say("GPUs busy"),
		func(r *Run) chart.Series { return chart.Busy(r.Trace) })
}
