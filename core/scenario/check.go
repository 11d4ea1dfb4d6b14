package scenario

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hadarlab/core/jsondoc"
	"hadarlab/core/record"
	"hadarlab/core/words"
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
	MaxPolicies  = 64          // of a document, and of a request: all that there are, and room for more
	maxRev       = 1_000_000
	maxGPUFigure = 1e6 // watts, USD/h, GiB
	MaxHost      = 1e6 // CPUs or GB of memory, of a node or a job
	maxGradient  = 1e6 // MB
	maxFactor    = 1e4 // of oversubscription and congestion
	maxRequires  = 100
	maxNotes     = 20_000
	maxQuestion  = 1_000
	maxSource    = 200
)

// SharedLinks is what a document requires whose gangs share links: a program that does not know it has them each to
// themselves, and gives another result.
const SharedLinks = "shared_links"

// Fuses is what a document requires whose jobs are fused: a program that does not know it has them each for itself.
const Fuses = "fusion"

// knownFeatures are the entries of requires that this version understands.
var knownFeatures = []string{CloudFeature, Fuses, SharedLinks, "window", JobTypes}

// checker applies the rules for values to a document, however it was made.
type checker struct {
	*jsondoc.Collector
	d     *Document
	lim   Limits
	drawn bool    // the jobs are drawn: nobody wrote them, so one warning of a kind is enough
	perH  float64 // jobs that arrive in an hour where they are drawn, 0 = as they are listed
}

// Check reports what is wrong or unusual with d as it stands, parsed or edited.
func (d *Document) Check() jsondoc.Diagnostics {
	c := &checker{Collector: &jsondoc.Collector{}, d: d, lim: FileLimits}
	c.values()
	c.whole()
	return c.Finish(d.tree)
}

// tree is that of the text d was parsed from, nil when there is none.
func (d *Document) tree() *jsondoc.Tree {
	if len(d.src) == 0 {
		return nil
	}
	t, _ := jsondoc.Plant(d.src, len(d.src))
	return t
}

func (c *checker) values() {
	d, s := c.d, &c.d.Scenario
	if d.Kind != Kind && d.Kind != "" {
		c.Fail("/kind", jsondoc.CodeKind,
			words.Say("{0} is {1}; it must be {2}", "kind", jsondoc.Quote(d.Kind), jsondoc.Quote(Kind)),
			words.Say("Open a scenario."))
	}
	if wrong, bad := jsondoc.Version(d.Version, Version); bad && d.Version != 0 { // readVersion tells of 0
		c.Fail(wrong.Path, wrong.Code, wrong.Message, wrong.Fix)
	}
	for i, need := range d.Requires {
		if !slices.Contains(knownFeatures, need) && i < maxRequires {
			c.Fail(jsondoc.EntryAt("/requires", i).String(), codeRequires,
				words.Say("the scenario requires {0}, which this release does not have", jsondoc.Quote(need)),
				words.Say("Open it with a newer release."))
		}
	}
	meta := jsondoc.ObjectAt("/meta")
	c.long(meta.At("title"), words.Own("title"), d.Meta.Title, c.lim.Name, true)
	c.fields(meta, words.Text{}, &d.Meta)
	for _, s := range [...]*string{&d.Meta.Title, &d.Meta.Question, &d.Meta.Notes, &d.Meta.License} {
		*s = jsondoc.Visible(*s) // no part of the scenario's identity
	}

	top := jsondoc.ObjectAt(atScenario)
	if s.Seed > jsondoc.MaxSafe {
		c.Fail(top.At("seed").String(), jsondoc.CodeRange,
			words.Say("{0} is {1}; the most is {2}", "seed", strconv.FormatUint(s.Seed, 10), jsondoc.MaxSafe),
			words.Say("Set {0} to a smaller number.", "seed"))
	}
	c.fields(top, words.Text{}, s)
	c.cluster(&s.Cluster)
	c.rows(&s.Throughputs)
	c.profiles(&s.Throughputs)
	c.pairs(&s.Throughputs)
	c.tenants(s.Tenants)
	if s.Generator != nil {
		c.generator(s)
	} else {
		c.jobs(s)
	}
	if s.Window != nil {
		c.fields(jsondoc.ObjectAt(atWindow), words.Text{}, s.Window)
	}
	c.overheads(&s.Overheads)
	c.faults(s)
	c.stragglers(s)
	c.cloud(s)
	c.fusion(s)
	c.fields(jsondoc.ObjectAt(atKnowledge), words.Text{}, &s.Knowledge)
	c.policies(s.Policies)
}

