package ui

import (
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Layers are what lies over the page: the dialogs, nil where one is shut.
type Layers struct {
	Commands     *Commands
	Share        *ShareDialog
	Import       *state.ImportState
	Keys         *KeyList
	Announcement string // what a screen reader is told while a dialog is open
}

func layersOf(s *state.Lab) *Layers {
	l := &Layers{Announcement: s.Announcement}
	if s.View.Commands {
		l.Commands = commandsOf(s)
	}
	if s.Share.Open {
		l.Share = &ShareDialog{s.Share}
	}
	if s.Import != nil && s.Import.Open {
		l.Import = s.Import
	}
	if s.View.Keys {
		l.Keys = &KeyList{s.View.OwnKeys, s.View.LettersOff}
	}
	return l
}

// Render draws what is open.
func (l *Layers) Render() app.UI {
	var open []app.UI
	if l.Commands != nil {
		open = append(open, l.Commands.dialog(l.Announcement))
	}
	if l.Share != nil {
		open = append(open, l.Share.dialog(l.Announcement))
	}
	if l.Import != nil {
		open = append(open, imported(l.Import, l.Announcement))
	}
	if l.Keys != nil {
		open = append(open, l.Keys.dialog(l.Announcement))
	}
	return El("div.layers", open...)
}
