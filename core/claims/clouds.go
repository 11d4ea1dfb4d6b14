package claims

func init() {
	add(&Claim{ID: "predictive-2020-launch", As: CannotBeTried, Published: better, Unit: Times,
		Paper: &Paper{Key: "predictive-2020", Year: 2020, Link: "https://arxiv.org/abs/2010.05049",
			Read: "its abstract",
			Cite: "Gao: A Predictive Autoscaler for Elastic Batch Jobs (arXiv 2010.05049, 2020)"},
		Where: "abstract, without a figure",
		Says: "A predictive autoscaler spares jobs long times until they start, at lower cost than other methods of " +
			"forecasting.",
		Known: "Resource use in production, nodes without end",
		Untried: "The abstract has no figure, and does not describe the trained forecast. The lab has an autoscaler " +
			"that forecasts by the recent past and by the hour of the day, in a form of ours; what it spares and costs " +
			"hangs on how alike the days are, which a scenario says itself."})
}
