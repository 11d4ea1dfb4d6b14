package data_test

import (
	"bytes"
	stdcsv "encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// source runs a preset under some policies.
func source(t *testing.T, preset string, policies ...string) *data.Source {
	t.Helper()
	text, _ := lab.Preset(preset)
	doc, _ := scenario.Parse(text, scenario.FileLimits)
	var refs []message.PolicyRef
	for _, id := range policies {
		refs = append(refs, message.PolicyRef{ID: id})
	}
	s := lab.NewBatch()
	if diags := s.Start(&message.RunRequest{Scenario: text, Policies: refs}); diags.HasErrors() {
		t.Fatal(diags)
	}
	res, failed, _ := lab.Run(&message.RunRequest{Scenario: text, Policies: refs})
	if len(failed) > 0 || len(res.Runs) != len(refs) {
		t.Fatal(failed)
	}
	for _, more := s.Spend(1 << 20); more; _, more = s.Spend(1 << 20) {
	}
	racks := map[string]string{}
	for _, n := range doc.Scenario.Cluster.Nodes {
		racks[n.ID] = n.Rack
	}
	of := &data.Source{Rack: func(node string) string { return racks[node] },
		Problem: func() *model.Problem { return s.Problem() }}
	for i := range res.Runs {
		of.Runs = append(of.Runs, data.Run{Name: fmt.Sprintf("%s, lane %d", policies[i], i), Trace: s.Trace(i),
			Meta: &res.Runs[i]})
	}
	return of
}

// sources show every chart at least once.
func sources(t *testing.T) map[string]*data.Source {
	return map[string]*data.Source{
		"two lanes": source(t, "odd-gpus-out", "hadar", "gavel-las"),
		"four":      source(t, "whose-round", "hadar", "gavel-las", "fifo", "hadar"),
		"racks":     source(t, "patience-for-locality", "dally", "fifo"),
		"elastic":   source(t, "the-elastic-job", "elastic-dp", "fifo"),
		"profiles":  source(t, "pollux-world", "fifo"),
		"hosts":     source(t, "who-feeds-the-gpus", "fifo"),
		"links":     source(t, "two-gangs-one-card", "fifo", "dally"),
		"cloud":     source(t, "rent-by-the-hour", "fifo"),
	}
}

// TestEveryChart: each chart of the registry has a table somewhere, and its CSV and its specification hold the same
// numbers, cell by cell.
func TestEveryChart(t *testing.T) {
	shown := map[string]bool{}
	for name, s := range sources(t) {
		for _, k := range data.Charts() {
			table, lacks := data.Of(k.ID, s)
			if (table == nil) == lacks.IsZero() {
				t.Fatalf("%s, %s: %v %v", name, k.ID, table, lacks)
			}
			if table == nil {
				continue
			}
			shown[k.ID] = true
			var b, spec bytes.Buffer
			if err := table.CSV(&b); err != nil {
				t.Fatal(err)
			}
			rows, err := stdcsv.NewReader(&b).ReadAll()
			if err != nil || len(rows) < 2 {
				t.Fatalf("%s, %s: %v, %d rows", name, k.ID, err, len(rows))
			}
			if err := table.Vega(&spec, nil, "A title"); err != nil {
				t.Fatal(err)
			}
			var v struct {
				Data struct{ Values []map[string]any }
			}
			d := json.NewDecoder(&spec)
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s, %s: %v", name, k.ID, err)
			}
			if len(v.Data.Values) != len(rows)-1 {
				t.Fatalf("%s, %s: %d values, %d rows", name, k.ID, len(v.Data.Values), len(rows)-1)
			}
			for i, row := range rows[1:] {
				for c, cell := range row {
					got := v.Data.Values[i][rows[0][c]]
					if n, ok := got.(json.Number); ok {
						got = n.String()
					}
					if got == nil {
						got = ""
					}
					if got != cell {
						t.Fatalf("%s, %s, row %d: %s is %q in one and %v in the other", name, k.ID, i, rows[0][c], cell, got)
					}
				}
			}
		}
	}
	for _, k := range data.Charts() {
		if !shown[k.ID] {
			t.Errorf("no case shows %s", k.ID)
		}
	}
	if table, lacks := data.Of("pie", &data.Source{}); table != nil || lacks.String() != "there is no chart pie" {
		t.Error(lacks)
	}
}

