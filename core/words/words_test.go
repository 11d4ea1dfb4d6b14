package words_test

import (
	"testing"

	"hadarlab/core/words"
)

func TestRead(t *testing.T) {
	defer words.Use(nil)
	words.Use(map[string]string{"~a number": "eine Zahl", "~{0} is {1}; it must be {2}": "{0} ist {1}, nötig ist {2}",
		"~{0}: {1} is {2}; it must be {3}": "{0} hat {2} als {1}, nötig ist {3}",
		"~the text {0}":                    "der Text {0}", "~Did you mean {0}?": "War {0} gemeint?",
		"~{0} is missing": "{0} fehlt"})
	for in, want := range map[string]string{
		`n1: gpus is the text "2"; it must be a number`: `n1 hat der Text "2" als gpus, nötig ist eine Zahl`,
		"seed is x; it must be a number":                "seed ist x, nötig ist eine Zahl",
		"Did you mean fifo?":                            "War fifo gemeint?",
		"Did you mean fifo? Otherwise add a row.":       "Did you mean fifo? Otherwise add a row.",
		"a is missing is missing":                       "a fehlt fehlt",
		"":                                              "",
	} {
		if got := words.Read(in); got != want {
			t.Errorf("%q reads %q, want %q", in, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	defer words.Use(nil)
	const waits = "{0} waits. It needs {1} at once."
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("English", words.F(waits, "J1", "2 GPUs"), "J1 waits. It needs 2 GPUs at once.")
	check("one", words.N(1, "{0} node", "{0} nodes"), "1 node")
	check("none", words.N(0, "{0} node", "{0} nodes"), "0 nodes")
	check("a count with more", words.N(3, "{0} job of {1}", "{0} jobs of {1}", "A"), "3 jobs of A")
	check("tag", words.Tag(), "en")
	check("a name with braces", words.F("{0} of {1}", "{1}", "x"), "{1} of x")
	check("no place", words.F("{, {x}, {7} and {0", "a"), "{, {x}, {7} and {0")

	words.Use(map[string]string{"@lang": "de", waits: "{1} auf einmal braucht {0} und wartet.",
		"{0} nodes": "{0} Knoten", "Run": "Lauf", "Run@button": "Starten", "Undo": ""})
	check("another order", words.F(waits, "J1", "2 GPUs"), "2 GPUs auf einmal braucht J1 und wartet.")
	check("many", words.N(2, "{0} node", "{0} nodes"), "2 Knoten")
	check("a missing form", words.N(1, "{0} node", "{0} nodes"), "1 node")
	check("a missing key", words.T("Redo"), "Redo")
	check("an empty translation", words.T("Undo"), "Undo")
	check("a place of its own", words.In("button", "Run"), "Starten")
	check("any other place", words.In("heading", "Run"), "Lauf")
	check("tag", words.Tag(), "de")

	if words.Load([]byte(`{"Undo": 1}`)) == nil || words.T("Run") != "Lauf" {
		t.Error("a file that is no catalogue replaced the one in force")
	}
	if err := words.Load([]byte(`{"@lang": "xx", "Undo": "odnU"}`)); err != nil || words.T("Undo") != "odnU" ||
		words.T("Run") != "Run" {
		t.Error("a file is not taken up whole", err)
	}
	if err := words.Load(nil); err != nil || words.Tag() != "en" {
		t.Error("no file is not English", err)
	}
}
