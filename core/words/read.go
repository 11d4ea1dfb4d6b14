package words

import "strings"

// pattern is a sentence that others make, cut at its places.
type pattern struct {
	key    string
	pieces []string
	places []byte // the digit of the place after each piece but the last
}

// mark begins the catalogue's keys of such sentences.
const mark = "~"

func patterns(m map[string]string) []pattern {
	var out []pattern
	for key := range m { // in any order: Read decides between those that fit
		if !strings.HasPrefix(key, mark) {
			continue
		}
		p, rest := pattern{key: key}, key[len(mark):]
		for i := 0; i+2 < len(rest); i++ {
			if rest[i] == '{' && rest[i+2] == '}' {
				p.pieces, p.places = append(p.pieces, rest[:i]), append(p.places, rest[i+1])
				rest, i = rest[i+3:], -1
			}
		}
		p.pieces = append(p.pieces, rest)
		out = append(out, p)
	}
	return out
}

// cut is what stands in a sentence at the pattern's places, by their digits; nil when it is another sentence.
func (p *pattern) cut(s string) []string {
	s, ok := strings.CutPrefix(s, p.pieces[0])
	args := make([]string, 10)
	for i, place := range p.places {
		piece := p.pieces[i+1]
		at := strings.Index(s, piece)
		if i+1 == len(p.places) {
			at = len(s) - len(piece) // the last piece is the sentence's end
		}
		if !ok || at < 0 || s[at:at+len(piece)] != piece {
			return nil
		}
		args[place-'0'], s = s[:at], s[at+len(piece):]
	}
	if !ok || s != "" {
		return nil
	}
	return args
}

// Read is a finished English sentence in the reader's language, as the findings about a document are, which servers and
// the command line make too: the catalogue knows them by pattern, under "~{0} is missing". Of patterns that fit, the
// longest counts, since it knows more of the sentence. What the catalogue does not know stays as it is.
func Read(s string) string {
	c := catalogue.Load()
	if c == nil || s == "" {
		return s
	}
	if t := c.texts[s]; t != "" {
		return t
	}
	return c.read(s)
}

// read is Read by the patterns alone. What stands at their places is read so too: a label of the page, as "free", may
// be the name of a job there. What is in quotes is somebody's own.
func (c *translation) read(s string) string {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' && strings.Count(s, `"`) == 2 {
		return s
	}
	best := ""
	var args []string
	for i := range c.patterns {
		p := &c.patterns[i]
		if len(p.key) < len(best) || len(p.key) == len(best) && p.key > best {
			continue
		}
		if cut := p.cut(s); cut != nil {
			best, args = p.key, cut
		}
	}
	if best == "" {
		return s
	}
	for i := range args {
		args[i] = c.read(args[i])
	}
	return fill(c.texts[best], args)
}
