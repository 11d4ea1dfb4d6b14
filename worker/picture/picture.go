//go:build !js

// Package picture draws a scenario as a PNG, for the cards that chat programs show in place of a pasted link: they take
// no SVG. It shows the title, the machines and the jobs, and nothing of a result. Equal scenarios give equal bytes.
// Timeline draws a run, for documents that take none either.
//
// The edge has no room for fonts and shows the picture of the lab.
package picture

import (
	"bytes"
	"image"
	"image/color"
	idraw "image/draw"
	"image/png"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
)

// The size that the programs ask for, in px, and where things stand in it.
const (
	width, height = 1200, 630
	margin        = 56
	split         = 620 // where the jobs begin
	head          = 246 // where the rows begin
	row           = 52
	rows          = 6
	box           = 26
	most          = 6 // GPUs of a node that are drawn one by one
)

var (
	paper = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink   = color.RGBA{0x14, 0x18, 0x1d, 0xff}
	soft  = color.RGBA{0x56, 0x5c, 0x62, 0xff}
	brand = color.RGBA{0x4b, 0x3c, 0xa7, 0xff}
	hues  = [...]color.RGBA{{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
		{0xcc, 0x79, 0xa7, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0xf0, 0xe4, 0x42, 0xff},
		{0x9a, 0xa0, 0xa6, 0xff}}
)

// faces are the sizes of type. A face is not safe to be used by two at once.
type faces struct {
	mu                  sync.Mutex
	title, bold, normal font.Face
}

var loaded = sync.OnceValues(func() (*faces, error) {
	f := &faces{}
	for _, one := range []struct {
		to   *font.Face
		ttf  []byte
		size float64
	}{{&f.title, gobold.TTF, 54}, {&f.bold, gobold.TTF, 26}, {&f.normal, goregular.TTF, 26}} {
		parsed, err := opentype.Parse(one.ttf)
		if err != nil {
			return nil, err
		}
		if *one.to, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: one.size, DPI: 72,
			Hinting: font.HintingFull}); err != nil {
			return nil, err
		}
	}
	return f, nil
})

// PNG draws a preview.
func PNG(p *draw.Preview) ([]byte, error) {
	f, err := loaded()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	fill := func(r image.Rectangle, c color.Color) {
		idraw.Draw(img, r, image.NewUniform(c), image.Point{}, idraw.Src)
	}
	write := func(face font.Face, c color.Color, x, y int, text string) int {
		d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x, y)}
		d.DrawString(text)
		return d.Dot.X.Ceil()
	}
	fill(img.Bounds(), paper)
	fill(image.Rect(0, 0, width, 14), brand)
	for i, line := range lines(f.title, p.Title, width-2*margin, 2) {
		write(f.title, ink, margin, 96+i*64, line)
	}
	for i := range p.Nodes[:min(len(p.Nodes), rows)] {
		n, y := &p.Nodes[i], head+i*row
		write(f.normal, soft, margin, y+box-4, fit(f.normal, n.Name, 130))
		x := margin + 146
		for t, count := range n.GPUs {
			if count == 0 {
				continue
			}
			says := strconv.Itoa(count) + " " + figure.TypeTitle(p.Types[t])
			wide := font.MeasureString(f.bold, says).Ceil()
			boxes := min(count, most)
			if x+boxes*(box+5)+wide > split-30 {
				boxes = 0 // the figure says it
			}
			if x+wide > split-30 {
				break
			}
			for range boxes {
				fill(image.Rect(x, y, x+box, y+box), hues[7])
				x += box + 5
			}
			x = write(f.bold, ink, x+4, y+box-4, says) + 18
		}
	}
	for i := range p.Jobs[:min(len(p.Jobs), rows)] {
		j, y := &p.Jobs[i], head+i*row
		fill(image.Rect(split, y, split+box, y+box), hues[(j.Look.Hue+len(hues)-1)%len(hues)])
		write(f.bold, ink, split+box+14, y+box-4, fit(f.bold, j.Name, 120))
		write(f.normal, soft, split+box+150, y+box-4, fit(f.normal, j.Asks, width-margin-split-box-150))
	}
	more := func(x, listed, others int) {
		if n := others + max(listed-rows, 0); n > 0 {
			write(f.normal, soft, x, head+rows*row+box-8, "and "+strconv.Itoa(n)+" more")
		}
	}
	more(margin, len(p.Nodes), p.MoreNodes)
	more(split, len(p.Jobs), p.MoreJobs)
	write(f.bold, brand, width-margin-font.MeasureString(f.bold, "Hadarlab").Ceil(), height-36, "Hadarlab")
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), err
}

// known leaves out what the fonts lack: Latin, Greek and Cyrillic are there. A text of which most would be missing is
// left out whole; the card says it in letters of the reader's own.
func known(face font.Face, text string) string {
	lacks := 0
	kept := strings.Map(func(r rune) rune {
		if _, ok := face.GlyphAdvance(r); !ok {
			lacks++
			return -1
		}
		return r
	}, text)
	if 2*lacks > len([]rune(text)) {
		return ""
	}
	return kept
}

// fit is the text as far as it goes into a width in px.
func fit(face font.Face, text string, wide int) string {
	text = known(face, text)
	if font.MeasureString(face, text).Ceil() <= wide {
		return text
	}
	runes := []rune(text)
	for n := len(runes); n > 0; n-- {
		if s := strings.TrimSpace(string(runes[:n])) + "…"; font.MeasureString(face, s).Ceil() <= wide {
			return s
		}
	}
	return ""
}

// lines breaks a text at its spaces into at most n lines of a width in px.
func lines(face font.Face, text string, wide, n int) (out []string) {
	rest := strings.Fields(known(face, text))
	for len(rest) > 0 && len(out) < n {
		k := 1
		for k < len(rest) && font.MeasureString(face, strings.Join(rest[:k+1], " ")).Ceil() <= wide {
			k++
		}
		if len(out) == n-1 {
			k = len(rest)
		}
		out = append(out, fit(face, strings.Join(rest[:k], " "), wide))
		rest = rest[k:]
	}
	return out
}
