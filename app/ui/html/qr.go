package html

import (
	"strconv"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/chart/draw"

	"rsc.io/qr/coding"
)

// QRCode is a text as a QR code, with the quiet zone of four modules that readers need; "" when it does not fit.
// Cameras want dark on light, so it is so in both themes.
func QRCode(text string) string {
	t := coding.String(text)
	v := coding.Version(coding.MinVersion)
	for t.Bits(v) > v.DataBytes(coding.L)*8 {
		if v++; v > coding.MaxVersion {
			return ""
		}
	}
	plan, err := coding.NewPlan(v, coding.L, 0)
	if err != nil {
		return ""
	}
	code, err := plan.Encode(t)
	if err != nil {
		return ""
	}
	const quiet = 4
	side := strconv.Itoa(code.Size + 2*quiet)
	var b strings.Builder
	b.WriteString(`<svg class="qr" data-test="share-qr" role="img" aria-label="` +
		draw.Escape(words.T("QR code of the link")) + `" width="180" height="180" viewBox="0 0 ` + side + " " + side +
		`" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h` + side + "v" + side +
		`H0z"></path><path fill="#000" d="`)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				b.WriteString("M" + strconv.Itoa(x+quiet) + " " + strconv.Itoa(y+quiet) + "h1v1h-1z")
			}
		}
	}
	b.WriteString(`"></path></svg>`)
	return b.String()
}

// Loopback says whether an address is reached from this computer only, so that a link to it is of use to nobody else.
func Loopback(origin string) bool {
	_, host, _ := strings.Cut(origin, "://")
	host, _, _ = strings.Cut(host, "/")
	if strings.HasPrefix(host, "[::1]") {
		return true
	}
	host, _, _ = strings.Cut(host, ":")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	return strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == ""
}
