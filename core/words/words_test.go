package words_test

import (
	"encoding/json"
	"testing"

	"hadarlab/core/words"
)

func TestWords(t *testing.T) {
	var c words.Catalogue
	const waits = "{0} waits. It needs {1} at once."
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("English", c.F(waits, "J1", "2 GPUs"), "J1 waits. It needs 2 GPUs at once.")
	check("one", c.N(1, "{0} node", "{0} nodes"), "1 node")
	check("none", c.N(0, "{0} node", "{0} nodes"), "0 nodes")
	check("a count with more", c.N(3, "{0} job of {1}", "{0} jobs of {1}", "A"), "3 jobs of A")
	check("tag", c.Tag(), "en")
	check("a name with braces", c.F("{0} of {1}", "{1}", "x"), "{1} of x")
	check("no place", c.F("{, {x}, {7} and {0", "a"), "{, {x}, {7} and {0")

	c = words.Catalogue{"@lang": "de", waits: "{1} auf einmal braucht {0} und wartet.",
		"{0} nodes": "{0} Knoten", "Run": "Lauf", "Run@button": "Starten", "Undo": ""}
	check("another order", c.F(waits, "J1", "2 GPUs"), "2 GPUs auf einmal braucht J1 und wartet.")
	check("many", c.N(2, "{0} node", "{0} nodes"), "2 Knoten")
	check("a missing form", c.N(1, "{0} node", "{0} nodes"), "1 node")
	check("a missing key", c.T("Redo"), "Redo")
	check("a text that waits for its translation", c.T("Undo"), "Undo (en)")
	check("the same in a place", c.In("button", "Undo"), "Undo (en)")
	check("a place of its own", c.In("button", "Run"), "Starten")
	check("any other place", c.In("heading", "Run"), "Lauf")
	check("tag", c.Tag(), "de")

	if _, err := words.Read([]byte(`{"Undo": 1}`)); err == nil {
		t.Error("a file that is no catalogue is read as one")
	}
	if c, err := words.Read([]byte(`{"@lang": "xx", "Undo": "odnU"}`)); err != nil || c.T("Undo") != "odnU" ||
		c.T("Run") != "Run" {
		t.Error("a file is not read", err)
	}
	if c, err := words.Read(nil); err != nil || c.Tag() != "en" {
		t.Error("no file is not English", err)
	}
}

// TestText: a text is said in English and in the reader's language, wherever it has been in between.
func TestText(t *testing.T) {
	in := words.Catalogue{"{0} is {1}; it must be {2}": "nötig ist {2}, und {0} ist {1}", "a number": "eine Zahl",
		"free": "frei"}
	said := words.Say("{0} is {1}; it must be {2}", words.Say("{0}: {1}", "free", "gpus"), 2, words.Say("a number"))
	const english, german = "free: gpus is 2; it must be a number", "nötig ist eine Zahl, und free: gpus ist 2"
	if said.String() != english || said.In(in) != german {
		t.Errorf("it says %q and %q", said, said.In(in))
	}
	b, err := json.Marshal(words.Parts(said))
	const want = `["{0} is {1}; it must be {2}",["{0}: {1}","free","gpus"],"2",["a number"]]`
	if err != nil || string(b) != want {
		t.Errorf("it is written as %s, %v", b, err)
	}
	var parts words.Parts
	if err := json.Unmarshal(b, &parts); err != nil || words.Text(parts).In(in) != german {
		t.Errorf("it is read as %q, %v", words.Text(parts).In(in), err)
	}
	for _, bad := range []string{"1", "{}", "[1]", `["a",{}]`} {
		if json.Unmarshal([]byte(bad), &parts) == nil {
			t.Errorf("%s is taken for a text", bad)
		}
	}
	if b, err = json.Marshal(said); err != nil || string(b) != `"`+english+`"` {
		t.Errorf("programs are told %s, %v", b, err)
	}
	var read words.Text
	if err := json.Unmarshal(b, &read); err != nil || read.In(in) != english {
		t.Errorf("a sentence is read as %q, %v", read.In(in), err)
	}
	if own := words.Own("free"); own.In(in) != "free" || own.IsZero() || !words.Own("").IsZero() {
		t.Errorf("somebody's own word becomes %q", own.In(in))
	}
}

// TestWholeNumbersAreWhole: a count has all its digits, in a sentence and in one kept as JSON; other numbers as many as
// they are given.
func TestWholeNumbersAreWhole(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -3: "-3", 1e6: "1000000", 1530760: "1530760", 0.5: "0.5",
		1234567.891: "1.23457e+06", 1e15: "1e+15"} {
		if got := words.Number(v, 6); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	says := words.Say("{0} gangs", 1530760.0)
	b, err := words.Parts(says).MarshalJSON()
	if says.String() != "1530760 gangs" || string(b) != `["{0} gangs","1530760"]` {
		t.Errorf("said %q, kept %s, %v", says, b, err)
	}
}
