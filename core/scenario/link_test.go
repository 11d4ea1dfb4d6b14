package scenario

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"hadarlab/core/simtest/golden"
	"hadarlab/scenarios"
)

func pack(text []byte) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = z.Write(text)
	_ = z.Close()
	return "1z." + base64.RawURLEncoding.EncodeToString(b.Bytes()) + "." + checkText(text)
}

func TestLinkRoundTrip(t *testing.T) {
	d := mustParse(t, sample)
	link := EncodeLink(d, testDefaults)
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
		got, diags := DecodeLink(form)
		if got == nil || diags.HasErrors() {
			t.Errorf("%s: %s", name, golden.Lines(diags))
			continue
		}
		if got.ID(testDefaults) != d.ID(testDefaults) || got.Meta.Title != d.Meta.Title ||
			got.Meta.Question != d.Meta.Question || got.Meta.DerivedFrom != d.Meta.DerivedFrom {
			t.Errorf("%s: decodes to another document: %s", name, got.Marshal(true))
		}
		if EncodeLink(got, testDefaults) != link {
			t.Errorf("%s: encodes to another link", name)
		}
	}
	if frag := EncodeLink(mustParse(t, sample), testDefaults); frag[:3] != "1d." {
		t.Errorf("the sample does not use the dictionary: %.3s", frag)
	}
	if link, view := SplitView("#1z.a.b&v=r12&x=1"); link != "#1z.a.b" || view != "r12" {
		t.Errorf("SplitView gives %q, %q", link, view)
	}
}

func TestLinkCutAtEveryLength(t *testing.T) {
	link := EncodeLink(mustParse(t, sample), nil)
	for n := range len(link) {
		_, diags := DecodeLink("#" + link[:n])
		want := codeLinkCut
		if n == 0 {
			want = codeLinkEmpty
		}
		if len(diags) != 1 || diags[0].Code != want {
			t.Errorf("cut at %d: %s", n, golden.Lines(diags))
		}
	}
	for n := range len(link) - 9 { // a character lost in the payload, its end intact
		bad := link[:n+3] + link[n+4:]
		_, diags := DecodeLink(bad)
		if len(diags) != 1 || diags[0].Code != codeLinkCheck && diags[0].Code != codeLinkCut {
			t.Errorf("without character %d: %s", n+3, golden.Lines(diags))
		}
	}
}

func TestLinkBombs(t *testing.T) {
	huge := append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 10<<20)...)
	dictionary := "1d." + base64.RawURLEncoding.EncodeToString(deflate(huge, dictionary1)) + "." + checkText(huge)
	bomb := pack(append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 10<<20)...))
	if len(bomb) > MaxLink {
		t.Fatalf("the bomb has %d characters", len(bomb))
	}
	for name, link := range map[string]string{"bomb": bomb, "with dictionary": dictionary,
		"long": "#1z." + strings.Repeat("A", MaxLink) + ".00000", "very long": strings.Repeat("1", 10<<20)} {
		if d, diags := DecodeLink(link); d != nil || len(diags) != 1 || diags[0].Code != codeLinkTooBig {
			t.Errorf("%s: %s", name, golden.Lines(diags))
		}
	}
	deep := strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20)
	for name, text := range map[string]string{"deep": deep, "a list": "[]", "no JSON": "{",
		"faults": `{"scenario":{"jobs":[]}}`} {
		_, diags := DecodeLink(pack([]byte(text)))
		if len(diags) < 2 || diags[0].Code != codeLinkInvalid {
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
		d, diags := DecodeLink(part[2])
		if d == nil || diags.HasErrors() {
			t.Errorf("%s: %s", part[1], golden.Lines(diags))
			continue
		}
		if d.ID(nil) != part[0] || d.Meta.Title != part[1] {
			t.Errorf("%s %q became %s %q", part[0], part[1], d.ID(nil), d.Meta.Title)
		}
		if p, diags := Compile(d, nil); p == nil {
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
		d, _ := Parse([]byte(text), FileLimits)
		f.Add(EncodeLink(d, nil))
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, diags := DecodeLink(s)
		if d == nil && !diags.HasErrors() {
			t.Fatal("no document and no error")
		}
		if d != nil && !diags.HasErrors() {
			if again, more := DecodeLink(EncodeLink(d, nil)); again == nil || more.HasErrors() ||
				again.ID(nil) != d.ID(nil) {
				t.Fatalf("the link of a linked scenario decodes to another: %s", golden.Lines(more))
			}
		}
	})
}

func TestLinkGrades(t *testing.T) {
	for n, want := range map[int]string{200: "qr", 300: "qr", 301: "anywhere", 2000: "anywhere", 8000: "browsers",
		16000: "risky", 16001: "none"} {
		if grade, _ := LinkGrade(n); grade != want {
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
	for _, name := range scenarios.Names {
		b, _ := scenarios.Preset(name)
		if !bytes.Contains(dictionary1, presetQuestion(t, b)) {
			continue // younger than the dictionary
		}
		known++
		d := mustParse(t, string(b))
		d.Meta.DerivedFrom = d.ID(nil)
		sc := &d.Scenario
		sc.Jobs[len(sc.Jobs)/2].Steps = 12345
		sc.Throughputs.Rows[0].PerGPU["v100"] = 9.75
		sc.RoundS = 240
		link := EncodeLink(d, nil)
		if whole := len("https://hadarlab.example/#") + len(link); whole >= 200 {
			t.Errorf("%s with three edits: %d characters", name, whole)
		}
		got, diags := DecodeLink(link)
		if got == nil || diags.HasErrors() || got.ID(nil) != d.ID(nil) || got.ID(nil) == d.Meta.DerivedFrom {
			t.Errorf("%s with three edits decodes to another document: %s", name, golden.Lines(diags))
		}
	}
	if known < 8 { // of the nine that it was frozen with one has another question since
		t.Errorf("the dictionary knows %d presets; it was frozen with 8 of today's", known)
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
	d, _ := Parse(text, FileLimits)
	link := EncodeLink(d, nil)
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			EncodeLink(d, nil)
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			DecodeLink(link)
		}
	})
}