// TestNumbersAreTheCharts: cells are what the charts are drawn from.
func TestNumbersAreTheCharts(t *testing.T) {
	s := source(t, "odd-gpus-out", "hadar", "gavel-las")
	table := func(kind string) (rows [][]string) {
		of, lacks := data.Of(kind, s)
		if of == nil {
			t.Fatal(lacks)
		}
		of.Rows(func(cells ...string) bool { rows = append(rows, append([]string{}, cells...)); return true })
		return rows
	}
	curve := chart.Busy(s.Runs[0].Trace)
	rows := table("busy")
	for i, at := range curve.T {
		want := []string{"hadar, lane 0", fmt.Sprint(at.Seconds()), fmt.Sprint(curve.V[i])}
		if strings.Join(rows[i], " ") != strings.Join(want, " ") {
			t.Fatalf("row %d is %v, want %v", i, rows[i], want)
		}
	}
	for i, row := range rows {
		if end := curve.End.Seconds(); rows[i+1][0] != row[0] {
			if row[1] != fmt.Sprint(end) {
				t.Errorf("the curve ends with %v, not at %v s", row, end)
			}
			break
		}
	}
	sum := map[string]float64{}
	for _, row := range table("overheads") {
		var v float64
		fmt.Sscan(row[2], &v)
		sum[row[0]] += v
	}
	for name, v := range sum {
		if v < 1-1e-9 || v > 1+1e-9 {
			t.Errorf("the parts of %s are %v", name, v)
		}
	}
	for i, row := range table("fairness")[:3] {
		j := s.Runs[0].Meta.Jobs
		ftf := ""
		for k := range j {
			if j[k].ID == row[1] {
				ftf = fmt.Sprint(j[k].FTF)
			}
		}
		if row[2] != ftf {
			t.Errorf("row %d: %v, the engine says %s", i, row, ftf)
		}
	}
	s.At = 100 * unit.Second
	gpus := map[string]int{}
	for _, row := range table("network") {
		var n int
		fmt.Sscan(row[5], &n)
		if gpus[row[0]] += n; row[4] != "100" {
			t.Errorf("%v", row)
		}
	}
	if all := int(s.Runs[0].Trace.GPUs()); gpus["hadar, lane 0"] != all || gpus["gavel-las, lane 1"] != all {
		t.Errorf("%v of %d GPUs", gpus, all)
	}
}

