package scenario

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/simtest/golden"
)

// mustParse parses a document without errors, or ends the test.
func mustParse(t testing.TB, text string) *Document {
	t.Helper()
	d, diags := Parse([]byte(text), FileLimits)
	if d == nil || diags.HasErrors() {
		t.Fatalf("%s\n%s", text, golden.Lines(diags))
	}
	return d
}

// sample is a document that uses most members.
var sample = golden.Document("testdata/sample.json")

// drawn is a document that uses every member of a generator.
var drawn = golden.Document("testdata/drawn.json")

// linked is a document with what the two others lack: a network, profiles, forced choices and so on.
var linked = golden.Document("testdata/linked.json")

func TestRoundTrip(t *testing.T) {
	for _, text := range []string{sample, drawn, linked,
		`{"scenario":{"cluster":{"nodes":[]},"throughputs":{"rows":[]},"jobs":{"generator":{"n":3}},"faults":{"generator":{"mtbf_h":5,"mttr_s":60,"until_s":99,"a":1},"b":2}}}`} {
		d, _ := Parse([]byte(text), FileLimits)
		for _, indented := range []bool{false, true} {
			out := d.Marshal(indented)
			if !json.Valid(out) {
				t.Fatalf("not JSON: %s", out)
			}
			again, diags := Parse(out, FileLimits)
			if !reflect.DeepEqual(again.Clone(), d.Clone()) {
				t.Errorf("parsing the output gives another document:\n%s\n%s", out, golden.Lines(diags))
			}
			if d.ID(testDefaults) != again.ID(testDefaults) {
				t.Errorf("the id moved from %s to %s", d.ID(testDefaults), again.ID(testDefaults))
			}
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	d := mustParse(t, sample)
	before := string(d.Marshal(true))
	c := d.Clone()
	s := &c.Scenario
	s.Cluster.Nodes[0].GPUs["v100"] = 9
	*s.Cluster.GPUTypes["v100"].Watts = 1
	s.Throughputs.Rows[1].PerGPU["v100"] = 1
	s.Throughputs.Rows[1].Gang["v100"]["2"] = 1
	s.Throughputs.Rows[1].Spread["v100"]["2"] = 1
	s.Jobs[0].ID, s.Jobs[0].Elastic.Max = "other", 7
	s.Jobs[0].Extra["owner"][1] = 'b'
	s.Throughputs.Pairs[0].Rates["k80"] = [2]float64{1, 1}
	s.Throughputs.Pairs[0].B.Extra["as"][0] = '9'
	s.Cluster.Changes[0].Extra["by"][1] = 'q'
	s.Cluster.Changes[0].GPUs = 9
	*s.Overheads.Models[0].RestartS = 7
	s.Overheads.Models[0].Extra["hm"][0] = '2'
	s.Faults.List[0].Extra["of"][0] = '3'
	s.Faults.List[0].GPUs = 2
	s.Knowledge.Extra["but"][0] = 'T'
	s.Tenants[0].Extra["head"][1] = 'q'
	s.Policies[0].Params["list"].([]any)[1].(map[string]any)["b"] = false
	s.Extra["network"][2] = 'X'
	c.X[2] = 'X'
	c.Meta.Extra["mood"][0] = '2'
	if after := string(d.Marshal(true)); after != before {
		t.Errorf("editing a clone changed its original:\n%s", after)
	}
}

func TestIdentity(t *testing.T) {
	id := func(text string) string { return mustParse(t, text).ID(testDefaults) }
	base := id(sample)
	same := map[string][2]string{
		"title":             {`"Idle mix – ½ 😀"`, `"Another"`},
		"license":           {`"CC0-1.0"`, `"MIT"`},
		"x":                 {`"editor":[1,2]`, `"editor":[]`},
		"top-level unknown": {`"later":7`, `"later":8`},
		"default order":     {`{"id":"alpha"}`, `{"id":"alpha","order":"fair","weight":1}`},
		"default error":     {`"rate_error":0.2,`, `"rate_error":0.20,`},
		"default rack":      {`{"id":"n2",`, `{"id":"n2","rack":"r1",`},
		"default weight":    {`"id":"first",`, `"id":"first","weight":1.0,`},
		"default parameter": {`"cost":"round"`, `"cost":"round","min_reset_s":null`},
		"zero count":        {`,"titan-v":0`, ``},
		"zero speed":        {`,"k80":0}`, `}`},
		"tenth digit":       {`0.1234567891`, `0.12345678913`},
		"number spelling":   {`7.25`, `72.50e-1`},
		"member order":      {`"seed":42,"round_s":60`, `"round_s":60,"seed":42`},
	}
	for name, edit := range same {
		if changed := strings.Replace(sample, edit[0], edit[1], 1); changed == sample || id(changed) != base {
			t.Errorf("%s must not move the id (edited: %v)", name, changed != sample)
		}
	}
	other := map[string][2]string{
		"seed":                {`"seed":42`, `"seed":43`},
		"knowledge":           {`"lengths":"noisy"`, `"lengths":"unknown"`},
		"own stall":           {`"restart_s":0,`, `"restart_s":1,`},
		"fault":               {`"repair_s":30`, `"repair_s":31`},
		"growth":              {`"gpus":5`, `"gpus":6`},
		"tenant order":        {`"fifo"`, `"fair"`},
		"tenant of a job":     {`"tenant":"zeta",`, ``},
		"pair":                {`[0.5,0.05]`, `[0.5,0.06]`},
		"job order":           {`"id":"first"`, `"id":"zz"`},
		"ninth digit":         {`0.1234567891`, `0.123456788`},
		"unknown in a job":    {`"owner":"a"`, `"owner":"b"`},
		"new unknown member":  {`"seed":42`, `"seed":42,"colours":[]`},
		"explicit 0 of gangs": {`"4":0`, `"4":1`},
		"parameter":           {`"beam":4`, `"beam":5`},
		"revision":            {`"rev":2`, `"rev":3`},
		"first revision":      {`{"id":"hadar",`, `{"rev":1,"id":"hadar",`},
		"no revision":         {`,"rev":2`, ``},
		"split of hosts":      {`"tuned"`, `"proportional"`},
		"CPUs of a node":      {`"cpus":7.5`, `"cpus":8`},
		"curve of a row":      {`"speed":0.35`, `"speed":0.4`},
		"memory of a job":     {`"memory_gb":60.5`, `"memory_gb":61`},
		"source":              {`"paper"`, `"guess"`},
	}
	for name, edit := range other {
		if changed := strings.Replace(sample, edit[0], edit[1], 1); changed == sample || id(changed) == base {
			t.Errorf("%s must move the id (edited: %v)", name, changed != sample)
		}
	}
	if d := mustParse(t, sample); d.ID(nil) == d.ID(Defaults{"hadar": {Rev: 1, Params: map[string]any{"beam": 4}}}) {
		t.Error("a parameter that equals its default is omitted from identity")
	}
	if got := ShortID([32]byte{0xff, 0, 0x80, 1, 2, 3, 4, 5}); got != "zw0800820c20" {
		t.Errorf("ShortID is %s", got)
	}
}

// TestEveryCodeHasACase keeps the list of codes and the golden cases together.
func TestEveryCodeHasACase(t *testing.T) {
	other := " " + codeRecord + " " // TestRecordsStayInFiles
	for code := range sizeCases {   // TestLimitsOfSize
		other += " " + code + " "
	}
	for _, file := range []string{"codes.go", "../jsondoc/codes.go"} {
		golden.EveryCode(t, file, other, "testdata/diagnostics.txt")
	}
}

func TestCatalogueIsSorted(t *testing.T) {
	c := Catalogue()
	if !slices.IsSortedFunc(c, func(a, b model.GPUType) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the catalogue is sorted by name")
	}
	for _, g := range c {
		if Slug(g.Name) != g.Name || !(g.Watts > 0 && g.USDPerHour > 0 && g.MemoryGiB > 0 && g.FP32TFLOPS > 0) {
			t.Errorf("%+v is incomplete", g)
		}
	}
	c[0].Name = "changed"
	if Catalogue()[0].Name == "changed" {
		t.Error("Catalogue gives a copy")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(drawn))
	f.Add([]byte(linked))
	cases := golden.Read(f, "testdata/diagnostics.txt")
	for _, c := range cases {
		f.Add([]byte(c.Input()))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data) })
}

