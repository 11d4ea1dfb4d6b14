package chart

import (
	"math"
	"slices"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Axis is the time axis that everything on one screen shares.
type Axis struct {
	From, To unit.Tick
	Unit     figure.Unit
	Ticks    []Tick
	Rounds   []unit.Tick // nominal round starts within the axis, when few enough to draw
	// Measured is the time from the first arrival to the last finish of the jobs that are measured in any run; zero
	// where all jobs are.
	Measured [2]unit.Tick

	round unit.Tick // nominal length, 0 = none
}

// Tick is an instant that is labelled, in steps of a length.
type Tick struct{ At, step unit.Tick }

// maxRounds is how many rounds are drawn as lines of their own.
const maxRounds = 48

// NewAxis covers 0 to at least end. With few rounds it ends at a round's end and ticks at rounds.
func NewAxis(end, round unit.Tick) Axis {
	end = min(max(end, 1), unit.Never/4) // no run comes near it: what is added below does not overflow
	a := Axis{To: end, Unit: figure.UnitFor(end), round: round}
	if round > 0 && (end+round-1)/round <= maxRounds {
		a.To = (end + round - 1) / round * round
		if a.To-end < a.To/50 {
			a.To += round
		}
		for t := unit.Tick(0); t <= a.To; t += round {
			a.Rounds = append(a.Rounds, t)
		}
		a.tickRounds(round)
		return a
	}
	a.To = end + end/40
	a.tickNice()
	return a
}

// Measure notes the time of the jobs that are measured in a run, where not all of them are.
func (a *Axis) Measure(t *trace.Trace) {
	if t.Window.To == 0 {
		return
	}
	to := t.LastFinish()
	if t.Outcome != trace.Done {
		to = t.End
	}
	a.Measured = [2]unit.Tick{t.FirstArrival(), max(a.Measured[1], to)}
}

// maxTicks is how many labels fit side by side.
const maxTicks = 9

func (a *Axis) tickRounds(round unit.Tick) {
	n := int(a.To / round)
	every := 1
	for _, e := range []int{1, 2, 5, 10, 20} {
		if every = e; n/e < maxTicks {
			break
		}
	}
	for i := 0; i <= n; i += every {
		a.Ticks = append(a.Ticks, Tick{unit.Tick(i) * round, unit.Tick(every) * round})
	}
}

// steps are the distances between ticks, in s, that people count in.
var steps = [...]unit.Tick{1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 14400,
	21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000}

func (a *Axis) tickNice() {
	span := a.To - a.From
	step := steps[len(steps)-1] * unit.Second
	for _, s := range steps {
		if span/(s*unit.Second) < maxTicks {
			step = s * unit.Second
			break
		}
	}
	for span/step >= maxTicks {
		step *= 10
	}
	for t := (a.From + step - 1) / step * step; t <= a.To; t += step {
		a.Ticks = append(a.Ticks, Tick{t, step})
	}
}

// Label is what stands at a tick. Where the step is no multiple of a tenth of the unit, but of its part, the label is a
// clock's: 0:20 h, not 0.33 h.
func (a *Axis) Label(in words.Catalogue, t Tick) string {
	if u := &a.Unit; u.Length > unit.Second && 10*t.step%u.Length != 0 && t.step%u.Part() == 0 {
		return u.Clock(t.At)
	}
	return a.label(in, t.At)
}

// label writes an instant with two decimals of the unit, more on a short part of a long axis.
func (a *Axis) label(in words.Catalogue, t unit.Tick) string {
	digits := 2
	for fine := a.Unit.Length / 50; a.To-a.From < fine*maxTicks && digits < 6; fine /= 10 {
		digits++
	}
	return figure.TrimZeros(in, figure.Fixed(in, float64(t)/float64(a.Unit.Length), digits))
}

// Clock is an instant in the axis' unit, as fine as what is seen of the axis allows.
func (a *Axis) Clock(in words.Catalogue, t unit.Tick) string {
	return a.label(in, t) + " " + a.Unit.Short
}

// X is a time's place on the axis, 0 at its start and 1 at its end, clamped.
func (a *Axis) X(t unit.Tick) float64 {
	return portion(float64(t-a.From), float64(a.To-a.From))
}

// At is the instant at a place.
func (a *Axis) At(x float64) unit.Tick {
	return min(a.From+unit.Tick(portion(x, 1)*float64(a.To-a.From)), a.To)
}

// near is how far apart two instants may be that count as one: a twentieth of a round. Whole steps let a job's round
// end milliseconds before the next decision.
func near(round unit.Tick) unit.Tick { return round / 20 }

// Sliver says whether a stretch of time is too short to be drawn: near the next decision and, in the finest class of
// widths, narrower than the line that would draw it, 2 px. On a short enough part of the axis everything is drawn.
func (a *Axis) Sliver(d unit.Tick) bool {
	return d < near(a.round) && d*unit.Tick(Widths[len(Widths)-1]/2) < a.To-a.From
}

// Scale is a vertical axis from 0 upwards, or a logarithmic one.
type Scale struct {
	Min, Max float64
	Log      bool
	Ticks    []float64 // values that are labelled
}

// tiny and huge bound what a scale covers: beyond them a step, or the end of the scale, is no number any more.
const tiny, huge = 1e-290, 1e290

// LinearScale covers 0 to at least top with at most n ticks above 0, whole numbers where top is one.
func LinearScale(top float64, n int) Scale {
	if !(top > 0) {
		top = 1
	}
	top = min(max(top, tiny), huge)
	step := nice(top / float64(n))
	if top == math.Floor(top) {
		step = max(1, step)
	}
	count := math.Ceil(top/step - 1e-9)
	s := Scale{Max: count * step}
	if top == math.Floor(top) && top >= 1 {
		s.Max = top // a capacity is the natural end
	}
	for i := 0.0; i*step <= s.Max+float64(step*1e-9); i++ {
		s.Ticks = append(s.Ticks, i*step)
	}
	if last := s.Ticks[len(s.Ticks)-1]; s.Max-last > 0.6*step {
		s.Ticks = append(s.Ticks, s.Max)
	} else if s.Max-last > step*1e-9 {
		s.Ticks[len(s.Ticks)-1] = s.Max
	}
	return s
}

// nice rounds up to 1, 2 or 5 times a power of ten.
func nice(v float64) float64 {
	p := pow10(figure.Exponent(v))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*p >= v*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// pow10 is the power of ten nearest to the true value, on every target.
func pow10(e int) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64) // always a number
	return v
}

