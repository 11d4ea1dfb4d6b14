package run

import (
	"cmp"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/program"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Lane is one policy's run.
type Lane struct {
	Policy  message.PolicyRef
	Title   string
	Meta    message.Lane
	Trace   *trace.Trace // nil when the lane failed
	Chart   *chart.Lane
	Failure *message.Failure
	Before  *Lane  // what it was before the last edit, without what is not drawn of it; nil = nothing to compare with
	came    bool   // the engine's answer has
	body    []byte // the trace as it came, until it is decoded
}

// take takes the answer. Its numbers are the engine's; only the layout is made here.
func (l *Lane) take(meta *message.Lane, body []byte) {
	l.Meta, l.body, l.came = *meta, body, true
}

// read reads the trace that has come and lays it out. Where check is set, it must be the one that the answer names.
func (l *Lane) read(check bool, pace unit.Pace) {
	t, err := trace.DecodePaced(l.body, pace)
	l.body = nil
	switch {
	case err != nil:
		l.fail(words.F("the engine's answer cannot be read: {0}", err.Error()))
	case check && t.Paced(pace).Hash() != l.Meta.TraceHash:
		l.fail(words.T("The server’s trace is not the one of its result."))
	default:
		if from, to := l.Meta.Span(); l.Meta.Window != nil && to <= len(t.Jobs) {
			t.Window = model.Window{From: model.JobID(from), To: model.JobID(to)}
		}
		l.Trace = t
		l.Chart = chart.NewLane(t.Paced(pace))
	}
}

func (l *Lane) fail(why string) { l.Failure = &message.Failure{Lane: l.Meta.Lane, Message: why} }

// Read takes a lane's answer, reads its trace and lays it out at once; ok says whether it can be read.
func (l *Lane) Read(meta *message.Lane, body []byte) (ok bool) {
	l.take(meta, body)
	l.read(false, nil)
	return l.Trace != nil
}

// answered says whether the engine has nothing more to say about the lane.
func (l *Lane) answered() bool { return l.came || l.Failure != nil }

// Refused says that the policy cannot run the scenario, as one for jobs of one GPU beside gangs.
func (l *Lane) Refused() bool { return l.Failure != nil && len(l.Failure.Diagnostics) > 0 }

// Stopped says whether a lane was cancelled before it was done.
func (l *Lane) Stopped() bool { return l.Meta.Outcome == "stopped" }

// Side is the lane as the sentences take it.
func (l *Lane) Side() insights.Side {
	return insights.Side{Title: l.Title, Trace: l.Trace, Lane: l.Chart, Metrics: &l.Meta.Metrics}
}

// Mean is the mean completion.
func (l *Lane) Mean() unit.Tick { return unit.Seconds(l.Meta.Metrics.AvgJCTS) }

// called is what the lane's program calls itself, or whose record it is; "" = it has none, or no name.
func (l *Lane) called(title func(policy string) string) string {
	if l.Policy.ID == record.Policy {
		of, _ := l.Policy.Params["of"].(string)
		return edit.RecordTitle(Short(title(of)))
	}
	src, _ := l.Policy.Params["program"].(string)
	return program.Name(src)
}

// autoscaled is a title with the lane's own autoscaler, if it has one.
func (l *Lane) autoscaled(title string) string {
	if auto, ok := l.Policy.Params[edit.Autoscaler].(string); ok {
		return words.F("{0}, {1}", title, edit.AutoscalerTitle(auto))
	}
	return title
}

// CommandID is what the command line calls the lane's policy.
func (l *Lane) CommandID() string {
	if len(l.Policy.Force) > 0 {
		return l.Policy.ID + ":forced"
	}
	return l.Policy.ID
}

// Short is the title up to its first comma, for headings.
func Short(title string) string {
	for i := range title {
		if title[i] == ',' || title[i] == '(' {
			for i > 0 && title[i-1] == ' ' {
				i--
			}
			return title[:i]
		}
	}
	return title
}

// Apart are short titles of policies that stand side by side: where those of two are alike, both with what tells them
// apart in brackets, as Gavel (max-min fairness). Titles that are alike as a whole are of one policy.
func Apart(titles ...string) (short []string) {
	whole := map[string]string{} // of the first that is short so
	alike := map[string]bool{}
	for _, t := range titles {
		s := Short(t)
		if first, ok := whole[s]; ok && first != t {
			alike[s] = true
		} else if !ok {
			whole[s] = t
		}
		short = append(short, s)
	}
	for i, s := range short {
		if rest := strings.Trim(titles[i][len(s):], " ,()"); alike[s] && rest != "" {
			short[i] += " (" + rest + ")"
		}
	}
	return short
}

// name gives lanes their titles: what their program calls itself, else that of their policy by title. Lanes whose
// titles are alike have their letters in them.
func name(lanes []*Lane, letters []string, title func(policy string) string) {
	var titles []string
	for _, l := range lanes {
		titles = append(titles, title(l.Policy.ID))
	}
	alike := map[string]int{}
	for i, t := range Apart(titles...) {
		lanes[i].Title = lanes[i].autoscaled(cmp.Or(lanes[i].called(title), t) + hostMark(&lanes[i].Policy))
		if len(lanes[i].Policy.Force) > 0 {
			lanes[i].Title += edit.ForcedMark()
		}
		if lanes[i].Policy.Params[edit.Fusing.Name] == false {
			lanes[i].Title += edit.UnfusedMark()
		}
		alike[lanes[i].Title]++
	}
	for i, l := range lanes {
		if alike[l.Title] > 1 {
			l.Title += " " + letters[i]
		}
	}
}

// hostMark follows the title of a lane whose jobs share hosts in a way of its own.
func hostMark(p *message.PolicyRef) string {
	switch p.Params[model.HostSplit] {
	case "tuned":
		return words.T(" (tuned)")
	case "proportional":
		return words.T(" (by GPUs)")
	}
	return ""
}

// Titles are what results call the lanes of a document, and their letters, but for those with forced choices; title is
// a policy's, see Result.Name.
func Titles(d *scenario.Document, title func(policy string) string) (titles, letters []string) {
	var lanes []*Lane
	for i := range d.Scenario.Policies {
		if p := &d.Scenario.Policies[i]; len(p.Force) == 0 {
			lanes, letters = append(lanes, &Lane{Policy: p.Ref()}), append(letters, edit.LaneLetter(i))
		}
	}
	name(lanes, letters, title)
	for _, l := range lanes {
		titles = append(titles, l.Title)
	}
	return titles, letters
}
