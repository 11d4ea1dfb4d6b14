//go:build !js

package main

import (
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
)

// freezeCommand prints the document that generators stand for.
func freezeCommand(c command, std streams, args []string) int {
	arg, code, ok := c.read(std, c.flags(), args, "scenario")
	if !ok {
		return code
	}
	doc, code := load(std, arg)
	if doc == nil {
		return code
	}
	if _, diags := scenario.Compile(doc, lab.Defaults()); report(std.err, diags, diags.HasErrors()) {
		return exitUsage
	}
	if _, err := std.out.Write(scenario.Freeze(doc).Marshal(true)); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}