func (c *checker) cluster(cl *Cluster) {
	c.fields(jsondoc.ObjectAt(atCluster), words.Text{}, cl)
	c.Most(atNodes, words.Say("nodes"), len(cl.Nodes), c.lim.Nodes)
	seen := make(map[string]int, len(cl.Nodes))
	gpus, types := 0, map[string]bool{}
	most := cl.most()
	for i := range cl.Nodes {
		n := &cl.Nodes[i]
		p := jsondoc.EntryAt(atNodes, i)
		who := called(n.ID, "node {0}", i)
		c.unique(seen, i, n.ID, "node id", "nodes {0} and {1} have the id {2}", p)
		c.fields(p, who, n)
		held := 0
		for typ, count := range most[i] { // sums of integers: the order is immaterial
			if count > 0 {
				types[typ] = true
				held += count
			}
		}
		gpus += held
		if held == 0 && !c.Tainted(p.String()) {
			c.Add(jsondoc.LevelNote, p.String(), codeEmptyNode, words.Say("{0} has no GPU", who),
				words.Say(`Give it some, as in "gpus":{"v100":2}.`))
		}
	}
	if gpus == 0 && !c.Tainted(atNodes) {
		c.Fail(atNodes, codeNoGPUs, words.Say("the cluster has no GPU"),
			words.Say(`Add a node, as in {"id":"n1","gpus":{"v100":2}}.`))
	}
	if gpus > MaxGPUs {
		c.Fail(atCluster, codeTooMuch, words.Say("the cluster has {0} GPUs; the most is {1}", gpus, MaxGPUs),
			words.Say("Take nodes out."))
	}
	c.Most(atCluster, words.Say("GPU types"), len(types), MaxTypes)
	c.changes(cl)
	if cl.Network != nil {
		c.fields(jsondoc.ObjectAt(atNetwork), words.Text{}, cl.Network)
	}
	for _, typ := range jsondoc.Keys(cl.GPUTypes) {
		g := cl.GPUTypes[typ]
		p := jsondoc.ObjectAt(atTypes).At(typ)
		c.id(p, "GPU type", typ)
		c.fields(jsondoc.ObjectAt(p.String()), words.Own(jsondoc.Clip(typ)), &g)
	}
}

func (c *checker) rows(t *Throughputs) {
	if t.Unit != StepsPerS && t.Unit != "" {
		c.Fail("/scenario/throughputs/unit", codeUnit,
			words.Say("unit is {0}; speeds are in steps_per_s", jsondoc.Quote(t.Unit)),
			words.Say("Convert the speeds and set unit to steps_per_s."))
	}
	c.Most(atRows, words.Say("rows"), len(t.Rows), MaxRows)
	seen := make(map[rowKey]int, len(t.Rows))
	for i := range t.Rows {
		r := &t.Rows[i]
		p := jsondoc.EntryAt(atRows, i)
		who := rowName(r.Model, r.Batch)
		c.fields(p, who, r)
		c.Most(p.String(), words.Say("gang sizes in the row of {0}", who), len(r.sizes()), maxSizes)
		c.curve(p.Under("cpus"), who, r.CPUs)
		c.curve(p.Under("memory_gb"), who, r.MemoryGB)
		if first, ok := seen[r.key()]; ok && r.Model != "" {
			c.Fail(p.String(), jsondoc.CodeDuplicate,
				words.Say("row {0} is for {1}, and so is row {2}", i+1, who, first+1),
				words.Say("Keep one of the two."))
		} else {
			seen[r.key()] = i
		}
	}
}

