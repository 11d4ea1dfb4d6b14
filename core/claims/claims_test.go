package claims

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

// TestJudge holds the rule against cases whose verdicts follow from its words.
func TestJudge(t *testing.T) {
	e := func(low, mean, high float64) message.Estimate {
		return message.Estimate{Mean: mean, Low: &low, High: &high, N: 10}
	}
	for _, c := range []struct {
		what  string
		pub   Band
		unit  Unit
		e     message.Estimate
		least float64
		want  Verdict
	}{
		{"in the interval", at(1.2), Times, e(1.1, 1.15, 1.25), 1, Reproduced},
		{"in a wide interval that holds no difference, too", at(1.2), Times, e(0.9, 1.1, 1.3), 1, Reproduced},
		{"within 10 % of the mean", at(3), Times, e(3.2, 3.3, 3.4), 1, Reproduced},
		{"within 10 % of the mean, beyond no difference", at(1.05), Times, e(0.99, 0.995, 0.999), 1, NotReproduced},
		{"hours within 10 %", at(16), Hours, e(16.5, 17, 17.5), 16, Reproduced},
		{"hours further off", at(16), Hours, e(18, 19, 20), 18, NotReproduced},
		{"further than 10 %", at(3), Times, e(3.3, 3.4, 3.5), 1, DirectionOnly},
		{"the other side", at(1.2), Times, e(0.8, 0.85, 0.9), 1, NotReproduced},
		{"no difference is not excluded", at(2), Times, e(0.9, 1.1, 1.3), 1, NotReproduced},
		{"a part less", at(0.5), Less, e(0.2, 0.3, 0.4), 0, DirectionOnly},
		{"a part more", at(0.5), Less, e(-0.4, -0.3, -0.2), 0, NotReproduced},
		{"a band that the interval reaches", Band{0.37, 0.5}, Less, e(0.3, 0.34, 0.38), 0, Reproduced},
		{"better, without a figure", better, More, e(0.1, 0.2, 0.3), 0, DirectionOnly},
		{"not clearly better", better, More, e(-0.1, 0.2, 0.3), 0, NotReproduced},
		{"a bound that all hold", at(1), Bound, e(4, 5, 6), 1.01, Reproduced},
		{"a bound that one breaks", at(1), Bound, e(4, 5, 6), 0.99, NotReproduced},
	} {
		if got := Judge(c.pub, c.unit, c.e, c.least); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestFigures holds means and intervals against hand: twice and half as good are no difference in the mean.
func TestFigures(t *testing.T) {
	s := &Series{Of: [][]float64{{10, 40}, {20, 20}}, Against: [][]float64{{20, 20}, {40, 40}}}
	times, least := s.Figures(Times, -1)
	if same(times[0], 1) && same(times[1], 2) && same(least, 0.5) {
		if e := Times.Estimate(times); !same(e.Mean, math.Sqrt2) || *e.Low >= e.Mean || *e.High <= e.Mean {
			t.Errorf("the mean of 1 and 2 is %v", e)
		}
	} else {
		t.Errorf("%v, least %v; want 1, 2, 0.5", times, least)
	}
	if more, _ := s.Figures(Times, 1); !same(more[1], 0.5) {
		t.Errorf("of a metric of which more is better: %v", more)
	}
	less, _ := s.Figures(Less, -1)
	if !same(less[0], 0) || !same(less[1], 0.5) {
		t.Errorf("%v less, want 0 and 0.5", less)
	}
	if e := Less.Estimate(less); *e.Low > e.Mean || *e.High < e.Mean || *e.High >= 1 {
		t.Errorf("%v (%v to %v) less: nothing is more than wholly less", e.Mean, *e.Low, *e.High)
	}
	if apart, _ := s.Figures(More, 1); apart[0] != 5 || apart[1] != -20 {
		t.Errorf("differences %v, want 5 and −20", apart)
	}
}

func same(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestRows: each row says all that the board shows of it.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		if seen[c.ID] || !strings.HasPrefix(c.ID, c.Paper.Key+"-") {
			t.Errorf("%q is not the id of one row of %s", c.ID, c.Paper.Key)
		}
		seen[c.ID] = true
		for what, text := range map[string]string{"says": c.Says, "reason": c.Reason + c.Untried, "ours": c.Ours} {
			if !strings.HasSuffix(text, ".") && (what != "ours" || c.World != nil) {
				t.Errorf("%s: %s is no sentence: %q", c.ID, what, text)
			}
		}
		if c.Where == "" || c.Known == "" || c.Paper.Read == "" || (c.World == nil) != (c.Untried != "") ||
			(c.World == nil) != (c.As == CannotBeTried) || (c.Small == nil) != (c.Cut == "") {
			t.Errorf("%s lacks something: %+v", c.ID, c)
		}
		if over := strings.Contains(c.Where, ", over "); over != math.IsInf(c.Published.High, 1) {
			t.Errorf("%s is from %q, and its band ends at %v", c.ID, c.Where, c.Published.High)
		}
		if _, err := Find(c.ID); err != nil {
			t.Error(err)
		}
	}
	if _, err := Find("no-such"); err == nil || !strings.Contains(err.Error(), "hadar-2025-total-time") {
		t.Errorf("an unknown row: %v", err)
	}
}

// TestRecords: what was measured is of today's engine, whole, and what the texts were written for; PAPERS.md is its
// print.
func TestRecords(t *testing.T) {
	board, err := Board()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range board {
		if s.Verdict != s.As {
			t.Errorf("%s is %s; its text is written for %s", s.Claim.ID, s.Verdict, s.As)
		}
		if s.World == nil {
			continue
		}
		if s.Record == nil || s.Full == nil || len(s.Full.Of) != Seeds || s.Record.Small == nil {
			t.Errorf("%s: not all of it was measured: run make papers", s.Claim.ID)
			continue
		}
		if s.Engine != lab.Engine {
			t.Errorf("%s was measured with engine %s: run make papers", s.Claim.ID, s.Engine)
		}
		moves := map[string]bool{}
		for _, m := range s.Moves {
			moves[m.Choice+": "+m.Value] = len(m.Of) == MoverSeeds
		}
		choices := map[string]bool{}
		for _, m := range s.Movers {
			choices[m.Choice] = true
			if !moves[m.Choice+": "+m.Value] {
				t.Errorf("%s: %s: %s was not measured", s.Claim.ID, m.Choice, m.Value)
			}
		}
		if len(s.Moves) != len(s.Movers) {
			t.Errorf("%s: %d choices were measured, it has %d", s.Claim.ID, len(s.Moves), len(s.Movers))
		}
		if len(choices) < 2 {
			t.Errorf("%s: what it hangs on was tried of %v, which is too little", s.Claim.ID, choices)
		}
		for i, figures := range s.Full.Of {
			for _, v := range figures {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, seed %d: %v", s.Claim.ID, i+1, v)
				}
			}
		}
	}
	if text, err := os.ReadFile("../../PAPERS.md"); err != nil || string(text) != Markdown(board) {
		t.Errorf("PAPERS.md is not the board as it stands (%v): run make papers", err)
	}
	if left := regexp.MustCompile(`\{[a-z0-9-]+\}`).FindString(Markdown(board)); left != "" {
		t.Errorf("a text names the row %s, which there is not", left)
	}
}

