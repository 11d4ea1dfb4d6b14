package class

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHoursOfAHomework: what begins is open for some time that is still to come, and at most 28 days.
func TestHoursOfAHomework(t *testing.T) {
	const now, hour = int64(1_800_000_000_000), int64(3_600_000)
	for name, c := range map[string]struct {
		hours Hours
		want  string // code of the finding, "" = none
		at    string
	}{
		"a week":                {Hours{now + hour, now + 7*day}, "", ""},
		"open for long":         {Hours{now - 400*day, now + hour}, "too-long", "/closes_ms"},
		"just 28 days":          {Hours{now, now + 28*day}, "", ""},
		"28 days and more":      {Hours{now, now + 28*day + 1}, "too-long", "/closes_ms"},
		"no closing":            {Hours{now, 0}, "missing-member", "/closes_ms"},
		"closes before":         {Hours{now + hour, now + hour - 1}, "closes-first", "/closes_ms"},
		"closes at once":        {Hours{now + hour, now + hour}, "closes-first", "/closes_ms"},
		"past":                  {Hours{now - 2*hour, now - hour}, "closed-already", "/closes_ms"},
		"opens in two months":   {Hours{now + 60*day, now + 61*day}, "too-late", "/opens_ms"},
		"opens in just 4 weeks": {Hours{now + 28*day, now + 29*day}, "", ""},
	} {
		diags := c.hours.Check(now)
		if c.want == "" {
			if len(diags) > 0 {
				t.Errorf("%s: %v", name, diags)
			}
			continue
		}
		if len(diags) != 1 || diags[0].Code != c.want || diags[0].Path != c.at || diags[0].Fix.String() == "" {
			t.Errorf("%s: %+v, want %s at %s", name, diags, c.want, c.at)
		}
	}
}

// TestMomentsOfAHomework: at its opening it is open, at its closing no more, and a class that is led is neither.
func TestMomentsOfAHomework(t *testing.T) {
	h := Hours{OpensMS: 10, ClosesMS: 20}
	for now, want := range map[int64]string{9: "ahead 10", 10: "open 20", 19: "open 20", 20: "over 0", 21: "over 0"} {
		got := map[bool]string{true: "ahead"}[h.Ahead(now)] + map[bool]string{true: "open"}[h.Open(now)] +
			map[bool]string{true: "over"}[h.Over(now)]
		if got += fmt.Sprint(" ", h.Next(now)); got != want {
			t.Errorf("at %d it is %s, want %s", now, got, want)
		}
	}
	if led := (Hours{}); led.Homework() || led.Ahead(5) || led.Open(5) || led.Over(5) || led.Next(5) != 0 {
		t.Error("a class that is led has hours")
	}
}

// TestPace: a student's step follows from what they have handed in, in any order of entries, and nothing else.
func TestPace(t *testing.T) {
	whole := &Assignment{Questions: []Question{{}}, Task: &Task{}, Explain: "Why?"}
	short := &Assignment{Questions: []Question{{}}}
	for _, c := range []struct {
		a     *Assignment
		kinds string
		want  Pace
	}{
		{whole, "", OwnPredict}, {whole, "answers", OwnRun}, {whole, "answers log", OwnRun},
		{whole, "answers submission", OwnWrite}, {whole, "answers submission submission", OwnWrite},
		{whole, "answers sentence", OwnChange}, {whole, "answers submission sentence", OwnDone},
		{whole, "sentence submission answers", OwnDone},
		{short, "", OwnPredict}, {short, "answers", OwnDone},
		{&Assignment{Task: &Task{}}, "", OwnRun}, {&Assignment{Task: &Task{}}, "submission", OwnDone},
	} {
		var mine []Entry
		for _, k := range strings.Fields(c.kinds) {
			mine = append(mine, Entry{Kind: k})
		}
		if got := c.a.Pace(mine); got != c.want || !slices.Contains(c.a.Paces(), got) {
			t.Errorf("who has handed in %q is at %s of %v, want %s", c.kinds, got, c.a.Paces(), c.want)
		}
	}
}

// TestAHomeworkIsNoPhaseOfAPlan: it is beside the order of a class that is led, tells nothing, and nobody's lab is shut
// in it for the class's sake.
func TestAHomeworkIsNoPhaseOfAPlan(t *testing.T) {
	st := State{Phase: Homework, LabLocked: true}
	if slices.Contains(Phases, Homework) || Homework.Tells() || st.Tells() || st.Shut() {
		t.Error("a homework is led, tells, or is shut")
	}
	if w := (&Wall{}); w.Picture(Homework) != JoinPicture {
		t.Errorf("its wall shows %s", w.Picture(Homework))
	}
}
