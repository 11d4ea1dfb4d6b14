package model

// Host is what a node has beside its GPUs; 0 = as much as anybody could use.
type Host struct {
	CPUs     float64
	MemoryGB float64
}

// CurvePoint is the part of its full speed, 0 to 1, at which a job runs with so much for each of its GPUs.
type CurvePoint struct{ PerGPU, Speed float64 }

// Curve is how fast a job runs by what each of its GPUs has, in ascending order of both. Between two points it is
// straight, below the first it falls to nothing at nothing, above the last it stays. One without points asks for
// nothing.
type Curve []CurvePoint

// At is the part of its full speed at which a job with x for each GPU runs.
func (c Curve) At(x float64) float64 {
	last := CurvePoint{}
	for _, p := range c {
		if x < p.PerGPU {
			return last.Speed + float64((p.Speed-last.Speed)*((x-last.PerGPU)/(p.PerGPU-last.PerGPU)))
		}
		last = p
	}
	if len(c) == 0 {
		return 1
	}
	return last.Speed
}

// Full is the least with which a job runs as fast as it can.
func (c Curve) Full() float64 {
	if len(c) == 0 {
		return 0
	}
	top := c[len(c)-1]
	for _, p := range c {
		if p.Speed == top.Speed {
			return p.PerGPU
		}
	}
	return top.PerGPU
}

// Need is what a job asks of its hosts.
type Need struct{ CPUs, MemoryGB Curve }
