package remote

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// answers is a program outside whose lines are known beforehand: each line that it is told is answered by the next, and
// after the last it has ended.
type answers struct {
	lines  [][]byte
	unread bytes.Buffer
}

func (a *answers) Write(told []byte) (int, error) {
	if len(a.lines) > 0 {
		a.unread.Write(append(a.lines[0], '\n'))
		a.lines = a.lines[1:]
	}
	return len(told), nil
}

func (a *answers) Read(b []byte) (int, error) {
	if a.unread.Len() == 0 {
		return 0, io.EOF
	}
	return a.unread.Read(b)
}

func (*answers) Close() error { return nil }

// plan is one that bytes choose, mostly of the form that a plan has.
func plan(choices []byte) string {
	n := func(most int) int {
		if len(choices) == 0 {
			return 0
		}
		b := choices[0]
		choices = choices[1:]
		return int(b) % most
	}
	pick := func(list ...string) string { return list[n(len(list))] }
	out := `{"gangs":[`
	for i := range n(8) {
		if i > 0 {
			out += ","
		}
		out += fmt.Sprintf(`{"job":%s,"gang":[[%d,%s]%s]%s}`, pick("0", "1", "2", "3", "-1", "99", "2147483647"),
			n(6)-1, pick("1", "2", "4", "0", "-1", "2147483647", "99999"),
			pick("", ",[1,1]", ",[0,2147483647]", ",[0,1]"),
			pick("", `,"quota":50`, `,"quota":-1`, `,"quota":1e308`, `,"copy":true`, `,"copy":true,"quota":0`))
	}
	return out + `]` + pick("", `,"wake_s":5`, `,"wake_s":-1`, `,"wake_s":1e300`, `,"wake_s":0.0001`) +
		pick("", `,"why":{"0":"so"}`, `,"why":{"99":"so","-1":""}`) + `}`
}

// FuzzAnswers: whatever a program outside answers, the run ends with a trace that holds what holds for every policy, or
// with a sentence, also of decisions that are explained, and takes no more memory than answers may have.
func FuzzAnswers(f *testing.F) {
	r := unit.Stream(1, "answers")
	for range 20 {
		choices := make([]byte, r.IntN(120))
		for i := range choices {
			choices[i] = byte(r.IntN(256))
		}
		f.Add(choices, []byte(nil), r.Uint64())
	}
	f.Add([]byte(nil), []byte(`{"gangs":null,"why":null}`+"\n[]\nnull"), uint64(3))
	f.Fuzz(func(t *testing.T, choices, raw []byte, scenario uint64) {
		lines := [][]byte{[]byte(welcome[:len(welcome)-1])}
		for ; len(choices) > 0 && len(lines) < 20; choices = choices[min(len(choices), 30):] {
			lines = append(lines, []byte(plan(choices)))
		}
		lines = append(lines, bytes.Split(raw, []byte("\n"))...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := &answers{lines: lines}
		p := simtest.Random(unit.Stream(scenario, "fuzz"))
		pol := &remote{public: p.Public(), in: bufio.NewReaderSize(a, 1<<16), out: a}
		if err := pol.greet(); err != nil {
			t.Fatal(err)
		}
		run, err := sim.New(p, pol, sim.Cadence{Every: p.Round, On: sim.Arrival | sim.Finish | sim.Capacity},
			sim.Options{MaxEvents: 3000})
		if err != nil {
			t.Fatal(err)
		}
		for more := true; more; more = run.Step() {
			if n := run.Rounds(); n%3 == 0 {
				run.Explain(n)
			}
		}
		tr, _ := run.Result()
		if fault, ended := run.Fault(); ended {
			if fault.Says.IsZero() {
				t.Fatal("it ends without a sentence")
			}
		} else {
			for _, broken := range simtest.Check(p, tr, true) {
				t.Fatal(broken)
			}
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
			t.Fatalf("%d bytes were allocated", took)
		}
	})
}
