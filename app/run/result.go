package run

import (
	"maps"
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Result is one answer of the engine, laid out for drawing. It is not changed once it stands, but for its words.
type Result struct {
	ID    int64
	Doc   *scenario.Document
	Text  []byte // the document as the engine was given it
	Lanes []*Lane
	Axis  chart.Axis
	Diff  *chart.Diff // of the compared lanes
	Jobs  map[string]int32
	// Finding is the page's first sentence.
	Finding insights.Finding
	Tells   int // lane that the finding's second sentence begins with
}

// New is a result that is still to come, of a document and of its text as that is kept.
func New(id int64, d *scenario.Document, text []byte) *Result {
	r := &Result{ID: id, Doc: d, Text: text}
	for _, p := range d.Scenario.Policies {
		r.Lanes = append(r.Lanes, &Lane{Policy: p.Ref()})
	}
	return r
}

// Request asks for all lanes.
func (r *Result) Request() *message.RunRequest {
	req := &message.RunRequest{Scenario: r.Text}
	for _, l := range r.Lanes {
		req.Policies = append(req.Policies, l.Policy)
	}
	return req
}

// LayOut lays the lanes side by side, and says where they part.
func (r *Result) LayOut(pace unit.Pace) {
	ran, end := r.Ran(), unit.Tick(1)
	for _, l := range ran {
		end = max(end, l.Trace.End)
	}
	r.Jobs = map[string]int32{}
	if len(ran) == 0 {
		r.Diff, r.Axis = &chart.Diff{First: -1, Job: -1}, chart.NewAxis(end, 0)
		return
	}
	first := ran[0]
	r.Axis = chart.NewAxis(end, first.Trace.Round)
	for _, l := range ran {
		r.Axis.Measure(l.Trace)
	}
	for j := range first.Trace.Jobs {
		r.Jobs[first.Trace.Jobs[j].Name] = int32(j)
	}
	if len(ran) == 1 {
		r.Diff = chart.Compare(first.Trace.Paced(pace), nil, first.Chart, nil)
		return
	}
	a, b := r.Pair()
	r.Diff = chart.Compare(a.Trace.Paced(pace), b.Trace, a.Chart, b.Chart)
}

// Both is the axis, made longer where an earlier run, nil = none, ended later.
func (r *Result) Both(was *Result) chart.Axis {
	ran := r.Ran()
	if was == nil || len(ran) == 0 {
		return r.Axis
	}
	end := unit.Tick(1)
	for _, l := range append(was.Ran(), ran...) {
		end = max(end, l.Trace.End)
	}
	a := chart.NewAxis(end, ran[0].Trace.Round)
	a.Measured = r.Axis.Measured
	return a
}

// Pair are the lanes that sentences, numbers and charts compare, nil where fewer than two ran: the last one with forced
// choices against the same policy without them, else of two the first against the second, and of more the best against
// the next: by jobs that finish, then by mean completion.
func (r *Result) Pair() (a, b *Lane) {
	ran := r.Ran()
	if len(ran) < 2 {
		return nil, nil
	}
	for _, l := range ran {
		for _, own := range ran {
			if l.Policy.Force != nil && own.Policy.Force == nil && own.Policy.ID == l.Policy.ID &&
				maps.Equal(own.Policy.Params, l.Policy.Params) {
				a, b = l, own
			}
		}
	}
	if a == nil && len(ran) > 2 && !r.Cut() {
		unit.Sort(ran, func(x, y *Lane) int {
			return chart.Ahead(x.Chart, y.Chart, x.Meta.Metrics.AvgJCTS, y.Meta.Metrics.AvgJCTS)
		})
	}
	if a == nil {
		a, b = ran[0], ran[1]
	}
	return a, b
}

// Recall notes what each lane was in the result that stood, unless that was of another scenario.
func (r *Result) Recall(old *Result, anew bool) {
	if old == nil || anew || old.Cut() || r.Cut() {
		return
	}
	for i, l := range r.Lanes {
		if i >= len(old.Lanes) || old.Lanes[i].Trace == nil || old.Lanes[i].Policy.ID != l.Policy.ID ||
			(old.Lanes[i].Policy.Force == nil) != (l.Policy.Force == nil) {
			continue
		}
		o := old.Lanes[i]
		if string(old.Text) == string(r.Text) {
			l.Before = o.Before // run again
			continue
		}
		if l.Before = (&Lane{Meta: o.Meta}); !o.Chart.Many() { // more are not outlined
			l.Before.Trace, l.Before.Chart = o.Trace, o.Chart
		}
	}
}

// Name gives the lanes their titles; title is a policy's whole one, in the reader's language, of which they have no
// more than tells them apart.
func (r *Result) Name(title func(policy string) string) {
	letters := make([]string, len(r.Lanes))
	for i := range letters {
		letters[i] = edit.LaneLetter(i)
	}
	name(r.Lanes, letters, title)
}

// Ran are the lanes that have run.
func (r *Result) Ran() (lanes []*Lane) {
	for _, l := range r.Lanes {
		if l.Trace != nil {
			lanes = append(lanes, l)
		}
	}
	return lanes
}

// RanLane is a lane that has run, nil where there is none.
func (r *Result) RanLane(lane int) *Lane {
	if lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return nil
	}
	return r.Lanes[lane]
}

