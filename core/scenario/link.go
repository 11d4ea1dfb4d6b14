package scenario

import (
	"bytes"
	"compress/flate"
	_ "embed" // dictionary1.txt
	"encoding/base64"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
	"unicode"

	"hadarlab/core/text"
)

// A share link is origin/#1d.PAYLOAD.CHECK: envelope version 1, a codec letter (d raw deflate with
// dictionary 1, z raw deflate, j plain), the payload in base64url without padding, and 5 characters
// of Crockford's base 32 that hold the upper 25 bits of the CRC-32 (IEEE) of the inflated payload.
// The payload is the short form of a document.
const (
	linkVersion = 1
	checkLength = 5

	// MaxLink is the most characters of a link's fragment that DecodeLink reads.
	MaxLink = 24 << 10
)

// dictionary1 is the text that codec d starts from: names of members, policies and parameters, then
// the payloads of the first nine presets. It is frozen: a byte changed here breaks every such link.
// Other presets need another letter with another dictionary.
//
//go:embed dictionary1.txt
var dictionary1 []byte

// EncodeLink gives the fragment of a share link, without '#'. It may be longer than MaxLink: then
// a file or a short id must serve. The bytes of the fragment may differ between releases; what it
// decodes to does not.
func EncodeLink(d *Document, def Defaults) string {
	text := d.Short(def)
	codec, packed := "z", deflate(text, nil)
	if short := deflate(text, dictionary1); len(short) < len(packed) {
		codec, packed = "d", short
	}
	return "1" + codec + "." + base64.RawURLEncoding.EncodeToString(packed) + "." + checkText(text)
}

func deflate(text, dict []byte) []byte {
	var b bytes.Buffer
	z, _ := flate.NewWriterDict(&b, flate.BestCompression, dict)
	_, _ = z.Write(text) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

func checkText(text []byte) string {
	sum := crc32.ChecksumIEEE(text) >> 7
	var b [checkLength]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = crockford[sum&31]
		sum >>= 5
	}
	return string(b[:])
}

// SplitView cuts a link, or its fragment, into the part that says the scenario and the view after
// "&v=", which is never part of identity and may be empty.
func SplitView(s string) (link, view string) {
	for _, mark := range [...]string{"&v=", "%26v%3D", "%26v="} {
		if i := strings.Index(s, mark); i >= 0 {
			view, _, _ = strings.Cut(s[i+len(mark):], "&")
			return s[:i], view
		}
	}
	return s, ""
}

// DecodeLink reads a share link in any form people paste: a whole URL, "#…", the fragment, also
// with its '#' escaped once or twice, broken over lines, or wrapped by a mail filter. Its findings
// are graded: link-empty, link-cut, link-checksum, link-too-new, link-too-big, link-invalid; after
// link-invalid follow the findings of the scenario itself. The document is nil unless the checksum
// held and the payload was an object.
func DecodeLink(s string) (*Document, text.Diagnostics) {
	payload, refused := openLink(s)
	if refused != nil {
		return nil, refused
	}
	d, diags := ParseShort(payload)
	if diags.HasErrors() {
		diags = append(refuse(codeLinkInvalid, "this link arrived whole, and its scenario has errors",
			"Fix the errors below, or ask for the link again."), diags...)
	}
	return d, diags
}

// refuse is the finding on a link that cannot be used.
func refuse(code, msg, fix string) text.Diagnostics {
	return text.Diagnostics{{Level: string(text.LevelError), Code: code, Message: msg, Fix: fix}}
}

