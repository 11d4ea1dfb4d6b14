package runs

import (
	"context"
	"errors"

	"hadarlab/worker/class"
	"hadarlab/worker/vault"
)

// Standing says how a run stands that a class wants; see away.Larger.
func (s *API) Standing(ctx context.Context, id string) (class.Standing, error) {
	x, err := s.findRun(ctx, id)
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrDamaged):
		return class.Standing{}, class.ErrNone
	case err != nil:
		return class.Standing{}, err
	}
	l := x.snapshot()
	at := class.Standing{State: l.State, Errors: l.Errors}
	if l.Sweep != nil {
		at.Done, at.Runs = l.Sweep.Done, l.Sweep.Runs
	}
	return at, nil
}
