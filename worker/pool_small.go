//go:build small

package worker

import (
	"net/http"

	"hadarlab/worker/class"
)

// A small build works by messages only.

func (q *Runner) resume()            { panic("worker: a small build has no pool: RunnerOptions.Send is nil") }
func (q *Runner) kick()              {}
func (q *Runner) takeUp(*run, sweep) {}
func (q *Runner) keep(*run)          {}
func verify(*class.Service, *Runner) {}

// keptParts are rows of their own, see gather.
type keptParts struct{}

func (s *server) streamQueued(http.ResponseWriter, *http.Request, string, *run, *runBody) {}