// size checks the name of a gang size or a batch.
func (c *checker) size(p jsondoc.Place, who words.Text, of jsondoc.Place, size string, most int) bool {
	n, err := strconv.Atoi(size)
	ok := err == nil && n >= 1 && n <= most && strconv.Itoa(n) == size
	if !ok {
		c.Fail(p.String(), codeSize,
			words.Say("{0} has the size {1}; sizes are whole numbers from 1 to {2}", jsondoc.Of(who, of.Label()), jsondoc.Quote(size),
				most),
			words.Say(`Write it as "4".`))
	}
	return ok
}

func (c *checker) jobs(s *Scenario) {
	jobs, tenants := s.Jobs, tenantIndex(s.Tenants)
	if len(jobs) == 0 {
		c.Fail(atJobs, codeNoJobs, words.Say("there are no jobs; a schedule needs at least one"),
			words.Say("Add one, or start from a preset and change it."))
	}
	c.Most(atJobs, words.Say("jobs"), len(jobs), c.lim.Jobs)
	seen := make(map[string]int, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		p := jsondoc.EntryAt(atJobs, i)
		who := called(j.ID, "job {0}", i)
		c.unique(seen, i, j.ID, "job id", "jobs {0} and {1} have the id {2}", p)
		c.asked(p, j, s.Throughputs.profileOf(j.Model))
		c.fields(p, who, j)
		c.member(p, who, j, tenants)
		c.balance(p, who, j)
		if e := j.Elastic; e != nil {
			c.fields(p.At("elastic"), who, e)
			if e.Min > e.Max && e.Max > 0 {
				c.Fail(p.At("elastic").String(), codeElasticPair,
					words.Say("{0}: elastic min is {1}, more than max, {2}", who, e.Min, e.Max),
					words.Say("Swap the two."))
			}
		}
		if j.Redundancy != nil {
			c.redundancy(p.At("redundancy"), who, j, s.Throughputs.profileOf(j.Model) != nil)
		}
	}
}

func (c *checker) policies(policies []Policy) {
	c.Most(atPolicies, words.Say("policies"), len(policies), MaxPolicies)
	seen := map[string]int{}
	for i := range policies {
		q := &policies[i]
		p := jsondoc.EntryAt(atPolicies, i)
		c.fields(p, words.Own(jsondoc.Clip(q.ID)), q)
		c.forces(i, q.Force)
		w := newWriter(true, nil)
		w.object(q)
		if q.ID == "" {
			continue
		}
		if q.ID == record.Policy && !c.lim.Records {
			c.Fail(p.At("id").String(), codeRecord, RecordsStay(), words.Say("Hand on the file, or remove the lane."))
		}
		if first, ok := seen[string(w.Bytes())]; ok {
			c.Add(jsondoc.LevelWarning, p.String(), codeSameLane,
				words.Say("{0} stands twice with the same parameters, as policies {1} and {2}; both lanes will be alike",
					jsondoc.Clip(q.ID), first+1, i+1),
				words.Say("Change a parameter, or remove one."))
		} else {
			seen[string(w.Bytes())] = i
		}
	}
}

