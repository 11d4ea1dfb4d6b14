package scenario

import (
	"errors"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/program"
	"hadarlab/core/unit"
)

// SetNumber sets a number of a document by its pointer, as jsondoc.SetNumber does. One of a program is told by its name
// behind the program's pointer, as /scenario/policies/0/params/program/PATIENCE.
func SetNumber(raw []byte, pointer string, value float64) ([]byte, error) {
	if unit.Small { // no program is run there
		return jsondoc.SetNumber(raw, pointer, value)
	}
	lane, param, _ := strings.Cut(strings.TrimPrefix(pointer, "/scenario/policies/"), "/params/")
	param, knob, inside := strings.Cut(param, "/")
	at, err := strconv.Atoi(lane)
	if !inside || err != nil {
		return jsondoc.SetNumber(raw, pointer, value)
	}
	doc, _ := Parse(raw, FileLimits)
	if doc == nil || at < 0 || at >= len(doc.Scenario.Policies) {
		return nil, errNoKnob
	}
	src, _ := doc.Scenario.Policies[at].Params[param].(string)
	turned, ok := program.Turn(src, knob, value)
	if !ok {
		return nil, errNoKnob
	}
	return jsondoc.SetValue(raw, strings.TrimSuffix(pointer, "/"+knob), turned)
}

var errNoKnob = errors.New("scenario: no program has such a number")
