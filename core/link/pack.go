package link

import (
	"encoding/base64"
	"strings"

	"hadarlab/core/jsondoc"
)

// Pack gives the fragment of a link that holds a JSON document other than a scenario under a name, without '#', as
// a=1z.PAYLOAD.CHECK: an assignment, or what was handed in. No dictionary is used, so that a browser's own functions
// can read it.
func Pack(name string, doc []byte) string {
	return name + "=1z." + base64.RawURLEncoding.EncodeToString(deflate(doc, nil)) + "." + checkText(doc)
}

// Unpack reads such a link of one of the names in any form people paste, or its payload alone. It has most bytes at
// most.
func Unpack(s string, most int, names ...string) ([]byte, jsondoc.Diagnostics) {
	frag := cleaned(s)
	for _, name := range names {
		if at := strings.LastIndex(frag, name+"="); at >= 0 && (at == 0 || !isAlnum(frag[at-1])) {
			frag = frag[at+len(name)+1:]
			break
		}
	}
	frag, _, _ = strings.Cut(frag, "&")
	return open(s, frag, most)
}
