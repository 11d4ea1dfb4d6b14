//go:build linux || darwin

package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hadarlab/core/model"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []time.Duration
		want time.Duration
	}{{[]time.Duration{7}, 7}, {[]time.Duration{9, 1, 5}, 5}, {[]time.Duration{4, 3, 2, 1}, 3}} {
		before := slices.Clone(c.of)
		if got := median(c.of); got != c.want || !slices.Equal(c.of, before) {
			t.Errorf("the median of %v is %v, want %v; they are %v then", before, got, c.want, c.of)
		}
	}
}

// TestSlower: what is said follows the medians, not an outlier; a tenth more is still good, and so are a few ms.
func TestSlower(t *testing.T) {
	for _, c := range []struct {
		was, is []time.Duration
		want    string
	}{
		{[]time.Duration{10e8, 10e8, 90e8}, []time.Duration{11e8, 11e8, 1e8}, "1.000 | 1.100 | 1.10 |  |"},
		{[]time.Duration{10e8, 10e8, 90e8}, []time.Duration{12e8, 12e8, 1e8}, "1.000 | 1.200 | 1.20 | slower |"},
		{[]time.Duration{10e8}, []time.Duration{5e8}, "1.000 | 0.500 | 0.50 |  |"},
		{[]time.Duration{12e6}, []time.Duration{18e6}, "0.012 | 0.018 | 1.50 |  |"},
		{[]time.Duration{40e6}, []time.Duration{60e6}, "0.040 | 0.060 | 1.50 | slower |"},
	} {
		p := pair{took: [2][]time.Duration{c.was, c.is}}
		if got := p.said(); got != c.want || p.slower() != strings.Contains(c.want, "slower") {
			t.Errorf("of %v and %v it says %q, want %q", c.was, c.is, got, c.want)
		}
	}
}

// TestMeasure: programs take turns, what they print is compared, and one that fails ends it with what it said.
func TestMeasure(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	say := func(name, says string) program {
		return program{[]string{"sh", "-c", `printf $NAME >>` + log + `; echo ` + says}, []string{"NAME=" + name}}
	}
	same := pair{program: [2]program{say("a", "x"), say("b", "x")}}
	if err := same.measure(3); err != nil {
		t.Fatal(err)
	}
	if turns, err := os.ReadFile(log); err != nil || string(turns) != "abbaab" {
		t.Errorf("the turns are %q: %v", turns, err)
	}
	if len(same.took[0]) != 3 || len(same.took[1]) != 3 || same.differs {
		t.Errorf("after three pairs that print the same: %+v", same)
	}
	other := pair{program: [2]program{say("a", "x"), say("b", "y")}}
	if err := other.measure(1); err != nil || !strings.Contains(other.said(), "other results") {
		t.Errorf("of results that differ it says %q: %v", other.said(), err)
	}
	bad := pair{program: [2]program{say("a", "x"), {args: []string{"sh", "-c", "echo no such policy >&2; exit 3"}}}}
	if err := bad.measure(1); err == nil || !strings.Contains(err.Error(), "no such policy") {
		t.Errorf("of a program that fails: %v", err)
	}
}

func TestWorks(t *testing.T) {
	dir := t.TempDir()
	all, err := works(dir, []string{"24x12=fifo,sjf", "preset:odd-gpus-out=hadar"})
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if w := all[1]; w.scenario != "preset:odd-gpus-out" || !slices.Equal(w.policies, []string{"hadar"}) {
		t.Errorf("a named scenario is %+v", w)
	}
	if w := all[0]; !slices.Equal(w.policies, []string{"fifo", "sjf"}) {
		t.Errorf("the policies are %v", w.policies)
	}
	doc, err := os.ReadFile(all[0].scenario)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compiled(doc)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Jobs) != 24 || p.Cluster.GPUs() != 12 || len(p.Cluster.Types) != 3 {
		t.Errorf("it has %d jobs on %d GPUs of %d types", len(p.Jobs), p.Cluster.GPUs(), len(p.Cluster.Types))
	}
	if _, err := works(dir, []string{"24x12"}); err == nil {
		t.Error("work without policies is taken")
	}
}

// TestLoaded: what arrives until the last job keeps the GPUs so busy, however many there are.
func TestLoaded(t *testing.T) {
	for _, s := range []size{{1000, 48}, {4000, 192}} {
		doc, err := loaded(s)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compiled(doc)
		if err != nil {
			t.Fatal(err)
		}
		gpus := 0.0 // that work all the time, if jobs spend as much time on each type
		for i := range p.Jobs {
			j := &p.Jobs[i]
			tab, sum := &p.Tables[j.Phases[0].Tables[0]], 0.0
			for typ := range p.Cluster.Types {
				tier := model.OneNode
				if j.Shape.Size > 4 {
					tier = model.Network
				}
				sum += float64(tab.Rate(model.TypeID(typ), j.Shape.Size, tier))
			}
			gpus += float64(j.Shape.Size) * float64(j.Work) / (sum / 3) / p.Jobs[len(p.Jobs)-1].Arrive.Seconds()
		}
		if load := gpus / float64(s.gpus); math.Abs(load-busy) > 0.08 {
			t.Errorf("%d jobs on %d GPUs are a load of %.2f", s.jobs, s.gpus, load)
		}
	}
}

// TestCopied: twice the time has twice the jobs, and twice the cluster, too.
func TestCopied(t *testing.T) {
	for _, s := range []size{{160, 64}, {320, 64}, {320, 128}} {
		file := filepath.Join(t.TempDir(), "s.json")
		hours, err := s.write(file, true)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := os.ReadFile(file)
		p, err := compiled(doc)
		if err != nil {
			t.Fatal(err)
		}
		want := 8 * float64(s.jobs) / 160 / (float64(s.gpus) / 64)
		if len(p.Jobs) != s.jobs || int(p.Cluster.GPUs()) != s.gpus || hours > want || hours < want-1 {
			t.Errorf("%+v has %d jobs on %d GPUs over %.1f h, want %.0f", s, len(p.Jobs), p.Cluster.GPUs(), hours, want)
		}
	}
}

func TestExponent(t *testing.T) {
	jobs := row{10, 100, 1000}
	for want, of := range map[string]row{"2.00": {3, 300, 30000}, "0.50": {1, math.Sqrt(10), 10}, "0.00": {5, 5, 5}} {
		if got := exponent(jobs, of); got != want {
			t.Errorf("the exponent of %v is %s, want %s", of, got, want)
		}
	}
	if got := exponent(jobs[:2], row{1, 2}); got != "–" {
		t.Errorf("of two sizes it is %s", got)
	}
}

// TestMeasured: a run comes to its end and is measured; one that a policy refuses is told and not measured.
func TestMeasured(t *testing.T) {
	doc, err := loaded(size{60, 12})
	if err != nil {
		t.Fatal(err)
	}
	m, err := measured(doc, "gavel-las")
	if err != nil || m.Simulation <= 0 || m.Process <= 0 {
		t.Errorf("under gavel-las it measures %+v: %v", m, err)
	}
	for _, id := range []string{"allox", "no-such-policy"} {
		if _, err := measured(doc, id); err == nil {
			t.Errorf("%s is measured on gangs", id)
		}
	}
}
