package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Decode reads a share link in any form people paste: a whole URL, "#…", the fragment, also
// with its '#' escaped once or twice, broken over lines, or wrapped by a mail filter. Its findings
// are graded: link-empty, link-cut, link-checksum, link-too-new, link-too-big, link-invalid; after
// link-invalid follow the findings of the scenario itself. The document is nil unless the checksum
// held and the payload was an object.
func Decode(s string) (*scenario.Document, jsondoc.Diagnostics) {
	payload, refused := open(s, fragment(s), scenario.LinkLimits.Bytes)
	if refused != nil {
		return nil, refused
	}
	d, diags := scenario.ParseShort(payload)
	if diags.HasErrors() {
		diags = append(refuse(codeInvalid, words.Say("this link arrived whole, and its scenario has errors"),
			words.Say("Fix the errors below, or ask for the link again.")), diags...)
	}
	return d, diags
}

// refuse is the finding on a link that cannot be used.
func refuse(code string, msg, fix words.Text) jsondoc.Diagnostics {
	return jsondoc.Diagnostics{jsondoc.Error("", code, msg, fix)}
}

// open gives the inflated, checked payload of the fragment that was found in s, of so many bytes at most.
func open(s, frag string, most int) (payload []byte, refused jsondoc.Diagnostics) {
	if len(s) > 4*Max {
		return nil, refuse(codeTooBig, words.Say("this link has {0} characters; the most is {1}", len(s), Max),
			words.Say("Ask for the file or the short link."))
	}
	if frag == "" {
		return nil, refuse(codeEmpty, words.Say("there is no scenario in this link"),
			words.Say("Copy the whole link; the part after # holds the scenario."))
	}
	if len(frag) > Max {
		return nil, refuse(codeTooBig, words.Say("this link has {0} characters; the most is {1}", len(frag), Max),
			words.Say("Ask for the file or the short link."))
	}
	cut := func(msg words.Text) ([]byte, jsondoc.Diagnostics) {
		return nil, refuse(codeCut, msg, words.Say("Paste the rest, or ask for the short link."))
	}
	digits := 0
	for digits < len(frag) && frag[digits] >= '0' && frag[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 6 {
		return nil, refuse(codeInvalid, words.Say("{0} is not a scenario link", jsondoc.Quote(frag)),
			words.Say("Copy a link from Share, or open a file."))
	}
	if v, _ := strconv.Atoi(frag[:digits]); v != Version {
		return nil,
			refuse(codeTooNew, words.Say("this link is of version {0}; this release reads version {1}", frag[:digits],
				Version), words.Say("Open it with a newer release, or ask for the file."))
	}
	head, rest, found := strings.Cut(frag[digits:], ".")
	arrived := words.Say("this link was cut short: {0} arrived", jsondoc.Plural(len(frag), "character"))
	switch {
	case !found && len(head) <= 1:
		return cut(arrived)
	case len(head) != 1 || head < "a" || head > "z":
		return nil, refuse(codeInvalid, words.Say("{0} is not a scenario link", jsondoc.Quote(frag)),
			words.Say("Copy a link from Share, or open a file."))
	case head != "d" && head != "z" && head != "j":
		return nil,
			refuse(codeTooNew, words.Say("this link is packed in a way ({0}) that this release does not know", head),
				words.Say("Open it with a newer release, or ask for the file."))
	}
	coded, check, found := strings.Cut(rest, ".")
	if i := strings.IndexFunc(check, func(r rune) bool { return r > 'z' || !isAlnum(byte(r)) }); i >= 0 {
		check = check[:i] // a bracket or full stop of the message around the link
	}
	if !found || len(check) < checkLength {
		return cut(words.Say("{0}, and its end is missing", arrived))
	}
	check = check[:checkLength] // and words after it
	damaged := func() ([]byte, jsondoc.Diagnostics) {
		return nil, refuse(codeCheck, words.Say("this link was changed on its way: its checksum does not match"),
			words.Say("Copy it again, or ask for the file."))
	}
	packed, err := base64.RawURLEncoding.DecodeString(toURLAlphabet.Replace(coded))
	if err != nil {
		return damaged()
	}
	payload = packed
	if dict := map[string][]byte{"d": dictionary1, "z": nil}; head != "j" {
		inflate := flate.NewReaderDict(bytes.NewReader(packed), dict[head])
		payload, err = io.ReadAll(io.LimitReader(inflate, int64(most)+1))
	}
	switch {
	case len(payload) > most:
		return nil, refuse(codeTooBig, words.Say("this link unpacks to more than {0} bytes", most),
			words.Say("Ask for the file."))
	case err == io.ErrUnexpectedEOF:
		return cut(words.Say("{0}, and some are missing in the middle", arrived))
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
