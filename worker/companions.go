package worker

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// getPreview draws a stored scenario's cluster and jobs; nothing is run for it. It is somebody's text in a picture, so
// the browser is told to run nothing in it.
func (s *server) getPreview(w http.ResponseWriter, r *http.Request, id string) {
	row, doc, ok := s.stored(w, r, id)
	if !ok {
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // for slides and course pages
	if s.unchanged(w, r, row.Sum) {
		return
	}
	writeBytes(w, r, http.StatusOK, "image/svg+xml", []byte(preview(doc, row.Title).SVG()))
}

// preview is what the picture shows of a document.
func preview(d *scenario.Document, title string) *chart.Preview {
	p := &chart.Preview{Title: title}
	if title == "" {
		p.Title = "Untitled scenario"
	}
	nodes := d.Scenario.Cluster.Nodes
	jobs := unit.InOrder(d.Scenario.Jobs, func(a, b *scenario.Job) int { return cmp.Compare(a.ArrivalS, b.ArrivalS) }) // whose colours these are
	types := map[string]bool{}
	for i := range nodes {
		for t := range nodes[i].GPUs {
			types[t] = true
		}
	}
	p.Types = slices.Sorted(maps.Keys(types))
	for i := range nodes[:min(len(nodes), chart.PreviewRows)] {
		n := chart.PreviewNode{Name: nodes[i].ID}
		for _, t := range p.Types {
			n.GPUs = append(n.GPUs, nodes[i].GPUs[t])
		}
		p.Nodes = append(p.Nodes, n)
	}
	for i := range jobs[:min(len(jobs), chart.PreviewRows)] {
		j := &jobs[i]
		asks := plural(j.GPUs, "GPU") + ", " + strconv.FormatFloat(j.Steps, 'f', -1, 64) + " steps"
		if j.ArrivalS > 0 {
			asks += ", at " + strconv.FormatFloat(j.ArrivalS, 'f', -1, 64) + " s"
		}
		p.Jobs = append(p.Jobs, chart.PreviewJob{Name: j.ID, Asks: asks})
	}
	p.MoreNodes, p.MoreJobs = len(nodes)-len(p.Nodes), len(jobs)-len(p.Jobs)
	if d.Scenario.Generator != nil {
		p.Jobs = append(p.Jobs, chart.PreviewJob{Name: "drawn", Asks: "jobs are drawn from the seed"})
	}
	return p
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// getDifference says what one stored scenario changes of another.
func (s *server) getDifference(w http.ResponseWriter, r *http.Request) {
	from, a, ok := s.stored(w, r, r.PathValue("id"))
	if !ok {
		return
	}
	to, b, ok := s.stored(w, r, r.PathValue("other"))
	if !ok || s.unchanged(w, r, sum([]byte(from.Sum+to.Sum))) {
		return
	}
	type change struct {
		Path  string `json:"path"`
		Words string `json:"words"`
	}
	answer := struct {
		From    string   `json:"from"`
		To      string   `json:"to"`
		Changes []change `json:"changes"`
	}{from.ID, to.ID, []change{}}
	for _, c := range scenario.Compare(a, b, lab.Defaults()) {
		answer.Changes = append(answer.Changes, change(c))
	}
	out, _ := json.Marshal(answer) // strings always encode
	writeBytes(w, r, http.StatusOK, "application/json", append(out, '\n'))
}

// stored reads a row as a document; if it is not ok the problem has been answered.
func (s *server) stored(w http.ResponseWriter, r *http.Request, id string) (Scenario, *scenario.Document, bool) {
	row, err := s.find(r, id)
	if err != nil {
		s.fail(w, r, err)
		return row, nil, false
	}
	doc, diags := scenario.Parse(row.document(), scenario.ShareLimits)
	if doc == nil {
		invalid(w, r, diags.Errors())
		return row, nil, false
	}
	return row, doc, true
}

// unchanged sets what caches need of content that never changes, and answers a client that has it.
func (s *server) unchanged(w http.ResponseWriter, r *http.Request, sum string) bool {
	etag := `"` + sum[:16] + `"`
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("ETag", etag)
	if !matches(r, etag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// short answers /s/{id} with the page, /s/{id}.json with the document and /s/{id}.svg with its picture.
func (s *server) short(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("id")
	if id, ok := strings.CutSuffix(name, ".json"); ok {
		s.scenario(w, r, id)
	} else if id, ok := strings.CutSuffix(name, ".svg"); ok {
		s.getPreview(w, r, id)
	} else {
		s.page(w, r)
	}
}
