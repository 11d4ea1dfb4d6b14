package jsondoc

// Codes of diagnostics about any JSON document: stable names of the rules. Programs and tests match them; texts may
// change.
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

	// its members and their values
	codeUnknown   = "unknown-member" // note: kept, without effect
	CodeMissing   = "missing-member" // a required member is absent
	codeType      = "wrong-type"     // another JSON type is wanted
	codeInteger   = "not-integer"    // a fraction where a count is wanted
	codeUnsafe    = "number-unsafe"  // beyond ±(2^53-1) in an unknown member or a parameter
	CodeKind      = "wrong-kind"     // another kind of document
	CodeTooNew    = "too-new"        // made by a later version
	CodeVersion   = "wrong-version"  // a version that never was
	CodeRange     = "out-of-range"   // a number outside its limits
	CodeDuplicate = "duplicate-id"   // a node, job or row twice
	CodeMany      = "too-many"       // more entries than the limit
	CodeCount     = "wrong-count"    // a list with too few or too many entries
)
