// Package policy is the registry of schedulers, and a small kit for them (kit.go, say.go). A policy is thin glue over
// the packages that compute (primaldual, share, lp, assign, place): it reads the View, states a Plan and records
// reasons. Each stands in the package of its family below this one, and policy/all registers them. The picker, the
// parameter forms, the server, the command line and the conformance suite read the registry, so that adding a policy
// means adding one file.
package policy

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/formula"
	"hadarlab/core/model"
	"hadarlab/core/program"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// Spec describes a policy to everything that offers one: the picker, the forms, the server, the command
// line and the conformance suite read it and know no policy by name.
type Spec struct {
	ID      string // as in documents, links and on the command line
	Alias   string // another accepted id, results never name it
	Title   string
	Summary string // one sentence, plain
	Source  string // paper and section, or "ours"; what is reconstructed or simplified
	Formula string // what decides, in one line; Target are shares of time by job and GPU type
	// raised when a default, a meaning or what it decides changes: documents ask for the one they were made with
	Rev int
	// LastReleases are, from revision 1 on, the last releases that ran the revisions before Rev.
	LastReleases []string
	Cadence      func(model.Public, Values) sim.Cadence
	Params       []Param
	Needs        Needs
	// WholeNodes is the setting under which a job gets nodes as wholes, if there is one.
	WholeNodes Setting
	// Worth says in what the policy's utilities, costs, payoffs and prices are counted; nil = it has none.
	Worth func(Values) Worth
	// Random says whether the policy draws from a random stream under these parameters. Default never.
	Random func(Values) bool
	New    func(model.Public, Values) (sim.Policy, error)
	// Recorded says that it takes decisions which were taken elsewhere: it comes with a file and is not chosen, and
	// what another choice would have led to is not known.
	Recorded bool
}

// Setting is a value of a parameter; the zero value is none.
type Setting struct {
	Param string `json:"param,omitempty"`
	Value string `json:"value,omitempty"`
}

// In says whether the parameters have that value.
func (s Setting) In(v Values) bool { return s.Param != "" && v[s.Param] == s.Value }

// Worth is how a policy with prices counts.
type Worth struct {
	Unit     string // "" = plain numbers
	PerRound bool   // placements are compared by what one round on them is worth, not by the job's whole remaining life
}

// Needs are what a scenario must offer.
type Needs struct {
	Lengths   bool `json:"lengths"`    // job lengths must be known
	SingleGPU bool `json:"single_gpu"` // every job asks for one GPU
	Profiles  bool `json:"profiles"`   // every job's model has a profile
	// What it makes use of where there is some; it serves a scenario without, and then shows little of what it can.
	Elastic bool `json:"elastic"` // jobs with a range of sizes
	Racks   bool `json:"racks"`   // nodes in several racks
}

// Unmet is one need of a policy that a scenario does not meet.
type Unmet struct {
	Code         string
	Message, Fix words.Text
}

// Unmet lists what p lacks for the policy to serve it; an empty list says that it can run. It is asked
// before a run, so that a policy need not handle what it cannot serve.
func (s *Spec) Unmet(p *model.Problem) []Unmet {
	var out []Unmet
	if s.Needs.Lengths && p.Know.HideLengths {
		out = append(out, Unmet{"needs-lengths",
			words.Say("{0} needs to know job lengths, and this scenario hides them.", words.Say(s.Title)),
			words.Say("Choose another policy, or set knowledge.lengths to true or noisy.")})
	}
	if wide := func(j model.Job) bool { return j.Shape.Size > 1 }; s.Needs.SingleGPU &&
		slices.ContainsFunc(p.Jobs, wide) {
		j := &p.Jobs[slices.IndexFunc(p.Jobs, wide)]
		out = append(out, Unmet{"needs-single-gpu",
			words.Say("{0} serves jobs of one GPU only, and {1} asks for {2}.", words.Say(s.Title), j.Name,
				j.Shape.Size), words.Say("Choose another policy, or let every job ask for one GPU.")})
	}
	if plain := func(j model.Job) bool { return j.Profile < 0 }; s.Needs.Profiles &&
		slices.ContainsFunc(p.Jobs, plain) {
		j := &p.Jobs[slices.IndexFunc(p.Jobs, plain)]
		out = append(out, Unmet{"needs-profiles",
			words.Say("{0} needs to know how each model's speed depends on its batch and GPUs, and {1} has no profile.",
				words.Say(s.Title), j.Name),
			words.Say("Choose another policy, or give the model {0} a profile.", j.Model)})
	}
	return out
}

// Kind is the type of a parameter.
type Kind string

const (
	Bool   Kind = "bool"
	Int    Kind = "int"
	Float  Kind = "float"
	Choice Kind = "choice"
	// Formula is one expression over the parameter's Facts, in the language of core/formula.
	Formula Kind = "formula"
	// Program is a text of many lines in the language of core/star; "" = there is none. A line NAME = number in it is a
	// number that can be set like a parameter (core/program).
	Program Kind = "program"
	// Text is a name that comes with a Record, which is a long text of a file; "" = there is none. No form shows them.
	Text   Kind = "text"
	Record Kind = "record"
)

