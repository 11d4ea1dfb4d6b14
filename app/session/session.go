// Package session does again what the page has recorded (state.Recording): the last steps of a session in which
// something went wrong become a test. The page itself does not contain it.
package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"hadarlab/app/board"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
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
func Action(r state.RecordedAction) (state.Action, error) {
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
			Edit: &again{Changed: with.Edit}}
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
		a = v.Elem().Interface()
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

// Of is the same: the number is in what it has made.
func (a *again) Of(float64) edit.Edit { return &again{Changed: a.Changed} }

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
		board.AddEntry{}, state.ApplyJSON{}, state.Arrange{}, state.AskFlip{}, board.BoardFile{},
		board.BoardPaste{}, state.Cancel{}, state.Caret{}, state.ChangeOne{}, state.Choose{}, state.ChooseOne{},
		board.ChooseSince{}, state.ChooseVariable{}, state.CloseGallery{}, state.CloseImport{},
		room.CloseNotice{}, state.ClosePeek{}, state.CloseWhy{},
		state.CloseShare{}, room.CloseToast{}, state.CopyLink{},
		state.CurveOf{}, board.DeleteClass{}, state.Disagreement{}, state.Discard{}, board.DropEntry{},
		state.DropOffer{}, state.Early{}, state.DropSnapshot{}, state.EmbedOn{}, room.Enter{}, board.ExportClass{},
		state.FetchTeaching{},
		state.FileProblem{}, state.FilterIdea{}, state.FilterPolicy{}, board.FilterSentences{}, state.FindJob{},
		board.FindRight{}, state.FitSelection{}, state.Fold{}, state.ForceHere{}, board.GivePass{},
		board.HideSentence{}, state.Go{},
		state.GoLive{}, state.GoRound{}, state.GoTime{}, state.Guess{}, student.HandIn{}, state.TurnJobs{},
		state.KeepAgain{}, board.KeepSince{}, state.KeepView{}, board.KeyStays{}, board.LayTogether{},
		state.Layout{}, board.LeaveBoard{}, student.LeaveClass{}, state.LeaveLesson{}, state.Left{},
		state.LessonChange{}, state.LessonCheck{}, state.LessonPick{}, state.LessonStep{}, state.Letters{},
		state.LoadPreset{}, state.MakeShort{}, board.MoveEntry{}, board.NamesOut{}, state.NewScenario{},
		student.NextPhase{}, board.GoTo{},
		state.NoRoom{}, state.OfBar{}, state.ToggleOnlyJob{}, state.OpenCard{}, state.OpenFile{}, state.OpenGallery{},
		state.OpenLink{}, state.OpenPoint{}, board.OpenSheet{}, state.OpenShort{}, state.OpenSnapshot{},
		state.OpenWalked{}, state.TurnPage{}, state.Pan{}, state.Paste{}, state.PasteJobs{}, state.PasteSpeeds{},
		board.PickSubmission{}, state.Pin{}, state.Play{}, state.PlotWidth{}, state.PredictLink{},
		state.Print{}, board.PutUp{}, state.PutBack{},
		state.Redo{}, state.Rekey{}, board.RemoveSince{}, board.RemoveStudent{},
		state.Replicate{}, student.RestartTask{}, state.Restore{}, board.RevealAnswers{}, state.Reworded{},
		state.RunNow{}, state.RunOnServer{}, state.RunVary{}, board.SaveAssignment{}, state.SaveChart{},
		state.SaveChrome{}, student.SaveClassReport{}, state.SaveEnded{}, state.SaveEvents{},
		student.SaveHandIn{}, state.SavePNG{}, state.SaveReport{}, state.SaveResult{}, state.SaveSVG{},
		state.SaveScenario{}, state.SaveSession{}, state.SaveSweep{}, state.SealField{}, state.Search{},
		state.Select{}, state.SelectBar{}, state.SelectWait{}, state.ServerKnown{}, board.SetClass{},
		state.SetNoise{}, board.SetRule{}, board.SetTags{}, board.TypeTags{}, board.LiftTags{},
		board.MakeAssistant{}, board.DropAssistant{},
		state.SetSeeds{}, student.SetSentence{}, board.SetSwitch{}, student.SetTag{},
		student.SetVote{},
		state.SetWindow{}, state.OpenShare{}, state.ShowDeadlines{}, state.ShowJSON{}, state.ShowPlace{},
		board.ShowQuestion{}, state.ShowWhy{}, state.SortBy{}, board.StartAgain{}, board.StartClass{},
		state.StartLesson{}, board.StartOwn{}, state.StartWinnerSearch{}, state.Step{}, state.StopFlip{},
		state.StopTest{},
		state.StopSaving{}, state.StopSweep{}, state.StopWinnerSearch{}, state.ChooseChart{}, state.TakeKeys{},
		state.TakeOffer{}, state.TakeSnapshot{}, state.ToggleCommands{}, state.ToggleEditor{},
		state.ToggleFacts{}, state.ToggleKeys{}, state.ToggleLog{}, state.TogglePredict{},
		state.ToggleSweep{}, state.ToggleTable{}, board.ToggleTries{}, board.ToggleTwin{}, state.TryFound{},
		state.TestProgram{}, state.TypeValues{}, state.TypedJSON{}, state.TypedFormula{},
		state.TypedModel{}, state.TypedCurve{}, state.Uncover{}, state.Undo{}, state.UnfoldLesson{},
		state.UseImport{}, state.Walk{}, state.WalkPoint{}, state.WhyHere{}, state.ExplainLane{},
		board.WallBack{}, board.WallHere{}, board.WriteAssignment{}, board.WriteValue{}, state.ZoomBy{},
		board.DropDraft{}, board.PutDraftBack{}, board.AskStart{}, board.CloseStart{}, board.StartAs{},
		board.StartHours{}, board.ChooseCloses{}, board.SetCloses{}, board.ReleaseFeedback{},
		board.StartLarger{}, board.StopLarger{}, board.VaryLarger{}, board.TypeLarger{},
	} {
		t := reflect.TypeOf(a)
		plain[t.Name()] = t
	}
}