// fields checks the numbers and texts of an object by its description, given a pointer to its struct. What holds
// between them, and between objects, is not described.
func (c *checker) fields(p jsondoc.Place, who words.Text, in any) {
	of := reflect.ValueOf(in).Elem()
	o := objects[of.Type()]
	for i := range o.members {
		m := &o.members[i]
		at := p.Under(m.name)
		switch v := of.FieldByIndex(m.field).Addr().Interface().(type) {
		case *string:
			c.text(at, who, m, *v)
		case *int:
			if n := cmp.Or(*v, int(m.def)); !m.zero || n != 0 {
				c.number(at, who, m, float64(n))
			}
		case *float64:
			if !m.zero || *v != 0 {
				c.number(at, who, m, *v)
			}
		case **float64:
			if *v != nil {
				c.number(at, who, m, **v)
			}
		case *map[string]int:
			for _, typ := range jsondoc.Keys(*v) {
				c.id(at.Under(typ), "GPU type", typ)
				c.number(at.Under(typ), who, m, float64((*v)[typ]))
			}
		case *map[string]float64:
			c.numbers(at, who, m, *v, m.bySize || m.byBatch)
		case *map[string]map[string]float64:
			for _, typ := range jsondoc.Keys(*v) {
				c.id(at.Under(typ), "GPU type", typ)
				c.numbers(at.Under(typ), who, m, (*v)[typ], true)
			}
		case *map[string][2]float64:
			for _, typ := range jsondoc.Keys(*v) {
				c.id(at.Under(typ), "GPU type", typ)
				for k, x := range (*v)[typ] {
					c.Within(at.Under(typ).Under(strconv.Itoa(k)), who, at.Under(typ).Label(), x, m.low, m.high, m.unit)
				}
			}
		}
	}
}

// numbers checks a mapping of numbers by gang size or GPU type.
func (c *checker) numbers(p jsondoc.Place, who words.Text, m *member, of map[string]float64, bySize bool) {
	most := MaxGangGPUs
	if m.byBatch {
		most = MaxBatch
	}
	for _, key := range jsondoc.Keys(of) {
		here := p.Under(key)
		if !bySize {
			c.id(here, "GPU type", key)
		} else if !c.size(here, who, p, key, most) {
			continue
		}
		c.number(here, who, m, of[key])
	}
}

func (c *checker) number(p jsondoc.Place, who words.Text, m *member, v float64) {
	if v >= m.low && v <= m.high && !(m.above && v == m.low) {
		return
	}
	name := p.Label()
	if m.above && !(v > m.low) {
		c.Fail(p.String(), jsondoc.CodeRange,
			words.Say("{0} is {1}; it must be above 0", jsondoc.Of(who, name), jsondoc.Number(v)),
			words.Say("Set {0} to a number above 0.", name))
		return
	}
	c.Within(p, who, name, v, m.low, m.high, m.unit)
}

func (c *checker) text(p jsondoc.Place, who words.Text, m *member, v string) {
	switch {
	case m.model:
		c.name(p, v)
	case m.words != nil && v != "":
		c.choice(p, who, m.name, v, m.words)
	case m.id != "" && (m.need || v != ""):
		c.id(p, m.id, v)
	case m.high > 0:
		c.long(p, jsondoc.Of(who, m.name), v, int(m.high), m.name == "title")
	}
}

// choice checks that v is one of the words.
func (c *checker) choice(p jsondoc.Place, who words.Text, name, v string, of []string) {
	if slices.Contains(of, v) {
		return
	}
	c.Fail(p.String(), codeChoice,
		words.Say("{0} is {1}; it must be {2}", jsondoc.Of(who, name), jsondoc.Quote(v), either(of)),
		jsondoc.Meant(v, of, words.Say("Write {0}.", either(of))))
}

// either is a choice of words.
func either(of []string) words.Text {
	t := words.Own(of[0])
	for _, word := range of[1:] {
		t = words.Say("{0} or {1}", t, word)
	}
	return t
}

