//go:build !js

package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"

	"hadarlab/core/csv"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

//go:embed score.html
var scoreTemplate string

// scoring is what a score is of.
type scoring struct {
	lanes   []study.Lane
	members []study.Member
	show    int // the scenario of this number is printed, 0 = they are run
	of      *message.Metric
	format  string
}

func scoreCommand(c command, std streams, args []string) int {
	s, code := scoreFlags(c, std, args)
	if s == nil {
		return code
	}
	if s.show > 0 {
		std.out.Write(s.members[s.show-1].Doc.Marshal(true))
		return exitOK
	}
	rows, code := s.run(std)
	if len(rows) == 0 {
		return code
	}
	out, err := newScores(s, rows), error(nil)
	switch s.format {
	case "csv":
		out.csv(std.out)
	case "html":
		err = out.html(std.out)
	default:
		out.table(std.out)
	}
	if err != nil {
		return c.broken(std, err)
	}
	return code
}

// scoreFlags reads which policies are scored over which scenarios; nil, with the exit code, where that is nothing.
func scoreFlags(c command, std streams, args []string) (*scoring, int) {
	f := c.flags()
	policies := f.String("policy", "hadar,gavel-las,srtf,las",
		"`IDS` of the policies, comma-separated; own:FILE and exec:COMMAND are yours")
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated")
	suite := f.String("suite", "", "`NAMES` of suites, comma-separated: "+strings.Join(study.Suites, ", ")+
		" (default presets,gavel where no FILE is given)")
	var seeds, jobs, show int
	wholeFlag(f, &show, "show", 0, 0, "print scenario `N` of the suites instead of running")
	wholeFlag(f, &seeds, "seeds", 5, 1, "seeds `N` of each load of the suite gavel")
	wholeFlag(f, &jobs, "jobs", 480, 1, "jobs `N` of each scenario of the suite gavel")
	name := f.String("metric", "avg_jct_s", "`NAME` of the figure that ranks: "+strings.Join(ranking(), ", "))
	format := choiceFlag(f, "format", "output `FORMAT`: table, csv, or html, a page in one file", "table", "csv", "html")
	files, code, ok := c.parse(std, f, args)
	usage := func(format string, args ...any) (*scoring, int) {
		fmt.Fprintf(std.err, format+"\n", args...)
		return nil, exitUsage
	}
	if !ok {
		return nil, code
	}
	if seeds > 1000 || jobs > 20000 {
		return usage("--seeds, --jobs: %d and %d are too many (choose up to 1000 seeds, and 20000 jobs)", seeds, jobs)
	}
	s := &scoring{of: message.FindMetric(*name), format: *format}
	if !slices.Contains(ranking(), *name) {
		return usage("--metric: %q does not rank (choose %s)", *name, strings.Join(ranking(), ", "))
	}
	ids := parts(*policies)
	if len(ids) < 2 {
		return usage("--policy: a rank is among several, and %d is named (name two or more)", len(ids))
	}
	refs, code := choose(std, &scenario.Document{}, strings.Join(ids, ","), set)
	if code != exitOK {
		return nil, code
	}
	for i, ref := range refs {
		if _, faults := lab.Judge(ref, i); len(faults) > 0 {
			report(std.err, faults, true)
			return nil, exitUsage
		}
		if slices.Index(ids, ids[i]) < i {
			return usage("--policy: %s is named twice (leave one out)", ids[i])
		}
		s.lanes = append(s.lanes, study.Lane{Name: ids[i], PolicyRef: ref})
	}
	suites := parts(*suite)
	if suites == nil && len(files) == 0 {
		suites = []string{"presets", "gavel"}
	}
	for _, name := range suites {
		if !slices.Contains(study.Suites, name) {
			return usage("--suite: %s is not known (choose among %s, or name files)", name,
				strings.Join(study.Suites, ", "))
		}
		s.members = append(s.members, study.Suite(name, seeds, jobs)...)
	}
	for _, file := range files {
		doc, code := load(std, file)
		if doc == nil {
			return nil, code
		}
		warn(std, doc)
		s.members = append(s.members, study.Member{Suite: "files", Name: filepath.Base(file), Doc: doc})
	}
	if show > len(s.members) {
		return usage("--show: there is no scenario %d (choose 1 to %d)", show, len(s.members))
	}
	s.show = show
	return s, exitOK
}

