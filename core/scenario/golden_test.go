package scenario

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// update says to rewrite the golden files: `make golden`.
var update = os.Getenv("UPDATE_GOLDEN") != ""

// goldenCase is one section of a text archive: "== kind/name", the input, "-- want", the output.
type goldenCase struct{ kind, name, in, want string }

func readGolden(t testing.TB, path string) []goldenCase {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for _, section := range strings.Split("\n"+string(b), "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		in, want, ok := strings.Cut(body, "-- want\n")
		kind, name, ok2 := strings.Cut(head, "/")
		if !ok || !ok2 {
			t.Fatalf("%s: section %q has no kind or no want", path, head)
		}
		if want = strings.TrimRight(want, "\n"); want != "" {
			want += "\n"
		}
		cases = append(cases, goldenCase{kind, name, in, want})
	}
	return cases
}

func writeGolden(t *testing.T, path string, cases []goldenCase) {
	var b strings.Builder
	for _, c := range cases {
		b.WriteString("== " + c.kind + "/" + c.name + "\n" + c.in + "-- want\n" + c.want + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// input is the text of a case: as it stands, or a Go string literal when bytes would not survive.
func (c *goldenCase) input() string {
	in := strings.TrimSuffix(c.in, "\n")
	if strings.HasPrefix(in, `"`) {
		if s, err := strconv.Unquote(in); err == nil {
			return s
		}
	}
	return in
}

// lines writes findings as people see them, one a line.
func (d Diagnostics) lines() string {
	var b strings.Builder
	for _, m := range d {
		b.WriteString(strconv.Itoa(m.Line) + " " + m.Level + " " + m.Code + " " + m.Path + ": " + m.Message)
		if m.Fix != "" {
			b.WriteString(" (" + m.Fix + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// tiny are limits that a hand-written case can exceed.
var tiny = Limits{Bytes: 600, Depth: 7, Jobs: 2, Nodes: 2, Name: 20}

const smallTable = `{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10,"unconsolidated":10},"2":{"consolidated":18,"unconsolidated":12}},
"k80":{"1":{"consolidated":1},"2":{"consolidated":0}}},"none":{"batch":null,"v100":{"1":{"consolidated":0}}}}}`

// run gives the findings of a case.
func (c *goldenCase) run(t *testing.T) string {
	in := c.input()
	switch c.kind {
	case "parse", "tiny":
		lim := FileLimits
		if c.kind == "tiny" {
			lim = tiny
		}
		d, diags := Parse([]byte(in), lim)
		if d != nil && !diags.HasErrors() {
			p, more := Compile(d, nil)
			if (p == nil) != more.HasErrors() {
				t.Errorf("%s: Problem %v with findings %v", c.name, p, more)
			}
			diags = append(diags, more...)
		}
		return diags.lines()
	case "link":
		_, diags := DecodeLink(in)
		return diags.lines()
	case "import": // an optional table after a line "-- table"
		trace, table, ok := strings.Cut(in+"\n", "\n-- table\n")
		if !ok {
			table = smallTable
		}
		d, report, diags := Import(strings.NewReader(trace), "gavel-csv", ImportOptions{Throughputs: []byte(table), Cluster: []TypeCount{{"v100", 3}, {"k80", 2}}, GPUsPerNode: 2})
		if (d == nil) != diags.HasErrors() {
			t.Errorf("%s: document %v with findings %v", c.name, d, diags)
		}
		return strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " + strconv.Itoa(report.Dropped) + " dropped\n" + diags.lines()
	case "csv": // a template after a line "-- template", else smallTable
		table, template, ok := strings.Cut(in+"\n", "\n-- template\n")
		o := ImportOptions{Throughputs: []byte(smallTable), Cluster: []TypeCount{{"v100", 3}}, GPUsPerNode: 2}
		if ok {
			o.Template, _ = Parse([]byte(template), FileLimits)
			o.Throughputs = nil
		}
		d, report, diags := Import(strings.NewReader(table), "csv", o)
		if (d == nil) != diags.HasErrors() {
			t.Errorf("%s: document %v with findings %v", c.name, d, diags)
		}
		out := strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " + strconv.Itoa(report.Dropped) + " dropped, unused " +
			strings.Join(report.Unused, " ") + "\n" + diags.lines()
		if d != nil {
			out += string(d.Marshal(true))
		}
		return out
	case "guess", "gavel", "pollux-csv", "philly", "helios", "pai", "swf": // an optional table after a line "-- table"
		trace, table, _ := strings.Cut(in+"\n", "\n-- table\n")
		o := ImportOptions{Throughputs: []byte(table), Cluster: []TypeCount{{"v100", 4}, {"k80", 4}}}
		if c.kind == "pollux-csv" {
			o.Cluster = nil
		}
		return describeImport(t, trace, strings.TrimPrefix(c.kind, "guess"), o)
	case "instance":
		in, diags := ParseInstance([]byte(in), Limits{Bytes: 1000, Depth: 5})
		if (in == nil) != diags.HasErrors() {
			t.Errorf("%s: instance %v with findings %v", c.name, in, diags)
		}
		return diags.lines()
	case "canonical":
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil {
			return diags.lines()
		}
		return string(d.Canonical(testDefaults)) + "\n" + d.ID(testDefaults) + "\n"
	case "human":
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil {
			return diags.lines()
		}
		return string(d.Marshal(true))
	case "frozen": // what generators draw, the same bytes on every target
		d, diags := Parse([]byte(in), FileLimits)
		if d == nil || diags.HasErrors() {
			return diags.lines()
		}
		return string(Freeze(d).Marshal(true))
	}
	t.Fatalf("unknown kind %q", c.kind)
	return ""
}

// describeImport is an import as people see it: the report, the findings, the document.
func describeImport(t *testing.T, trace, format string, o ImportOptions) string {
	t.Helper()
	d, report, diags := Import(strings.NewReader(trace), format, o)
	if (d == nil) != diags.HasErrors() || report.Read != report.Kept+report.Dropped {
		t.Errorf("document %v, %+v, findings\n%s", d != nil, report, diags.lines())
	}
	out := report.Format + ": " + strconv.Itoa(report.Read) + " read, " + strconv.Itoa(report.Kept) + " kept, " + strconv.Itoa(report.Dropped) + " dropped\n"
	for _, r := range report.Reasons {
		out += strconv.Itoa(r.Count) + " " + r.Reason + ", line " + strconv.Itoa(r.Line) + "\n"
	}
	for _, a := range report.Assumptions {
		out += "assumed: " + a + "\n"
	}
	out += diags.lines()
	if d != nil {
		_, more := Compile(d, nil)
		out += more.lines() + string(d.Marshal(true))
	}
	return out
}

var testDefaults = Defaults{"hadar": {"cost": "lifetime", "beam": 8}, "gavel-las": {"min_reset_s": 1920.0, "use_weights": true}}

func TestGoldens(t *testing.T) {
	for _, path := range []string{"testdata/diagnostics.txt", "testdata/links.txt", "testdata/imports.txt", "testdata/instances.txt", "testdata/forms.txt"} {
		cases := readGolden(t, path)
		if update {
			for i := range cases {
				cases[i].want = cases[i].run(t)
			}
			writeGolden(t, path, cases)
			continue
		}
		for _, c := range cases {
			t.Run(c.kind+"/"+c.name, func(t *testing.T) {
				if got := c.run(t); got != c.want {
					t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
				}
			})
		}
	}
}
