package scenario

import (
	"slices"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// JobTypes is the entry of requires of a document whose jobs may use some GPU types only: a program that does not know
// it would let them run everywhere.
const JobTypes = "job_types"

// only are the types that a job may use as a part of its row's key; "" = all.
func (j *Job) only() string {
	if len(j.Types) == 0 {
		return ""
	}
	of := slices.Sorted(slices.Values(j.Types))
	return strings.Join(slices.Compact(of), " ")
}

// restricted are the rows of jobs that may use only some types: the row of their model and batch, without a speed on
// any other type. So a job runs nowhere else, under every policy, in forced choices, as copies and beside another job
// on a GPU. Rows of profiles are made so from the start.
func (s *Scenario) restricted(types []string) (rows []Row) {
	index := rowIndex(s)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		of, known := index[rowKey{j.Model, j.Batch, ""}]
		if _, made := index[j.row()]; made || !known {
			continue
		}
		r := s.Throughputs.Rows[of]
		r.only, r.base = j.only(), of+1
		mine := func(typ string) bool { return r.allows(typ) && slices.Contains(types, typ) }
		r.PerGPU, r.Gang = among(r.PerGPU, mine), among(r.Gang, mine)
		r.Spread, r.Far = among(r.Spread, mine), among(r.Far, mine)
		index[j.row()] = -1
		rows = append(rows, r)
	}
	return rows
}

// among is what a mapping by type has of some.
func among[T any](all map[string]T, some func(string) bool) map[string]T {
	out := map[string]T{}
	for typ, v := range all { // into a map: the order is immaterial
		if some(typ) {
			out[typ] = v
		}
	}
	return out
}

// allows says whether the row's jobs may use a type.
func (r *Row) allows(typ string) bool {
	return r.only == "" || slices.Contains(strings.Fields(r.only), typ)
}

// restricted is the profile for jobs that may use some types only.
func (f *Profile) restricted(only string) *Profile {
	if only == "" {
		return f
	}
	g := *f
	g.only = strings.Fields(only)
	return &g
}

// jobTypes checks the types that jobs may use against those of the cluster.
func (c *checker) jobTypes(have *supply) {
	for i := range c.d.Scenario.Jobs {
		j := &c.d.Scenario.Jobs[i]
		at := jsondoc.EntryAt(atJobs, i).At("types")
		c.Most(at.String(), words.Say("GPU types"), len(j.Types), MaxTypes)
		for k, typ := range j.Types[:min(len(j.Types), MaxTypes)] {
			who, p := jsondoc.Clip(j.ID), jsondoc.EntryAt(at.String(), k).String()
			switch {
			case slices.Contains(j.Types[:k], typ):
				c.Fail(p, jsondoc.CodeDuplicate, words.Say("{0}: types names {1} twice", who, jsondoc.Quote(typ)),
					words.Say("Keep one of the two."))
			case !slices.Contains(have.types, typ):
				c.Fail(p, codeNoNode, words.Say("{0}: types names {1}, and no node has one", who, jsondoc.Quote(typ)),
					jsondoc.Meant(typ, have.types, words.Say("Name types of the cluster’s nodes, or leave types out.")))
			}
		}
	}
}

// allowed is a message on a job that may use some types only, if it is one; r is its row.
func (j *Job) allowed(r *Row, otherwise words.Text) words.Text {
	if len(j.Types) == 0 {
		return otherwise
	}
	return words.Say("{0} may use {1} only, where {2} has no speed", jsondoc.Clip(j.ID),
		jsondoc.Clip(strings.Join(j.Types, ", ")), rowName(r.Model, r.Batch))
}
