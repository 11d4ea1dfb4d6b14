package state

import (
	"errors"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
)

// maxOpen is the largest text the page takes, in bytes.
const maxOpen = 32 << 20

// open parses a text and loads it, or says why it cannot be used. strict refuses every error; otherwise a
// document with faults in its values is loaded to be mended. It was asked for at an entry of the history, 0 = this one.
func (s *Lab) open(since int64, data []byte, load Load, problem string, strict bool) []Effect {
	lim := scenario.FileLimits
	lim.Bytes = maxOpen
	doc, diags := scenario.Parse(data, lim)
	if doc == nil || strict && diags.HasErrors() || !strict && unreadable(diags) {
		return s.Notify(room.Notice{Title: problem, Diags: diags.Errors()})
	}
	if s.class.Home() != "" && doc.Recorded() {
		return s.Notify(room.Notice{Title: problem, Diags: noRecord(scenario.RecordsStay())})
	}
	load.Doc, load.Notes = doc, diags
	return s.arrive(since, load)
}

// noRecord is why a record is not opened.
func noRecord(why words.Text) jsondoc.Diagnostics {
	return jsondoc.Diagnostics{jsondoc.Error("", "record", why, words.Text{})}
}

// unreadable says whether errors concern the text as a whole rather than values in it.
func unreadable(diags jsondoc.Diagnostics) bool {
	for _, d := range diags.Errors() {
		switch d.Code {
		case "too-new", "wrong-kind", "wrong-version", "feature-unknown", "missing-member":
			return true
		}
		if d.Path == "" {
			return true
		}
	}
	return false
}

// arrive opens what was asked for at an entry of the history, 0 = this one. A reader who has gone on since is offered
// it instead.
func (s *Lab) arrive(since int64, load Load) []Effect {
	if since == 0 || since == s.History.Stands().ID {
		return load.on(s)
	}
	load.Came, load.Alone = false, false
	s.Offer = &Offer{load.Doc, load}
	s.Announcement = s.Offer.Says(s.Boot)
	return s.atAddress(false)
}

// TakeOffer opens what came late, DropOffer does not.
type (
	TakeOffer struct{}
	DropOffer struct{}
)

func (TakeOffer) on(s *Lab) []Effect {
	if s.Offer == nil {
		return nil
	}
	open := s.Offer.open
	s.Offer = nil
	effects, _ := s.Reduce(open)
	return effects
}

// OpenFile takes a file as the document. Since is the entry of the history at which it was chosen, 0 = it is here at
// once.
type OpenFile struct {
	Name  string
	Data  []byte
	Since int64
}

func (a OpenFile) on(s *Lab) []Effect {
	if record.Looks(a.Data) {
		return openRecord(s, a.Name, a.Data, a.Since)
	}
	if isTrace(a.Name, a.Data) {
		return s.openTrace(a.Name, a.Data, s.Doc)
	}
	return s.open(a.Since, a.Data, Load{Sentence: words.F("Opened the file {0}", jsondoc.ClipTo(a.Name, 24)),
		Toast: words.F("Opened {0}.", jsondoc.ClipTo(a.Name, 24)), Opens: true},
		words.F("“{0}” cannot be opened. The scenario stays as it was.", jsondoc.ClipTo(a.Name, 24)), false)
}

// openRecord opens recorded decisions: as a lane of the scenario that stands, where the record is of it or does not
// hold its own, else with the record's scenario. What its lines say is the engine's to check.
func openRecord(s *Lab, name string, data []byte, since int64) []Effect {
	name = jsondoc.ClipTo(name, 24)
	refuse := func(why words.Text) []Effect {
		return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. The scenario stays as it was.", name),
			Diags: noRecord(why)})
	}
	if s.class.Home() != "" {
		return refuse(scenario.RecordsStay())
	}
	head, packed, err := record.Pack(data)
	var wrong *record.Error
	if errors.As(err, &wrong) {
		return refuse(wrong.Told())
	}
	add := edit.AddRecord{Of: head.Policy, Packed: packed}
	doc := s.Doc.Clone()
	if head.Document != nil {
		var diags jsondoc.Diagnostics
		if doc, diags = scenario.Parse(head.Document, scenario.FileLimits); doc == nil || unreadable(diags) {
			return refuse(words.Say("line {0}: {1}", 1, words.Say("its scenario cannot be read")))
		}
	}
	says := add.Change(doc) + " " + edit.RecordSize(add.Lane())
	if head.Document == nil || apartFromLanes(doc, s.Defaults) == apartFromLanes(s.Doc, s.Defaults) {
		return append(Do{add}.on(s), s.Tell(says, true)...)
	}
	return s.arrive(since, Load{Doc: doc, Sentence: words.F("Opened the record {0}", name), Toast: says, Opens: true})
}

// apartFromLanes is the id of a scenario, whatever runs it.
func apartFromLanes(d *scenario.Document, defaults scenario.Defaults) string {
	bare := d.Clone()
	bare.Scenario.Policies = nil
	return bare.ID(defaults)
}

// FileProblem says that a file could not be read.
type FileProblem struct{ Name, Message string }

func (a FileProblem) on(s *Lab) []Effect {
	return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. {1}", jsondoc.ClipTo(a.Name, 24), a.Message)})
}

// LoadPreset opens a preset.
type LoadPreset struct{ Name string }

func (a LoadPreset) on(s *Lab) []Effect {
	for i := range s.Boot.Presets {
		p := &s.Boot.Presets[i]
		if p.Name != a.Name {
			continue
		}
		doc, _ := scenario.Parse(s.Boot.Docs[i], scenario.FileLimits)
		if doc == nil {
			return nil // presets are checked when the page is built
		}
		said := words.F("Preset “{0}” opened.", words.T(p.Title))
		if n := s.History.EditsHere(); s.History.Stands().Edited && n > 0 {
			said = words.F("Preset “{0}” opened, {1} set aside.", words.T(p.Title), words.Plural(n, "edit"))
		}
		effects := Load{Doc: doc, Sentence: words.F("Opened preset “{0}”", words.T(p.Title)), Preset: p.Name,
			Toast: said, Opens: true}.on(s)
		return append(effects, Reveal{room.PartHeadline}) // the headline, wherever the window stood
	}
	return nil
}
