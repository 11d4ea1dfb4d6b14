package star

import (
	"go.starlark.net/resolve"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// longestSlip is how many bytes a name may have for which another one is looked for: that takes as many steps as the
// product of both lengths.
const longestSlip = 64

// meant puts behind a fault of a name which one may be meant, or else the other advice, if there is any.
func meant(fault words.Text, name string, candidates []string, otherwise words.Text) words.Text {
	advice := otherwise
	if len(name) <= longestSlip {
		if like := jsondoc.NearestName(name, candidates); like != "" {
			advice = words.Say("Did you mean {0}?", like)
		}
	}
	if advice.IsZero() {
		return fault
	}
	return words.Say("{0} {1}", fault, advice)
}

// unknown puts behind a fault of two values, where one of them is None, what that stands for.
func unknown(fault words.Text, v, w Value) words.Text {
	if !v.IsNone() && !w.IsNone() {
		return fault
	}
	return words.Say("{0} {1}", fault, words.Say("None is a value that is not known or not there: ask for it with == None first."))
}

// tooMany is the fault of a call with more values than a function takes.
func tooMany(of string, most, got int) words.Text {
	return words.Count(got, "{1} gets {0} value, and takes at most {2}.", "{1} gets {0} values, and takes at most {2}.",
		of, most)
}

// noParameter is the fault of a call.
func noParameter(of, name string, params []string) words.Text {
	return meant(words.Say("{0} has no parameter {1}.", of, name), name, params, words.Text{})
}

// noName is the fault of a name that stands for nothing.
func (c *compiler) noName(name string) words.Text {
	known := append(append(Names(), c.given...), c.scope...)
	for _, n := range Names() {
		if h, is := universe[n].AsHost(); is {
			for _, a := range h.Attrs() {
				known = append(known, n+"."+a)
			}
		}
	}
	return meant(words.Say("There is no name {0}.", name), name, known, words.Text{})
}

// names are those of bindings.
func names(bindings []*resolve.Binding) (list []string) {
	for _, b := range bindings {
		list = append(list, b.First.Name)
	}
	return list
}
