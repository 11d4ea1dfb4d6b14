//go:build !js

package main

import (
	"encoding/json"
	"fmt"

	"hadarlab/core/goodput/instance"
	"hadarlab/core/scenario"
)

func goodputCommand(c command, std streams, args []string) int {
	arg, code, ok := c.read(std, c.flags(), args, "document")
	if !ok {
		return code
	}
	data, err := readAll(std, arg)
	if err != nil {
		fmt.Fprintf(std.err, "%s: cannot be read: %v (name a JSON file; - reads standard input)\n", arg, err)
		return exitUsage
	}
	d, diags := instance.Evaluate(data, scenario.FileLimits.Limits)
	if report(std.err, diags, d == nil) {
		return exitUsage
	}
	if err := json.NewEncoder(std.out).Encode(d); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}
