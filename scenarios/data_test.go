package scenarios

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestDataNamesEveryPreset: DATA.md has a line for every preset with the licence that the preset states, and names the
// project that its speeds are of.
func TestDataNamesEveryPreset(t *testing.T) {
	b, err := os.ReadFile("../DATA.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(b), "\n## Presets\n")
	lines := map[string][]string{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(strings.Trim(line, "| \n"), " | "); len(cells) == 4 {
			lines[strings.Trim(cells[0], "`")] = cells
		}
	}
	projects := map[string]string{"Gavel": "stanford-futuredata/gavel", "Lambda": "lambdal/deeplearning-benchmark",
		"Pollux": "petuum/adaptdl"}
	for _, name := range Names {
		preset, _ := Preset(name)
		var d struct {
			Meta     struct{ License string }
			Scenario struct {
				Throughputs struct{ Rows, Profiles []struct{ Source string } }
			}
		}
		if err := json.Unmarshal(preset, &d); err != nil {
			t.Fatal(err)
		}
		cells := lines[name]
		if cells == nil || d.Meta.License == "" || cells[3] != d.Meta.License {
			t.Errorf("%s is %q, and DATA.md says %q", name, d.Meta.License, cells)
			continue
		}
		of := &d.Scenario.Throughputs
		for _, row := range append(of.Rows, of.Profiles...) {
			for project, repository := range projects {
				if strings.Contains(row.Source, project) && !strings.Contains(cells[2], repository) {
					t.Errorf("%s has speeds of %s, and DATA.md does not name %s", name, project, repository)
				}
			}
		}
		delete(lines, name)
	}
	if delete(lines, "preset"); len(lines) > 1 { // the rule below the head is left
		t.Errorf("DATA.md has lines of no preset: %v", lines)
	}
}

// TestLessonsAreDone: a reader does something in most steps of a lesson, answers a question or makes a change: at most
// one step in four, and in a short lesson one, is only read.
func TestLessonsAreDone(t *testing.T) {
	lessons, err := Lessons()
	if err != nil || len(lessons) == 0 {
		t.Fatalf("%d lessons, %v", len(lessons), err)
	}
	for _, l := range lessons {
		var read []string
		for _, s := range l.Steps {
			if s.Ask == nil && s.Change == nil {
				read = append(read, s.Title)
			}
		}
		if len(read) > max(1, len(l.Steps)/4) {
			t.Errorf("%s: of %d steps %d are only read: %q", l.ID, len(l.Steps), len(read), read)
		}
	}
}

// TestRebuiltPoliciesAreCalledSo: what presets, cards and lessons say of a policy that is rebuilt from an abstract or
// from notes, it says of "Dally-style" and so on, or it says that it is rebuilt.
func TestRebuiltPoliciesAreCalledSo(t *testing.T) {
	seen := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range strings.Split(string(b), `"`) {
			for _, name := range []string{"Dally", "A-SRPT", "Themis"} {
				all, style := strings.Count(text, name), strings.Count(text, name+"-style")
				if seen += style; all > style && !strings.Contains(text, name+", rebuilt here") {
					t.Errorf("%s speaks of %s itself: %q", path, name, text)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 5 {
		t.Errorf("%d names, %v", seen, err)
	}
}

// TestPolluxWorldIsThePresets: what traces of Pollux are read into has the preset's profiles, rounds, restarts and
// lanes, and the length of each application's jobs.
func TestPolluxWorldIsThePresets(t *testing.T) {
	type job struct {
		Model string
		Steps float64
	}
	type world struct {
		Scenario struct {
			Rounds      float64 `json:"round_s"`
			Throughputs any
			Jobs        []job
			Overheads   any
			Policies    any
		}
	}
	var got, want world
	preset, _ := Preset("pollux-world")
	for of, b := range map[*world][]byte{&got: PolluxWorld, &want: preset} {
		if err := json.Unmarshal(b, of); err != nil {
			t.Fatal(err)
		}
	}
	steps := map[job]bool{}
	for _, j := range want.Scenario.Jobs {
		steps[j] = true
	}
	for _, j := range got.Scenario.Jobs {
		delete(steps, j)
	}
	got.Scenario.Jobs, want.Scenario.Jobs = nil, nil
	if len(steps) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("it lacks %v, or differs: %+v", steps, got)
	}
}

// TestFactsAreOfTheirTexts: every fact is of a card or of a lesson's step that there is, and cards and lessons have
// nothing that the page does not read.
func TestFactsAreOfTheirTexts(t *testing.T) {
	for into, b := range map[any][]byte{new([]Card): gallery, new([]Lesson): lessons, new(Facts): facts} {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := AllFacts()
	cards, _ := Gallery()
	for _, c := range cards {
		delete(all.Cards, c.Preset)
	}
	list, _ := Lessons()
	for _, l := range list {
		for _, s := range l.Steps {
			delete(all.Lessons[l.ID], s.Title)
		}
		if len(all.Lessons[l.ID]) == 0 {
			delete(all.Lessons, l.ID)
		}
	}
	if len(all.Cards)+len(all.Lessons) > 0 {
		t.Errorf("these facts are of no text: %v", all)
	}
}

// TestOnlyTestsReadFacts: who loads the page loads all that its program can reach. What teaches it fetches when that is
// needed.
func TestOnlyTestsReadFacts(t *testing.T) {
	teaching := regexp.MustCompile(`scenarios\.(Gallery|Lessons|Assignment|Teaching|NewIndex)\(`)
	for _, folder := range []string{"app", "core", "wasm", "worker"} {
		err := filepath.WalkDir("../"+folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, _ := os.ReadFile(path)
			if bytes.Contains(b, []byte("scenarios.AllFacts")) {
				t.Errorf("%s reads the facts of texts", path)
			}
			if folder == "app" && teaching.Match(b) {
				t.Errorf("%s embeds in the page what teaches", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