// TestTextsFitTheirRows: what a row says beside its figures holds of its own curves and nodes, though rows share
// sentences.
func TestTextsFitTheirRows(t *testing.T) {
	cut := regexp.MustCompile(`what lay above (\d+) h is cut`)
	first := regexp.MustCompile(`that an? (\S+) chooses before an? (\S+),`)
	for _, c := range All() {
		if m := cut.FindStringSubmatch(c.Form.Source); m != nil {
			most, _ := strconv.ParseFloat(m[1], 64)
			for name, p := range c.Form.Published {
				if len(p.Y) > 0 && slices.Max(p.Y) > most {
					t.Errorf("%s: %s is not cut above %v h: it has %v", c.ID, name, most, slices.Max(p.Y))
				}
			}
		}
		if m := first.FindStringSubmatch(c.Ours); m != nil {
			has := map[string]bool{}
			for _, n := range c.World.Docs(1)[0].Scenario.Cluster.Nodes {
				for typ := range n.GPUs {
					has[typ] = true
				}
			}
			for _, typ := range m[1:] {
				if !has[strings.ToLower(typ)] {
					t.Errorf("%s speaks of %s, which its nodes do not have", c.ID, typ)
				}
			}
		}
	}
}

// TestSmallForms runs the cut-down form of every row and compares it with what was recorded, to the digit.
func TestSmallForms(t *testing.T) {
	records, err := Records()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range All() {
		w := c.Browser()
		if w == nil {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			got := &Series{}
			if w.Alone != nil {
				for seed := range uint64(SmallSeeds) {
					v, err := w.Alone(seed + 1)
					if err != nil {
						t.Fatal(err)
					}
					got.Of = append(got.Of, []float64{v})
				}
			} else {
				var outcomes []*Outcome
				for _, p := range w.Pieces(SmallSeeds) {
					o, err := p.Run(func() bool { return false })
					if err != nil {
						t.Fatal(err)
					}
					outcomes = append(outcomes, o)
				}
				got = w.Collect(SmallSeeds, outcomes)
			}
			if want := records[c.ID].Small; !reflect.DeepEqual(got, want) {
				a, _ := json.Marshal(got)
				b, _ := json.Marshal(want)
				t.Errorf("it comes to %s; recorded is %s (make papers records anew)", a, b)
			}
		})
	}
}

