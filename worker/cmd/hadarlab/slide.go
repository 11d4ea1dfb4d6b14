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
	s.text(jobsAt, 120, slideHead, softColour, "bold", "Jobs, and how long each takes alone on one type")
	high := max(s.speeds(s.nodes()), s.jobs()) + 30
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

// nodes draws the nodes, and says where they end.
func (s *slide) nodes() (y int) {
	slots := s.p.Cluster.Slots
	high := min(62, 330/len(slots))
	for i, slot := range slots {
		y = slideTop + i*high
		s.put(`<rect x="40" y="%d" width="390" height="%d" rx="6" fill="none" stroke="%s" stroke-width="2"/>`, y, high-8,
			lineColour)
		middle := y + (high-8)/2
		s.text(52, middle+7, slideHead, inkColour, "bold", s.p.Cluster.Nodes[slot.Node].Name)
		size := min(32, high-20)
		for k := range int(slot.Cap) {
			s.square(100+k*(size+6), middle-size/2, size)
		}
		s.text(112+int(slot.Cap)*(size+6), middle+7, slideHead, inkColour, "normal",
			fmt.Sprintf("%d × %s", slot.Cap, s.typeTitle(slot.Type)))
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

// minutes writes a time in s.
func minutes(s float64) string {
	return figure.TrimZeros(nil, figure.Fixed(nil, s/60, 1)) + " min"
}
