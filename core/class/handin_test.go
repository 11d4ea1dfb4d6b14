package class

import "testing"

func TestParseHandIn(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"hand-in","version":1,"assignment":"x","name":"calm otter","engine":"e","entries":[]}`: "",
		`{"kind":"class","version":1}`:                             "wrong-kind",
		`{"kind":"hand-in","version":2}`:                           "too-new",
		`{"kind":"hand-in","version":1,"tag":"` + long(50) + `"}`:  "too-long",
		`{"kind":"hand-in","version":1,"x":"` + long(70000) + `"}`: "too-big",
		`{"kind":"hand-in","version":1,"entries":"many"}`:          "wrong-type",
		`[]`: "not-an-object",
	} {
		h, diags := ParseHandIn([]byte(text))
		if want == "" && (h == nil || h.Name != "calm otter") || want != "" && (h != nil || diags[0].Code != want) {
			t.Errorf("%.60s: %v, %v, want %q", text, h, diags, want)
		}
	}
}

func long(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}
