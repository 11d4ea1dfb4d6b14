// Package worker is the server as one http.Handler over one Store, composed of its rooms: who is let in (gate), shared
// scenarios (shared), the page and its files (page), runs (runs) and classes (lesson), which answer by the same means
// (answer) and stand under one roof (host). It runs natively (worker/cmd/hadarlab). At the edge the same rooms are two
// programs (worker/cmd/edge), of which the page's has no simulation and hands runs on to the other (away). So no room
// knows a database, a disk or a clock that bounds work.
//
// Flow: request → host → gate → a room → Store, Runner or lab.Session → JSON, or a stream.
package worker

import (
	"cmp"
	"io/fs"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"hadarlab/core/chart/draw"
	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/away"
	"hadarlab/worker/class"
	"hadarlab/worker/gate"
	"hadarlab/worker/host"
	"hadarlab/worker/lesson"
	"hadarlab/worker/logs"
	"hadarlab/worker/page"
	"hadarlab/worker/release"
	"hadarlab/worker/runs"
	"hadarlab/worker/shared"
	"hadarlab/worker/vault"
)

// Options says what the handler stands on. Zero values are defaults.
type Options struct {
	// Store keeps shared scenarios and results. Required.
	Store vault.Store
	// Runner works on runs in the background, by a pool or by messages. Default none: every run is answered inline.
	Runner *runs.Runner
	// Web is the build folder that `make run` fills. Default none: only the placeholder page.
	Web fs.FS
	// Shell returns the page as the build made it, nil where there is none. Default that of Web.
	Shell func(*http.Request) ([]byte, error)
	// Base is what comes before the server's own paths where people open it, as /lab. Default nothing. Paths of
	// requests, and Location, are without it: who hands requests on takes it off and puts it before.
	Base string
	// Picture draws a stored scenario as a PNG, for cards of links. Default none: those show the lab's.
	Picture func(*draw.Preview) ([]byte, error)
	// Pack compresses a page by gzip; sum is its hash. Default none.
	Pack func(sum string, page []byte) []byte
	// Yield lets others run between two slices of a simulation. Default runtime.Gosched.
	Yield func()
	// RunBytes bounds the body of POST /api/v1/runs. Default 1 MiB.
	RunBytes int64
	// RunSize is the largest jobs × policies answered inline. Default core/class.MaxMarked.
	RunSize int
	// Recorded is the most bytes that an inline run may record; see runs.Options. Default that of the Runner, else 8
	// MiB.
	Recorded int
	// RunSlices is how many slices of SliceEvents events one inline run may take. Default 2000.
	RunSlices int
	// Classes are the classes that are held here. Default those of Store where it keeps any; see NewClasses.
	Classes *class.Service
	// Gate bounds what clients may ask for where there is a Runner.
	Gate gate.Options
	// Address is where a request came from; see gate.Options.
	Address func(*http.Request) string
	// Damaged is what /healthz says of stored rows: it is set as one is read that is not what was stored, and by
	// whoever looks through them all. Default one of its own.
	Damaged *atomic.Bool
	// Now is the time written beside a stored scenario. Default time.Now.
	Now func() time.Time
	// Log takes failures that are the server's own. Default logs.Default.
	Log logs.Logger
}

// New returns the handler. It may be shared by any number of requests.
func New(o Options) http.Handler {
	if o.Store == nil {
		panic("worker: Options.Store is nil")
	}
	if o.Yield == nil {
		o.Yield = runtime.Gosched
	}
	if o.RunBytes == 0 {
		o.RunBytes = 1 << 20
	}
	if o.RunSize == 0 {
		o.RunSize = course.MaxMarked
	}
	if o.RunSlices == 0 {
		o.RunSlices = 2000
	}
	if o.Damaged == nil {
		o.Damaged = &atomic.Bool{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = logs.Default
	}
	if table, ok := o.Store.(class.Table); ok && o.Classes == nil {
		o.Classes = NewClasses(table, o.Runner, o.Now)
	}
	faults := answer.Faults{Store: o.Store, Damaged: o.Damaged, Log: o.Log}
	site, rooms := o.rooms(faults)
	is := host.Options{Faults: faults, Engine: lab.Engine, Version: release.Version, Commit: release.Commit(),
		Runs: "inline", Rest: site.Static}
	if o.Runner != nil {
		is.Runs = "queued"
	}
	return host.New(is, rooms...)
}

// rooms are what answers; site has what is no other's.
func (o *Options) rooms(faults answer.Faults) (site *page.Site, all []host.Room) {
	let, jobs, recorded := gate.Open(o.Address, o.Now), 0, 8<<20
	var stopped <-chan struct{}
	if o.Runner != nil {
		bounds := o.Gate
		bounds.Address, bounds.Now = o.Address, o.Now
		let, jobs, recorded, stopped = gate.New(bounds), o.Runner.Size, o.Runner.Recorded, o.Runner.Stopped()
	}
	scenarios := &shared.API{Faults: faults, Gate: let, Defaults: lab.Defaults(), Bytes: o.RunBytes, Jobs: jobs,
		Base: o.Base, Picture: o.Picture, Now: o.Now}
	site = page.New(page.Options{Shared: scenarios, Web: o.Web, Shell: o.Shell, Pack: o.Pack})
	simulator := &runs.API{Faults: faults, Gate: let, Shared: scenarios, Runner: o.Runner, Yield: o.Yield,
		RunBytes: o.RunBytes, RunSize: o.RunSize, Recorded: cmp.Or(o.Recorded, recorded), RunSlices: o.RunSlices,
		Now: o.Now}
	if o.Classes != nil && o.Runner != nil && o.Classes.Runs == nil {
		is := host.Options{Faults: faults, Engine: lab.Engine, Rest: http.NotFound}
		o.Classes.Runs = &away.Larger{To: away.Within(host.New(is, simulator)), Gate: let, Standing: simulator.Standing}
	}
	return site, []host.Room{let, scenarios, site, description{}, simulator,
		&lesson.API{Faults: faults, Gate: let, Classes: o.Classes, Truth: runs.Truth(o.RunSize, o.RunSlices, o.Yield),
			Picture: runs.Picture(o.RunSize, o.RunSlices, o.Yield, o.catalogue), Stopped: stopped}}
}

// catalogue is what the page says in a language, as its build has it; nil = English.
func (o *Options) catalogue(language string) (in words.Catalogue) {
	if o.Web == nil {
		return nil
	}
	data, err := fs.ReadFile(o.Web, "web/words/"+language+".json")
	if err == nil {
		in, _ = words.Read(data) // a damaged one is English
	}
	return in
}

// NewClasses returns the classes that a table keeps. By a pool submissions are run again, and listeners are told of
// changes, as they come.
func NewClasses(table class.Table, runner *runs.Runner, now func() time.Time) *class.Service {
	s := class.New(table, lab.Engine, lab.Defaults(), now, runner.Lasts())
	runner.Verify(s)
	return s
}
