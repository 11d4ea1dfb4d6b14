package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/insights"
	"hadarlab/core/message"
	"hadarlab/scenarios"
)

// TestLargerRun: the board has the server run more, stops that, and runs something else; a wall and a phone see how far
// it is and what came of it, which is what the command line says, and the phone opens that in the lab.
func TestLargerRun(t *testing.T) {
	t.Parallel()
	s := native(t)
	l := newLesson(t, s, "hadar-vs-gavel")
	phoned, wall, p := newPage(t), newPage(t), newKeepingPage(t)
	phoned.look(phone, false)
	phoned.join(l, "lobby")
	l.set(`{"phase":"predict"}`)
	phoned.screen("predict")
	phoned.answers("answers", "sooner", "hadar", "3", "by", "10-30", "3")
	wall.look(size{1920, 1080}, false)
	wall.open(s.url + "/#wall=" + l.Code)
	p.look(size{1280, 900}, false)
	p.open(s.url + "/#board=" + l.Code + "." + l.Key)
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	if n := p.count(test("sheet-larger")); n != 0 {
		t.Error("a larger run is offered before the run, which it would tell")
	}
	l.set(`{"phase":"run"}`)
	phoned.screen("done")
	p.click(test("sheet-larger"))
	p.see(test("larger-values"))
	p.window("larger-board-choices")

	p.click(test("larger-480"))
	p.until(`/: [1-9]\d* of 40 done/.test(document.querySelector("[data-test=larger-progress]")?.textContent)`)
	p.window("larger-board-runs")
	wall.until(`/: [1-9]\d* of 40 done/.test(document.querySelector("[data-test=wall-larger]")?.textContent)`)
	phoned.until(`/: [1-9]\d* of 40 done/.test(document.querySelector("[data-test=larger]")?.textContent)`)
	phoned.window("larger-phone-runs")
	l.set(`{"wall":{"shows":"larger"}}`)
	wall.until(`document.querySelector("[data-test=wall]").dataset.picture === "larger"`)
	wall.window("larger-wall-runs")
	p.click(test("larger-stop"))
	p.see(test("larger-seeds-20"))
	wall.until(`document.querySelector("[data-test=wall]").dataset.picture === "lanes"`)
	phoned.until(`document.querySelector("[data-test=larger]").hidden`)

	p.click(test("larger-seeds-20"))
	p.see(test("larger-says"))
	p.window("larger-board-done")
	p.click(test("larger-up"))
	wall.see(test("wall-larger-says"))
	want := replicated(t, "hadar-vs-gavel", 20)
	said := insights.Means(nil, []string{"Hadar", "Gavel"}, &message.SweepPoint{Summary: want}).Claim
	if got := plain(wall.text(test("wall-larger-says"))); got != said {
		t.Errorf("the wall says %q, the command line %q", got, said)
	}
	for i := range want.Policies {
		for _, e := range want.Policies[i].Metrics {
			got := wall.text(fmt.Sprintf("%s:nth-child(%d)", test("wall-mean"), i+1))
			if mean := fmt.Sprintf("%.2f", e.Mean/60); e.Metric == "avg_jct_s" && !strings.Contains(got, mean) {
				t.Errorf("%s has %q on the wall, %s min by the command line", want.Policies[i].Policy, got, mean)
			}
		}
	}
	if axis := eval[string](wall, `document.querySelector(".wall [data-role=whiskers]").textContent`); !strings.Contains(axis, "min") {
		t.Errorf("the wall’s axis is %q, without its unit", axis)
	}
	wall.fitsWall(t, "larger-wall-means")
	l.set(`{"wall":{"shows":"larger","larger":3}}`)
	wall.until(`document.querySelector("[data-test=wall]").dataset.larger === "3"`)
	wall.fitsWall(t, "larger-wall-largest")
	l.set(`{"wall":{"shows":"larger"}}`)
	phoned.see(test("larger-open"))
	phoned.window("larger-phone-done")
	phoned.fits("larger")
	link := eval[string](phoned, `document.querySelector("[data-test=larger-open]").href`)
	phoned.open("about:blank")
	phoned.open(link)
	phoned.see(test("sure-says"))
	if n := eval[int](phoned, `+document.querySelector("[data-test=sure] [data-test=many-progress]").dataset.done`); n != 40 {
		t.Errorf("the lab has %d runs", n)
	}

	p.click(test("larger-stop"))
	p.see(test("larger-values"))
	p.click(test("larger-vary"))
	p.see(test("larger-says"))
	p.click(test("larger-up"))
	wall.see("[data-picture=larger] [data-role=vary]")
	wall.fitsWall(t, "larger-wall-values")
	wall.accessible("the wall's larger run")
}

// fitsWall holds the wall to what TestWall does.
func (p *page) fitsWall(t *testing.T, name string) {
	t.Helper()
	p.frames()
	p.window(name)
	var least float64
	said := eval[string](p, smallest)
	fmt.Sscanf(said, "%f", &least)
	if least < 27.9 {
		t.Errorf("%s: %s px at 1080p", name, said)
	}
	p.look(size{1280, 720}, true)
	p.frames()
	p.window(name + "-720")
	if over := eval[string](p, wallOver); over != "0 0" {
		t.Errorf("%s: %s px over at 1280 × 720", name, over)
	}
	if high := eval[float64](p, `document.querySelector(".wall [data-role=stage]").getBoundingClientRect().height`); high < 90 {
		t.Errorf("%s: the picture is %v px high", name, high)
	}
	p.look(size{1920, 1080}, false)
}

// replicated is what the command line makes of an assignment's scenario with so many seeds.
func replicated(t *testing.T, assignment string, seeds int) *message.Summary {
	t.Helper()
	text, _ := scenarios.Assignment(assignment)
	a, _ := class.Parse(text)
	file := filepath.Join(t.TempDir(), "scenario.json")
	if err := os.WriteFile(file, a.Scenario, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(root, "bin/hadarlab"), "run", "--replicates", fmt.Sprint(seeds),
		"--length-noise", "0.1", "--format", "json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var result message.Result
	if err := json.Unmarshal(out, &result); err != nil || result.Summary == nil {
		t.Fatal(err, "no summary")
	}
	return result.Summary
}
