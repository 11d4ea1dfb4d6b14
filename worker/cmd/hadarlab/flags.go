//go:build !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
)

// seed is a --seed, and whether one was given.
type seed struct {
	value uint64
	given bool
}

// mostSeed is the largest whole number that every JSON reader holds exactly.
const mostSeed = 1<<53 - 1

func seedFlag(f *flag.FlagSet, zero uint64, usage string) *seed {
	s := &seed{value: zero}
	f.Var(s, "seed", usage)
	return s
}

func (s *seed) String() string { return "" }

func (s *seed) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil || v > mostSeed {
		return fmt.Errorf("is not a whole number from 0 to %d", mostSeed)
	}
	s.value, s.given = v, true
	return nil
}

// loadToRun loads a scenario with the seed and the window that were given, and says on stderr what is unusual about it;
// sound is whether it has no error.
func loadToRun(std streams, arg string, s *seed, w *windowArg) (doc *scenario.Document, sound bool, code int) {
	if doc, code = load(std, arg); doc == nil {
		return nil, false, code
	}
	if doc = w.in(doc); s.given {
		doc = doc.Clone()
		doc.Scenario.Seed = s.value
	}
	return doc, warn(std, doc), exitOK
}

// warn says what only shows once all parts of a document are seen together; errors are said by whoever runs it, and it
// is false where there are any.
func warn(std streams, doc *scenario.Document) (sound bool) {
	diags := scenario.Check(doc)
	if sound = !diags.HasErrors(); sound {
		report(std.err, diags, false)
	}
	return sound
}

// whole is a whole number that may not be less than least.
type whole struct {
	value *int
	least int
}

func wholeFlag(f *flag.FlagSet, value *int, name string, zero, least int, usage string) {
	*value = zero
	f.Var(&whole{value, least}, name, usage)
}

func (w *whole) String() string {
	if w.value == nil {
		return "" // the zero value, which package flag compares with
	}
	return strconv.Itoa(*w.value)
}

func (w *whole) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil || int(v) < w.least {
		return fmt.Errorf("is not a whole number of at least %d", w.least)
	}
	*w.value = int(v)
	return nil
}

// choice is one of several words.
type choice struct {
	value string
	of    []string
}

// choiceFlag is a flag that takes one of several words, the first by default.
func choiceFlag(f *flag.FlagSet, name, usage string, of ...string) *string {
	c := &choice{of[0], of}
	f.Var(c, name, usage)
	return &c.value
}

func (c *choice) String() string { return c.value }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		last := len(c.of) - 1
		return fmt.Errorf("is not known (choose %s or %s)", strings.Join(c.of[:last], ", "), c.of[last])
	}
	c.value = text
	return nil
}

// list collects a flag that may be given several times.
type list []string

func (l *list) String() string     { return "" }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

// wrongValue is how package flag words a value that a flag does not take.
var wrongValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([\w-]+): (.*)$`)

// wrongFlag words an error of package flag as every other finding: where, what, and the way out.
func wrongFlag(f *flag.FlagSet, err error) error {
	m := wrongValue.FindStringSubmatch(err.Error())
	if m == nil {
		return errors.New(strings.Replace(err.Error(), ": -", ": --", 1))
	}
	value, name, why := m[1], m[2], m[3]
	if why == "parse error" {
		why = "is not a number"
		if b, ok := f.Lookup(name).Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			why = "is neither true nor false"
		}
	}
	return fmt.Errorf("--%s: %s %s", name, value, why)
}
