package words_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// keyed are the functions that take message keys, with the places of these among their arguments; methods are those of
// any value.
var keyed = map[string][]int{
	"sim.Named": {0}, "core/policy/hadar.keyed": {1},
	"core/policy/hadar.bound": {1}, "core/policy/queues.byNumber": {0, 1, 3},
	"core/policy/hadar.gainLine": {0}, "core/policy.Line": {0}, "core/policy/hadar.lifeLine": {0},
	"core/policy.TimeSum": {0}, "policy.Line": {0}, "policy.TimeSum": {0},
	"core/policy/own/starlark.*.did": {1}, "core/policy/own/starlark.*.gave": {1},
	"core/policy/own/starlark.*.refuse": {1}, "words.T": {0},
	"words.F": {0}, "words.N": {1, 2}, "words.In": {1}, "words.Say": {0}, "words.Count": {1, 2},
	"in.T": {0}, "in.F": {0}, "in.N": {1, 2}, "in.In": {1}, // of a catalogue that is handed in, which is called so
	"jsondoc.Entries": {2}, "core/jsondoc.*.wrongType": {1}, "core/jsondoc.*.tooLarge": {1}, "core/jsondoc.*.List": {1},
	"core/scenario.*.List": {1}, "core/scenario.*.id": {1}, "core/scenario.*.unique": {3, 4},
	"core/scenario.called": {1},
	"figure.Count":         {2, 3},
	"app/ui.Say":           {1}, "app/ui.Th": {0}, "app/ui.ThNum": {0}, "app/ui.Table": {1}, "app/ui.chapter": {0},
	"app/ui.opens": {0}, "app/ui.curveHead": {0}, "app/ui.hands": {0},
	"app/ui.fold": {0}, "app/ui.shut": {1}, "app/ui.fact": {0},
	"app/ui.line": {0, 3}, "app/ui.choice": {0, 2}, "app/ui.*.button": {1}, "app/ui.*.tool": {2}, "app/ui.Save": {0},
	"app/ui.Button": {1}, "app/ui.Tool": {2},
	"app/ui.Dialog": {0}, "app/ui.*.section": {1, 2}, "app/ui.*.going": {0}, "app/ui.*.portions": {1, 2, 3, 4},
	"app/edit.number": {1, 2, 3, 4}, "app/edit.choice": {1, 2, 3, 4, 5, 6, 7}, "app/edit.of": {1, 2, 3},
	"app/edit.setting":           {1, 2},
	"core/policy/gavel.*.solved": {0, 1}, "core/chart/data.register": {2},
}

// tables are the variables whose texts become keys where they are shown: which fields of an entry.
var tables = map[string][]int{
	"core/message.AllMetrics": {1, 2},
	"app/ui.commands":         {0, 1}, "app/ui.levels": nil,
	"app/ui.formatWords": {1}, "app/ui.ideas": {0}, "core/jsondoc.asExample": nil, "core/scenario.singular": {1},
	"app/edit.jobNumbers": {1}, "app/edit.Needs": {1, 2, 3},
	"app/state.OwnLetters": {1}, "app/state.importNumbers": {0},
	"app/ui.importFields": {0, 2, 3}, "app/ui.varied": nil, "core/chart.Causes": {1}, "core/chart.Tiers": {1},
	"core/figure.units": {1, 2},
}

// english are packages that have no texts of their own, or none that a page shows: the command line speaks English.
var english = []string{"core/words", "app/words", "core/simtest", "core/simtest/golden", "core/allocate",
	"core/goodput/instance",
	"worker/cmd/hadarlab",
	"worker/cmd/edge", "worker/load", "worker/load/cmd"}

