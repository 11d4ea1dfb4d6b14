package trace

// Code names a reason; its value is part of the stored trace and never changes. The numbers of a reason are the GPUs
// that a job needs and those that are free where it waits for a place (WaitFull, WaitShape, WaitOrder, WaitRate), the
// GPUs left in the slot and the steps lost of Failed, the parts of their speeds at which the node and the gang run of
// Slowed, the members of an array, how much longer their step is than of one and the s held of Fused, the instant of
// release of WaitFusion, why of ForceVoid (sim.ForceEarly and so on); others are its
// policy's own.
type Code uint8

const (
	NoReason    Code = iota
	Placed           // started or resumed
	Kept             // runs on, unchanged
	Moved            // other GPUs without a break
	Preempted        // lost its GPUs while unfinished
	WaitPrice        // the best placement costs more than it is worth
	WaitShape        // no free GPUs fit the gang's shape
	WaitFull         // fewer GPUs are free than the gang needs
	WaitOrder        // a job before it in the queue blocks it
	WaitShare        // it has had its share of time for now
	WaitReset        // not yet in the allocation; the next reset takes it in
	WaitOutbid       // affordable, but other jobs together are worth more
	WaitRate         // it has no speed on any GPU that is free
	_                // of version 2, as the two below: see second.go
	WaitNodes        // the nodes that it could have to itself go to jobs that are worth more there
	WaitMatch        // matched to a GPU on which another job goes first
	WaitAuction      // its fairness is not among the worst, and the winners left no GPUs that fit
	_
	Failed      // lost GPUs to a fault
	Forced      // what it holds was chosen in the policy's place
	WaitForced  // it waits since a forced choice says so, or took its GPUs
	ForceVoid   // a forced choice for it has no effect
	WaitSearch  // no fitter allocation was found in which it has GPUs
	WaitVirtual // its copy on a virtual machine still runs
	WaitCloser  // it refuses GPUs that lie too far apart, for closer ones may come
	_
	WaitChoice // it would fit, and the policy chose to give it nothing
	Slowed     // it trains more slowly, since a node of its gang began to
	// Of nodes that can be had for money, by their slots. The numbers are the instant and a time, in s: until it comes,
	// 0, how long it was unused, how long it was there.
	NodeAsked    // asked for: for a job that waits, or for none
	NodeCame     // it is there
	NodeReleased // given back
	NodeGone     // taken back by the provider
	Fused        // it trains with others on one GPU, as an array of so many from now on
	WaitFusion   // it is held for others of its sweep
)

// names are those of the codes, in documents and exports.
var names = [...]string{
	NoReason:    "none",
	Placed:      "placed",
	Kept:        "kept",
	Moved:       "moved",
	Preempted:   "preempted",
	WaitPrice:   "wait-price",
	WaitShape:   "wait-shape",
	WaitFull:    "wait-full",
	WaitOrder:   "wait-order",
	WaitShare:   "wait-share",
	WaitReset:   "wait-reset",
	WaitOutbid:  "wait-beam",
	WaitRate:    "wait-rate",
	WaitNodes:   "wait-nodes",
	WaitMatch:   "wait-match",
	WaitAuction: "wait-auction",
	Failed:      "failed",
	Forced:      "forced",
	WaitForced:  "wait-forced",
	ForceVoid:   "force-void",
	WaitSearch:  "wait-search",
	WaitVirtual: "wait-virtual",
	WaitCloser:  "wait-closer",
	WaitChoice:  "wait-choice",
	Slowed:      "slowed",

	NodeAsked:    "node-asked",
	NodeCame:     "node-came",
	NodeReleased: "node-released",
	NodeGone:     "node-gone",
	Fused:        "fused",
	WaitFusion:   "wait-fusion",
}

func (c Code) String() string {
	if int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

// Waits says whether the code explains a wait.
func (c Code) Waits() bool {
	return c >= WaitPrice && c <= WaitRate || c >= WaitNodes && c <= WaitAuction || c == WaitForced ||
		c >= WaitSearch && c <= WaitCloser || c == WaitChoice || c == WaitFusion
}
