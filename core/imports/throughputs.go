package imports

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

const maxTable = 16 << 20 // bytes of a throughput file

// fromFile is the source of speeds in a file of our form: nobody knows here who measured them.
const fromFile = "a throughput file"

// speed is what was measured of one model: steps per second by GPU type and gang size.
type speed struct {
	batch  int
	source string
	sizes  map[string]map[string]measure
}

// measure is the speed of a gang on one node, and spread over several; nil was not measured.
type measure struct {
	Together *float64 `json:"consolidated"`
	Apart    *float64 `json:"unconsolidated"`
}

// readTable reads the throughput file in one of two forms. Ours:
//
//	{"models":{"resnet-18-b128":{"batch":128,"v100":{"1":{"consolidated":18,"unconsolidated":18},…},…},…}}
//
// and Gavel's, whose keys are texts of Python tuples and whose partner "null" means a job alone on its GPUs:
//
//	{"v100":{"('ResNet-18 (batch size 128)', 1)":{"null":18,"('A3C', 1)":[12,3],…},…},"v100_unconsolidated":{…},…}
func (im *importer) readTable() bool {
	b := im.o.Throughputs
	if len(b) == 0 {
		return im.builtIn()
	}
	want := words.Say(
		`Give a JSON file like {"models":{"resnet-18-b128":{"v100":{"1":{"consolidated":18}}}}}.`)
	if len(b) > maxTable {
		return im.refuse(0, codeBadTable,
			words.Say("the throughput file has {0} bytes; the most is {1}", len(b), maxTable), want)
	}
	if !json.Valid(b) {
		msg, _, offset := jsondoc.Syntax(b)
		return im.refuse(jsondoc.LineAt(b, offset), codeBadTable,
			words.Say("the throughput file is not JSON: {0}", msg),
			want)
	}
	var file struct {
		Models map[string]map[string]json.RawMessage `json:"models"`
	}
	im.table = map[string]*speed{}
	if json.Unmarshal(b, &file) == nil && len(file.Models) > 0 {
		for name, entry := range file.Models {
			m := readSpeed(entry)
			m.source = fromFile
			im.table[name] = m
		}
		im.assume(words.Say(
			"rates are the consolidated column of the throughput file; a rate of 0 cannot run, an absent size runs at size × per_gpu"))
	} else if im.pairs(b); len(im.table) > 0 {
		im.assume(words.Say(
			"rates are those of jobs alone on their GPUs; pairs are left out; a rate of 0 cannot run, an absent size runs at size × per_gpu"))
	} else {
		return im.refuse(0, codeBadTable, words.Say("the throughput file holds no models"), want)
	}
	if !im.o.Spread {
		im.assume(words.Say("gangs over several nodes run as fast as on one"))
	}
	return true
}

// builtIn makes the built-in rows the table of measured speeds.
func (im *importer) builtIn() bool {
	im.table = map[string]*speed{}
	var types []string
	for _, t := range im.o.Cluster {
		types = append(types, t.Type)
	}
	for _, r := range scenario.Measured(append(types, base)) {
		m := &speed{batch: r.Batch, source: r.Source, sizes: map[string]map[string]measure{}}
		for typ, rate := range r.PerGPU {
			sizes := map[string]measure{"1": {Together: &rate}}
			for size, v := range r.Gang[typ] {
				sizes[size] = measure{Together: &v}
			}
			m.sizes[typ] = sizes
		}
		name := r.Model
		if r.Batch > 0 {
			name += "-b" + strconv.Itoa(r.Batch)
		}
		im.table[name] = m
	}
	im.assume(words.Say(
		"speeds are the built-in ones, measured for Gavel on k80, p100 and v100; gangs over several nodes run as fast as on one"))
	im.tellSpeeds(base, "k80", "p100")
	return true
}

// base is the type that the speeds of types without a measured one are multiples of.
const base = "v100"

// scale gives the types of the cluster that a model was not measured on its speeds on the base type, times how much
// faster they are; of a file of speeds only where that was given.
func (im *importer) scale(m *speed, from *origins) {
	for _, t := range im.o.Cluster {
		_, has := m.sizes[t.Type]
		by, how := im.against(t.Type, base)
		if has || how == unknown || how != given && len(im.o.Throughputs) > 0 || m.sizes[base] == nil {
			continue
		}
		sizes := map[string]measure{}
		for size, v := range m.sizes[base] {
			sizes[size] = v.times(by)
		}
		m.sizes[t.Type] = sizes
		from.add(t.Type, how)
	}
}

func (m measure) times(by float64) measure {
	for _, v := range []**float64{&m.Together, &m.Apart} {
		if *v != nil {
			scaled := **v * by
			*v = &scaled
		}
	}
	return m
}

