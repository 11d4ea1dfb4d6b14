// Package compare says which run is better, and how sure that is: the first sentence about a result, the same
// scenario with many seeds, with a number that varies, and the search for numbers that change the winner.
package compare

import (
	"slices"
	"strings"
	"unicode"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/insights"
	"hadarlab/core/scenario"
)

// Question is what a scenario asks: what its author has written, else what its lanes ask by standing side by side.
func Question(d *scenario.Document) string {
	if AsksWhich(d) {
		return words.T("Which policy completes the jobs sooner, and why?")
	}
	return words.T(d.Meta.Question)
}

// AsksWhich says whether the question is the lanes' own: first which does better, and then why.
func AsksWhich(d *scenario.Document) bool {
	return d.Meta.Question == "" && len(d.Scenario.Policies) > 1
}

// AsksWhy says whether the question is for reasons, in either of the page's languages.
func AsksWhy(d *scenario.Document) bool {
	asks := strings.ToLower(Question(d))
	return slices.ContainsFunc([]string{"why", "warum", "wieso", "weshalb"},
		func(word string) bool { return strings.Contains(asks, word) })
}

// Named are the jobs whose ids the author's question names, in the document's order.
func Named(d *scenario.Document) (jobs []string) {
	said := map[string]bool{}
	for word := range strings.FieldsFuncSeq(words.T(d.Meta.Question), func(c rune) bool {
		return c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsNumber(c)
	}) {
		said[word] = true
	}
	for i := range d.Scenario.Jobs {
		if id := d.Scenario.Jobs[i].ID; said[id] {
			jobs = append(jobs, id)
		}
	}
	return jobs
}

// Means says the mean completions of the compared lanes; "" where they do not compare.
func Means(r *run.Result) string {
	a, b := r.Pair()
	if a == nil || a.Meta.Outcome != "done" || b.Meta.Outcome != "done" {
		return ""
	}
	u := r.Axis.Unit
	return words.F("{0} {1}, {2} {3} on average.", a.Title, u.Say(words.Now(), a.Mean()), b.Title,
		u.Say(words.Now(), b.Mean()))
}

// Say names the lanes and puts the finding into words, in the reader's language.
func Say(r *run.Result, title func(policy string) string) {
	r.Name(title)
	ran := r.Ran()
	switch {
	case len(ran) == 0:
		r.Finding = insights.Finding{Claim: words.T("Nothing could be simulated."),
			Because: words.T("The lanes below say why.")}
	case r.Cut(): // one lane may have come further than the other
		r.Finding = insights.Finding{Claim: words.T("Stopped before it was done."),
			Because: words.T("What was simulated is shown. Its figures cannot be compared.")}
	case len(ran) == 1 && len(r.Lanes) > 1:
		r.Finding = insights.Finding{Claim: words.F("Only {0} has run.", ran[0].Title), Because: refusals(r)}
	case len(ran) == 1:
		r.Finding = insights.Finding{Claim: words.F("{0} alone.", ran[0].Title),
			Because: words.T("Add a second policy to compare.")}
	default:
		a, b := r.Pair()
		of := len(ran)
		if a.Policy.Force != nil {
			of = 2 // it is compared with its own policy, whatever the others do
		}
		if slices.ContainsFunc(ran, func(l *run.Lane) bool { return l.Chart.Counted != a.Chart.Counted }) {
			of = 2 // the mean of a lane that leaves jobs is of fewer, and may be less
		}
		r.Finding = insights.Find(words.Now(), a.Side(), b.Side(), r.Diff, of)
		sides := make([]insights.Side, len(ran))
		for i, l := range ran {
			sides[i] = l.Side()
		}
		r.Finding.Claim += insights.Rents(words.Now(), sides)
		r.Tells = slices.Index(r.Lanes, []*run.Lane{a, b}[r.Finding.Side])
	}
}

// refusals names the lanes that cannot run. Why each cannot, and what would help, its lane says.
func refusals(r *run.Result) string {
	var titles []string
	for _, l := range r.Lanes {
		if l.Refused() {
			titles = append(titles, l.Title)
		}
	}
	switch len(titles) {
	case 0:
		return words.T("The other lanes say why they have not.")
	case 1:
		return words.F("{0} cannot run this scenario; its lane says why, and what would help.", titles[0])
	}
	return words.F("{0} cannot run this scenario; their lanes say why, and what would help.",
		strings.Join(titles, ", "))
}
