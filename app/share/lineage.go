package share

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Lineage is what a scenario was made from, and what was changed.
type Lineage struct {
	ID      string // content id of the origin
	Title   string // of the origin, "" = the page does not know it
	Known   bool   // the page knows the origin, so that the list is whole
	Changes []scenario.Difference
}

// Changes says where two documents differ; numbers that have a name by it, with both values.
func Changes(from, to *scenario.Document, defaults scenario.Defaults,
	params func(policy string) []edit.Param) []scenario.Difference {
	list := scenario.Compare(from, to, defaults)
	if len(list) == 0 {
		return nil
	}
	was := map[string]edit.Variable{}
	for _, k := range edit.Variables(from, params) {
		was[k.Path] = k
	}
	for _, k := range edit.Variables(to, params) {
		at := slices.IndexFunc(list, func(c scenario.Difference) bool { return c.Path == k.Path })
		if old, ok := was[k.Path]; ok && at >= 0 && old.Name == k.Name {
			list[at].Words = words.F("{0}: {1} to {2}", k.Name, edit.FormatNumber(old.Value), k.Range.Say(k.Value))
		}
	}
	return list
}

// Brief tells the first changes.
func (l *Lineage) Brief() string {
	if l == nil {
		return ""
	}
	const most = 3
	var said []string
	for _, c := range l.Changes[:min(most, len(l.Changes))] {
		said = append(said, c.Words)
	}
	if n := len(l.Changes) - most; n > 0 {
		said = append(said, words.F("and {0} more", strconv.Itoa(n)))
	}
	return strings.Join(said, "; ")
}
