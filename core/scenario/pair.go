package scenario

import (
	"cmp"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Pair is the speed of two one-GPU jobs that share a GPU.
type Pair struct {
	A, B   RowName
	Rates  map[string][2]float64 // steps per second of a and of b, by GPU type; absent or 0 = cannot share
	Source string                // where the numbers come from
	Extra  jsondoc.Extra
}

var _ = describe[Pair](table{
	{name: "a", need: true},
	{name: "b", need: true},
	{name: "rates", need: true, high: MaxRate, unit: " steps/s"},
	{name: "source", high: maxSource},
})

// RowName names a row of throughputs.
type RowName struct {
	Model string
	Batch int
	Extra jsondoc.Extra
}

var _ = describe[RowName](table{
	{name: "model", need: true, model: true},
	{name: "batch", high: MaxBatch},
})

const (
	maxPairs = 100_000
	atPairs  = "/scenario/throughputs/pairs"
)

func (n *RowName) key() rowKey { return rowKey{n.Model, n.Batch, ""} }

func (c *checker) pairs(t *Throughputs) {
	c.Most(atPairs, words.Say("pairs"), len(t.Pairs), maxPairs)
	seen := make(map[[2]rowKey]int, len(t.Pairs))
	for i := range t.Pairs {
		q := &t.Pairs[i]
		p := jsondoc.EntryAt(atPairs, i)
		who := words.Say("pair {0}", i+1)
		c.fields(jsondoc.ObjectAt(p.At("a").String()), who, &q.A)
		c.fields(jsondoc.ObjectAt(p.At("b").String()), who, &q.B)
		c.fields(p, who, q)
		for _, typ := range jsondoc.Keys(q.Rates) {
			at := p.At("rates", typ)
			if v := q.Rates[typ]; q.A.key() == q.B.key() && jsondoc.Round9(v[0]) != jsondoc.Round9(v[1]) {
				c.Fail(at.String(), codePairSelf,
					words.Say("{0}: {1} beside itself has the speeds {2} and {3}; the two jobs are alike", who,
						rowName(q.A.Model, q.A.Batch), jsondoc.Number(v[0]), jsondoc.Number(v[1])),
					words.Say("Give one speed twice."))
			}
		}
		both := [2]rowKey{q.A.key(), q.B.key()}
		first, ok := seen[both]
		if !ok {
			first, ok = seen[[2]rowKey{both[1], both[0]}]
		}
		if ok && q.A.Model != "" && q.B.Model != "" {
			c.Fail(p.String(), jsondoc.CodeDuplicate, words.Say("pair {0} is of {1} and {2}, and so is pair {3}", i+1,
				rowName(q.A.Model, q.A.Batch), rowName(q.B.Model, q.B.Batch), first+1),
				words.Say("Keep one of the two."))
			continue
		}
		seen[both] = i
	}
}

// pairRows warns of pairs that name no row.
func (c *checker) pairRows(rows map[rowKey]int) {
	for i := range c.d.Scenario.Throughputs.Pairs {
		q := &c.d.Scenario.Throughputs.Pairs[i]
		for _, side := range [...]struct {
			field string
			*RowName
		}{{"a", &q.A}, {"b", &q.B}} {
			p := jsondoc.EntryAt(atPairs, i).At(side.field)
			if _, ok := rows[side.key()]; !ok && side.Model != "" && !c.Tainted(p.String()) {
				c.Add(jsondoc.LevelWarning, p.String(), codePairRow,
					words.Say("{0}: throughputs has no row for {1}; the pair has no effect",
						words.Say("pair {0}", i+1), rowName(side.Model, side.Batch)),
					words.Say("Add the row, or remove the pair."))
			}
		}
	}
}

// compilePairs gives the pairs whose two rows have a table, where both members run.
func compilePairs(s *Scenario, c *model.Cluster, rows map[rowKey]int, tables []int32) (out []model.Pair) {
	for i := range s.Throughputs.Pairs {
		q := &s.Throughputs.Pairs[i]
		for _, a := range s.rowsOf(q.A.key(), rows) {
			for _, b := range s.rowsOf(q.B.key(), rows) {
				if tables[a] < 0 || tables[b] < 0 || q.A.key() == q.B.key() && a > b {
					continue
				}
				for t := range c.Types {
					name := c.Types[t].Name
					v := q.Rates[name]
					p := model.Pair{A: tables[a], B: tables[b], Type: model.TypeID(t),
						RateA: unit.Rate(jsondoc.Round9(v[0])), RateB: unit.Rate(jsondoc.Round9(v[1]))}
					if p.RateA <= 0 || p.RateB <= 0 || !s.Throughputs.Rows[a].allows(name) ||
						!s.Throughputs.Rows[b].allows(name) {
						continue
					}
					if p.A > p.B {
						p.A, p.B, p.RateA, p.RateB = p.B, p.A, p.RateB, p.RateA
					}
					out = append(out, p)
				}
			}
		}
	}
	unit.Sort(out, func(p, q model.Pair) int {
		return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B), cmp.Compare(p.Type, q.Type))
	})
	return out
}

// rowsOf are the row of a model and batch, and those of its jobs that may use some types only.
func (s *Scenario) rowsOf(key rowKey, rows map[rowKey]int) (of []int) {
	row, ok := rows[key]
	if !ok {
		return nil
	}
	of = append(of, row)
	for i := range s.Throughputs.Rows {
		if s.Throughputs.Rows[i].base == row+1 {
			of = append(of, i)
		}
	}
	return of
}
