package class

import course "hadarlab/core/class"

// Roll is the list of tags that alone may join, held against who is in the class.
type Roll struct {
	In, Of  int              // tags of the list whose students have joined, and all of them
	Missing []string         // the others
	Others  int              // students without a tag of the list: they came before it
	Again   []course.Student // with whose tag somebody else wanted to join since they came, or came back
}

// Roll compares the list with the students.
func (b *Board) Roll() Roll {
	r := Roll{Of: len(b.Tags)}
	here := map[string]bool{}
	for i := range b.Students {
		s := &b.Students[i]
		if s.Removed {
			continue
		}
		if _, listed := course.FindTag(b.Tags, s.Tag); !listed {
			r.Others++
		}
		here[s.Tag] = true
		if b.logged(s.N) == course.TagAgain {
			r.Again = append(r.Again, *s)
		}
	}
	for _, tag := range b.Tags {
		if here[tag] {
			r.In++
		} else {
			r.Missing = append(r.Missing, tag)
		}
	}
	return r
}

// logged is what the log says last of a student.
func (b *Board) logged(n int) (what string) {
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Student == n && e.Kind == course.Log {
			what = e.Text
		}
	}
	return what
}
