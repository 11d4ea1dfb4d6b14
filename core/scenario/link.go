package scenario

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// A share link is origin/#1z.PAYLOAD.CHECK: envelope version 1, a codec letter (z raw deflate, j
// plain), the payload in base64url without padding, and 5 characters of Crockford's base 32 that
// hold the upper 25 bits of the CRC-32 (IEEE) of the inflated payload. The payload is a short
// document: a scenario in canonical form, with its title, question, origin and requires, without
// kind and version.
const (
	linkVersion = 1
	checkLength = 5

	// MaxLink is the most characters of a link's fragment that DecodeLink reads.
	MaxLink = 24 << 10
)

// EncodeLink gives the fragment of a share link, without '#'. It may be longer than MaxLink: then
// a file or a short id must serve. The bytes of the fragment may differ between releases; what it
// decodes to does not.
func EncodeLink(d *Document, def Defaults) string {
	text := linkPayload(d, def)
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = z.Write(text) // a bytes.Buffer takes everything
	_ = z.Close()
	return "1z." + base64.RawURLEncoding.EncodeToString(b.Bytes()) + "." + checkText(text)
}

func linkPayload(d *Document, def Defaults) []byte {
	w := &writer{canonical: true, def: def}
	w.begin()
	w.requires(d.Requires)
	w.meta(&Meta{Title: d.Meta.Title, Question: d.Meta.Question, DerivedFrom: d.Meta.DerivedFrom})
	w.member("scenario")
	w.scenario(&d.Scenario)
	w.end()
	return w.b
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
func DecodeLink(s string) (*Document, Diagnostics) {
	f := &findings{}
	text, ok := openLink(s, f)
	if !ok {
		return nil, f.found
	}
	d, diags := parse(text, LinkLimits, true)
	for i := range diags {
		diags[i].Line = 0 // nobody sees the payload's text
	}
	if diags.HasErrors() {
		f.aboutText(LevelError, 0, codeLinkInvalid, "this link arrived whole, and its scenario has errors", "Fix the errors below, or ask for the link again.")
	}
	if d != nil {
		d.src = nil
	}
	return d, append(f.found, diags...)
}

// openLink finds the fragment in s and gives its inflated, checked payload.
func openLink(s string, f *findings) (text []byte, ok bool) {
	refuse := func(code, msg, fix string) ([]byte, bool) {
		f.aboutText(LevelError, 0, code, msg, fix)
		return nil, false
	}
	if len(s) > 4*MaxLink {
		return refuse(codeLinkTooBig, "this link has "+strconv.Itoa(len(s))+" characters; the most is "+strconv.Itoa(MaxLink), "Ask for the file or the short link.")
	}
	frag := fragment(s)
	if frag == "" {
		return refuse(codeLinkEmpty, "there is no scenario in this link", "Copy the whole link; the part after # holds the scenario.")
	}
	if len(frag) > MaxLink {
		return refuse(codeLinkTooBig, "this link has "+strconv.Itoa(len(frag))+" characters; the most is "+strconv.Itoa(MaxLink), "Ask for the file or the short link.")
	}
	cut := func(msg string) ([]byte, bool) {
		return refuse(codeLinkCut, msg, "Paste the rest, or ask for the short link.")
	}
	digits := 0
	for digits < len(frag) && frag[digits] >= '0' && frag[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 6 {
		return refuse(codeLinkInvalid, quote(frag)+" is not a scenario link", "Copy a link from Share, or open a file.")
	}
	if v, _ := strconv.Atoi(frag[:digits]); v != linkVersion {
		return refuse(codeLinkTooNew, "this link is of version "+frag[:digits]+"; this release reads version 1", "Open it with a newer release, or ask for the file.")
	}
	head, rest, found := strings.Cut(frag[digits:], ".")
	arrived := "this link was cut short: " + plural(len(frag), "character") + " arrived"
	switch {
	case !found && len(head) <= 1:
		return cut(arrived)
	case len(head) != 1 || head < "a" || head > "z":
		return refuse(codeLinkInvalid, quote(frag)+" is not a scenario link", "Copy a link from Share, or open a file.")
	case head != "z" && head != "j":
		return refuse(codeLinkTooNew, "this link is packed in a way ("+head+") that this release does not know", "Open it with a newer release, or ask for the file.")
	}
	payload, check, found := strings.Cut(rest, ".")
	check = strings.TrimRightFunc(check, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if !found || len(check) < checkLength {
		return cut(arrived + ", and its end is missing")
	}
	damaged := func() ([]byte, bool) {
		return refuse(codeLinkCheck, "this link was changed on its way: its checksum does not match", "Copy it again, or ask for the file.")
	}
	packed, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return damaged()
	}
	text = packed
	if head == "z" {
		text, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(LinkLimits.Bytes)+1))
	}
	switch {
	case len(text) > LinkLimits.Bytes:
		return refuse(codeLinkTooBig, "this link unpacks to more than "+strconv.Itoa(LinkLimits.Bytes)+" bytes", "Ask for the file.")
	case err == io.ErrUnexpectedEOF:
		return cut(arrived + ", and some are missing in the middle")
	case err != nil || !sameCheck(check, checkText(text)):
		return damaged()
	}
	return text, true
}

// sameCheck compares checksums as people retype them: case does not matter, o is 0, i and l are 1.
func sameCheck(got, want string) bool {
	return strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(got)) == want
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
	switch i := strings.IndexByte(s, '#'); {
	case i >= 0:
		s = s[i+1:]
	case strings.Contains(s, "?s="): // the address that spells the scenario out to the server
		_, s, _ = strings.Cut(s, "?s=")
	case strings.Contains(s, "://"):
		return ""
	}
	s, _ = SplitView(s)
	s, _, _ = strings.Cut(s, "&")
	return s
}
