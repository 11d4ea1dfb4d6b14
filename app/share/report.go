package share

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Report is what a report says beside the result: Table holds the figures.
type Report struct {
	Title, Table, Origin, Link, ID, Engine string
	Lineage                                *Lineage // nil = not made from another
}

// Of is the report of a result, as Markdown.
func (p *Report) Of(r *run.Result) string {
	text := "# " + Markdown(p.Title) + "\n\n"
	if question := compare.Question(r.Doc); question != "" {
		text += Markdown(question) + "\n\n"
	}
	text += "**" + Markdown(r.Finding.Claim) + "** " + Markdown(r.Finding.Because) + "\n\n" + Markdown(Setup(r)) + "\n"
	if l := p.Lineage; l != nil {
		text += "\n" + Markdown(words.F("Made from “{0}” by {1}", l.Title, words.Plural(len(l.Changes),
			"change"))) + ":\n\n"
		for _, c := range l.Changes {
			text += "- " + Markdown(c.Words) + "\n"
		}
	}
	text += "\n" + p.Table + "\n" + completions(r) + "\n"
	for _, l := range r.Ran() {
		text += "- " + Markdown(l.Title) + ": `" + l.Policy.ID + "`, trace `" + l.Meta.TraceHash + "`\n"
	}
	text += "- "
	if p.Link != "" {
		text += "[" + words.T("Open the scenario") + "](" + p.Origin + p.Link + "), "
	}
	return text + "`" + p.ID + "`\n- " + Colophon(p.Engine) + "\n"
}

// Setup is the cluster and the number of jobs in words.
func Setup(r *run.Result) string {
	count := map[string]int{}
	nodes := r.Doc.Scenario.Cluster.Nodes
	for i := range nodes {
		for t, n := range nodes[i].GPUs {
			count[t] += n
		}
	}
	var gpus []string
	for _, t := range jsondoc.Keys(count) {
		gpus = append(gpus, strconv.Itoa(count[t])+" "+figure.TypeTitle(t))
	}
	return words.F("{0} with {1}; {2}; a round is {3} s.", words.Plural(len(nodes), "node"), strings.Join(gpus, ", "),
		words.Plural(r.Doc.JobCount(), "job"), edit.FormatNumber(r.Doc.Scenario.RoundS))
}

// reportJobs is how many jobs a report lists.
const reportJobs = 50

// completions is a table of the jobs' completion times, of the first ones where there are many.
func completions(r *run.Result) string {
	u := r.Axis.Unit
	head, rule := "| "+words.T("Job")+" |", "|---|"
	var rows []string
	for _, l := range r.Ran() {
		head, rule = head+" "+Markdown(l.Title)+", "+u.Short+" |", rule+"---:|"
		for i := range min(len(l.Trace.Jobs), reportJobs) {
			j := &l.Trace.Jobs[i]
			if i == len(rows) {
				rows = append(rows, "| "+Markdown(j.Name)+" |")
			}
			took := "–"
			if j.Finish >= 0 {
				took = u.Number(words.Now(), j.Finish-j.Arrive)
			}
			rows[i] += " " + took + " |"
		}
	}
	return words.T("Completion times (JCT):") + "\n\n" + head + "\n" + rule + "\n" + strings.Join(rows, "\n") + "\n"
}

// Markdown is a text with no meaning of its own there.
func Markdown(s string) string {
	var b []byte
	for i := range len(s) {
		if strings.IndexByte("\\`*_[]<>|#~&", s[i]) >= 0 {
			b = append(b, '\\')
		}
		if b = append(b, s[i]); s[i] == '\n' {
			b[len(b)-1] = ' '
		}
	}
	return string(b)
}

// Colophon says what has computed the result.
func Colophon(engine string) string { return words.F("Hadarlab, engine {0}", engine) }

// Lineage is what a scenario was made from, and what was changed.
type Lineage struct {
	ID      string // content id of the origin
	Title   string // of the origin, "" = the page does not know it
	Known   bool   // the page knows the origin, so that the list is whole
	Changes []scenario.Difference
}

// Changes says where two documents differ; numbers that have a name by it, with both values.
func Changes(from, to *scenario.Document, defaults scenario.Defaults,
	params func(policy string) []edit.Param) []scenario.Difference {
	list := scenario.Compare(words.Now(), from, to, defaults)
	if len(list) == 0 {
		return nil
	}
	was := map[string]edit.Variable{}
	for _, k := range edit.Variables(from, params) {
		was[k.Path] = k
	}
	for _, k := range edit.Variables(to, params) {
		at := slices.IndexFunc(list, func(c scenario.Difference) bool { return c.Path == k.Path })
		if old, ok := was[k.Path]; ok && at >= 0 && old.Name == k.Name {
			list[at].Words = words.F("{0}: {1} to {2}", k.Name, edit.FormatNumber(old.Value), k.Range.Say(k.Value))
		}
	}
	return list
}

// Brief tells the first changes.
func (l *Lineage) Brief() string {
	if l == nil {
		return ""
	}
	const most = 3
	var said []string
	for _, c := range l.Changes[:min(most, len(l.Changes))] {
		said = append(said, c.Words)
	}
	if n := len(l.Changes) - most; n > 0 {
		said = append(said, words.F("and {0} more", strconv.Itoa(n)))
	}
	return strings.Join(said, "; ")
}
