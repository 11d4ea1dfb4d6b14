//go:build !js

package webdir

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var named = regexp.MustCompile(`(?:href|src)="(\./[^"#]*)`)

// TestSite: every page lies where a host of plain files looks for it, and names its files from there; it says that
// there is no server, keeps the security policy, and has the card's whole address where that is known.
func TestSite(t *testing.T) {
	page := func(up string) []byte {
		return []byte("<html lang=\"en\">\n<head>\n<meta property=\"og:image\" content=\"./web/card.png\">\n<link href=\"" + up +
			"web/a.css\"><a href=\"" + up + "\"></a><a href=\"" + up + "docs/teach\"></a></head></html>")
	}
	files := Files{"index.html": page("./"), "join.html": page("./"), "docs.html": page("./"),
		"docs/teach.html": page("./../"), "web/a.css": []byte("a"), "web/card.png": []byte("c")}
	for address, card := range map[string]string{"": `"./`,
		"https://lab.example/x/": `"https://lab.example/x/web/card.png"`,
		"https://lab.example/x":  `"https://lab.example/x/web/card.png"`} {
		out := Site(files, address)
		want := []string{"404.html", "api/v1/openapi.json", "docs/index.html", "docs/teach/index.html", "e/index.html",
			"index.html", "join/index.html", "web/a.css", "web/card.png"}
		if got := slices.Sorted(maps.Keys(out)); !slices.Equal(got, want) {
			t.Fatalf("the site has %q", got)
		}
		for name, b := range out {
			if path.Ext(name) != ".html" || name == NotFound {
				continue
			}
			for _, m := range named.FindAllStringSubmatch(string(b), -1) {
				at := path.Join(path.Dir(name), m[1])
				if out[at] == nil && out[path.Join(at, "index.html")] == nil {
					t.Errorf("%s names %s, which is not there", name, m[1])
				}
			}
			for _, want := range []string{`<html data-site="true" `,
				`http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;`,
				"content=" + card} {
				if !strings.Contains(string(b), want) {
					t.Errorf("%s with the address %q lacks %s:\n%s", name, address, want, b)
				}
			}
			if strings.Contains(string(b), "frame-ancestors") {
				t.Errorf("%s says what browsers ignore there", name)
			}
		}
	}
	for text, want := range map[string]bool{"https://lab.example/x/": true, "http://localhost:8080": true,
		"lab.example": false,
		"/x/":         false, "javascript:alert(1)": false, "https://a@lab.example": false,
		"https://lab.example/?x": false} {
		if CheckAddress(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
