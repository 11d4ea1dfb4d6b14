// Package all registers every family of policies. Who imports it has them all in the registry, whose order is that of
// their ids and does not depend on the order here.
package all

import (
	_ "hadarlab/core/policy/auction" // Themis-style: GPUs are lent, and auctioned among the worst off
	_ "hadarlab/core/policy/elastic" // Pollux, Sia, Optimus, Elastic DP: who choose how many GPUs a job gets
	_ "hadarlab/core/policy/gavel"   // Gavel's, Gandiva, AlloX: who divide time in rounds
	_ "hadarlab/core/policy/hadar"   // Hadar and HadarE
	_ "hadarlab/core/policy/network" // Dally-style, A-SRPT-style: who mind how far apart GPUs lie
	_ "hadarlab/core/policy/own"     // one's own: a formula, or a program
	_ "hadarlab/core/policy/queues"  // FIFO, SJF, SRTF, LAS, Gittins, Tiresias, YARN-CS: who go by an order
)
