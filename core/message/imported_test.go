package message

import (
	"reflect"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// TestImportedIsSaidWhereItIsRead: the texts of an import's report keep their patterns on the way, so that the page
// says them in the language of its reader, also in one that is chosen later.
func TestImportedIsSaidWhereItIsRead(t *testing.T) {
	german, err := words.Read([]byte(`{"no GPU":"keine GPU","it asks for {0}":"verlangt werden {0}",` +
		`"{0} GPUs a node":"{0} GPUs je Knoten","the trace is empty":"die Aufzeichnung ist leer"}`))
	if err != nil {
		t.Fatal(err)
	}
	sent := &Message{ID: 3, Body: []byte("{}"), Imported: &Imported{
		Report: ImportReport{Format: "swf", Read: 5, Kept: 2, Dropped: 3, Jobs: 2, Sampled: true, Seed: 9,
			Reasons: []Drop{{Reason: words.Say("no GPU"), Count: 3, Line: 4, First: words.Say("it asks for {0}", 0)}},
			Unused:  []string{"user"}, Assumptions: []words.Text{words.Say("{0} GPUs a node", 4), words.Own("own")}},
		Errors: []jsondoc.Diagnostic{{Line: 1, Level: "error", Code: "x", Message: words.Say("the trace is empty")}}}}
	b, err := sent.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(b)
	if err != nil || m.Imported == nil || string(m.Body) != "{}" {
		t.Fatalf("%+v, %v", m, err)
	}
	r := &m.Imported.Report
	for _, in := range []struct {
		words.Catalogue
		want string
	}{{nil, "no GPU|it asks for 0|4 GPUs a node|own|the trace is empty"},
		{german, "keine GPU|verlangt werden 0|4 GPUs je Knoten|own|die Aufzeichnung ist leer"}} {
		got := []string{r.Reasons[0].Reason.In(in.Catalogue), r.Reasons[0].First.In(in.Catalogue),
			r.Assumptions[0].In(in.Catalogue), r.Assumptions[1].In(in.Catalogue),
			m.Imported.Errors[0].Message.In(in.Catalogue)}
		if strings.Join(got, "|") != in.want {
			t.Errorf("it says %q, want %q", got, in.want)
		}
	}
	for _, text := range r.texts() {
		*text = words.Text{}
	}
	want := sent.Imported.Report
	for _, text := range want.texts() {
		*text = words.Text{}
	}
	if !reflect.DeepEqual(*r, want) {
		t.Errorf("the figures are %+v, want %+v", *r, want)
	}
}
