package imports

import (
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
)

const smallTable = `{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10,"unconsolidated":10},"2":{"consolidated":18,"unconsolidated":12}},
"k80":{"1":{"consolidated":1},"2":{"consolidated":0}}},"none":{"batch":null,"v100":{"1":{"consolidated":0}}}}}`

// run gives the report, the findings and the document of a case.
func run(t *testing.T, c *golden.Case) string {
	in := c.Input()
	switch c.Kind {
	case "import": // an optional table after a line "-- table"
		trace, table, ok := strings.Cut(in+"\n", "\n-- table\n")
		if !ok {
			table = smallTable
		}
		d, report, diags := Read(strings.NewReader(trace), "gavel-csv",
			Options{Throughputs: []byte(table), GPUsPerNode: 2,
				Cluster: []scenario.TypeCount{{Type: "v100", Count: 3}, {Type: "k80", Count: 2}}})
		if (d == nil) != diags.HasErrors() {
			t.Errorf("%s: document %v with findings %v", c.Name, d, diags)
		}
		return strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " +
			strconv.Itoa(report.Dropped) + " dropped\n" + golden.Lines(diags)
	case "csv": // a template after a line "-- template", else smallTable
		table, template, ok := strings.Cut(in+"\n", "\n-- template\n")
		o := Options{Throughputs: []byte(smallTable), GPUsPerNode: 2,
			Cluster: []scenario.TypeCount{{Type: "v100", Count: 3}}}
		if ok {
			o.Template, _ = scenario.Parse([]byte(template), scenario.FileLimits)
			o.Throughputs = nil
		}
		d, report, diags := Read(strings.NewReader(table), "csv", o)
		if (d == nil) != diags.HasErrors() {
			t.Errorf("%s: document %v with findings %v", c.Name, d, diags)
		}
		out := strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " +
			strconv.Itoa(report.Dropped) + " dropped, unused " +
			strings.Join(report.Unused, " ") + "\n" + golden.Lines(diags)
		if d != nil {
			out += string(d.Marshal(true))
		}
		return out
	case "guess", "gavel", "pollux-csv", "philly", "helios", "pai", "swf": // an optional table after a line "-- table"
		trace, table, _ := strings.Cut(in+"\n", "\n-- table\n")
		o := Options{Throughputs: []byte(table),
			Cluster: []scenario.TypeCount{{Type: "v100", Count: 4}, {Type: "k80", Count: 4}}}
		if c.Kind == "pollux-csv" {
			o.Cluster = nil
		}
		return describeImport(t, trace, strings.TrimPrefix(c.Kind, "guess"), o)
	}
	t.Fatalf("unknown kind %q", c.Kind)
	return ""
}

// describeImport is an import as people see it: the report, the findings, the document.
func describeImport(t *testing.T, trace, format string, o Options) string {
	t.Helper()
	d, report, diags := Read(strings.NewReader(trace), format, o)
	if (d == nil) != diags.HasErrors() || report.Read != report.Kept+report.Dropped {
		t.Errorf("document %v, %+v, findings\n%s", d != nil, report, golden.Lines(diags))
	}
	out := report.Format + ": " + strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " +
		strconv.Itoa(report.Dropped) + " dropped\n"
	for _, r := range report.Reasons {
		out += strconv.Itoa(r.Count) + " " + r.Reason.String() + ", line " + strconv.Itoa(r.Line) + "\n"
	}
	for _, a := range report.Assumptions {
		out += "assumed: " + a.String() + "\n"
	}
	out += golden.Lines(diags)
	if d != nil {
		_, more := scenario.Compile(d, nil)
		out += golden.Lines(more) + string(d.Marshal(true))
	}
	return out
}

func TestGoldens(t *testing.T) { golden.Test(t, "testdata/imports.txt", run) }

// TestEveryCodeHasACase keeps the list of codes and the golden cases together.
func TestEveryCodeHasACase(t *testing.T) {
	golden.EveryCode(t, "codes.go", " "+codeBadOption+" ", "testdata/imports.txt") // the option: TestImportOptions
}
