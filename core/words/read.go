package words

import (
	"cmp"
	"slices"
	"strings"
)

// pattern is a sentence that others make, cut at its places.
type pattern struct {
	pieces []string
	places []byte // the digit of the place after each piece but the last
	says   string
}

// mark begins the catalogue's keys of such sentences.
const mark = "~"

// patterns are those of a catalogue, what says most first: where two fit a sentence, the longer one knows more of it.
func patterns(m map[string]string) []pattern {
	var out []pattern
	for key, says := range m {
		if !strings.HasPrefix(key, mark) {
			continue
		}
		p, rest := pattern{says: says}, key[len(mark):]
		for i := 0; i+2 < len(rest); i++ {
			if rest[i] == '{' && rest[i+2] == '}' {
				p.pieces, p.places = append(p.pieces, rest[:i]), append(p.places, rest[i+1])
				rest, i = rest[i+3:], -1
			}
		}
		p.pieces = append(p.pieces, rest)
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pattern) int {
		x, y := strings.Join(a.pieces, "{}"), strings.Join(b.pieces, "{}")
		return cmp.Or(cmp.Compare(len(y), len(x)), cmp.Compare(x, y))
	})
	return out
}

// args cuts a sentence at the pattern's pieces; false when it is another sentence.
func (p *pattern) args(s string) ([]string, bool) {
	s, ok := strings.CutPrefix(s, p.pieces[0])
	if !ok {
		return nil, false
	}
	args := make([]string, 10)
	for i, place := range p.places {
		piece, last := p.pieces[i+1], i+1 == len(p.places)
		at := strings.Index(s, piece)
		if last {
			at = len(s) - len(piece)
		}
		if at < 0 || !strings.HasPrefix(s[at:], piece) {
			return nil, false
		}
		args[place-'0'], s = Read(s[:at]), s[at+len(piece):]
	}
	return args, s == ""
}

// Read is a finished English sentence in the reader's language, as the findings about a document are, which servers and
// the command line make too: the catalogue knows them by pattern, under "~{0} is missing". What it does not know stays as
// it is.
func Read(s string) string {
	c := catalogue.Load()
	if c == nil || s == "" {
		return s
	}
	if t := c.texts[s]; t != "" {
		return t
	}
	for i := range c.patterns {
		if args, ok := c.patterns[i].args(s); ok {
			return fill(c.patterns[i].says, args)
		}
	}
	return s
}
