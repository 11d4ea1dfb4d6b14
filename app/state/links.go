package state

import (
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// OpenLink opens a share link, in any form. Logged says that it came in a part of the address that servers
// write down. Start says that the page starts with it: there is nothing to go back to.
type OpenLink struct {
	Address, Link string
	Logged, Start bool
}

func (a OpenLink) on(s *Lab) []Effect {
	doc, diags := link.Decode(a.Link)
	_, view := link.SplitView(a.Link)
	effects := s.opened(Load{Doc: doc, Notes: diags, Origin: a.Address, View: view, Alone: a.Start}, 0,
		words.T("This link"), a.Link)
	if a.Logged {
		effects = append(effects,
			s.Tell(words.T("This link’s content was sent to the server, and may stand in a log before it. That of links with # is not sent."),
				doc != nil && !a.Start)...)
	}
	return effects
}

// OpenShort opens a short link, at a view when it has one.
type OpenShort struct {
	Address, ID, View string
	Start             bool
}

func (a OpenShort) on(s *Lab) []Effect {
	s.coming = comingLink{a.ID, a.Address, a.View, a.Start, s.History.Stands().ID}
	return []Effect{Fetch{ID: a.ID}}
}

// Fetched is the server's answer to OpenShort; Status 0 = it was not reached.
type Fetched struct {
	ID     string
	Status int
	Body   []byte
}

func (a Fetched) on(s *Lab) []Effect {
	asked := s.coming
	if asked.id == "" || asked.id != a.ID {
		return nil // the browser is elsewhere by now
	}
	s.coming = comingLink{}
	if a.Status != 200 {
		title := words.F(
			"The scenario {0} is not on this server. It may have been stored on another one, or the link is incomplete.",
			jsondoc.ClipTo(a.ID, 24))
		if a.Status == 0 {
			title = words.T("The server cannot be reached, so the short link cannot be opened.")
		}
		return s.Notify(room.Notice{Title: title})
	}
	doc, diags := scenario.Parse(a.Body, scenario.FileLimits)
	// the server has nothing to say of it; of what comes with the page, we do
	if doc != nil && doc.Meta.Canonical() == nil {
		if known := s.Boot.Preset(doc.ID(s.Defaults), s.Defaults); known != nil {
			doc.Meta = known.Meta
		}
	}
	return s.opened(Load{Doc: doc, Notes: diags, Origin: asked.address, View: asked.view, Alone: asked.start},
		asked.since, words.T("This scenario"), "")
}

// opened takes up a document from a link, or says in words what is wrong and keeps what stands.
func (s *Lab) opened(load Load, since int64, what, raw string) []Effect {
	if load.Doc == nil {
		s.Notice = &room.Notice{Title: words.F("{0} cannot be opened. The example below is not what was sent.", what),
			Diags: load.Notes, Raw: raw}
		s.Announcement = words.F("{0} cannot be opened.", what)
		if len(load.Notes) > 0 {
			s.Announcement += " " + load.Notes[0].Message.In(words.Now())
		}
		return nil
	}
	load.Sentence, load.Opens, load.Came = words.T("Opened a shared link"), true, true
	if !load.Alone {
		load.Toast = words.T("A shared link was opened.")
	}
	return s.arrive(since, load)
}
