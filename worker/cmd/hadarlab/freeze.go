//go:build !js

package main

import (
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
)

// freezeCommand prints the document that generators stand for.
func freezeCommand(c command, std streams, args []string) int {
	rest, code, ok := c.parse(std, c.flags(), args)
	if !ok {
		return code
	}
	if code, ok = c.one(std, rest, "scenario"); !ok {
		return code
	}
	doc, code := load(std, rest[0])
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
