package program

import "strings"

// Kind is what a piece of a program's text is, for who draws it.
type Kind string

// The kinds that are told apart; all else is Plain.
const (
	Plain   Kind = ""
	Comment Kind = "comment"
	Text    Kind = "text" // in quotes
	Number  Kind = "number"
	Keyword Kind = "keyword"
	Attr    Kind = "attr" // a name behind a point
	Called  Kind = "called"
)

// Token is a piece of a program's text. All together are the text.
type Token struct {
	Kind Kind
	Text string
}

const keywords = " and break continue def elif else for if in lambda not or pass return while None True False "

// Tokens cuts a program into pieces. It reads any text, also one that is no program.
func Tokens(src string) (list []Token) {
	whole, from := src, 0 // where the last piece begins
	add := func(k Kind, n int) {
		end := len(whole) - len(src) + n
		if last := len(list) - 1; last >= 0 && list[last].Kind == k {
			list[last].Text = whole[from:end]
		} else if n > 0 {
			from = end - n
			list = append(list, Token{k, whole[from:end]})
		}
	}
	for behind := byte(0); src != ""; {
		n, kind := 1, Plain
		switch c := src[0]; {
		case c == '#':
			n, kind = until(src, "\n", 0), Comment
		case strings.HasPrefix(src, `"""`), strings.HasPrefix(src, "'''"):
			n, kind = until(src, src[:3], 3), Text
		case c == '"', c == '\'':
			n, kind = quoted(src), Text
		case c >= '0' && c <= '9':
			n, kind = letters(src, "."), Number
		case letters(src, "") > 0:
			n = letters(src, "")
			switch rest := strings.TrimLeft(src[n:], " "); {
			case strings.Contains(keywords, " "+src[:n]+" "):
				kind = Keyword
			case strings.HasPrefix(rest, "("):
				kind = Called
			case behind == '.':
				kind = Attr
			}
		}
		add(kind, n)
		behind, src = src[n-1], src[n:]
	}
	return list
}

// until is how far a text goes to the end of a mark, which does not begin before from; at a line's end it stops.
func until(src, mark string, from int) int {
	i := strings.Index(src[from:], mark)
	switch {
	case i < 0:
		return len(src)
	case mark == "\n":
		return from + i
	}
	return from + i + len(mark)
}

// quoted is the length of a text in quotes of one line.
func quoted(src string) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n':
			return i
		case src[0]:
			return i + 1
		}
	}
	return len(src)
}

// nameSigns are what names are written in.
const nameSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// letters is how many letters, digits and others a text begins with.
func letters(src, others string) int {
	return len(src) - len(strings.TrimLeft(src, nameSigns+others))
}
