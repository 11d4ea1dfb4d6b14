package scenario

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// maxCells bounds the compiled throughput tables: rows × types × gang sizes.
const maxCells = 4 << 20

// whole checks that the parts of the scenario fit together, with generated jobs drawn, and gives the
// document that was checked.
func (c *checker) whole() *Document {
	if c.d.Scenario.Generator != nil && !c.HasErrors() {
		c.perH = c.d.Scenario.Generator.Arrivals.RatePerH
		if c.d, c.drawn = Freeze(c.d), true; len(c.d.Scenario.Jobs) == 0 {
			c.Fail(atJobs, codeNoJobs,
				words.Say("the generator draws no job: no model of it runs in a gang of its sizes on one GPU type of this cluster"),
				words.Say("Add GPUs, rows for its models, or sizes that fit."))
		}
	}
	if !c.HasErrors() {
		d := *c.d
		d.Scenario.Cluster = d.Scenario.withCloud()
		d.Scenario.Throughputs.Rows = slices.Concat(d.Scenario.Throughputs.Rows,
			d.Scenario.profiled(newSupply(&d.Scenario.Cluster).types))
		d.Scenario.Throughputs.Rows = append(d.Scenario.Throughputs.Rows,
			d.Scenario.restricted(newSupply(&d.Scenario.Cluster).types)...)
		c.d = &d
	}
	if c.fit(); !c.HasErrors() {
		c.scaled(newSupply(&c.d.Scenario.Cluster).types)
	}
	return c.d
}

// fit checks the jobs against the rows and the cluster.
func (c *checker) fit() {
	s := &c.d.Scenario
	have := newSupply(&s.Cluster)
	clusterKnown := c.clusterKnown()
	if clusterKnown {
		c.types(have)
		c.jobTypes(have)
	}
	c.networkFits()
	c.hostsFit()
	c.window()
	rows, rowsKnown := c.knownRows()
	if rowsKnown {
		c.pairRows(rows)
	}
	c.stallsFit(rowsKnown)
	c.names(rows)
	rowsKnown = rowsKnown && (len(s.Throughputs.Profiles) == 0 || !c.HasErrors()) // else profiles have no rows yet
	if rowsKnown && len(s.Throughputs.Rows) == 0 && len(s.Jobs) > 0 {
		c.Fail(atRows, codeNoRow,
			words.Say("there are no throughput rows; every job needs one for its model and batch"),
			words.Say(`Add one, as in {"model":"resnet50","per_gpu":{"v100":7.2}}.`))
		rowsKnown = false
	}
	type demand struct{ row, gpus int }
	verdicts := map[demand]verdict{}
	largest := map[int]int{} // by row
	for i := range s.Jobs {
		j := &s.Jobs[i]
		p := jsondoc.EntryAt(atJobs, i)
		c.late(p, j)
		row, ok := rows[j.row()]
		if !ok {
			if _, plain := rows[rowKey{j.Model, j.Batch, ""}]; !plain && rowsKnown && j.Model != "" &&
				!c.IsWrong(p.At("batch").String()) {
				c.noRow(p, j)
			}
			continue
		}
		if !clusterKnown || !c.ratesKnown(row) || j.GPUs < 1 || c.IsWrong(p.At("gpus").String()) ||
			len(j.Types) > 0 && c.Tainted(p.At("types").String()) {
			continue
		}
		r := &s.Throughputs.Rows[row]
		v, ok := verdicts[demand{row, j.GPUs}]
		if !ok {
			v = have.judge(r, j.GPUs)
			verdicts[demand{row, j.GPUs}] = v
		}
		c.demand(p, j, r, have, v)
		if v.fits {
			largest[row] = max(largest[row], j.GPUs)
		}
	}
	c.cells(largest, have)
	c.sweepsFit(rows)
}

// knownRows is the row of each model and batch, and whether no row is wrong about them.
func (c *checker) knownRows() (rows map[rowKey]int, known bool) {
	list := c.d.Scenario.Throughputs.Rows
	rows, known = make(map[rowKey]int, len(list)), !c.IsWrong(atRows)
	for i := range list {
		if list[i].Model == "" || c.Tainted(jsondoc.EntryAt(atRows, i).At("batch").String()) {
			known = false
		}
		if _, ok := rows[list[i].key()]; !ok {
			rows[list[i].key()] = i
		}
	}
	return rows, known
}

// late warns of a job that arrives after the end.
func (c *checker) late(p jsondoc.Place, j *Job) {
	end := c.d.Scenario.HorizonS
	if end > 0 && j.ArrivalS > end && !(c.drawn && c.Seen(codeLate) > 0) && !c.Tainted(p.At("arrival_s").String()) {
		c.Add(jsondoc.LevelWarning, p.At("arrival_s").String(), codeLate,
			words.Say("{0} arrives at {1} s, after the horizon of {2} s, and never runs", jsondoc.Clip(j.ID),
				jsondoc.Number(j.ArrivalS), jsondoc.Number(end)),
			words.Say("Raise horizon_s, or let the job arrive earlier."))
	}
}

