package answer

import (
	"net/http"
	"strings"

	"hadarlab/worker/vault"
)

// Unchanged sets what caches need of content that never changes, and answers a client that has it.
func Unchanged(w http.ResponseWriter, r *http.Request, sum string) bool {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return Has(w, r, sum)
}

// Lasting answers with what never changes.
func Lasting(w http.ResponseWriter, r *http.Request, contentType string, b []byte) {
	if !Unchanged(w, r, vault.Sum(b)) {
		Bytes(w, r, http.StatusOK, contentType, b)
	}
}

// Made answers with what this release makes of stored content. The next may make something else of it.
func Made(w http.ResponseWriter, r *http.Request, contentType string, b []byte) {
	w.Header().Set("Cache-Control", "no-cache")
	if !Has(w, r, vault.Sum(b)) {
		Bytes(w, r, http.StatusOK, contentType, b)
	}
}

// Has names a version of an answer by its hash, and answers a client that holds it.
func Has(w http.ResponseWriter, r *http.Request, sum string) bool {
	etag := `"` + sum[:16] + `"`
	w.Header().Set("ETag", etag)
	if !Matches(r, etag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// Matches tells whether the client holds this version already.
func Matches(r *http.Request, etag string) bool {
	for _, t := range List(r, "If-None-Match") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == etag {
			return true
		}
	}
	return false
}

// List reads a comma-separated request header. The edge runtime splits headers at their commas, so
// the values are joined first.
func List(r *http.Request, name string) []string {
	return strings.Split(strings.Join(r.Header.Values(name), ","), ",")
}
