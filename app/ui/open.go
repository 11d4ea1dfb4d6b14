package ui

import (
	"cmp"
	"encoding/json"
	"strings"

	"hadarlab/app/board"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
	"hadarlab/core/class"
)

// openKept goes on with what this tab had, unless ?safe asks for something else. It says whether it does.
func (h *Host) openKept() bool {
	if h.S.Embed || platform.Safe() {
		return false
	}
	var k state.Kept
	if json.Unmarshal([]byte(platform.Kept(keptName)), &k) != nil {
		return false
	}
	h.tab.texts = map[int64]bool{}
	for i := range k.Steps {
		step := &k.Steps[i]
		if text := platform.Kept(textName(step.ID)); text != "" {
			step.Text, h.tab.texts[step.ID] = []byte(text), true
		}
	}
	if h.Do(state.Restore{Kept: k}); !h.S.Resumed {
		h.tab.texts = nil
	}
	return h.S.Resumed
}

// openAddress goes where the browser has come to: to what it remembers, else to what the address says, a link after #
// or a short link in the path.
func (h *Host) openAddress(start bool) {
	path, query, fragment := platform.Address()
	address := path
	if fragment != "" {
		address += "#" + fragment
	}
	if to, arg := room.At(fragment); to != room.Lab && !h.S.Embed {
		var kept string
		switch to {
		case room.Board:
			kept = keyOf(arg)
		case room.Wall:
			kept = keyOf(board.WallCode(arg))
		case room.Teach:
			kept = platform.Stored(board.DraftName)
		default:
			kept = platform.Stored(student.Name(arg))
		}
		h.Do(room.Enter{Room: to, Arg: arg, Kept: kept,
			Drafts: platform.Stored(student.DraftsName), Start: start, Opening: platform.Opening()})
		return
	}
	if h.S.Room >= room.Board {
		h.Do(board.LeaveBoard{})
	}
	var open state.Action
	switch {
	case isEmbed(path):
		h.openEmbed(path, fragment)
		return
	case strings.HasPrefix(path, "/s/"):
		id, view := shortLink(path, fragment)
		open = state.OpenShort{Address: address, ID: id, View: view, Start: start}
	case path == "/o":
		address += query
		open = state.OpenLink{Address: address, Link: strings.TrimPrefix(query, "?s="), Logged: true, Start: start}
	case escapedMark(path):
		address += query
		open = state.OpenLink{Address: address, Link: address, Logged: true, Start: start}
	case fragment != "":
		open = state.OpenLink{Address: address, Link: fragment, Start: start}
	}
	h.Do(state.Moved{Address: address, Opening: platform.Opening(), Open: open})
}

// openEmbed opens what an embed shows. The address that the state remembers is that of the whole lab.
func (h *Host) openEmbed(path, fragment string) {
	switch {
	case strings.HasPrefix(path, "/e/"):
		id, view := shortLink(path, fragment)
		h.Do(state.OpenShort{Address: "/s/" + id, ID: id, View: view, Start: true})
	case fragment != "":
		h.Do(state.OpenLink{Address: "/#" + fragment, Link: fragment, Start: true})
	}
}

// isEmbed tells embeds by their path: /e/{id}, and /e with a link after its #.
func isEmbed(path string) bool { return path == "/e" || strings.HasPrefix(path, "/e/") }

// shortLink is the id and the view of /s/{id}#v={view}, or /e/, also with its # escaped by a mail filter, once or
// twice.
func shortLink(path, fragment string) (id, view string) {
	id, escaped, _ := strings.Cut(strings.Replace(path[len("/s/"):], "%2523", "%23", 1), "%23")
	if escaped != "" {
		fragment = escaped
	}
	return id, strings.TrimPrefix(fragment, "v=")
}

// escapedMark says that a mail filter has escaped the # of a link, once or twice, so that it went to the server.
func escapedMark(path string) bool {
	return strings.HasPrefix(path, "/%23") || strings.HasPrefix(path, "/%2523")
}

// keyOf is the key of a class that this browser keeps: the teacher's, else the assistants'.
func keyOf(code string) string {
	return cmp.Or(platform.Stored(board.KeyName(code, "")), platform.Stored(board.KeyName(code, class.AssistantKey)))
}
