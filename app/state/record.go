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

// openRecord opens recorded decisions: as a lane of the scenario that stands, where the record is of it or does not
// hold its own, else with the record's scenario. What its lines say is the engine's to check.
func openRecord(s *Lab, name string, data []byte, since int64) []Effect {
	name = jsondoc.ClipTo(name, 24)
	refuse := func(why words.Text) []Effect {
		return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. The scenario stays as it was.", name),
			Diags: jsondoc.Diagnostics{jsondoc.Error("", "record", why, words.Text{})}})
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
