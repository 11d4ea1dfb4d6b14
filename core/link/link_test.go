package link

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
	"hadarlab/scenarios"
)

// Two documents that use every member: one with listed jobs, one with a generator.
var (
	sample = golden.Document("../scenario/testdata/sample.json")
	drawn  = golden.Document("../scenario/testdata/drawn.json")
)

var testDefaults = scenario.Defaults{"hadar": {Rev: 1, Params: map[string]any{"cost": "lifetime", "beam": 8}},
	"gavel-las": {Rev: 1, Params: map[string]any{"min_reset_s": 1920.0, "use_weights": true}}}

// mustParse parses a document without errors, or ends the test.
func mustParse(t testing.TB, text string) *scenario.Document {
	t.Helper()
	d, diags := scenario.Parse([]byte(text), scenario.FileLimits)
	if d == nil || diags.HasErrors() {
		t.Fatalf("%s\n%s", text, golden.Lines(diags))
	}
	return d
}

func TestGoldens(t *testing.T) {
	golden.Test(t, "testdata/links.txt", func(t *testing.T, c *golden.Case) string {
		_, diags := Decode(c.Input())
		return golden.Lines(diags)
	})
}

// TestEveryCodeHasACase keeps the list of codes and the golden cases together.
func TestEveryCodeHasACase(t *testing.T) {
	golden.EveryCode(t, "codes.go", " "+codeTooBig+" ", "testdata/links.txt") // too big: TestLinkBombs
}

func pack(text []byte) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = z.Write(text)
	_ = z.Close()
	return "1z." + base64.RawURLEncoding.EncodeToString(b.Bytes()) + "." + checkText(text)
}

func TestLinkRoundTrip(t *testing.T) {
	d := mustParse(t, sample)
	link := Encode(d, testDefaults)
	if len(link) > 1400 {
		t.Errorf("the sample's link has %d characters", len(link))
	}
	lines := ""
	for i := 0; i < len(link); i += 76 {
		lines += link[i:min(i+76, len(link))] + "\r\n"
	}
	for name, form := range map[string]string{
		"bare":          link,
		"fragment":      "#" + link,
		"URL":           "https://lab.example/page/#" + link,
		"view":          "https://lab.example/#" + link + "&v=r12.z3",
		"escaped":       "https://lab.example/%23" + link,
		"twice escaped": "https://lab.example/%2523" + link + "%26v=r1",
		"mail wrapper":  "https://mail.example/?url=https%3A%2F%2Flab.example%2F%23" + link + "%26v%3Dr1&data=05",
		"query":         "https://lab.example/o?s=" + link,
		"broken lines":  lines,
		"brackets":      " <https://lab.example/#" + link + ">.\n",
		"soft hyphens":  link[:20] + "\u00ad\u200b" + link[20:],
		"padded":        strings.Replace(link, "."+link[len(link)-5:], "==."+link[len(link)-5:], 1),
		"other letters": link[:3] + strings.NewReplacer("-", "+", "_", "/").Replace(link[3:]),
		"chat":          "See #5 and #lab: (https://lab.example/#" + link + "), then run it.",
		"quoted":        "“" + link + "”.",
		"words after":   "https://lab.example/#" + link + "\nBest regards",
		"markdown":      "[link](https://lab.example/#" + link + ")",
		"upper check":   link[:len(link)-5] + strings.ToUpper(link[len(link)-5:]),
		"plain codec": "1j." + base64.RawURLEncoding.EncodeToString(d.Short(testDefaults)) + "." +
			link[len(link)-5:],
	} {
		got, diags := Decode(form)
		if got == nil || diags.HasErrors() {
			t.Errorf("%s: %s", name, golden.Lines(diags))
			continue
		}
		if got.ID(testDefaults) != d.ID(testDefaults) || got.Meta.Title != d.Meta.Title ||
			got.Meta.Question != d.Meta.Question || got.Meta.DerivedFrom != d.Meta.DerivedFrom {
			t.Errorf("%s: decodes to another document: %s", name, got.Marshal(true))
		}
		if Encode(got, testDefaults) != link {
			t.Errorf("%s: encodes to another link", name)
		}
	}
	if frag := Encode(mustParse(t, sample), testDefaults); frag[:3] != "1d." {
		t.Errorf("the sample does not use the dictionary: %.3s", frag)
	}
	if link, view := SplitView("#1z.a.b&v=r12&x=1"); link != "#1z.a.b" || view != "r12" {
		t.Errorf("SplitView gives %q, %q", link, view)
	}
}

