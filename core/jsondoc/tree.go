package jsondoc

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the JSON type of a value.
type Kind uint8

const (
	KindNull Kind = iota
	KindFalse
	KindTrue
	KindNumber
	KindText
	KindList
	KindObject
)

// node is one JSON value: where its text lies, and the index just past its subtree. The children of
// an object are name, value, name, value…
type node struct {
	kind             Kind
	start, end, next uint32
}

// Tree is a JSON text as a flat list of nodes in text order, node 0 the whole. It keeps positions
// and no values, so a text of a million jobs costs 16 bytes a value and not a heap of maps.
type Tree struct {
	Src   []byte
	nodes []node
	lines []uint32 // offsets of line ends, filled on first use
}

// Plant builds the tree of a text that is valid JSON (json.Valid is the judge of the grammar, so
// this only has to find the ends). deep is the offset of the first value nested beyond maxDepth, -1
// when there is none; the tree is then unfinished.
func Plant(src []byte, maxDepth int) (t *Tree, deep int) {
	t = &Tree{Src: src}
	var open []int
	for i := 0; i < len(src); {
		start := i
		k := KindNumber
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
			continue
		case '{', '[':
			if len(open) == maxDepth {
				return t, i
			}
			k = KindList
			if c == '{' {
				k = KindObject
			}
			open = append(open, len(t.nodes))
			t.nodes = append(t.nodes, node{kind: k, start: uint32(i)})
			i++
			continue
		case '}', ']':
			n := &t.nodes[open[len(open)-1]]
			open = open[:len(open)-1]
			i++
			n.end, n.next = uint32(i), uint32(len(t.nodes))
			continue
		case '"':
			k = KindText
			for i++; src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i++
		case 't':
			k, i = KindTrue, i+4
		case 'f':
			k, i = KindFalse, i+5
		case 'n':
			k, i = KindNull, i+4
		default:
			for i++; i < len(src) && strings.IndexByte("+-.eE0123456789", src[i]) >= 0; i++ {
			}
		}
		t.nodes = append(t.nodes, node{k, uint32(start), uint32(i), uint32(len(t.nodes) + 1)})
	}
	return t, -1
}

// Kind is the JSON type of the value at node i.
func (t *Tree) Kind(i int) Kind { return t.nodes[i].kind }

// Next is the node after i's subtree: its sibling, if it has one.
func (t *Tree) Next(i int) int { return int(t.nodes[i].next) }

// Raw is the text of node i, as it is written.
func (t *Tree) Raw(i int) []byte { return t.Src[t.nodes[i].start:t.nodes[i].end] }

// Text is the value of a text node. Halves of surrogate pairs and stray bytes become U+FFFD.
func (t *Tree) Text(i int) string { return unquoted(t.Raw(i)) }

// unquoted is a text as it is meant, of how it is written.
func unquoted(raw []byte) string {
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return string(in)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // of the trees' texts always valid
	return s
}

// is compares a text node with s, without allocating in the common case.
func (t *Tree) is(i int, s string) bool {
	raw := t.Raw(i)
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 && string(in) == s {
		return true
	}
	return t.Text(i) == s
}

// number is the value of a number node; ok is false when it is too large for a float64.
func (t *Tree) number(i int) (v float64, ok bool) {
	v, err := strconv.ParseFloat(string(t.Raw(i)), 64)
	return v, err == nil
}

// line is the 1-based line of an offset.
func (t *Tree) line(offset int) int {
	if t.lines == nil {
		t.lines = []uint32{}
		for i, c := range t.Src {
			if c == '\n' {
				t.lines = append(t.lines, uint32(i))
			}
		}
	}
	return 1 + sort.Search(len(t.lines), func(i int) bool { return int(t.lines[i]) >= offset })
}

// find is the offset of the value at an RFC 6901 pointer, or of the nearest value around it.
func (t *Tree) find(pointer string) int {
	at, _ := t.reach(pointer)
	return int(t.nodes[at].start)
}

// reach is the node of the value at a pointer, or of the nearest around it, and the node of what it stands in.
func (t *Tree) reach(pointer string) (at, around int) {
	for rest := pointer; strings.HasPrefix(rest, "/"); {
		step, _, _ := strings.Cut(rest[1:], "/")
		rest = rest[1+len(step):]
		child := t.Child(at, Unescape(step))
		if child < 0 {
			break
		}
		at, around = child, at
	}
	return at, around
}

// Child is the node of a member or list entry, -1 when there is none. Of a repeated member it is
// the last, the one that counts.
func (t *Tree) Child(i int, step string) int {
	found, end := -1, t.Next(i)
	switch t.Kind(i) {
	case KindObject:
		for k := i + 1; k < end; k = t.Next(k + 1) {
			if t.is(k, step) {
				found = k + 1
			}
		}
	case KindList:
		n, err := strconv.Atoi(step)
		if err != nil || n < 0 {
			return -1
		}
		v := i + 1
		for ; v < end && n > 0; n-- {
			v = t.Next(v)
		}
		if v < end {
			found = v
		}
	}
	return found
}

// around is the innermost value, or member name, that holds the byte at an offset.
func (t *Tree) around(offset int) int {
	found := 0
	for i := range t.nodes {
		if n := &t.nodes[i]; int(n.start) <= offset && offset < int(n.end) {
			found = i
		}
	}
	return found
}

// repeated calls f with the value of every member whose name came before in the same object.
func (t *Tree) repeated(f func(name, value int)) {
	var names []int
	for i := range t.nodes {
		if t.Kind(i) != KindObject {
			continue
		}
		names = names[:0]
		for k, end := i+1, t.Next(i); k < end; k = t.Next(k + 1) {
			names = append(names, k)
		}
		if len(names) > 16 {
			t.repeatedIn(names, f)
			continue
		}
		for n, k := range names { // few: no map, no strings
			for _, earlier := range names[:n] {
				if t.sameText(earlier, k) {
					f(k, k+1)
					break
				}
			}
		}
	}
}

func (t *Tree) repeatedIn(names []int, f func(name, value int)) {
	seen := make(map[string]bool, len(names))
	for _, k := range names {
		name := t.Text(k)
		if seen[name] {
			f(k, k+1)
		}
		seen[name] = true
	}
}

func (t *Tree) sameText(a, b int) bool {
	ra, rb := t.Raw(a), t.Raw(b)
	if bytes.IndexByte(ra, '\\') < 0 && bytes.IndexByte(rb, '\\') < 0 {
		return bytes.Equal(ra, rb)
	}
	return t.Text(a) == t.Text(b)
}

// pointer is the RFC 6901 pointer of the value at node i.
func (t *Tree) pointer(i int) string {
	out := ""
	for at, c, entry := 0, 1, 0; at != i && c < t.Next(at); {
		v, step := c, strconv.Itoa(entry)
		if t.Kind(at) == KindObject {
			v, step = c+1, t.Text(c)
		}
		if i < t.Next(v) { // inside: descend
			out += "/" + Escape(step)
			at, c, entry = v, v+1, 0
			continue
		}
		c, entry = t.Next(v), entry+1
	}
	return out
}

// Escape writes one step of an RFC 6901 pointer.
func Escape(step string) string {
	if !strings.ContainsAny(step, "~/") {
		return step
	}
	return strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1")
}

// Unescape reads one step of an RFC 6901 pointer.
func Unescape(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}
