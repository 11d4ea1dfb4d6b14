package model

// Link is one rank's way to the others.
type Link struct {
	BytesPerS float64 // effective, > 0
	Latency   float64 // s, of one step of the ring
}

// Net is the network of a cluster. Bandwidths are effective, of one rank, and not the peak.
type Net struct {
	Node             Link    // between the GPUs of a node
	NIC              Link    // between nodes of one rack
	Across           float64 // s, latency of a step between racks
	Oversubscription float64 // ≥ 1, of the racks' uplinks
	Congestion       float64 // ≥ 1, divides what a node's NIC carries
	Overlap          float64 // 0 to 1, of the backward pass behind which communication hides
}
