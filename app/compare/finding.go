// Package compare says which run is better, and how sure that is: the first sentence about a result, the same
// scenario with many seeds, with a number that varies, and the search for numbers that change the winner.
package compare

import (
	"maps"
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/findings"
)

// Lanes are the lanes that the numbers compare: the last one with forced choices and the same policy without them,
// else the only two. They are the same where nothing compares.
func Lanes(r *run.Result) (a, b int) {
	if r.Cut() {
		return -1, -1
	}
	for i, l := range r.Lanes {
		if l.Trace == nil {
			return -1, -1
		}
		for k, own := range r.Lanes {
			if l.Policy.Force != nil && own.Policy.Force == nil && own.Policy.ID == l.Policy.ID &&
				maps.Equal(own.Policy.Params, l.Policy.Params) {
				a, b = i, k
			}
		}
	}
	if a == b && len(r.Lanes) == 2 {
		return 0, 1
	}
	return a, b
}

// Means says the mean completions of the compared lanes, or of the first two, the better one first; "" where they do
// not compare.
func Means(r *run.Result) string {
	i, k := Lanes(r)
	if i == k {
		i, k = 0, 1
	}
	if k >= len(r.Lanes) {
		return ""
	}
	a, b := r.Lanes[i], r.Lanes[k]
	if a.Meta.Outcome != "done" || b.Meta.Outcome != "done" {
		return ""
	}
	if b.Mean() < a.Mean() {
		a, b = b, a
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
		r.Finding = findings.Finding{Claim: words.T("Nothing could be simulated."),
			Because: words.T("The lanes below say why.")}
	case r.Cut(): // one lane may have come further than the other
		r.Finding = findings.Finding{Claim: words.T("Stopped before it was done."),
			Because: words.T("What was simulated is shown. Its figures cannot be compared.")}
	case len(ran) == 1 && len(r.Lanes) > 1:
		r.Finding = findings.Finding{Claim: words.F("Only {0} has run.", ran[0].Title), Because: refusals(r)}
	case len(ran) == 1:
		r.Finding = findings.Finding{Claim: words.F("{0} alone.", ran[0].Title),
			Because: words.T("Add a second policy to compare.")}
	default:
		r.Finding = findings.Find(words.Now(), ran[0].Side(), ran[1].Side(), r.Diff)
		r.Tells = slices.Index(r.Lanes, ran[r.Finding.Side])
		if a, b := Lanes(r); a > 1 {
			one, other := r.Lanes[a], r.Lanes[b]
			r.Finding.Because += " " + words.F("{0} against {1}", edit.LaneLetter(a), edit.LaneLetter(b)) + ": " +
				findings.Find(words.Now(), one.Side(), other.Side(), chart.Compare(one.Trace, other.Trace, one.Chart,
					other.Chart)).Claim
		}
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
