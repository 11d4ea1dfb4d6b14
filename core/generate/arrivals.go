package generate

import (
	"cmp"

	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// Arrivals is a process of arrivals; the first job comes at 0.
type Arrivals struct {
	Process   string  // "" = static, all at 0, the default; poisson; bursty; diurnal
	RatePerH  float64 // mean arrivals per hour, for all but static
	Burst     float64 // bursty: mean jobs in a burst; 0 = the default, 10
	BurstGapS float64 // bursty: mean seconds between jobs of a burst; 0 = the default, 10
}

// The processes of arrivals.
const (
	Static  = "static"
	Poisson = "poisson"
	Bursty  = "bursty"
	Diurnal = "diurnal"
)

// Defaults of bursts.
const (
	DefaultBurst     = 10 // jobs
	DefaultBurstGapS = 10 // s
)

// arrivals draws when jobs come, in s. The first comes at 0.
func (g *Jobs) arrivals() (out []float64) {
	a, rng := &g.Arrivals, g.stream("arrivals")
	mean := 0.0
	if a.RatePerH > 0 {
		mean = 3600 / jsondoc.Round9(a.RatePerH)
	}
	most, end := g.Count, g.MaxSeconds
	if most == 0 {
		most, end = g.MaxJobs, jsondoc.Round9(g.DurationS)
	}
	for t := 0.0; len(out) < most && t <= end; {
		out = append(out, jsondoc.Round9(t))
		switch a.Process {
		case Poisson:
			t += float64(mean * unit.Exponential(rng))
		case Bursty:
			t += float64(a.burstGap(mean, rng.Float64()) * unit.Exponential(rng))
		case Diurnal:
			t = g.nextHourly(t, mean, unit.Exponential(rng))
		}
	}
	return out
}

// Gap is the mean of the gaps inside a burst, in s.
func (a *Arrivals) Gap() float64 { return jsondoc.Round9(cmp.Or(a.BurstGapS, DefaultBurstGapS)) }

// burstGap is the mean of the next gap: short inside a burst of mean size B, otherwise so long that all
// gaps have the stated mean.
func (a *Arrivals) burstGap(mean, u float64) float64 {
	last := 1 / jsondoc.Round9(cmp.Or(a.Burst, DefaultBurst)) // chance that a burst ends
	if u >= last {
		return a.Gap()
	}
	return (mean - float64((1-last)*a.Gap())) / last
}

// nextHourly is when e mean gaps have passed since t, at the pace of each hour of the day.
func (g *Jobs) nextHourly(t, mean, e float64) float64 {
	for {
		hour := int64(t / 3600)
		pace := hourly[hour%24] / mean // jobs a second
		next := float64((hour + 1) * 3600)
		left := next - t
		if e < float64(left*pace) || t > g.MaxSeconds {
			return t + e/pace
		}
		e -= float64(left * pace)
		t = next
	}
}