func TestLinkCutAtEveryLength(t *testing.T) {
	link := Encode(mustParse(t, sample), nil)
	for n := range len(link) {
		_, diags := Decode("#" + link[:n])
		want := codeCut
		if n == 0 {
			want = codeEmpty
		}
		if len(diags) != 1 || diags[0].Code != want {
			t.Errorf("cut at %d: %s", n, golden.Lines(diags))
		}
	}
	for n := range len(link) - 9 { // a character lost in the payload, its end intact
		bad := link[:n+3] + link[n+4:]
		_, diags := Decode(bad)
		if len(diags) != 1 || diags[0].Code != codeCheck && diags[0].Code != codeCut {
			t.Errorf("without character %d: %s", n+3, golden.Lines(diags))
		}
	}
}

func TestLinkBombs(t *testing.T) {
	huge := append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 10<<20)...)
	dictionary := "1d." + base64.RawURLEncoding.EncodeToString(deflate(huge, dictionary1)) + "." + checkText(huge)
	bomb := pack(append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 10<<20)...))
	if len(bomb) > Max {
		t.Fatalf("the bomb has %d characters", len(bomb))
	}
	for name, link := range map[string]string{"bomb": bomb, "with dictionary": dictionary,
		"long": "#1z." + strings.Repeat("A", Max) + ".00000", "very long": strings.Repeat("1", 10<<20)} {
		if d, diags := Decode(link); d != nil || len(diags) != 1 || diags[0].Code != codeTooBig {
			t.Errorf("%s: %s", name, golden.Lines(diags))
		}
	}
	deep := strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20)
	for name, text := range map[string]string{"deep": deep, "a list": "[]", "no JSON": "{",
		"faults": `{"scenario":{"jobs":[]}}`} {
		_, diags := Decode(pack([]byte(text)))
		if len(diags) < 2 || diags[0].Code != codeInvalid {
			t.Errorf("%s: %s", name, golden.Lines(diags))
		}
	}
}

// TestGoldenLinks decodes links as they were published: they must decode for ever. The file is only
// ever added to, one link a line behind the id and title of its scenario.
func TestGoldenLinks(t *testing.T) {
	b, err := os.ReadFile("testdata/golden_links.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) < 6 {
		t.Fatalf("%d links are left", len(lines))
	}
	for _, line := range lines {
		part := strings.SplitN(line, "\t", 3)
		d, diags := Decode(part[2])
		if d == nil || diags.HasErrors() {
			t.Errorf("%s: %s", part[1], golden.Lines(diags))
			continue
		}
		if d.ID(nil) != part[0] || d.Meta.Title != part[1] {
			t.Errorf("%s %q became %s %q", part[0], part[1], d.ID(nil), d.Meta.Title)
		}
		if p, diags := scenario.Compile(d, nil); p == nil {
			t.Errorf("%s no longer compiles: %s", part[1], golden.Lines(diags))
		}
	}
}

