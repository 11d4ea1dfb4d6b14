package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/words"
)

// splitSection says how a gang of several types splits its batch, with the sum that its speed follows from: the shares
// that it has now and, where it is still learning, what is to come. It is nil of a gang that has nothing to split. Even
// splits are told of beside jobs that have others.
func (r *Run) splitSection(g *gang, j model.JobID) *Section {
	job, m := &r.p.Jobs[j], &g.members[0]
	split, even := job.Shape.Split, job.Shape.Split == nil
	if len(g.members) > 1 || even && (job.Profile >= 0 || !r.p.Splits()) {
		return nil
	}
	if even {
		split = &model.Split{}
	}
	size, rate := r.ratesOf(g, m)
	parts := partsOf(nil, &r.p.Cluster, g.shards, rate)
	if m.learns != nil {
		parts = m.learns.parts
	}
	if len(parts) < 2 || slices.ContainsFunc(parts, func(p model.Part) bool { return p.Rate <= 0 }) {
		return nil
	}
	s := &Section{Title: words.Say("How the batch is split")}
	switch l := m.learns; {
	case l != nil && l.left < 0:
		s.Note = words.Say("The split is learned: no check moves it any more.")
	case l != nil:
		now := &r.jobs[j] // its training is booked when something happens to it
		left := max(0, l.left-max(0, r.now-max(now.anchor, now.stall)))
		s.Note = words.Say("The split is learned: a check after {0} more of training moves it where a GPU’s time is {1} or more off the mean. It is foretold to settle at {2}.",
			Seconds(left.Seconds()), Share(split.Band), split.Settled(slices.Clone(parts)))
	case even:
		for i := range parts {
			parts[i].Share = 1
		}
		s.Note = words.Say("The batch is split evenly: a GPU that is done waits for the slowest.")
	default:
		split.Settled(parts) // gives them their shares
	}
	var says words.Text
	add := func(t words.Text) { s.Formula = append(s.Formula, t) }
	h, longest := split.Overhead, 0.0
	for i := range parts {
		p := &parts[i]
		took := float64(h+float64((1-h)*p.Share)) / p.Rate
		longest = max(longest, took)
		key, who := "split/"+r.p.Cluster.Types[p.Type].Name, any(p.Type)
		if l := m.learns; l != nil && l.on != nil { // each node's by themselves
			node := r.p.Cluster.Slots[l.on[i].Slot].Node
			key, who = key+" of "+r.p.Cluster.Nodes[node].Name, words.Say("{0} of {1}", p.Type, node)
		}
		s.Terms = append(s.Terms, Term{Key: key, Value: p.Share})
		of := words.Say("each {0} takes {1}", who, Digits{p.Share, 4})
		if batch := job.Batch; batch > 0 {
			of = words.Say("each {0} takes {1} ({2} of {3} examples)", who, Digits{p.Share, 4},
				Digits{float64(p.Share*float64(batch)) / float64(size), 3}, float64(batch))
		}
		if says.IsZero() {
			says = of
		} else {
			says = words.Say("{0}, {1}", says, of)
		}
		if h == 0 {
			add(words.Say("a step’s part on a {0} = share ÷ speed of a gang of its type = {1} ÷ {2} = {3} s", who,
				Digits{p.Share, 5}, Digits{p.Rate, 5}, Digits{took, 4}))
		} else {
			add(words.Say("a step’s part on a {0} = (overhead + the rest × share) ÷ speed of a gang of its type = ({1} + {2} × {3}) ÷ {4} = {5} s",
				who, Digits{h, 5}, Digits{1 - h, 5}, Digits{p.Share, 5}, Digits{p.Rate, 5}, Digits{took, 4}))
		}
	}
	add(words.Say("speed = a step ÷ the longest of them = 1 ÷ {0} = {1} steps/s", Digits{longest, 5}, Digits{1 / longest, 4}))
	s.Terms = append(s.Terms, Term{Key: "split/step_s", Value: longest, Unit: "s"})
	says = words.Say("In even shares of the batch, {0}; a step takes {1}.", says, Seconds(longest))
	if s.Note.IsZero() {
		s.Note = says
	} else {
		s.Note = words.Say("{0} {1}", says, s.Note)
	}
	return s
}
