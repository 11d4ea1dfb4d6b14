package text

import "strconv"

// Place is a path that is only written out when something is wrong there.
type Place struct {
	list  string // pointer of a list, or of the object itself when index < 0
	index int
	field string // pointer below it, without the first slash
}

// ObjectAt is the place of the object at a pointer.
func ObjectAt(pointer string) Place { return Place{list: pointer, index: -1} }

// EntryAt is the place of an entry of the list at a pointer.
func EntryAt(list string, index int) Place { return Place{list: list, index: index} }

// String is the RFC 6901 pointer.
func (p Place) String() string {
	s := p.list
	if p.index >= 0 {
		s += "/" + strconv.Itoa(p.index)
	}
	if p.field != "" {
		s += "/" + p.field
	}
	return s
}

// At is the same place with the member field, or with map keys below it.
func (p Place) At(field string, keys ...string) Place {
	p.field = Escape(field)
	for _, key := range keys {
		p.field += "/" + Escape(key)
	}
	return p
}
