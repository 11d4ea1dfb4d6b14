package program

import (
	"slices"
	"strings"
	"testing"
)

// TestKnobs: numbers in capitals on lines of their own are found and set, and nothing else is.
func TestKnobs(t *testing.T) {
	src := "A = 1\nB_2=-2.5e3 # why not\n  C = 3\nd = 4\nE = 5 + 1\nF = \nA = 9\nG = 7  # é\n2H = 1\n"
	var found []string
	for _, k := range Knobs(src) {
		found = append(found, k.Name+":"+k.Means)
		if turned, ok := Turn(src, k.Name, 0.25); !ok || Knobs(turned)[Find(Knobs(turned), k.Name)].Value != 0.25 ||
			len(Knobs(turned)) != len(Knobs(src)) {
			t.Errorf("%s set to 0.25 gives %q", k.Name, turned)
		}
	}
	if !slices.Equal(found, []string{"A:", "B_2:why not", "G:é"}) {
		t.Errorf("the numbers are %q", found)
	}
	if turned, _ := Turn(src, "B_2", 12); turned[:len("A = 1\nB_2=12 # why not\n")] != "A = 1\nB_2=12 # why not\n" {
		t.Errorf("B_2 set to 12 gives %q", turned)
	}
	if _, ok := Turn(src, "E", 1); ok {
		t.Error("a sum was taken for a number")
	}
}

// TestTokens: pieces are the text, whatever it is.
func TestTokens(t *testing.T) {
	for src, want := range map[string]Kind{"# x": Comment, "'a\\'b'": Text, `"""a` + "\n" + `b"""`: Text,
		"12.5e3": Number, "return": Keyword, "f(": Called, "'open": Text, "é": Plain, "\"\"\"never": Text} {
		list := Tokens(src)
		if len(list) == 0 || list[0].Kind != want {
			t.Errorf("%q begins as %v", src, list)
		}
		whole := ""
		for _, token := range list {
			whole += token.Text
		}
		if whole != src {
			t.Errorf("%q is drawn as %q", src, whole)
		}
	}
	long := strings.Repeat("x\n", Longest/2)
	if n := testing.AllocsPerRun(1, func() { Tokens(long) }); n > 100 { // at each key, so that none is copied
		t.Errorf("the pieces of a long text take %v allocations", n)
	}
	if got := Tokens("job.speed")[1]; got != (Token{Attr, "speed"}) {
		t.Errorf("what stands behind a point is %v", got)
	}
}

// TestSlips: a misspelt member is found at its place, and nothing that may be right.
func TestSlips(t *testing.T) {
	known := []string{"job.steps_left", "job.speed_on(type, gpus)", "cluster.gpus", "why(job, text)"}
	for src, want := range map[string]string{
		"x = job.step_left":                               "line 1, character 9: job has no step_left. Did you mean steps_left?",
		"# é\nif 'é' == job.sped_on(1): pass":             "line 2, character 15: job has no sped_on. Did you mean speed_on?",
		"for job in jobs:\n\tx = 1 + cluster.gpu * 2":     "line 2, character 18: cluster has no gpu. Did you mean gpus?",
		"job.steps_left + job.speed_on('a')":              "",
		"job.zzz + jobs.step_left + my.job.step_left":     "", // like none; of no object; of a member
		"job = {'a': 1}\njob.step_left":                   "",
		"'job.step_left' # job.step_left":                 "",
		"job.\nstep_left + job. step_left + job.1 + job.": "",
		"# it\ndef key(job, cluster):\n\tx = 1": "line 2, character 5: key returns nothing, " +
			"so that no job goes before another. Write return before its number.",
		"def key(job, cluster):\n\treturn 1": "",
		"x = key(1)":                         "",
	} {
		got := ""
		for _, e := range Slips(src, known) {
			got += e.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// TestMentions: a word is not the beginning of a longer one.
func TestMentions(t *testing.T) {
	for src, want := range map[string]bool{"job.steps_done": false, "job.steps": true, "job.steps+1": true, "": false,
		"job.steps_done + job.steps": true} {
		if Mentions(src, ".steps") != want {
			t.Errorf("%q: %v", src, !want)
		}
	}
}

// TestShape: names, comments, spaces and depth of indentation are the author's; numbers, calls and order are not.
func TestShape(t *testing.T) {
	const src = "PATIENCE = 60\n\ndef key(job, cluster):\n    late = job.waited > PATIENCE  # enough\n" +
		"    return job.steps_left if late else max(job.arrival, 1)\n"
	same := "LIMIT=60\ndef key(j , c):\n\tx = j.waited>LIMIT\n\n\t# now\n\treturn j.steps_left if x else max( j.arrival , 1)"
	if a, b := Shape(src), Shape(same); a != b {
		t.Errorf("%q is not %q", a, b)
	}
	for _, change := range [][2]string{{"60", "61"}, {"max", "min"}, {"waited >", "waited <"}, {"steps_left", "steps"},
		{"job.arrival, 1", "1, job.arrival"}, {"late = job", "late = cluster"}, {"if late", "if PATIENCE"}} {
		if other := strings.Replace(src, change[0], change[1], 1); other == src || Shape(other) == Shape(src) {
			t.Errorf("%q for %q is the same", change[1], change[0])
		}
	}
	if mine := "NAME = \"mine\"\n" + src; Shape(mine) != Shape(src) {
		t.Errorf("a name makes another program: %q", Shape(mine))
	}
	if read := src + "print(NAME)\n"; Shape("NAME = 'a'\n"+read) == Shape("NAME = 'b'\n"+read) {
		t.Error("a name that is read makes no difference")
	}
}

// TestName: what a program calls itself stands on a line of its own, as a text in quotes.
func TestName(t *testing.T) {
	for src, want := range map[string]string{
		"": "", "def key(job, cluster):\n    return 1\n": "",
		"# mine\nNAME = \"Patient\"  # short\ndef f(): pass": "Patient",
		"NAME='Für alle'\r\nx = 1":                           "Für alle",
		"NAME = 'Try #2'  # better":                          "Try #2",
		"NAME = 'unfinished":                                 "", "NAME = 'unfinished # yet": "",
		"NAME = 'a' + 'b'": "", "NAME = mine": "", "NAME = ''": "", "x = 'NAME'": "",
		"    NAME = 'deep'": "", "NAMES = 'x'": "", "NAME = 'a\\nb'": "", "NAME == 'a'": "", "NAME": "", "NAME = '": "",
		"NAME = '" + strings.Repeat("long", 9) + "'": strings.Repeat("long", 6),
	} {
		if got := Name(src); got != want {
			t.Errorf("%q is called %q, want %q", src, got, want)
		}
	}
}
