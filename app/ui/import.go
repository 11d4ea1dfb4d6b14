package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// imported is the dialog of a trace: what would become of it, and what can be said about it.
func imported(im *state.ImportState, spoken string) app.UI {
	kids := []app.UI{Txt("p.cut", im.Name), importChoice(im)}
	switch {
	case im.Reading:
		kids = append(kids, Say("p.mute|data-test=import-reading", "Reading…"))
	case im.Problem != "":
		kids = append(kids, Set(Note("error", Txt("div", im.Problem)), "data-test", "import-problem"))
	case im.Doc == nil:
		kids = append(kids, Set(Note("error", El("div", Say("b", "This cannot be used as it is."),
			Faults(im.Diags))), "data-test", "import-problem"))
	}
	if !im.Reading && im.Report.Read > 0 {
		kids = append(kids, importReport(im))
	}
	use := Set(Button(".btn|data-kind=primary|id=import-use|data-test=import-use", "Use it", "use", state.UseImport{}),
		"disabled", Flag(im.Doc == nil || im.Reading))
	kids = append(kids, El("div.line", use, Button(".btn|data-test=import-cancel", "Leave the scenario as it is",
		"leave", state.CloseImport{}),
		Say("span.mute", "Undo brings the scenario back.")))
	return Dialog("Import a trace", "import", spoken, Act(state.CloseImport{}), kids...)
}

// importChoice are the fields of the dialog.
func importChoice(im *state.ImportState) app.UI {
	c := im.Choice
	options := []app.UI{Option("", words.T("Told from the content"), c.Format == "")}
	for _, f := range formatWords {
		options = append(options, Option(f.id, f.id+": "+words.T(f.says), c.Format == f.id))
	}
	change := func(field app.UI, name string, what int) app.UI {
		return Given(Set(field, "id", name, "data-test", name), "change",
			func(text string) state.Action { return state.ChooseOne{What: what, Text: text} }, name)
	}
	choice := func(label, name, help string, field app.UI) app.UI {
		return El("div.asking", Set(Say("label", label), "for", name), field, Say("span.mute help", help))
	}
	kids := []app.UI{choice("Format", "import-format", "", change(El("select.field", options...), "import-format",
		state.ImportFormat))}
	if all := im.Report.Workloads; len(all) > 1 {
		kids = append(kids, choice("Workload", "import-workload", "the file holds several; one is read",
			change(El("select.field", Each(len(all), func(i int) app.UI {
				return Option(all[i], all[i], all[i] == im.Report.Workload)
			})...), "import-workload", state.ImportWorkload)))
	}
	if im.Report.Untuned {
		kids = append(kids, choice("Requests", "import-untuned", "GPUs and batches that jobs ask for",
			change(El("select.field", Option("", words.T("tuned"), !c.Untuned),
				Option("untuned", words.T("of users who do not tune"), c.Untuned)), "import-untuned",
				state.ImportUntuned)))
	}
	for i, f := range importFields {
		kids = append(kids, choice(f.label, f.test, f.help,
			change(Set(El("input.field num|type=text|inputmode=decimal|autocomplete=off"), "placeholder",
				words.T(f.empty), "value", c.Numbers[i]), f.test, i)))
	}
	return El("div.askings", append(kids,
		choice("Cluster", "import-cluster", "GPUs by type, as v100=8,p100=16; empty = as the format has it",
			change(Set(El("input.field|type=text|autocomplete=off|spellcheck=false"), "value", c.Cluster),
				"import-cluster", state.ImportCluster)),
		choice("Speeds", "import-speeds", "how many times as fast a GPU type is, as a100=2.3,l4=0.6; empty = measured or estimated",
			change(Set(El("input.field|type=text|autocomplete=off|spellcheck=false"), "value", c.Speeds),
				"import-speeds", state.ImportSpeeds)))...)
}

// importFields are the numbers of the dialog, in the order of state.ImportChoice.
var importFields = [...]struct{ label, test, empty, help string }{
	{"First rows", "import-first", "all", "only so many; empty = all"},
	{"Sample", "import-sample", "all", "only so many jobs, drawn at random from the rows that are read"},
	{"Seed", "import-seed", "0", "of the sample: the same seed draws the same jobs"},
	{"Arrivals ÷", "import-divisor", "1", "a divisor of arrival times; 2 brings the jobs twice as fast"},
	{"GPUs a node", "import-per-node", "4", "in the cluster that the import makes; all of a node are of one type"},
}

// formatWords say what each format is.
var formatWords = [...]struct{ id, says string }{
	{"gavel", "Gavel’s own traces, tab-separated"}, {"gavel-csv", "Gavel’s traces as CSV"},
	{"pollux-csv", "Pollux and Sia workloads"}, {"philly", "Philly, a JSON of jobs"}, {"helios", "Helios"},
	{"pai", "Alibaba PAI 2020"}, {"swf", "Standard Workload Format"}, {"csv", "a table of jobs"},
}

// importReport says what was done with the rows.
func importReport(im *state.ImportState) app.UI {
	r := &im.Report
	told := ""
	if r.Guessed {
		told = words.T(", told from the content")
	}
	kids := []app.UI{El("p",
		Bold(words.F("{0} read, {1} kept, {2} dropped; {3}.", words.Plural(r.Read, "row"), Itoa(r.Kept),
			Itoa(r.Dropped), words.Plural(r.Jobs, "job"))),
		Text(" "+words.F("Format {0}{1}.", r.Format, told)))}
	var list []app.UI
	for _, d := range r.Reasons {
		list = append(list, Txt("li", words.F("{0} dropped: {1}; first in line {2}: {3}.", Itoa(d.Count),
			d.Reason.In(words.Now()), Itoa(d.Line), d.First.In(words.Now()))))
	}
	for i, c := range r.Unused {
		if i == 12 {
			list = append(list, Txt("li", words.F("and {0} columns more that are not used", Itoa(len(r.Unused)-i))))
			break
		}
		list = append(list, Txt("li", words.F("Column not used: {0}.", c)))
	}
	for _, a := range r.Assumptions {
		list = append(list, Txt("li", words.F("Assumed: {0}.", a.In(words.Now()))))
	}
	if len(list) > 0 {
		kids = append(kids, El("ul.findings|tabindex=0|aria-label=What was dropped and assumed", list...))
	}
	if im.Doc != nil {
		kids = append(kids, firstJobs(im.Doc))
	}
	return El("div.report|data-test=import-report", kids...)
}

// firstJobs shows how the first jobs would stand.
func firstJobs(d *scenario.Document) app.UI {
	const most = 4
	jobs := d.Scenario.Jobs
	rows := Each(min(len(jobs), most), func(i int) app.UI {
		j := &jobs[i]
		return El("tr", Td(j.ID), Td(edit.ModelName(j.Model, j.Batch)), TdNum(Itoa(j.GPUs)),
			TdNum(edit.FormatNumber(j.Steps)), TdNum(edit.FormatNumber(j.ArrivalS)))
	})
	return El("div.scroll", Table(".sheet", "The first jobs",
		[]app.UI{Th("Job"), Th("Model"), ThNum("GPUs"), ThNum("Steps"), ThNum("Arrives, s")}, rows))
}
