//go:build small

package worker

import (
	"context"
	"net/http"
	"time"

	"hadarlab/worker/class"
)

// A small build works by messages only.

func (q *Runner) resume()            { panic("worker: a small build has no pool: RunnerOptions.Send is nil") }
func (q *Runner) kick()              {}
func (q *Runner) takeUp(*run, sweep) {}
func (q *Runner) keep(*run)          {}
func verify(*class.Service, *Runner) {}

// turn is not counted, and nothing gives way: each instance has one request, and each message is short.
type (
	turn     struct{}
	waysides struct{}
)

func (q *Runner) turn(string) *turn                                               { return nil }
func (q *Runner) giveUp(*turn)                                                    {}
func (q *Runner) giveWay(context.Context, *run, int, func()) (away time.Duration) { return 0 }
func (q *Runner) goOn(*run)                                                       {}
func (q *Runner) joined(*run, string)                                             {}

// keptParts are rows of their own, see gather.
type keptParts struct{}

func (s *server) streamQueued(http.ResponseWriter, *http.Request, string, *run, *runBody) {}
