package lab

import (
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// mostNodes is how many nodes a decision tells of.
const mostNodes = 6

// addCloud says which nodes have come and gone since the decision before and which are asked for at this one, and why.
func (x *explainer) addCloud(e *message.Explanation) {
	if x.p.Cloud == nil {
		return
	}
	note, more := "", 0
	for _, r := range x.t.Reasons[x.t.Rounds[len(x.t.Rounds)-1].Reason:] {
		says := x.nodeSays(&r)
		if says.IsZero() {
			continue
		}
		if more++; more > mostNodes {
			continue
		}
		if note != "" {
			note += " "
		}
		note += x.say(says)
	}
	if more > mostNodes {
		note += " " + x.say(words.Say("So it is with {0} more.", more-mostNodes))
	}
	if note != "" {
		e.Sections = append(e.Sections, message.Section{Title: x.in.T("Nodes for money"), Note: note})
	}
}

// nodeSays is what a reason says of a node that can be had; the zero text if it is of something else.
func (x *explainer) nodeSays(r *trace.Reason) words.Text {
	if r.Code < trace.NodeAsked || r.Code > trace.NodeGone {
		return words.Text{}
	}
	node, at, d := x.p.Cluster.Slots[r.Slot].Node, sim.Instant(r.Num[0]), sim.Seconds(r.Num[1])
	switch {
	case r.Code == trace.NodeAsked && r.Job >= 0:
		return words.Say("{0} is asked for, since {1} waits and counts on it; it comes in {2}.", node, model.JobID(r.Job), d)
	case r.Code == trace.NodeAsked:
		return words.Say("{0} was asked for at {1} although no job waited for it, so that as many are kept as the autoscaler wants; it takes {2} to come.",
			node, at, d)
	case r.Code == trace.NodeCame:
		return words.Say("{0} came at {1}.", node, at)
	case r.Code == trace.NodeReleased:
		return words.Say("{0} was released at {1}, after {2} without a job.", node, at, d)
	}
	return words.Say("{0} was taken back by its provider at {1}, {2} after it had come.", node, at, d)
}
