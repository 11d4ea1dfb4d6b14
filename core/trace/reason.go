package trace

// Code names a reason. The numbers' meaning is in the table Codes; a code's value is part of the
// stored trace and never changes.
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
	LeftByCopy       // GPUs of a node that a forked copy cannot use
	WaitNodes        // more jobs than nodes: the others are worth more on them
	WaitMatch        // matched to a GPU on which another job goes first
	WaitAuction      // its fairness is not among the worst, and the winners left no GPUs that fit
	Merges           // it is forked: from here on its copies are merged at every decision
	Failed           // lost GPUs to a fault
	Forced           // what it holds was chosen in the policy's place
	WaitForced       // it waits since a forced choice says so, or took its GPUs
	ForceVoid        // a forced choice for it has no effect
	WaitSearch       // no fitter allocation was found in which it has GPUs
	WaitVirtual      // its copy on a virtual machine still runs
	WaitCloser       // it refuses GPUs that lie too far apart, for closer ones may come
	Timer            // of no job: from here on those that ask for so many GPUs wait so long for closer ones
)

// Codes describes every reason: a stable name, a verb, and what its numbers are.
var Codes = [...]struct {
	Name, Verb string
	Num        [3]string
}{
	NoReason:   {"none", "", [3]string{}},
	Placed:     {"placed", "starts", [3]string{"score", "value", "cost"}},
	Kept:       {"kept", "runs on", [3]string{"score", "value", "cost"}},
	Moved:      {"moved", "moves", [3]string{"score", "value", "cost"}},
	Preempted:  {"preempted", "stops", [3]string{"score", "value", "cost"}},
	WaitPrice:  {"wait-price", "waits", [3]string{"payoff", "utility", "cost"}},
	WaitShape:  {"wait-shape", "waits", [3]string{"gpus asked", "gpus free", "most of one type"}},
	WaitFull:   {"wait-full", "waits", [3]string{"gpus asked", "gpus free", ""}},
	WaitOrder:  {"wait-order", "waits", [3]string{"gpus asked", "gpus free", ""}},
	WaitShare:  {"wait-share", "waits", [3]string{"target share", "received share", "priority"}},
	WaitReset:  {"wait-reset", "waits", [3]string{"seconds to the reset", "", ""}},
	WaitOutbid: {"wait-beam", "waits", [3]string{"payoff", "utility", "cost"}},
	WaitRate:   {"wait-rate", "waits", [3]string{"gpus asked", "gpus free", ""}},
	LeftByCopy: {"left-by-copy", "leaves", [3]string{"gpus left", "", ""}},
	WaitNodes:  {"wait-nodes", "waits", [3]string{"nodes", "jobs", ""}},
	WaitMatch:  {"wait-match", "waits", [3]string{"jobs before it, -1 = not matched", "run time there", "gpu type"}},
	WaitAuction: {"wait-auction", "waits", [3]string{"fairness", "least fairness that bids, -1 = nothing for sale",
		"seconds to the next lease end"}},
	Merges:     {"merges", "merges", [3]string{"seconds", "", ""}},
	Failed:     {"failed", "stops", [3]string{"gpus left in the slot", "steps lost", ""}},
	Forced:     {"forced", "is forced", [3]string{}},
	WaitForced: {"wait-forced", "waits", [3]string{}},
	ForceVoid: {"force-void", "is not forced", [3]string{"1 = not arrived, 2 = done, 3 = it cannot hold the gangs", "",
		""}},
	WaitSearch:  {"wait-search", "waits", [3]string{"speedup on its fewest GPUs", "restart discount", "gpus free"}},
	WaitVirtual: {"wait-virtual", "waits", [3]string{"virtual seconds left", "virtual seconds in all", ""}},
	WaitCloser: {"wait-closer", "waits", [3]string{"times as long a step takes so far apart as close together",
		"seconds until it takes these", "tier offered"}},
	Timer: {"timer", "is set", [3]string{"gpus asked", "tier waited for", "seconds"}},
}

func (c Code) String() string {
	if int(c) >= len(Codes) {
		return "unknown"
	}
	return Codes[c].Name
}

// Waits says whether the code explains a wait.
func (c Code) Waits() bool {
	return c >= WaitPrice && c <= WaitRate || c >= WaitNodes && c <= WaitAuction || c == WaitForced ||
		c >= WaitSearch && c <= WaitCloser
}
