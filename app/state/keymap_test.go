package state

import (
	"testing"

	"hadarlab/app/room"
)

// TestRekey: a letter works under its new key only, no key has two meanings, and what a browser has kept comes back.
func TestRekey(t *testing.T) {
	d := newDesk(t)
	v := &d.s.View
	d.log = nil
	d.do(Rekey{"n", " J "})
	if v.Meant("j") != "n" || v.Meant("n") != "" || v.Meant("p") != "p" || v.Meant("Home") != "Home" ||
		v.KeyProblem != "" {
		t.Errorf("j means %q, n %q, p %q; %q", v.Meant("j"), v.Meant("n"), v.Meant("p"), v.KeyProblem)
	}
	kept := d.log[0].(room.Store)
	for _, taken := range []string{"j", "e", "w", "1", "+", "ab"} {
		d.log = nil
		if d.do(Rekey{"p", taken}); v.KeyProblem == "" || v.Meant("p") != "p" || len(d.log) != 0 {
			t.Errorf("p becomes %q: p means %q, %q", taken, v.Meant("p"), v.KeyProblem)
		}
	}
	d.do(Rekey{"p", "n"}) // free by now
	if v.Meant("n") != "p" || v.Meant("j") != "n" || v.KeyProblem != "" {
		t.Errorf("n means %q, j %q; %q", v.Meant("n"), v.Meant("j"), v.KeyProblem)
	}
	d.do(Layout{"z q s d"}) // a French keyboard
	d.do(Layout{"z q"})
	if v.KeyOf("W") != "Z" || v.KeyOf("A") != "Q" || v.KeyOf("p") != "n" || v.Meant("w") != "w" {
		t.Errorf("the key at the place of W is called %q, that of A %q", v.KeyOf("W"), v.KeyOf("A"))
	}
	d.do(Rekey{"p", ""})
	if v.Meant("p") != "p" || v.Meant("n") != "" {
		t.Errorf("put back, p means %q and n %q", v.Meant("p"), v.Meant("n"))
	}
	fresh := newDesk(t)
	fresh.do(TakeKeys{Own: kept.Text + "xw ab 7 pp", Off: true})
	if f := &fresh.s.View; f.Meant("j") != "n" || f.Meant("w") != "w" || f.KeyProblem != "" || !f.LettersOff {
		t.Errorf("of %q j means %q and w %q; %q", kept.Text, f.Meant("j"), f.Meant("w"), f.KeyProblem)
	}
}