// ranking are the metrics of which more or less is better.
func ranking() (names []string) {
	for i := range message.AllMetrics {
		if m := &message.AllMetrics[i]; m.Good != 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// run tries every policy on every scenario, on all cores. Ctrl C ends it with the scenarios that all have tried, and a
// second one at once.
func (s *scoring) run(std streams) (rows [][]*study.Try, code int) {
	interrupted, off := interrupts()
	defer off()
	bar := newProgress(std.err)
	n := len(s.lanes)
	var tries []*study.Try
	var over atomic.Bool // nothing that is under way is wanted any more
	type tried struct {
		*study.Try
		faults jsondoc.Diagnostics
	}
	look := func() {
		bar.sweep(message.SweepProgress{Done: len(tries), Runs: n * len(s.members)})
		if interrupted() {
			over.Store(true)
		}
	}
	inOrder(n*len(s.members), func(i int) (t tried) {
		t.Try, t.faults = s.members[i/n].Try(s.lanes[i%n], s.of, over.Load)
		return t
	}, func(t tried) bool {
		if t.Try == nil {
			if !over.Load() {
				bar.clear()
				report(std.err, t.faults, true)
				code = exitFailed
			}
			over.Store(true)
			return false
		}
		tries = append(tries, t.Try)
		look()
		return true
	}, look)
	bar.clear()
	for row := range slices.Chunk(tries, n) {
		if len(row) == n {
			rows = append(rows, row)
		}
	}
	if len(rows) < len(s.members) {
		fmt.Fprintf(std.err, "stopped after %d of %d scenarios", len(rows), len(s.members))
		if code = exitFailed; len(rows) > 0 {
			fmt.Fprint(std.err, "; the scores are of those")
		}
		fmt.Fprintln(std.err)
	}
	study.Rank(rows, s.of)
	for k, l := range s.lanes {
		first, failed := (*study.Try)(nil), 0
		for _, row := range rows {
			if row[k].State == study.Failed {
				first = cmp.Or(first, row[k])
				failed++
			}
		}
		if failed > 0 {
			fmt.Fprintf(std.err, "%s failed in %d of %d scenarios, first in %s: %s\n", l.Name, failed, len(rows),
				first.Scenario, first.Says)
			code = exitFailed
		}
	}
	return rows, code
}

// scores are what is printed.
type scores struct {
	Engine, Metric, Title string
	Suites                []scoredSuite
	rows                  [][]*study.Try
}

// suiteTitles are the headings of the page.
var suiteTitles = map[string]string{
	"presets": "The presets", "gavel": "Gavel’s mix of jobs on 60 GPUs, at three loads", "pollux": "Pollux’s workload 6",
	"files": "Files",
}

// scoredSuite is one suite: its policies, the best first, and its scenarios with a try of each.
type scoredSuite struct {
	Name      string
	Title     string
	Apart     bool // some refuse scenarios that others do not
	Scores    []study.Score
	Scenarios []scoredScenario
	Told      []*study.Try // the first of each policy that says why it did not run
}

type scoredScenario struct {
	Name  string
	Tries []*study.Try // in the order of Scores
}

func newScores(s *scoring, rows [][]*study.Try) *scores {
	out := &scores{Engine: lab.Engine, Metric: s.of.Name, Title: s.of.Title, rows: rows}
	for _, score := range study.Scores(rows) {
		if n := len(out.Suites); n == 0 || out.Suites[n-1].Name != score.Suite {
			out.Suites = append(out.Suites, scoredSuite{Name: score.Suite, Title: suiteTitles[score.Suite]})
		}
		of := &out.Suites[len(out.Suites)-1]
		of.Scores = append(of.Scores, score)
		of.Apart = of.Apart || score.Apart
	}
	for i := range out.Suites {
		of := &out.Suites[i]
		for _, row := range rows {
			if row[0].Suite != of.Name {
				continue
			}
			sorted := scoredScenario{Name: row[0].Scenario}
			for _, score := range of.Scores {
				k := slices.IndexFunc(row, func(t *study.Try) bool { return t.Policy == score.Policy })
				sorted.Tries = append(sorted.Tries, row[k])
			}
			of.Scenarios = append(of.Scenarios, sorted)
		}
		for k := range of.Scores {
			for j := range of.Scenarios {
				if t := of.Scenarios[j].Tries[k]; t.Says != "" {
					of.Told = append(of.Told, t)
					break
				}
			}
		}
	}
	return out
}

// csv has a row for each policy in each suite, without a scenario, and one for each of its tries.
func (s *scores) csv(w io.Writer) {
	out := csv.NewWriter(w)
	out.Row("suite", "policy", "scenario", "state", s.Metric, "rank", "rank_low", "rank_high", "ratio", "ratio_low",
		"ratio_high", "ranked", "best", "refused", "unfinished")
	for i := range s.Suites {
		for k := range s.Suites[i].Scores {
			r := &s.Suites[i].Scores[k]
			rank := [3]float64{math.NaN(), math.NaN(), math.NaN()}
			if r.Ranked > 0 {
				rank[0] = r.Rank.Mean
			}
			if r.Rank.Low != nil {
				rank[1], rank[2] = *r.Rank.Low, *r.Rank.High
			}
			row := []string{r.Suite, r.Policy, "", "", ""}
			for _, v := range append(rank[:], r.Ratio, r.RatioLow, r.RatioHigh) {
				row = append(row, message.Number(v))
			}
			for _, n := range []int{r.Ranked, r.Best, r.Refused, r.Unfinished} {
				row = append(row, strconv.Itoa(n))
			}
			out.Row(row...)
		}
	}
	for _, t := range slices.Concat(s.rows...) {
		rank := t.Rank
		if t.State == study.Refused {
			rank = math.NaN()
		}
		out.Row(t.Suite, t.Policy, t.Scenario, string(t.State), message.Number(t.Value), message.Number(rank), "", "",
			message.Number(t.Ratio), "", "", "", "", "", "")
	}
	out.Flush()
}

// table prints a line a policy and one a scenario, suite by suite.
func (s *scores) table(w io.Writer) {
	for i := range s.Suites {
		of := &s.Suites[i]
		if i > 0 {
			fmt.Fprintln(w)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "%s, %s\tmean rank\t95 %% interval\ttimes the best\t95 %% interval\tbest in\tranked in\trefused\t"+
			"unfinished\n", of.Name, figure.Plural(nil, len(of.Scenarios), "scenario"))
		for k := range of.Scores {
			r := &of.Scores[k]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", r.Policy, rankOf(r), rankSpread(r), two(r.Ratio),
				ratioSpread(r), r.Best, r.Ranked, r.Refused, r.Unfinished)
		}
		t.Flush()
		if of.Apart {
			fmt.Fprintln(w, apartSays)
		}
		fmt.Fprintln(w)
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, s.Metric)
		for k := range of.Scores {
			fmt.Fprintf(t, "\t%s", of.Scores[k].Policy)
		}
		fmt.Fprintln(t)
		for _, row := range of.Scenarios {
			fmt.Fprint(t, row.Name)
			for _, try := range row.Tries {
				fmt.Fprintf(t, "\t%s", tryText(try))
			}
			fmt.Fprintln(t)
		}
		t.Flush()
		for _, try := range of.Told {
			fmt.Fprintf(w, "%s, %s: %s\n", try.Policy, try.Scenario, try.Says)
		}
	}
}

