package jsondoc

import (
	"encoding/json"
	"errors"
	"reflect"

	"hadarlab/core/words"
)

// Unmarshal reads a JSON object into a Go value as encoding/json does, and words what goes wrong as
// diagnostics with a path and a line. Members that the value does not have are skipped. start shows how
// such a document begins.
func Unmarshal(data []byte, lim Limits, start words.Text, into any) Diagnostics {
	f := &Collector{}
	t := Open(data, lim, f, start)
	if t == nil || f.HasErrors() {
		return f.Finish(func() *Tree { return t })
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(t.Src, into); {
	case errors.As(err, &wrong):
		at := t.around(int(wrong.Offset) - 1)
		want := "of another kind"
		switch k := wrong.Type.Kind(); {
		case k == reflect.String:
			want = "a text"
		case k == reflect.Map || k == reflect.Struct:
			want = "an object"
		case k == reflect.Slice:
			want = "a list"
		case k >= reflect.Int && k <= reflect.Uintptr:
			want = "a whole number"
		case k == reflect.Float64:
			want = "a number"
		}
		f.Fail(t.pointer(at), codeType, words.Say("{0} stands here; it must be {1}", describe(t, at), words.Say(want)),
			rewrite(t, at, want))
	case err != nil:
		f.aboutText(LevelError, 0, codeJSON, words.Say("the document cannot be read: {0}", err.Error()), start)
	}
	return f.Finish(func() *Tree { return t })
}
