package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Difference is one difference between two documents.
type Difference struct {
	Path  string // RFC 6901 pointer into the later document, or into the earlier one where something is gone
	Words string // "job j4, gpus: 4 to 3"
}

// Compare says where two documents differ in what they ask to compute, by their canonical forms: titles and notes are
// left out, and a member equal to its default is as good as absent. Entries of a list are matched by their id (policies
// and jobs by the id, rows by model and batch), so that one removed job is one change. The order is that of the
// canonical form, later entries first matched, then added, then removed.
func Compare(in words.Catalogue, from, to *Document, def Defaults) []Difference {
	var c differences
	c.compare(in, "/scenario", nil, decoded(from.Canonical(def)), decoded(to.Canonical(def)))
	for i := range c { // what is forced is said in words
		lane, member, _ := strings.Cut(strings.TrimPrefix(c[i].Path, atPolicies+"/"), "/")
		n, err := strconv.Atoi(lane)
		if err != nil || n >= len(to.Scenario.Policies) || member != "force" &&
			!strings.HasSuffix(c[i].Words, ": added") {
			continue
		}
		for k := range to.Scenario.Policies[n].Force {
			if k == 0 && member != "force" {
				c[i].Words += "."
			} else if k == 0 {
				c[i].Words = "policy " + key(map[string]any{"id": to.Scenario.Policies[n].ID, "force": true}) + ":"
			}
			c[i].Words += " " + to.Scenario.Policies[n].Force[k].Words(in)
		}
	}
	return c
}

func decoded(canonical []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(canonical))
	d.UseNumber()
	_ = d.Decode(&v) // the canonical form is JSON
	return v
}

type differences []Difference

func (c *differences) compare(in words.Catalogue, path string, name []string, a, b any) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			c.members(in, path, name, a, b)
			return
		}
	case []any:
		if b, ok := b.([]any); ok && (keyed(a) && keyed(b)) {
			c.entries(in, path, name, a, b)
			return
		}
	}
	if from, to := short(a), short(b); from != to {
		c.add(path, name, in.F("{0} to {1}", from, to))
	}
}

func (c *differences) members(in words.Catalogue, path string, name []string, a, b map[string]any) {
	keys := make([]string, 0, len(a)+len(b))
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		was, had := a[k]
		is, has := b[k]
		at, called := path+"/"+jsondoc.Escape(k), append(slices.Clip(name), strings.ReplaceAll(k, "_", " "))
		switch {
		case !had:
			c.add(at, called, in.F("now {0}", short(is)))
		case !has:
			c.add(at, called, in.F("{0} to the default, or to none", short(was)))
		default:
			c.compare(in, at, called, was, is)
		}
	}
}

func (c *differences) entries(in words.Catalogue, path string, name []string, a, b []any) {
	kind := name
	if len(kind) > 0 {
		kind = append(slices.Clone(kind[:len(kind)-1]), entryNoun(kind[len(kind)-1]))
	}
	called := func(k string) []string { return append(slices.Clone(kind[:len(kind)-1]), kind[len(kind)-1]+" "+k) }
	old := map[string]any{}
	for _, e := range a {
		old[key(e)] = e
	}
	for i, e := range b {
		k, at := key(e), path+"/"+strconv.Itoa(i)
		if was, ok := old[k]; ok {
			c.compare(in, at, called(k), was, e)
			delete(old, k)
		} else {
			c.add(at, called(k), in.T("added"))
		}
	}
	for i, e := range a {
		if _, left := old[key(e)]; left {
			c.add(path+"/"+strconv.Itoa(i), called(key(e)), in.T("removed"))
		}
	}
	if len(old) == 0 && len(a) == len(b) {
		for i := range a {
			if key(a[i]) != key(b[i]) {
				c.add(path, name, in.T("in another order"))
				return
			}
		}
	}
}

func (c *differences) add(path string, name []string, what string) {
	*c = append(*c, Difference{path, strings.Join(name, ", ") + ": " + what})
}

// keyed says whether all entries of a list can be told apart by their keys.
func keyed(list []any) bool {
	seen := map[string]bool{}
	for _, e := range list {
		k := key(e)
		if k == "" || seen[k] {
			return false
		}
		seen[k] = true
	}
	return true
}

// key is what a person would call an entry of a list, "" = nothing.
func key(e any) string {
	m, _ := e.(map[string]any)
	if id, ok := m["id"].(string); ok {
		if m["force"] != nil { // beside the same policy that chooses for itself
			id += ", forced"
		}
		return id
	}
	model, _ := m["model"].(string)
	if batch, ok := m["batch"].(json.Number); ok && model != "" {
		model += " at batch " + batch.String()
	}
	return model
}

func entryNoun(s string) string {
	switch s {
	case "policies":
		return "policy"
	case "rows":
		return "speeds of"
	}
	return strings.TrimSuffix(s, "s")
}

// short is a value in few characters.
func short(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return v
	case json.Number:
		return v.String()
	}
	b, _ := json.Marshal(v) // made of JSON
	if len(b) > 60 {
		return string(bytes.ToValidUTF8(b[:57], nil)) + "…"
	}
	return string(b)
}
