//go:build !js

package main

import (
	"fmt"
	"io"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

func linkCommand(c command, std streams, args []string) int {
	rest, code, ok := c.parse(std, c.flags(), args)
	if !ok {
		return code
	}
	switch {
	case len(rest) != 2:
		fmt.Fprintf(std.err,
			"hadarlab link: encode or decode and one argument are needed, %d are given (see `hadarlab link --help`)\n",
			len(rest))
	case rest[0] == "encode":
		return encodeLink(std, rest[1])
	case rest[0] == "decode":
		return decodeLink(std, rest[1])
	default:
		fmt.Fprintf(std.err, "hadarlab link: %q is not known (choose encode or decode)\n", rest[0])
	}
	return exitUsage
}

// encodeLink prints the fragment without its #, which a shell would take for a comment.
func encodeLink(std streams, arg string) int {
	doc, code := load(std, arg)
	if doc == nil {
		return code
	}
	fragment := link.Encode(doc, lab.Defaults())
	if _, diags := link.Decode(fragment); diags.HasErrors() {
		fmt.Fprintln(std.err, "link: this scenario does not fit in a link (send the file)")
		found := diags.Errors()
		report(std.err, found[min(1, len(found)-1):], true) // not that the link arrived
		return exitUsage
	}
	fmt.Fprintln(std.out, fragment)
	const address = 40 // room for https://host/#
	_, about := link.Grade(len(fragment) + address)
	fmt.Fprintf(std.err, "%d characters. %s\n", len(fragment), about)
	return exitOK
}

func decodeLink(std streams, arg string) int {
	text := arg
	if arg == "-" {
		data, err := io.ReadAll(io.LimitReader(std.in, 4*link.Max+1))
		if err != nil {
			fmt.Fprintf(std.err, "-: cannot be read: %v (pass the link as an argument)\n", err)
			return exitUsage
		}
		text = strings.TrimSpace(string(data))
	}
	doc, diags := link.Decode(text)
	if report(std.err, diags, doc == nil || diags.HasErrors()) {
		return exitUsage
	}
	std.out.Write(doc.Marshal(true))
	return exitOK
}

func schemaCommand(c command, std streams, args []string) int {
	if _, code, ok := c.read(std, c.flags(), args, ""); !ok {
		return code
	}
	std.out.Write(scenario.Schema())
	return exitOK
}
