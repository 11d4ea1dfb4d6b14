package star

import (
	"errors"
	"strings"
	"testing"
)

// FuzzEval: whatever text a program is, it ends with values or with an Error, takes no more than it may, and does the
// same a second time.
func FuzzEval(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(program(seed))
	}
	for _, src := range []string{counting, busy, "x = max(range(1 << 40))", "s = '%s%r' % ('a' * 100, {1: (2.5,)})",
		"def f(n, *, k = 1):\n    return [f(n - 1, k = 2) for i in range(n)]\nf(5)",
		"x = [[]]\nx[0].append(x)\ny = x == x",
		"a, (b, c) = 1, [2, 3]\nd = {a: b}\nd[c] = 1.5\nd.pop(a)\nfor k in d:\n    print(k, d[k] // 0.3)"} {
		f.Add(src)
	}
	const most = 1 << 20
	f.Fuzz(func(t *testing.T, src string) {
		run := func() string {
			var log strings.Builder
			o := Options{Call: Budget{2e5, most}, Run: Budget{1e6, 4 * most}}
			o.Print = func(_ *Machine, _ int, text string) { log.WriteString(text) }
			p, err := Compile(src)
			if err == nil {
				var m *Machine
				m, err = p.Start(o)
				for _, name := range p.Globals() {
					if v, ok := m.Global(name); ok && err == nil {
						s, _ := text(m, v)
						log.WriteString(s)
						if v.IsFunction() {
							_, err := m.Call(v)
							log.WriteString(errText(err))
						}
						if kept, _, err := m.Keep(v); err == nil {
							if same, err := text(m, kept); err != nil || same != s {
								t.Fatalf("%s is kept as %s, %v", s, same, err)
							}
						}
					}
				}
				if spent := m.Spent(); spent.Steps > o.Run.Steps || spent.Bytes > o.Run.Bytes {
					t.Fatalf("spent %v of %v", spent, o.Run)
				}
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Reason.IsZero()) {
				t.Fatalf("an error that is none of ours: %#v", err)
			}
			return log.String() + errText(err)
		}
		before := allocated()
		first := run()
		if took := allocated() - before; took > 64*most {
			t.Fatalf("%d bytes were allocated", took)
		}
		if second := run(); first != second {
			t.Fatalf("first %s\nthen %s", first, second)
		}
	})
}

// FuzzOracle: whatever an author chooses to write, the published interpreter makes the same of it.
func FuzzOracle(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, 1+seed)
	}
	f.Fuzz(func(t *testing.T, seed, other uint64) { agree(t, program(seed^other<<32)) })
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
