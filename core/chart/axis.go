package chart

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/unit"
)

// Axis is the time axis that everything on one screen shares.
type Axis struct {
	From, To unit.Tick
	Unit     Unit
	Ticks    []Tick
	Rounds   []unit.Tick // nominal round starts within the axis, when few enough to draw

	round unit.Tick // nominal length, 0 = none
}

// Tick is a labelled instant.
type Tick struct {
	At    unit.Tick
	Label string
}

// maxRounds is how many rounds are drawn as lines of their own.
const maxRounds = 48

// NewAxis covers 0 to at least end. With few rounds it ends at a round's end and ticks at rounds.
func NewAxis(end, round unit.Tick) Axis {
	end = max(end, 1)
	a := Axis{To: end, Unit: UnitFor(end), round: round}
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
		a.addTick(unit.Tick(i)*round, unit.Tick(every)*round)
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
		a.addTick(t, step)
	}
}

// addTick labels an instant. Where the step is no multiple of a tenth of the unit, but of its part, the label is a clock's:
// 0:20 h, not 0.33 h.
func (a *Axis) addTick(t, step unit.Tick) {
	text := a.label(t)
	if u := &a.Unit; u.Length > unit.Second && 10*step%u.Length != 0 && step%u.part() == 0 {
		text = u.clock(t)
	}
	a.Ticks = append(a.Ticks, Tick{t, text})
}

// label writes an instant with two decimals of the unit, more on a short part of a long axis.
func (a *Axis) label(t unit.Tick) string {
	digits := 2
	for fine := a.Unit.Length / 50; a.To-a.From < fine*maxTicks && digits < 6; fine /= 10 {
		digits++
	}
	return trimZeros(Fixed(float64(t)/float64(a.Unit.Length), digits))
}

// X is a time's place on the axis, 0 at its start and 1 at its end, clamped.
func (a *Axis) X(t unit.Tick) float64 {
	return min(max(float64(t-a.From)/float64(a.To-a.From), 0), 1)
}

// At is the instant at a place.
func (a *Axis) At(x float64) unit.Tick {
	return a.From + unit.Tick(min(max(x, 0), 1)*float64(a.To-a.From))
}

// near is how far apart two instants may be that count as one: a twentieth of a round. Whole steps let a job's round end
// milliseconds before the next decision.
func near(round unit.Tick) unit.Tick { return round / 20 }

// sliver says whether a stretch of time is too short to be drawn: near the next decision and, in the finest class of
// widths, narrower than the line that would draw it, 2 px. On a short enough part of the axis everything is drawn.
func (a *Axis) sliver(d unit.Tick) bool {
	return d < near(a.round) && d*unit.Tick(Widths[len(Widths)-1]/2) < a.To-a.From
}

// pct writes a place in per cent with three decimals.
//
//go:noinline
func pct(x float64) string { return strconv.FormatFloat(x*100, 'f', 3, 64) + "%" }

// Scale is a vertical axis from 0 upwards, or a logarithmic one.
type Scale struct {
	Min, Max float64
	Log      bool
	Ticks    []ScaleTick
}

// ScaleTick is a labelled value.
type ScaleTick struct {
	Value float64
	Label string
}

// LinearScale covers 0 to at least top with at most n ticks above 0, whole numbers where top is one.
//
//go:noinline
func LinearScale(top float64, n int) Scale {
	if !(top > 0) {
		top = 1
	}
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
		s.Ticks = append(s.Ticks, ScaleTick{i * step, Sig(i*step, 4)})
	}
	if last := s.Ticks[len(s.Ticks)-1].Value; s.Max-last > 0.6*step {
		s.Ticks = append(s.Ticks, ScaleTick{s.Max, Sig(s.Max, 4)})
	} else if s.Max-last > step*1e-9 {
		s.Ticks[len(s.Ticks)-1] = ScaleTick{s.Max, Sig(s.Max, 4)}
	}
	return s
}

// nice rounds up to 1, 2 or 5 times a power of ten.
//
//go:noinline
func nice(v float64) float64 {
	p := pow10(exponent(v))
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

// exponent is the whole part of the decimal logarithm of v > 0.
func exponent(v float64) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e) // a number that FormatFloat wrote
	return n
}

// LogScale covers lo to hi by powers of ten; at most n of them are labelled.
func LogScale(lo, hi float64, n int) Scale {
	if !(lo > 0) || !(hi > 0) || math.IsInf(hi, 0) {
		lo, hi = 0.1, 1
	}
	a, b := exponent(lo*(1+1e-9)), exponent(hi*(1-1e-9))+1
	every := (b - a + n - 1) / n
	a = b - (b-a+every-1)/every*every // the scale begins at a tick
	s := Scale{Min: pow10(a), Max: pow10(b), Log: true}
	for e := b; e >= a; e -= every {
		v := pow10(e)
		s.Ticks = append(s.Ticks, ScaleTick{v, Sig(v, 1)})
	}
	for i, j := 0, len(s.Ticks)-1; i < j; i, j = i+1, j-1 {
		s.Ticks[i], s.Ticks[j] = s.Ticks[j], s.Ticks[i]
	}
	return s
}

// Y is a value's height on the scale, 0 at the bottom and 1 at the top, clamped.
//
//go:noinline
func (s *Scale) Y(v float64) float64 {
	lo, hi := s.Min, s.Max
	if s.Log {
		if !(v > 0) {
			return 0
		}
		v, lo, hi = unit.Log(v), unit.Log(lo), unit.Log(hi)
	}
	return min(max((v-lo)/(hi-lo), 0), 1)
}

// down is a value's distance in px from the top of a picture of the given height.
//
//go:noinline
func (s *Scale) down(v, height float64) float64 { return height - float64(s.Y(v)*height) }
