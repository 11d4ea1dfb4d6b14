package jsondoc

import "testing"

func TestUnseen(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "plain": "plain", "Größe 第 α": "Größe 第 α", "a\tb\n": "a\tb\n",
		"\u202eabc": "\ufffdabc", "a\u2066b\u2069": "a\ufffdb\ufffd", "\u200b\u200b\u200b": "\ufffd",
		"a\u00adb": "a\ufffdb", "\ufeffa": "\ufffda", "\U000e0041\U000e0042x": "\ufffdx", "a\u2060b": "a\ufffdb",
		"\u3164": "\ufffd", "a\u200db": "a\ufffdb", "a\u200cb": "a\ufffdb", "a\ufe0f": "a\ufffd",
		"\u200d\U0001f469": "\ufffd\U0001f469", "abc\u200f": "abc\ufffd",
		"\u2800\u2800": "\ufffd", "a\u2800b": "a\ufffdb", "\u2800\u200b\u2800": "\ufffd",
		"⠓⠊\u2800⠽⠕⠥": "⠓⠊\u2800⠽⠕⠥", // a space of braille
		// as people write: Persian, Hindi, a family, a heart, a keycap, a skin tone, Hebrew with a mark
		"می\u200cخواهم": "می\u200cخواهم", "क्\u200dष": "क्\u200dष",
		"\U0001f468\u200d\U0001f469\u200d\U0001f467": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
		"❤\ufe0f\u200d\U0001f525":                    "❤\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3": "1\ufe0f\u20e3",
		"\U0001f44d\U0001f3fd": "\U0001f44d\U0001f3fd", "שלום\u200f!": "שלום\u200f!",
		"می\u200c\u200cخ": "می\u200c\ufffdخ",
	} {
		got := Visible(in)
		if got != want {
			t.Errorf("%+q is shown as %+q, want %+q", in, got, want)
		}
		if _, at := Unseen(in); at >= 0 != (got != in) {
			t.Errorf("%+q: found at %d, shown as %+q", in, at, got)
		}
		if Visible(got) != got {
			t.Errorf("%+q is not visible for good", in)
		}
	}
}