// LogScale covers lo to hi by powers of ten, at least one; at most n of them are labelled.
func LogScale(lo, hi float64, n int) Scale {
	if !(lo > 0) || !(hi > 0) || math.IsInf(hi, 0) {
		lo, hi = 0.1, 1
	}
	lo, hi = min(max(lo, tiny), huge), min(max(hi, tiny), huge)
	a, b := figure.Exponent(lo*(1+1e-9)), figure.Exponent(hi*(1-1e-9))+1
	b = max(b, a+1) // a single value may lie on a power of ten
	every := (b - a + n - 1) / n
	a = b - (b-a+every-1)/every*every // the scale begins at a tick
	s := Scale{Min: pow10(a), Max: pow10(b), Log: true}
	for e := b; e >= a; e -= every {
		s.Ticks = append(s.Ticks, pow10(e))
	}
	slices.Reverse(s.Ticks)
	return s
}

// Y is a value's height on the scale, 0 at the bottom and 1 at the top, clamped. What is no number is at the bottom.
func (s *Scale) Y(v float64) float64 {
	lo, hi := s.Min, s.Max
	if s.Log {
		if !(v > 0) {
			return 0
		}
		v, lo, hi = unit.Log(v), unit.Log(lo), unit.Log(hi)
	}
	return portion(v-lo, hi-lo)
}

// portion is a part of a whole, from 0 to 1; what is no number, as of an empty whole, is 0.
func portion(part, whole float64) float64 {
	if s := part / whole; s > 0 && whole > 0 {
		return min(s, 1)
	}
	return 0
}

// Down is a value's distance in px from the top of a picture of the given height.
func (s *Scale) Down(v, height float64) float64 { return height - float64(s.Y(v)*height) }
