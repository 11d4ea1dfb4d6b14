package claims

func init() {
	add(&Claim{ID: "gc-dc-2020-iterations", As: CannotBeTried, Published: better, Unit: Times,
		Paper: &Paper{Key: "gc-dc-2020", Year: 2020, Link: "https://arxiv.org/abs/2011.01922", Read: "its abstract",
			Cite:  "Buyukates, Ozfatura, Ulukus, Gündüz: Gradient Coding with Dynamic Clustering (arXiv 2011.01922, 2020)",
			Title: "Gradient Coding with Dynamic Clustering for Straggler Mitigation"},
		Where: "abstract, without a figure",
		Says: "With groups formed anew at each iteration, coded iterations take less time on average than with groups " +
			"that stay.",
		Known: "Workers that are slow for some iterations in a row",
		Untried: "The abstract has no figure, and says nothing of how many workers there are and how slow. The lab has " +
			"static and dynamic groups in forms of ours; in those the slowest members are spared by dynamic groups by " +
			"construction, so that a run could not fail to agree."})
}
