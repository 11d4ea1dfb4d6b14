package imports

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// origin is where a type's speed against another comes from.
type origin int

const (
	unknown   origin = iota
	itself           // it is the other
	given            // by whoever imports
	measured         // over many models
	estimated        // from data sheets
)

// against is how many times as fast as a base type another is, and how that is known.
func (im *importer) against(typ, base string) (float64, origin) {
	if i := slices.IndexFunc(im.o.Speeds, func(f scenario.Factor) bool { return f.Type == typ }); i >= 0 {
		return jsondoc.Round9(im.o.Speeds[i].Times), given
	}
	a, known := scenario.SpeedOf(typ)
	b, listed := scenario.SpeedOf(base)
	switch {
	case typ == base:
		return 1, itself
	case !known || !listed:
		return 0, unknown
	case a.Estimate || b.Estimate:
		return jsondoc.Round9(a.Factor / b.Factor), estimated
	}
	return jsondoc.Round9(a.Factor / b.Factor), measured
}

// tellSpeeds says in the report how fast the types of the cluster are against a base type, and which of that is an
// estimate; types that have speeds of their own are passed over.
func (im *importer) tellSpeeds(base string, own ...string) {
	free := false
	for _, t := range im.o.Cluster {
		by, how := im.against(t.Type, base)
		if how != given && slices.Contains(own, t.Type) {
			continue
		}
		times := strconv.FormatFloat(by, 'g', 3, 64)
		switch how {
		case given:
			im.assume(words.Say("{0} is {1} times as fast as a {2}, as given", t.Type, times, base))
		case measured:
			im.assume(words.Say("{0} is {1} times as fast as a {2}, as measured over several models", t.Type, times,
				base))
		case estimated:
			im.assume(words.Say("{0} is {1} times as fast as a {2}: an estimate from data sheets", t.Type, times, base))
		}
		free = free || how == measured || how == estimated
	}
	if free {
		im.assume(words.Say("other factors are given with --speed, in the page under Speeds"))
	}
}

// origins are the types of a row by where their speeds come from.
type origins [estimated + 1][]string

func (o *origins) add(typ string, how origin) { o[how] = append(o[how], typ) }

// source says that of a row which is otherwise of some source.
func (o *origins) source(of string) string {
	out := of
	for how, as := range [...]string{unknown: "taken as as fast", given: "by a given factor",
		measured: "by measured factor", estimated: "estimated"} {
		if as != "" && len(o[how]) > 0 {
			out += "; " + strings.Join(o[how], ", ") + " " + as
		}
	}
	const most = 200 // what a document takes
	if len(out) > most {
		return of + "; other types by factor, some estimated"
	}
	return out
}
