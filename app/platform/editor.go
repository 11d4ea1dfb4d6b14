package platform

// PointTo leads to a value in the editor, once it is there: to the field of the form for the value at a pointer, or the
// nearest, or without a pointer to bytes of the text.
func PointTo(path string, from, to int) { js().Call("pointTo", path, from, to) }

// Field is the pointer to the value whose field of the editor had the focus last, empty when the cursor of its text has
// moved since, or none had.
func Field() string { return text(js().Get("field")) }
