package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"hadarlab/core/program/templates"
)

// templateCommand prints a program to begin with, or what there is.
func templateCommand(c command, std streams, args []string) int {
	f := c.flags()
	list := f.Bool("list", false, "list the programs; so does no NAME")
	rest, code, ok := c.parse(std, f, args)
	switch {
	case !ok:
		return code
	case len(rest) > 1 || *list && len(rest) > 0:
		fmt.Fprintf(std.err, "hadarlab template: %d arguments are too many (give one NAME, or --list alone)\n", len(rest))
		return exitUsage
	case len(rest) == 0:
		t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
		for i := range templates.All {
			p := &templates.All[i]
			fmt.Fprintf(t, "%s\t%s\t%s\n", p.ID, p.Title, p.Says)
		}
		if err := t.Flush(); err != nil {
			return c.broken(std, err)
		}
		return exitOK
	}
	i := slices.IndexFunc(templates.All, func(t templates.Template) bool { return t.ID == rest[0] })
	if i < 0 {
		var names []string
		for i := range templates.All {
			names = append(names, templates.All[i].ID)
		}
		fmt.Fprintf(std.err, "hadarlab template: there is no program %q (choose %s)\n", rest[0],
			strings.Join(names, ", "))
		return exitUsage
	}
	p := &templates.All[i]
	head := ""
	if len(p.Params) > 0 { // without them it does not do what its title says
		head = "# Run it with"
		for _, name := range slices.Sorted(maps.Keys(p.Params)) {
			head += fmt.Sprintf(" --set own.%s=%v", name, p.Params[name])
		}
		head += ".\n"
	}
	if _, err := io.WriteString(std.out, head+p.Text); err != nil {
		return c.broken(std, err)
	}
	return exitOK
}
