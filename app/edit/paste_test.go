package edit

import (
	"strings"
	"testing"
)

func TestCellsOfTheClipboard(t *testing.T) {
	for text, want := range map[string]string{
		"1\t2\r\n3\t4\r\n": "1|2/3|4", "1;2\n3;4": "1|2/3|4", "1,2\n3,4\n": "1|2/3|4", "1\n2": "1/2", "1\t2": "1|2",
		"12600": "", "12,600": "", "": "",
	} {
		var rows []string
		for _, row := range Cells(text) {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, "/"); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