// apartSays is what holds of the rank of a policy that refuses scenarios.
const apartSays = "Who refuses a scenario comes last, ranked in the others against those that refuse none."

// tryText is the value with its rank in brackets, or how the try ended.
func tryText(t *study.Try) string {
	switch t.State {
	case study.Finished:
		return valueText(t.Value) + " (" + rankText(t.Rank) + ")"
	case study.Refused:
		return string(t.State)
	}
	return string(t.State) + " (" + rankText(t.Rank) + ")"
}

func valueText(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func rankText(r float64) string { return strconv.FormatFloat(r, 'f', -1, 64) }

func rankOf(s *study.Score) string {
	if s.Ranked == 0 {
		return "–"
	}
	return two(s.Rank.Mean)
}

func rankSpread(s *study.Score) string {
	if s.Rank.Low == nil {
		return "–"
	}
	return two(*s.Rank.Low) + " to " + two(*s.Rank.High)
}

func ratioSpread(s *study.Score) string {
	if math.IsNaN(s.RatioLow) {
		return "–"
	}
	return two(s.RatioLow) + " to " + two(s.RatioHigh)
}

// two is a number with two decimals.
func two(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// html is the page, which needs nothing but itself.
func (s *scores) html(w io.Writer) error {
	t, err := template.New("score").Funcs(template.FuncMap{"rank": rankOf, "ranks": rankSpread, "ratios": ratioSpread,
		"two": two, "try": tryText, "whiskers": whiskers,
		"apart": func() string { return apartSays }}).Parse(scoreTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, s)
}

// Measures of the picture of a rank.
const (
	whiskersWide, whiskersHigh, whiskersEdge = 260, 28, 12
)

// whiskers draws a mean rank with its interval on the line of all ranks.
func whiskers(r *study.Score, lanes int) template.HTML {
	x := func(rank float64) float64 {
		return whiskersEdge + (rank-1)/float64(max(1, lanes-1))*(whiskersWide-2*whiskersEdge)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" aria-hidden="true">`, whiskersWide,
		whiskersHigh)
	for rank := range lanes {
		fmt.Fprintf(&b, `<path class="line" d="M%.1f 0V%d"/>`, x(float64(rank+1)), whiskersHigh)
	}
	if r.Rank.Low != nil {
		fmt.Fprintf(&b, `<path class="reach" d="M%.1f %dH%.1f"/>`, x(*r.Rank.Low), whiskersHigh/2, x(*r.Rank.High))
	}
	if r.Ranked > 0 {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%d" r="5"/>`, x(r.Rank.Mean), whiskersHigh/2)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) //nolint:gosec // numbers alone
}
