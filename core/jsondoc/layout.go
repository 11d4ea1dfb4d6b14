package jsondoc

// lineWidth is the longest object or list that the indented form keeps on one line.
const lineWidth = 118

// Indent lays out compact JSON for people: what fits stays on one line, a list of objects has one
// line an entry.
func Indent(compact []byte) []byte {
	t, _ := Plant(compact, len(compact))
	l := layout{t: t}
	l.value(0, 0, 0)
	return append(l.b, '\n')
}

type layout struct {
	t *Tree
	b []byte
}

// value writes node i at a depth, before characters into its line.
func (l *layout) value(i, depth, before int) {
	n := l.t.nodes[i]
	if l.inline(i, 2*depth+before) {
		l.line(l.t.Raw(i))
		return
	}
	l.b = append(l.b, l.t.Src[n.start])
	for c := i + 1; c < l.t.Next(i); c = l.t.Next(c) {
		if c > i+1 {
			l.b = append(l.b, ',')
		}
		l.newline(depth + 1)
		before := 0
		if n.kind == KindObject {
			before = len(l.t.Raw(c)) + 2
			l.b = append(append(l.b, l.t.Raw(c)...), ": "...)
			c++
		}
		l.value(c, depth+1, before)
	}
	l.newline(depth)
	l.b = append(l.b, l.t.Src[n.end-1])
}

func (l *layout) newline(depth int) {
	l.b = append(l.b, '\n')
	for range depth {
		l.b = append(l.b, ' ', ' ')
	}
}

// inline says whether node i stays on its line, from the column on.
func (l *layout) inline(i, column int) bool {
	n := l.t.nodes[i]
	if n.kind != KindObject && n.kind != KindList {
		return true
	}
	if column+int(n.end-n.start) > lineWidth {
		return false
	}
	for k := i; k < l.t.Next(i); k++ {
		if l.t.Kind(k) == KindList && l.t.Next(k) > k+1 && l.t.Kind(k+1) == KindObject {
			return false
		}
	}
	return true
}

// line writes compact JSON with a space after its commas and colons.
func (l *layout) line(raw []byte) {
	inText := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		l.b = append(l.b, c)
		switch {
		case inText && c == '\\':
			i++
			l.b = append(l.b, raw[i])
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == ':'):
			l.b = append(l.b, ' ')
		}
	}
}