// TestOpens: what the page opens of each row compiles, and has the two lanes.
func TestOpens(t *testing.T) {
	for _, c := range All() {
		doc := c.Open(1)
		if doc == nil {
			continue
		}
		back, diags := scenario.Parse(doc.Marshal(false), scenario.FileLimits)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", c.ID, diags)
		}
		if _, diags := scenario.Compile(back, lab.Defaults()); diags.HasErrors() {
			t.Errorf("%s: %v", c.ID, diags)
		}
		if n := len(back.Scenario.Policies); n != len(c.Browser().lanes()) {
			t.Errorf("%s opens with %d lanes", c.ID, n)
		}
	}
}

// TestRanksAreWhole: every policy is ranked by every metric, or told why not; and one that is run again comes to what
// was recorded.
func TestRanksAreWhole(t *testing.T) {
	r, err := RecordedRanks()
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, p := range r.Policies {
		met[p.ID] = true
		for _, name := range RankMetrics {
			if len(p.Values[name]) != len(r.Scenarios) {
				t.Errorf("%s has %d figures of %s", p.ID, len(p.Values[name]), name)
			}
		}
	}
	for _, x := range r.Refused {
		met[x.ID] = met[x.ID] || x.Says != ""
	}
	for _, p := range lab.Policies() {
		if p.ID != "own" && !met[p.ID] {
			t.Errorf("%s is not ranked: run make papers", p.ID)
		}
	}
	if r.Engine != lab.Engine {
		t.Errorf("they are of engine %s: run make papers", r.Engine)
	}
	for _, piece := range RankPieces() {
		if piece.Lane.ID != "srtf" && piece.Lane.ID != "hadar" || piece.Seed != 1 {
			continue
		}
		o, err := piece.Run(func() bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		i := slices.Index(r.Scenarios, piece.Doc.Meta.Title)
		k := slices.IndexFunc(r.Policies, func(p RankedPolicy) bool { return p.ID == piece.Lane.ID })
		if got, want := o.Metrics.AvgJCTS, r.Policies[k].Values["avg_jct_s"][i]; got != want {
			t.Errorf("%s, %s: a mean of %v s, recorded are %v: run make papers", piece.Lane.ID, piece.Doc.Meta.Title, got, want)
		}
	}
	places := r.Places()
	for i, p := range places {
		if len(p.Ranks) != len(RankMetrics) || i > 0 && p.Ranks[0].Mean < places[i-1].Ranks[0].Mean {
			t.Errorf("%s is out of order: %v", p.ID, p.Ranks)
		}
	}
}

// TestLaboratoryNodes holds the reason of the laboratory's row to the speeds: what the two fastest nodes do of all that
// five can, and what the others add.
func TestLaboratoryNodes(t *testing.T) {
	doc := study.Laboratory(1)[9]
	lab, err := Find("hadar-2025-forks-lab")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range doc.Scenario.Throughputs.Rows {
		var speeds []float64
		for _, n := range doc.Scenario.Cluster.Nodes {
			for typ := range n.GPUs {
				speeds = append(speeds, row.PerGPU[typ])
			}
		}
		slices.Sort(speeds)
		two, rest := speeds[3]+speeds[4], speeds[0]+speeds[1]+speeds[2]
		for _, says := range []string{strconv.Itoa(int(math.Round(100*two/(two+rest)))) + " % of what all five",
			"add " + strconv.Itoa(int(math.Round(100*rest/two))) + " % at most"} {
			if !strings.Contains(lab.Reason, says) {
				t.Errorf("%s: %q does not say %q", row.Model, lab.Reason, says)
			}
		}
	}
}

// TestWhyJobsWaitWithPoissonArrivals: jobs like Philly's that come by and by find free GPUs. Under Hadar they wait for
// the next round, half of one on the mean, and under Gavel as long as allocations are apart.
func TestWhyJobsWaitWithPoissonArrivals(t *testing.T) {
	c := study.Case{Workload: "philly", Arrivals: "poisson", Seed: 2, Stalls: true}
	for _, x := range []struct {
		of          study.Lane
		least, most float64 // s
	}{{lane("hadar"), 150, 210}, {lane("gavel-las", "min_reset_s", 0.0), 150, 210}, {lane("gavel-las"), 960, 1140}} {
		doc := c.Document(480)
		doc.Scenario.Policies = []scenario.Policy{{ID: x.of.ID, Params: x.of.Params}}
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
		if diags.HasErrors() || len(failed) > 0 {
			t.Fatal(diags, failed)
		}
		if wait := res.Runs[0].Metrics.AvgQueueS; wait < x.least || wait > x.most {
			t.Errorf("under %s jobs wait for %v s, want %v to %v", x.of.Name, wait, x.least, x.most)
		}
	}
}
