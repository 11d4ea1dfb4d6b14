package papers

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// table is what an example shows: its head, then its rows.
type table [][]string

// String writes it as Markdown.
func (t table) String() string {
	var b strings.Builder
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cells makes a row of texts and figures, with six digits that count.
func cells(of ...any) (row []string) {
	for _, x := range of {
		switch v := x.(type) {
		case string:
			row = append(row, v)
		case int:
			row = append(row, strconv.Itoa(v))
		case float64:
			row = append(row, figure(v))
		default:
			panic("a cell is a text or a figure")
		}
	}
	return row
}

func figure(v float64) string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return strings.Replace(strconv.FormatFloat(short, 'f', -1, 64), "-", "−", 1)
}

// examples are the worked examples of each text, by section, with all their tables.
var examples = map[string]map[string]func(t *testing.T) []table{
	"hadar": {
		"Example: prices": prices, "Example: constants": constants, "Example: placements": placements,
		"Example: search": search, "Example: an idle GPU": idleGPU,
		"Example: task level against job level": taskLevel, "Example: a gang wider than any type": wideGang,
		"Example: short before long": shortBeforeLong, "Example: unlike units": unlikeUnits,
		"Example: a name is no promise":  noPromise,
		"Example: comparative advantage": comparativeAdvantage,
		"Example: one job in copies":     oneJob, "Example: two jobs in copies": twoJobs,
	},
	"gavel": {"Example: shares": shares, "Example: rounds": rounds, "Example: who has ended": ended},
	"pollux": {"Example: goodput": goodputs, "Example: discount": discount, "Example: a new job": newJob,
		"Example: never seen": neverSeen},
	"sia":    {"Example: growth": growth},
	"dally":  {"Example: patience": patience},
	"a-srpt": {"Example: copies": copies}, "stragglers": {"Example: one slow machine": slowMachine},
	"hosts": {"Example: two models": twoModels}, "scarce": {"Example: who has no choice": noChoice},
	"clouds": {"Example: a job that waits": jobThatWaits}, "fusion": {"Example: three models": threeModels},
}

// decimal is a figure that can only have been worked out, or is one that is given.
var decimal = regexp.MustCompile(`\d+\.\d+`)

// TestExamplesAreWorkedOut: every table of every worked example is what the engine computes today, and each decimal in
// the sentences around them stands in one of them. UPDATE_GOLDEN=1 writes the tables anew.
func TestExamplesAreWorkedOut(t *testing.T) {
	for _, text := range All() {
		sections := strings.SplitAfter(text.Source(), "\n\n## ")
		for i, section := range sections {
			name, _, _ := strings.Cut(section, "\n")
			if !strings.HasPrefix(name, "Example: ") {
				continue
			}
			work := examples[text.Name][name]
			if work == nil {
				t.Errorf("%s: nobody works out %q", text.Name, name)
				continue
			}
			tables, blocks := work(t), strings.Split(section, "\n\n")
			all, prose := "", ""
			for _, x := range tables {
				all += x.String()
			}
			for k, block := range blocks {
				switch {
				case !strings.HasPrefix(block, "| "):
					prose += block
				case len(tables) == 0:
					t.Errorf("%s, %s: nobody works out a table", text.Name, name)
				case block != tables[0].String() && os.Getenv("UPDATE_GOLDEN") == "":
					t.Errorf("%s, %s says\n%s\nand the engine\n%s", text.Name, name, block, tables[0])
					fallthrough
				default:
					blocks[k], tables = tables[0].String(), tables[1:]
				}
			}
			if len(tables) > 0 {
				t.Errorf("%s, %s does not show\n%s", text.Name, name, tables[0])
			}
			for _, f := range decimal.FindAllString(prose, -1) {
				if !strings.Contains(all, f) {
					t.Errorf("%s, %s speaks of %s, which it does not show", text.Name, name, f)
				}
			}
			sections[i] = strings.Join(blocks, "\n\n")
		}
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(text.Name+".md", []byte(strings.Join(sections, "")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// holding says who holds what during a round, as "J1 2 V, J3 1 V + 1 P".
func holding(t *trace.Trace, round unit.Tick, names map[string]string) string {
	held := make([]string, len(t.Jobs))
	for i := range t.Spans.Len() {
		if t.Spans.From[i] > round || t.Spans.To[i] <= round {
			continue
		}
		var parts []string
		for _, sh := range t.Spans.At(i) {
			parts = append(parts, strconv.Itoa(int(sh.N))+" "+names[t.Types[t.Slots[sh.Slot].Type]])
		}
		held[t.Spans.Job[i]] = "J" + strconv.Itoa(int(t.Spans.Job[i])+1) + " " + strings.Join(parts, " + ")
	}
	return strings.Join(slices.DeleteFunc(held, func(s string) bool { return s == "" }), ", ")
}

// finishes are when jobs end, in s.
func finishes(t *trace.Trace) (at []float64) {
	for i := range t.Jobs {
		at = append(at, math.NaN())
		if f := t.Jobs[i].Finish; f >= 0 {
			at[i] = f.Seconds()
		}
	}
	return at
}

// run runs a policy on a scenario.
func run(t *testing.T, p *model.Problem, policy string, params map[string]any) *trace.Trace {
	return simtest.Run(t, p, policy, params)
}
