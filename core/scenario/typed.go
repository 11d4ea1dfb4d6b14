package scenario

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// TypeCount is a number of GPUs of one type.
type TypeCount struct {
	Type  string
	Count int
}

// Factor is how many times as fast as another a GPU type is.
type Factor struct {
	Type  string
	Times float64
}

const maxTimes = 1e6 // of one type's speed over another's

// ErrSpeeds is returned for a text that is no list like a100=2.3,l4=0.6.
var ErrSpeeds = errors.New("imports: speeds are written as a100=2.3,l4=0.6")

// ParseSpeeds reads a list like "a100=2.3,l4=0.6".
func ParseSpeeds(s string) (out []Factor, err error) {
	for part := range strings.SplitSeq(s, ",") {
		name, times, ok := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(times, 64)
		if !ok || err != nil || !(v > 0 && v <= maxTimes) || name == "" || Slug(name) != name ||
			slices.ContainsFunc(out, func(f Factor) bool { return f.Type == name }) {
			return nil, ErrSpeeds
		}
		out = append(out, Factor{name, v})
	}
	return out, nil
}

// ErrCluster is returned for a text that is no list like v100=8,p100=16.
var ErrCluster = errors.New("scenario: a cluster is written as v100=8,p100=16")

// ParseCluster reads a list like "v100=8,p100=16,k80=24".
func ParseCluster(s string) (out []TypeCount, err error) {
	for part := range strings.SplitSeq(s, ",") {
		name, count, ok := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 1 || n > MaxGPUs || name == "" || Slug(name) != name ||
			slices.ContainsFunc(out, func(t TypeCount) bool { return t.Type == name }) {
			return nil, ErrCluster
		}
		out = append(out, TypeCount{name, n})
	}
	return out, nil
}
