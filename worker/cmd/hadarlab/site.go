//go:build !js

package main

import (
	"fmt"
	"io/fs"
	"os"

	"hadarlab/wasm/webdir"
)

func siteCommand(c command, std streams, args []string) int {
	return writeSite(c, std, args, carried())
}

// writeSite lays out the page that this program carries for a host that has nothing but files, as `make site` does.
func writeSite(c command, std streams, args []string, page fs.FS) int {
	f := c.flags()
	out := f.String("o", "", "`DIR` to write to; it is made, or empty")
	address := f.String("address", "", "the `URL` at which the site will be, for the cards of pasted links; without it those lack their picture "+
		"in programs that want whole addresses")
	if _, code, ok := c.read(std, f, args, ""); !ok {
		return code
	}
	refuse := func(format string, args ...any) int {
		fmt.Fprintf(std.err, "hadarlab site: "+format+"\n", args...)
		return exitUsage
	}
	there, err := os.ReadDir(*out)
	switch {
	case page == nil:
		return refuse("this program carries no page (take one from an archive or `make dist`, or run `make site` in the sources)")
	case *out == "":
		return refuse("-o is needed (name a folder, as -o site)")
	case *address != "" && !webdir.CheckAddress(*address):
		return refuse("--address: %q is no address (give one as https://lab.example/hadarlab/)", *address)
	case err != nil && !os.IsNotExist(err):
		return refuse("-o: %v", err)
	case len(there) > 0: // what is not the site's would go
		return refuse("-o: %s is not empty (name a new folder, or empty it)", *out)
	}
	files, err := webdir.Published(page)
	if err == nil {
		files = webdir.Site(files, *address)
		err = webdir.Fill(*out, files, nil)
	}
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab site: %v\n", err)
		return exitFailed
	}
	fmt.Fprintf(std.out, "%s holds the lab as %d files: put them on any host, below any path\n", *out, len(files))
	return exitOK
}
