package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const small = `{"kind":"decisions","version":1,"policy":"mine","every_s":360,"on":["finish"],"slots":[` +
	`{"node":"n1","type":"v100","gpus":2}],"jobs":["j1"],"document":{"kind":"scenario"}}
{"now_s":0,"arrived":[0],"gangs":[{"job":0,"gang":[[0,2]]}]}
{"outcome":"done","trace_hash":"00"}
`

// TestPack: a packed record is the record without its scenario, line for line.
func TestPack(t *testing.T) {
	h, packed, err := Pack([]byte("\ufeff" + small))
	if err != nil || string(h.Document) != `{"kind":"scenario"}` {
		t.Fatal(h, err)
	}
	rec, err := Unpack(packed)
	if err != nil || rec.Policy != "mine" || rec.Document != nil || len(rec.Decisions) != 1 ||
		rec.Decisions[0].Line != 2 || rec.Outcome != "done" {
		t.Errorf("%+v, %v", rec, err)
	}
	if head, err := UnpackHead(packed); err != nil || head.Every != 360 {
		t.Errorf("%+v, %v", head, err)
	}
	if !Looks([]byte(small)) || !Looks([]byte("\ufeff"+strings.Replace(small, `":"`, `": "`, 1))) ||
		Looks([]byte(`{"kind":"scenario"}`)) || Looks([]byte("a,b\n")) {
		t.Error("a record is not told by its beginning")
	}
}

// TestPackRefuses: what a document cannot hold is refused with its size, what is damaged with a reason.
func TestPackRefuses(t *testing.T) {
	noise := make([]byte, 3<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(' ' + x>>24%64)
	}
	for _, c := range []struct{ text, want string }{
		{small + strings.Repeat(" ", InPage.Bytes), "a page takes 8388608"},
		{small + string(noise), "when it is packed; a scenario holds 2097152"},
		{`{"kind":"decisions"}`, "line 1: version is 0"},
		{"{", "line 1: no record of decisions begins so"},
	} {
		if _, _, err := Pack([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
		}
	}
	_, packed, _ := Pack([]byte(small))
	for _, c := range []struct{ text, want string }{
		{"", "There is no record in it"},
		{"?" + packed, "This is no packed record."},
		{packed[:len(packed)/2], "This is no packed record."},
		{strings.Repeat("A", MostPacked+1), "a scenario holds 2097152"},
	} {
		if _, err := Unpack(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzUnpack: any text is a record or an *Error, and so is any file.
func FuzzUnpack(f *testing.F) {
	_, packed, _ := Pack([]byte(small))
	f.Add(packed)
	f.Add(small)
	f.Fuzz(func(t *testing.T, text string) {
		_, one := Unpack(text)
		_, two := Read(bytes.NewReader([]byte(text)), InPage)
		_, packed, three := Pack([]byte(text))
		for _, err := range []error{one, two, three} {
			if known := (*Error)(nil); err != nil && (!errors.As(err, &known) || known.Says.IsZero()) {
				t.Errorf("%v", err)
			}
		}
		if _, err := Unpack(packed); two == nil && three == nil && err != nil {
			t.Errorf("it cannot be unpacked: %v", err)
		}
	})
}
