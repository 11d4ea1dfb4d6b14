package state

import (
	"encoding/json"
	"slices"

	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

// Share opens the dialog. Nothing is sent anywhere.
type Share struct{}

func (Share) on(s *Lab) []Effect {
	s.Share.Open, s.Share.Copied, s.Share.Problem = true, "", ""
	if s.Share.Doc != s.Doc {
		doc, lineage := s.shared()
		s.Share.Link, s.Share.Lineage = "/#"+link.Encode(doc, s.Defaults), lineage
		s.Share.TooLong = len(s.Share.Link) > len("/#")+link.Max
		s.Share.Short, s.Share.Doc = "", s.Doc
	}
	s.Share.View, s.Share.KeepView = s.View.link(), s.View.Pinned
	return nil
}

// CloseShare closes the dialog.
type CloseShare struct{}

func (CloseShare) on(s *Lab) []Effect { s.Share.Open = false; return nil }

// CopyLink puts a text on the clipboard.
type CopyLink struct{ Text string }

// Recorded is nothing: it may be a link to hand in.
func (CopyLink) Recorded() any { return nil }

func (a CopyLink) on(s *Lab) []Effect { return []Effect{Copy{a.Text}} }

// Copied reports on the clipboard.
type Copied struct {
	Text string
	OK   bool
}

func (a Copied) on(s *Lab) []Effect {
	s.Share.Copied, s.Share.Problem = a.Text, ""
	s.Spoken = words.T("Link copied")
	if !a.OK {
		s.Share.Copied = ""
		s.Share.Problem = words.T("The browser did not allow copying. Select the link and copy it by hand.")
		s.Spoken = s.Share.Problem
	}
	return nil
}

// MakeShort stores the scenario on the server, on the reader's wish only.
type MakeShort struct{}

func (MakeShort) on(s *Lab) []Effect {
	if s.Share.Posting || s.Share.Short != "" {
		return nil
	}
	s.Share.Posting, s.Share.Problem, s.Share.Posted = true, "", s.Doc
	doc, _ := s.shared()
	return []Effect{Post{doc.Marshal(false)}}
}

// Posted is the server's answer to MakeShort; Status 0 = it was not reached.
type Posted struct {
	Status int
	Body   []byte
}

func (a Posted) on(s *Lab) []Effect {
	s.Share.Posting = false
	if s.Share.Posted != s.Doc {
		return nil // the dialog is about another scenario by now
	}
	var ok struct{ ID, Text string }
	if (a.Status == 200 || a.Status == 201) && json.Unmarshal(a.Body, &ok) == nil && ok.ID != "" {
		s.Share.Short = "/s/" + ok.ID
		if ok.Text != "" {
			s.Share.Short += "-" + ok.Text
		}
		s.Spoken = words.T("Short link made")
		return []Effect{room.Focus{Part: room.PartShareShort}}
	}
	s.Share.Problem = room.Refusal(a.Status, a.Body)
	if s.Share.TooLong && room.RefusalText(a.Body) == "" {
		s.Share.Problem = words.T("No server that keeps scenarios was reached. Save the scenario as a file.")
	}
	s.Spoken = s.Share.Problem
	return nil
}

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
	s.coming = comingLink{&a, s.History.Stands().ID}
	return []Effect{Fetch{ID: a.ID}}
}

// comingLink is a short link that is being opened, and the entry of the history at which it was asked for.
type comingLink struct {
	open  *OpenShort // nil = none
	since int64
}

// Fetching says that a short link, or a class, is being opened.
func (s *Lab) Fetching() bool {
	return s.coming.open != nil || s.class.Coming()
}

// Fetched is the server's answer to OpenShort; Status 0 = it was not reached.
type Fetched struct {
	ID     string
	Status int
	Body   []byte
}

