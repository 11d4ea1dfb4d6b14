package study

import "hadarlab/core/scenario"

// Laboratory generates the ten mixes on the five nodes of HadarE's laboratory: the jobs are those of Mixes from the
// same seed, to the step.
//
// We have not read the paper. That total time falls by 80 % on a laboratory's cluster stands in its abstract; that this
// has five nodes of one GPU, and which (Titan RTX, T4, T400, RTX 3090, RTX A2000), is a weak recollection. Speeds
// are nobody's measurements: the V100's, which Gavel measured, times the lesser ratio of single-precision rate and
// memory bandwidth of the makers' sheets, so that they say how unequal the nodes are and not how fast each model is.
// That every model fits the 4 GB of the T400 is our choice, and so are the mixes; see Mixes.
//
// Where each node has one GPU and each job asks for one, HadarE's copies hold the same under both settings of copy.
// Both are lanes, and a test holds them to the same run.
func Laboratory(seed uint64) []*scenario.Document {
	return mixes(seed, &testbed{title: "Laboratory, mix", types: []string{"titan-rtx", "t4", "t400", "rtx3090",
		"rtx-a2000"},
		source: "by hardware figures, from Gavel's measurement on V100",
		notes:  "Generated: the five single-GPU nodes of HadarE's laboratory as we remember them, unread; models cycle through Transformer, ResNet-18, LM, Recommendation and MiMa, whose lengths are drawn from the seed. Speeds are the V100's times the lesser ratio of single-precision rate and memory bandwidth: nobody measured them. MiMa's are made up.",
		lanes:  LaboratoryLanes()})
}

// LaboratoryLanes are the lanes of Laboratory, in the order of its documents.
func LaboratoryLanes() []Lane {
	return []Lane{NewLane("hadare"), NewLane("hadare", "copy", "node").Named("hadare copy=node"), NewLane("hadar"),
		NewLane("gavel-las")}
}
