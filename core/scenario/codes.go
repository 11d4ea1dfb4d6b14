package scenario

// Codes of diagnostics: stable names of the rules. Programs and tests match them; texts may change.
const (
	// the text
	CodeTooBig   = "too-big"          // more bytes than the limit
	codeBOM      = "byte-order-mark"  // note: skipped
	codeUTF8     = "not-utf8"         // bytes that are no UTF-8
	codeJSON     = "bad-json"         // no JSON; the message says what is wrong
	codeTrailing = "trailing-data"    // something follows the document
	codeObject   = "not-an-object"    // JSON, but no object
	codeDeep     = "too-deep"         // nesting beyond the limit
	CodeTwice    = "duplicate-member" // a member name twice in one object
	codeUnknown  = "unknown-member"   // note: kept, without effect
	codeMissing  = "missing-member"   // a required member is absent
	codeAssumed  = "assumed"          // note: kind or version was absent
	codeType     = "wrong-type"       // another JSON type is wanted
	codeInteger  = "not-integer"      // a fraction where a count is wanted
	codeUnsafe   = "number-unsafe"    // beyond ±(2^53-1) in an unknown member or a parameter

	// values
	codeKind        = "wrong-kind"       // another kind of document
	codeTooNew      = "too-new"          // made by a later version
	codeVersion     = "wrong-version"    // a version that never was
	codeRequires    = "feature-unknown"  // an entry of requires that this version lacks
	codeRange       = "out-of-range"     // a number outside its limits
	codeLong        = "text-too-long"    // a text beyond its limit
	codeControl     = "control-char"     // a control character in a free text
	codeID          = "bad-id"           // an id outside [a-z0-9][a-z0-9_.-]{0,63}
	codeName        = "bad-name"         // a model name outside its pattern
	codeSize        = "bad-size"         // a gang size that is no whole number
	codeUnit        = "bad-unit"         // a unit other than steps_per_s
	codeDuplicate   = "duplicate-id"     // a node, job or row twice
	codeSameLane    = "duplicate-policy" // warning: two lanes alike
	codeNoJobs      = "no-jobs"          // an empty job list
	codeNoGPUs      = "no-gpus"          // a cluster without a GPU
	codeEmptyNode   = "empty-node"       // note: a node without a GPU
	codeMany        = "too-many"         // more entries than the limit
	codeElasticPair = "elastic-order"    // elastic.min above elastic.max
	codeChoice      = "bad-choice"       // a word that is none of the choices
	codePairSelf    = "pair-of-itself"   // a model beside itself at two speeds
	codeCount       = "wrong-count"      // a list with too few or too many entries

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
	codeElastic   = "elastic-unused"      // note: elastic sizes, which rigid policies ignore
	codeTables    = "tables-too-large"    // types × sizes × rows beyond the limit
	codeTooMuch   = "cluster-too-large"   // more GPUs than the limit

	// links
	codeLinkEmpty   = "link-empty"
	codeLinkCut     = "link-cut"
	codeLinkCheck   = "link-checksum"
	codeLinkTooNew  = "link-too-new"
	codeLinkTooBig  = "link-too-big"
	codeLinkInvalid = "link-invalid"
)
