package scenario

// Canonical is what m tells people, in the form of RFC 8785; nil when it tells nothing. Members that this version does
// not know are left out.
func (m *Meta) Canonical() []byte {
	w := &writer{canonical: true}
	w.begin()
	w.texts(m)
	w.end()
	if string(w.b) == "{}" {
		return nil
	}
	return w.b
}

// texts writes the members of m that are known.
func (w *writer) texts(m *Meta) {
	w.textOr("title", m.Title, "")
	w.textOr("question", m.Question, "")
	w.textOr("notes", m.Notes, "")
	w.textOr("derived_from", m.DerivedFrom, "")
	w.textOr("license", m.License, "")
}
