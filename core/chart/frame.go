package chart

// Frame is where the rows of a lane lie, in px from its top.
type Frame struct {
	Width    float64   // assumed width of the plot; decides only which labels fit
	RowH     float64   // of a row that is not folded
	Top      []float64 // of each row
	High     []float64 // of each row
	Groups   []Group   // from the top
	WaitY    float64   // top of the waiting rows
	WaitRows int32     // pills are stacked on so many rows; 0 = a curve of their number instead
	DoneY    float64
	Height   float64
	shrunk   bool
}

// Heights and distances in px.
const (
	WaitH      = 20 // one row of pills
	WaitCurveH = 34 // the curve in their place
	DoneH      = 20 // one row of ends
	// maxWaitRows is how many jobs may wait at once before a curve shows their number.
	maxWaitRows = 3
	// LabelH is the least height of a bar that carries its name.
	LabelH = 12
	// maxGap is the most px between two nodes.
	MaxGap = 8
	// maxNamed is how many nodes get as much height as their names need, and maxLarge how many as large ones do.
	maxNamed, nameH  = 40, 13
	maxLarge, largeH = 16, 17
)

// The most px that the GPUs of a folded node and those of a type share.
const (
	foldH = 17
	typeH = 40
)

// NewFrame lays out a lane for a plot of about width px, a row for each GPU.
func NewFrame(l *Lane, width float64) *Frame { return layOut(l, l.nodes(), width) }

func layOut(l *Lane, groups []Group, width float64) *Frame {
	rows, folds := 0, 0
	for i := range groups {
		if groups[i].Folded {
			folds++
		} else {
			rows += len(groups[i].Rows)
		}
	}
	f := &Frame{Width: width, RowH: rowHeight(rows), WaitRows: max(1, l.WaitRows), Top: make([]float64, len(l.Rows)),
		High: make([]float64, len(l.Rows)), Groups: groups}
	gap := float64(MaxGap)
	switch {
	case f.RowH < 5:
		gap = 2
	case f.RowH < 13 || folds > 8:
		gap = 4
	}
	y := 0.0
	for i := range groups {
		g := &groups[i]
		g.Top = y
		high := f.RowH
		if len(groups) <= maxLarge {
			high = max(high, largeH/float64(len(g.Rows)))
		} else if len(groups) <= maxNamed {
			high = max(high, (nameH-gap)/float64(len(g.Rows)))
		}
		switch {
		case g.Folded && g.Node < 0:
			high = min(19, typeH/float64(len(g.Rows)))
		case g.Folded:
			high = foldH / float64(len(g.Rows))
		}
		for _, r := range g.Rows {
			f.Top[r], f.High[r] = y, high
			y += high
		}
		g.Height = y - g.Top
		y += gap
	}
	f.WaitY = y - gap + 4
	high := float64(f.WaitRows) * WaitH
	if f.WaitRows > maxWaitRows {
		f.WaitRows, high = 0, WaitCurveH
	}
	f.DoneY = f.WaitY + high + 1
	f.Height = f.DoneY + DoneH
	return f
}

// Grow makes the rows of GPUs k times as high, and moves what lies below them.
func (f *Frame) Grow(k float64) {
	more := 0.0
	for i := range f.Groups {
		g := &f.Groups[i]
		g.Top += more
		for _, r := range g.Rows {
			f.Top[r] = g.Top + float64(k*(f.Top[r]+more-g.Top))
			f.High[r] *= k
		}
		more += float64((k - 1) * g.Height)
		g.Height *= k
	}
	f.RowH *= k
	f.shrunk = k < 1
	f.WaitY, f.DoneY, f.Height = f.WaitY+more, f.DoneY+more, f.Height+more
}

// Shrunk says that rows are lower than they are laid out: what stands beside them may have no room.
func (f *Frame) Shrunk() bool { return f.shrunk }

// Span is the top and the height in px of n adjacent rows of a slot.
func (f *Frame) Span(row, n int32) (top, high float64) {
	return f.Top[row], f.Top[row+n-1] + f.High[row+n-1] - f.Top[row]
}

// rowHeight is the height in px of one of n GPUs.
func rowHeight(n int) float64 {
	for _, c := range []struct {
		most int
		h    float64
	}{{8, 21}, {12, 19}, {20, 17}, {36, 9}, {60, 6}, {120, 4}} {
		if n <= c.most {
			return c.h
		}
	}
	return max(0.5, float64(480)/float64(n))
}

// Wide is the width in px of a stretch of the axis.
func (f *Frame) Wide(x0, x1 float64) float64 { return float64((x1 - x0) * f.Width) }

// Widths are the classes of plot widths, in px. Labels are chosen for a class, so that a resize draws anew
// only when another class is reached. A label that needs a wider class than the plot really has, as in the
// first paint, is hidden by the style sheet: it carries the class that it needs.
var Widths = [...]int{200, 240, 320, 400, 500, 640, 800, 1000, 1200}
