//go:build !small

package worker

import _ "embed" // openapi.json

// openapi describes the interface. A test holds the handler to it, operation by operation.
//
//go:embed openapi.json
var openapi []byte
