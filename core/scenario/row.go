package scenario

import (
	"slices"
	"strconv"

	"hadarlab/core/text"
	"hadarlab/core/words"
)

type rowKey struct {
	model string
	batch int
}

func (j *Job) row() rowKey { return rowKey{j.Model, j.Batch} }

func (r *Row) key() rowKey { return rowKey{r.Model, r.Batch} }

// rowName is a model and batch for people.
func rowName(model string, batch int) words.Text {
	if batch == 0 {
		return words.Own(text.Clip(model))
	}
	return words.Say("{0} batch {1}", text.Clip(model), batch)
}

// rate is the speed in steps per second of a gang of n GPUs of one type, 0 when it cannot run.
func (r *Row) rate(typ string, n int, spread bool) float64 {
	size := strconv.Itoa(n)
	if spread {
		if v, ok := r.Spread[typ][size]; ok {
			return text.Round9(v)
		}
	}
	if v, ok := r.Gang[typ][size]; ok {
		return text.Round9(v)
	}
	return float64(n) * text.Round9(r.PerGPU[typ])
}

// Speed is the speed in steps per second of a gang of n GPUs of one type on one node, 0 when it cannot run.
func (r *Row) Speed(typ string, n int) float64 { return r.rate(typ, n, false) }

// runsOn says whether r has any speed on a type.
func (r *Row) runsOn(typ string) bool {
	if r.PerGPU[typ] > 0 {
		return true
	}
	for _, m := range [...]map[string]map[string]float64{r.Gang, r.Spread} {
		for _, v := range m[typ] {
			if v > 0 {
				return true
			}
		}
	}
	return false
}

// sizes are the gang sizes that r names for any type, in order.
func (r *Row) sizes() []int {
	var out []int
	for _, m := range [...]map[string]map[string]float64{r.Gang, r.Spread} {
		for _, sizes := range m {
			for size := range sizes {
				if n, err := strconv.Atoi(size); err == nil {
					out = append(out, n)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
