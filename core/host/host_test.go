package host_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/host"
	"hadarlab/core/model"
)

// points is a curve of pairs of what each GPU has and the part of full speed with it.
func points(xy ...float64) (c model.Curve) {
	for i := 0; i < len(xy); i += 2 {
		c = append(c, model.CurvePoint{PerGPU: xy[i], Speed: xy[i+1]})
	}
	return c
}

// Needs by Synergy's profiles (OSDI 2022): ResNet-18 is 2.4 times as fast with 9 CPUs as with 3, a language model needs
// one.
var (
	image    = &model.Need{CPUs: points(1, .37/2.4, 3, 1/2.4, 9, 1), MemoryGB: points(62.5, 1)}
	language = &model.Need{CPUs: points(1, 1), MemoryGB: points(20, 1)}
)

// TestByHand: a node as Synergy's, 8 GPUs, 24 CPUs, 500 GB. An image model on 2 GPUs and a language model on 6: by GPUs
// they have 6 and 18 CPUs, so that the image model runs at 1 / 2.4 of its full speed. Tuned, the language model takes
// 6, and the image model its 18.
func TestByHand(t *testing.T) {
	node := &model.Host{CPUs: 24, MemoryGB: 500}
	tenants := []host.Tenant{{GPUs: 2, Need: image}, {GPUs: 6, Need: language}}
	share := func(cpus, gb float64) host.Share { return host.Share{CPUs: cpus, MemoryGB: gb} }
	check := func(name string, got, want []host.Share, speeds ...float64) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, by hand %v", name, got, want)
		}
		for i, s := range speeds {
			if v := got[i].Speed(node, &tenants[i]); math.Abs(v-s) > 1e-12 {
				t.Errorf("%s: the speed of %d is %v, by hand %v", name, i, v, s)
			}
		}
	}
	check("proportional", host.Proportional(node, 8, tenants), []host.Share{share(6, 125), share(18, 375)},
		1/2.4, 1)
	check("tuned", host.Tuned(node, 8, tenants), []host.Share{share(18, 125), share(6, 120)}, 1, 1)

	// Two image models on 2 and 6 GPUs: the first finds its 18 CPUs free; the second wants 54 and has a right to 18, of
	// which 12 are missing: the first gives them up, which is all above its part.
	tenants[1] = host.Tenant{GPUs: 6, Need: image}
	check("both want more", host.Tuned(node, 8, tenants), []host.Share{share(6, 125), share(18, 375)}, 1/2.4, 1/2.4)

	// The second on 2 GPUs wants 18, and takes the 6 that are free, which are its part. A third such has a right to 6,
	// which the first gives up. That leaves it 12: 6 a GPU, half-way from 1 / 2.4 to 1.
	tenants[1].GPUs = 2
	tenants = append(tenants, tenants[1])
	check("some are free", host.Tuned(node, 8, tenants), []host.Share{share(12, 125), share(6, 125), share(6, 125)},
		(1/2.4+1)/2, 1/2.4, 1/2.4)
}

// TestLaws: neither split gives away more than the node has, and with the tuned one nobody is slower than with its
// GPUs' part.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 3))
	curve := func(top float64) (c model.Curve) {
		x, y := 0.0, 0.0
		for range rng.IntN(4) {
			x += rng.Float64() * top
			y += (1 - y) * rng.Float64()
			c = append(c, model.CurvePoint{PerGPU: x, Speed: y})
		}
		if len(c) > 0 {
			c[len(c)-1].Speed = 1
		}
		return c
	}
	faster := 0
	for range 20_000 {
		node := &model.Host{CPUs: float64(rng.IntN(49)), MemoryGB: float64(rng.IntN(600))}
		gpus := 1 + rng.IntN(8)
		var tenants []host.Tenant
		for left := gpus; left > 0; {
			n := 1 + rng.IntN(left)
			left -= n
			if rng.IntN(4) > 0 {
				tenants = append(tenants, host.Tenant{GPUs: float64(n),
					Need: &model.Need{CPUs: curve(8), MemoryGB: curve(100)}})
			}
		}
		by, tuned := host.Proportional(node, float64(gpus), tenants), host.Tuned(node, float64(gpus), tenants)
		for name, shares := range map[string][]host.Share{"proportional": by, "tuned": tuned} {
			var sum host.Share
			for _, s := range shares {
				sum.CPUs += s.CPUs
				sum.MemoryGB += s.MemoryGB
			}
			if sum.CPUs > node.CPUs+1e-6 || sum.MemoryGB > node.MemoryGB+1e-6 {
				t.Fatalf("%s: %v of %v are given away", name, sum, *node)
			}
		}
		for i := range tenants {
			was, is := by[i].Speed(node, &tenants[i]), tuned[i].Speed(node, &tenants[i])
			if is < was-1e-9 {
				t.Fatalf("%v, %d GPUs, %v: tenant %d runs at %v, with its part at %v", *node, gpus, tenants, i, is, was)
			}
			if is > was+1e-9 {
				faster++
			}
		}
	}
	if faster < 1000 {
		t.Errorf("only %d tenants were faster tuned", faster)
	}
}