// cells bounds the compiled throughput tables, given the largest gang of each row.
func (c *checker) cells(largest map[int]int, have *supply) {
	cells := 0
	for _, n := range largest { // sums of integers: the order is immaterial
		cells += len(have.types) * (max(n, have.cap) + 1)
	}
	if cells > maxCells {
		c.Fail("/scenario/throughputs", codeTables,
			words.Say("the throughput tables need {0} cells (rows × GPU types × gang sizes); the most is {1}", cells,
				maxCells),
			words.Say("Use fewer rows, or split large nodes."))
	}
}

// clusterKnown says whether the GPU counts can be trusted to judge what fits.
func (c *checker) clusterKnown() bool {
	if c.IsWrong(atNodes) {
		return false
	}
	if !c.Tainted(atNodes) {
		return true
	}
	for i := range c.d.Scenario.Cluster.Nodes {
		p := jsondoc.EntryAt(atNodes, i)
		if c.IsWrong(p.String()) || c.Tainted(p.At("gpus").String()) {
			return false
		}
	}
	return true
}

// ratesKnown says whether a row's speeds can be trusted: those of gangs may follow from the network.
func (c *checker) ratesKnown(row int) bool {
	p := jsondoc.EntryAt(atRows, row)
	if c.d.Scenario.Throughputs.Rows[row].GradientMB > 0 && c.Tainted(atNetwork) {
		return false
	}
	return !c.Tainted(p.String()) ||
		!c.IsWrong(p.String()) && !c.Tainted(p.At("per_gpu").String()) && !c.Tainted(p.At("gang").String()) &&
			!c.Tainted(p.At("spread").String()) && !c.Tainted(p.At("far").String())
}

// types notes GPU types that stand on one side only. One on which no model has a speed is worth a warning: whoever
// added it would wait for it to be used.
func (c *checker) types(have *supply) {
	s := &c.d.Scenario
	present := map[string]bool{}
	for _, typ := range have.types {
		present[typ] = true
		_, given := s.Cluster.GPUTypes[typ]
		if _, listed := CatalogueType(typ); !listed && !given {
			c.Add(jsondoc.LevelNote, c.firstWith(typ), codeNoType,
				words.Say("{0} is not in the catalogue; its power, price and memory count as 0", jsondoc.Clip(typ)),
				words.Say("Give them under cluster.gpu_types, if cost or energy matters."))
		}
		if c.useless(typ) {
			c.Add(jsondoc.LevelWarning, c.firstWith(typ), codeNoSpeed,
				words.Say("no model has a speed on {0}, so nothing ever runs there", jsondoc.Clip(typ)),
				words.Say("Add its speeds to the throughputs, or take it off the nodes."))
		}
	}
	if len(present) == 0 {
		return
	}
	for _, typ := range jsondoc.Keys(s.Cluster.GPUTypes) {
		if !present[typ] {
			c.Add(jsondoc.LevelNote, jsondoc.ObjectAt(atTypes).At(typ).String(), codeNoUse,
				words.Say("no node has a {0}; its figures are unused", jsondoc.Clip(typ)), words.Text{})
		}
	}
	first, count := map[string]jsondoc.Place{}, map[string]int{}
	for i := range s.Throughputs.Rows {
		r := &s.Throughputs.Rows[i]
		mine := map[string]jsondoc.Place{}
		p := jsondoc.EntryAt(atRows, i)
		for typ := range r.Far {
			mine[typ] = p.At("far", typ)
		}
		for typ := range r.Spread {
			mine[typ] = p.At("spread", typ)
		}
		for typ := range r.Gang {
			mine[typ] = p.At("gang", typ)
		}
		for typ := range r.PerGPU {
			mine[typ] = p.At("per_gpu", typ)
		}
		for typ, at := range mine { // into maps: the order is immaterial
			if !present[typ] {
				if count[typ]++; count[typ] == 1 {
					first[typ] = at
				}
			}
		}
	}
	for _, typ := range jsondoc.Keys(count) {
		c.Add(jsondoc.LevelNote, first[typ].String(), codeNoUse,
			words.Say("{0} with speeds for {1}, and no node has one", jsondoc.Plural(count[typ], "row"), jsondoc.Clip(typ)),
			words.Text{})
	}
}

// useless says that rows are known, and none has a speed on a type.
func (c *checker) useless(typ string) bool {
	rows := c.d.Scenario.Throughputs.Rows
	for i := range rows {
		if !c.ratesKnown(i) || rows[i].runsOn(typ) {
			return false
		}
	}
	return len(rows) > 0
}

// firstWith is where a GPU type first stands in the cluster.
func (c *checker) firstWith(typ string) string {
	cl := &c.d.Scenario.Cluster
	for i := range cl.Nodes {
		if cl.Nodes[i].rented {
			return atGroups
		}
		if cl.Nodes[i].GPUs[typ] > 0 {
			return jsondoc.EntryAt(atNodes, i).At("gpus", typ).String()
		}
	}
	for i := range cl.Changes {
		if cl.Changes[i].Type == typ {
			return jsondoc.EntryAt(atChanges, i).At("type").String()
		}
	}
	return atCluster
}

