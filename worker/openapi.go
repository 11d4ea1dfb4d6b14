package worker

import (
	_ "embed" // openapi.json
	"net/http"

	"hadarlab/worker/answer"
	"hadarlab/worker/vault"
)

// openapi describes the interface. A test holds the handler to it, operation by operation. At the edge it is a file
// beside the page's.
//
//go:embed openapi.json
var openapi []byte

// OpenAPI is the document that describes the interface.
func OpenAPI() []byte { return openapi }

// description is the room that answers with it.
type description struct{}

// Routes are the methods and paths that this answers.
func (description) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"GET /api/v1/openapi.json": getOpenAPI}
}

func getOpenAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	if !answer.Has(w, r, vault.Sum(openapi)) {
		answer.Bytes(w, r, http.StatusOK, "application/json", openapi)
	}
}