// Cut says whether a lane was stopped before it was done, or before it began.
func (r *Result) Cut() bool {
	for _, l := range r.Lanes {
		if l.Failure == nil && (l.Trace == nil || l.Stopped()) {
			return true
		}
	}
	return false
}

// Left says whether in a lane a copy leaves GPUs of its node idle.
func (r *Result) Left() bool {
	return slices.ContainsFunc(r.Lanes, func(l *Lane) bool { return l.Chart != nil && l.Chart.Left() })
}

// Forked says whether a lane trains jobs in copies.
func (r *Result) Forked() bool {
	for _, l := range r.Lanes {
		if l.Chart != nil && l.Chart.Forked() {
			return true
		}
	}
	return false
}

// Slowed says whether a node is slow for a while in some lane.
func (r *Result) Slowed() bool {
	return slices.ContainsFunc(r.Lanes, func(l *Lane) bool { return l.Chart != nil && len(l.Chart.Slows) > 0 })
}

// Moment is moment i, and false where there is none.
func (r *Result) Moment(i int) (chart.Moment, bool) {
	if i < 0 || i >= len(r.Diff.Moments) {
		return chart.Moment{}, false
	}
	return r.Diff.Moments[i], true
}

// Round is a lane's round that is in force at moment i, -1 before its first.
func (r *Result) Round(lane, i int) int {
	m, ok := r.Moment(i)
	if !ok || lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return -1
	}
	return r.Lanes[lane].Trace.RoundAt(m.At)
}

// Look is how a job is drawn in all lanes; a job of no lane has no hue.
func (r *Result) Look(name string) chart.Look {
	j, ok := r.Jobs[name]
	for _, l := range r.Lanes {
		if ok && l.Chart != nil {
			return l.Chart.Looks[j]
		}
	}
	return chart.Look{}
}

// JobNumber is a job's number in all lanes, -1 = it has none.
func (r *Result) JobNumber(name string) int32 {
	if j, ok := r.Jobs[name]; ok {
		return j
	}
	return -1
}

// TellingJob is the job of the first disagreement, else the first one.
func (r *Result) TellingJob() string {
	for _, l := range r.Lanes {
		if l.Trace == nil || len(l.Trace.Jobs) == 0 {
			continue
		}
		if j := r.Diff.Job; j >= 0 && int(j) < len(l.Trace.Jobs) {
			return l.Trace.Jobs[j].Name
		}
		return l.Trace.Jobs[0].Name
	}
	return ""
}

// Rack says in which rack a node stands.
func (r *Result) Rack() func(node string) string {
	of := map[string]string{}
	nodes := r.Doc.Scenario.Cluster.Nodes
	for i := range nodes {
		of[nodes[i].ID] = edit.Rack(&nodes[i])
	}
	return func(node string) string { return of[node] }
}

// Nodes are the nodes that have GPUs, in the order of the document.
func (r *Result) Nodes() (names []string) {
	ran := r.Ran()
	if len(ran) == 0 {
		return nil
	}
	for _, b := range ran[0].Chart.Bands {
		names = append(names, ran[0].Trace.Nodes[b.Node])
	}
	return names
}

// Held is the gang that a job held alone up to a lane's decision and could keep: nil when it held none, or a fault has
// taken GPUs of it.
func (r *Result) Held(lane, round int, job string) (gang []message.Shard) {
	l := r.Lanes[lane]
	if l.Chart == nil || round < 0 {
		return nil
	}
	t, at := l.Trace, l.Trace.Rounds[round].At
	for _, i := range l.Chart.HoldingsOf(r.Jobs[job]) {
		h := &l.Chart.Holdings[i]
		if h.With >= 0 || h.Forked || h.From >= at || h.To < at {
			continue
		}
		for _, sh := range h.Shards {
			slot := t.Slots[sh.Slot]
			free := slot.Cap - sh.N
			for _, d := range l.Chart.Downs {
				if d.Slot == int32(sh.Slot) && d.From <= at && at < d.To {
					free -= d.N
				}
			}
			if free < 0 {
				return nil
			}
			gang = append(gang, message.Shard{Node: t.Nodes[slot.Node], Type: t.Types[slot.Type], Count: int(sh.N)})
		}
	}
	return gang
}

