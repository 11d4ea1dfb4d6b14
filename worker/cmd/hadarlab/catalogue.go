//go:build !js

package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/model"
)

// listing handles a command that prints a catalogue as a table or as JSON.
func listing(c command, std streams, args []string, list any, table func(*tabwriter.Writer)) int {
	f := c.flags()
	format := choiceFlag(f, "format", "output `FORMAT`: table or json", "table", "json")
	if _, code, ok := c.read(std, f, args, ""); !ok {
		return code
	}
	if *format == "json" {
		printJSON(std.out, list)
		return exitOK
	}
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	table(t)
	t.Flush()
	return exitOK
}

func policiesCommand(c command, std streams, args []string) int {
	list := lab.Policies()
	return listing(c, std, args, list, func(t *tabwriter.Writer) {
		for _, p := range list {
			fmt.Fprintf(t, "%s\t%s\n\t%s\n\tDecides: %s.\n\tSource: %s.\n", p.ID, p.Title, p.Summary, p.Formula,
				p.Source)
			for _, q := range p.Params {
				fmt.Fprintf(t, "\t  %s = %v\t%s\n", q.Name, q.Default, q.Title)
			}
		}
		fmt.Fprintf(t, "\nEvery lane also takes autoscaler, one of %s, where there is a cloud, and fusion = true.\n",
			strings.Join(model.Autoscalers, ", "))
	})
}

func presetsCommand(c command, std streams, args []string) int {
	list := lab.Presets()
	return listing(c, std, args, list, func(t *tabwriter.Writer) {
		for _, p := range list {
			fmt.Fprintf(t, "%s\t%s\t%s, %s\n\t%s\n", p.ID, p.Title, figure.Plural(nil, p.Jobs, "job"),
				figure.Plural(nil, p.GPUs, "GPU"), p.Question)
		}
	})
}
