package scenario

import (
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

type rowKey struct {
	model string
	batch int
	only  string // types that its jobs may use (jobtypes.go); "" = all
}

func (j *Job) row() rowKey { return rowKey{j.Model, j.Batch, j.only()} }

func (r *Row) key() rowKey { return rowKey{r.Model, r.Batch, r.only} }

// rowName is a model and batch for people.
func rowName(model string, batch int) words.Text {
	if batch == 0 {
		return words.Own(jsondoc.Clip(model))
	}
	return words.Say("{0} batch {1}", jsondoc.Clip(model), batch)
}

// measured are the speeds of gangs by how far apart they are.
func (r *Row) measured() [model.Tiers]map[string]map[string]float64 {
	return [...]map[string]map[string]float64{r.Gang, r.Spread, r.Far}
}

// rate is the speed in steps per second of a gang of n GPUs of one type, 0 when it cannot run. What was not measured
// follows from the network of have (nil = none), and is never faster than closer together.
func (r *Row) rate(have *supply, typ string, n int, tier model.Tier) float64 {
	size, closer := strconv.Itoa(n), float64(n)*jsondoc.Round9(r.PerGPU[typ])
	for t, sizes := range r.measured() {
		if v, ok := sizes[typ][size]; ok {
			closer = jsondoc.Round9(v)
		} else if have != nil && have.net != nil && r.GradientMB > 0 {
			closer = min(closer, have.net.Rate(jsondoc.Round9(r.PerGPU[typ]), jsondoc.Round9(r.GradientMB)*1e6, n,
				max(1, have.slot[typ]), model.Tier(t)))
		}
		if t == int(tier) {
			break
		}
	}
	return closer
}

// Speed is the speed in steps per second of a gang of n GPUs of one type on one node, 0 when it cannot run.
func (r *Row) Speed(typ string, n int) float64 { return r.rate(nil, typ, n, model.OneNode) }

// runsOn says whether r has any speed on a type.
func (r *Row) runsOn(typ string) bool {
	if r.PerGPU[typ] > 0 {
		return true
	}
	for _, m := range r.measured() {
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
	for _, m := range r.measured() {
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
