package scenario

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hadarlab/core/text"
)

// Limits of values, the same wherever a document comes from. Beyond them the engine's integer time
// and flat tables would overflow, or a number is surely in the wrong unit.
const (
	MaxSeconds   = 1e9         // s of any time in a document: 31 years
	MaxSteps     = 1e15        // steps of a job
	MaxRate      = 1e9         // steps per second of a gang
	MaxWeight    = 1e6         // of a job, a tenant or a share
	MaxBatch     = 100_000_000 // samples a step
	MaxGangGPUs  = 100_000     // GPUs of a gang
	MaxSlotGPUs  = 10_000      // GPUs of one type in a node
	MaxGPUs      = 1_000_000   // GPUs of the whole cluster
	MaxTypes     = 64          // GPU types of the cluster
	MaxRows      = 10_000      // rows of throughputs
	maxSizes     = 1_000       // gang sizes named in one row
	maxPolicies  = 32
	maxRev       = 1_000_000
	maxGPUFigure = 1e6 // watts, USD/h, GiB
	maxRequires  = 100
	maxNotes     = 20_000
	maxQuestion  = 1_000
	maxSource    = 200
)

// knownFeatures are the entries of requires that this version understands.
var knownFeatures []string

// checker applies the rules for values to a document, however it was made.
type checker struct {
	*text.Findings
	d     *Document
	lim   Limits
	drawn bool // the jobs are drawn: nobody wrote them, so one warning of a kind is enough
}

// Check reports what is wrong or unusual with d as it stands, parsed or edited.
func (d *Document) Check() text.Diagnostics {
	c := &checker{Findings: &text.Findings{}, d: d, lim: FileLimits}
	c.values()
	c.whole()
	return c.Finish(d.tree)
}

// tree is that of the text d was parsed from, nil when there is none.
func (d *Document) tree() *text.Tree {
	if len(d.src) == 0 {
		return nil
	}
	t, _ := text.Plant(d.src, len(d.src))
	return t
}

func (c *checker) values() {
	d, s := c.d, &c.d.Scenario
	if d.Kind != Kind && d.Kind != "" {
		c.Fail("/kind", text.CodeKind, "kind is "+text.Quote(d.Kind)+"; it must be "+text.Quote(Kind),
			"Open a scenario.")
	}
	switch {
	case d.Version > Version:
		c.Fail("/version", codeTooNew, "version is "+strconv.Itoa(d.Version)+"; this release reads up to "+
			strconv.Itoa(Version),
			"Open it with a newer release, or ask for the file in version 1.")
	case d.Version < 0:
		c.Fail("/version", codeVersion, "version is "+strconv.Itoa(d.Version)+"; versions start at 1",
			"Set version to 1.")
	}
	for i, need := range d.Requires {
		if !slices.Contains(knownFeatures, need) && i < maxRequires {
			c.Fail(text.EntryAt("/requires", i).String(), codeRequires,
				"the scenario requires "+text.Quote(need)+", which this release does not have",
				"Open it with a newer release.")
		}
	}
	meta := text.ObjectAt("/meta")
	c.long(meta.At("title"), "", "title", d.Meta.Title, c.lim.Name)
	c.fields(meta, "", metaFields, d.Meta.at())

	top := text.ObjectAt(atScenario)
	if s.Seed > text.MaxSafe {
		c.Fail(top.At("seed").String(), text.CodeRange, "seed is "+strconv.FormatUint(s.Seed, 10)+
			"; the most is 9007199254740991", "Set seed to a smaller number.")
	}
	c.fields(top, "", runFields, s.at())
	c.cluster(&s.Cluster)
	c.rows(&s.Throughputs)
	c.pairs(&s.Throughputs)
	c.tenants(s.Tenants)
	if s.Generator != nil {
		c.generator(s)
	} else {
		c.jobs(s)
	}
	c.overheads(&s.Overheads)
	c.faults(s)
	c.fields(text.ObjectAt(atKnowledge), "", knowledgeFields, s.Knowledge.at())
	c.policies(s.Policies)
}

