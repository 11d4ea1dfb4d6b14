package shared

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
	"hadarlab/worker/answer"
	"hadarlab/worker/vault"
)

// getPreview draws a stored scenario's cluster and jobs; nothing is run for it. It is somebody's text in a picture, so
// the browser is told to run nothing in it.
func (s *API) getPreview(w http.ResponseWriter, r *http.Request, id string) {
	doc, ok := s.stored(w, r, id)
	if !ok {
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // for slides and course pages
	answer.Made(w, r, "image/svg+xml", []byte(Preview(doc).SVG(nil)))
}

// getPicture is the same as a PNG, for cards of links.
func (s *API) getPicture(w http.ResponseWriter, r *http.Request, id string) {
	doc, ok := s.stored(w, r, id)
	if !ok {
		return
	}
	b, err := s.Picture(Preview(doc))
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	answer.Made(w, r, "image/png", b)
}

// Preview is what the picture shows of a document.
func Preview(d *scenario.Document) *draw.Preview {
	p := &draw.Preview{Title: d.Meta.Title}
	if p.Title == "" {
		p.Title = "Untitled scenario"
	}
	nodes := d.Scenario.Cluster.Nodes
	jobs := slices.Clone(d.Scenario.Jobs)
	unit.Sort(jobs, func(a, b scenario.Job) int { return cmp.Compare(a.ArrivalS, b.ArrivalS) })
	types := map[string]bool{}
	for i := range nodes {
		for t := range nodes[i].GPUs {
			types[t] = true
		}
	}
	p.Types = slices.Sorted(maps.Keys(types))
	for i := range nodes[:min(len(nodes), draw.PreviewRows)] {
		n := draw.PreviewNode{Name: nodes[i].ID}
		for _, t := range p.Types {
			n.GPUs = append(n.GPUs, nodes[i].GPUs[t])
		}
		p.Nodes = append(p.Nodes, n)
	}
	names := make([]string, len(jobs))
	for i := range jobs {
		names[i] = jobs[i].ID
	}
	looks := chart.Looks(names)
	for i := range jobs[:min(len(jobs), draw.PreviewRows)] {
		j := &jobs[i]
		asks := plural(j.GPUs, "GPU") + ", " + strconv.FormatFloat(j.Steps, 'f', -1, 64) + " steps"
		if j.ArrivalS > 0 {
			asks += ", at " + strconv.FormatFloat(j.ArrivalS, 'f', -1, 64) + " s"
		}
		p.Jobs = append(p.Jobs, draw.PreviewJob{Name: j.ID, Asks: asks, Look: looks[i]})
	}
	p.MoreNodes, p.MoreJobs = len(nodes)-len(p.Nodes), len(jobs)-len(p.Jobs)
	if d.Scenario.Generator != nil {
		p.Jobs = append(p.Jobs, draw.PreviewJob{Name: "drawn", Asks: "jobs are drawn from the seed",
			Look: chart.Looks([]string{"drawn"})[0]})
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
func (s *API) getDifference(w http.ResponseWriter, r *http.Request) {
	a, ok := s.stored(w, r, r.PathValue("id"))
	if !ok {
		return
	}
	b, ok := s.stored(w, r, r.PathValue("other"))
	if !ok {
		return
	}
	type change struct {
		Path  string `json:"path"`
		Words string `json:"words"`
	}
	differs := struct {
		From    string   `json:"from"`
		To      string   `json:"to"`
		Changes []change `json:"changes"`
	}{contentID(r.PathValue("id")), contentID(r.PathValue("other")), []change{}}
	for _, c := range scenario.Compare(nil, a, b, s.Defaults) {
		differs.Changes = append(differs.Changes, change(c))
	}
	out, _ := json.Marshal(differs) // strings always encode
	answer.Made(w, r, "application/json", append(out, '\n'))
}

// stored reads what a link names as a document; if it is not ok the problem has been answered.
func (s *API) stored(w http.ResponseWriter, r *http.Request, id string) (*scenario.Document, bool) {
	sh, err := s.Find(r.Context(), id)
	if err != nil {
		s.Fail(w, r, err)
		return nil, false
	}
	text := sh.Document()
	if len(text) > vault.SmallDoc { // it takes as long to read as one that is sent
		done, ok := s.Gate.Reads(w, r, "")
		if !ok {
			return nil, false
		}
		defer done()
	}
	lim := scenario.SharedLimits // it was checked as it came, which may have been shorter
	doc, diags := scenario.Parse(text, lim)
	if doc == nil {
		answer.Invalid(w, r, diags.Errors())
		return nil, false
	}
	return doc, true
}

// File answers with what a name with a suffix names: ID.json the document, ID.svg its picture and ID.png that for
// programs that show no other. False says that the name has none of these.
func (s *API) File(w http.ResponseWriter, r *http.Request, name string) bool {
	if id, ok := strings.CutSuffix(name, ".json"); ok {
		s.scenario(w, r, id)
	} else if id, ok := strings.CutSuffix(name, ".svg"); ok {
		s.getPreview(w, r, id)
	} else if id, ok := strings.CutSuffix(name, ".png"); ok && s.Picture != nil {
		s.getPicture(w, r, id)
	} else {
		return false
	}
	return true
}
