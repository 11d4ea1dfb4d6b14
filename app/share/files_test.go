package share

import "testing"

func TestCSVKeepsFormulasText(t *testing.T) {
	for in, want := range map[string]string{"j1": "j1", "=1+1": "'=1+1", "a,b": `"a,b"`, `a"b`: `"a""b"`} {
		if got := csvText(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