// openLink finds the fragment in s and gives its inflated, checked payload.
func openLink(s string) (payload []byte, refused text.Diagnostics) {
	if len(s) > 4*MaxLink {
		return nil, refuse(codeLinkTooBig, "this link has "+strconv.Itoa(len(s))+" characters; the most is "+
			strconv.Itoa(MaxLink), "Ask for the file or the short link.")
	}
	frag := fragment(s)
	if frag == "" {
		return nil, refuse(codeLinkEmpty, "there is no scenario in this link",
			"Copy the whole link; the part after # holds the scenario.")
	}
	if len(frag) > MaxLink {
		return nil, refuse(codeLinkTooBig, "this link has "+strconv.Itoa(len(frag))+" characters; the most is "+
			strconv.Itoa(MaxLink), "Ask for the file or the short link.")
	}
	cut := func(msg string) ([]byte, text.Diagnostics) {
		return nil, refuse(codeLinkCut, msg, "Paste the rest, or ask for the short link.")
	}
	digits := 0
	for digits < len(frag) && frag[digits] >= '0' && frag[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 6 {
		return nil, refuse(codeLinkInvalid, text.Quote(frag)+" is not a scenario link",
			"Copy a link from Share, or open a file.")
	}
	if v, _ := strconv.Atoi(frag[:digits]); v != linkVersion {
		return nil, refuse(codeLinkTooNew, "this link is of version "+frag[:digits]+"; this release reads version 1",
			"Open it with a newer release, or ask for the file.")
	}
	head, rest, found := strings.Cut(frag[digits:], ".")
	arrived := "this link was cut short: " + text.Plural(len(frag), "character") + " arrived"
	switch {
	case !found && len(head) <= 1:
		return cut(arrived)
	case len(head) != 1 || head < "a" || head > "z":
		return nil, refuse(codeLinkInvalid, text.Quote(frag)+" is not a scenario link",
			"Copy a link from Share, or open a file.")
	case head != "d" && head != "z" && head != "j":
		return nil, refuse(codeLinkTooNew, "this link is packed in a way ("+head+") that this release does not know",
			"Open it with a newer release, or ask for the file.")
	}
	coded, check, found := strings.Cut(rest, ".")
	if i := strings.IndexFunc(check, func(r rune) bool { return r > 'z' || !isAlnum(byte(r)) }); i >= 0 {
		check = check[:i] // a bracket or full stop of the message around the link
	}
	if !found || len(check) < checkLength {
		return cut(arrived + ", and its end is missing")
	}
	check = check[:checkLength] // and words after it
	damaged := func() ([]byte, text.Diagnostics) {
		return nil, refuse(codeLinkCheck, "this link was changed on its way: its checksum does not match",
			"Copy it again, or ask for the file.")
	}
	packed, err := base64.RawURLEncoding.DecodeString(toURLAlphabet.Replace(coded))
	if err != nil {
		return damaged()
	}
	payload = packed
	if dict := map[string][]byte{"d": dictionary1, "z": nil}; head != "j" {
		inflate := flate.NewReaderDict(bytes.NewReader(packed), dict[head])
		payload, err = io.ReadAll(io.LimitReader(inflate, int64(LinkLimits.Bytes)+1))
	}
	switch {
	case len(payload) > LinkLimits.Bytes:
		return nil, refuse(codeLinkTooBig, "this link unpacks to more than "+strconv.Itoa(LinkLimits.Bytes)+" bytes",
			"Ask for the file.")
	case err == io.ErrUnexpectedEOF:
		return cut(arrived + ", and some are missing in the middle")
	case err != nil || !sameCheck(check, checkText(payload)):
		return damaged()
	}
	return payload, nil
}

// toURLAlphabet mends what programs do to base64url: other letters, padding.
var toURLAlphabet = strings.NewReplacer("+", "-", "/", "_", "=", "", "%3D", "", "%3d", "", "%2B", "-", "%2F", "_")

// sameCheck compares checksums as people retype them: case does not matter, o is 0, i and l are 1.
func sameCheck(got, want string) bool {
	return strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(got)) == want
}

// markAt finds the '#' before a fragment: the first with a version and a codec behind it, since a
// message may hold others ("see #5"); else the first; -1 = none.
func markAt(s string) int {
	for i := range len(s) {
		if s[i] != '#' {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j > i+1 && j+1 < len(s) && s[j] >= 'a' && s[j] <= 'z' && s[j+1] == '.' {
			return i
		}
	}
	return strings.IndexByte(s, '#')
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// fragment finds the part of a pasted text that holds the scenario, without its view.
func fragment(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '<' || r == '>' {
			return -1 // line breaks of mail programs, soft hyphens, zero-width marks, brackets around links
		}
		return r
	}, s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "%2523", "#"), "%23", "#")
	switch i := markAt(s); {
	case i >= 0:
		s = s[i+1:]
	case strings.Contains(s, "?s="): // the address that spells the scenario out to the server
		_, s, _ = strings.Cut(s, "?s=")
	case strings.Contains(s, "://"):
		return ""
	}
	// quotes and brackets before a bare fragment
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r > 'z' || !isAlnum(byte(r)) })
	s, _ = SplitView(s)
	s, _, _ = strings.Cut(s, "&")
	return s
}