// long checks a free text: its length, and that it holds no control characters, which act on terminals. Tabs and the
// ends of lines are text, but not where it is one line.
func (c *checker) long(p jsondoc.Place, who words.Text, s string, most int, line bool) {
	if n := utf8.RuneCountInString(s); n > most {
		c.Fail(p.String(), codeLong, words.Say("{0} has {1} characters; the most is {2}", who, n, most),
			words.Say("Shorten it."))
	}
	for i, r := range s {
		if unicode.IsControl(r) && (line || !strings.ContainsRune("\t\n\r", r)) {
			c.Fail(p.String(), codeControl, words.Say("{0} has a control character, {1}, in place {2}", who,
				strconv.QuoteRuneToASCII(r), 1+utf8.RuneCountInString(s[:i])),
				words.Say("Remove it."))
			return
		}
	}
	if r, at := jsondoc.Unseen(s); at >= 0 { // a warning, since documents of earlier releases open
		c.Add(jsondoc.LevelWarning, p.String(), codeUnseen, words.Say("{0} has a character that nobody sees, {1}, in place {2}",
			who, strconv.QuoteRuneToASCII(r), 1+utf8.RuneCountInString(s[:at])), words.Say("Remove it."))
	}
}

// called is the name of an entry of a list: its id, or otherwise a pattern for its number.
func called(id, otherwise string, i int) words.Text {
	if id != "" {
		return words.Own(jsondoc.Clip(id))
	}
	return words.Say(otherwise, i+1)
}

// unique checks an id and that no entry before has it, or says which two do with the pattern twice.
func (c *checker) unique(seen map[string]int, i int, id, what, twice string, p jsondoc.Place) {
	c.id(p.At("id"), what, id)
	if id == "" {
		return
	}
	if first, ok := seen[id]; ok {
		c.Fail(p.At("id").String(), jsondoc.CodeDuplicate, words.Say(twice, first+1, i+1, jsondoc.Quote(id)),
			words.Say("Rename one of the two."))
		return
	}
	seen[id] = i
}

// id checks an id against [a-z0-9][a-z0-9_.-]{0,63}.
func (c *checker) id(p jsondoc.Place, what, id string) {
	switch n := len(id); {
	case n == 0:
		c.Fail(p.String(), codeID, words.Say("{0} is empty", words.Say(what)),
			words.Say("Give it a name of lower-case letters and digits."))
	case n > 64:
		who := words.Say("{0} {1}", words.Say(what), jsondoc.Quote(id))
		c.Fail(p.String(), codeLong,
			words.Say("{0} has {1} characters; the most is {2}", who, utf8.RuneCountInString(id), 64),
			words.Say("Shorten it."))
	case Slug(id) != id:
		fix := words.Say("Use lower-case letters, digits, dot, dash and underscore.")
		if s := Slug(id); s != "" {
			fix = words.Say("Use {0}.", jsondoc.Quote(s))
		}
		c.Fail(p.String(), codeID,
			words.Say("{0} {1} is not made of lower-case letters, digits and . _ -, a letter or digit first",
				words.Say(what), jsondoc.Quote(id)),
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
func (c *checker) name(p jsondoc.Place, s string) {
	if s == "" {
		c.Fail(p.String(), codeName, words.Say("the model name is empty"), words.Say("Name the model, as in resnet50."))
		return
	}
	odd := strings.IndexFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune(" _.+/()-", r)
	})
	if strings.IndexByte(" _.+/()-", s[0]) >= 0 {
		odd = 0
	}
	if odd < 0 && len(s) <= c.lim.Name {
		return
	}
	c.long(p, words.Say("the model name {0}", jsondoc.Quote(s)), s, c.lim.Name, false)
	if odd < 0 {
		return
	}
	r, _ := utf8.DecodeRuneInString(s[odd:])
	msg := words.Say("the model name {0} has {1}", jsondoc.Quote(s), jsondoc.Quote(string(r)))
	if odd == 0 {
		msg = words.Say("the model name {0} starts with {1}", jsondoc.Quote(s), jsondoc.Quote(string(r)))
	}
	c.Fail(p.String(), codeName, msg,
		words.Say("Use letters, digits, spaces and _ . + / ( ) -, a letter or digit first."))
}
