package remote

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// pipe is the two ends of what a program outside is told and says.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// outside starts a program of Go's own: it answers each line.
func outside(answer func(line []byte) string) func() (io.ReadWriteCloser, error) {
	return func() (io.ReadWriteCloser, error) {
		told, tells := io.Pipe()
		says, said := io.Pipe()
		go func() {
			lines := bufio.NewScanner(told)
			lines.Buffer(nil, longest)
			for lines.Scan() {
				if _, err := io.WriteString(said, answer(lines.Bytes())); err != nil {
					break
				}
			}
			said.Close()
		}()
		return pipe{says, tells}, nil
	}
}

const welcome = `{"hadarlab":1,"name":"mine"}` + "\n"

// first keeps what runs and gives the others the first slots that hold all of their GPUs.
func first(hello *Hello) func(line []byte) string {
	return func(line []byte) string {
		if strings.Contains(string(line), `"hadarlab"`) {
			*hello = Hello{}
			if err := json.Unmarshal(line, hello); err != nil {
				return "no hello\n"
			}
			return welcome
		}
		var v View
		if err := json.Unmarshal(line, &v); err != nil {
			return err.Error() + "\n"
		}
		plan, free := Plan{Gangs: []Gang{}}, v.GPUs
		for i := range v.Jobs {
			for _, g := range v.Jobs[i].Gangs {
				for _, part := range g {
					free[part[0]] -= part[1]
				}
				plan.Gangs = append(plan.Gangs, Gang{Job: v.Jobs[i].ID, GPUs: g})
			}
		}
		for i := range v.Jobs {
			j := &v.Jobs[i]
			for s := range free {
				if len(j.Gangs) == 0 && free[s] >= j.GPUs && j.Speeds[hello.Slots[s].Type] > 0 {
					free[s] -= j.GPUs
					plan.Gangs = append(plan.Gangs, Gang{Job: j.ID, GPUs: [][2]int32{{int32(s), j.GPUs}}})
					break
				}
			}
		}
		b, _ := json.Marshal(&plan)
		return string(b) + "\n"
	}
}

func run(t *testing.T, id string) (fault string) {
	t.Helper()
	spec, err := policy.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(40) {
		p := simtest.Random(unit.Stream(seed, "outside"))
		pol, err := spec.New(p.Public(), nil)
		if err != nil {
			return err.Error()
		}
		r, err := sim.New(p, pol, spec.Cadence(p.Public(), nil), sim.Options{MaxEvents: 1e6})
		if err != nil {
			t.Fatal(err)
		}
		for r.Step() {
		}
		if f, ended := r.Fault(); ended {
			return f.Says.String()
		}
		tr, _ := r.Result()
		r.Measured() // the program's input ends
		for _, bad := range simtest.Check(p, tr, false) {
			t.Error(seed, bad)
		}
		done := 0
		for i := range tr.Jobs {
			if tr.Jobs[i].Finish >= 0 {
				done++
			}
		}
		if done == 0 {
			t.Errorf("scenario %d: no job ends", seed)
		}
	}
	return ""
}

// TestAProgramOutside: what it plans is held, within what holds for every policy.
func TestAProgramOutside(t *testing.T) {
	Register("outside", "a test's", outside(first(&Hello{})))
	if fault := run(t, "outside"); fault != "" {
		t.Error(fault)
	}
}

// TestAnswersAreChecked: an answer that is none, or of another version, is told; a gang that does not fit is refused
// with the reason at the next decision.
func TestAnswersAreChecked(t *testing.T) {
	refused := ""
	n := 0
	for want, answer := range map[string]func(line []byte) string{
		"version 2":                 func([]byte) string { return `{"hadarlab":2}` + "\n" },
		`no line of JSON: "hello"`:  func([]byte) string { return "hello\n" },
		`unknown field "plans": "{`: func([]byte) string { return `{"hadarlab":1,"plans":[]}` + "\n" },
		"has a string at gangs.job": func(line []byte) string {
			if strings.Contains(string(line), `"hadarlab"`) {
				return welcome
			}
			return `{"gangs":[{"job":"j1","gang":[[0,1]]}]}` + "\n"
		},
		"more than 16777216 bytes": func(line []byte) string {
			if strings.Contains(string(line), `"hadarlab"`) {
				return welcome
			}
			return strings.Repeat(" ", longest+10) + "\n"
		},
		"": func(line []byte) string {
			if strings.Contains(string(line), `"hadarlab"`) {
				return welcome
			}
			var v View
			if json.Unmarshal(line, &v) == nil && len(v.Refused) == 3 {
				refused = fmt.Sprint(v.Refused)
			}
			return `{"gangs":[{"job":0,"gang":[[0,9999]]},{"job":0,"gang":[[-1,1]]},{"job":-4,"gang":[]}]}` + "\n"
		},
	} {
		n++
		id := "outside-" + string(rune('a'+n))
		Register(id, "a test's", outside(answer))
		if want == "" {
			spec, _ := policy.Find(id)
			p := simtest.Random(unit.Stream(1, "outside"))
			pol, err := spec.New(p.Public(), nil)
			if err != nil {
				t.Fatal(err)
			}
			r, _ := sim.New(p, pol, spec.Cadence(p.Public(), nil), sim.Options{MaxEvents: 1e6})
			for r.Step() {
			}
			r.Result()
			if m := r.Measured(); len(m) != 1 || m[0].Value < 3 || int(m[0].Value)%3 != 0 {
				t.Errorf("of the refused gangs the numbers say %+v", m)
			}
		} else if fault := run(t, id); !strings.Contains(fault, want) {
			t.Errorf("it ends with %q, want %q", fault, want)
		}
	}
	if !strings.Contains(refused, "free ") || !strings.Contains(refused, "no slot -1") ||
		!strings.Contains(refused, "no job -4") {
		t.Errorf("refused: %s", refused)
	}
}
