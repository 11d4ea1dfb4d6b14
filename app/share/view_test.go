package share

import (
	"strings"
	"testing"

	"hadarlab/app/run"
	"hadarlab/core/unit"
)

// TestViewGolden: the form of a view in links is fixed, and every part may be missing, unknown or wrong.
func TestViewGolden(t *testing.T) {
	usual := View{Cursor: -1, Lane: -1}
	for text, want := range map[string]View{
		"c1440000.z0-3600000.kqueue.wb.jj3": {Cursor: 1440 * unit.Second,
			Zoom: run.Window{From: 0, To: 3600 * unit.Second}, Tab: "queue", Lane: 1, Job: "j3"},
		"jresnet.v1.b64":              {Cursor: -1, Lane: -1, Job: "resnet.v1.b64"},
		"kprices.ylog.wa":             {Cursor: -1, Tab: "prices", Log: true},
		"wc.c0":                       {Cursor: 0, Lane: 2},
		"":                            usual,
		"p":                           {Predict: true, Cursor: -1, Lane: -1},
		"p.c0.jp":                     {Predict: true, Lane: -1, Job: "p"},
		"px.c0":                       {Lane: -1}, // of a later release
		"....":                        usual,
		"q12.x":                       usual, // of a later release
		"c-5.z9-3.knone.ylin.wz":      usual,
		"c99999999999999999999.z1-":   usual,
		"c1e9.z-1-5.w":                usual,
		"j" + strings.Repeat("x", 65): usual,
		"kbusy.kcdf":                  {Cursor: -1, Lane: -1, Tab: "cdf"},
	} {
		if got := ParseView(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}
