package imports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// TestAnswerIsRead: who is asked by a message reads the same document with the same report as Read, whichever scenario
// stands in the page, and a page makes the same document of what is sent.
func TestAnswerIsRead(t *testing.T) {
	const trace = "id,model,arrival_s,gpus,steps\na,resnet-50,0,1,500\nb,none,1,1,500\nc,resnet-50,5,2,700\n"
	preset := func(name string) []byte {
		text, ok := scenarios.Preset(name)
		if !ok {
			t.Fatalf("there is no preset %s", name)
		}
		return text
	}
	odd := preset("odd-gpus-out")
	faulty := bytes.Replace(odd, []byte(`"jobs"`), []byte(`"round_s":-5,"jobs"`), 1)
	kept := 0
	for i, text := range [][]byte{odd, faulty, preset("pollux-world"), preset("rent-by-the-hour"),
		[]byte(`{"kind":"scenario","version":1}`)} {
		stands, found := scenario.Parse(text, scenario.FileLimits)
		if i == 1 && !found.HasErrors() {
			t.Fatal("the faulty one is not")
		}
		want, report, found := Read(strings.NewReader(trace), "", Options{Template: stands, ArrivalDivisor: 2})
		other := *stands
		other.Scenario.Jobs, other.Scenario.Generator = nil, nil
		answer, document := Answer(&message.ImportRequest{Template: other.Marshal(false), Divisor: 2, Most: 2},
			[]byte(trace))
		told, _ := json.Marshal(answer)
		direct, _ := json.Marshal(message.Imported{Report: report, Errors: found.Errors()})
		if string(told) != string(direct) {
			t.Errorf("document %d: told is %s, read %s", i, told, direct)
		}
		if want == nil {
			if len(document) > 0 {
				t.Errorf("document %d: there are errors, and a document", i)
			}
			continue
		}
		kept++
		got, _ := scenario.Parse(document, scenario.FileLimits)
		if got == nil || string(got.Marshal(false)) != string(want.Marshal(false)) {
			t.Errorf("document %d: sent is\n%s\nread\n%s", i, document, want.Marshal(false))
		}
	}
	if kept < 2 {
		t.Errorf("only %d scenarios have speeds for the trace", kept)
	}
	answer, document := Answer(&message.ImportRequest{Format: "gavel", Cluster: "v100=5", Speeds: "v100=1", PerNode: 2},
		[]byte("ResNet-18 (batch size 32)\tx\ty\t--steps\t1\t4000\t2\t1\t-1\t0\n"))
	if len(document) > 0 || len(answer.Errors) > 0 || answer.Report.Jobs != 1 {
		t.Errorf("more jobs than are asked for come as %q, %+v", document, answer)
	}
}
