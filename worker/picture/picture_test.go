//go:build !js

package picture

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
)

func preview(title string) *draw.Preview {
	looks := chart.Looks([]string{"j1", "j2", "j3"})
	p := &draw.Preview{Title: title, Types: []string{"k80", "v100"},
		Nodes: []draw.PreviewNode{{Name: "n1", GPUs: []int{0, 4}}, {Name: "n2", GPUs: []int{2, 64}},
			{Name: strings.Repeat("long", 30), GPUs: []int{1, 0}}}, MoreNodes: 3}
	for i, l := range looks {
		p.Jobs = append(p.Jobs, draw.PreviewJob{Name: []string{"j1", "j2", strings.Repeat("j", 80)}[i],
			Asks: "4 GPUs, 12000 steps", Look: l})
	}
	return p
}

// TestPNG: a picture of the size that is asked for, with something on it, the same each time, whatever the title is.
func TestPNG(t *testing.T) {
	seen := map[string]string{}
	for _, title := range []string{"Odd GPUs out", "", "\u202eevil", strings.Repeat("Wide ", 60),
		strings.Repeat("W", 500),
		"漢字漢字", "<b>&amp;</b>", "Жадность", strings.Repeat("\u200b", 80)} {
		b, err := PNG(preview(title))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds().Dx() != width || img.Bounds().Dy() != height {
			t.Errorf("%.20q: %v", title, img.Bounds())
		}
		if again, err := PNG(preview(title)); err != nil || !bytes.Equal(b, again) {
			t.Errorf("%.20q: drawn twice it differs, %v", title, err)
		}
		if twin, ok := seen[string(b)]; ok && strings.Trim(title+twin, "漢字\u200b") != "" {
			t.Errorf("%.20q and %.20q look the same", title, twin)
		}
		seen[string(b)] = title
		for x := range margin - 8 { // nothing runs out of the picture
			for y := 20; y < height; y++ {
				if img.At(x, y) != img.At(0, 20) || img.At(width-1-x, y) != img.At(0, 20) {
					t.Fatalf("%.20q: ink at the edge, %d, %d", title, x, y)
				}
			}
		}
	}
}