func (a Fetched) on(s *Lab) []Effect {
	asked := s.coming.open
	if asked == nil || asked.ID != a.ID {
		return nil // the browser is elsewhere by now
	}
	since := s.coming.since
	s.coming = comingLink{}
	if a.Status != 200 {
		title := words.F(
			"The scenario {0} is not on this server. It may have been stored on another one, or the link is incomplete.",
			text.ClipTo(a.ID, 24))
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
	return s.opened(Load{Doc: doc, Notes: diags, Origin: asked.Address, View: asked.View, Alone: asked.Start},
		since, words.T("This scenario"), "")
}

// opened takes up a document from a link, or says in words what is wrong and keeps what stands.
func (s *Lab) opened(load Load, since int64, what, raw string) []Effect {
	if load.Doc == nil {
		s.Notice = &room.Notice{Title: words.F("{0} cannot be opened. The example below is not what was sent.", what),
			Diags: load.Notes, Raw: raw}
		s.Spoken = words.F("{0} cannot be opened.", what)
		if len(load.Notes) > 0 {
			s.Spoken += " " + load.Notes[0].Message.In(words.Now())
		}
		return nil
	}
	load.Sentence, load.Opens, load.Came = words.T("Opened a shared link"), true, true
	if !load.Alone {
		load.Toast = words.T("A shared link was opened.")
	}
	return s.arrive(since, load)
}

// Sharing is what is shared and kept, and what came by a link.
type Sharing struct {
	*room.Shared
	Share share.State
	// Snapshots are what this browser keeps, latest first, as it was last read.
	Snapshots []share.Snapshot
	// Lineage says what a linked scenario was made from, until it is changed; nil = nothing to say.
	Lineage *share.Lineage
	coming  comingLink
	linked  *share.View        // what a link that was opened points at, nil = nothing; for the result of linkedDoc
	linkDoc *scenario.Document // that the link has
}

// link is the view for a link.
func (v *View) link() string {
	return share.View{Cursor: v.at, Zoom: v.Zoom, Tab: v.Tab, Log: v.LogPrices, Lane: v.WhyLane, Job: v.Job}.Text()
}

// rememberView remembers the view of a link until the link's result is there.
func (s *Sharing) rememberView(view string, of *scenario.Document) {
	if view != "" {
		v := share.ParseView(view)
		s.linked, s.linkDoc = &v, of
	}
}

// takeLinkView shows what a link points at, once its result stands.
func (s *Lab) takeLinkView() {
	l := s.linked
	if s.linked = nil; l == nil || s.linkDoc != s.Result.Doc {
		return
	}
	v := &s.View
	if l.Cursor >= 0 {
		v.Moment, v.Pinned = s.Result.Diff.At(l.Cursor), true
		s.View.rememberTime(s.Result)
	}
	if !l.Zoom.Whole() && l.Zoom.From < s.Result.Axis.To {
		s.View.see(s.Result, l.Zoom.From, l.Zoom.To-l.Zoom.From)
	}
	if l.Tab != "" {
		v.Tab = l.Tab
	}
	v.LogPrices = v.LogPrices || l.Log
	if _, ok := s.Result.Jobs[l.Job]; ok {
		v.Job, v.Peek = l.Job, !v.Sight.Why
	}
	s.View.explain(s.Result, l.Lane)
}

// PredictLink says whether the reader of the dialog's link predicts first.
type PredictLink struct{ On bool }

func (a PredictLink) on(s *Lab) []Effect {
	s.Share.Predict, s.Share.Copied = a.On, ""
	return nil
}

// KeepView says whether the link of the dialog points at what is looked at.
type KeepView struct{ On bool }

func (a KeepView) on(s *Lab) []Effect {
	s.Share.KeepView, s.Share.Copied = a.On, ""
	return nil
}

// The turns of the snapshots. Kept is what the browser has at that moment: other tabs change it too.
type (
	// ListSnapshots shows them.
	ListSnapshots struct{ Kept string }
	// TakeSnapshot keeps the scenario as it stands.
	TakeSnapshot struct{ Kept, At string }
	// OpenSnapshot opens one, by its place in the list.
	OpenSnapshot struct{ At int }
	// DropSnapshot forgets the one of a name, KeepAgain takes that back.
	DropSnapshot struct{ Kept, Name string }
	KeepAgain    struct {
		Kept string
		share.Snapshot
	}
	// NoRoom says that the browser did not take what was to be kept.
	NoRoom struct{}
)

// storeSnapshots keeps the list, and says so.
func (s *Sharing) storeSnapshots(says string) []Effect {
	b, _ := json.Marshal(s.Snapshots) // texts always encode
	return append([]Effect{room.Store{Name: SnapshotsName, Text: string(b)}}, s.Tell(says, false)...)
}

func (a ListSnapshots) on(s *Lab) []Effect { s.Snapshots = share.ParseSnapshots(a.Kept); return nil }

func (a TakeSnapshot) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	text := string(s.Doc.Marshal(false))
	switch {
	case len(text) > share.LargestSnapshot:
		return s.Tell(words.T("This scenario is too large to be kept in the browser. Save it as a file."), false)
	case len(s.Snapshots) >= share.MostSnapshots:
		return s.Tell(
			words.F("The browser keeps {0} snapshots at most. Forget one first, or save the scenario as a file.",
				itoa(share.MostSnapshots)), false)
	}
	name, there := share.FreeName(s.Snapshots, s.Title(), text)
	if there {
		return s.Tell(words.F("This browser keeps it already, as “{0}”.", name), false)
	}
	_, since := s.shared()
	s.Snapshots = append([]share.Snapshot{{Name: name, At: a.At, What: since.Brief(), Text: text}}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", name))
}

func (a OpenSnapshot) on(s *Lab) []Effect {
	if a.At < 0 || a.At >= len(s.Snapshots) {
		return nil
	}
	k := s.Snapshots[a.At]
	said := words.F("Snapshot “{0}” opened.", k.Name)
	return s.open(0, []byte(k.Text), Load{Sentence: words.F("Opened snapshot “{0}”", k.Name), Toast: said, Opens: true},
		words.F("The snapshot “{0}” cannot be read.", k.Name), false)
}

func (a DropSnapshot) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	at := slices.IndexFunc(s.Snapshots, func(k share.Snapshot) bool { return k.Name == a.Name })
	if at < 0 {
		return nil
	}
	gone := s.Snapshots[at]
	s.Snapshots = slices.Delete(s.Snapshots, at, at+1)
	effects := s.storeSnapshots(words.F("Snapshot “{0}” forgotten.", a.Name))
	s.Toast.Forgotten = &gone
	return effects
}

func (a KeepAgain) on(s *Lab) []Effect {
	s.Snapshots = share.ParseSnapshots(a.Kept)
	s.Snapshots = append([]share.Snapshot{a.Snapshot}, s.Snapshots...)
	return s.storeSnapshots(words.F("Kept in this browser as “{0}”.", a.Name))
}

func (NoRoom) on(s *Lab) []Effect {
	return s.Tell(words.T("This browser has no room for it, or keeps nothing. Save the scenario as a file."), false)
}