func (c *checker) noRow(p jsondoc.Place, j *Job) {
	s := &c.d.Scenario
	fix := words.Say("Add a row for it to throughputs.")
	var names []string
	for i := range s.Throughputs.Rows {
		r := &s.Throughputs.Rows[i]
		if r.Model == j.Model { // the right model at another batch size
			fix = words.Say("Set batch to {0}, or add a row.", r.Batch)
			if r.Batch == 0 {
				fix = words.Say("Remove batch, or add a row.")
			}
			names = nil
			break
		}
		if len(names) < 1000 {
			names = append(names, r.Model)
		}
	}
	if like := jsondoc.Nearest(j.Model, names); like != "" {
		fix = words.Say("Did you mean {0}? Otherwise add a row.", jsondoc.Clip(like))
	}
	c.Fail(p.At("model").String(), codeNoRow,
		words.Say("{0} trains {1}, and throughputs has no row for it", jsondoc.Clip(j.ID), rowName(j.Model, j.Batch)), fix)
}

// demand reports a job whose gang the cluster cannot give, or gives only in a narrow way.
func (c *checker) demand(p jsondoc.Place, j *Job, r *Row, have *supply, v verdict) {
	var cannot []string
	somewhere := false
	for _, typ := range have.types {
		somewhere = somewhere || r.runsOn(typ)
		if max(r.rate(have, typ, j.GPUs, model.OneNode), r.rate(have, typ, j.GPUs, model.OneRack),
			r.rate(have, typ, j.GPUs, model.Network)) <= 0 {
			cannot = append(cannot, jsondoc.Clip(typ))
		}
	}
	if !somewhere {
		c.Fail(p.At("model").String(), codeNoRate,
			j.allowed(r, words.Say("{0} trains {1}, which has no speed on {2}", jsondoc.Clip(j.ID),
				rowName(r.Model, r.Batch), strings.Join(have.types, ", "))),
			words.Say("Add a speed to its row, or a node with GPUs that run it."))
		return
	}
	switch {
	case !v.fits:
		var msg, fix words.Text
		if c.Seen(codeTooLarge) < jsondoc.PerCode { // beyond, findings are only counted: spare the search
			msg, fix = tooLarge(j, r, have, cannot)
		}
		c.Fail(p.At("gpus").String(), codeTooLarge, msg, fix)
		return
	case !v.oneType:
		var msg, fix words.Text
		if c.Seen(codeMixedOnly) < jsondoc.PerCode {
			msg, fix = mixedOnly(j, r, have)
		}
		c.Add(jsondoc.LevelWarning, p.At("gpus").String(), codeMixedOnly, msg, fix)
	}
	if steps := jsondoc.Round9(j.Steps); v.fastest > 0 && steps/v.fastest > MaxSeconds {
		c.Fail(p.At("steps").String(), codeTooLong,
			words.Say("{0} needs {1} s at its fastest; the most is {2} s", jsondoc.Clip(j.ID),
				jsondoc.Number(jsondoc.Round9(steps/v.fastest)), jsondoc.Number(MaxSeconds)),
			words.Say("Lower steps, or check the unit of its speeds."))
	}
}

func tooLarge(j *Job, r *Row, have *supply, cannot []string) (msg, fix words.Text) {
	name, model := jsondoc.Clip(j.ID), rowName(r.Model, r.Batch)
	asked, most := jsondoc.Plural(j.GPUs, "GPU"), have.most(r, j.GPUs, -1)
	msg = words.Say("{0} asks for {1} and can get {2}", name, asked, most)
	fix = words.Say("Set gpus to {0} or less, or add GPUs.", most)
	if most == 0 {
		msg = words.Say("{0} asks for {1} and can get none", name, asked)
		fix = words.Say("Add GPUs, or speeds for smaller gangs.")
	}
	why := words.Say("{0} does not run with {1} spread over nodes", model, asked)
	switch {
	case have.gpus < j.GPUs:
		why = words.Say("the cluster has {0}", have.gpus)
	case len(cannot) > 0:
		why = words.Say("{0} has no speed with {1} on {2}", model, asked, strings.Join(cannot, ", "))
	}
	return words.Say("{0}; {1}", msg, why), fix
}

func mixedOnly(j *Job, r *Row, have *supply) (msg, fix words.Text) {
	name := jsondoc.Clip(j.ID)
	most, of := 0, ""
	for t, typ := range have.types {
		if n := have.most(r, j.GPUs, t); n > most {
			most, of = n, typ
		}
	}
	if most == 0 {
		return words.Say(
			"{0} asks for {1} GPUs and gets them only by mixing types. Policies that keep a job on one type at a time never run it.",
			name, j.GPUs), words.Say("Add GPUs of one type.")
	}
	return words.Say(
			"{0} asks for {1} GPUs and gets them only by mixing types; of one type it gets {2}. Policies that keep a job on one type at a time never run it.",
			name, j.GPUs, strconv.Itoa(most)+" × "+jsondoc.Clip(of)),
		words.Say("Set gpus to {0} or less, or add GPUs.", most)
}
