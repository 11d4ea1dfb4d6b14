package state

import (
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Document is the scenario that stands, what is wrong with it, and how it came about.
type Document struct {
	*room.Shared
	Doc     *scenario.Document
	Diags   jsondoc.Diagnostics
	Offered *scenario.Load // the load of its jobs, where they are drawn one after the other or some are measured
	History edit.History
	opened  edit.Opened // that Doc was made from, once it has been changed
	edition int64       // number of the document: two are told apart by it at once
}

// setDoc replaces the document and judges it.
func (s *Document) setDoc(d *scenario.Document) {
	s.Doc = d
	s.edition++
	s.Diags = s.Boot.Findings(d)
	s.Offered = nil
	if d.Scenario.Generator == nil && d.Scenario.Window == nil || s.Diags.HasErrors() {
		return
	}
	if l, ok := d.Offered(); ok {
		s.Offered = &l
	}
}

// Title names the document.
func (s *Document) Title() string { return s.Boot.TitleOf(s.Doc) }

// fileName is what files of the document are called.
func (s *Document) fileName() string { return share.FileName(s.Title()) }

// predictable says that the document runs and has two lanes to compare.
func (s *Document) predictable() bool {
	return len(s.Doc.Scenario.Policies) > 1 && !s.Diags.HasErrors()
}

// retell keeps what a changed document says of itself true, if what it was made from can still be read.
func (s *Document) retell(d *scenario.Document) {
	opened := s.History.Base().Document()
	if opened == nil {
		return
	}
	if s.opened.Doc != opened {
		s.opened = edit.Open(opened, s.Defaults)
	}
	s.opened.Retell(d, s.Defaults)
}

// lineageOf reads a document's origin; nil when it names none, or itself.
func (s *Document) lineageOf(d *scenario.Document) *share.Lineage {
	id := d.Meta.DerivedFrom
	if id == "" || id == d.ID(s.Defaults) {
		return nil
	}
	l := &share.Lineage{ID: id}
	if origin := s.Boot.Preset(id, s.Defaults); origin != nil {
		l.Known, l.Title = true, s.Boot.TitleOf(origin)
		l.Changes = share.Changes(origin, d, s.Defaults, s.Boot.Params)
	}
	return l
}

// shared is the document as it is handed on: one that was edited names what it was made from. That is the
// preset, file or link that was opened last; where a link names a preset itself, the preset, which everyone has.
func (s *Document) shared() (*scenario.Document, *share.Lineage) {
	base := s.History.Base()
	from := base.Document()
	if from == nil || base.Edited || from.ID(s.Defaults) == s.Doc.ID(s.Defaults) {
		return s.Doc, s.lineageOf(s.Doc)
	}
	d := s.Doc.Clone()
	d.Meta.DerivedFrom = from.ID(s.Defaults)
	if origin := from.Meta.DerivedFrom; origin != "" && s.Boot.Preset(origin, s.Defaults) != nil {
		d.Meta.DerivedFrom = origin
		return d, s.lineageOf(d)
	}
	return d, &share.Lineage{ID: d.Meta.DerivedFrom, Title: s.Boot.TitleOf(from), Known: true,
		Changes: share.Changes(from, d, s.Defaults, s.Boot.Params)}
}
