//go:build !js

package main

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// slide is the situation of a scenario as one picture for a wall: nodes with their GPUs, what a GPU does in a second,
// and how long each job would take alone on GPUs of one type. Its colours are its own, so that it can be put anywhere;
// 1280 units wide, no text is smaller than what reads as 28 px at 1080p.
type slide struct {
	b    strings.Builder
	p    *model.Problem
	list []model.Job // in the document's order
}

// Measures of a slide.
const (
	slideWide = 1280

	slideText  = 19
	slideHead  = 22
	slideTitle = 34
	slideTop   = 150 // of nodes and jobs
	slideFoot  = 690
	jobsAt     = 470 // x of jobs
	typesAt    = 690 // x of the GPU types of a job's bars
	barsAt     = 800
	barsWide   = 330

	inkColour, softColour, lineColour = "#14181d", "#414953", "#d8dce1"
)

// jobColours are those of jobs in the lab, fill and edge.
var jobColours = [...][2]string{{"#0072b2", "#00507d"}, {"#e69f00", "#8a5f00"}, {"#009e73", "#00614a"},
	{"#cc79a7", "#8a3f68"}, {"#56b4e9", "#1c6a97"}, {"#d55e00", "#8c3c00"}, {"#f0e442", "#766d00"},
	{"#9aa0a6", "#565c62"}}

// slideSVG draws the slide of a problem.
func slideSVG(p *model.Problem, title string) string {
	s := &slide{p: p, list: slices.Clone(p.Jobs)}
	slices.SortFunc(s.list, func(a, b model.Job) int { return int(a.Doc - b.Doc) })
	s.text(40, 60, slideTitle, inkColour, "bold", title)
	s.text(40, 120, slideHead, softColour, "bold", "Nodes and GPUs")
	heading, jobs := "Jobs, and how long each takes alone on one type", s.jobs
	if s.many() {
		heading, jobs = "Jobs, and within what half of them end alone on one type", s.sizes
	}
	s.text(jobsAt, 120, slideHead, softColour, "bold", heading)
	foot := s.nodes()
	if !s.many() { // whose models are too many for a table
		foot = s.speeds(foot)
	}
	high := max(foot, jobs()) + 30
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s" `+
		`font-family="-apple-system, Segoe UI, Roboto, Noto Sans, Arial, sans-serif">`+
		`<rect width="%[1]d" height="%[2]d" fill="#ffffff"/>`, slideWide, high,
		html.EscapeString(title+": "+s.says())) + s.b.String() + "</svg>\n"
}

