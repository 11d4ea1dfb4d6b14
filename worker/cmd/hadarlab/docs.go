//go:build !js

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hadarlab/core/claims"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/model"
	"hadarlab/core/papers"
	"hadarlab/core/policy/own/starlark"
	"hadarlab/core/program/templates"
	"hadarlab/core/results"
	"hadarlab/core/scenario"
	"hadarlab/core/star"
	"hadarlab/core/words"
	"hadarlab/examples/exec"
	"hadarlab/scenarios"
	"hadarlab/worker"
)

//go:embed docs.html
var docsTemplate string

//go:embed teach.html
var teachTemplate string

//go:embed claims.html
var claimsTemplate string

// docsCommand writes the manual that both servers publish below /docs. Nothing in it is written by hand
// that the program knows: policies come from the registry, fields from the JSON Schema, requests from
// the OpenAPI document, commands from their own help.
func docsCommand(c command, std streams, args []string) int {
	f := c.flags()
	out := f.String("dir", "build/docs", "`DIR` to write to")
	name := f.String("text", "", "print the `TEXT` about a scheduler instead: "+textNames())
	if _, code, ok := c.read(std, f, args, ""); !ok {
		return code
	}
	if *name != "" {
		for _, t := range papers.All() {
			if t.Name == *name {
				fmt.Fprint(std.out, t.Source())
				return exitOK
			}
		}
		fmt.Fprintf(std.err, "hadarlab docs: there is no text %q, there are %s\n", *name, textNames())
		return exitUsage
	}
	if err := writeDocs(*out); err != nil {
		fmt.Fprintf(std.err, "hadarlab docs: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// schemaFile is the JSON Schema of scenarios as a file, by the name that documents give in $schema.
const schemaFile = "scenario-1.schema.json"

// docsPage is one page of the manual; its data is nil but for the page that shows it.
type docsPage struct {
	Path, Title, Lead string
	Root              string     // leads from the page to the lab, wherever that is
	Pages             []docsPage // the manual, for the navigation
	Engine            string
	Policies          []lab.PolicyInfo
	Objects           []object
	Operations        []operation
	Commands          []commandHelp
	Teach             *teaching
	Handout           *handout
	In                string // the page of the navigation that this one, which is not in it, belongs to
	Networks          *networks
	Embed             bool
	Glossary          []words.Term
	Trained           *trained
	Promises          []promise
	GPUs              []gpuType
	Results           []results.Result
	Papers            []papers.Text
	Claims            *claimsPage
	Ranks             *ranksTable
	Believe           *believePage
	Text              template.HTML
}

// gpuType is a type of the catalogue with how fast it trains.
type gpuType struct {
	model.GPUType
	Factor   float64 // times a V100
	Estimate bool
	How      string
	Guessed  bool // its price
}

func gpuTypes() (list []gpuType) {
	for _, t := range scenario.Catalogue() {
		s, _ := scenario.SpeedOf(t.Name)
		list = append(list, gpuType{t, s.Factor, s.Estimate, s.Source, scenario.PriceGuessed(t.Name)})
	}
	return list
}

func writeDocs(dir string) error {
	budget := budgets{starlark.Setup, starlark.Decision, starlark.Whole, starlark.LargestState}
	t, err := template.New("docs").Funcs(template.FuncMap{"result": result, "value": literal, "words": strings.Join,
		"gap": gap, "mean": meanOf, "style": bandStyle, "rankCell": rankCell, "paper": paperOf, "comma": comma,
		"templates":      func() []templates.Template { return templates.All },
		"outsideExample": func() string { return exec.SRTF },
		"budget":         func() budgets { return budget }}).Parse(docsTemplate + teachTemplate + claimsTemplate +
		believeTemplate)
	if err != nil {
		return err
	}
	objects, err := schemaObjects(scenario.Schema())
	if err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	operations, err := openOperations(worker.OpenAPI())
	if err != nil {
		return fmt.Errorf("the OpenAPI document: %w", err)
	}
	teach, err := newTeaching()
	if err != nil {
		return fmt.Errorf("what teachers read: %w", err)
	}
	tried, err := newTrained()
	if err != nil {
		return err
	}
	board, err := claims.Board()
	if err != nil {
		return err
	}
	believe, err := newBelievePage(board)
	if err != nil {
		return fmt.Errorf("what to believe: %w", err)
	}
	ranks, err := newRanksTable()
	if err != nil {
		return err
	}
	pages := []docsPage{
		{Path: "docs", Title: "Manual", Lead: "What the lab is, how to read it, and its keys.",
			Glossary: words.Glossary[:]},
		{Path: "docs/teach", Title: "In class",
			Lead:  "How to lead a class, and its assignments; the guided lessons; every preset with its goal and the ideas it corrects.",
			Teach: teach},
		{Path: "docs/networks", Title: "Networks and phones",
			Lead:     "What a class asks of the classroom’s network, and what to do where it does not give it.",
			Networks: newNetworks()},
		{Path: "docs/policies", Title: "Policies", Lead: "Every scheduler, where it comes from, and what can be set.",
			Policies: lab.Policies(), Trained: tried, Ranks: ranks},
		{Path: "docs/papers", Title: "Papers",
			Lead:   "What could be read of the papers and public programs of the larger schedulers, what is done here, and where the two differ; with formulas and worked examples.",
			Papers: papers.All()},
		{Path: "docs/claims", Title: "Paper board",
			Lead:   "Is it true? The headline claims that could be read of the papers that the lab’s schedulers come from, tried as closely as they can be here.",
			Claims: newClaimsPage(board)},
		{Path: "docs/believe", Title: "What to believe",
			Lead:    "Why simulators of schedulers disagree, in three examples that open in the lab, and how to read a claim.",
			Believe: believe},
		{Path: "docs/trust", Title: "How far to trust it",
			Lead:    "What is exact, what is close, what only ranks, what is rebuilt and what is missing, with the command that shows it wherever there is one.",
			Results: results.All()},
		{Path: "docs/scenario", Title: "Scenario document", Lead: "Every field with its unit, range and default.",
			Objects: objects, GPUs: gpuTypes()},
		{Path: "docs/embed", Title: "Embed", Lead: "The lab as a view in another page, and how the two talk.",
			Embed: true},
		{Path: "docs/http", Title: "HTTP", Lead: "The interface of the server, natively and at the edge.",
			Operations: operations},
		{Path: "docs/versions", Title: "Versions",
			Lead: "What each format says of its version, what may change in it, and for how long old ones open.", Promises: promises()},
		{Path: "docs/commands", Title: "Command line", Lead: "Every command with its flags and an example.",
			Commands: commandHelps()},
	}
	shown, files := pages, map[string][]byte{}
	for _, h := range teach.Assignments {
		shown = append(shown, docsPage{Path: h.page(), Title: h.Title, In: "docs/teach",
			Lead:    "To teach from, and to print: aims, plan, what to say, a slide, and the answers behind a fold.",
			Handout: h})
		files[h.page()+".svg"] = []byte(h.Slide)
	}
	for _, t := range papers.All() {
		p := docsPage{Path: "docs/papers/" + t.Name, Title: t.Title, Lead: t.Lead, In: "docs/papers"}
		if p.Text, err = textHTML(t.Body, rootOf(p.Path)); err != nil {
			return fmt.Errorf("the text %s: %w", t.Name, err)
		}
		shown = append(shown, p)
	}
	for _, p := range shown {
		p.Pages, p.Engine, p.Root = pages, lab.Engine, rootOf(p.Path)
		var b bytes.Buffer
		if err := t.Execute(&b, &p); err != nil {
			return err
		}
		if err := writeBelow(dir, p.Path+".html", b.Bytes()); err != nil {
			return err
		}
	}
	data, err := claimsFiles(board)
	if err != nil {
		return err
	}
	maps.Copy(files, data)
	if files["docs/train.json"], err = compactTrained(); err != nil {
		return err
	}
	files["docs/"+schemaFile] = scenario.Schema()
	files["api/v1/openapi.json"] = worker.OpenAPI() // the edge's program does not carry it
	for name, b := range files {
		if err := writeBelow(dir, name, b); err != nil {
			return err
		}
	}
	return nil
}

// rootOf leads from a page to the lab.
func rootOf(page string) string { return "./" + strings.Repeat("../", strings.Count(page, "/")) }

// result is a figure of the table of results.
func result(id string) (string, error) {
	f := results.Figure(id)
	if f == "" {
		return "", fmt.Errorf("the table of results has no row %s", id)
	}
	return f, nil
}

// writeBelow writes a file of the manual.
func writeBelow(dir, name string, b []byte) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}

// literal writes a default as it stands in a document.
func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// budgets are what a program may spend.
type budgets struct {
	Setup, Decision, Whole star.Budget
	State                  int64
}

// comma writes a whole number with its thousands apart.
func comma(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// commandHelp is a command with what its --help prints.
type commandHelp struct{ Name, Summary, Help string }

func commandHelps() (list []commandHelp) {
	for _, c := range commands() {
		var b bytes.Buffer
		c.run(c, streams{strings.NewReader(""), &b, &b}, []string{"--help"})
		list = append(list, commandHelp{c.name, c.summary, b.String()})
	}
	return list
}

// teaching is the assignments of classes with what a teacher wants of them, the gallery with links that open each
// preset, and the lessons.
type teaching struct {
	Assignments []*handout
	Cards       []card
	Lessons     []scenarios.Lesson
}

type card struct {
	scenarios.Card
	Title, Question, Notes, Link string
	Lanes                        []string
}

func newTeaching() (*teaching, error) {
	cards, err := scenarios.Gallery()
	if err != nil {
		return nil, err
	}
	t := &teaching{}
	if t.Assignments, err = handouts(); err != nil {
		return nil, err
	}
	for _, c := range cards {
		b, _ := lab.Preset(c.Preset)
		doc, diags := scenario.Parse(b, scenario.FileLimits)
		if diags.HasErrors() {
			return nil, fmt.Errorf("%s: %v", c.Preset, diags)
		}
		k := card{Card: c, Title: doc.Meta.Title, Question: doc.Meta.Question, Notes: doc.Meta.Notes,
			Link: "#" + link.Encode(doc, lab.Defaults())}
		for _, p := range doc.Scenario.Policies {
			k.Lanes = append(k.Lanes, p.ID)
		}
		t.Cards = append(t.Cards, k)
	}
	t.Lessons, err = scenarios.Lessons()
	return t, err
}

// object is a JSON object of the schema, a field one of its members.
type object struct {
	Name, Description string
	Fields            []field
}

type field struct {
	Name, Type, Of, Range, Default, Description string
	Required                                    bool
}

// schemaNode is what the manual reads of a JSON Schema.
type schemaNode struct {
	Ref         string          `json:"$ref"`
	Type        json.RawMessage `json:"type"`
	Const       any             `json:"const"`
	Enum        []any           `json:"enum"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Minimum     *float64        `json:"minimum"`
	Above       *float64        `json:"exclusiveMinimum"`
	Maximum     *float64        `json:"maximum"`
	MaxLength   *int            `json:"maxLength"`
	MaxItems    *int            `json:"maxItems"`
	Required    []string        `json:"required"`
	Properties  json.RawMessage `json:"properties"`
	Items       *schemaNode     `json:"items"`
	Values      json.RawMessage `json:"additionalProperties"`
	Defs        json.RawMessage `json:"$defs"`
}

// schemaObjects lists the objects of a schema in its own order.
func schemaObjects(b []byte) ([]object, error) {
	var root schemaNode
	if err := json.Unmarshal(b, &root); err != nil {
		return nil, err
	}
	out := []object{}
	add := func(name string, n *schemaNode) error {
		if n.Properties == nil {
			return nil
		}
		o := object{Name: name, Description: n.Description}
		err := members(n.Properties, func(key string, raw json.RawMessage) error {
			var m schemaNode
			if err := json.Unmarshal(raw, &m); err != nil {
				return err
			}
			o.Fields = append(o.Fields, m.field(key, n.Required))
			return nil
		})
		out = append(out, o)
		return err
	}
	if err := add("document", &root); err != nil {
		return nil, err
	}
	return out, members(root.Defs, func(key string, raw json.RawMessage) error {
		var n schemaNode
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		return add(key, &n)
	})
}

func (n *schemaNode) field(name string, required []string) field {
	f := field{Name: name, Description: n.Description, Default: string(n.Default),
		Type: strings.ReplaceAll(strings.Trim(string(n.Type), `[]`), `"`, "")}
	switch {
	case n.Ref != "":
		f.Of = strings.TrimPrefix(n.Ref, "#/$defs/")
	case n.Items != nil && n.Items.Ref != "":
		f.Of = strings.TrimPrefix(n.Items.Ref, "#/$defs/")
	case n.Values != nil:
		var v schemaNode
		if json.Unmarshal(n.Values, &v) == nil {
			f.Of = strings.TrimPrefix(v.Ref, "#/$defs/")
		}
	}
	switch {
	case n.Const != nil:
		f.Range = literal(n.Const)
	case n.Enum != nil:
		var words []string
		for _, v := range n.Enum {
			if v != "" { // counts as absent
				words = append(words, literal(v))
			}
		}
		f.Range = strings.Join(words, ", ")
	case n.Minimum != nil && n.Maximum != nil:
		f.Range = fmt.Sprintf("%g to %g", *n.Minimum, *n.Maximum)
	case n.Above != nil && n.Maximum != nil:
		f.Range = fmt.Sprintf("above %g, to %g", *n.Above, *n.Maximum)
	case n.MaxLength != nil:
		f.Range = fmt.Sprintf("at most %d characters", *n.MaxLength)
	case n.MaxItems != nil:
		f.Range = fmt.Sprintf("at most %d", *n.MaxItems)
	}
	for _, r := range required {
		f.Required = f.Required || r == name
	}
	return f
}

// operation is one request that the server answers.
type operation struct {
	Method, Path, Summary, Description string
	Answers                            []answer
}

type answer struct{ Status, Description string }

// openOperations lists the operations of an OpenAPI document in its own order.
func openOperations(b []byte) (list []operation, err error) {
	var doc struct {
		Paths      json.RawMessage `json:"paths"`
		Components struct {
			Responses map[string]struct {
				Description string `json:"description"`
			} `json:"responses"`
		} `json:"components"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	err = members(doc.Paths, func(path string, methods json.RawMessage) error {
		return members(methods, func(method string, raw json.RawMessage) error {
			if method == "parameters" {
				return nil
			}
			var op struct {
				Summary     string          `json:"summary"`
				Description string          `json:"description"`
				Responses   json.RawMessage `json:"responses"`
			}
			if err := json.Unmarshal(raw, &op); err != nil {
				return err
			}
			o := operation{Method: strings.ToUpper(method), Path: path, Summary: op.Summary,
				Description: op.Description}
			err := members(op.Responses, func(status string, raw json.RawMessage) error {
				var r struct {
					Ref         string `json:"$ref"`
					Description string `json:"description"`
				}
				if err := json.Unmarshal(raw, &r); err != nil {
					return err
				}
				if r.Ref != "" {
					r.Description = doc.Components.Responses[strings.TrimPrefix(r.Ref,
						"#/components/responses/")].Description
				}
				o.Answers = append(o.Answers, answer{status, r.Description})
				return nil
			})
			list = append(list, o)
			return err
		})
	})
	return list, err
}

// members calls f for the members of a JSON object in their own order.
func members(raw json.RawMessage, f func(key string, value json.RawMessage) error) error {
	if raw == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil { // {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := f(key.(string), value); err != nil {
			return err
		}
	}
	return nil
}
