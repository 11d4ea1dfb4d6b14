package state

import (
	"encoding/json"

	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/link"
)

// OpenShare opens the dialog. Nothing is sent anywhere.
type OpenShare struct{}

func (OpenShare) on(s *Lab) []Effect {
	s.Share.Open, s.Share.Copied, s.Share.Problem = true, "", ""
	if s.Share.Stays = s.Doc.Recorded(); s.Share.Stays {
		return nil
	}
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
	s.Announcement = words.T("Link copied")
	if !a.OK {
		s.Share.Copied = ""
		s.Share.Problem = words.T("The browser did not allow copying. Select the link and copy it by hand.")
		s.Announcement = s.Share.Problem
	}
	return nil
}

// MakeShort stores the scenario on the server, on the reader's wish only.
type MakeShort struct{}

func (MakeShort) on(s *Lab) []Effect {
	if s.Share.Posting || s.Share.Short != "" || s.Doc.Recorded() {
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
		s.Announcement = words.T("Short link made")
		return []Effect{room.Focus{Part: room.PartShareShort}}
	}
	s.Share.Problem = room.Refusal(a.Status, a.Body)
	if s.Share.TooLong && room.RefusalText(a.Body) == "" {
		s.Share.Problem = words.T("No server that keeps scenarios was reached. Save the scenario as a file.")
	}
	s.Announcement = s.Share.Problem
	return nil
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