func (c *checker) cluster(cl *Cluster) {
	c.Most(atNodes, "nodes", len(cl.Nodes), c.lim.Nodes)
	seen := make(map[string]int, len(cl.Nodes))
	gpus, types := 0, map[string]bool{}
	most := cl.most()
	for i := range cl.Nodes {
		n := &cl.Nodes[i]
		p := text.EntryAt(atNodes, i)
		who := cmp.Or(text.Clip(n.ID), "node "+strconv.Itoa(i+1))
		c.unique(seen, i, n.ID, "node", p)
		if n.Rack != "" {
			c.id(p.At("rack"), "rack", n.Rack)
		}
		held := 0
		for _, typ := range text.Keys(n.GPUs) {
			c.id(p.At("gpus", typ), "GPU type", typ)
			c.Within(p.At("gpus", typ), who, "gpus "+text.Clip(typ), float64(n.GPUs[typ]), 0, MaxSlotGPUs, "")
		}
		for typ, count := range most[i] { // sums of integers: the order is immaterial
			if count > 0 {
				types[typ] = true
				held += count
			}
		}
		gpus += held
		if held == 0 && !c.Tainted(p.String()) {
			c.Add(text.LevelNote, p.String(), codeEmptyNode, who+" has no GPU", `Give it some, as in "gpus":{"v100":2}.`)
		}
	}
	if gpus == 0 && !c.Tainted(atNodes) {
		c.Fail(atNodes, codeNoGPUs, "the cluster has no GPU", `Add a node, as in {"id":"n1","gpus":{"v100":2}}.`)
	}
	if gpus > MaxGPUs {
		c.Fail(atCluster, codeTooMuch, "the cluster has "+strconv.Itoa(gpus)+" GPUs; the most is "+
			strconv.Itoa(MaxGPUs), "Take nodes out.")
	}
	c.Most(atCluster, "GPU types", len(types), MaxTypes)
	c.changes(cl)
	for _, typ := range text.Keys(cl.GPUTypes) {
		g := cl.GPUTypes[typ]
		p := text.ObjectAt(atTypes).At(typ)
		c.id(p, "GPU type", typ)
		c.fields(text.ObjectAt(p.String()), text.Clip(typ), gpuTypeFields, g.at())
	}
}

func (c *checker) rows(t *Throughputs) {
	if t.Unit != StepsPerS && t.Unit != "" {
		c.Fail("/scenario/throughputs/unit", codeUnit, "unit is "+text.Quote(t.Unit)+"; speeds are in steps_per_s",
			"Convert the speeds and set unit to steps_per_s.")
	}
	c.Most(atRows, "rows", len(t.Rows), MaxRows)
	seen := make(map[rowKey]int, len(t.Rows))
	for i := range t.Rows {
		r := &t.Rows[i]
		p := text.EntryAt(atRows, i)
		who := rowName(r.Model, r.Batch)
		c.fields(p, who, rowNameFields, r.at())
		for _, typ := range text.Keys(r.PerGPU) {
			c.id(p.At("per_gpu", typ), "GPU type", typ)
			c.Within(p.At("per_gpu", typ), who, "per_gpu "+text.Clip(typ), r.PerGPU[typ], 0, MaxRate, " steps/s")
		}
		c.sizes(p, who, "gang", r.Gang)
		c.sizes(p, who, "spread", r.Spread)
		c.Most(p.String(), "gang sizes in the row of "+who, len(r.sizes()), maxSizes)
		c.long(p.At("source"), who, "source", r.Source, maxSource)
		if first, ok := seen[r.key()]; ok && r.Model != "" {
			c.Fail(p.String(), text.CodeDuplicate, "row "+strconv.Itoa(i+1)+" is for "+who+", and so is row "+
				strconv.Itoa(first+1), "Keep one of the two.")
		} else {
			seen[r.key()] = i
		}
	}
}

func (c *checker) sizes(p text.Place, who, field string, m map[string]map[string]float64) {
	for _, typ := range text.Keys(m) {
		c.id(p.At(field, typ), "GPU type", typ)
		for _, size := range text.Keys(m[typ]) {
			if !c.size(p.At(field, typ, size), who+": "+field+" "+text.Clip(typ), size) {
				continue
			}
			c.Within(p.At(field, typ, size), who, field+" "+text.Clip(typ)+" "+size, m[typ][size], 0, MaxRate,
				" steps/s")
		}
	}
}

// size checks the name of a gang size.
func (c *checker) size(p text.Place, who, size string) bool {
	n, err := strconv.Atoi(size)
	ok := err == nil && n >= 1 && n <= MaxGangGPUs && strconv.Itoa(n) == size
	if !ok {
		c.Fail(p.String(), codeSize, who+" has the size "+text.Quote(size)+"; sizes are whole numbers from 1 to "+
			strconv.Itoa(MaxGangGPUs), `Write it as "4".`)
	}
	return ok
}

func (c *checker) jobs(s *Scenario) {
	jobs, tenants := s.Jobs, tenantIndex(s.Tenants)
	if len(jobs) == 0 {
		c.Fail(atJobs, codeNoJobs, "there are no jobs; a schedule needs at least one",
			"Add one, or start from a preset and change it.")
	}
	c.Most(atJobs, "jobs", len(jobs), c.lim.Jobs)
	seen := make(map[string]int, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		p := text.EntryAt(atJobs, i)
		who := cmp.Or(text.Clip(j.ID), "job "+strconv.Itoa(i+1))
		c.unique(seen, i, j.ID, "job", p)
		c.fields(p, who, jobFields, j.at())
		c.member(p, who, j, tenants)
		if e := j.Elastic; e != nil {
			c.Within(p.At("elastic", "min"), who, "elastic min", float64(e.Min), 1, MaxGangGPUs, "")
			c.Within(p.At("elastic", "max"), who, "elastic max", float64(e.Max), 1, MaxGangGPUs, "")
			if e.Min > e.Max && e.Max > 0 {
				c.Fail(p.At("elastic").String(), codeElasticPair,
					who+": elastic min is "+strconv.Itoa(e.Min)+", more than max, "+strconv.Itoa(e.Max),
					"Swap the two.")
			}
		}
	}
}

