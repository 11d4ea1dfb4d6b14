package imports

// Codes of the diagnostics of traces: stable names of the rules, beside those of scenario.
const (
	codeBadTable   = "bad-throughputs"
	codeNoColumn   = "missing-column"
	codeRow        = "row-dropped" // warning
	codeNoRows     = "no-rows"
	codeBadOption  = "bad-option"
	codeUnreadable = "unreadable"
	codeNoFormat   = "format-unknown"
)
