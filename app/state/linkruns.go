package state

import (
	"encoding/json"
	"slices"
	"strconv"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// getRuns asks the server for the many runs that a link names beside its scenario.
func getRuns(view string, of *scenario.Document) []Effect {
	path := share.ParseView(view).Runs
	if path == "" {
		return nil
	}
	return []Effect{room.Call{Method: "GET", Path: path + "/result", Then: func(status int, body []byte) room.Action {
		return linkedRuns{of, status, body}
	}}}
}

// linkedRuns is what the server has of the runs that a link names, of a scenario that it was opened with.
type linkedRuns struct {
	of     *scenario.Document
	status int
	body   []byte
}

func (a linkedRuns) on(s *Lab) []Effect {
	if s.Doc != a.of {
		return nil // the reader is elsewhere by now
	}
	var r struct {
		Runs    []message.Lane
		Summary *message.Summary
		Vary    []message.Axis
		Points  []message.SweepPoint
	}
	if a.status != 200 || json.Unmarshal(a.body, &r) != nil {
		says := words.T("The server does not have the runs of this link any more. They can be run again below.")
		return s.Tell(says, false)
	}
	titles, letters := run.Titles(s.Doc, s.Boot.WholeTitle)
	if r.Summary != nil && len(r.Summary.Policies) == len(titles) {
		req := &message.SweepRequest{Replicates: r.Summary.Replicates, LengthNoise: r.Summary.LengthNoise}
		s.Replicates.Seeds = strconv.Itoa(req.Replicates)
		s.Replicates.Noise = edit.FormatNumber(100 * req.LengthNoise)
		points := []message.SweepPoint{{Runs: r.Runs, Summary: r.Summary}}
		return haveRun(s, &s.Replicates.Sweep, req, titles, letters, points, room.PartReplicates)
	}
	if len(r.Vary) == 1 && len(r.Points) == len(r.Vary[0].Values) {
		axis, k := &r.Vary[0], s.Varying().Variable(r.Vary[0].Path)
		text := compare.Listed(axis.Values)
		req := &message.SweepRequest{Vary: r.Vary}
		effects := haveRun(s, &s.Vary.Sweep, req, titles, letters, r.Points, room.PartVary)
		s.Vary.Axes = [2]compare.Axis{{Path: axis.Path, Text: text, GivenText: text}}
		s.Vary.Cursor, s.Vary.Variables = max(0, slices.Index(axis.Values, k.Value)), []edit.Variable{k}
		return effects
	}
	return nil
}

// haveRun fills a section with runs of the scenario that stands, which have all been done elsewhere.
func haveRun(s *Lab, w *compare.Sweep, req *message.SweepRequest, titles, letters []string,
	points []message.SweepPoint, shows room.Part) []Effect {
	effects := endSweep(w, true)
	req.Scenario = s.Doc.Marshal(false)
	*w = compare.Begin(s.Seq(), req, s.Doc, titles, letters)
	w.Answered(&message.Message{ID: w.ID, Swept: &message.SweepNews{SweepProgress: w.At, Points: points, Over: true}})
	w.At.Done = w.At.Runs
	return append(effects, Reveal{shows})
}
