package state

import (
	"bytes"
	"strings"

	"hadarlab/core/scenario"
)

// isTable says whether a file is to be read as a table of jobs rather than as a scenario.
func isTable(name string, data []byte) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".json") {
		return false
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv") || len(text) > 0 && text[0] != '{' && text[0] != '['
}

// openTable takes the jobs of a CSV file; cluster, speeds and policies stay. Rows that cannot be a job are
// left out and counted.
func (s *State) openTable(a OpenFile) []Effect {
	doc, report, diags := scenario.Import(bytes.NewReader(a.Data), "csv", scenario.ImportOptions{Template: s.Doc})
	if doc == nil {
		s.Notice = &Notice{Title: "“" + clip(a.Name) + "” cannot be opened. The scenario stays as it was.", Diags: diags}
		s.Spoken = s.Notice.Title
		return nil
	}
	said := plural(report.Kept, "job") + " from " + clip(a.Name) + "; cluster, speeds and policies stay."
	if report.Dropped > 0 {
		said += " " + plural(report.Dropped, "row") + " left out"
		if len(report.Reasons) > 0 {
			said += ", the first in line " + itoa(report.Reasons[0].Line) + ": " + report.Reasons[0].Reason
		}
		said += "."
	}
	return Load{Doc: doc, Sentence: "Took the jobs of " + clip(a.Name), Toast: said, Edited: true}.on(s)
}
