//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"hadarlab/core/allocate"
)

func allocateCommand(c command, std streams, args []string) int {
	f := c.flags()
	id := f.String("policy", "", "`ID` of the program: "+programIDs())
	var set list
	f.Var(&set, "set", "`policy.param=value`, may be repeated: gavel-las.use_weights=false")
	arg, code, ok := c.read(std, f, args, "instance")
	if !ok {
		return code
	}
	p := allocate.FindProgram(*id)
	if p == nil && *id == "" {
		fmt.Fprintf(std.err, "--policy: no program is named (choose one of %s)\n", programIDs())
		return exitUsage
	}
	if p == nil {
		fmt.Fprintf(std.err, "--policy: %q is no linear program of this release (choose one of %s)\n", *id,
			programIDs())
		return exitUsage
	}
	params := map[string]any{}
	for _, s := range set {
		if code := setProgram(std, p, params, s); code != exitOK {
			return code
		}
	}
	data, err := readAll(std, arg)
	if err != nil {
		fmt.Fprintf(std.err, "%s: cannot be read: %v (name a JSON file; - reads standard input)\n", arg, err)
		return exitUsage
	}
	a, diags := allocate.Solve(p, params, data)
	if report(std.err, diags, a == nil) {
		return exitUsage
	}
	if err := json.NewEncoder(std.out).Encode(a); err != nil {
		return c.broken(std, err)
	}
	if a.Gap > allocate.MaxGap {
		fmt.Fprintf(std.err,
			"gap: the solver stopped at a relative gap of %g; the bound says how far the optimum may be (check the range of the numbers)\n", a.Gap)
		return exitFailed
	}
	return exitOK
}

func programIDs() string {
	var ids []string
	for _, p := range allocate.Programs() {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, ", ")
}

// setProgram reads policy.param=value for a linear program, whose parameters are fewer than those of the
// run policy of the same name.
func setProgram(std streams, p *allocate.Program, params map[string]any, s string) int {
	name, value, ok := strings.Cut(s, "=")
	id, param, dotted := strings.Cut(name, ".")
	var names []string
	for i := range p.Params {
		q := &p.Params[i]
		names = append(names, q.Name)
		if q.Name != param || !ok || allocate.FindProgram(id) != p {
			continue
		}
		v, fault := q.ParseValue(value)
		if !fault.Message.IsZero() {
			fmt.Fprintf(std.err, "--set %s: %s (%s)\n", s, fault.Message, strings.TrimSuffix(fault.Fix.String(), "."))
			return exitUsage
		}
		params[param] = v
		return exitOK
	}
	switch {
	case !ok || !dotted:
		fmt.Fprintf(std.err, "--set %s: is not policy.param=value (write for example gavel-las.use_weights=false)\n", s)
	case allocate.FindProgram(id) != p:
		fmt.Fprintf(std.err, "--set %s: %s is not the program to solve (write %s.%s)\n", s, id, p.ID, param)
	case len(names) == 0:
		fmt.Fprintf(std.err, "--set %s: %s has no parameters here (leave --set out)\n", s, p.ID)
	default:
		fmt.Fprintf(std.err, "--set %s: %s has no parameter %s here (it has %s)\n", s, p.ID, param,
			strings.Join(names, ", "))
	}
	return exitUsage
}
