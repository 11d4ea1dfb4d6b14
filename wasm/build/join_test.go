//go:build !js

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"hadarlab/wasm/webdir"
)

// TestJoin: the page in which students join has names to give, and its texts in German without all the others.
func TestJoin(t *testing.T) {
	files := webdir.Files{}
	for _, name := range []string{joinPage, "join.js", "words/de.json"} {
		b, err := os.ReadFile("../../app/web/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files["web/"+name] = b
	}
	if err := addJoin(files); err != nil {
		t.Fatal(err)
	}
	if page := string(files[joinPage]); !strings.Contains(page, `<html data-qualities="quiet `) ||
		!strings.Contains(page, ` data-animals="heron `) || files["web/"+joinPage] != nil {
		t.Errorf("the page is\n%s", page)
	}
	var german map[string]string
	if err := json.Unmarshal(files[joinWords], &german); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"Join a class", "Commit my answer", "Hadar against Gavel, 25 minutes",
		"Which policy ends the average job sooner?"} {
		if german[key] == "" || german[key] == key {
			t.Errorf("%q is %q in German", key, german[key])
		}
	}
	if len(files[joinWords]) > len(files[catalogue])/5 {
		t.Errorf("the page's catalogue has %d bytes", len(files[joinWords]))
	}
}
