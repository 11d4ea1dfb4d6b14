//go:build !js

package webdir

import (
	"bytes"
	"html"
	"maps"
	"net/url"
	"path"
	"strings"

	"hadarlab/worker"
	"hadarlab/worker/host"
)

// own is how a page writes that what follows is found from where the page lies; in a card it needs the whole address.
const (
	own     = `="./`
	ownCard = `content="./`
)

// Site are the same files for a host that has nothing but files: pages lie in folders, since such hosts answer
// /docs/teach with docs/teach/index.html, under any path, and say that there is no server. Address is where the site
// will be, for the cards of links; without it those have no picture in programs that want whole addresses.
func Site(files Files, address string) Files {
	out := maps.Clone(files)
	for name, b := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		delete(out, name)
		out[folder(name)] = sited(b, address, folder(name) != name)
	}
	out["e/index.html"] = sited(files["index.html"], address, true)
	out[NotFound] = []byte(nothingHere)
	out["api/v1/openapi.json"] = worker.OpenAPI()
	return out
}

// folder is where a page lies so that its address needs no suffix.
func folder(name string) string {
	if path.Base(name) == "index.html" {
		return name
	}
	return strings.TrimSuffix(name, ".html") + "/index.html"
}

// sited is a page of the site, which may lie a folder deeper there. Without a server nobody sends the
// security headers, and what a page can say of them itself, it does; that other sites may
// not frame it cannot be said so.
func sited(b []byte, address string, deeper bool) []byte {
	if address != "" {
		b = bytes.ReplaceAll(b, []byte(ownCard),
			[]byte(`content="`+html.EscapeString(strings.TrimSuffix(address, "/"))+"/"))
	}
	if deeper {
		b = bytes.ReplaceAll(b, []byte(own), []byte(own+"../"))
	}
	policy, _, _ := strings.Cut(host.Headers()["Content-Security-Policy"], "; frame-ancestors")
	b = bytes.Replace(b, []byte("<html "), []byte(`<html data-site="true" `), 1)
	return bytes.Replace(b, []byte("<head>\n"), []byte("<head>\n"+
		`<meta http-equiv="Content-Security-Policy" content="`+html.EscapeString(policy)+"\">\n"), 1)
}

// CheckAddress says whether text is the whole address of a site.
func CheckAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.RawQuery == "" &&
		u.Fragment == "" && u.User == nil
}

// nothingHere lies under any path, so it names no file.
const nothingHere = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found – Hadarlab</title>
<h1>There is nothing at this address</h1>
<p>This site has no server, so that it keeps no short links (<code>/s/</code>) and no classes. A link with a <code>#</code> in it works here: it
holds the whole scenario. Ask for that one, or open the site’s front page.</p>
</html>
`
