package class

import (
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// ReadTags reads a list of tags, of which only those may join a class, from its lines: without spaces around, and
// without empty lines. Tags that differ in capitals only are alike: phones write the first letter large.
func ReadTags(lines []string) (tags []string, diags jsondoc.Diagnostics) {
	var f findings
	fail := func(line int, code string, says, fix words.Text) {
		f.fail("/tags/"+strconv.Itoa(line), code, says, fix)
	}
	at := map[string]int{}
	for i, line := range lines {
		tag := strings.TrimSpace(line)
		if tag == "" {
			continue
		}
		fold := strings.ToLower(tag)
		switch first, twice := at[fold]; {
		case !SoundTag(tag):
			fail(i, "bad-tag", words.Say("line {0} is no tag: it has {1} bytes, or a character that nobody sees", i+1,
				len(tag)), words.Say("a tag has up to {0} bytes", MaxTag))
		case twice:
			fail(i, "same-tag", words.Say("line {0} has the tag of line {1} again, {2}", i+1, first+1, jsondoc.Quote(tag)),
				words.Say("remove one of them; capitals make no difference"))
		default:
			at[fold] = i
			tags = append(tags, tag)
		}
	}
	if len(tags) > MaxStudents {
		f.fail("/tags", "too-many-tags", words.Say("the list has {0} tags", len(tags)),
			words.Say("a class has up to {0} students", MaxStudents))
	}
	return tags, jsondoc.Diagnostics(f)
}

// SoundTag says whether a text without spaces around can be a tag.
func SoundTag(tag string) bool {
	_, unseen := jsondoc.Unseen(tag)
	return len(tag) <= MaxTag && unseen < 0 &&
		!strings.ContainsFunc(tag, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// FindTag is a tag as a list has it, however somebody typed it.
func FindTag(list []string, typed string) (tag string, ok bool) {
	fold := strings.ToLower(strings.TrimSpace(typed))
	for _, t := range list {
		if strings.ToLower(t) == fold {
			return t, true
		}
	}
	return "", false
}
