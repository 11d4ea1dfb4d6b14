package worker

import "slices"

// Routes lists what the handler answers, as "METHOD PATH".
func Routes() (out []string) {
	for path, m := range (&server{}).routes() {
		for method := range m {
			out = append(out, method+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

// Holds tells whether the run is in memory.
func (q *Runner) Holds(id string) bool { return q.find(id) != nil }
