package class

import (
	"context"
	"encoding/json"
	"errors"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
	"hadarlab/core/message"
)

// Runs works on larger runs of classes, each in a turn of its own.
type Runs interface {
	// Ask has a request of /api/v1/runs, or of /api/v1/sweeps, worked on, and gives its id and what Leave takes. It
	// fails with a Refusal where the server does not run it.
	Ask(ctx context.Context, code string, sweep bool, request any) (id, token string, err error)
	// Look says how a run stands, or fails with ErrNone where it is not known, or no longer.
	Look(ctx context.Context, id string) (Standing, error)
	// Leave ends the class's interest in what is at a path. That it has ended is no error.
	Leave(ctx context.Context, path, token string) error
}

// Standing is how a run stands, in the words of the queue.
type Standing struct {
	State      string
	Done, Runs int
	Errors     jsondoc.Diagnostics
}

// kept is what Row.Wall holds: what stands on the walls, and the larger run with the token that ends it.
type kept struct {
	class.Wall
	Run   *class.LargerRun `json:"run,omitempty"`
	Token string           `json:"token,omitempty"`
}

func (r *Row) kept() (*kept, error) {
	k := &kept{}
	err := json.Unmarshal([]byte(r.Wall), k)
	return k, err
}

func (r *Row) keep(k *kept) error {
	b, err := json.Marshal(k)
	r.Wall = string(b)
	return err
}

// LargerRuns are the larger runs of the classes of a Service.
type LargerRuns struct{ *Service }

// change writes what a teacher or the queue changes of a class's walls. f may be called again, on a newer row.
func (s LargerRuns) change(ctx context.Context, r Row, f func(k *kept) error) error {
	for {
		k, err := r.kept()
		if err == nil {
			err = f(k)
		}
		if err == nil {
			err = r.keep(k)
		}
		if err != nil {
			return err
		}
		if err = s.Table.SetClass(ctx, r); !errors.Is(err, ErrNone) {
			s.changed(r.Code)
			return err
		}
		if r, err = s.Table.GetClass(ctx, r.Code); err != nil { // another was faster
			return err
		}
	}
}

// Start has the larger run of a class worked on: one at a time, and none before what is right is told, which it
// tells.
func (s LargerRuns) Start(ctx context.Context, r Row, q class.Larger) error {
	switch at, err := s.now(ctx, r); {
	case r.ToldMS == 0:
		return refuse(Conflict, "not-told", "a larger run tells what is right: begin the run before it")
	case err != nil:
		return err
	case at.Lives():
		return errOneRun
	case s.Runs == nil:
		return refuse(Conflict, "no-queue", "this server has no queue, and a larger run takes too long for one request: "+
			"run it with the command line, or begin the class on a server of your own")
	}
	a, err := s.assignment(ctx, r.Code)
	if err != nil {
		return err
	}
	q, doc, diags := a.Larger(q)
	if doc == nil {
		return &Refusal{Reason: Bad, Code: "bad-larger", Detail: "this cannot be a larger run", Errors: diags.Errors()}
	}
	ask := message.SweepRequest{Scenario: doc.Marshal(false), Replicates: q.Replicates, LengthNoise: q.Noise}
	if q.Vary != nil {
		ask.Vary = []message.Axis{*q.Vary}
	}
	id, token, err := s.Runs.Ask(ctx, r.Code, q.Vary != nil, ask)
	if err != nil {
		return err
	}
	run := &class.LargerRun{Larger: q, ID: id, State: "queued"}
	run.Link = "#" + link.Encode(doc, s.Defaults) + "&v=" + run.View()
	err = s.change(ctx, r, func(k *kept) error {
		if k.Run.Lives() { // another board was faster
			return errOneRun
		}
		k.Run, k.Token = run, token
		return nil
	})
	if err != nil {
		err = errors.Join(err, s.Runs.Leave(ctx, run.Path(), token))
	}
	return err
}

var errOneRun = refuse(Conflict, "larger-run", "a class has one larger run at a time: stop the one that is under way first")

// Stop ends the larger run of a class, if it is under way, and takes it off the walls.
func (s LargerRuns) Stop(ctx context.Context, r Row) error {
	k, err := r.kept()
	switch {
	case err != nil:
		return err
	case k.Run == nil:
		return refuse(NoClass, "no-larger-run", "this class has no larger run")
	case k.Run.Lives() && s.Runs != nil:
		if err := s.Runs.Leave(ctx, k.Run.Path(), k.Token); err != nil {
			return err
		}
	}
	id := k.Run.ID
	return s.change(ctx, r, func(k *kept) error {
		if k.Run != nil && k.Run.ID == id {
			k.Run, k.Token = nil, ""
		}
		if k.Shows == class.LargerPicture {
			k.Shows = ""
		}
		return nil
	})
}

// now is how the larger run of a class stands, nil = it has none. An end is written down by whoever sees it first,
// so that nobody has to look for it again.
func (s LargerRuns) now(ctx context.Context, r Row) (*class.LargerRun, error) {
	k, err := r.kept()
	if err != nil || !k.Run.Lives() || s.Runs == nil {
		return k.Run, err
	}
	now := *k.Run
	switch at, err := s.Runs.Look(ctx, now.ID); {
	case errors.Is(err, ErrNone):
		now.State = "gone"
	case err != nil:
		return nil, err
	default:
		now.State, now.Done, now.Runs, now.Errors = at.State, at.Done, at.Runs, at.Errors
	}
	if now.Lives() {
		return &now, nil
	}
	return &now, s.change(ctx, r, func(k *kept) error {
		if k.Run != nil && k.Run.ID == now.ID {
			k.Run, k.Token = &now, ""
		}
		return nil
	})
}

// stands is what everybody is told of the larger run of a class: the link to what came of it once it has.
func (s LargerRuns) stands(ctx context.Context, r Row) (*class.LargerRun, error) {
	run, err := s.now(ctx, r)
	if run != nil && !run.Ended() {
		without := *run
		without.Link = ""
		return &without, err
	}
	return run, err
}
