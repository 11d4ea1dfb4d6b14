package message

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Crowded warns of more jobs than nodes under a policy that gives a job whole nodes; ok when there are not.
func Crowded(path, title string, jobs, nodes int) (d jsondoc.Diagnostic, ok bool) {
	return jsondoc.Diagnostic{Path: path, Level: "warning", Code: "jobs-outnumber-nodes",
			Message: words.Say(
				"{0} gives a job whole nodes, so that of these {1} jobs no more than {2} run at a time, however few GPUs they ask for.",
				words.Say(title), jobs, nodes),
			Fix: words.Say(
				"Give the cluster as many nodes as there are jobs at a time, or read its figures with that in mind.")},
		jobs <= nodes
}

// Revision is the finding on a policy whose document asks for another revision than the one at hand; ok when it is
// that one. Defaults, meanings and decisions belong to a revision, so that nothing is run as another one unasked.
// asked 0 asks for the one at hand; past are the last releases that ran revision 1, 2, …
func Revision(path, title string, asked, have int, past []string) (d jsondoc.Diagnostic, ok bool) {
	if asked == 0 || asked == have {
		return jsondoc.Diagnostic{}, true
	}
	d = jsondoc.Diagnostic{Path: path + "/rev", Level: "error", Code: "policy-revision",
		Message: words.Say(
			"This was made for revision {0} of {1}, and this release runs revision {2}, which may decide otherwise.",
			asked, words.Say(title), have),
		Fix: words.Say("Run it with a later release of Hadarlab, or leave rev out.")}
	if asked >= 1 && asked <= len(past) {
		d.Fix = words.Say("Run it with release {0} of Hadarlab, the last that has it, or leave rev out.",
			past[asked-1])
	}
	return d, false
}
