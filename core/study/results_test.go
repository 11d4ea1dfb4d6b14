package study_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/results"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/study"
)

// summed runs lanes on cases and adds them up by name.
func summed(t *testing.T, cases []study.Case, lanes []study.Lane) map[string]study.Sum {
	t.Helper()
	var rows []study.Row
	for i := range cases {
		more, diags := cases[i].Run(lanes)
		if more == nil {
			t.Fatal(diags)
		}
		rows = append(rows, more...)
	}
	of := map[string]study.Sum{}
	for _, s := range study.Summarise(rows) {
		of[s.Policy] = s
	}
	return of
}

// TestResultsOfTheStudy makes the rows of Hadar and HadarE against gavel-las: those of one seed of one workload always,
// those of all scenarios with stalls, two minutes, with -results.
func TestResultsOfTheStudy(t *testing.T) {
	rows := map[string]string{"hadar": "hadar", "hadare": "hadare", "hadare copy=node": "hadare-node"}
	make := func(prefix string, seeds int, keep func(*study.Case) bool) {
		var cases []study.Case
		for _, c := range study.Cases(seeds, 480) {
			if c.Stalls && keep(&c) {
				cases = append(cases, c)
			}
		}
		of := summed(t, cases, study.Policies()[:4])
		for name, id := range rows {
			s := of[name]
			simtest.Result(t, prefix+id, figure.Fixed(nil, s.JCT, 2)+" ("+figure.Fixed(nil, s.JCTLeast, 2)+" to "+
				figure.Fixed(nil, s.JCTMost, 2)+")")
			if name != "hadar" {
				simtest.Result(t, prefix+id+"-over", figure.Percent(nil, s.GPUOver))
			}
		}
	}
	make("one-seed-", 1, func(c *study.Case) bool { return c.Workload == "five-models" })
	if simtest.RemakesResults() {
		make("study-", 5, func(*study.Case) bool { return true })
	}
}

// TestResultsOfTiers makes the rows of mean completion times on the tiers' batch, in h, two seeds: on the network and
// on the congested one, where each gang has its links to itself and where gangs share them. The manual says, too, whose
// makespan is the shortest, and Dally's form how much its order costs.
func TestResultsOfTiers(t *testing.T) {
	rows := map[string]string{"dally": "tiers-dally", "dally order=arrival": "tiers-dally-arrival",
		"tiresias": "tiers-tiresias", "fully consolidated": "tiers-consolidated", "a-srpt": "tiers-a-srpt"}
	makespans, means := map[string]*[2]float64{}, map[string]*[2]float64{}
	for _, l := range study.TierLanes() {
		if rows[l.Name] == "" {
			continue
		}
		for row, shared := range map[string]bool{rows[l.Name]: false, rows[l.Name] + "-shared": true} {
			var jct, makespan [2]float64
			for at, congestion := range []float64{1, 10} {
				for seed := range 2 {
					p, diags := scenario.Compile(study.Tiers(uint64(seed+1), 500, congestion, shared), lab.Defaults())
					if p == nil {
						t.Fatal(diags)
					}
					f := measure(p, simtest.Run(t, p, l.ID, l.Params))
					jct[at] += f.jct / 2
					makespan[at] += f.makespan
				}
			}
			simtest.Result(t, row, figure.Fixed(nil, jct[0], 1)+" h, "+figure.Fixed(nil, jct[1], 1)+" h")
			if shared {
				means[l.Name] = &jct
			} else {
				makespans[l.Name] = &makespan
			}
		}
	}
	for at := range 2 {
		if harm, arrival := means["dally"][at], means["dally order=arrival"][at]; arrival > 0.75*harm {
			t.Errorf("where links are shared the means by dally’s orders are %v and %v h", harm, arrival)
		}
	}
	for name, m := range makespans {
		if best := makespans["dally"]; name != "dally" && (m[0] <= best[0] || m[1] <= best[1]) {
			t.Errorf("dally’s makespans are %v, those of %s %v", *best, name, *m)
		}
	}
}

// testsOf is the text of the tests of a package, by its folder.
func testsOf(t *testing.T, dir string) (sources string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources += string(b)
	}
	return sources
}

// TestEveryResultIsMade: each row of the table has a figure, a day, and a command; and the tests that commands name
// there and in the manual are those of the package that they name.
func TestEveryResultIsMade(t *testing.T) {
	commands, seen := "", map[string]bool{}
	for _, r := range results.All() {
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil || r.Figure == "" || r.What == "" || seen[r.ID] {
			t.Errorf("%+v: %v", r, err)
		}
		seen[r.ID] = true
		commands += r.Command + "\n"
	}
	manual, err := os.ReadFile("../../worker/cmd/hadarlab/docs.html")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`go test \./(\S+) -run '?([\w|]+)`)
	for _, m := range named.FindAllStringSubmatch(commands+string(manual), -1) {
		for name := range strings.SplitSeq(m[2], "|") {
			if !regexp.MustCompile(`func (Test)?\w*` + name).MatchString(testsOf(t, m[1])) {
				t.Errorf("there is no test %s in %s", name, m[1])
			}
		}
	}
	worked := regexp.MustCompile(`cases worked out by hand for ([^(]+) \(<code>go test \./(\S+)/\.\.\.</code>`).
		FindStringSubmatch(string(manual))
	if worked == nil {
		t.Fatal("the manual does not say with which command cases are worked out by hand")
	}
	sources := testsOf(t, worked[2]+"/*")
	for name := range strings.SplitSeq(strings.ReplaceAll(worked[1], " and ", ", "), ", ") {
		word, _, _ := strings.Cut(strings.ReplaceAll(name, "-", ""), " ")
		if !strings.Contains(sources, "func Test"+word) {
			t.Errorf("there is no test of %s below %s", name, worked[2])
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d rows were read", len(seen))
	}
}

// TestTextsQuoteResults: what README and the reasons quote stands in the table as they have it.
func TestTextsQuoteResults(t *testing.T) {
	for file, ids := range map[string][]string{
		"README.md":            {"gavel-fifo-96", "gavel-las", "train-steps", "train-time"},
		"RATIONALE.md":         {"gavel-isolated-96-job"},
		"core/scenario/WHY.md": {"pollux-mean"},
		"BENCHMARKS.md": {"study-hadar", "study-hadare", "study-hadare-node", "study-hadare-over",
			"study-hadare-node-over", "trace-hadar", "trace-gavel-las", "trace-hadare", "trace-hadare-node",
			"trace-hadare-over", "trace-hadare-node-over"},
	} {
		b, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			f := results.Figure(id)
			cells := strings.NewReplacer(" (", " | ", ")", "").Replace(f) // as in a row of a table
			if f == "" || !strings.Contains(string(b), f) && !strings.Contains(string(b), cells) {
				t.Errorf("%s does not say %q of %s", file, f, id)
			}
		}
	}
}