func (s *slide) put(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

func (s *slide) text(x, y, size int, fill, weight, says string) {
	s.put(`<text x="%d" y="%d" font-size="%d" fill="%s" font-weight="%s">%s</text>`, x, y, size, fill, weight,
		html.EscapeString(says))
}

// square is a GPU.
func (s *slide) square(x, y, size int) {
	s.put(`<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="#eceff2" stroke="#7b848e" stroke-width="2"/>`, x, y,
		size, size)
}

// says is the slide in words.
func (s *slide) says() string {
	var parts []string
	if s.many() {
		for _, like := range s.alike() {
			parts = append(parts, fmt.Sprintf("%s have %d %s each", s.names(like), like[0].Cap,
				s.typeTitle(like[0].Type)))
		}
		for _, g := range s.bySize() {
			says := s.wants(g) + ", half of them"
			for _, t := range s.p.Cluster.BySpeed {
				if half, ok := s.half(g, t); ok {
					says += fmt.Sprintf(" up to %s on %s,", spoken(half), s.typeTitle(t))
				}
			}
			parts = append(parts, strings.TrimSuffix(says, ","))
		}
		return strings.Join(parts, "; ") + "."
	}
	for _, slot := range s.p.Cluster.Slots {
		parts = append(parts, fmt.Sprintf("%s has %d %s", s.p.Cluster.Nodes[slot.Node].Name, slot.Cap,
			s.typeTitle(slot.Type)))
	}
	for i := range s.list {
		j := &s.list[i]
		says := j.Name + " wants " + figure.Plural(nil, int(j.Shape.Size), "GPU")
		for _, t := range s.p.Cluster.BySpeed {
			if took, ok := s.alone(j, t); ok {
				says += fmt.Sprintf(", %s on %s", minutes(took), s.typeTitle(t))
			}
		}
		parts = append(parts, says)
	}
	return strings.Join(parts, "; ") + "."
}

func (s *slide) typeTitle(t model.TypeID) string { return figure.TypeTitle(s.p.Cluster.Types[t].Name) }

// alone is how long a job takes on GPUs of one type, in s; false where there are too few of them.
func (s *slide) alone(j *model.Job, t model.TypeID) (float64, bool) {
	size := j.Shape.Size
	if s.p.Cluster.Count(t) < size {
		return 0, false
	}
	tier := model.OneRack
	for _, slot := range s.p.Cluster.Slots {
		if slot.Type == t && slot.Cap >= size {
			tier = model.OneNode
		}
	}
	return s.p.Duration(j, func(tab *model.Throughput) unit.Rate { return tab.Rate(t, size, tier) }), true
}

// many says that there are too many jobs for a row each; then nodes that are alike stand in one row, too.
func (s *slide) many() bool { return len(s.list) > 12 }

// alike are the slots in rows: one each or, of many jobs, those of neighbours with as many GPUs of one type.
func (s *slide) alike() (rows [][]model.Slot) {
	for _, slot := range s.p.Cluster.Slots {
		if n := len(rows) - 1; s.many() && n >= 0 && rows[n][0].Type == slot.Type && rows[n][0].Cap == slot.Cap {
			rows[n] = append(rows[n], slot)
		} else {
			rows = append(rows, []model.Slot{slot})
		}
	}
	return rows
}

// names are the names of the nodes of a row.
func (s *slide) names(like []model.Slot) string {
	name := s.p.Cluster.Nodes[like[0].Node].Name
	if len(like) > 1 {
		name += "–" + s.p.Cluster.Nodes[like[len(like)-1].Node].Name
	}
	return name
}

// bySize are the jobs by how many GPUs they want, the fewest first.
func (s *slide) bySize() (groups [][]model.Job) {
	list := slices.Clone(s.list)
	slices.SortStableFunc(list, func(a, b model.Job) int { return int(a.Shape.Size) - int(b.Shape.Size) })
	for _, j := range list {
		if n := len(groups) - 1; n >= 0 && groups[n][0].Shape.Size == j.Shape.Size {
			groups[n] = append(groups[n], j)
		} else {
			groups = append(groups, []model.Job{j})
		}
	}
	return groups
}

// wants says how many jobs want how much.
func (s *slide) wants(g []model.Job) string {
	return fmt.Sprintf("%d of %s", len(g), figure.Plural(nil, int(g[0].Shape.Size), "GPU"))
}

// half is what half of some jobs take at most alone on a type, in s; false where there are too few GPUs of it.
func (s *slide) half(g []model.Job, t model.TypeID) (float64, bool) {
	var took []float64
	for i := range g {
		v, ok := s.alone(&g[i], t)
		if !ok {
			return 0, false
		}
		took = append(took, v)
	}
	slices.Sort(took)
	return took[(len(took)-1)/2], true
}

// spoken writes a time in s in the unit that suits it.
func spoken(s float64) string {
	switch {
	case s >= 2*3600:
		return figure.Sig(nil, s/3600, 3) + " h"
	case s < 120:
		return figure.Sig(nil, s, 2) + " s"
	}
	return figure.Sig(nil, s/60, 2) + " min"
}

// nodes draws the nodes, and says where they end.
func (s *slide) nodes() (y int) {
	rows := s.alike()
	high := min(62, 330/len(rows))
	for i, like := range rows {
		slot := like[0]
		y = slideTop + i*high
		s.put(`<rect x="40" y="%d" width="390" height="%d" rx="6" fill="none" stroke="%s" stroke-width="2"/>`, y, high-8,
			lineColour)
		middle := y + (high-8)/2
		s.text(52, middle+7, slideHead, inkColour, "bold", s.names(like))
		size, from := min(32, high-20), 100
		holds := fmt.Sprintf("%d × %s", slot.Cap, s.typeTitle(slot.Type))
		if len(like) > 1 {
			size, from = min(24, size), 160
			holds = fmt.Sprintf("%d × %d %s", len(like), slot.Cap, s.typeTitle(slot.Type))
		}
		for k := range int(slot.Cap) {
			s.square(from+k*(size+6), middle-size/2, size)
		}
		s.text(from+12+int(slot.Cap)*(size+6), middle+7, slideHead, inkColour, "normal",
			holds)
	}
	return y + high
}

// speeds is what one GPU does in a second, below the nodes; it says where that ends.
func (s *slide) speeds(from int) int {
	y := from + 36
	s.text(40, y, slideHead, softColour, "bold", "Steps a second of one GPU")
	column := 270 / len(s.p.Cluster.Types)
	for k, t := range s.p.Cluster.BySpeed {
		s.text(170+k*column, y+32, slideText, softColour, "normal", s.typeTitle(t))
	}
	y += 32
	seen := map[string]bool{}
	for i := range s.list {
		tab := &s.p.Tables[s.list[i].Phases[0].Tables[0]]
		if seen[tab.Name] {
			continue
		}
		seen[tab.Name] = true
		y += 28
		s.text(40, y, slideText, inkColour, "normal", s.list[i].Model)
		for k, t := range s.p.Cluster.BySpeed {
			s.text(170+k*column, y, slideText, inkColour, "normal",
				figure.Sig(nil, float64(tab.Rate(t, 1, model.OneNode)), 3))
		}
	}
	return y
}

// jobs draws the jobs with a bar for each GPU type, to one scale, and says where they end.
func (s *slide) jobs() int {
	most := 0.0
	for i := range s.list {
		for _, t := range s.p.Cluster.BySpeed {
			if took, ok := s.alone(&s.list[i], t); ok {
				most = max(most, took)
			}
		}
	}
	high := min(max(90, 34*len(s.p.Cluster.Types)+16), (slideFoot-slideTop)/len(s.list))
	row := min(34, (high-8)/len(s.p.Cluster.Types))
	for i := range s.list {
		j, y, colour := &s.list[i], slideTop+i*high, jobColours[i%len(jobColours)]
		if i > 0 {
			s.put(`<path d="M%d %dH1240" stroke="%s" stroke-width="2"/>`, jobsAt, y-5, lineColour)
		}
		s.put(`<rect x="%d" y="%d" width="14" height="%d" rx="3" fill="%s" stroke="%s" stroke-width="2"/>`, jobsAt, y,
			min(40, high-14), colour[0], colour[1])
		s.text(jobsAt+24, y+20, slideHead, inkColour, "bold", j.Name)
		s.text(jobsAt+70, y+20, slideText, inkColour, "normal", "wants "+figure.Plural(nil, int(j.Shape.Size), "GPU"))
		s.text(jobsAt+24, y+46, slideText, softColour, "normal", j.Model)
		if j.Arrive > 0 {
			s.text(jobsAt+24, y+72, slideText, softColour, "normal", "comes after "+minutes(j.Arrive.Seconds()))
		}
		for k, t := range s.p.Cluster.BySpeed {
			top := y + k*row
			s.text(typesAt, top+20, slideText, softColour, "normal", s.typeTitle(t))
			took, ok := s.alone(j, t)
			if !ok {
				s.text(barsAt, top+20, slideText, softColour, "normal", fmt.Sprintf("only %d there",
					s.p.Cluster.Count(t)))
				continue
			}
			wide := max(2, int(barsWide*took/most))
			s.put(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s" stroke-width="2"/>`, barsAt, top+3,
				wide, row-8, colour[0], colour[1])
			s.text(barsAt+wide+8, top+20, slideText, inkColour, "normal", minutes(took))
		}
	}
	return slideTop + len(s.list)*high
}

// sizes draws a row for each number of GPUs that jobs want, and says where they end.
func (s *slide) sizes() int {
	groups, most := s.bySize(), 0.0
	for _, g := range groups {
		for _, t := range s.p.Cluster.BySpeed {
			if half, ok := s.half(g, t); ok {
				most = max(most, half)
			}
		}
	}
	high := min(34*len(s.p.Cluster.Types)+16, (slideFoot-slideTop)/len(groups))
	row := min(34, (high-8)/len(s.p.Cluster.Types))
	for i, g := range groups {
		y, colour := slideTop+i*high, jobColours[i%len(jobColours)]
		if i > 0 {
			s.put(`<path d="M%d %dH1240" stroke="%s" stroke-width="2"/>`, jobsAt, y-5, lineColour)
		}
		s.text(jobsAt, y+20, slideHead, inkColour, "bold", s.wants(g))
		for k, t := range s.p.Cluster.BySpeed {
			top := y + k*row
			s.text(typesAt, top+20, slideText, softColour, "normal", s.typeTitle(t))
			if half, ok := s.half(g, t); ok {
				wide := max(2, int(barsWide*half/most))
				s.put(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s" stroke-width="2"/>`, barsAt,
					top+3, wide, row-8, colour[0], colour[1])
				s.text(barsAt+wide+8, top+20, slideText, inkColour, "normal", spoken(half))
			}
		}
	}
	return slideTop + len(groups)*high
}

// minutes writes a time in s.
func minutes(s float64) string {
	return figure.TrimZeros(nil, figure.Fixed(nil, s/60, 1)) + " min"
}
