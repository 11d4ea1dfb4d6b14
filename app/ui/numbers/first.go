package numbers

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// First is the three figures of the first screen: those of the best lane, each with its difference from the next best.
// Where a lane pays rent, that stands in the place of the busy GPUs: nodes that have gone are not idle.
type First struct {
	Result *run.Result
	Fresh  bool
}

func FirstOf(s *state.Lab) *First { return &First{s.Result, s.Fresh()} }

// firstFigures are the three of a result.
func firstFigures(r *run.Result) []measure {
	names, of := []string{"avg_jct_s", "makespan_s", "gpu_utilization"}, make([]measure, 3)
	if slices.ContainsFunc(r.Ran(), func(l *run.Lane) bool { return l.Meta.Metrics.RentUSD > 0 }) {
		names[2] = rent
	}
	for i, name := range names {
		of[i].Metric = *message.FindMetric(name)
	}
	return of
}

const rent = "rent_usd"

// first is the figure of a run; that of rent is shown where a lane pays some, so that who pays none pays 0.
func (f *measure) first(l *run.Lane) float64 {
	if f.Name == rent {
		return l.Meta.Metrics.RentUSD
	}
	return f.of(&l.Meta)
}

// Render draws them. Where lanes do not compare, each has its own figures.
func (n *First) Render() app.UI {
	r := n.Result
	one, base := compared(r)
	against := ""
	if one == nil {
		ran := r.Ran()
		if len(ran) == 0 {
			return El("section|hidden=true")
		}
		if one, _ = r.Pair(); one == nil || r.Cut() {
			one = ran[0]
		}
	}
	if base != nil {
		against = words.F("against {0}", base.Title)
	} else if n, all := len(one.Chart.Dones), len(one.Trace.Jobs); n < all {
		against = words.F("Counted are the {0} of {1} jobs that are complete.", Itoa(n), Itoa(all))
	}
	three := firstFigures(r)
	kids := Each(len(three), func(i int) app.UI { return three[i].large(r, one, base) })
	return Set(El("section.firsts|data-test=firsts|aria-label=Result",
		El("p.vs", Bold(one.Title), Txt("span", against)), El("ul", kids...)), "data-stale", OnOff(!n.Fresh))
}

// large is a figure in large type, and how it differs.
func (f *measure) large(r *run.Result, one, base *run.Lane) app.UI {
	u := r.Axis.Unit
	unit, v := "", f.first(one)
	if f.Unit == message.Time {
		unit = u.Short
	}
	kids := []app.UI{Say("span", f.Title), El("b", Text(f.say(v, u)), Txt("small", unit))}
	if base != nil {
		w := f.first(base)
		way := f.way(v, w, u)
		kids = append(kids, El("span", Set(Txt("em.diff", f.gap(v, w, u)), "data-better", Flag(way > 0), "data-worse",
			Flag(way < 0)), Text(" "+base.Title+" "+f.with(w, u))))
	}
	return Set(El("li", kids...), "data-metric", f.Name)
}

// with is a figure with its unit.
func (f *measure) with(v float64, u figure.Unit) string {
	if f.Unit == message.Time {
		return f.say(v, u) + " " + u.Short
	}
	return f.say(v, u)
}
