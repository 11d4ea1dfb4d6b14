package scenario

import (
	"slices"

	"hadarlab/core/record"
	"hadarlab/core/words"
)

// Recorded says whether a lane is a record of decisions.
func (d *Document) Recorded() bool {
	return slices.ContainsFunc(d.Scenario.Policies, func(p Policy) bool { return p.ID == record.Policy })
}

// RecordsStay is why a scenario with a record is in no link, on no server and in no class.
func RecordsStay() words.Text {
	return words.Say("A lane is a record of decisions, which stays in files: nobody could tell whose decisions a link, a server or a class holds, nor make them again.")
}
