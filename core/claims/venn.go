package claims

func init() {
	add(&Claim{ID: "venn-2025-completion", As: CannotBeTried, Published: at(1.88), Unit: Times,
		Paper: &Paper{Key: "venn-2025", Year: 2025, Link: "https://arxiv.org/abs/2312.08298", Read: "its abstract",
			Cite: "Liu, Lai, Ding, Zhang, Chowdhury: Venn (MLSys 2025)"},
		Where: "abstract, up to 1.88 times",
		Says: "Devices that are scarce for some, assigned with contention in mind, improve mean completion by up to 1.88 " +
			"times.",
		Known: "Jobs of collaborative learning, whose needs overlap, on devices that come and go",
		Untried: "Devices of a round of learning are asked by the hundred, answer once and are gone; jobs here hold a " +
			"gang until they end. The abstract names neither the managers that it is compared with nor the mix of jobs. " +
			"Venn-style has its idea in a form of ours: on the preset The only GPU that fits the mean is 50 minutes " +
			"beside 60 under FIFO."})
}
