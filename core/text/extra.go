package text

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Extra holds the members of an object that this version does not know, as compact JSON. They are written back.
type Extra map[string]json.RawMessage

// Clone is a deep copy.
func (e Extra) Clone() Extra {
	c := maps.Clone(e)
	for k, v := range e {
		c[k] = bytes.Clone(v)
	}
	return c
}
