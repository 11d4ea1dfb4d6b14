//go:build !js

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/wasm/webdir"
)

// TestJoin: the page in which students join has names to give, and its texts in German without all the others.
func TestJoin(t *testing.T) {
	files := webdir.Files{}
	if err := files.Add("../../app/web", "web"); err != nil {
		t.Fatal(err)
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
		"Which policy ends the average job sooner?", "This site has no server, so that no code leads to a class here. " +
			"Open the link that your teacher gave you."} {
		if german[key] == "" || german[key] == key {
			t.Errorf("%q is %q in German", key, german[key])
		}
	}
	scripts, err := filepath.Glob("../../app/web/join*.js")
	if err != nil || len(scripts) < 5 {
		t.Fatal(scripts, err)
	}
	for _, script := range scripts {
		if name := filepath.Base(script); !strings.Contains(string(files[joinPage]), `<script src="./web/`+name+`">`) {
			t.Errorf("%s does not load %s", joinPage, name)
		}
	}
	if len(files[joinWords]) > len(files[catalogue])/5 {
		t.Errorf("the page's catalogue has %d bytes", len(files[joinWords]))
	}
}