func FuzzDecodeLink(f *testing.F) {
	b, _ := os.ReadFile("testdata/golden_links.txt")
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		f.Add(line[strings.LastIndexByte(line, '\t')+1:])
	}
	f.Add("https://lab.example/%2523" + pack([]byte(`{"scenario":{}}`)) + "&v=1")
	f.Add("#1j.e30.mekby")
	f.Add("see #5: (https://lab.example/#1d." +
		base64.RawURLEncoding.EncodeToString(deflate([]byte(`{"scenario":{}}`), dictionary1)) + "==." +
		checkText([]byte(`{"scenario":{}}`)) + ").")
	for _, text := range [...]string{sample, drawn} {
		d, _ := scenario.Parse([]byte(text), scenario.FileLimits)
		f.Add(Encode(d, nil))
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, diags := Decode(s)
		if d == nil && !diags.HasErrors() {
			t.Fatal("no document and no error")
		}
		if d != nil && !diags.HasErrors() {
			if again, more := Decode(Encode(d, nil)); again == nil || more.HasErrors() ||
				again.ID(nil) != d.ID(nil) {
				t.Fatalf("the link of a linked scenario decodes to another: %s", golden.Lines(more))
			}
		}
	})
}

func TestLinkGrades(t *testing.T) {
	for n, want := range map[int]string{200: "qr", 300: "qr", 301: "anywhere", 2000: "anywhere", 8000: "browsers",
		16000: "risky", 16001: "none"} {
		if grade, _ := Grade(n); grade != want {
			t.Errorf("%d characters: %s, want %s", n, grade, want)
		}
	}
}

// TestDictionaryFrozen fails when a byte of dictionary 1 changes: every link of codec d would break.
// Never mend this test; add a dictionary with a letter of its own.
func TestDictionaryFrozen(t *testing.T) {
	if sum := sha256.Sum256(dictionary1); hex.EncodeToString(
		sum[:]) != "b6c01836eba2ff0e2c3788073c65aa79fa991439d5d1125f8b9a14609e95fdc6" {
		t.Errorf("dictionary 1 has changed: %x", sum)
	}
}

// TestPresetLinksAreShort edits each preset in three places, as a reader would, and asks for a link
// that a QR code and every chat program take.
func TestPresetLinksAreShort(t *testing.T) {
	known := 0
	var long, plain, young []int // characters
	for _, name := range scenarios.Names {
		b, _ := scenarios.Preset(name)
		d := mustParse(t, string(b))
		d.Meta.DerivedFrom = d.ID(nil)
		sc := &d.Scenario
		if len(sc.Jobs) > 0 {
			sc.Jobs[len(sc.Jobs)/2].Steps = 12345
		} else { // they are drawn
			sc.Generator.Count++
		}
		if rows := sc.Throughputs.Rows; len(rows) > 0 {
			rows[0].PerGPU["v100"] = 9.75
		}
		sc.RoundS = 240
		link := Encode(d, nil)
		if !bytes.Contains(dictionary1, presetQuestion(t, b)) { // younger than the dictionary
			young = append(young, len(link))
			continue
		}
		known++
		long = append(long, len(link))
		plain = append(plain, base64.RawURLEncoding.EncodedLen(len(deflate(d.Short(nil), nil))))
		if whole := len("https://hadarlab.example/#") + len(link); whole >= 200 {
			t.Errorf("%s with three edits: %d characters", name, whole)
		}
		got, diags := Decode(link)
		if got == nil || diags.HasErrors() || got.ID(nil) != d.ID(nil) || got.ID(nil) == d.Meta.DerivedFrom {
			t.Errorf("%s with three edits decodes to another document: %s", name, golden.Lines(diags))
		}
	}
	if known < 8 { // of the nine that it was frozen with one has another question since
		t.Errorf("the dictionary knows %d presets; it was frozen with 8 of today's", known)
	}
	for _, of := range [][]int{long, plain, young} {
		slices.Sort(of)
	}
	why, err := os.ReadFile("../WHY.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(why)), " ")
	last := len(young) - 1 // much longer than all others
	for _, says := range []string{
		fmt.Sprintf("The %d presets of today that it knows have %d to %d characters with three edits, %d to %d without it",
			known, long[0], long[known-1], plain[0], plain[known-1]),
		fmt.Sprintf("the %d younger ones %d to %d, and one of 160 jobs %s,%03d", len(young), young[0], young[last-1],
			strconv.Itoa(young[last]/1000), young[last]%1000),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("core/WHY.md does not say that %s", says)
		}
	}
}

