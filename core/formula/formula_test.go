package formula_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"hadarlab/core/formula"
	"hadarlab/core/star"
)

var names = []string{"job.a", "job.b", "cluster.c"}

// at gives the names these values; NaN is one that is not known.
func at(values ...float64) func(int) (float64, bool) {
	return func(i int) (float64, bool) { return values[i], !math.IsNaN(values[i]) }
}

func TestValues(t *testing.T) {
	of := at(6, -7.5, math.NaN())
	for src, want := range map[string]float64{
		"1 + 2 * 3":                              7,
		"(1 + 2) * 3":                            9,
		"8 - 2 - 1":                              5,
		"- - 2":                                  2,
		"-job.a / 4":                             -1.5,
		"7 // 2 + -7 // 2 + 7 % -4":              -2,
		"1 if job.a > job.b else 2":              1,
		"1 if not job.a > job.b else 2":          2,
		"1 if 1 > 2 or 2 > 1 and 3 > 2 else 0":   1,
		"1 if job.a > 3 or cluster.c > 1 else 0": 1, // what decides nothing is not looked at
		"job.a if 1 < 2 else cluster.c":          6,
		"max(1, job.a, 3) - min(4, 2)":           4,
		"abs(job.b) + math.floor(2.7) + math.ceil(2.1) + math.sqrt(16)": 16.5,
		"math.exp(0) + math.log(1)":                                     1,
		"1.5e2 + .5 + 2.":                                               152.5,
		"\n\tjob.a":                                                     6,
	} {
		f, err := formula.Read(src, names)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, ok := f.Value(of); !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", src, got, ok, want)
		}
	}
	for _, src := range []string{"1 / 0", "0 % 0", "1e308 * 10", "cluster.c", "0 * cluster.c", "math.log(0)",
		"math.sqrt(-1)", "1 if cluster.c > 0 else 2", "0 if 1e308 * 10 > 1 else 1"} {
		f, err := formula.Read(src, names)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, ok := f.Value(of); ok {
			t.Errorf("%s has the value %v", src, got)
		}
	}
}

func TestUses(t *testing.T) {
	f, err := formula.Read("cluster.c + job.a * cluster.c", names)
	if err != nil || fmt.Sprint(f.Uses()) != "[2 0]" ||
		fmt.Sprint(f.Pieces()) != "[{ 2} { +  0} { *  2} { -1}]" {
		t.Errorf("uses %v, pieces %v, %v", f.Uses(), f.Pieces(), err)
	}
}

func TestFaultsAreToldAtTheirPlace(t *testing.T) {
	for src, want := range map[string]string{
		"":                            "1: The formula ends here",
		"1 +":                         "4: The formula ends here",
		"job.x":                       "1: There is no job.x. Did you mean job.a?",
		"nothing":                     "1: There is no nothing. There are job.a, job.b, cluster.c.",
		"1 2":                         "3: The formula should end here",
		"1 + ;":                       "5: This sign means nothing",
		"job.a > 1":                   "1: The formula gives a yes or no",
		"1 + (2 > 1)":                 "5: There must be a number here",
		"1 if job.a else 2":           "6: There must be a comparison here",
		"1 if 2 > 1 else 2 > 1":       "1: Before “if”",
		"1 if 1 < 2 < 3 else 0":       "12: One comparison may not follow",
		"1 if 1 and 2 > 1 else 0":     "6: There must be a comparison here",
		"1 if not job.a else 0":       "10: There must be a comparison here",
		"max(1)":                      "6: max takes at least 2",
		"abs(1, 2)":                   "8: abs takes at most 1",
		"(1":                          "3: “)” is missing",
		"1e":                          "1: 1e is not a number",
		"1e999":                       "1: 1e999 is not a number",
		"* 2":                         "1: A number, a name or a bracket is missing",
		"print(1)":                    "1: There is no print.",
		"1 if 2 > 1":                  "11: “else” is missing",
		strings.Repeat("(", 60):       "52: More than 50",
		strings.Repeat("-", 60) + "1": "52: More than 50",
		strings.Repeat("1", 501):      "501: The formula has 501 bytes",
	} {
		_, err := formula.Read(src, names)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
		var e *formula.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%q: %T", src, err)
		}
	}
}

// TestFormulasAreStarlark: what a formula gives, the evaluator of programs gives for the same text.
func TestFormulasAreStarlark(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values, given := 0, []float64{3, -0.75, 12}
	for range 4000 {
		src := quantity(r, 4)
		f, err := formula.Read(src, []string{"a", "b", "c"})
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		p, err := star.Formula("key", src, "a", "b", "c")
		if err != nil {
			t.Fatalf("%s: Starlark has %v", src, err)
		}
		much := star.Budget{Steps: 1e6, Bytes: 1e6}
		m, err := p.Start(star.Options{Call: much, Run: much})
		if err != nil {
			t.Fatal(err)
		}
		key, _ := m.Global("key")
		v, err := m.Call(key, star.Float(given[0]), star.Float(given[1]), star.Float(given[2]))
		want, _ := v.AsFloat()
		got, ok := f.Value(at(given...))
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) && got != want {
			t.Fatalf("%s is %v, %v; Starlark has %v, %v", src, got, ok, want, err)
		}
		if ok {
			values++
		}
	}
	if values < 2000 {
		t.Errorf("only %d of the formulas had a value", values)
	}
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// quantity makes a random formula that gives a number.
func quantity(r *rand.Rand, deep int) string {
	if deep == 0 {
		return pick(r, "a", "b", "c", "1", "2.5", "0", "7", "1e3", ".125")
	}
	x := func() string { return quantity(r, r.IntN(deep)) }
	switch r.IntN(9) {
	case 0, 1, 2:
		return x() + pick(r, " + ", " - ", "*", " / ") + x()
	case 3:
		return "(" + x() + ")" + pick(r, " + ", " - ", " * ", "/", " // ", " % ") + "(" + x() + ")"
	case 4:
		return "-" + x()
	case 5:
		return pick(r, "max", "min") + "(" + x() + ", " + x() + ")"
	case 6:
		return pick(r, "abs", "math.sqrt", "math.exp", "math.log") + "(" + x() + ")"
	case 7:
		return "(" + x() + " if " + condition(r, deep-1) + " else " + x() + ")"
	}
	return quantity(r, 0)
}

// condition makes a random yes or no.
func condition(r *rand.Rand, deep int) string {
	if deep > 0 && r.IntN(3) == 0 {
		return pick(r, "not ", "") + "(" + condition(r, deep-1) + pick(r, " and ", " or ") + condition(r, deep-1) + ")"
	}
	return quantity(r, 0) + pick(r, " < ", " <= ", " > ", " >= ", " == ", " != ") + quantity(r, 0)
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"job.a / job.b", "1 if job.a > 2 else max(3, 4)", "-(-1)", "1e", "not", "a.b.c", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := formula.Read(src, names)
		var e *formula.Error
		switch {
		case err == nil:
			if v, ok := got.Value(at(1, 2, 3)); ok && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Errorf("%q is %v", src, v)
			}
		case !errors.As(err, &e) || e.Col < 1 || e.Col > len(src)+1:
			t.Errorf("%q: %v", src, err)
		}
	})
}
