package runs

import (
	"context"
	"time"

	"hadarlab/worker/class"
)

// hands are who does a Runner's work: a pool of this program, or whoever gets its messages. All else is alike, and
// stands in Runner.
type hands interface {
	// wake sees to it that what waits is worked on.
	wake(ctx context.Context)
	// work works on x, which was loaded, to its end; see Runner.simulate.
	work(x *run) (stored, back bool)
	// pause comes between two slices of so many events, and says how much time went to others. Meanwhile still is
	// called now and then, nil for nothing.
	pause(ctx context.Context, x *run, events int, still func()) (away time.Duration)
	// keep has the table keep what is done of x, where that outlives an attempt.
	keep(x *run)
	// noted hears that the table knows how x has ended.
	noted(ctx context.Context, x *run) error
	// stop gives up what is under way, and waits for that.
	stop()

	// slot gives a request a place to simulate in, or fails with queue.ErrBusy; its turn is to be given up.
	slot(ctx context.Context, owner string) (*turn, error)
	// unwant takes asker from those who want x, see queue.Admissions; whoever works on x hears of it.
	unwant(ctx context.Context, x *run, asker string) (state string, last bool, err error)
	// ends waits until x, which nobody wants any more, has ended, where that can be heard.
	ends(ctx context.Context, x *run) error
	// follow completes what the table tells of a run that is worked on elsewhere.
	follow(ctx context.Context, x *run) error

	// tooLarge says which figure of a sweep or of replicates is larger than it may be, "" for none.
	tooLarge(x *run) (what string, size, most int)
	// mostJobs is the largest jobs × policies × replicates × points.
	mostJobs(of kind) int
	// lasts tells whether this program outlives its requests: then it remembers what cannot be stored, and those who
	// listen hear of changes as they come.
	lasts() bool
	// verify runs submissions of classes again, where this program hears of them.
	verify(s *class.Service)
}
