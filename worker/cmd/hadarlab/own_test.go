package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/program/templates"
)

// TestProgramsFromFiles: a policy is written in a file, its numbers are set and varied, and what is wrong is told with
// its place.
func TestProgramsFromFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, src string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := file("mine.star", "SIGN = 1  # -1 turns it round\n\ndef key(job, cluster):\n    print('asked')\n"+
		"    return SIGN * job.steps_left / job.speed\n")
	late := file("late.star", "def key(job, cluster):\n    return 1 / (1 - cluster.waiting)\n")
	broken := file("broken.star", "def key(job, cluster):\n    return job.\n")
	const preset = "preset:whose-round"
	for _, c := range []struct {
		args string
		code int
		want string // on either stream
	}{
		{"run --policy own:" + mine + ",srtf --set own.preempt=true --format csv " + preset, exitOK, "own,"},
		{"run --policy own:" + mine + " --set own.SIGN=2 --format csv " + preset, exitOK, "own,"},
		{"run --policy own:" + mine + " --set own.SIGN=x " + preset, exitUsage, "has no parameter SIGN"},
		{"run --policy own:" + mine + " --set own.NONE=1 " + preset, exitUsage, "has no parameter NONE"},
		{"run --policy own:" + broken + " " + preset, exitUsage, "The program cannot be run: line 3, character 1"},
		{"run --policy own:" + late + ",fifo " + preset, exitUsage, "line 2, character 14: This divides by zero"},
		{"run --policy own:" + filepath.Join(dir, "none.star") + " " + preset, exitUsage, "no such file"},
		{"run --policy hadar:" + mine + " " + preset, exitUsage, "only the policy own is a program"},
		{"explain --policy own:" + mine + " --round 1 " + preset, exitOK, "line 4: prints asked"},
		{"explain --policy own:" + late + " --round 2 " + preset, exitOK, "The program ended here"},
	} {
		out, errs, code := cli(t, "", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: code %d, want %d and %q:\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	study := "study --seeds 1 --jobs 12 --workload five-models --stalls without --policy own:"
	out, errs, code := cli(t, "", strings.Fields(study+mine+",hadar")...)
	if code != exitOK || strings.Count(out, "own:"+mine) != 1 || !strings.Contains(out, "gavel-las") {
		t.Errorf("a study of a program: code %d\n%s%s", code, out, errs)
	}
	if _, errs, code := cli(t, "", strings.Fields(study+broken)...); code != exitUsage ||
		!strings.Contains(errs, "cannot be run") {
		t.Errorf("a study of a broken program: code %d, %s", code, errs)
	}
	a, _, _ := cli(t, "", strings.Fields("run --policy own:"+mine+" --format csv "+preset)...)
	b, _, _ := cli(t, "", strings.Fields("run --policy own:"+mine+" --set own.SIGN=-1 --format csv "+preset)...)
	if a == b {
		t.Error("a number of the program that is set changes nothing")
	}

	// A scenario's own program is varied by its pointer.
	saved, _, code := cli(t, "", strings.Fields("run --policy own:"+mine+" --with-scenario --format json "+preset)...)
	if code != exitOK || !strings.Contains(saved, "SIGN = 1") {
		t.Fatalf("the result does not hold the program: %d %.300s", code, saved)
	}
}

// TestTwinsByID: a policy that is named twice is one lane of the scenario after the other.
func TestTwinsByID(t *testing.T) {
	doc := `{"hadarlab":1,"scenario":{"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}}]},
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
		"jobs":[{"id":"j1","model":"m","steps":500,"gpus":1},{"id":"j2","model":"m","steps":100,"gpus":1}],
		"policies":[{"id":"own","params":{"key":"job.steps_left"}},{"id":"own","params":{"key":"job.arrival"}}]}}`
	both, errs, code := cli(t, doc, "run", "--format", "csv", "-")
	named, _, _ := cli(t, doc, "run", "--policy", "own,own", "--format", "csv", "-")
	lines := strings.Split(both, "\n")
	if code != exitOK || both != named || len(lines) < 3 || lines[1] == lines[2] {
		t.Errorf("code %d, %s\n%s\n%s", code, errs, both, named)
	}
}

// TestTemplatesRunAsPrinted: a program that template prints, with what its first line says to set, gives the finish
// times of the policy that it is.
func TestTemplatesRunAsPrinted(t *testing.T) {
	list, _, _ := cli(t, "", "template")
	if named, _, code := cli(t, "", "template", "--list"); code != exitOK || named != list {
		t.Errorf("--list: code %d, %s", code, named)
	}
	for i := range templates.All {
		p := &templates.All[i]
		if !strings.Contains(list, p.ID+" ") || !strings.Contains(list, p.Title) {
			t.Errorf("the list is without %s", p.ID)
		}
		text, errs, code := cli(t, "", "template", p.ID)
		if code != exitOK || errs != "" {
			t.Fatalf("template %s: code %d, %s", p.ID, code, errs)
		}
		file := filepath.Join(t.TempDir(), p.ID+".star")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"run", "--policy", "own:" + file + "," + p.Like, "--format", "json", "preset:whose-round"}
		if p.Like == "" {
			args[2] = "own:" + file
		}
		if head, says, _ := strings.Cut(text, "\n"); says != "" && strings.HasPrefix(head, "# Run it with ") {
			args = append(args, strings.Fields(strings.TrimSuffix(strings.TrimPrefix(head, "# Run it with"), "."))...)
		}
		var res message.Result
		if out, errs, code := cli(t, "", args...); code != exitOK || json.Unmarshal([]byte(out), &res) != nil {
			t.Fatalf("%v: code %d, %s", args, code, errs)
		}
		if p.Says != "" {
			continue
		}
		for k := range res.Runs[0].Jobs {
			if a, b := *res.Runs[0].Jobs[k].FinishS, *res.Runs[1].Jobs[k].FinishS; a != b {
				t.Errorf("%s: job %d is done at %v s, under %s at %v s", p.ID, k, a, p.Like, b)
			}
		}
	}
	for _, args := range []string{"template none", "template fifo las", "template --list fifo"} {
		if _, errs, code := cli(t, "", strings.Fields(args)...); code != exitUsage || !strings.Contains(errs, "(") {
			t.Errorf("%s: code %d, %s", args, code, errs)
		}
	}
}
