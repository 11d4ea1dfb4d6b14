package e2e

import (
	"strings"
	"testing"
)

// TestRelativeSpeeds: one button makes a row relative, with the steps of its jobs, as one edit.
func TestRelativeSpeeds(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	p.click(test("editor-open"))
	p.see(test("editor-speeds"))
	steps, before := test("editor-job-steps", "job", "j1"), p.hash("hadar")
	v100 := ".sheet " + test("editor-speed", "model", "resnet-50", "type", "v100")
	was := p.input(v100) + " " + p.input(steps)
	p.click(test("editor-normalise"))
	after := p.settles("hadar", before)
	if got := p.input(v100) + " " + p.input(steps); got != "1 2,867" { // 12,600 steps at 4.395 steps/s
		t.Errorf("speed and steps are %s, before %s", got, was)
	}
	if p.count(test("editor-normalise")+":disabled") != 1 {
		t.Error("a relative row can be made relative again")
	}
	if said := p.text(test("history")); !strings.Contains(said, "speeds relative to V100, steps of 3 jobs converted") {
		t.Errorf("the history says %q", said)
	}
	p.shots("normalise")
	p.click(test("undo"))
	p.settles("hadar", after)
	if got := p.input(v100) + " " + p.input(steps); got != was || p.hash("hadar") != before {
		t.Errorf("after undo speed and steps are %s, before %s", got, was)
	}
}
