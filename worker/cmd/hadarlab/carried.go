//go:build !js && page

package main

import (
	"embed"
	"io/fs"
)

// The page as `make dist` builds it here, without the notes for the edge runtime: embed leaves out names that begin
// with a dot or an underscore.
//
//go:embed web
var web embed.FS

// carried is the page inside this program.
func carried() fs.FS {
	page, err := fs.Sub(web, "web")
	if err != nil {
		panic(err) // only of a name that is none
	}
	return page
}
