package unit

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Stream is the random stream called name under a scenario's seed. Streams of different names are
// independent, so drawing from one (arrivals, noise, a policy) never shifts another.
func Stream(seed uint64, name string) *rand.Rand { return rand.New(Source(seed, name)) }

// Source is the state of a Stream, for those who must copy it.
func Source(seed uint64, name string) *rand.PCG {
	sum := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, seed), name...))
	return rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
}

// Normal draws from a distribution that is close to the standard normal: the sum of twelve uniform
// numbers less 6, with mean 0, variance 1 and no value beyond ±6. rand's own NormFloat64 uses
// math.Exp, whose last bit differs between targets.
func Normal(r *rand.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += float64(r.Float64())
	}
	return sum
}

// Exponential draws from the exponential distribution with mean 1, by inversion with our own Log.
func Exponential(r *rand.Rand) float64 { return -Log(1 - float64(r.Float64())) }