// checkParse holds what is true of Parse for any text. It gives the document if it has no errors.
func checkParse(t *testing.T, data []byte) *Document {
	d, diags := Parse(data, LinkLimits)
	if d == nil {
		if !diags.HasErrors() {
			t.Fatalf("no document and no error: %s", data)
		}
		return nil
	}
	if valid := json.Valid(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))); !valid && !diags.HasErrors() {
		t.Fatalf("what is no JSON gave no error: %s", data)
	}
	for _, m := range diags {
		if m.Message.IsZero() || m.Code == "" || m.Level == "" || m.Line < 1 && m.Path != "" {
			t.Fatalf("a finding lacks its place or text: %+v", m)
		}
	}
	out := d.Marshal(true)
	if !json.Valid(out) {
		t.Fatalf("not JSON: %s", out)
	}
	p, more := Compile(d, nil)
	if (p == nil) != more.HasErrors() || d.Check().HasErrors() != more.HasErrors() {
		t.Fatalf("Problem and findings disagree on %s\n%s", data, golden.Lines(more))
	}
	if diags.HasErrors() {
		return nil
	}
	again, twice := Parse(out, FileLimits)
	if twice.HasErrors() || !reflect.DeepEqual(again.Clone(), d.Clone()) || again.Digest(nil) != d.Digest(nil) {
		t.Fatalf("parsing the output of %s gives another document: %s\n%s", data, out, golden.Lines(twice))
	}
	return d
}

// TestMutations replaces every value and every name of a document in turn.
func TestMutations(t *testing.T) {
	for _, text := range []string{sample, drawn, linked, linked} {
		mutate(t, []byte(text))
	}
}

func mutate(t *testing.T, src []byte) {
	tree, _ := jsondoc.Plant(src, 64)
	span := func(i int) (from, to int) { // a value's text is a part of src
		from = cap(src) - cap(tree.Raw(i))
		return from, from + len(tree.Raw(i))
	}
	put := func(i int, text string) {
		from, to := span(i)
		data := slices.Concat(src[:from], []byte(text), src[to:])
		d := checkParse(t, data)
		if d == nil {
			return
		}
		short, lost := ParseShort(d.Short(nil))
		if lost.HasErrors() || short.Digest(nil) != d.Digest(nil) {
			t.Fatalf("the short form of %s is another: %s", data, golden.Lines(lost))
		}
	}
	for i := range tree.Next(0) {
		for _, text := range []string{`"v100"`, `"j1"`, `"gpus"`, `"a/~b"`, `"\ud800\u0000é"`} { // names too
			put(i, text)
		}
		if _, end := span(i); end < len(src) && src[end] == ':' {
			continue
		}
		for _, text := range []string{"null", "true", "0", "-1", "1", "2.5", "7", "1e300", "-1e300", "1e-300", "1e999",
			"9007199254740993", "0.1234567895", `""`,
			"[]", "{}", "[null]", `[{}]`, `{"":1}`, `{"2":3}`, `{"v100":{"4":1e5}}`, `{"a":1,"a":2}`} {
			put(i, text)
		}
	}
}
