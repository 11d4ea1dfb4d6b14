//go:build !js

package main

import (
	"errors"
	"flag"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
)

// windowArg is the jobs to measure in place of the scenario's.
type windowArg struct {
	given bool
	value *scenario.Window // nil = all
}

func windowFlag(f *flag.FlagSet) *windowArg {
	w := &windowArg{}
	f.Var(w, "window", "measure jobs `FROM,JOBS`: so many, after the FROM that arrive first, in place of the scenario's window; all = every job")
	return w
}

func (w *windowArg) String() string { return "" }

func (w *windowArg) Set(text string) error {
	w.given, w.value = true, nil
	if text == "all" {
		return nil
	}
	from, jobs, _ := strings.Cut(text, ",")
	a, bad := strconv.ParseInt(from, 10, 32)
	b, worse := strconv.ParseInt(jobs, 10, 32)
	if bad != nil || worse != nil || a < 0 || b < 1 {
		return errors.New("is not FROM,JOBS, as 4000,1000, with FROM 0 or more and JOBS 1 or more, nor all")
	}
	w.value = &scenario.Window{From: int(a), Jobs: int(b)}
	return nil
}

// in is the document with the window, where one was given.
func (w *windowArg) in(doc *scenario.Document) *scenario.Document {
	if w.given {
		doc = doc.Clone()
		doc.Scenario.Window = w.value
	}
	return doc
}
