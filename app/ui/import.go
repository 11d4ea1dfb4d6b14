package ui

import (
	"io"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/imports"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// readTrace reads a trace beside the page's own work.
func (h *Host) readTrace(e state.ReadTrace) {
	h.reading = e.ID
	h.slowly(func(pace unit.Pace) {
		h.Do(e.Read(func(r io.Reader) io.Reader { return &paced{r, pace} }))
	}, func() bool { return h.reading == e.ID }, func(r any) {
		h.Do(state.CloseImport{})
		h.failed(r)
	})
}

// paced is a reader that tells of what it reads.
type paced struct {
	io.Reader
	pace unit.Pace
}

func (p *paced) Read(b []byte) (n int, err error) {
	n, err = p.Reader.Read(b[:min(len(b), 16<<10)])
	p.pace.Did(n / anEntry)
	return n, err
}

// imported is the dialog of a trace: what would become of it, and what can be said about it.
func imported(im *state.ImportState, spoken string) app.UI {
	kids := []app.UI{txt("p.cut", im.Name), importChoice(im)}
	switch {
	case im.Reading:
		kids = append(kids, say("p.mute|data-test=import-report", "Reading…"))
	case im.Problem != "":
		kids = append(kids, set(note("error", txt("div", im.Problem)), "data-test", "import-problem"))
	case im.Doc == nil:
		kids = append(kids, set(note("error", el("div", say("b", "This cannot be used as it is."),
			faults(im.Diags))), "data-test", "import-problem"))
	}
	if !im.Reading && im.Report.Read > 0 {
		kids = append(kids, importReport(im))
	}
	use := set(button(".btn|data-kind=primary|id=import-use|data-test=import-use", "Use it", "use", state.UseImport{}),
		"disabled", flag(im.Doc == nil || im.Reading))
	kids = append(kids, el("div.line", use, button(".btn|data-test=import-cancel", "Leave the scenario as it is",
		"leave", state.CloseImport{}),
		say("span.mute", "Undo brings the scenario back.")))
	return dialog("Import a trace", "import", spoken, act(state.CloseImport{}), kids...)
}

// importChoice are the fields of the dialog.
func importChoice(im *state.ImportState) app.UI {
	c := im.Choice
	options := []app.UI{option("", words.T("Told from the content"), c.Format == "")}
	for _, f := range imports.Formats() {
		options = append(options, option(f.ID, f.ID+": "+words.T(formatWords[f.ID]), c.Format == f.ID))
	}
	change := func(field app.UI, name string, what int) app.UI {
		return given(set(field, "id", name, "data-test", name), "change",
			func(text string) state.Action { return state.ChooseOne{What: what, Text: text} }, name)
	}
	choice := func(label, name, help string, field app.UI) app.UI {
		return el("div.choice", set(say("label", label), "for", name), field, say("span.mute help", help))
	}
	kids := []app.UI{choice("Format", "import-format", "", change(el("select.field", options...), "import-format",
		state.ImportFormat))}
	if all := im.Report.Workloads; len(all) > 1 {
		kids = append(kids, choice("Workload", "import-workload", "the file holds several; one is read",
			change(el("select.field", each(len(all), func(i int) app.UI {
				return option(all[i], all[i], all[i] == im.Report.Workload)
			})...), "import-workload", state.ImportWorkload)))
	}
	if im.Report.Untuned {
		kids = append(kids, choice("Requests", "import-untuned", "GPUs and batches that jobs ask for",
			change(el("select.field", option("", words.T("tuned"), !c.Untuned),
				option("untuned", words.T("of users who do not tune"), c.Untuned)), "import-untuned",
				state.ImportUntuned)))
	}
	for i, f := range importFields {
		kids = append(kids, choice(f.label, f.test, f.help,
			change(set(el("input.field num|type=text|inputmode=decimal|autocomplete=off"), "placeholder",
				words.T(f.empty), "value", c.Numbers[i]), f.test, i)))
	}
	return el("div.choices", append(kids,
		choice("Cluster", "import-cluster", "GPUs by type, as v100=8,p100=16; empty = as the format has it",
			change(set(el("input.field|type=text|autocomplete=off|spellcheck=false"), "value", c.Cluster),
				"import-cluster", state.ImportCluster)),
		choice("Speeds", "import-speeds", "how many times as fast a GPU type is, as a100=2.3,l4=0.6; empty = measured or estimated",
			change(set(el("input.field|type=text|autocomplete=off|spellcheck=false"), "value", c.Speeds),
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

// wholeNumber reads a count; what is none is no limit.
func wholeNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// formatWords say what each format is.
var formatWords = map[string]string{
	"gavel": "Gavel’s own traces, tab-separated", "gavel-csv": "Gavel’s traces as CSV",
	"pollux-csv": "Pollux and Sia workloads",
	"philly":     "Philly, a JSON of jobs", "helios": "Helios", "pai": "Alibaba PAI 2020",
	"swf": "Standard Workload Format", "csv": "a table of jobs",
}

// importReport says what was done with the rows.
func importReport(im *state.ImportState) app.UI {
	r := &im.Report
	told := ""
	if r.Guessed {
		told = words.T(", told from the content")
	}
	kids := []app.UI{el("p",
		bold(words.F("{0} read, {1} kept, {2} dropped; {3}.", words.Plural(r.Read, "row"), itoa(r.Kept),
			itoa(r.Dropped), words.Plural(r.Jobs, "job"))),
		text(" "+words.F("Format {0}{1}.", r.Format, told)))}
	var list []app.UI
	for _, d := range r.Reasons {
		list = append(list, txt("li", words.F("{0} dropped: {1}; first in line {2}: {3}.", itoa(d.Count),
			d.Reason.In(words.Now()), itoa(d.Line), d.First.In(words.Now()))))
	}
	for i, c := range r.Unused {
		if i == 12 {
			list = append(list, txt("li", words.F("and {0} columns more that are not used", itoa(len(r.Unused)-i))))
			break
		}
		list = append(list, txt("li", words.F("Column not used: {0}.", c)))
	}
	for _, a := range r.Assumptions {
		list = append(list, txt("li", words.F("Assumed: {0}.", a.In(words.Now()))))
	}
	if len(list) > 0 {
		kids = append(kids, el("ul.findings|tabindex=0|aria-label=What was dropped and assumed", list...))
	}
	if im.Doc != nil {
		kids = append(kids, firstJobs(im.Doc))
	}
	return el("div.report|data-test=import-report", kids...)
}

// firstJobs shows how the first jobs would stand.
func firstJobs(d *scenario.Document) app.UI {
	const most = 4
	jobs := d.Scenario.Jobs
	rows := each(min(len(jobs), most), func(i int) app.UI {
		j := &jobs[i]
		return el("tr", td(j.ID), td(edit.ModelName(j.Model, j.Batch)), tdNum(itoa(j.GPUs)),
			tdNum(edit.FormatNumber(j.Steps)), tdNum(edit.FormatNumber(j.ArrivalS)))
	})
	return el("div.scroll", table(".sheet", "The first jobs",
		[]app.UI{th("Job"), th("Model"), thNum("GPUs"), thNum("Steps"), thNum("Arrives, s")}, rows))
}
