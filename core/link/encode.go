// Package link packs a scenario into the fragment of an address, and unpacks what people paste.
//
// A share link is origin/#1d.PAYLOAD.CHECK: envelope version 1, a codec letter (d raw deflate with
// dictionary 1, z raw deflate, j plain), the payload in base64url without padding, and 5 characters
// of Crockford's base 32 that hold the upper 25 bits of the CRC-32 (IEEE) of the inflated payload.
// The payload is the short form of a document.
package link

import (
	"bytes"
	"compress/flate"
	_ "embed" // dictionary1.txt
	"encoding/base64"
	"hash/crc32"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

const (
	// Version is the number that every link begins with.
	Version     = 1
	checkLength = 5

	// Max is the most characters of a link's fragment that Decode reads.
	Max = 24 << 10
)

// dictionary1 is the text that codec d starts from: names of members, policies and parameters, then
// the payloads of the first nine presets. It is frozen: a byte changed here breaks every such link.
// Other presets need another letter with another dictionary.
//
//go:embed dictionary1.txt
var dictionary1 []byte

// Encode gives the fragment of a share link, without '#'. It may be longer than Max: then
// a file or a short id must serve. The bytes of the fragment may differ between releases; what it
// decodes to does not.
func Encode(d *scenario.Document, def scenario.Defaults) string {
	payload := d.Short(def)
	codec, packed := "z", deflate(payload, nil)
	if short := deflate(payload, dictionary1); len(short) < len(packed) {
		codec, packed = "d", short
	}
	return "1" + codec + "." + base64.RawURLEncoding.EncodeToString(packed) + "." + checkText(payload)
}

func deflate(payload, dict []byte) []byte {
	var b bytes.Buffer
	z, _ := flate.NewWriterDict(&b, flate.BestCompression, dict)
	_, _ = z.Write(payload) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

func checkText(payload []byte) string {
	sum := crc32.ChecksumIEEE(payload) >> 7
	var b [checkLength]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = jsondoc.Crockford[sum&31]
		sum >>= 5
	}
	return string(b[:])
}
