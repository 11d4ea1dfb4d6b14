package scenario

import _ "embed" // the schema is a file, for editors

//go:embed schema.json
var schema string

// Schema is the JSON Schema (2020-12) of a scenario document.
func Schema() []byte { return []byte(schema) }
