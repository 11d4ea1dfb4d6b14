//go:build !js

package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/scenarios"
)

// readClasses are the classes in files, in their order: saved ones, and one for each assignment on which there are
// hand-ins. That is a shipped assignment, or one of the files. What has not been run again yet is run here. An error
// names the file and the way out.
func readClasses(std streams, names []string) ([]*class.Record, error) {
	known := map[string]*class.Assignment{}
	for _, id := range scenarios.Assignments {
		doc, _ := scenarios.Assignment(id)
		if a, _ := class.Parse(doc); a != nil {
			known[a.ContentID()] = a
		}
	}
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		if files[i], err = readAll(std, name); err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w (name a file; - reads standard input)", line(name), err)
		}
		if kindOf(files[i]) == class.Kind {
			a, diags := class.Parse(files[i])
			if a == nil {
				return nil, faultOf(name, diags)
			}
			known[a.ContentID()] = a
		}
	}
	var records []*class.Record
	loose := map[string]*class.Record{} // made of hand-ins, by assignment
	for i, name := range names {
		switch kindOf(files[i]) {
		case class.Kind:
		case class.HandInKind:
			h, diags := class.ParseHandIn(files[i])
			if h == nil {
				return nil, faultOf(name, diags)
			}
			r := loose[h.Assignment]
			if r == nil {
				if known[h.Assignment] == nil {
					return nil, fmt.Errorf("%s is of an assignment that is not at hand (name its file, too)", line(name))
				}
				r = &class.Record{Kind: class.RecordKind, Version: class.Version, Engine: lab.Engine,
					Assignment: known[h.Assignment], Unproved: true}
				loose[h.Assignment], records = r, append(records, r)
			}
			if _, _, diags := r.Add(h, lab.Defaults()); diags.HasErrors() {
				return nil, faultOf(name, diags)
			}
		default:
			r, diags := class.ParseRecord(files[i])
			if r == nil {
				return nil, faultOf(name, diags)
			}
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		return nil, errors.New("there is no work in these files: name saved classes or hand-ins")
	}
	for _, r := range records {
		if err := settle(r); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// kindOf is what a file says that it is.
func kindOf(data []byte) string {
	var head struct{ Kind string }
	_ = json.Unmarshal(data, &head) // what cannot be read is of no kind
	return head.Kind
}

// faultOf is the first fault of a file, and the way out.
func faultOf(name string, diags jsondoc.Diagnostics) error {
	first := diags.Errors()[0]
	if fix := first.Fix.String(); fix != "" {
		return fmt.Errorf("%s: %s (%s)", line(name), first.Message, fix)
	}
	return fmt.Errorf("%s: %s", line(name), first.Message)
}

// settle finds what is right where a class does not say it, and runs again what has no verdict yet.
func settle(r *class.Record) error {
	if len(r.Truth) == 0 {
		base, err := runOf(r.Assignment.Document())
		if err != nil {
			return err
		}
		r.Truth = r.Assignment.Truth(base.lanes)
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Kind != class.Submission || e.Verdict != "" && e.Verdict != class.Pending {
			continue
		}
		if e.Old(lab.Engine, lab.Defaults()) {
			e.Verdict = class.Other
			continue
		}
		var runs [][]class.Lane
		for _, doc := range r.Assignment.Submitted(&e.Body) {
			again, err := runOf(doc)
			if err != nil {
				return err
			}
			runs = append(runs, class.LanesOf(again.lanes))
		}
		if e.Verdict = class.Differs; len(runs) > 0 {
			e.Verdict, e.Races = class.Verify(&e.Body, lab.Engine, runs[0]), runs[1:]
		}
	}
	return nil
}
