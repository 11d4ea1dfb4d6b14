package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// session is what go test -json prints of two packages: one with a test that passes, one that takes long and one that
// is skipped, another that a test has brought down.
const session = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"nothing to see\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":0.1}
{"Action":"output","Package":"a","Test":"TestAbsent","Output":"=== RUN   TestAbsent\n"}
{"Action":"output","Package":"a","Test":"TestAbsent","Output":"    a_test.go:9: the traces are absent\n"}
{"Action":"output","Package":"a","Test":"TestAbsent","Output":"--- SKIP: TestAbsent (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestAbsent","Elapsed":0}
{"Action":"pass","Package":"a","Test":"TestLong","Elapsed":7}
{"Action":"pass","Package":"a","Elapsed":8.5}
a line that is none of JSON
{"ImportPath":"c","Action":"build-output","Output":"c.go:1: undefined: x\n"}
{"Action":"output","Package":"b","Test":"TestBad","Output":"    b_test.go:3: it is 4\n"}
{"Action":"fail","Package":"b","Test":"TestBad","Elapsed":0}
{"Action":"output","Package":"b","Test":"TestFatal","Output":"panic: over\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t0.1s\n"}
{"Action":"fail","Package":"b","Elapsed":0.1}
`

func TestTold(t *testing.T) {
	var out strings.Builder
	r := newReader(&out)
	if err := r.read(strings.NewReader(session)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ok      8.5 s  a\n", "7.0 s  a.TestLong\n", "skipped: a.TestAbsent: a_test.go:9: the traces are absent\n",
		"a line that is none of JSON\n", "undefined: x", "it is 4", "panic: over", "FAIL\tb",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "nothing to see") || strings.Contains(out.String(), "TestGood") {
		t.Errorf("it tells of a test that passed:\n%s", out.String())
	}
	if !r.failed {
		t.Error("a failed package is none")
	}
	file := filepath.Join(t.TempDir(), "of its own", "skipped.txt")
	for _, list := range [][]string{r.skipped, nil} {
		if err := keep(file, list); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(file); err != nil || strings.Count(string(b), "\n") != len(list) {
			t.Errorf("of %d skipped tests the file has %q: %v", len(list), b, err)
		}
	}
}
