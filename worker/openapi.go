package worker

import "net/http"

// OpenAPI is the document that describes the interface.
func OpenAPI() []byte { return openapi }

var openapiTag = `"` + sum(openapi)[:16] + `"`

func (s *server) getOpenAPI(w http.ResponseWriter, r *http.Request) {
	if openapi == nil {
		s.noSuchAPI(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", openapiTag)
	if matches(r, openapiTag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	writeBytes(w, r, http.StatusOK, "application/json", openapi)
}