func (c *checker) policies(policies []Policy) {
	c.Most(atPolicies, "policies", len(policies), maxPolicies)
	seen := map[string]int{}
	for i := range policies {
		q := &policies[i]
		p := text.EntryAt(atPolicies, i)
		c.id(p.At("id"), "policy id", q.ID)
		c.Within(p.At("rev"), text.Clip(q.ID), "rev", float64(cmp.Or(q.Rev, DefaultRev)), 1, maxRev, "")
		c.forces(i, q.Force)
		w := newWriter(true, nil)
		w.policy(q)
		if q.ID == "" {
			continue
		}
		if first, ok := seen[string(w.Bytes())]; ok {
			c.Add(text.LevelWarning, p.String(), codeSameLane, text.Clip(q.ID)+
				" stands twice with the same parameters, as policies "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+
				"; both lanes will be alike", "Change a parameter, or remove one.")
		} else {
			seen[string(w.Bytes())] = i
		}
	}
}

// above0 checks 0 < v ≤ high.
func (c *checker) above0(p text.Place, who, name string, v, high float64) {
	if v > 0 {
		c.Within(p, who, name, v, 0, high, "")
		return
	}
	c.Fail(p.String(), text.CodeRange, text.Colon(who)+name+" is "+text.Number(v)+"; it must be above 0",
		"Set "+name+" to a number above 0.")
}

// choice checks that v is one of the words.
func (c *checker) choice(p text.Place, who, name, v string, words ...string) {
	if slices.Contains(words, v) {
		return
	}
	fix := text.Meant(v, words, "Write "+strings.Join(words, " or ")+".")
	c.Fail(p.String(), codeChoice,
		text.Colon(who)+name+" is "+text.Quote(v)+"; it must be "+strings.Join(words, " or "), fix)
}

// long checks a free text: its length, and that it holds no control characters, which act on terminals. Tabs and the
// ends of lines are text, but not in a title.
func (c *checker) long(p text.Place, who, name, s string, most int) {
	if n := utf8.RuneCountInString(s); n > most {
		c.Fail(p.String(), codeLong, text.Colon(who)+name+" has "+strconv.Itoa(n)+" characters; the most is "+
			strconv.Itoa(most), "Shorten it.")
	}
	for i, r := range s {
		if unicode.IsControl(r) && (name == "title" || !strings.ContainsRune("\t\n\r", r)) {
			c.Fail(p.String(), codeControl, text.Colon(who)+name+" has a control character, "+
				strconv.QuoteRuneToASCII(r)+
				", in place "+
				strconv.Itoa(1+utf8.RuneCountInString(s[:i])), "Remove it.")
			return
		}
	}
}

// unique checks an id and that no entry before has it.
func (c *checker) unique(seen map[string]int, i int, id, what string, p text.Place) {
	c.id(p.At("id"), what+" id", id)
	if id == "" {
		return
	}
	if first, ok := seen[id]; ok {
		c.Fail(p.At("id").String(), text.CodeDuplicate, what+"s "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+
			" have the id "+text.Quote(id), "Rename one of the two.")
		return
	}
	seen[id] = i
}

// id checks an id against [a-z0-9][a-z0-9_.-]{0,63}.
func (c *checker) id(p text.Place, what, id string) {
	switch n := len(id); {
	case n == 0:
		c.Fail(p.String(), codeID, what+" is empty", "Give it a name of lower-case letters and digits.")
	case n > 64:
		c.Fail(p.String(), codeLong, what+" "+text.Quote(id)+" has "+strconv.Itoa(utf8.RuneCountInString(id))+
			" characters; the most is 64", "Shorten it.")
	case Slug(id) != id:
		fix := "Use lower-case letters, digits, dot, dash and underscore."
		if s := Slug(id); s != "" {
			fix = "Use " + text.Quote(s) + "."
		}
		c.Fail(p.String(), codeID,
			what+" "+text.Quote(id)+" is not made of lower-case letters, digits and . _ -, a letter or digit first",
			fix)
	}
}

// Slug is the id nearest to s, of at most 64 bytes: s itself when it is one, "" when nothing of it can stay.
func Slug(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case len(b) == 0:
			continue
		case r != '_' && r != '.' && r != '-':
			r = '-'
		}
		b = append(b, byte(r))
	}
	return string(b[:min(len(b), 64)])
}

// name checks a model name against [A-Za-z0-9][A-Za-z0-9 _.+/()-]*.
func (c *checker) name(p text.Place, s string) {
	if s == "" {
		c.Fail(p.String(), codeName, "the model name is empty", "Name the model, as in resnet50.")
		return
	}
	c.long(p, "", "the model name "+text.Quote(s), s, c.lim.Name)
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter &&
			(i == 0 || r > '~' || !slices.Contains([]string{" ", "_", ".", "+", "/", "(", ")", "-"}, string(r))) {
			verb := " has "
			if i == 0 {
				verb = " starts with "
			}
			c.Fail(p.String(), codeName, "the model name "+text.Quote(s)+verb+text.Quote(string(r)),
				"Use letters, digits, spaces and _ . + / ( ) -, a letter or digit first.")
			return
		}
	}
}
