package jsondoc

import (
	"encoding/json"
	"testing"
)

func TestSetNumber(t *testing.T) {
	const doc = `{"a":{"b/c":1,"d~e":[9007199254740993,{"f":2.50}]},"g":"h"}`
	for _, c := range []struct{ pointer, want string }{
		{"/a/b~1c", `{"a":{"b/c":7.5,"d~e":[9007199254740993,{"f":2.50}]},"g":"h"}`},
		{"/a/d~0e/0", `{"a":{"b/c":1,"d~e":[7.5,{"f":2.50}]},"g":"h"}`},
		{"/a/d~0e/1/f", `{"a":{"b/c":1,"d~e":[9007199254740993,{"f":7.5}]},"g":"h"}`},
		{"/x/y", `{"a":{"b/c":1,"d~e":[9007199254740993,{"f":2.50}]},"g":"h","x":{"y":7.5}}`},
		{"/a", ""},
		{"/g", ""},
		{"/g/x", ""},
		{"/a/d~0e/-", ""},
		{"/a/d~0e/01", ""},
		{"/a/d~0e/2", ""},
		{"/a/d~0e/1", ""},
		{"", ""},
		{"a", ""},
	} {
		got, err := SetNumber([]byte(doc), c.pointer, 7.5)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %s, %v", c.pointer, got, err)
		}
	}
}

func TestSetValue(t *testing.T) {
	const doc = `{"a":{"b":true,"c":[1,"x"]}}`
	for _, c := range []struct {
		pointer string
		v       any
		want    string
	}{
		{"/a/b", false, `{"a":{"b":false,"c":[1,"x"]}}`},
		{"/a/c/1", "y", `{"a":{"b":true,"c":[1,"y"]}}`},
		{"/a/c/0", 2.5, `{"a":{"b":true,"c":[2.5,"x"]}}`},
		{"/a/d/e", "new", `{"a":{"b":true,"c":[1,"x"],"d":{"e":"new"}}}`},
		{"/a/b", "no", ""},
		{"/a/c/0", true, ""},
		{"/a/c", "no", ""},
		{"/a/b", []any{}, ""},
		{"/a/b", nil, ""},
	} {
		got, err := SetValue([]byte(doc), c.pointer, c.v)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s = %v: %s, %v", c.pointer, c.v, got, err)
		}
	}
}

func FuzzSetNumber(f *testing.F) {
	for _, pointer := range []string{"/scenario/round_s", "/scenario/jobs/0/gpus", "/scenario/x/y", "//", "/~2/",
		"/scenario/jobs/-1"} {
		f.Add([]byte(`{"scenario":{"round_s":360,"jobs":[{"gpus":1}]}}`), pointer, 60.0)
	}
	f.Fuzz(func(t *testing.T, doc []byte, pointer string, v float64) {
		if v-v != 0 {
			return
		}
		set, err := SetNumber(doc, pointer, v)
		if err != nil {
			return
		}
		again, err := SetNumber(set, pointer, v)
		if err != nil || !json.Valid(set) || string(again) != string(set) {
			t.Fatalf("%q is set in %s, and then it is not: %v", pointer, set, err)
		}
	})
}
