package message

import (
	"strings"
)

// Explanation is one decision as its policy explains it: what was done with each job, in a sentence, and sections with
// the numbers behind it. Export gives the numbers alone, by name.
type Explanation struct {
	Policy string `json:"policy"`
	Unit   string `json:"unit,omitempty"` // of utilities, costs, payoffs and prices; "" = plain numbers
	// placements are compared per round, not over a job's whole remaining life
	PerRound bool        `json:"per_round,omitempty"`
	Most     float64     `json:"most,omitempty"` // the largest worth, which settles in what all are written
	Round    int         `json:"round"`
	TimeS    float64     `json:"t_s"`
	Order    []string    `json:"order"`
	Sections []Section   `json:"sections,omitempty"` // of the whole decision
	Jobs     []JobChoice `json:"jobs"`
}

// JobChoice is what was decided for one active job, and why.
type JobChoice struct {
	ID       string    `json:"id"`
	Action   string    `json:"action"` // placed | kept | moved | preempted | waits
	Reason   string    `json:"reason"` // name of the trace reason
	RatePerS float64   `json:"rate_per_s"`
	Gangs    [][]Shard `json:"gangs"`
	Sentence string    `json:"sentence"`
	Sections []Section `json:"sections,omitempty"`
}

// Shard is Count GPUs of one type on one node.
type Shard struct {
	Node  string `json:"node"`
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// Section is one part of an explanation, as sim.Section with names and words.
type Section struct {
	Title   string       `json:"title,omitempty"`
	Note    string       `json:"note,omitempty"`
	Folded  bool         `json:"folded,omitempty"`
	Weighed []Weighed    `json:"weighed,omitempty"`
	Table   *Table       `json:"table,omitempty"`
	Curve   *Curve       `json:"curve,omitempty"`
	Formula []string     `json:"formula,omitempty"`
	Terms   []NamedValue `json:"terms,omitempty"`
}

// Weighed is a placement by what it is worth and what it costs.
type Weighed struct {
	Who   string  `json:"who"`
	Worth float64 `json:"worth"`
	Cost  float64 `json:"cost"`
	// Worth is the utility over as many rounds as are left; 0 = it is not a round's.
	Utility float64 `json:"utility,omitempty"`
	Rounds  int64   `json:"rounds,omitempty"`
}

// Table is a table of figures; see sim.Table.
type Table struct {
	Key     string        `json:"key,omitempty"`
	Title   string        `json:"title"`
	Columns []TableColumn `json:"columns"`
	Rows    []Row         `json:"rows"`
	Choices bool          `json:"choices,omitempty"`
	Listed  bool          `json:"listed,omitempty"`
}

// TableColumn is a column of a table; one without a Name is exported only, one without a Key read only.
type TableColumn struct {
	Key  string `json:"key,omitempty"`
	Name string `json:"name,omitempty"`
	Unit string `json:"unit,omitempty"`
}

// Row is a row of a table, with a cell a column.
type Row struct {
	Cells   []Cell    `json:"cells"`
	Gangs   [][]Shard `json:"gangs,omitempty"` // what the job would hold, absent = the row is no choice
	Chosen  bool      `json:"chosen,omitempty"`
	Verdict string    `json:"verdict,omitempty"`
}

// Cell is what stands in a table: one of its members, or nothing.
type Cell struct {
	Number *float64 `json:"n,omitempty"`
	Text   string   `json:"s,omitempty"`
	Job    string   `json:"j,omitempty"`
	Type   string   `json:"t,omitempty"`
	Gang   []Shard  `json:"g,omitempty"`
	Note   string   `json:"note,omitempty"` // a few words under it
}

// Curve is a quantity by a count.
type Curve struct {
	Along  string    `json:"along"`
	Unit   string    `json:"unit,omitempty"`
	Values []float64 `json:"values"` // by count, from 0
	From   int       `json:"from"`
	To     int       `json:"to"`
	Says   string    `json:"says"`
}

// Export is the explanation as other programs read it: the members of the decision and of each job that its policy has
// names for, in the policy's own units and unrounded. What has no name there is a term.
func (e *Explanation) Export() map[string]any {
	out := map[string]any{"policy": e.Policy, "round": e.Round, "t_s": e.TimeS, "order": e.Order}
	if e.Unit != "" {
		out["unit"] = e.Unit
	}
	if e.PerRound {
		out["per_round"] = true
	}
	export(out, e.Sections)
	jobs := []map[string]any{}
	for i := range e.Jobs {
		j := &e.Jobs[i]
		job := map[string]any{"id": j.ID, "action": j.Action, "reason": j.Reason, "rate_per_s": j.RatePerS,
			"gangs": j.Gangs, "sentence": j.Sentence, "candidates": []any{}}
		export(job, j.Sections)
		jobs = append(jobs, job)
	}
	out["jobs"] = jobs
	return out
}

// export adds the figures of sections to an object.
func export(to map[string]any, sections []Section) {
	for i := range sections {
		for _, t := range sections[i].Terms {
			if t.Key != "" {
				member(to, t.Key, t.Value)
			} else {
				list, _ := to["terms"].([]NamedValue)
				to["terms"] = append(list, t)
			}
		}
		if t := sections[i].Table; t != nil && t.Key != "" {
			list, _ := to[t.Key].([]any)
			to[t.Key] = append(list, t.objects()...)
		}
	}
}

// member sets a member of an object, or of objects in it, whose names slashes part.
func member(of map[string]any, path string, v float64) {
	name, rest, deeper := strings.Cut(path, "/")
	if !deeper {
		of[name] = v
		return
	}
	inner, _ := of[name].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		of[name] = inner
	}
	member(inner, rest, v)
}

// objects are a table's rows by the keys of its columns.
func (t *Table) objects() (out []any) {
	for i := range t.Rows {
		r := &t.Rows[i]
		if t.Choices && r.Gangs == nil {
			continue
		}
		row := map[string]any{}
		for k, c := range t.Columns {
			if v := r.Cells[k].value(); c.Key != "" && v != nil {
				row[c.Key] = v
			}
		}
		if t.Choices {
			row["verdict"] = r.Verdict
		}
		out = append(out, row)
	}
	return out
}

// value is the cell as JSON has it, nil where nothing stands in it.
func (c *Cell) value() any {
	switch {
	case c.Number != nil:
		return *c.Number
	case c.Gang != nil:
		return c.Gang
	}
	if text := c.Job + c.Type + c.Text; text != "" {
		return text
	}
	return nil
}
