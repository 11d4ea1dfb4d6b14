package jsondoc_test

import (
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/words"
)

func TestUnmarshalNamesThePlace(t *testing.T) {
	type row struct {
		ID string
		N  int
		F  map[string]float64
	}
	for doc, want := range map[string]string{
		"{\"rows\":[{\"id\":\"a\",\"n\":1},\n{\"id\":\"b\",\"n\":\"2\"}]}": `2 error wrong-type /rows/1/n: the text "2" stands here; it must be a whole number (Write 2 without quotes.)`,
		`{"rows":[{"f":{"x":[1]}}]}`:                                       `1 error wrong-type /rows/0/f/x: a list stands here; it must be a number (Write a number, as in 7.2.)`,
		`{"rows":{"a":1}}`:                                                 `1 error wrong-type /rows: an object stands here; it must be a list (Write it as a list: […].)`,
		`{"rows":[{"id":7}]}`:                                              `1 error wrong-type /rows/0/id: the number 7 stands here; it must be a text (Write it in double quotes, as in "v100".)`,
		`{"rows":[{"n":1.5}]}`:                                             `1 error wrong-type /rows/0/n: the number 1.5 stands here; it must be a whole number (Write a whole number, as in 4.)`,
		`{"rows":[],"rows":[]}`:                                            `1 error duplicate-member /rows: "rows" comes twice in one object (Keep one of the two.)`,
		`[]`:                                                               `1 error not-an-object : the document is a list; it must be an object (Start so.)`,
		`{"rows":[{"id":"a","n":1,"more":null}]`:                           `1 error bad-json : the text ends too early`,
		`{"rows":[{"id":"a","n":1,"more":{}}]}`:                            "",
	} {
		var into struct{ Rows []row }
		got := golden.Lines(jsondoc.Unmarshal([]byte(doc), jsondoc.Limits{Bytes: 1 << 20, Depth: jsondoc.MaxDepth},
			words.Say("Start so."), &into))
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s:\n got %s\nwant %s", doc, got, want)
		}
	}
}
