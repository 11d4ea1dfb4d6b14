package scenario

import "strconv"

// Measured are the built-in rows of measured throughputs, with what they say about types of GPU: 26 models
// of the Gavel project on k80, p100 and v100 (DATA.md). Rows that say nothing about types are left out.
func Measured(types []string) []Row { return gavelRows(types) }

// builtIn makes the built-in rows the table of measured speeds.
func (im *importer) builtIn() bool {
	im.table = map[string]*speed{}
	for _, r := range gavelRows([]string{"k80", "p100", "v100"}) {
		m := &speed{batch: r.Batch, sizes: map[string]map[string]measure{}}
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
	im.assume("speeds are the built-in ones, measured for Gavel on k80, p100 and v100; gangs over several nodes run as fast as on one")
	return true
}
