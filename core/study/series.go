package study

import (
	"slices"
	"strconv"

	"hadarlab/core/scenario"
)

// Series is an experiment that is drawn from a seed. Its lanes run on the same jobs, so that what one brings over
// another can be paired seed by seed.
type Series struct {
	Name  string
	Lanes []Lane // those of every document, in its order
	Doc   func(seed uint64) *scenario.Document
}

// MixSeries has a series for each of the ten mixes.
func MixSeries() []Series {
	var lanes []Lane
	for _, id := range MixPolicies {
		lanes = append(lanes, NewLane(id))
	}
	return eachMix("mix", lanes, Mixes)
}

// LaboratorySeries has a series for each of the ten mixes on the nodes of the laboratory.
func LaboratorySeries() []Series { return eachMix("laboratory mix", LaboratoryLanes(), Laboratory) }

func eachMix(name string, lanes []Lane, all func(seed uint64) []*scenario.Document) (out []Series) {
	for m := range MixSizes {
		out = append(out, Series{name + " " + strconv.Itoa(m+1), slices.Clone(lanes),
			func(seed uint64) *scenario.Document { return all(seed)[m] }})
	}
	return out
}

// policies are lanes as a document has them.
func policies(lanes []Lane) (out []scenario.Policy) {
	for _, l := range lanes {
		out = append(out, scenario.Policy{ID: l.ID, Params: l.Params})
	}
	return out
}
