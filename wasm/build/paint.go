//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui"
	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy/own/replay"
	"hadarlab/scenarios"
)

// paint draws the first preset's result into the hand-written shell, by the same engine and the same components that
// run in the browser, and adds the data from which they start. Equal sources give equal bytes. The load bar measures
// against the program's size, and a program of another size is another version's.
func paint(shell []byte, program int) ([]byte, error) {
	data, err := bootData()
	if err != nil {
		return nil, err
	}
	boot, err := room.ParseBoot(data)
	if err != nil {
		return nil, err
	}
	markup, err := ui.Markup(boot)
	if err != nil {
		return nil, err
	}
	if markup, err = tidy(markup); err != nil {
		return nil, err
	}
	page, err := fill(shell, markup, data)
	if err != nil {
		return nil, err
	}
	early, err := earlyMarkup(boot)
	if err != nil {
		return nil, err
	}
	page = bytes.Replace(page, []byte("</body>"), append([]byte(early), "</body>"...), 1)
	return bytes.Replace(page, []byte("<html "), []byte(`<html data-bytes="`+strconv.Itoa(program)+`" `), 1), nil
}

// fill puts the markup in place of the body's first element, and the data in place of their mark.
func fill(page []byte, markup string, data []byte) ([]byte, error) {
	start := bytes.Index(page, []byte("\n<div>"))
	end := bytes.Index(page, []byte("</div>\n"))
	mark := []byte("<!-- boot -->")
	if start < 0 || end < start || !bytes.Contains(page, mark) {
		return nil, errors.New("the shell lacks its <div> or its boot mark")
	}
	var b bytes.Buffer
	b.Write(page[:start+1])
	b.WriteString(markup)
	b.Write(page[end+len("</div>"):])
	script := append(append([]byte(`<script type="application/json" id="hadarlab-boot">`), data...), "</script>"...)
	return bytes.Replace(b.Bytes(), mark, script, 1), nil
}

// bootData is what the page is born with: the engine's catalogue, the first preset's result, and why, at
// the moment on which the page lands.
func bootData() ([]byte, error) {
	boot := room.Boot{}
	replay.Offer() // the page's engine has it
	if err := json.Unmarshal(lab.Catalogue(), &boot.Catalogue); err != nil {
		return nil, err
	}
	var err error
	if boot.Index, err = scenarios.NewIndex(); err != nil {
		return nil, err
	}
	if err := bake(&boot.Baked, boot.Docs[0]); err != nil {
		return nil, err
	}
	for _, n := range earlyGPUs {
		s, err := state.New(&boot)
		if err != nil {
			return nil, err
		}
		node, typ := edit.FirstGPUs(s.Doc)
		if s.Doc.Scenario.Cluster.Nodes[node].GPUs[typ] == n {
			continue // the result above
		}
		s.Reduce(state.Do{Edit: edit.SetGPUs{Node: node, Type: typ, N: n}})
		early := room.EarlyResult{GPUs: n}
		if err := bake(&early.Baked, s.History.Stands().Kept()); err != nil {
			return nil, err
		}
		boot.Early = append(boot.Early, early)
	}
	return json.Marshal(boot)
}

// earlyGPUs are the values of the first screen's number whose results come with the page, the preset's own among
// them.
var earlyGPUs = [...]int{1, 2, 3, 4, 5, 6}

// earlyMarkup is a template for each of these values, which take the place of the same parts of the page until the
// program is there.
func earlyMarkup(boot *room.Boot) (string, error) {
	out := ""
	for _, n := range earlyGPUs {
		markup, err := ui.EarlyMarkup(boot, n)
		if err != nil {
			return "", err
		}
		if markup, err = tidy(markup); err != nil {
			return "", err
		}
		out += `<template id="early-` + strconv.Itoa(n) + `">` + markup + "</template>\n"
	}
	return out, nil
}

// bake has the engine make a result, and why its lanes decided as they did where the page lands.
func bake(boot *room.Baked, text []byte) error {
	s := lab.NewSession()
	if diags := s.Start(&message.RunRequest{Scenario: text}); diags.HasErrors() {
		return errors.New("the first preset cannot run: " + diags.Errors()[0].Message.String())
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Failure != nil {
				return errors.New("the first preset fails: " + m.Failure.Message)
			}
			if m.Lane != nil {
				boot.Lanes = append(boot.Lanes, room.BakedLane{Lane: *m.Lane, Trace: m.Body})
			}
		}
	}
	return explain(s, boot)
}

func explain(s *lab.Session, boot *room.Baked) error {
	traces := [2]int{0, min(1, s.Lanes()-1)}
	a, b := s.Trace(traces[0]), s.Trace(traces[1])
	d := chart.Compare(a, b, chart.NewLane(a), chart.NewLane(b))
	at := d.Moments[max(d.First, 0)].At
	for lane := range s.Lanes() {
		round := s.Trace(lane).RoundAt(at)
		if round < 0 {
			continue
		}
		ref := message.PolicyRef{ID: boot.Lanes[lane].Lane.Policy, Params: boot.Lanes[lane].Lane.Params}
		e, diags := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
		if e == nil {
			return errors.New("the landing round cannot be explained: " + diags.Errors()[0].Message.String())
		}
		boot.Explanations = append(boot.Explanations, room.BakedExplanation{Lane: lane, Explanation: e})
	}
	return nil
}
