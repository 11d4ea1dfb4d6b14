//go:build !js

package main

import (
	"fmt"
	"runtime"

	"hadarlab/worker/release"
)

// versionCommand says what this program is; the server says the same under /healthz.
func versionCommand(c command, std streams, args []string) int {
	if _, code, ok := c.read(std, c.flags(), args, ""); !ok {
		return code
	}
	page := "page in a folder"
	if carried() != nil {
		page = "page inside"
	}
	fmt.Fprintf(std.out, "hadarlab %s, commit %s, %s, %s %s/%s\n",
		release.Version, release.Commit(), page, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}