// shown are the expressions that may stand for a key, and where their texts come from.
var shown = map[string]string{
	"says.Pattern()": "what WrongGang says, with names at its places (core/policy/own)",
	"authored":       "texts of assignments", "says": "lines of formulas",
	"t.Title": "charts, templates", "t.Chart.Title": "charts",
	"ideas[i].title": "ideas", "f.Title": "AllMetrics, bounded", "message.FindMetric(metric).Brief": "AllMetrics",
	"message.FindMetric(metric).Title": "AllMetrics",
	"levels[c.Level]":                  "levels",
	"f.says":                           "formatWords",
	"c.keys":                           "commands", "c.does": "commands", "state.OwnLetters[i].Does": "OwnLetters",
	"s.Name": "Causes", "u.One": "units",
	"u.Many":  "units",
	"value":   "labels in the spec of an element",
	"p.Title": "registry, presets", "info.Title": "registry", "e.Title": "registry", "e.Param.Title": "registry",
	"t.Says": "templates", "of.Title": "templates",
	"l.spec.Title": "registry", "info.Summary": "registry", "info.Formula": "registry", "info.Source": "registry",
	"p.Unit": "registry", "p.Help": "registry", "f.Means": "registry", "f.Unit": "registry",
	"s.Boot.Policy(v.Lanes[k]).Title": "registry",
	"p.Question":                      "presets", "d.Meta.Question": "presets",
	"c.Goal": "gallery", "c.Surprise": "gallery", "c.Ideas[i]": "gallery", "c.Teacher": "gallery",
	"c.Misconceptions[i]": "gallery",
	"l.Title":             "lessons", "l.Goal": "lessons", "l.Lesson.Title": "lessons", "step.Title": "lessons",
	"l.Lesson.Learned": "lessons", "l.Lesson.Next": "lessons", "g.Title": "lessons",
	"step.Text": "lessons", "c.Sets": "lessons",
	"a.Options[i]": "lessons", "a.Options[a.Answer]": "lessons", "a.Question": "lessons", "next.Title": "lessons",
	"a.Because": "lessons",
	"r.Source":  "sources of speeds that come with the page", "r.Outcome": "outcomes",
	"unit": "terms", "l.Meta.PriceUnit": "terms", "b.Names.MakespanS": "bounds", "b.Names.AvgJCTS": "bounds",
	"many": "Count", "e.Empty": "forms", "empty": "forms", "jobNumbers[field].name": "jobNumbers",
	"n.Name": "Needs", "n.Lack": "Needs", "n.Offer": "Needs",
	"e.Name": "forms", "name": "forms, fact", "f.Name": "forms", "f.Label": "forms", "f.Help": "forms",
	"f.Empty": "forms", "f.Range.Unit": "forms", "r.Unit": "forms", "k.Range.Unit": "forms", "u.Short": "figure.units",
	"of": "core/policy", "k.Along": "core/policy", "t.Name": "core/policy",
	"k.Name": "core/policy", "columns[k].Unit": "core/policy",
	"clause": "byNumber", "m.title": "byNumber",
	"w.Label": "forms", "w.Help": "forms", "w.Titles[i]": "forms", "w.Name": "forms",
	"weight.Label": "forms",
	"n.name":       "importNumbers", "f.label": "importFields", "f.empty": "importFields", "f.help": "importFields",
	"varied[k]": "varied",
	"brief":     "section", "without": "portions", "list": "portions", "back": "portions", "q.Title": "registry",
	"storing": "words.T before",
	"want":    "Entries, List, wrongType", "entry": "Entries", "pattern": "tooLarge", "example": "asExample",
	"list[1]": "singular", `"{0} " + what`: "Plural", "what": "id, unique", "s.Title": "registry",
	"m.id":  "descriptions of members",
	"twice": "unique", "otherwise": "called",
	"label": "button, tool, save, line, choice", "title": "chapter, fold, shut, dialog", "caption": "table",
	"s": "th, thNum", "help": "line, choice", "key": "say, head", "o.By": "head",
}