// TestLinksByHand: in the preset, a computes 1/2 s a step, averages 1.34 GB between its two GPUs on a node at 130 GB/s,
// 10.3 ms, and then passes 1.34 GB to the other node, at 2.5 GB/s, or beside b on the card of n2 at 1.25, which is
// 1.07 s: with 4 × 5 µs of latency a step takes 1.582 s, and sends 0.847 GB/s on average. Both end at 4157.6 s.
func TestLinksByHand(t *testing.T) {
	of, lacks := data.Of("links", source(t, "two-gangs-one-card", "fifo", "dally"))
	if of == nil {
		t.Fatal(lacks)
	}
	var got []string
	of.Rows(func(cells ...string) bool {
		var at, sent float64
		fmt.Sscan(cells[2], &at)
		fmt.Sscan(cells[3], &sent)
		got = append(got, fmt.Sprintf("%s|%s|%.0f|%.3f|%s|%s|%s", cells[0], cells[1], at, sent, cells[4], cells[5],
			cells[6]))
		return true
	})
	var want []string
	for i, link := range []string{"card of n1", "card of n2", "card of n3"} {
		gangs := []int{1, 2, 1}[i]
		row := func(at, gangs int, sent, given float64) {
			want = append(want, fmt.Sprintf("fifo, lane 0|%s|%d|%.3f|%v|2.5|%d", link, at, sent, given, gangs))
		}
		row(0, 0, 0, 0)
		row(300, gangs, 0, 1.25*float64(gangs)) // it loads for a minute
		row(360, gangs, 0.847*float64(gangs), 1.25*float64(gangs))
		row(4158, 0, 0, 0)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if table, lacks := data.Of("links", source(t, "one-slow-link", "fifo")); table != nil || lacks.IsZero() {
		t.Errorf("links that are not shared have a table")
	}
}

// TestVegaIsBounded: a specification of more rows than browsers draw is refused before anything is written.
func TestVegaIsBounded(t *testing.T) {
	s := source(t, "odd-gpus-out", "hadar")
	for len(s.Runs) < 300 {
		s.Runs = append(s.Runs, s.Runs[0])
	}
	table, _ := data.Of("shares", s)
	var b bytes.Buffer
	if err := table.Vega(&b, nil, ""); err != data.ErrRows || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

// schemaFile is that of Vega-Lite's own package, which `make test` installs.
const schemaFile = "../../../worker/cmd/edge/node_modules/vega-lite/build/vega-lite-schema.json"

// swept are the points of a sweep over so many numbers.
func swept(numbers int) (points []message.SweepPoint) {
	for i := range 3 {
		p := message.SweepPoint{Values: []float64{float64(360 * i), 4}[:numbers]}
		for seed := range uint64(2) {
			for _, id := range []string{"hadar", "gavel-las"} {
				s := float64(100*i) + float64(seed) // 0 where no job finishes
				p.Runs = append(p.Runs, message.Lane{Policy: id, Seed: seed,
					Metrics: message.Metrics{AvgJCTS: s, MakespanS: s, FTFMax: s, GPUUtilization: 0.5}})
			}
		}
		points = append(points, p)
	}
	return points
}

// TestSweepsAreTables: a row a run and figure that it has, with the run's own numbers.
func TestSweepsAreTables(t *testing.T) {
	var rows []string
	data.Sweep([]message.Axis{{Path: "/scenario/round_s"}}, swept(1)).Rows(func(cells ...string) bool {
		rows = append(rows, strings.Join(cells, "|"))
		return true
	})
	want := "gavel-las|1|" + message.FindMetric("avg_jct_s").Title + "|201|720"
	without := 2 * 3 // both policies in the first seed, where no job finishes
	if len(rows) != 3*4*4-without || !slices.Contains(rows, want) {
		t.Errorf("%d rows without %q: %q", len(rows), want, rows[len(rows)-4:])
	}
}

// TestVegaSchema holds every specification to the published JSON Schema of Vega-Lite.
func TestVegaSchema(t *testing.T) {
	file, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Skip("vega-lite is not installed")
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("vega-lite.json", schema); err != nil {
		t.Fatal(err)
	}
	valid, err := c.Compile("vega-lite.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, s := range sources(t) {
		for _, k := range data.Charts() {
			table, _ := data.Of(k.ID, s)
			if table == nil {
				continue
			}
			var b bytes.Buffer
			if err := table.Vega(&b, nil, "A title"); err != nil {
				t.Fatal(err)
			}
			spec, err := jsonschema.UnmarshalJSON(&b)
			if err != nil {
				t.Fatal(err)
			}
			if err := valid.Validate(spec); err != nil {
				t.Errorf("%s, %s: %.2000v", name, k.ID, err)
			}
			n++
		}
	}
	if n < 50 {
		t.Errorf("only %d specifications", n)
	}
	for _, vary := range [][]message.Axis{nil, {{Path: "/scenario/round_s"}},
		{{Path: "/scenario/round_s"}, {Path: "/scenario/cluster/nodes/0/gpus/v100"}}} {
		var b bytes.Buffer
		if err := data.Sweep(vary, swept(len(vary))).Vega(&b, nil, "Runs"); err != nil {
			t.Fatal(err)
		}
		spec, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid.Validate(spec); err != nil {
			t.Errorf("varied %v: %.2000v", vary, err)
		}
	}
	wrong, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"mark":"pie","encoding":{},"data":{"values":[]}}`))
	if valid.Validate(wrong) == nil {
		t.Error("the schema takes anything")
	}
}

// TestThreeLanesCompareTheBest: without a pair of its own a chart of two runs shows, of more than two, the best against
// the next, as a headline would.
func TestThreeLanesCompareTheBest(t *testing.T) {
	s := source(t, "odd-gpus-out", "gavel-las", "fifo", "hadar")
	said := func() string {
		of, lacks := data.Of("winners", s)
		if of == nil {
			t.Fatal(lacks)
		}
		return of.Columns[1].Title.String()
	}
	mean := func(i int) float64 { return s.Runs[i].Meta.Metrics.AvgJCTS }
	if mean(2) >= mean(1) || mean(1) >= mean(0) {
		t.Fatalf("the lanes are not from worst to best: %v %v %v", mean(0), mean(1), mean(2))
	}
	if got := said(); got != "Sooner under hadar, lane 2 than under fifo, lane 1, s" {
		t.Error(got)
	}
	s.Pair = [2]int{1, 0}
	if got := said(); got != "Sooner under fifo, lane 1 than under gavel-las, lane 0, s" {
		t.Error(got)
	}
}
