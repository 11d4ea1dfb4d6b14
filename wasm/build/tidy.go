//go:build !js

package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// flags are attributes that are on when they stand and off when they do not, whatever their value.
var flags = []string{"disabled", "hidden", "open", "checked", "selected", "readonly", "required", "multiple"}

// tidy turns go-app's markup into what the same components make in the browser. go-app writes attributes
// in random order, quotes their values as Go does, writes "true" as no value at all, writes false flags,
// and puts line breaks between elements.
func tidy(markup string) (string, error) {
	markup = strings.ReplaceAll(markup, "\n", "")
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(markup, "<")
		b.WriteString(text)
		if !found {
			return b.String(), nil
		}
		tag, after, err := tidyTag(rest)
		if err != nil {
			return "", err
		}
		b.WriteString(tag)
		markup = after
	}
}

// tidyTag rewrites one tag, given from after its '<', and returns what follows it.
func tidyTag(s string) (tag, rest string, err error) {
	end := strings.IndexAny(s, " />")
	if end < 0 {
		return "", "", errors.New("tidy: a tag has no end")
	}
	if end == 0 { // a closing tag
		end = strings.IndexByte(s, '>')
		if end < 0 {
			return "", "", errors.New("tidy: a tag has no end")
		}
		if s[:end] == "/input" { // go-app closes what has no content
			return "", s[end+1:], nil
		}
		return "<" + s[:end+1], s[end+1:], nil
	}
	name := s[:end]
	s = s[end:]
	var attrs []string
	for {
		s = strings.TrimLeft(s, " ")
		switch {
		case strings.HasPrefix(s, "/>"):
			return "<" + name + join(attrs) + "></" + name + ">", s[2:], nil
		case strings.HasPrefix(s, ">"):
			return "<" + name + join(attrs) + ">", s[1:], nil
		}
		var attr string
		if attr, s, err = tidyAttr(s); err != nil {
			return "", "", err
		}
		if attr != "" {
			attrs = append(attrs, attr)
		}
	}
}

func join(attrs []string) string {
	slices.Sort(attrs)
	if len(attrs) == 0 {
		return ""
	}
	return " " + strings.Join(attrs, " ")
}

// tidyAttr rewrites one attribute; a flag that is off becomes nothing.
func tidyAttr(s string) (attr, rest string, err error) {
	end := strings.IndexAny(s, "= />")
	if end <= 0 {
		return "", "", errors.New("tidy: an attribute has no name")
	}
	name := s[:end]
	if s[end] != '=' {
		if slices.Contains(flags, name) {
			return name, s[end:], nil
		}
		return name + `="true"`, s[end:], nil
	}
	quoted, err := strconv.QuotedPrefix(s[end+1:])
	if err != nil {
		return "", "", errors.New("tidy: the value of " + name + " is not quoted")
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return "", "", err
	}
	rest = s[end+1+len(quoted):]
	if slices.Contains(flags, name) {
		if value == "false" {
			return "", rest, nil
		}
		return name, rest, nil
	}
	// Values from core/chart are escaped already; go-app's are not.
	value = strings.ReplaceAll(strings.ReplaceAll(value, `"`, "&quot;"), "<", "&lt;")
	return name + `="` + value + `"`, rest, nil
}
