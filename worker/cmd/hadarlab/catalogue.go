//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"hadarlab/core/lab"
)

// listing handles a command that prints a catalogue as a table or as JSON.
func listing(c command, io_ streams, args []string, list any, table func(*tabwriter.Writer)) int {
	f := c.flags()
	format := f.String("format", "table", "output `FORMAT`: table or json")
	rest, code, ok := c.parse(io_, f, args)
	switch {
	case !ok:
		return code
	case len(rest) > 0:
		fmt.Fprintf(io_.err, "hadarlab %s: takes no arguments (leave %q out)\n", c.name, rest[0])
		return exitUsage
	case *format == "json":
		e := json.NewEncoder(io_.out)
		e.SetIndent("", " ")
		e.Encode(list)
	case *format == "table":
		t := tabwriter.NewWriter(io_.out, 0, 0, 2, ' ', 0)
		table(t)
		t.Flush()
	default:
		fmt.Fprintf(io_.err, "--format: %q is not known (choose table or json)\n", *format)
		return exitUsage
	}
	return exitOK
}

func policiesCommand(c command, io_ streams, args []string) int {
	list := lab.Policies()
	return listing(c, io_, args, list, func(t *tabwriter.Writer) {
		for _, p := range list {
			fmt.Fprintf(t, "%s\t%s\n\t%s\n\tDecides: %s.\n\tSource: %s.\n", p.ID, p.Title, p.Summary, p.Formula,
				p.Source)
			for _, q := range p.Params {
				fmt.Fprintf(t, "\t  %s = %v\t%s\n", q.Name, q.Default, q.Title)
			}
		}
	})
}

func presetsCommand(c command, io_ streams, args []string) int {
	list := lab.Presets()
	return listing(c, io_, args, list, func(t *tabwriter.Writer) {
		for _, p := range list {
			fmt.Fprintf(t, "%s\t%s\t%d jobs, %d GPUs\n\t%s\n", p.ID, p.Title, p.Jobs, p.GPUs, p.Question)
		}
	})
}