func presetQuestion(t *testing.T, text []byte) []byte {
	q, err := json.Marshal(mustParse(t, string(text)).Meta.Question)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// BenchmarkLink encodes and decodes the largest preset; ux.md allows 10 ms for each.
func BenchmarkLink(b *testing.B) {
	text, _ := scenarios.Preset("sixty-measured-jobs")
	d, _ := scenario.Parse(text, scenario.FileLimits)
	link := Encode(d, nil)
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			Encode(d, nil)
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			Decode(link)
		}
	})
}

func TestPackedDocuments(t *testing.T) {
	doc := []byte(`{"kind":"assignment","text":"` + strings.Repeat("heron ", 200) + `"}`)
	packed := Pack("a", doc)
	for _, form := range []string{packed, "#" + packed, "https://lab.example/join#" + packed,
		"https://lab.example/join%23" + packed, " <https://lab.example/join#" + packed + ">.\n", packed[2:],
		"https://lab.example/#other=1&" + packed + "&v=r1"} {
		got, diags := Unpack(form, 1<<20, "assign", "a")
		if string(got) != string(doc) {
			t.Errorf("%s: %q, %s", form, got, golden.Lines(diags))
		}
	}
	for form, want := range map[string]string{"": codeEmpty, packed[:40]: codeCut, packed + "0": "",
		packed[:len(packed)-1] + "!": codeCut, "a=" + Encode(mustParse(t, sample), nil)[:9]: codeCut} {
		if _, diags := Unpack(form, 1<<20, "a"); want == "" && diags != nil || want != "" && diags[0].Code != want {
			t.Errorf("%q: %s, want %q", form, golden.Lines(diags), want)
		}
	}
	if _, diags := Unpack(packed, 100, "a"); len(diags) != 1 || diags[0].Code != codeTooBig {
		t.Errorf("a bomb: %s", golden.Lines(diags))
	}
}

// TestALinkDrawsWhatAPageDraws: a generator in a link may draw as many jobs as one in the page, which is more than a
// link lists; one that draws more says which member is too large, and what the most is.
func TestALinkDrawsWhatAPageDraws(t *testing.T) {
	for count, want := range map[int]string{scenario.MostDrawn: "",
		scenario.MostDrawn + 1: "error too-many /scenario/jobs/generator/count: there are 20001 jobs; the most is 20000"} {
		d := mustParse(t, `{"scenario":{"window":{"from":4000,"jobs":1000},"cluster":{"nodes":[{"id":"n1","gpus":{"v100":64}}]},
"throughputs":{"rows":[]},"jobs":{"generator":{"count":`+strconv.Itoa(count)+`,"arrivals":{"process":"poisson","rate_per_h":1}}}}}`)
		back, diags := Decode(Encode(d, testDefaults))
		if found := golden.Lines(diags.Errors()); want == "" && (found != "" || back.JobCount() != count) ||
			!strings.Contains(found, want) {
			t.Errorf("a link that draws %d jobs: %s", count, found)
		}
	}
	jobs := strings.Repeat(`{"id":"j","model":"m","gpus":1,"steps":9},`, scenario.LinkLimits.Jobs+1)
	for i := range scenario.LinkLimits.Jobs + 1 {
		jobs = strings.Replace(jobs, `"j"`, `"j`+strconv.Itoa(i)+`"`, 1)
	}
	d := mustParse(t, `{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":64}}]},"throughputs":{"rows":[
{"model":"m","per_gpu":{"v100":1}}]},"jobs":[`+strings.TrimSuffix(jobs, ",")+`]}}`)
	_, diags := scenario.ParseShort(d.Short(testDefaults))
	if !strings.Contains(golden.Lines(diags), "there are 5001 jobs; the most is 5000") {
		t.Errorf("a link that lists 5001 jobs: %s", golden.Lines(diags))
	}
}
