package class

import (
	"context"

	"hadarlab/core/class"
)

// Staff is who leads classes: teachers, and their assistants, who have a key with fewer rights.
type Staff struct{ Classes *Service }

// errAssists refuses an assistant what is the teacher's alone.
var errAssists = refuse(Foreign, "assistant", "only the teacher can do this; assistants read the board, export, and put "+
	"something on the wall")

// Find gives the class to who has its key, or that of its assistants.
func (f Staff) Find(ctx context.Context, typed string, who Asker) (Row, error) {
	r, err := f.Classes.find(ctx, typed)
	if err == nil && assists(r, who) {
		return r, nil
	}
	return f.Classes.Teacher(ctx, typed, who)
}

// May refuses assistants all settings but what stands on the wall.
func (f Staff) May(r Row, who Asker, to class.Settings) error {
	if assists(r, who) && !to.Assists() {
		return errAssists
	}
	return nil
}

// NewKey gives a class's assistants a key; the one that they had opens nothing any more.
func (f Staff) NewKey(ctx context.Context, r Row) (class.Created, error) {
	c := class.Created{Code: r.Code, Key: class.AssistantKey + secret()}
	err := f.Classes.Table.SetAssistant(ctx, r.Code, digest(c.Key))
	f.Classes.changed(r.Code)
	return c, err
}

// DropKey takes the assistants' key from a class: it opens nothing any more.
func (f Staff) DropKey(ctx context.Context, r Row) error {
	err := f.Classes.Table.SetAssistant(ctx, r.Code, "")
	f.Classes.changed(r.Code)
	return err
}

// assists says whether who asks has the key of the class's assistants.
func assists(r Row, who Asker) bool {
	return r.Assistant != "" && who.Token != "" && same(r.Assistant, digest(who.Token))
}
