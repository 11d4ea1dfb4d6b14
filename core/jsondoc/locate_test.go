package jsondoc

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/scenarios"
)

// TestPointerAt: the cursor is where | stands.
func TestPointerAt(t *testing.T) {
	for text, want := range map[string]string{
		`|{"a":1}`: "", `{|"a":1}`: "/a", `{"|a":1}`: "/a", `{"a"|:1}`: "/a", `{"a":| 1}`: "/a", `{"a":|1}`: "/a",
		`{"a":1|}`: "/a", `{"a":1 |}`: "", `{"a":1}|`: "", `{"a":1} |`: "", "|": "", "12|": "",
		`[1|,2]`: "/0", `[1,|2]`: "/1", `[1, |2]`: "/1", `[1,| 2]`: "", `[1 |,2]`: "", `[[],[|]]`: "/1",
		`[[]|,[]]`: "/0", `[{"a":[0,1,{"b":fal|se}]}]`: "/0/a/2/b",
		`{"a":{"b":1},"c":2|}`: "/c", `{"a":{"b":1}|,"c":2}`: "/a", `{"a":{"b":1,|"c":2}}`: "/a/c",
		`{"a":1,| "b":2}`: "", `{"a/b~":{"c\"}\u00e9":"x|"}}`: "/a~1b~0/c\"}é", `{"":{"":|1}}`: "//",
		"{\"ä\": \"ö\U0001F600\",\n \"n\": [3|]}": "/n/0",
		// what is being typed
		`{"a":|`: "/a", `{"a":{"b":[1,2,|`: "/a/b", `{"a":{"b|`: "/a", `{"a": tr|u, "b":1}`: "/a",
		`{"a":1 "b":|2}`: "/b", `{"a":1,,"b":2|}`: "/b", `{"a":[1,{"b":2}, "c":3|`: "/a/2",
		"{\"a\": \"open\n \"b\": 2|}": "/b",
		// what makes no sense further on
		`{"a":[1}, "b":|2`: "/a", `}|{"a":1}`: "", `]]]]|`: "", `{"a":1}} , {"b":|2`: "", "\x00\xff|\"": "",
		`{"a\u12":|1}`: "/",
	} {
		before, after, _ := strings.Cut(text, "|")
		if got := PointerAt([]byte(before+after), len(before)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if deep := strings.Repeat("[", 1<<20); PointerAt([]byte(deep), len(deep)) != strings.Repeat("/0",
		MaxDepth) {
		t.Error("a deep text is not read as deep as one may be")
	}
	for _, offset := range []int{-5, 1000} { // outside
		if got := PointerAt([]byte(`{"a":1}`), offset); got != "" {
			t.Errorf("offset %d: %q", offset, got)
		}
	}
}

func TestLocate(t *testing.T) {
	const doc = ` {"a/b":{"x":[10,{"y":"z"}]},"":{"":7}} `
	for pointer, want := range map[string][2]string{ // the member and its value
		"": {strings.TrimSpace(doc), strings.TrimSpace(doc)}, "/a~1b/x": {`"x":[10,{"y":"z"}]`, `[10,{"y":"z"}]`},
		"/a~1b/x/0": {"10", "10"}, "/a~1b/x/1/y": {`"y":"z"`, `"z"`}, "//": {`"":7`, "7"},
		"/a~1b/x/2": {`"x":[10,{"y":"z"}]`, `[10,{"y":"z"}]`}, "/a~1b/x/0/deeper": {"10", "10"},
		"/absent/at/all": {strings.TrimSpace(doc), strings.TrimSpace(doc)},
		"no pointer":     {strings.TrimSpace(doc), strings.TrimSpace(doc)},
	} {
		s, ok := Locate([]byte(doc), pointer)
		if !ok || doc[s.Member:s.To] != want[0] || doc[s.From:s.To] != want[1] {
			t.Errorf("%q: %+v, %v", pointer, s, ok)
		}
	}
	for _, bad := range []string{"", "{", `{"a":1}}`, strings.Repeat("[", 70) + strings.Repeat("]", 70)} {
		if s, ok := Locate([]byte(bad), "/a"); ok {
			t.Errorf("%s: %+v", bad, s)
		}
	}
}

// TestPointersLeadBack: at every place of a preset's text, the value of the pointer there holds the place.
func TestPointersLeadBack(t *testing.T) {
	for _, name := range scenarios.Names {
		text, _ := scenarios.Preset(name)
		for offset := range len(text) - 1 { // the last line end is outside
			leadsBack(t, text, offset)
		}
		if got := PointerAt(text, strings.Index(string(text), `"jobs"`)); got != "/scenario/jobs" {
			t.Errorf("%s: the jobs are at %q", name, got)
		}
	}
}

func leadsBack(t *testing.T, text []byte, offset int) {
	t.Helper()
	pointer := PointerAt(text, offset)
	s, ok := Locate(text, pointer)
	if !ok || offset < s.Member || offset > s.To {
		t.Fatalf("%q: byte %d is at %q, which is %+v, %v", text, offset, pointer, s, ok)
	}
}

func FuzzPointerAt(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":"c\"]"},null],"d/~":{"":true}}`, `[[],[[1]],{"a":{}}]`, `{"a":[1,"b`,
		"\"\\", `{"\ud800":1,"x":"é😀"}`} {
		f.Add([]byte(text), 5)
	}
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		pointer := PointerAt(text, offset)
		if pointer != "" && pointer[0] != '/' {
			t.Fatalf("%q is no pointer", pointer)
		}
		if !json.Valid(text) {
			return
		}
		tr, deep := Plant(text, MaxDepth)
		if deep >= 0 || offset < int(tr.nodes[0].start) || offset > int(tr.nodes[0].end) {
			return
		}
		twice := false
		tr.repeated(func(_, _ int) { twice = true })
		if !twice { // the last of a repeated member counts
			leadsBack(t, text, offset)
		}
	})
}
