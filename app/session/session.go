// Package session does again what the page has recorded (state.Recording): the last steps of a session in which
// something went wrong become a test. The page itself does not contain it.
package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/core/scenario"
)

// ErrRecording is returned for what is no recording of this version.
var ErrRecording = errors.New("session: not a recording of this version")

// Read reads a recording.
func Read(data []byte) (*state.Recording, error) {
	r := &state.Recording{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Kind != state.RecordingKind || r.Version != state.RecordingVersion {
		return nil, ErrRecording
	}
	return r, nil
}

// Action is a recorded action, to be done again.
func Action(r state.Recorded) (state.Action, error) {
	var err error
	read := func(to any) {
		if len(r.With) > 0 {
			err = errors.Join(err, json.Unmarshal(r.With, to))
		}
	}
	var a state.Action
	switch r.Did {
	case "Do", "Try", "Mend":
		var with state.RecordedEdit
		read(&with)
		e := made(with.Edit)
		a = map[string]state.Action{"Do": state.Do{Edit: e}, "Try": state.Try{Edit: e},
			"Mend": state.Mend{Edit: e}}[r.Did]
	case "Typed":
		var with state.RecordedTyped
		read(&with)
		a = state.Typed{Field: with.Field, Name: with.Name, Text: with.Text, Range: with.Range, Empty: with.Empty,
			Edit: func(float64) edit.Edit { return made(with.Edit) }}
	case "Load":
		var with state.RecordedLoad
		read(&with)
		var faulty error
		with.Load.Doc, faulty = document(with.Doc)
		err = errors.Join(err, faulty)
		a = with.Load
	case "Moved":
		var with state.RecordedMoved
		read(&with)
		m := state.Moved{Address: with.Address, Opening: with.Opening}
		if with.Open != nil {
			var inner error
			m.Open, inner = Action(*with.Open)
			err = errors.Join(err, inner)
		}
		a = m
	default:
		t := plain[r.Did]
		if t == nil {
			return nil, fmt.Errorf("session: there is no action %q", r.Did)
		}
		v := reflect.New(t)
		read(v.Interface())
		a = v.Elem().Interface().(state.Action)
	}
	if err != nil {
		return nil, fmt.Errorf("session: %s: %w", r.Did, err)
	}
	return a, nil
}

// made is an edit by what it has made.
func made(c state.Changed) edit.Edit {
	if c.Policy != nil {
		return *c.Policy
	}
	return &again{Changed: c}
}

type again struct {
	state.Changed
	done bool
}

func (a *again) Key() string { return a.Series }

// Change makes the document; asked once more, it tells of all the keystrokes that it goes on with.
func (a *again) Change(d *scenario.Document) string {
	if a.done {
		return a.Whole
	}
	a.done = a.Sentence != ""
	if to, _ := document(a.Document); to != nil {
		*d = *to
	}
	return a.Sentence
}

// document reads a document, nil where there is none.
func document(text []byte) (*scenario.Document, error) {
	if len(text) == 0 {
		return nil, nil
	}
	d, diags := scenario.Parse(text, scenario.FileLimits)
	if d == nil {
		return nil, errors.New("a document cannot be read: " + diags.Errors()[0].Message.String())
	}
	return d, nil
}

// plain are the actions that are nothing but data, by name.
var plain = map[string]reflect.Type{}

func init() {
	for _, a := range []state.Action{
		state.AddEntry{}, state.ApplyJSON{}, state.Arrange{}, state.AskFlip{}, state.BoardFile{},
		state.BoardPaste{}, state.Cancel{}, state.Caret{}, state.ChangeOne{}, state.Choose{}, state.ChooseOne{},
		state.ChooseSince{}, state.ChooseVariable{}, state.CloseGallery{}, state.CloseImport{},
		state.CloseNotice{}, state.ClosePeek{}, state.CloseShare{}, state.CloseToast{}, state.CopyLink{},
		state.CurveOf{}, state.DeleteClass{}, state.Disagreement{}, state.Discard{}, state.DropEntry{},
		state.DropOffer{}, state.DropSnapshot{}, state.EmbedOn{}, state.EnterRoom{}, state.ExportClass{},
		state.FileProblem{}, state.FilterIdea{}, state.FilterPolicy{}, state.FilterSentences{}, state.FindJob{},
		state.FindRight{}, state.FitSelection{}, state.Fold{}, state.ForceHere{}, state.GivePass{}, state.Go{},
		state.GoLive{}, state.GoRound{}, state.GoTime{}, state.Guess{}, state.HandIn{}, state.JobPage{},
		state.KeepAgain{}, state.KeepSince{}, state.KeepView{}, state.KeyStays{}, state.LayTogether{},
		state.Layout{}, state.LeaveBoard{}, state.LeaveClass{}, state.LeaveLesson{}, state.Left{},
		state.LessonChange{}, state.LessonCheck{}, state.LessonPick{}, state.LessonStep{}, state.Letters{},
		state.LoadPreset{}, state.MakeShort{}, state.MoveEntry{}, state.NamesOut{}, state.NextPhase{},
		state.NoRoom{}, state.OfBar{}, state.OnlyJob{}, state.OpenCard{}, state.OpenFile{}, state.OpenGallery{},
		state.OpenLink{}, state.OpenPoint{}, state.OpenSheet{}, state.OpenShort{}, state.OpenSnapshot{},
		state.OpenWalked{}, state.Page{}, state.Pan{}, state.Paste{}, state.PasteJobs{}, state.PasteSpeeds{},
		state.PickSubmission{}, state.Pin{}, state.Play{}, state.PlotWidth{}, state.PredictLink{},
		state.Print{}, state.PutBack{}, state.Redo{}, state.Rekey{}, state.RemoveSince{}, state.RemoveStudent{},
		state.Replicate{}, state.RestartTask{}, state.Restore{}, state.RevealAnswers{}, state.Reworded{},
		state.RunNow{}, state.RunOnServer{}, state.RunVary{}, state.SaveAssignment{}, state.SaveChart{},
		state.SaveChrome{}, state.SaveClassReport{}, state.SaveEnded{}, state.SaveEvents{}, state.SaveHandIn{},
		state.SavePNG{}, state.SaveReport{}, state.SaveResult{}, state.SaveSVG{}, state.SaveScenario{},
		state.SaveSession{}, state.SaveSweep{}, state.SealField{}, state.Search{}, state.Select{},
		state.SelectBar{}, state.SelectWait{}, state.ServerKnown{}, state.SetClass{}, state.SetNoise{},
		state.SetSeeds{}, state.SetSentence{}, state.SetSwitch{}, state.SetVote{}, state.SetWindow{},
		state.Share{}, state.ShowDeadlines{}, state.ShowJSON{}, state.ShowPlace{}, state.ShowQuestion{},
		state.ShowWhy{}, state.SortBy{}, state.StartAgain{}, state.StartClass{}, state.StartLesson{},
		state.StartOwn{}, state.StartWinnerSearch{}, state.Step{}, state.StopFlip{}, state.StopSaving{},
		state.StopSweep{}, state.StopWinnerSearch{}, state.Tab{}, state.TakeKeys{}, state.TakeOffer{},
		state.TakeSnapshot{}, state.ToggleCommands{}, state.ToggleEditor{}, state.ToggleFacts{},
		state.ToggleKeys{}, state.ToggleLarge{}, state.ToggleLog{}, state.TogglePredict{}, state.ToggleSweep{},
		state.ToggleTable{}, state.ToggleTries{}, state.ToggleTwin{}, state.TryFound{}, state.TypeValues{},
		state.TypedJSON{}, state.TypedModel{}, state.Uncover{}, state.Undo{}, state.UseImport{}, state.Walk{},
		state.WalkPoint{}, state.WhyHere{}, state.WhyLane{}, state.WriteAssignment{}, state.WriteValue{},
		state.Zoom{},
	} {
		t := reflect.TypeOf(a)
		plain[t.Name()] = t
	}
}
