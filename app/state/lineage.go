package state

import (
	"slices"
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

// preset is the preset with a content id, nil = none.
func (s *State) preset(id string) *scenario.Document {
	for _, text := range s.Boot.Docs {
		if d, diags := scenario.Parse(text, scenario.FileLimits); d != nil && !diags.HasErrors() &&
			d.ID(s.Defaults) == id {
			return d
		}
	}
	return nil
}

// lineageOf reads a document's origin; nil when it names none, or itself.
func (s *State) lineageOf(d *scenario.Document) *Lineage {
	id := d.Meta.DerivedFrom
	if id == "" || id == d.ID(s.Defaults) {
		return nil
	}
	l := &Lineage{ID: id}
	if origin := s.preset(id); origin != nil {
		l.Known, l.Title, l.Changes = true, s.titleOf(origin), s.changes(origin, d)
	}
	return l
}

// changes says where two documents differ.
func (s *State) changes(from, to *scenario.Document) []scenario.Difference {
	return changes(from, to, s.Defaults, s.params)
}

// changes says where two documents differ; numbers that have a name by it, with both values.
func changes(from, to *scenario.Document, defaults scenario.Defaults,
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

// shared is the document as it is handed on: one that was edited names what it was made from. That is the
// preset, file or link that was opened last; where a link names a preset itself, the preset, which everyone has.
func (s *State) shared() (*scenario.Document, *Lineage) {
	base := s.History.Base()
	from := base.Document()
	if base.Edited || from.ID(s.Defaults) == s.Doc.ID(s.Defaults) {
		return s.Doc, s.lineageOf(s.Doc)
	}
	d := s.Doc.Clone()
	d.Meta.DerivedFrom = from.ID(s.Defaults)
	if origin := from.Meta.DerivedFrom; origin != "" && s.preset(origin) != nil {
		d.Meta.DerivedFrom = origin
		return d, s.lineageOf(d)
	}
	return d, &Lineage{ID: d.Meta.DerivedFrom, Title: s.titleOf(from), Known: true, Changes: s.changes(from, d)}
}

// EmbedCode is the HTML that shows a scenario in another page: by its short id where there is one, else by its link.
func (s *ShareState) EmbedCode(origin string) string {
	path := strings.Replace(s.Address(), "/#", "/e#", 1)
	if s.Short != "" {
		path = strings.Replace(s.ShortAddress(), "/s/", "/e/", 1)
	}
	return `<iframe src="` + origin + path + `" title="Hadarlab" width="100%" height="1000" loading="lazy"></iframe>`
}
