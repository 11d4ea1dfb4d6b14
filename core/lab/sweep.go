package lab

import (
	"maps"
	"math"
	"reflect"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// maxSweep bounds the runs of one sweep, maxNoise how much the lengths of its jobs vary.
const maxSweep, maxNoise = 100_000, 2

// NoRandomPart is why a scenario cannot be replicated.
var NoRandomPart = words.Say("this scenario has no random part, so every replicate would be the same run")

// Sweep works off a grid of scenarios under the same policies, with one or more seeds a point, in slices
// of work like a Session. Use NewSweep.
type Sweep struct {
	req      *message.SweepRequest
	refs     []message.PolicyRef // as named; the document's when none are
	lanes    []int               // of the document that those named are, see meant
	seed     uint64
	seeds    int // per point
	points   int
	at       int          // part whose lanes come next, counted over points and seeds
	begun    int          // parts begun, here or elsewhere
	back     []int        // parts that were lent and have to be run here after all
	lent     int          // parts that are lent
	ready    map[int]part // parts that are done while earlier ones are not
	keepJobs bool
	tries    [][]int // points that are to be tried before the first run
	told     int     // runs that were in the news
	s        *Session
	own      int  // the part in s
	mine     part // what it has given while earlier ones are awaited
	lane     int  // lanes of the next part that the point has
	point    message.SweepPoint
	res      message.SweepResult
	faults   jsondoc.Diagnostics
	stop     bool
	done     bool
	bound    int    // on the bytes that one point records, and on those that the result holds; 0 = none
	each     [2]int // of Session.BoundEach
	held     int    // about as many bytes as the result holds
	jobs     int    // in all lanes begun so far
	full     bool
	onPart   func(lanes []message.Lane)
}

// part is what one of a sweep's Parts has given.
type part struct {
	lanes  []message.Lane
	faults jsondoc.Diagnostics
}

// NewSweep checks a request and starts it. Every value of every axis is tried at the start of the others, so
// that a wrong one is found before hours of work. It is nil exactly when there are errors.
func NewSweep(req *message.SweepRequest) (*Sweep, jsondoc.Diagnostics) {
	w, diags := OpenSweep(req)
	for w != nil && len(w.tries) > 0 {
		if faults := w.tryNext(); faults != nil {
			return nil, faults
		}
	}
	return w, diags
}

// OpenSweep is NewSweep for callers that must answer in between: it judges the request as a whole, and the values
// are tried in slices of their own by Spend. What is wrong with one stands in Result then.
func OpenSweep(req *message.SweepRequest) (*Sweep, jsondoc.Diagnostics) {
	doc, diags := scenario.Parse(req.Scenario, scenario.FileLimits)
	if doc == nil || diags.HasErrors() {
		return nil, diags
	}
	w := &Sweep{req: req, ready: map[int]part{}, refs: req.Policies, seed: doc.Scenario.Seed,
		seeds: max(1, req.Replicates), points: 1, keepJobs: len(req.Vary) == 0}
	if w.lanes = meant(doc, w.refs); len(w.refs) == 0 {
		w.refs = own(doc)
	}
	w.res = message.SweepResult{Engine: Engine, ScenarioID: doc.ID(Defaults()), Vary: req.Vary,
		Points: []message.SweepPoint{}}
	if faults := w.check(doc); faults != nil {
		return nil, faults
	}
	for axis := range req.Vary {
		for i := range req.Vary[axis].Values {
			if axis > 0 && i == 0 {
				continue // the corner has been tried
			}
			index := make([]int, len(req.Vary))
			index[axis] = i
			w.tries = append(w.tries, index)
		}
	}
	if len(req.Vary) == 0 {
		w.tries = [][]int{nil}
	}
	return w, diags
}

// own are the policies of a document, but for those with forced choices, which are about one run.
func own(doc *scenario.Document) (refs []message.PolicyRef) {
	for _, p := range doc.Scenario.Policies {
		if len(p.Force) == 0 {
			refs = append(refs, p.Ref())
		}
	}
	return refs
}

// check judges the request as a whole.
func (w *Sweep) check(doc *scenario.Document) jsondoc.Diagnostics {
	fail := func(path, code string, msg, fix words.Text) jsondoc.Diagnostics {
		return jsondoc.Diagnostics{jsondoc.Error(path, code, msg, fix)}
	}
	for i := range w.req.Vary {
		a, path := &w.req.Vary[i], "/vary/"+itoa(i)
		if len(a.Values) == 0 {
			return fail(path+"/values", "no-values", words.Say("there are no values for {0}", a.Path),
				words.Say("Give at least one."))
		}
		if a.Path == "/scenario/seed" && w.seeds > 1 {
			return fail(path+"/path", "seed-twice", words.Say("the seed is varied, and replicates set it too"),
				words.Say("Leave one of the two out."))
		}
		for _, before := range w.req.Vary[:i] {
			if before.Path == a.Path {
				return fail(path+"/path", "path-twice", words.Say("{0} is varied twice", a.Path),
					words.Say("Give all its values at once."))
			}
		}
		if w.points > maxSweep/len(a.Values) {
			w.points = maxSweep + 1
			break
		}
		w.points *= len(a.Values)
	}
	known := *doc
	if len(w.req.Policies) == 0 {
		known.Scenario.Policies = nil // each has its own parameters, also where two are of one policy
	}
	switch {
	case len(w.refs) == 0:
		return NoPolicy()
	case w.points > maxSweep/len(w.refs)/w.seeds:
		return fail("/vary", "too-many-runs", words.Say("the sweep has more than {0} runs", maxSweep),
			words.Say("Take fewer values, policies or replicates."))
	case w.seed+uint64(w.seeds) > 1<<53:
		return fail("/replicates", "too-many-runs", words.Say("the seeds would go beyond {0}", jsondoc.MaxSafe),
			words.Say("Choose a smaller seed."))
	case w.req.Replicates < 0:
		return fail("/replicates", "bad-replicates", words.Say("there are {0} replicates", w.req.Replicates),
			words.Say("Ask for one or more."))
	case !(w.req.LengthNoise >= 0 && w.req.LengthNoise <= maxNoise):
		return fail("/length_noise", "bad-noise", words.Say("the noise of lengths is {0}", w.req.LengthNoise),
			words.Say("Choose a number from 0 to {0}.", maxNoise))
	case w.seeds > 1 && w.req.LengthNoise == 0 && len(RandomParts(&known, w.refs)) == 0:
		return fail("/replicates", "no-random-part", NoRandomPart, words.Say("Leave it out."))
	}
	return nil
}

// RandomParts names what draws from a random stream in a run of these policies, so that another seed gives
// another run: generated jobs and faults, noisy beliefs, and what policies say of themselves in their Spec.
func RandomParts(doc *scenario.Document, refs []message.PolicyRef) (parts []string) {
	parts = doc.Drawn()
	lanes := meant(doc, refs)
	for i, ref := range refs {
		spec, err := policy.Find(ref.ID)
		if err != nil || spec.Random == nil {
			continue
		}
		if values, bad := spec.Check(params(doc, lanes[i], ref)); len(bad) == 0 && spec.Random(values) {
			parts = append(parts, "policy "+spec.ID)
		}
	}
	return parts
}

// meant are the lanes of the document that policies name, by place, -1 = none: the one that has a policy's parameters
// as they are; else the first of its id, the second where that is named a second time, and so on.
func meant(doc *scenario.Document, refs []message.PolicyRef) []int {
	named, at := map[string]int{}, make([]int, len(refs))
	for i, ref := range refs {
		id, nth := ref.ID, -1
		if spec, err := policy.Find(id); err == nil {
			id = spec.ID
		}
		at[i] = -1
		for k, p := range doc.Scenario.Policies {
			if p.ID != id {
				continue
			}
			if len(ref.Params) > 0 && reflect.DeepEqual(p.Params, ref.Params) {
				at[i] = k
				break
			}
			if nth++; nth <= named[id] {
				at[i] = k
			}
		}
		named[id]++
	}
	return at
}

// params are the parameters of a lane of the document, under those that the request sets for it.
func params(doc *scenario.Document, lane int, ref message.PolicyRef) map[string]any {
	out := map[string]any{}
	if lane >= 0 {
		maps.Copy(out, doc.Scenario.Policies[lane].Params)
	}
	maps.Copy(out, ref.Params)
	return out
}

// tryNext starts and forgets one point, to find what is wrong with it.
func (w *Sweep) tryNext() jsondoc.Diagnostics {
	s, faults := w.open(w.tries[0], 0)
	for i := 0; faults == nil && i < len(s.lanes); i++ {
		faults = s.lanes[i].diags
	}
	w.tries = w.tries[1:]
	return faults
}

// open makes the session of one point and replicate.
func (w *Sweep) open(index []int, replicate int) (s *Session, faults jsondoc.Diagnostics) {
	req, faults := w.request(index, replicate)
	if req == nil {
		return nil, faults
	}
	s = NewBatch()
	s.Bare = true
	if diags := s.Start(req); diags.HasErrors() {
		return nil, diags.Errors()
	}
	return s, nil
}

// request asks for the run of one point and replicate; nil with faults.
func (w *Sweep) request(index []int, replicate int) (req *message.RunRequest, faults jsondoc.Diagnostics) {
	raw := []byte(w.req.Scenario)
	values := w.values(index)
	for axis := range index {
		a := &w.req.Vary[axis]
		var err error
		if raw, err = scenario.SetNumber(raw, a.Path, values[axis]); err != nil {
			return nil, jsondoc.Diagnostics{jsondoc.Error(a.Path, "no-number",
				words.Say("there is no number at {0} to vary", a.Path),
				words.Say("Name a number by its pointer, as /scenario/round_s or /scenario/jobs/0/gpus."))}
		}
	}
	if replicate > 0 {
		seed, err := jsondoc.SetNumber(raw, "/scenario/seed", float64(w.seed+uint64(replicate)))
		if err != nil {
			return nil, jsondoc.Diagnostics{jsondoc.Error("/scenario/seed", "no-number",
				words.Own(err.Error()), words.Text{})}
		}
		raw = seed
	}
	doc, diags := scenario.Parse(raw, scenario.FileLimits)
	if faults = w.fits(diags); faults != nil || doc == nil {
		return nil, faults
	}
	if w.req.LengthNoise > 0 {
		doc = scenario.Lengthened(doc, w.req.LengthNoise)
		raw = doc.Marshal(false)
	}
	refs := own(doc)
	for i, ref := range w.req.Policies {
		if i == 0 {
			refs = nil
		}
		refs = append(refs, message.PolicyRef{ID: ref.ID, Rev: ref.Rev, Params: params(doc, w.lanes[i], ref),
			Force: ref.Force})
	}
	return &message.RunRequest{Scenario: raw, Policies: refs}, nil
}

// values are what is varied at a place of the grid.
func (w *Sweep) values(index []int) []float64 {
	values := []float64{}
	for axis, i := range index {
		values = append(values, w.req.Vary[axis].Values[i])
	}
	return values
}

// fits passes the errors of a varied document, and refuses a pointer to a member that documents do not have.
func (w *Sweep) fits(diags jsondoc.Diagnostics) jsondoc.Diagnostics {
	if diags.HasErrors() {
		return diags.Errors()
	}
	for _, d := range diags {
		for i := range w.req.Vary {
			if p := w.req.Vary[i].Path; d.Code == "unknown-member" &&
				(p == d.Path || strings.HasPrefix(p, d.Path+"/")) {
				return jsondoc.Diagnostics{jsondoc.Error(p, "no-number",
					words.Say("there is no number at {0} to vary: {1}", p, d.Message), d.Fix)}
			}
		}
	}
	return nil
}

// Bound is Session.Bound for every point, and for the result.
func (w *Sweep) Bound(bytes int) { w.bound = bytes }

// BoundEach is Session.BoundEach for every point. A lane that it ends counts as overloaded, and the sweep goes on.
func (w *Sweep) BoundEach(lane, all int) { w.each = [2]int{lane, all} }

// Full tells whether the bound was reached. The sweep has stopped then.
func (w *Sweep) Full() bool { return w.full }

// Jobs is the number of jobs in all lanes begun so far: a measure of the work, since the jobs of a point may be varied.
func (w *Sweep) Jobs() int { return w.jobs }

// Stop ends the sweep: the next Spend keeps what is done and closes it.
func (w *Sweep) Stop() { w.stop = true }

// Progress is how far the sweep is.
func (w *Sweep) Progress() message.SweepProgress {
	p := message.SweepProgress{Done: w.at*len(w.refs) + w.lane, Runs: w.points * w.seeds * len(w.refs)}
	if !w.done {
		p.Now = w.refs[min(w.lane, len(w.refs)-1)].ID
	}
	return p
}

// Spend handles about so many kernel events; more is false when the sweep is over. Runs end up in Result.
func (w *Sweep) Spend(events int) (more bool) {
	switch {
	case w.done:
		return false
	case w.stop:
		w.res.Stopped = true
		w.close()
		w.done = true
		return false
	case len(w.tries) > 0:
		if w.faults = w.tryNext(); w.faults != nil {
			w.stop = true
		}
		return true
	case w.s == nil:
		if !w.begin() {
			return true
		}
	}
	out, more := w.s.Spend(events)
	for _, m := range out {
		switch {
		case m.Lane != nil:
			w.mine.lanes = append(w.mine.lanes, *m.Lane)
		case m.Failure != nil && w.mine.faults == nil:
			w.mine.faults, more = m.Failure.Diagnostics, false
		}
	}
	if !more {
		w.ready[w.own], w.mine = w.mine, part{}
	}
	if w.advance(); !more {
		w.s = nil
	}
	return !w.done
}

// begin starts the next part here, if one is left.
func (w *Sweep) begin() bool {
	switch n := len(w.back); {
	case n > 0:
		w.own, w.back = w.back[n-1], w.back[:n-1]
	case w.begun < w.Parts():
		w.own = w.begun
		w.begun++
	default:
		return false // the others are lent
	}
	s, faults := w.Part(w.own)
	if faults != nil {
		w.ready[w.own] = part{faults: faults}
		w.advance()
		return false
	}
	w.s = s
	w.s.Bound(w.bound)
	w.s.BoundEach(w.each[0], w.each[1])
	w.jobs += s.Jobs() * len(w.refs)
	return true
}

// advance takes up what the next parts have given, as far as they have.
func (w *Sweep) advance() {
	for !w.stop && !w.done {
		p, whole := w.ready[w.at]
		if whole {
			delete(w.ready, w.at)
		} else if w.s != nil && w.own == w.at {
			p, w.mine.lanes = w.mine, nil
		}
		if len(p.lanes) > 0 {
			w.point.Values = w.values(w.index(w.at / w.seeds))
		}
		for i := range p.lanes {
			w.point.Runs = append(w.point.Runs, p.lanes[i])
			w.lane++
			w.hold(&p.lanes[i])
		}
		if p.faults != nil {
			w.faults, w.stop = p.faults, true
		}
		if !whole || w.stop {
			return
		}
		w.next()
	}
}

// Lend gives away the next part, for somebody else to run; nil if there is none. Lanes, or that there are none, go to
// Settle.
func (w *Sweep) Lend() (at int, req *message.RunRequest) {
	if w.done || w.stop || len(w.tries) > 0 || w.begun >= w.Parts() {
		return 0, nil
	}
	req, faults := w.request(w.index(w.begun/w.seeds), w.begun%w.seeds)
	if faults != nil {
		return 0, nil // it is told in its turn
	}
	w.begun++
	w.lent++
	return w.begun - 1, req
}

// Settle takes the lanes of a part that was lent. Without any it is run here after all.
func (w *Sweep) Settle(at int, lanes []message.Lane) {
	w.lent--
	if lanes == nil {
		w.back = append(w.back, at)
		return
	}
	w.ready[at] = part{lanes: lanes}
	w.advance()
}

// Waits says whether all that is left to do is lent.
func (w *Sweep) Waits() bool {
	return !w.done && !w.stop && len(w.tries) == 0 && w.s == nil && len(w.back) == 0 && w.begun >= w.Parts() &&
		w.lent > 0
}

// next goes on to the next seed or point.
func (w *Sweep) next() {
	if w.onPart != nil {
		w.onPart(w.point.Runs[len(w.point.Runs)-w.lane:])
	}
	w.lane = 0
	if w.at++; w.at%w.seeds == 0 {
		w.close()
	}
	w.done = w.at == w.Parts()
}

// OnPart has f told the lanes of every part that ends from now on, in order.
func (w *Sweep) OnPart(f func(lanes []message.Lane)) { w.onPart = f }

// Parts is how many runs of all policies the sweep consists of: one a seed of each point. Whoever has them run
// elsewhere, in any order, starts them by Part and gives what they bring to Put, in order; then the result is as if
// Spend had run them here.
func (w *Sweep) Parts() int { return w.points * w.seeds }

// Part starts one of Parts.
func (w *Sweep) Part(i int) (*Session, jsondoc.Diagnostics) {
	return w.open(w.index(i/w.seeds), i%w.seeds)
}

// Kept is what Put needs of a part's lanes.
func (w *Sweep) Kept(lanes []message.Lane) []message.Lane {
	for i := range lanes {
		if !w.keepJobs && w.seeds == 1 {
			lanes[i].Jobs = nil
		}
	}
	return lanes
}

// Put takes the lanes of the next part.
func (w *Sweep) Put(lanes []message.Lane) {
	w.ready[w.at] = part{lanes: lanes}
	w.advance()
}

// Resume takes the lanes of the next parts, as OnPart told them of a sweep that was cut off, and with them Jobs of it.
// Spend goes on after them.
func (w *Sweep) Resume(parts [][]message.Lane, jobs int) {
	for _, lanes := range parts {
		w.Put(lanes)
	}
	w.begun, w.jobs = w.at, jobs
}

// hold counts what the result keeps of a lane, and stops the sweep at the bound.
func (w *Sweep) hold(l *message.Lane) {
	const lane, job = 1024, 128
	w.held += lane
	if w.keepJobs {
		w.held += job * len(l.Jobs)
	}
	if w.bound > 0 && (w.s != nil && w.s.Full() || w.held > w.bound) {
		w.full, w.stop = true, true
	}
}

// index is the place of a point on each axis.
func (w *Sweep) index(point int) []int {
	index := make([]int, len(w.req.Vary))
	for axis := len(index) - 1; axis >= 0; axis-- {
		n := len(w.req.Vary[axis].Values)
		index[axis], point = point%n, point/n
	}
	return index
}

// close ends a point, complete or not.
func (w *Sweep) close() {
	if len(w.point.Runs) == 0 {
		return
	}
	w.summarise()
	if !w.keepJobs {
		for i := range w.point.Runs {
			w.point.Runs[i].Jobs = nil
		}
	}
	w.res.Points = append(w.res.Points, w.point)
	w.point = message.SweepPoint{}
}

// Result is what the sweep has done, and why it could not go on, if so.
func (w *Sweep) Result() (*message.SweepResult, jsondoc.Diagnostics) { return &w.res, w.faults }

func (w *Sweep) summarise() {
	if w.seeds > 1 {
		if w.point.Summary = summarise(w.point.Runs, len(w.refs)); w.point.Summary != nil {
			w.point.Summary.LengthNoise = w.req.LengthNoise
		}
	}
}

// summarise compares the policies of one point over the seeds that all of them have run. A seed in which a policy does
// not have a figure does not count for it.
func summarise(runs []message.Lane, policies int) *message.Summary {
	seeds := len(runs) / policies
	if seeds == 0 {
		return nil
	}
	values := make([]map[string]float64, len(runs))
	for i := range runs {
		values[i] = map[string]float64{}
		for k := range message.AllMetrics {
			values[i][message.AllMetrics[k].Name] = message.AllMetrics[k].Of(&runs[i].Metrics)
		}
	}
	s := &message.Summary{Replicates: seeds, Confidence: metric.Confidence}
	for p := range policies {
		of := message.PolicySummary{Policy: runs[p].Policy, Params: runs[p].Params}
		var jobs []float64
		for seed := 0; seed < seeds && p > 0; seed++ {
			if d, ok := metric.SameJobs(runs[seed*policies].Counted(), runs[seed*policies+p].Counted()); ok {
				jobs = append(jobs, d)
			}
		}
		if len(jobs) > 0 {
			of.Differences = append(of.Differences, metric.Estimate("jct_s", jobs))
		}
		for _, name := range sorted(values[0]) {
			var own, apart []float64
			for seed := range seeds {
				v, first := values[seed*policies+p][name], values[seed*policies][name]
				if !math.IsNaN(v) {
					own = append(own, v)
				}
				if d := v - first; p > 0 && !math.IsNaN(d) {
					apart = append(apart, d)
				}
			}
			if len(own) > 0 {
				e := metric.Estimate(name, own)
				e.SameSign = 0 // it says nothing of a figure that has no sign
				of.Metrics = append(of.Metrics, e)
			}
			if len(apart) > 0 {
				of.Differences = append(of.Differences, metric.Estimate(name, apart))
			}
		}
		s.Policies = append(s.Policies, of)
	}
	return s
}
