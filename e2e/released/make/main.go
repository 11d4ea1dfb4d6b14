// Command make writes the archive of a release by running its program: `make corpus`.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"hadarlab/core/class"
	"hadarlab/e2e/released"
	of "hadarlab/worker/release"
)

const dir = "e2e/released"

func main() {
	program := flag.String("program", "bin/hadarlab", "`FILE` of the release's program")
	source := flag.String("source", ".", "`DIR` of its sources")
	name := flag.String("name", of.Version, "`NAME` of the archive: the version, and what else tells it apart")
	flag.Parse()
	if err := write(*program, *source, *name); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// write makes the archive and its line in SHA256SUMS.
func write(program, source, name string) error {
	version, _, _ := strings.Cut(name, "-")
	if _, there := released.Sums()[name]; there && version != of.Version {
		return fmt.Errorf("%s is frozen: what a release wrote does not change (this is %s)", name, of.Version)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	r := &release{program: program, source: source, files: map[string][]byte{}}
	if err := r.all(); err != nil {
		return err
	}
	b, err := released.Pack(r.files)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".tar.gz"), b, 0o644); err != nil {
		return err
	}
	recorded, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		return err
	}
	sums := released.ParseSums(recorded)
	sums[name] = released.Sum(b)
	var lines []string
	for name, sum := range sums {
		lines = append(lines, sum+"  "+name+".tar.gz\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	fmt.Printf("%s: %d files, %d bytes\n", name, len(r.files), len(b))
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}

// release is a program that is asked for all that it writes.
type release struct {
	program, source string
	files           map[string][]byte
	url             string
	code            string
	tokens          map[string]string
	requests        []released.Request
}

// says is what a command prints.
func (r *release) says(in []byte, args ...string) ([]byte, error) {
	cmd := exec.Command(r.program, args...)
	cmd.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out, nil
}

// keep keeps what a command prints.
func (r *release) keep(file string, in []byte, args ...string) error {
	out, err := r.says(in, args...)
	r.files[file] = out
	return err
}

func (r *release) all() error {
	data, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	server := exec.CommandContext(ctx, r.program, "serve", "--addr", "127.0.0.1:0", "--data", data)
	said, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { _ = server.Wait() }()
	defer stop()
	buf := make([]byte, 4096)
	n, err := said.Read(buf)
	if err != nil {
		return err
	}
	if r.url = regexp.MustCompile(`http://[\w.:]+`).FindString(string(buf[:n])); r.url == "" {
		return fmt.Errorf("the server says %q", buf[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	for _, step := range []func() error{r.itself, r.documents, r.results, r.class} {
		if err := step(); err != nil {
			return err
		}
	}
	r.files["requests.json"], err = json.Marshal(r.requests)
	return err
}

// itself is what the program says of itself.
func (r *release) itself() error {
	help, err := r.says(nil, "--help")
	if err != nil {
		return err
	}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+)  `).FindAllStringSubmatch(string(help), -1) {
		if err := r.keep("help/"+m[1]+".txt", nil, m[1], "--help"); err != nil {
			return err
		}
	}
	if err := r.keep("policies.json", nil, "policies", "--format", "json"); err != nil {
		return err
	}
	if err := r.keep("schema.json", nil, "schema"); err != nil {
		return err
	}
	r.files["openapi.json"], err = r.ask("GET /api/v1/openapi.json", "", nil)
	return err
}

// documents are the presets, the assignments' scenarios, the examples and two documents with every member.
func (r *release) documents() error {
	var list []released.Document
	for _, pattern := range []string{"scenarios/presets/*.json", "scenarios/assignments/*.json",
		"scenarios/examples/generated.json", "core/scenario/testdata/*.json"} {
		files, err := filepath.Glob(filepath.Join(r.source, pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			var assignment struct {
				Kind     string
				Scenario json.RawMessage
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			if json.Unmarshal(b, &assignment) == nil && assignment.Kind == class.Kind {
				b, name = assignment.Scenario, "assignment-"+name
			}
			d := released.Document{Name: name}
			link, err := r.says(b, "link", "encode", "-")
			if err != nil {
				return err
			}
			d.Link = strings.TrimSpace(string(link))
			r.files["documents/"+name+".json"] = b
			if err := r.keep("documents/"+name+".human.json", nil, "link", "decode", d.Link); err != nil {
				return err
			}
			answer, err := r.ask("POST /api/v1/scenarios", "", b)
			if err != nil {
				return err
			}
			var stored struct{ ID, URL string }
			if err := json.Unmarshal(answer, &stored); err != nil {
				return err
			}
			d.ID = stored.ID
			if r.files["documents/"+name+".canonical.json"], err = r.ask(
				"GET /api/v1/scenarios/"+stored.URL[strings.LastIndex(stored.URL, "/")+1:], "", nil); err != nil {
				return err
			}
			list = append(list, d)
		}
	}
	b, err := json.MarshalIndent(list, "", " ")
	r.files["documents.json"] = b
	if err != nil {
		return err
	}
	return r.links()
}

// links are those of every codec that the release's tests open, with what they are to its program.
func (r *release) links() error {
	var list []released.Document
	for _, of := range []string{"link", "scenario"} { // where they stood before links had a package
		b, err := os.ReadFile(filepath.Join(r.source, "core", of, "testdata/golden_links.txt"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		for line := range strings.Lines(string(b)) {
			cells := strings.Split(strings.TrimSpace(line), "\t")
			d := released.Document{Name: cells[1], Link: cells[2]}
			doc, err := r.says(nil, "link", "decode", d.Link)
			if err != nil {
				return err
			}
			answer, err := r.ask("POST /api/v1/scenarios", "", doc)
			if err != nil {
				return err
			}
			var stored struct{ ID string }
			if err := json.Unmarshal(answer, &stored); err != nil {
				return err
			}
			d.ID = stored.ID
			list = append(list, d)
		}
	}
	b, err := json.MarshalIndent(list, "", " ")
	r.files["links.json"] = b
	return err
}

// results are those of runs, of seeds and of a sweep, and the traces of a run.
func (r *release) results() error {
	const small = "preset:two-jobs-three-gpus"
	drawn, ok := r.files["documents/drawn.json"]
	if !ok { // before there was one
		drawn = []byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[` +
			`{"id":"n1","gpus":{"v100":8,"k80":8}}]},"throughputs":{"rows":[]},"jobs":{"generator":{"count":20}}}}`)
	}
	for file, args := range map[string][]string{
		"results/run.json": {"run", "--format", "json", "--with-scenario", small},
		"results/tie.json": {"run", "--format", "json", "--with-scenario", "preset:exact-tie"},
		"results/replicates.json": {"run", "--format", "json", "--with-scenario", "--replicates", "2", "--policy",
			"srtf,gavel-ftf", "-"},
		"results/sweep.json": {"sweep", "--format", "json", "--vary", "/scenario/round_s=60,360", small},
	} {
		if err := r.keep(file, drawn, args...); err != nil {
			return err
		}
	}
	doc := r.files["documents/two-jobs-three-gpus.json"]
	id := ""
	for _, body := range []string{
		`{"scenario":` + string(doc) + `}`,
		`{"scenario":` + string(doc) + `,"policies":["gavel",{"id":"hadar","params":{"cost":"round"}}]}`,
		`{"scenario":` + string(drawn) + `,"policies":["fifo"],"replicates":2}`,
	} {
		answer, err := r.ask("POST /api/v1/runs", "", []byte(body))
		if err != nil {
			return err
		}
		var run struct{ ID string }
		if err := json.Unmarshal(answer, &run); err != nil {
			return err
		}
		if id == "" {
			id = run.ID
		}
	}
	if _, err := r.ask("POST /api/v1/sweeps", "", []byte(`{"scenario":`+string(doc)+
		`,"vary":[{"path":"/scenario/round_s","values":[60,360]}],"policies":["hadar"]}`)); err != nil {
		return err
	}
	if _, err := r.ask("GET /api/v1/runs/"+id+"/events", "", nil); err != nil { // it ends with the run
		return err
	}
	var err error
	if r.files["traces/result.json"], err = r.ask("GET /api/v1/runs/"+id+"/result", "", nil); err != nil {
		return err
	}
	var res struct{ Runs []struct{ Policy string } }
	if err := json.Unmarshal(r.files["traces/result.json"], &res); err != nil {
		return err
	}
	for i := range res.Runs {
		at := fmt.Sprintf("GET /api/v1/runs/%s/trace/%d", id, i)
		if r.files[fmt.Sprintf("traces/%d.trace", i)], err = r.ask(at, "", nil); err != nil {
			return err
		}
	}
	return nil
}

// class leads a class of one through an assignment, and keeps all its files. Releases before classes have none.
func (r *release) class() error {
	file := filepath.Join(r.source, "scenarios/assignments/hadar-vs-gavel.json")
	doc, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var assignment struct {
		Scenario  json.RawMessage
		Questions []struct {
			ID      string
			Options []struct{ ID string }
		}
	}
	if err := json.Unmarshal(doc, &assignment); err != nil {
		return err
	}
	r.files["class/assignment.json"] = doc
	answers := map[string]any{}
	for _, q := range assignment.Questions {
		answers[q.ID] = map[string]any{"option": q.Options[0].ID, "sure": 3}
	}
	hand := func(v map[string]any) []byte { b, _ := json.Marshal(v); return b }
	changed := bytes.Replace(assignment.Scenario, []byte(`"round_s": 360`), []byte(`"round_s": 480`), 1)
	if bytes.Equal(changed, assignment.Scenario) {
		return errors.New("the assignment has no round_s of 360")
	}
	const one = "/api/v1/classes/{code}"
	r.tokens = map[string]string{}
	for _, s := range []struct {
		op, as string
		body   []byte
	}{
		{"POST /api/v1/classes", "", []byte(`{"assignment":"hadar-vs-gavel"}`)},
		{"POST " + one + "/students", "", []byte(`{"tag":"seat 4"}`)},
		{"PATCH " + one, "key", []byte(`{"phase":"predict"}`)},
		{"POST " + one + "/entries", "student", hand(map[string]any{"kind": "answers", "answers": answers})},
		{"PATCH " + one, "key", []byte(`{"phase":"run"}`)},
		{"POST " + one + "/entries", "student", hand(map[string]any{"kind": "sentence", "text": "Both wait."})},
		{"PATCH " + one, "key", []byte(`{"phase":"change","minutes":0}`)},
		{"POST " + one + "/entries", "student", hand(map[string]any{"kind": "submission",
			"scenario": json.RawMessage(changed), "engine": "0", "lanes": []any{}})},
		{"PATCH " + one, "key", []byte(`{"phase":"closed","locked":true,"revealed":[]}`)},
	} {
		answer, err := r.ask(s.op, s.as, s.body)
		if err != nil {
			return err
		}
		var told struct{ Code, Key, Token string }
		if err := json.Unmarshal(answer, &told); err != nil {
			return err
		}
		if told.Key != "" {
			r.code, r.tokens["key"] = told.Code, told.Key
		}
		if told.Token != "" {
			r.tokens["student"] = told.Token
		}
	}
	for _, file := range []string{"record.json", "students.csv", "attempts.csv"} {
		if r.files["class/"+file], err = r.ask("GET "+one+"/"+file, "key", nil); err != nil {
			return err
		}
	}
	a, diags := class.Parse(doc)
	if a == nil {
		return fmt.Errorf("%v", diags)
	}
	var record class.Record
	if err := json.Unmarshal(r.files["class/record.json"], &record); err != nil {
		return err
	}
	// A page without a server writes a hand-in by the same struct.
	r.files["class/handin.json"], err = json.Marshal(class.HandIn{Kind: class.HandInKind, Version: class.Version,
		Assignment: a.ContentID(), Name: "calm otter", Engine: record.Engine, Entries: record.Entries})
	return err
}

// ask sends a request to the release's server and keeps it, if it changes something. It waits a while when it is told
// to come back.
func (r *release) ask(op, as string, body []byte) ([]byte, error) {
	method, path, _ := strings.Cut(op, " ")
	for {
		req, err := http.NewRequest(method, r.url+strings.Replace(path, "{code}", r.code, 1), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		if as != "" {
			req.Header.Set("Authorization", "Bearer "+r.tokens[as])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		switch {
		case err != nil:
			return nil, err
		case res.StatusCode == http.StatusTooManyRequests:
			time.Sleep(2 * time.Second)
			continue
		case res.StatusCode >= 300:
			return nil, fmt.Errorf("%s: %d %s", op, res.StatusCode, b)
		}
		if method != "GET" && path != "/api/v1/scenarios" { // those stand in documents
			r.requests = append(r.requests, released.Request{Op: op, As: as, Body: body})
		}
		return b, nil
	}
}
