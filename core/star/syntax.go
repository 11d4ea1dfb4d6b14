package star

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// syntaxError is what the parser found first: in our words where a block is meant, which its author sees as spaces and
// the parser as tokens; else in its English.
func syntaxError(src string, err error) error {
	var s syntax.Error
	if !errors.As(err, &s) {
		return &Error{Reason: words.Own(err.Error())}
	}
	line, got := int(s.Pos.Line), strings.HasPrefix
	switch end := got(s.Msg, "got end of file, "); {
	case got(s.Msg, "unindent "):
		return atStart(src, line, tabs(src, words.Say("{0} {1}",
			words.Say("This line is indented less than the block before it, and like no block around that."),
			words.Say("The lines of a block begin at one place: indent this line so, or those before it."))))
	case got(s.Msg, "got indent, "):
		return atStart(src, line, tabs(src, words.Say("{0} {1}",
			words.Say("This line is indented further than its block, and only a colon (:) before it opens another."),
			words.Say("Indent it like the lines of its block."))))
	case strings.HasSuffix(s.Msg, ", want indent"), end && strings.HasSuffix(strings.TrimSpace(src), ":"):
		says := words.Say("{0} {1}",
			words.Say("What belongs to a line that ends with a colon (:) is indented further than it."),
			words.Say("Here is no such line; pass is one that does nothing."))
		if end {
			return atEnd(src, line, says)
		}
		return atStart(src, line, tabs(src, says))
	case s.Msg == "got newline, want ':'": // the parser stands behind the line's end
		return atEnd(src, line-1, words.Say("{0} {1}", words.Say("A colon (:) is missing."),
			words.Say("After def, if, elif, else, for, while and lambda one stands before what belongs to them.")))
	}
	token, _, _ := strings.Cut(strings.TrimPrefix(s.Msg, "got "), ", want ")
	token = strings.TrimSuffix(token, " after expression")
	fault := &Error{Line: line, Col: int(s.Pos.Col), Reason: words.Say("This is no Starlark: {0}.", s.Msg)}
	if got(s.Msg, "got ") { // the parser stands behind what it got
		fault.Col -= width(lines(src)[line-1], fault.Col-1, token)
	}
	switch without := words.Say("Programs are written in a part of Python without {0}.", strings.Trim(token, "'")); {
	case token == "import", token == "from":
		fault.Reason = words.Say("{0} {1}", without, words.Say("The module math is there as it is, and no other."))
	case token == "is":
		fault.Reason = words.Say("{0} {1}", without, words.Say("Write == or != in its place."))
	case token == "'**'":
		fault.Reason = words.Say("{0} {1}", without, words.Say("Write math.pow(x, y) in its place."))
	case strings.Contains(" as class del except finally raise try with yield ", " "+token+" "):
		fault.Reason = without
	case token == "global", token == "nonlocal":
		fault.Reason = words.Say("{0} {1}", without,
			words.Say("A function changes nothing that stands outside of it; it returns what is to be kept."))
	case token == "string literal" && strings.HasSuffix(string([]rune(lines(src)[line-1])[:fault.Col-1]), "f"):
		fault.Reason = words.Say("Programs are written in a part of Python without {0}.", `f"…"`)
		fault.Reason = words.Say("{0} {1}", fault.Reason, words.Say("Write {0} in its place.", `"… %s" % x`))
	case strings.HasSuffix(s.Msg, ", want newline"):
		fault.Reason = words.Say("{0} {1}", words.Say("The line should have ended before this."),
			words.Say("Is a word in it misspelt, or does an operator lack?"))
	}
	return fault
}

// width is how many characters a token of a kind has that ends behind so many of a line.
func width(line string, end int, token string) int {
	text := string([]rune(line)[:min(end, utf8.RuneCountInString(line))])
	sign := strings.Trim(token, "'")
	switch {
	case token == "identifier", token == "int literal", token == "float literal":
		rest := strings.TrimRightFunc(text, func(r rune) bool {
			return r == '_' || r == '.' && token != "identifier" || unicode.IsLetter(r) || unicode.IsDigit(r)
		})
		return utf8.RuneCountInString(text[len(rest):])
	case token == "string literal" && text != "":
		last := len(text) - 1
		return utf8.RuneCountInString(text[max(0, strings.LastIndexByte(text[:last], text[last])):])
	case strings.HasSuffix(text, sign):
		return len(sign)
	}
	return 0
}

// resolveError is what the resolver of names found first, in its English.
func resolveError(err error) error {
	var list resolve.ErrorList
	if errors.As(err, &list) {
		return &Error{Line: int(list[0].Pos.Line), Col: int(list[0].Pos.Col), Reason: words.Say(
			"This name or statement does not fit: {0}.", list[0].Msg)}
	}
	return &Error{Reason: words.Own(err.Error())}
}

// atStart is a fault of a line at its first sign that is no blank.
func atStart(src string, line int, says words.Text) *Error {
	text := lines(src)[line-1]
	return &Error{Line: line, Col: len(text) - len(strings.TrimLeft(text, " \t")) + 1, Reason: says}
}

// atEnd is a fault behind the last sign of a line, or of the last one before it that has any.
func atEnd(src string, line int, says words.Text) *Error {
	list := lines(src)
	for line = min(line, len(list)); line > 1 && strings.TrimSpace(list[line-1]) == ""; {
		line--
	}
	return &Error{Line: line, Col: utf8.RuneCountInString(strings.TrimRight(list[line-1], " \t")) + 1, Reason: says}
}

// lines are those that the parser counts.
func lines(src string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src), "\n")
}

// tabs adds what a tab counts for, where a program has one.
func tabs(src string, says words.Text) words.Text {
	if !strings.Contains(src, "\t") {
		return says
	}
	return words.Say("{0} A tab counts as blanks up to the next multiple of eight.", says)
}
