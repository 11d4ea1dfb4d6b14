package worker

import (
	"maps"
	"slices"

	"hadarlab/worker/answer"
	"hadarlab/worker/host"
)

// Routes lists what the handler answers, as "METHOD PATH".
func Routes() []string {
	_, rooms := (&Options{}).rooms(answer.Faults{})
	out := append(slices.Collect(maps.Keys(host.Routes(append(rooms, host.Health{})...))), "GET /") // of static
	slices.Sort(out)
	return out
}
