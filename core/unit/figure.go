package unit

// Units of explained figures that are no units of measurement. Worth stands for the unit of a policy's utilities, costs
// and prices, Share for a part of 1, Instant for seconds since the scenario's start.
const (
	Worth   = "worth"
	Share   = "share"
	Instant = "instant"
)