// Param describes one parameter. Default is a bool, float64 or string according to Kind.
type Param struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Kind    Kind     `json:"type"`
	Unit    string   `json:"unit,omitempty"`
	Default any      `json:"default"`
	Min     float64  `json:"min"` // of a number
	Max     float64  `json:"max"`
	Choices []string `json:"choices,omitempty"`
	Facts   []Fact   `json:"facts,omitempty"` // that a formula may use
	Help    string   `json:"help,omitempty"`
	// Check says what is wrong with a program, as a *program.Error.
	Check func(src string) error `json:"-"`
}

// Fact is what a formula may use, by its name; pages offer it, and the manual lists it.
type Fact struct {
	As    string `json:"as"`
	Unit  string `json:"unit,omitempty"`
	Means string `json:"means"`        // in a few words
	Eg    string `json:"eg,omitempty"` // an expression of a program in which it stands
}

// Read reads a formula of the parameter. Its names are positions in Facts.
func (p *Param) Read(src string) (*formula.Formula, error) {
	names := make([]string, len(p.Facts))
	for i := range p.Facts {
		names[i] = p.Facts[i].As
	}
	return formula.Read(src, names)
}

// Values are checked parameter values by name, defaults filled in.
type Values map[string]any

// Parameters of every policy that stand in no list of its own, since they say nothing where no jobs are fused
// (model.Fusion) and no nodes rented (model.Cloud): whether its jobs are fused, and who asks for nodes in its run, in
// place of the scenario's.
var (
	Fusion     = Param{Name: model.FusionName, Title: "Fusion", Kind: Bool, Default: true}
	Autoscaler = Param{Name: model.AutoscalerName, Title: "Autoscaler", Kind: Choice, Choices: model.Autoscalers}
	Unlisted   = []Param{Fusion, Autoscaler}
)

// Bool reads a yes or no; like Float, Int and Choice it panics unless the parameter is registered with that kind.
func (v Values) Bool(name string) bool { return v[name].(bool) }

// Float reads a number.
func (v Values) Float(name string) float64 { return v[name].(float64) }

// Int reads a whole number.
func (v Values) Int(name string) int { return int(v[name].(float64)) }

// Choice reads the position of the chosen word among the parameter's choices.
func (v Values) Choice(p Param) int { return slices.Index(p.Choices, v[p.Name].(string)) }

// hostSplit is a parameter of every policy, of which none knows: with it lanes can differ in how hosts are shared and
// in nothing else.
var hostSplit = Param{Name: model.HostSplit, Title: "CPUs and memory of a node", Kind: Choice,
	Default: "scenario", Choices: []string{"scenario", "proportional", "tuned"},
	Help: "How its jobs share them: as the scenario has it, by their GPUs, or tuned to what they can use."}

// ErrUnknown is returned by Find for an id that is not registered.
var ErrUnknown = errors.New("policy: unknown id")

var registry []*Spec

// Register makes a policy one of those that everything offers: picker, forms, server, command line and conformance
// suite. It is called from init, by the packages of families or by one of another module that a program
// imports. It panics with what is wrong if the spec could not be offered, or its id or alias is taken.
func Register(s *Spec) {
	s.Params = append(slices.Clip(s.Params), hostSplit)
	if err := s.registrable(); err != nil {
		panic("policy: Register: " + err.Error())
	}
	registry = append(registry, s)
	// The order of All is by id, so that it does not depend on the order in which files are compiled.
	for i := len(registry) - 1; i > 0 && registry[i-1].ID > s.ID; i-- {
		registry[i], registry[i-1] = registry[i-1], registry[i]
	}
}

// registrable says what keeps a spec from being registered.
func (s *Spec) registrable() error {
	plain := func(id string) bool {
		return id != "" && len(id) <= 40 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	}
	if !plain(s.ID) || s.Alias != "" && !plain(s.Alias) {
		return errors.New("the id " + strconv.Quote(s.ID) + " or alias " + strconv.Quote(s.Alias) +
			" is not of 1 to 40 small letters, digits and hyphens")
	}
	for _, field := range []struct {
		name    string
		missing bool
	}{{"Title", s.Title == ""}, {"Summary", s.Summary == ""}, {"Source", s.Source == ""},
		{"Rev (1 for a new policy)", s.Rev < 1}, {"Cadence", s.Cadence == nil}, {"New", s.New == nil}} {
		if field.missing {
			return errors.New("policy " + s.ID + " has no " + field.name)
		}
	}
	for _, id := range []string{s.ID, s.Alias} {
		if other, err := Find(id); err == nil && id != "" {
			return errors.New(id + " is taken by " + strconv.Quote(other.Title) + "; choose another id or alias")
		}
	}
	names := map[string]bool{}
	for i := range s.Params {
		p := &s.Params[i]
		if p.Name == "" || p.Title == "" || names[p.Name] {
			return errors.New("parameter " + strconv.Itoa(i+1) + " (" + strconv.Quote(p.Name) + ") of policy " + s.ID +
				" has no name of its own, or no title")
		}
		names[p.Name] = true
		if fault := p.fault(p.Default); !fault.Message.IsZero() {
			return errors.New("the default of parameter " + p.Name + " of policy " + s.ID + ": " +
				fault.Message.String())
		}
	}
	return nil
}

