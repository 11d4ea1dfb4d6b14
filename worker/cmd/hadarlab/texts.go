//go:build !js

package main

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"hadarlab/core/papers"
)

// textNames lists the texts about schedulers.
func textNames() string {
	var names []string
	for _, t := range papers.All() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// paperOf is the text about a policy, nil = there is none.
func paperOf(policy string) *papers.Text {
	for _, t := range papers.All() {
		if t.Is(policy) {
			return &t
		}
	}
	return nil
}

// textHTML writes a text about a scheduler as a page of the manual. It knows what these texts use of Markdown:
// sections, parts, paragraphs, lists of one depth, tables and formulas. Other blocks are errors. root leads to the lab.
func textHTML(body, root string) (template.HTML, error) {
	var b strings.Builder
	section, part := "", ""
	for block := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		text := strings.Join(strings.Fields(block), " ")
		switch first := lines[0]; {
		case strings.HasPrefix(first, "## ") && len(lines) == 1:
			if section != "" {
				b.WriteString("</section>\n")
			}
			section, part = first[3:], first[3:]
			fmt.Fprintf(&b, "<section id=%q><h2>%s</h2>\n", anchor(section), inline(section))
		case strings.HasPrefix(first, "### ") && len(lines) == 1:
			part = first[4:]
			fmt.Fprintf(&b, "<h3 id=%q>%s</h3>\n", anchor(part), inline(part))
		case strings.HasPrefix(first, "    "):
			b.WriteString("<div class=\"maths\">")
			for _, l := range lines {
				fmt.Fprintf(&b, "<p>%s</p>", inline(strings.TrimSpace(l)))
			}
			b.WriteString("</div>\n")
		case strings.HasPrefix(first, "- "):
			b.WriteString("<ul>")
			for item := range strings.SplitSeq(block[2:], "\n- ") {
				fmt.Fprintf(&b, "<li>%s</li>\n", inline(strings.Join(strings.Fields(item), " ")))
			}
			b.WriteString("</ul>\n")
		case strings.HasPrefix(first, "| "):
			fmt.Fprintf(&b, `<div class="wide" tabindex="0" role="region" aria-label="Table of %s">`+
				`<table class="figures">`, template.HTMLEscapeString(part))
			for i, l := range lines {
				if i != 1 { // the rule below the head
					cells := strings.Split(l, "|")
					row(&b, cells[1:len(cells)-1], i == 0)
				}
			}
			b.WriteString("</tbody></table></div>\n")
		case strings.ContainsAny(first[:1], "#>+ "):
			return "", fmt.Errorf("%q is no block that the manual can print", first)
		default:
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(text))
		}
	}
	b.WriteString("</section>\n")
	return template.HTML(strings.ReplaceAll(b.String(), `href="docs/`, `href="`+root+`docs/`)), nil
}

// row writes a row of a table; its first cell names it.
func row(b *strings.Builder, cells []string, head bool) {
	if head {
		b.WriteString("<thead>")
	}
	b.WriteString("<tr>")
	for i, c := range cells {
		tag, of := "td", ""
		switch {
		case head:
			tag, of = "th", ` scope="col"`
		case i == 0:
			tag, of = "th", ` scope="row"`
		}
		if c = strings.TrimSpace(c); len(c) > 30 { // a sentence, which may be broken
			of += ` class="long"`
		}
		fmt.Fprintf(b, "<%s%s>%s</%s>", tag, of, inline(c), tag)
	}
	b.WriteString("</tr>\n")
	if head {
		b.WriteString("</thead><tbody>\n")
	}
}

// What may stand within a line: code, and outside of it links, weight, and signs that are lowered or raised.
var (
	code    = regexp.MustCompile("`[^`]+`")
	toText  = regexp.MustCompile(`\[([^\]]+)\]\(([a-z-]+)\.md(#[a-z0-9-]+)?\)`)
	toSite  = regexp.MustCompile(`\[([^\]]+)\]\((https://[^)]+)\)`)
	strong  = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	leaning = regexp.MustCompile(`\*([^*]+)\*`)
	lowered = regexp.MustCompile(`_(?:\(([^()]*)\)|([\pL\pN*]+(?:,[\pL\pN]+)*))`)
	raised  = regexp.MustCompile(`\^(?:\(([^()]*)\)|([-−]?[\pL\pN.]+))`)
	unlike  = regexp.MustCompile(`[^\pL\pN]+`)
)

// inline writes a line of a text as HTML.
func inline(s string) string {
	var b strings.Builder
	plain := func(s string) {
		s = template.HTMLEscapeString(s)
		s = lowered.ReplaceAllString(s, "<sub>$1$2</sub>")
		s = raised.ReplaceAllString(s, "<sup>$1$2</sup>")
		s = strong.ReplaceAllString(s, "<b>$1</b>")
		s = leaning.ReplaceAllString(s, "<i>$1</i>")
		s = toText.ReplaceAllString(s, `<a href="docs/papers/$2$3">$1</a>`)
		s = toSite.ReplaceAllString(s, `<a href="$2">$1</a>`)
		b.WriteString(strings.ReplaceAll(s, "    ", `<span class="gap"></span>`))
	}
	from := 0
	for _, at := range code.FindAllStringIndex(s, -1) {
		plain(s[from:at[0]])
		fmt.Fprintf(&b, "<code>%s</code>", template.HTMLEscapeString(s[at[0]+1:at[1]-1]))
		from = at[1]
	}
	plain(s[from:])
	return b.String()
}

// anchor is how links name a section.
func anchor(section string) string {
	return strings.Trim(unlike.ReplaceAllString(strings.ToLower(section), "-"), "-")
}
