//go:build !js

package main

import (
	"fmt"
	"runtime"

	"hadarlab/worker"
)

// versionCommand says what this program is; the server says the same under /healthz.
func versionCommand(c command, std streams, args []string) int {
	rest, code, ok := c.parse(std, c.flags(), args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		fmt.Fprintf(std.err, "hadarlab version: takes no arguments (leave %q out)\n", rest[0])
		return exitUsage
	}
	page := "page in a folder"
	if carried() != nil {
		page = "page inside"
	}
	fmt.Fprintf(std.out, "hadarlab %s, commit %s, %s, %s %s/%s\n",
		worker.Version, worker.Commit(), page, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}
