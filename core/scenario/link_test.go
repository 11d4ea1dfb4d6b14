package scenario

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"os"
	"strings"
	"testing"
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
		"upper check":   link[:len(link)-5] + strings.ToUpper(link[len(link)-5:]),
		"plain codec":   "1j." + base64.RawURLEncoding.EncodeToString(linkPayload(d, testDefaults)) + "." + link[len(link)-5:],
	} {
		got, diags := DecodeLink(form)
		if got == nil || diags.HasErrors() {
			t.Errorf("%s: %s", name, diags.lines())
			continue
		}
		if got.ID(testDefaults) != d.ID(testDefaults) || got.Meta.Title != d.Meta.Title || got.Meta.Question != d.Meta.Question || got.Meta.DerivedFrom != d.Meta.DerivedFrom {
			t.Errorf("%s: decodes to another document: %s", name, got.Marshal(true))
		}
		if EncodeLink(got, testDefaults) != link {
			t.Errorf("%s: encodes to another link", name)
		}
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
			t.Errorf("cut at %d: %s", n, diags.lines())
		}
	}
	for n := range len(link) - 9 { // a character lost in the payload, its end intact
		bad := link[:n+3] + link[n+4:]
		_, diags := DecodeLink(bad)
		if len(diags) != 1 || diags[0].Code != codeLinkCheck && diags[0].Code != codeLinkCut {
			t.Errorf("without character %d: %s", n+3, diags.lines())
		}
	}
}

func TestLinkBombs(t *testing.T) {
	bomb := pack(append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 10<<20)...))
	if len(bomb) > MaxLink {
		t.Fatalf("the bomb has %d characters", len(bomb))
	}
	for name, link := range map[string]string{"bomb": bomb, "long": "#1z." + strings.Repeat("A", MaxLink) + ".00000", "very long": strings.Repeat("1", 10<<20)} {
		if d, diags := DecodeLink(link); d != nil || len(diags) != 1 || diags[0].Code != codeLinkTooBig {
			t.Errorf("%s: %s", name, diags.lines())
		}
	}
	deep := strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20)
	for name, text := range map[string]string{"deep": deep, "a list": "[]", "no JSON": "{", "faults": `{"scenario":{"jobs":[]}}`} {
		_, diags := DecodeLink(pack([]byte(text)))
		if len(diags) < 2 || diags[0].Code != codeLinkInvalid {
			t.Errorf("%s: %s", name, diags.lines())
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
			t.Errorf("%s: %s", part[1], diags.lines())
			continue
		}
		if d.ID(nil) != part[0] || d.Meta.Title != part[1] {
			t.Errorf("%s %q became %s %q", part[0], part[1], d.ID(nil), d.Meta.Title)
		}
		if p, diags := Compile(d, nil); p == nil {
			t.Errorf("%s no longer compiles: %s", part[1], diags.lines())
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
			if again, more := DecodeLink(EncodeLink(d, nil)); again == nil || more.HasErrors() || again.ID(nil) != d.ID(nil) {
				t.Fatalf("the link of a linked scenario decodes to another: %s", more.lines())
			}
		}
	})
}

func TestLinkGrades(t *testing.T) {
	for n, want := range map[int]string{200: "qr", 300: "qr", 301: "anywhere", 2000: "anywhere", 8000: "browsers", 16000: "risky", 16001: "none"} {
		if grade, _ := LinkGrade(n); grade != want {
			t.Errorf("%d characters: %s, want %s", n, grade, want)
		}
	}
}
