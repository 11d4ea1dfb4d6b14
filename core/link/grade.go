package link

import "hadarlab/core/words"

// Grade says how far a link of so many characters travels, its address included: a stable word for
// programs and a sentence for people. The bounds are ours, from what mail, chat and course systems cut.
func Grade(length int) (grade, about string) {
	switch {
	case length <= 300:
		return "qr", words.T("Works anywhere and fits a QR code.")
	case length <= 2000:
		return "anywhere", words.T("Works anywhere.")
	case length <= 8000:
		return "browsers", words.T("Works in browsers; some chat and course systems cut it.")
	case length <= 16000:
		return "risky", words.T("Long: many systems cut it. A short link or the file is safer.")
	}
	return "none", words.T("Too long for a link. Make a short link or send the file.")
}
