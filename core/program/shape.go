package program

import (
	"strconv"
	"strings"
)

// Shape is a program without what its author could write otherwise and leave it the same: comments, blank lines, spaces
// and what it calls itself go, and names that are called nowhere are numbered in the order of their first use. Equal
// shapes are equal programs; programs of other shapes may still do the same.
func Shape(src string) string {
	var b strings.Builder
	src = nameless(src)
	names := map[string]string{}
	for _, t := range Tokens(src) {
		switch t.Kind {
		case Comment:
		case Plain:
			for rest := t.Text; rest != ""; {
				n := letters(rest, "")
				if n == 0 {
					b.WriteByte(rest[0])
					rest = rest[1:]
					continue
				}
				name, known := names[rest[:n]]
				if !known {
					name = "n" + strconv.Itoa(len(names))
					names[rest[:n]] = name
				}
				b.WriteString(name)
				rest = rest[n:]
			}
		default:
			b.WriteString(t.Text)
		}
	}
	lines := strings.Split(b.String(), "\n")
	kept, steps := lines[:0], []int{0}
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		in := len(line) - len(strings.TrimLeft(line, " \t"))
		for in < steps[len(steps)-1] {
			steps = steps[:len(steps)-1]
		}
		if in > steps[len(steps)-1] {
			steps = append(steps, in)
		}
		kept = append(kept, strings.Repeat("\t", len(steps)-1)+tight(words))
	}
	return strings.Join(kept, "\n")
}

// nameless is a program without the line that names it, if nothing else in it reads that.
func nameless(src string) string {
	if strings.Count(src, "NAME") != 1 {
		return src
	}
	for line := range strings.Lines(src) {
		if _, is := named(line); is {
			return strings.Replace(src, line, "\n", 1)
		}
	}
	return src
}

// tight are words of a line with a space only where two names or numbers would run together.
func tight(words []string) string {
	line := words[0]
	for _, w := range words[1:] {
		if letters(line[len(line)-1:], "") > 0 && letters(w, "") > 0 {
			line += " "
		}
		line += w
	}
	return line
}
