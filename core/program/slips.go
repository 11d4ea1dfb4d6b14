package program

import (
	"strings"
	"unicode/utf8"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Slips are members, as job.step_left, that none of the known names is and that are like one of them, each with its
// place, and a key that returns nothing. A text is looked at, not a program: an object is what bears its name and is
// not assigned. So these are to be told, and refuse nothing. known are names as policy.Fact has them.
func Slips(src string, known []string) (list []*Error) {
	members := map[string][]string{} // of an object
	for _, as := range known {
		of, name, _ := strings.Cut(as, ".")
		name, _, _ = strings.Cut(name, "(")
		members[of] = append(members[of], name)
	}
	for of := range members {
		if assigns(src, of) {
			delete(members, of)
		}
	}
	line, col, before := 1, 1, ""
	key, returns := (*Error)(nil), false // where key is defined
	for _, t := range Tokens(src) {
		switch {
		case t == Token{Keyword, "return"}:
			returns = true
		case t == Token{Called, "key"} && col == len("def ")+1 && before == " ":
			key = &Error{line, col, words.Say(
				"key returns nothing, so that no job goes before another. Write return before its number.")}
		}
		if of := owner(before); (t.Kind == Attr || t.Kind == Called) && members[of] != nil {
			if slip := slipOf(of, t.Text, members[of]); !slip.IsZero() {
				list = append(list, &Error{line, col, slip})
			}
		}
		line += strings.Count(t.Text, "\n")
		if i := strings.LastIndexByte(t.Text, '\n'); i >= 0 {
			col = 1 + utf8.RuneCountInString(t.Text[i+1:])
		} else {
			col += utf8.RuneCountInString(t.Text)
		}
		before = t.Text
	}
	if key != nil && !returns {
		list = append(list, key)
	}
	return list
}

// owner is the name that a text ends with before a point; "" where that is a member itself.
func owner(text string) string {
	text, point := strings.CutSuffix(text, ".")
	start := len(strings.TrimRight(text, nameSigns))
	if !point || strings.HasSuffix(text[:start], ".") {
		return ""
	}
	return text[start:]
}

// slipOf says what is wrong with a member.
func slipOf(of, member string, members []string) words.Text {
	for _, m := range members {
		if m == member {
			return words.Text{}
		}
	}
	like := jsondoc.NearestName(member, members)
	if like == "" {
		return words.Text{}
	}
	return words.Say("{0} {1}", words.Say("{0} has no {1}.", of, member), words.Say("Did you mean {0}?", like))
}

// assigns says whether a line gives a name another value.
func assigns(src, name string) bool {
	for line := range strings.Lines(src) {
		rest, is := strings.CutPrefix(strings.TrimLeft(line, " \t"), name)
		rest = strings.TrimLeft(rest, " ")
		if is && strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
			return true
		}
	}
	return false
}