// alone are keys that stand in no such place.
var alone = []string{"Last finish ÷ what no schedule of its kind beats",
	"Mean completion ÷ what no schedule of its kind beats",
	"Gavel, measured on one GPU", "Gavel, measured", "made up",
	"Lambda, measured in mixed precision",
	"of another kind",
	"done", "stopped", "starved", "horizon", "overloaded"}

// catalogue is the German one.
func catalogue(t *testing.T) (german map[string]string) {
	file, err := os.ReadFile(filepath.Join(root, "app/web/words/de.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &german); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(file, []byte("\n\"")); n != len(german) { // of two of a key the last counts
		t.Errorf("the catalogue has %d lines for %d texts", n, len(german))
	}
	return german
}

var places = regexp.MustCompile(`\{\d\}`)

var (
	complete = flag.Bool("complete", false, "fail for texts that have no German, as for a release")
	write    = flag.Bool("write", false, "put the texts that have no German into the catalogue, to be translated")
)

// TestOneOfManyHas: what counts some of all agrees with one of them, too. "1 of 40 have answered" on a wall is wrong.
func TestOneOfManyHas(t *testing.T) {
	keys, many := collect(t), regexp.MustCompile(`^(\{0\} )?of \{1\}.* (have|are) `)
	found := 0
	for _, key := range sorted(keys) {
		if !many.MatchString(key) {
			continue
		}
		found++
		if keys[strings.NewReplacer(" have ", " has ", " are ", " is ").Replace(key)] == "" {
			t.Errorf("%s: %q has no form for one", keys[key], key)
		}
	}
	if found < 8 {
		t.Errorf("%d counts of some of all", found)
	}
}

// TestTeachersAreAddressedAsOne: German has two words for you. Pages of teachers say Sie; of their texts only what
// stands on the wall for the class says du.
func TestTeachersAreAddressedAsOne(t *testing.T) {
	german, keys := catalogue(t), collect(t)
	du := regexp.MustCompile(`(^|[^\pL])([Dd]u|[Dd]ein\pL*|[Dd]ir|[Dd]ich)([^\pL]|$)`)
	toClass := []string{"Now discuss with your neighbours.",
		"Work alone, when you like. What is right comes with the feedback.",
		"You get a name. Type nothing but a tag, if you were given one."}
	read := 0
	for _, key := range sorted(keys) {
		if !strings.Contains(keys[key], "app/ui/board/") && !strings.Contains(keys[key], "app/board/") {
			continue
		}
		read++
		if du.MatchString(german[key]) && !slices.Contains(toClass, key) {
			t.Errorf("%s: a teacher reads %q", keys[key], german[key])
		}
	}
	if read < 100 {
		t.Errorf("%d texts of teachers", read)
	}
}

// TestAwayIsOneWord: a trace does not know whether GPUs that are not there are broken or not rented at the moment. So
// all that is said of them is that they are away, in timeline, reasons, figures and tables alike.
func TestAwayIsOneWord(t *testing.T) {
	keys := collect(t)
	for key, where := range keys {
		for _, other := range []string{"out of service", "out of order"} {
			if strings.Contains(strings.ToLower(key), other) {
				t.Errorf("%s: %q", where, key)
			}
		}
	}
	if keys["away"] == "" || keys["Away, GPU-h"] == "" {
		t.Error("nothing is said to be away")
	}
}

