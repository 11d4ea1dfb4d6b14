//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"hadarlab/app/room"
	"hadarlab/app/ui"
	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
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
	if err := json.Unmarshal(lab.Catalogue(), &boot.Catalogue); err != nil {
		return nil, err
	}
	s := lab.NewSession()
	if diags := s.Start(&message.RunRequest{Scenario: []byte(boot.Docs[0])}); diags.HasErrors() {
		return nil, errors.New("the first preset cannot run: " + diags.Errors()[0].Message.String())
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Failure != nil {
				return nil, errors.New("the first preset fails: " + m.Failure.Message)
			}
			if m.Lane != nil {
				boot.Lanes = append(boot.Lanes, room.BakedLane{Lane: *m.Lane, Trace: m.Body})
			}
		}
	}
	if err := explain(s, &boot); err != nil {
		return nil, err
	}
	return json.Marshal(boot)
}

func explain(s *lab.Session, boot *room.Boot) error {
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
