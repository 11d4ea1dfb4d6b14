package scenario

// Codes of diagnostics: stable names of the rules. Programs and tests match them; texts may change.
const (
	// values
	codeAssumed     = "assumed"          // note: kind or version was absent
	codeRequires    = "feature-unknown"  // an entry of requires that this version lacks
	codeLong        = "text-too-long"    // a text beyond its limit
	codeControl     = "control-char"     // a control character in a free text
	codeUnseen      = "unseen-char"      // a character in a free text that nobody sees
	codeID          = "bad-id"           // an id outside [a-z0-9][a-z0-9_.-]{0,63}
	codeName        = "bad-name"         // a model name outside its pattern
	codeSize        = "bad-size"         // a gang size that is no whole number
	codeUnit        = "bad-unit"         // a unit other than steps_per_s
	codeSameLane    = "duplicate-policy" // warning: two lanes alike
	codeNoJobs      = "no-jobs"          // an empty job list
	codeNoGPUs      = "no-gpus"          // a cluster without a GPU
	codeEmptyNode   = "empty-node"       // note: a node without a GPU
	codeElasticPair = "elastic-order"    // elastic.min above elastic.max
	codeChoice      = "bad-choice"       // a word that is none of the choices
	codePairSelf    = "pair-of-itself"   // a model beside itself at two speeds
	codeSpell       = "bad-spell"        // a spell of slowness that ends before it begins, or in another one
	codeCloud       = "empty-cloud"      // a cloud without a group of nodes
	codeRedundancy  = "bad-redundancy"   // a redundancy that the job's gang cannot have
	codeSweep       = "bad-sweep"        // jobs of a sweep that cannot be fused
	codeNoSweep     = "unused-fusion"    // note: fusion that comes to nothing

	// the scenario as a whole
	codeNoRow     = "no-row"              // a job whose model and batch have no row
	codeNoTenant  = "no-tenant"           // a job of a tenant that is not listed
	codePairRow   = "unused-pair"         // warning: a pair without a row
	codeModelRow  = "unused-model"        // warning: overheads of a model without a row
	codeNoNode    = "no-node"             // a fault or a change of a node, or a type, that is not there
	codeNoJob     = "no-job"              // a forced choice for a job that is not there
	codeGang      = "bad-gang"            // a forced gang that no policy could give
	codeNoRate    = "no-rate"             // a job that runs on none of the cluster's types
	codeTooLarge  = "job-too-large"       // a gang that the cluster cannot give
	codeMixedOnly = "mixed-only"          // warning: fits over mixed types only
	codeTooLong   = "runs-too-long"       // more than 1e9 s even at its fastest
	codeLate      = "after-horizon"       // warning: arrives after the end
	codeStall     = "stall-exceeds-round" // warning: a restart takes a whole round
	codeNoUse     = "unused-type"         // note: a type that no node has
	codeNoType    = "unknown-type"        // note: a type without catalogue values
	codeNoSpeed   = "no-speed"            // warning: a type on which no row has a speed
	codeTables    = "tables-too-large"    // types × sizes × rows beyond the limit
	codeOverload  = "no-steady-state"     // warning: a window, and more work than the cluster can do
	codeClosing   = "window-closes"       // warning: no job arrives after the window's last
	codeNetwork   = "unused-network"      // note: a network, and no row with gradients
	codeGradient  = "no-network"          // note: gradients, and no network
	codeCurve     = "bad-host-curve"      // points of a host curve out of order, or none at full speed
	codeNoHost    = "no-host"             // note: needs of CPUs or memory, and no node that says what it has
	codeUnneeded  = "unused-host"         // note: nodes with CPUs or memory, and no job that needs any
	codeOneRack   = "one-rack"            // note: a policy that makes use of racks, and no second one
	codeRecord    = "record"              // recorded decisions where there are none
	codeTooMuch   = "cluster-too-large"   // more GPUs than the limit
)