// TestMissing lists the texts that have no German yet: who writes in English alone is done, and the page shows such a
// text in English, marked where -write has put it into the catalogue. A release has none, which -complete says (make
// dist).
func TestMissing(t *testing.T) {
	german, keys := catalogue(t), collect(t)
	var missing []string
	for _, key := range sorted(keys) {
		if german[key] == "" {
			missing = append(missing, key)
			t.Logf("%s: German lacks %q", keys[key], key)
		}
	}
	if len(missing) > 0 {
		lacks(t, "%d texts have no German", len(missing))
	}
	if len(missing) > 0 && *write {
		for _, key := range missing {
			german[key] = ""
		}
		var lines []string
		for _, key := range sorted(german) {
			lines = append(lines, quoted(key)+": "+quoted(german[key]))
		}
		file := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
		if err := os.WriteFile(filepath.Join(root, "app/web/words/de.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGerman holds the German catalogue to the texts in use: none is left over, and each has the places of its key.
// What is missing is TestMissing's.
func TestGerman(t *testing.T) {
	german := catalogue(t)
	if german["@lang"] != "de" {
		t.Error("the catalogue does not say its language under @lang")
	}
	keys := collect(t)
	for _, key := range sorted(german) {
		// a text with a place of its own, as words.In has it
		base, _, _ := strings.Cut(key, "@")
		if _, used := keys[base]; !used && key != "@lang" {
			if _, used = keys[key]; !used {
				t.Errorf("nobody uses %q", key)
			}
		}
		if german[key] == "" {
			continue
		}
		want, got := places.FindAllString(base, -1), places.FindAllString(german[key], -1)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(slices.Compact(want), slices.Compact(got)) {
			t.Errorf("%q has the places %v, and German %v", key, want, got)
		}
	}
}

// of parts of a list, and of numbers, in either language
var (
	between = regexp.MustCompile(`[,;]| and | und | or | oder `)
	digits  = regexp.MustCompile(`\d+([.,]\d+|[ \x{a0}\x{202f}]\d{3}\b)*`)
	marks   = strings.NewReplacer(",", "", ".", "", " ", "", "\u00a0", "", "\u202f", "")
)

// TestGermanSaysAsMuch: what a text says is ours, German lists with as many parts, and it has the numbers of its key.
// Pairs of forms, a key of the keyboard and "first" for "1." are not held to it.
func TestGermanSaysAsMuch(t *testing.T) {
	german := catalogue(t)
	for _, key := range sorted(german) {
		base, _, _ := strings.Cut(key, "@")
		de := german[key]
		if de == "" || strings.Contains(base, "|") || base == "Home" || base == "they first differ" {
			continue
		}
		if ours.MatchString(base) && len(between.FindAllString(de, -1)) < len(between.FindAllString(base, -1)) {
			t.Errorf("German lists less than %q: %q", base, de)
		}
		count := map[string]int{}
		for i, text := range []string{places.ReplaceAllString(base, ""), places.ReplaceAllString(de, "")} {
			for _, n := range digits.FindAllString(text, -1) {
				count[marks.Replace(n)] += 1 - 2*i
			}
		}
		for n, of := range count {
			if of != 0 && !strings.Contains(base, "above 8 jobs a beam") { // German: from 9 jobs on
				t.Errorf("%q and %q have %q not as often", base, de, n)
			}
		}
	}
}

// apart is a number, or a place that one is put into, from which a line may part its unit.
var apart = regexp.MustCompile(`(?:\d|\{\d\}) (?:ms|s|min|Min|h|kB|KB|MB|MiB|GB|%)(?:[^\pL\d]|$)`)

// TestUnitsStayWithTheirNumbers: German says a number and its unit with a no-break space between, so that no line ends
// there.
func TestUnitsStayWithTheirNumbers(t *testing.T) {
	german := catalogue(t)
	for _, key := range sorted(german) {
		for _, said := range apart.FindAllString(german[key], -1) {
			t.Errorf("%q has a plain space in %q: write a no-break space (U+00A0)", key, said)
		}
	}
}

var ours = regexp.MustCompile(`\bours\b`)

// quoted is a text as JSON has it.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text
	}
	return strings.TrimSpace(b.String())
}

// lacks notes what has no German, or fails before a release.
func lacks(t *testing.T, format string, args ...any) {
	t.Helper()
	if *complete {
		t.Errorf(format, args...)
	} else {
		t.Logf(format, args...)
	}
}

func sorted(m map[string]string) []string {
	var out []string
	for key := range m {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}