// Fixed is the cadence of a policy whose parameters do not change it.
func Fixed(c sim.Cadence) func(model.Public, Values) sim.Cadence {
	return func(model.Public, Values) sim.Cadence { return c }
}

// All lists the registered policies by id.
func All() []*Spec { return registry }

// Find looks a policy up by id or alias.
func Find(id string) (*Spec, error) {
	for _, s := range registry {
		if s.ID == id || s.Alias != "" && s.Alias == id {
			return s, nil
		}
	}
	return nil, ErrUnknown
}

// ParamError is one fault of a parameter value.
type ParamError struct {
	Name         string
	Message, Fix words.Text
	Line, Col    int // in a program, from 1; 0 = it is no place
}

// Check fills in defaults and reports every value that does not fit. Values of unknown parameters are
// faults too.
func (s *Spec) Check(given map[string]any) (Values, []ParamError) {
	v := Values{}
	var bad []ParamError
	all := slices.Concat(s.Params, Unlisted)
	for i := range all {
		p := &all[i]
		v[p.Name] = p.Default
		g, ok := given[p.Name]
		if !ok {
			continue
		}
		if fault := p.fault(g); !fault.Message.IsZero() {
			bad = append(bad, fault)
			continue
		}
		v[p.Name] = g
	}
	unknown := []string{}
	for name := range given {
		if !slices.ContainsFunc(all, func(p Param) bool { return p.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		bad = append(bad, ParamError{Name: name, Fix: s.without(),
			Message: words.Say("{0} has no parameter {1}.", words.Say(s.Title), name)})
	}
	return v, bad
}

// without is the way out for a parameter that does not exist.
func (s *Spec) without() words.Text {
	if len(s.Params) == 0 {
		return words.Say("Remove it; {0} has no parameters.", words.Say(s.Title))
	}
	var names []string
	for i := range s.Params {
		names = append(names, s.Params[i].Name)
	}
	return words.Say("Remove it; it has {0}.", strings.Join(names, ", "))
}

// fault says what is wrong with a value of the parameter and how to mend it; an empty Message says that
// nothing is.
func (p *Param) fault(g any) ParamError {
	wrong := func(says, fix words.Text) ParamError { return ParamError{Name: p.Name, Message: says, Fix: fix} }
	switch p.Kind {
	case Bool:
		if _, ok := g.(bool); !ok {
			return wrong(words.Say("{0} must be true or false.", p.Name),
				words.Say("Write {0}.", words.Say("{0} or {1}", true, false)))
		}
	case Choice:
		if w, ok := g.(string); !ok || !slices.Contains(p.Choices, w) {
			return wrong(words.Say("{0} is not one of its choices.", p.Name),
				words.Say("Choose one of {0}.", strings.Join(p.Choices, ", ")))
		}
	case Formula:
		src, ok := g.(string)
		if !ok {
			return wrong(words.Say("{0} must be a text.", p.Name), words.Say("The default is {0}.", p.Default))
		}
		if _, err := p.Read(src); err != nil {
			var at *formula.Error
			errors.As(err, &at)
			return wrong(words.Say("{0} cannot be read at character {1}: {2}", p.Name, at.Col, at.Reason),
				words.Say("The default is {0}.", p.Default))
		}
	case Text, Record:
		if _, ok := g.(string); !ok {
			return wrong(words.Say("{0} must be a text.", p.Name), words.Say("Leave it out where there is none."))
		}
	case Program:
		src, ok := g.(string)
		if !ok {
			return wrong(words.Say("{0} must be a text.", p.Name), words.Say("Leave it out where there is none."))
		}
		if err := p.Check(src); err != nil {
			var at *program.Error
			errors.As(err, &at)
			return ParamError{p.Name, words.Say("The program cannot be run: {0}", at.Told()),
				words.Say("Mend it there, or leave it out."), at.Line, at.Col}
		}
	default:
		n, ok := g.(float64)
		if !ok || math.IsNaN(n) || n < p.Min || n > p.Max || p.Kind == Int && n != math.Floor(n) {
			low, high := words.Number(p.Min, -1), words.Number(p.Max, -1)
			msg := words.Say("{0} must be a number from {1} to {2}.", p.Name, low, high)
			if p.Kind == Int {
				msg = words.Say("{0} must be a whole number from {1} to {2}.", p.Name, low, high)
			}
			return wrong(msg, words.Say("The default is {0}.", words.Number(p.Default.(float64), -1)))
		}
	}
	return ParamError{}
}

// ParseValue reads a value of the parameter from text, as the command line gives it.
func (p *Param) ParseValue(text string) (any, ParamError) {
	var v any = text
	switch p.Kind {
	case Bool:
		b, err := strconv.ParseBool(text)
		if err == nil {
			v = b
		}
	case Int, Float:
		f, err := strconv.ParseFloat(text, 64)
		if err == nil {
			v = f
		}
	}
	return v, p.fault(v)
}
