package link

// Codes of findings about links: stable names of the rules. Programs and tests match them; texts may change.
const (
	codeEmpty   = "link-empty"
	codeCut     = "link-cut"
	codeCheck   = "link-checksum"
	codeTooNew  = "link-too-new"
	codeTooBig  = "link-too-big"
	codeInvalid = "link-invalid"
)
