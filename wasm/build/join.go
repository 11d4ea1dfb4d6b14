//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"strings"

	"hadarlab/core/class"
	"hadarlab/scenarios"
	"hadarlab/wasm/webdir"
)

// Files of the page in which a student joins a class, and the catalogue that it takes its texts from.
const (
	joinPage    = "join.html"
	joinScripts = "web/join*.js"
	catalogue   = "web/words/de.json"
	joinWords   = "web/words/join.de.json"
)

// joinTexts finds the texts of the page and of its scripts, where a long one is put together, by joined.
var (
	joinTexts = regexp.MustCompile(`\bsay\("((?:[^"]|"\s*\+\s*")+)"[),]|(?:<title|<[^>]* data-say[^>]*)>([^<]+)<`)
	joined    = regexp.MustCompile(`"\s*\+\s*"`)
)

// addJoin puts the page in which students join at its address, gives it the names that it makes up where there is no
// server, and a catalogue of its own: all of the page's texts are six times as large as this page.
func addJoin(files webdir.Files) error {
	page := files["web/"+joinPage]
	delete(files, "web/"+joinPage)
	names := `<html data-qualities="` + strings.Join(class.Qualities, " ") + `" data-animals="` +
		strings.Join(class.Animals, " ") + `" `
	files[joinPage] = bytes.Replace(page, []byte("<html "), []byte(names), 1)
	all, some := map[string]string{}, map[string]string{}
	if err := json.Unmarshal(files[catalogue], &all); err != nil {
		return err
	}
	take := func(key string) {
		if says, ok := all[key]; ok {
			some[key] = says
		}
	}
	for name, data := range files { // a map makes a map: the order is immaterial
		if script, _ := path.Match(joinScripts, name); !script && name != joinPage {
			continue
		}
		for _, m := range joinTexts.FindAllSubmatch(data, -1) {
			take(joined.ReplaceAllString(string(m[1]), "") + string(m[2]))
		}
	}
	for _, id := range scenarios.Assignments {
		doc, _ := scenarios.Assignment(id)
		a, diags := class.Parse(doc)
		if a == nil {
			return errors.New("assignment " + id + ": " + diags.Errors()[0].Message.String())
		}
		for _, text := range a.Texts() {
			take(text)
		}
	}
	b, err := json.Marshal(some)
	files[joinWords] = b
	return err
}