// Waiting are the moments at which a job holds nothing in a lane, unless the cursor's is among them: where to look for
// the reason of its waiting. There are at most most of them; all counts them.
func (r *Result) Waiting(lane int, job string, cursor, most int) (moments []int, all int) {
	l := r.Lanes[lane]
	j, known := r.Jobs[job]
	if !known || l.Chart == nil {
		return nil, 0
	}
	next := 0
	for _, i := range l.Chart.WaitsOf(j) {
		w := &l.Chart.Waits[i]
		for k := max(next, r.Diff.At(w.From)); k < len(r.Diff.Moments) && r.Diff.Moments[k].At < w.To; k++ {
			if r.Diff.Moments[k].At < w.From {
				continue
			}
			if k == cursor {
				return nil, 0
			}
			if all++; len(moments) < most {
				moments = append(moments, k)
			}
			next = k + 1
		}
	}
	return moments, all
}

// HolderRow is one row of the timeline's table.
type HolderRow struct {
	Lane     int
	Job      string
	Node     string
	GPUs     string
	From, To string
	Note     string // of a forked job's copy
}

// PageRows is how many rows the timeline's table shows at once.
const PageRows = 200

// HolderRows are the rows of one page of the timeline's table, and how many rows there are in all; of one job, "" = of
// all.
func (r *Result) HolderRows(page int, job string) (rows []HolderRow, total int) {
	only, ok := r.Jobs[job]
	if !ok {
		only = -1
	}
	skip := page * PageRows
	for lane, l := range r.Lanes {
		if l.Chart == nil {
			continue
		}
		for i := range l.Chart.Holdings {
			h := &l.Chart.Holdings[i]
			if only >= 0 && h.Job != only && h.With != only && !slices.Contains(h.Others, only) {
				continue
			}
			for _, sh := range h.Shards {
				if total++; total <= skip || len(rows) >= PageRows {
					continue
				}
				slot := l.Trace.Slots[sh.Slot]
				rows = append(rows, HolderRow{lane, l.Trace.Jobs[h.Job].Name, l.Trace.Nodes[slot.Node],
					strconv.Itoa(int(sh.N)) + " × " + figure.TypeTitle(l.Trace.Types[slot.Type]),
					r.Axis.Unit.Number(words.Now(), h.From), r.Axis.Unit.Number(words.Now(), h.To),
					insights.CopyNote(words.Now(), l.Chart, l.Trace, i, r.Axis.Unit)})
			}
		}
	}
	return rows, total
}

// Window is the part of the time axis that is seen; the zero value is all of it. It belongs to the view: no link,
// file or identity knows it.
type Window struct{ From, To unit.Tick }

// Whole says whether nothing is cut off.
func (w Window) Whole() bool { return w == Window{} }

// parts is how often the whole axis may be divided by zooming.
const parts = 2000

// Narrowest is the least window in ticks: a second, or the axis in its parts.
func (r *Result) Narrowest() unit.Tick {
	whole := r.Axis.To - r.Axis.From
	return min(whole, max(unit.Second, whole/parts))
}

// View is the axis as far as it is seen.
func (r *Result) View(w Window) chart.Axis {
	if w.Whole() {
		return r.Axis
	}
	return r.Axis.Window(w.From, w.To)
}

// Shares is a window in shares of the whole axis, with the narrowest that may be seen.
func (r *Result) Shares(w Window) (from, to, narrowest float64) {
	a := r.View(w)
	whole := float64(r.Axis.To - r.Axis.From)
	return float64(a.From-r.Axis.From) / whole, float64(a.To-r.Axis.From) / whole, float64(r.Narrowest()) / whole
}

// Window is one of a width, moved so that it lies on the axis.
func (r *Result) Window(from, wide unit.Tick) Window {
	a := &r.Axis
	if wide = max(wide, r.Narrowest()); wide >= a.To-a.From {
		return Window{}
	}
	from = min(max(from, a.From), a.To-wide)
	return Window{from, from + wide}
}
