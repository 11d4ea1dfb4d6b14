package scenario

import (
	"encoding/json"
	"math"
	"strconv"
)

const maxTable = 16 << 20 // bytes of a throughput file

func (im *gavelImport) readTable(b []byte) bool {
	if len(b) == 0 {
		im.refuse(0, codeNoTable, "a Gavel trace needs the speeds of its models, and no throughput file was given", "Give one with --throughputs FILE.")
		return false
	}
	var file struct {
		Models map[string]map[string]json.RawMessage `json:"models"`
	}
	const want = `Give a JSON file like {"models":{"resnet-18-b128":{"v100":{"1":{"consolidated":18}}}}}.`
	switch err := json.Unmarshal(b, &file); {
	case len(b) > maxTable:
		im.refuse(0, codeBadTable, "the throughput file has "+strconv.Itoa(len(b))+" bytes; the most is "+strconv.Itoa(maxTable), want)
	case err != nil && !json.Valid(b):
		msg, _, offset := syntax(b)
		im.refuse(lineAt(b, offset), codeBadTable, "the throughput file is not JSON: "+msg, want)
	case err != nil || len(file.Models) == 0:
		im.refuse(0, codeBadTable, "the throughput file holds no models", want)
	default:
		im.table = file.Models
		return true
	}
	return false
}

// row gives the throughput row of a model, adding it on first use; ok is false when the table has
// no model of this name with a speed.
func (im *gavelImport) row(name string) (*Row, bool) {
	if i, ok := im.rows[name]; ok {
		return &im.s.Throughputs.Rows[i], true
	}
	entry, ok := im.table[name]
	if !ok {
		return nil, false
	}
	r := Row{Model: name, Source: "Gavel, measured"}
	var batch float64
	if json.Unmarshal(entry["batch"], &batch) == nil && batch == math.Trunc(batch) && batch >= 0 && batch <= maxBatch {
		r.Batch = int(batch)
	}
	speeds := 0
	for _, t := range im.o.Cluster {
		var sizes map[string]struct{ Consolidated, Unconsolidated *float64 }
		if json.Unmarshal(entry[t.Type], &sizes) != nil {
			continue
		}
		for _, size := range keys(sizes) {
			if n, err := strconv.Atoi(size); err != nil || n < 1 || n > maxGangGPUs || strconv.Itoa(n) != size {
				continue
			}
			together, apart := sizes[size].Consolidated, sizes[size].Unconsolidated
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

// setRate stores a usable rate and counts it when it lets anything run.
func setRate(m *map[string]float64, key string, v float64) int {
	if !(v >= 0 && v <= maxRate) {
		return 0
	}
	if *m == nil {
		*m = map[string]float64{}
	}
	(*m)[key] = round9(v)
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
