package link

import "hadarlab/core/words"

// Grade says how far a link of so many characters travels, its address included: a stable word for
// programs and a sentence for people. The bounds are ours, from what mail, chat and course systems cut.
func Grade(length int) (grade string, about words.Text) {
	switch {
	case length <= 300:
		return "qr", words.Say("Works anywhere and fits a QR code.")
	case length <= 2000:
		return "anywhere", words.Say("Works anywhere.")
	case length <= 8000:
		return "browsers", words.Say("Works in browsers; some chat and course systems cut it.")
	case length <= 16000:
		return "risky", words.Say("Long: many systems cut it. A short link or the file is safer.")
	}
	return "none", words.Say("Too long for a link. Make a short link or send the file.")
}