func readSpeed(entry map[string]json.RawMessage) *speed {
	m := &speed{sizes: map[string]map[string]measure{}}
	var batch float64
	if json.Unmarshal(entry["batch"], &batch) == nil && batch == math.Trunc(batch) && batch >= 0 &&
		batch <= scenario.MaxBatch {
		m.batch = int(batch)
	}
	for typ, raw := range entry {
		var sizes map[string]measure
		if json.Unmarshal(raw, &sizes) == nil {
			m.sizes[typ] = sizes
		}
	}
	return m
}

// pairs reads Gavel's own form.
func (im *importer) pairs(b []byte) {
	var file map[string]map[string]map[string]json.RawMessage
	if json.Unmarshal(b, &file) != nil {
		return
	}
	for _, column := range jsondoc.Keys(file) {
		typ, apart := strings.CutSuffix(column, "_unconsolidated")
		for _, key := range jsondoc.Keys(file[column]) {
			jobType, size, ok := tuple(key)
			var alone float64
			if !ok || json.Unmarshal(file[column][key]["null"], &alone) != nil {
				continue
			}
			name, batch := gavelModel(jobType)
			m := im.table[name]
			if m == nil {
				m = &speed{batch: batch, source: "Gavel, measured", sizes: map[string]map[string]measure{}}
				im.table[name] = m
			}
			if m.sizes[typ] == nil {
				m.sizes[typ] = map[string]measure{}
			}
			at := m.sizes[typ][size]
			if apart {
				at.Apart = &alone
			} else {
				at.Together = &alone
			}
			m.sizes[typ][size] = at
		}
	}
}

// tuple takes a key like "('ResNet-18 (batch size 16)', 2)" apart.
func tuple(key string) (jobType, size string, ok bool) {
	inner, ok := strings.CutPrefix(key, "('")
	inner, ok2 := strings.CutSuffix(inner, ")")
	at := strings.LastIndex(inner, "', ")
	if !ok || !ok2 || at < 0 {
		return "", "", false
	}
	return inner[:at], inner[at+3:], true
}

// gavelModel gives the name and the batch size of a job type like "ResNet-18 (batch size 16)".
func gavelModel(jobType string) (name string, batch int) {
	family, rest, ok := strings.Cut(jobType, " (batch size ")
	name = scenario.Slug(family)
	if n, err := strconv.Atoi(strings.TrimSuffix(rest, ")")); ok && err == nil && n > 0 && n <= scenario.MaxBatch {
		return name + "-b" + strconv.Itoa(n), n
	}
	return name, 0
}

// row gives the throughput row of a model, adding it on first use; ok is false when the table has
// no model of this name with a speed.
func (im *importer) row(name string) (*scenario.Row, bool) {
	if i, ok := im.rows[name]; ok {
		return &im.s.Throughputs.Rows[i], true
	}
	m := im.table[name]
	if m == nil || len(im.rows) >= scenario.MaxRows {
		return nil, false
	}
	var from origins
	im.scale(m, &from)
	r := scenario.Row{Model: name, Batch: m.batch, Source: from.source(m.source)}
	speeds := 0
	for _, t := range im.o.Cluster {
		sizes := m.sizes[t.Type]
		for _, size := range slices.DeleteFunc(jsondoc.Keys(sizes), notSize) {
			together, apart := sizes[size].Together, sizes[size].Apart
			switch {
			case together == nil:
			case size == "1":
				speeds += setRate(&r.PerGPU, t.Type, *together)
			default:
				speeds += setSize(&r.Gang, t.Type, size, *together)
			}
			if im.o.Spread && size != "1" && apart != nil {
				speeds += setSize(&r.Spread, t.Type, size, *apart)
			}
		}
	}
	if speeds == 0 {
		return nil, false
	}
	im.rows[name] = len(im.s.Throughputs.Rows)
	im.s.Throughputs.Rows = append(im.s.Throughputs.Rows, r)
	return &im.s.Throughputs.Rows[im.rows[name]], true
}

func notSize(size string) bool {
	n, err := strconv.Atoi(size)
	return err != nil || n < 1 || n > scenario.MaxGangGPUs || strconv.Itoa(n) != size
}

// setRate stores a usable rate and counts it when it lets anything run.
func setRate(m *map[string]float64, key string, v float64) int {
	if !(v >= 0 && v <= scenario.MaxRate) {
		return 0
	}
	if *m == nil {
		*m = map[string]float64{}
	}
	(*m)[key] = jsondoc.Round9(v)
	if v > 0 {
		return 1
	}
	return 0
}

func setSize(m *map[string]map[string]float64, typ, size string, v float64) int {
	if *m == nil {
		*m = map[string]map[string]float64{}
	}
	inner := (*m)[typ]
	n := setRate(&inner, size, v)
	if inner != nil {
		(*m)[typ] = inner
	}
	return n
}
