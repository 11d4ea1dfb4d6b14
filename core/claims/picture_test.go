package claims

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"hadarlab/core/study"
)

// TestPictures: whatever was run has a picture; its two schedulers are as far apart in it as the row's figure says;
// points of curves are at what the paper's figure has, too; and its table has a cell for each.
func TestPictures(t *testing.T) {
	board, err := Board()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range board {
		p := s.Picture()
		if (p != nil) != (s.World != nil && s.World.Alone == nil) {
			t.Errorf("%s: is there a picture? %v", s.Claim.ID, p != nil)
		}
		if p == nil {
			continue
		}
		at := slices.Index(p.Rows, "all")
		if p.X != nil {
			at = slices.Index(p.X, s.Form.At)
		}
		var ours []float64
		for i := range p.Lines {
			l := &p.Lines[i]
			for r, e := range l.At {
				if len(l.At) != len(p.Rows) || e.N > 0 && !(e.Mean > 0 && e.Mean < math.Inf(1)) {
					t.Errorf("%s, %s, %s: %v", s.Claim.ID, l.Title(), p.Rows[r], e)
				}
			}
			if !l.Published {
				ours = append(ours, l.At[at].Mean)
				continue
			}
			there := at
			if p.X == nil {
				there = len(p.Rows) - 1
			}
			if y := s.Form.Published[l.Name].Y; !slices.Contains(y, l.At[there].Mean) {
				t.Errorf("%s: %s is %v there, published are %v", s.Claim.ID, l.Name, l.At[there].Mean, y)
			}
		}
		figure := s.Ours.Mean
		want := ours[0] // of hours
		if s.Unit != Hours {
			want = s.Unit.Figure(s.World.Value.Good, ours[0], ours[1])
		}
		if math.Abs(want-figure) > 1e-9*math.Abs(figure) {
			t.Errorf("%s: by the picture it is %v, by the board %v", s.Claim.ID, want, figure)
		}
		for lane := range s.Form.Published {
			if !slices.ContainsFunc(p.Lines, func(l Line) bool { return l.Published && l.Name == lane }) {
				t.Errorf("%s: what was published of %s is not drawn", s.Claim.ID, lane)
			}
		}
		for _, m := range s.movers(s.Form.Choice) {
			for lane, points := range s.Form.Published {
				if m.X > points.X[len(points.X)-1] { // that curve was cut before
					continue
				}
				if m.X == 0 || !slices.Contains(points.X, m.X) {
					t.Errorf("%s: at %v %s has no published point", s.Claim.ID, m.X, lane)
				}
			}
		}
		head, rows := p.Table()
		for _, cells := range rows {
			if len(head) != len(p.Lines)+1 || len(cells) != len(head) || len(rows) != len(p.Rows) {
				t.Errorf("%s: a head of %d columns, a row of %d", s.Claim.ID, len(head), len(cells))
			}
		}
	}
}

// TestClaimed: where a published figure would put a scheduler, against hand.
func TestClaimed(t *testing.T) {
	for _, c := range []struct {
		unit            Unit
		good            int
		against, figure float64
		want            float64
	}{
		{Times, -1, 6, 1.2, 5}, {Times, 1, 40, 1.45, 58}, {Less, -1, 8, 0.75, 2}, {Times, -1, 9, math.Inf(1), 0},
	} {
		if got := c.unit.of(c.good, c.against, c.figure); !same(got, c.want) {
			t.Errorf("%v of %v is %v, want %v", c.figure, c.against, got, c.want)
		}
	}
}

// TestCopies: on nodes of one GPU, and in the part of nodes held on larger ones, HadarE comes to the same under both
// settings of its copies, to the digit, so that its verdicts are those of both.
func TestCopies(t *testing.T) {
	board, err := Board()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, s := range board {
		for _, m := range s.movers("copies hold") {
			tried++
			if m.World.Of.Name == s.World.Of.Name && reflect.DeepEqual(m.World.Of.Params, s.World.Of.Params) {
				t.Errorf("%s: both settings are %v", s.Claim.ID, m.World.Of.Params)
			}
			if !reflect.DeepEqual(m.Of, s.Full.Of[:MoverSeeds]) ||
				len(s.Full.Against) > 0 && !reflect.DeepEqual(m.Against, s.Full.Against[:MoverSeeds]) {
				t.Errorf("%s: %s comes to something else: its verdict is that of one setting", s.Claim.ID, m.Value)
			}
		}
	}
	if tried != 4 {
		t.Errorf("%d rows were tried under both settings, want 4", tried)
	}
}

// TestMoversAreOfToday: what is recorded of links that gangs share, of copies and of a load is what a run comes to
// today. It guards against a change of how runs go that no key of a kept run knows of.
func TestMoversAreOfToday(t *testing.T) {
	board, err := Board()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range board {
		for _, choice := range []string{"links", "copies hold"} {
			for _, m := range s.movers(choice) {
				w := *m.World
				w.Against = study.Lane{}
				for i, piece := range w.Pieces(1) {
					o, err := piece.Run(func() bool { return false })
					if err != nil {
						t.Fatal(err)
					}
					if got, want := w.Value.Of(o), m.Of[0][i]; got != want {
						t.Errorf("%s, %s: %s: it comes to %v, recorded is %v: remove build/claims and run make papers",
							s.Claim.ID, m.Choice, m.Value, got, want)
					}
				}
			}
		}
	}
}
