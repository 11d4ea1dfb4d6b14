package scenario

// Canonical is what m tells people, in the form of RFC 8785; nil when it tells nothing. Members that this version does
// not know are left out.
func (m *Meta) Canonical() []byte {
	w := newWriter(true, nil)
	w.Begin()
	w.texts(m)
	w.End()
	if string(w.Bytes()) == "{}" {
		return nil
	}
	return w.Bytes()
}

// texts writes the members of m that are known.
func (w *writer) texts(m *Meta) {
	w.TextOr("title", m.Title, "")
	w.TextOr("question", m.Question, "")
	w.TextOr("notes", m.Notes, "")
	w.TextOr("derived_from", m.DerivedFrom, "")
	w.TextOr("license", m.License, "")
}
