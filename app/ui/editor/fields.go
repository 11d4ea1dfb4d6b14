package editor

import (
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/program"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Fields are what the parts of the page draw fields from.
type Fields struct {
	state.Form
	Result *run.Result // for the colours of its jobs
	Job    string      // that is selected
}

func FieldsOf(s *state.Lab) Fields { return Fields{s.Form(), s.Result, s.View.Job} }

// types are the GPU types of the document's nodes, sorted.
func (h *Fields) types() []string { return edit.Types(h.Doc) }

// button is a labelled button that does an action, which is off where the locks hold if that is an edit.
func (h *Fields) button(spec, label, scope string, a state.Action) app.UI {
	return h.allowed(Button(spec, label, scope, a), a)
}

// tool is the same with a picture.
func (h *Fields) tool(spec, name, label, scope string, a state.Action) app.UI {
	return h.allowed(Tool(spec, name, label, scope, a), a)
}

// allowed is a button of an edit, which is off where an assignment's locks hold: these edits add, move and take away.
func (h *Fields) allowed(button app.UI, a state.Action) app.UI {
	if _, ok := a.(state.Do); ok && h.Locks != nil {
		return Set(button, "disabled", "true", "title", words.T("Locked in this assignment."))
	}
	return button
}

// number is a field for one number of the document.
type number struct {
	state.Typed // what typing in it does
	value       float64
	test        string // hook
	path        string // pointer into the document, for its faults
}

// input is the number's text field.
func (h *Fields) input(n number) app.UI {
	n.Range = h.Bound(n.path, n.Range)
	text := edit.FormatNumber(n.value)
	if n.Empty && n.value == 0 {
		text = ""
	}
	in := Set(El("input.field num|type=text|inputmode=decimal|autocomplete=off"), "data-field", n.Field,
		"data-test", n.test, "aria-label", n.Name, "value", h.FieldText(n.Field, text))
	in = Given(h.faulty(in, n.Field, n.path), "input", func(text string) state.Action {
		n.Text = text
		return n.Typed
	}, n.Field)
	return elm.On(in, "blur", Act(state.Left{Field: n.Field}), n.Field)
}

// faulty is a field for a value of the document, with what is wrong there or with the text in it.
func (h *Fields) faulty(in app.UI, id, path string) app.UI {
	problem := ""
	if d := h.Drafts[id]; d.Shown {
		problem = d.Message
	} else if path != "" {
		problem = h.ProblemAt(path)
	}
	return h.locked(Set(in, "data-path", path, "aria-invalid", Flag(problem != ""), "title", problem), path)
}

// locked is a field that cannot be changed where an assignment locks it, with the reason.
func (h *Fields) locked(in app.UI, path string) app.UI {
	why := h.Lock(path)
	return Set(in, "disabled", Flag(why != ""), "title", why)
}

// stepper is a whole number with buttons for one less and one more.
func (h *Fields) stepper(n number) app.UI {
	n.Range = h.Bound(n.path, n.Range)
	locked := h.Lock(n.path) != ""
	less, more := n.value-1, n.value+1
	return El("span.stepper",
		Set(elm.On(Say("button|type=button", "−"), "click", Act(state.Do{Edit: n.Edit.Of(less)}),
			n.Field+markup.Exact(less)), "aria-label", words.F("One fewer: {0}", n.Name), "data-test", n.test+"-less",
			"disabled", Flag(locked || less < n.Range.Min)),
		h.input(n),
		Set(elm.On(Say("button|type=button", "+"), "click", Act(state.Do{Edit: n.Edit.Of(more)}),
			n.Field+markup.Exact(more)), "aria-label", words.F("One more: {0}", n.Name), "data-test", n.test+"-more",
			"disabled", Flag(locked || more > n.Range.Max)))
}

// gpuRange is how many GPUs of a type a node may have.
var gpuRange = edit.Range{Min: 0, Max: 4096, Whole: true}

// GPUs is the field for a node's GPUs of a type.
func (h *Fields) GPUs(node int, typ string) number {
	n := &h.Doc.Scenario.Cluster.Nodes[node]
	return number{state.Typed{Field: "gpus/" + Itoa(node) + "/" + typ, Range: gpuRange,
		Name: words.F("{0} on {1}", figure.TypeTitle(typ), n.ID),
		Edit: edit.SetGPUs{Node: node, Type: typ}},
		float64(n.GPUs[typ]), "editor-gpus", "/scenario/cluster/nodes/" + Itoa(node) + "/gpus/" + typ}
}

// number is the field of a figure, which an edit sets. Its hook ends in what the document calls it.
func (h *Fields) number(f edit.Figure, hook string, change edit.Numbered) number {
	member := strings.TrimSuffix(f.Path[strings.LastIndexByte(f.Path, '/')+1:], "_s")
	return number{state.Typed{Field: f.Path, Name: words.T(f.Name), Range: f.Range, Empty: f.Empty != "", Edit: change},
		f.Get(h.Doc), hook + member, f.Path}
}

// figure is the field of a figure alone.
func (h *Fields) figure(f edit.Figure) app.UI {
	n := h.number(f, "editor-", edit.SetFigure{Figure: f})
	return Set(h.input(n), "placeholder", words.T(f.Empty))
}

// JobNumber is the field for one of a job's numbers.
func (h *Fields) JobNumber(job, field int) number {
	n := h.number(edit.JobForm(job, field), "editor-job-",
		edit.SetJob{Job: job, Field: field})
	n.Name, n.Empty = words.F("{0} of {1}", n.Name, h.Doc.Scenario.Jobs[job].ID), field >= edit.JobSLO
	return n
}

// ideas group the policies in the picker by what decides; what a policy's id begins with says to which it belongs, and
// those of none are the last. Hadar's and Gavel's families come first.
var ideas = [...]struct {
	title string
	ids   []string
}{{"Prices", []string{"hadar"}}, {"Sharing time", []string{"gavel", "gandiva"}},
	{"Queues", []string{"fifo", "sjf", "srtf", "las", "tiresias", "gittins", "yarn", "a-srpt", "venn"}},
	{"Elastic sizes", []string{"elastic", "optimus", "pollux", "sia"}}, {"Fairness", []string{"themis"}},
	{"Your own", []string{"own", "recorded"}}, {"Others", nil}}

// ideaOf is the group of a policy.
func ideaOf(policy string) int {
	for i := range ideas {
		if slices.ContainsFunc(ideas[i].ids, func(id string) bool { return strings.HasPrefix(policy, id) }) {
			return i
		}
	}
	return len(ideas) - 1
}

// picker chooses the policy of a lane.
func (h *Fields) picker(lane int) app.UI {
	id := h.Doc.Scenario.Policies[lane].ID
	chosen := h.Boot.Policy(id)
	options := Each(len(ideas), func(i int) app.UI {
		var of []app.UI
		for k := range h.Boot.Policies {
			if p := &h.Boot.Policies[k]; ideaOf(p.ID) == i && (!p.Recorded || p == chosen) {
				of = append(of, Option(p.ID, words.T(p.Title), p == chosen))
			}
		}
		return Set(El("optgroup", of...), "label", words.T(ideas[i].title))
	})
	if chosen == nil {
		options = append(options, Option(id, id, true))
	}
	letter := edit.LaneLetter(lane)
	path := "/scenario/policies/" + Itoa(lane) + "/id"
	return Given(h.locked(Set(El("select.field|data-test=policy-picker", options...), "data-lane", letter,
		"data-path", path, "aria-label", words.F("Policy of lane {0}", letter)), path),
		"change", func(id string) state.Action {
			p := h.Boot.Policy(id)
			if p == nil {
				return state.Nothing{} // the document has a policy of another release, which is chosen already
			}
			return state.Do{Edit: edit.SetPolicy{Lane: lane, ID: p.ID, Title: p.Title}}
		}, Itoa(lane))
}

// name is a field for a name, which takes effect when the reader leaves it or presses Enter. What is wrong
// with a name the document's own findings say.
func (h *Fields) name(label, value, test, path, scope string, change func(s string) edit.Edit) app.UI {
	in := Set(El("input.field name|type=text|autocomplete=off|spellcheck=false|maxlength=80"), "data-test", test,
		"aria-label", label, "value", value)
	return Given(h.faulty(in, "", path), "change", func(s string) state.Action { return state.Do{Edit: change(s)} },
		scope, value)
}

// problems are the messages about the document, with their repairs. Their hooks begin with where they stand.
func (h *Fields) problems(where string) app.UI {
	var out []app.UI
	fields, drafts := h.ShownDrafts()
	for i, f := range fields {
		out = append(out, Set(Note("error", El("div", Bold(Upper(drafts[i].Message))),
			h.button(".btn", "Put it back", "back"+f, state.Discard{Field: f})), "data-test", where+"problem"))
	}
	all := h.Problems()
	const most = 6
	for i := range all[:min(len(all), most)] {
		d := &all[i]
		var ways []app.UI
		if label, mends := h.Fix(d); mends != nil {
			ways = append(ways, h.button(".btn|data-test="+where+"fix", label, "fix"+d.Path+label,
				state.Mend{Edit: mends}))
		}
		if d.Path != "" {
			ways = append(ways, h.button(".btn|data-kind=quiet|data-test="+where+"show-problem", "Show", "show"+d.Path,
				state.ShowPlace{Path: d.Path}))
		}
		out = append(out, Set(Note(d.Level, El("div", Bold(words.Sentence(d.Message.In(words.Now()))),
			Text(" "+d.Fix.In(words.Now()))), ways...), "data-test", where+"problem", "data-code", d.Code, "data-path",
			d.Path))
	}
	if len(all) > most {
		out = append(out, Txt("p.mute", words.F("and {0} more", Itoa(len(all)-most))))
	}
	return El("div.problems", out...)
}

// policies are the lanes with the forms of their policies.
func (c *Editor) policies() app.UI {
	h := &c.Fields
	lanes := h.Doc.Scenario.Policies
	kids := Each(len(lanes), c.lane)
	if len(lanes) < edit.MaxLanes {
		p := h.Boot.Policy(edit.NextLane(h.Doc))
		kids = append(kids, h.button(".btn|data-test=editor-add-lane", "+ Add a lane", "lane",
			state.Do{Edit: edit.AddLane{ID: p.ID, Title: p.Title}}))
	}
	return chapter("Policies", words.F("{0} of up to {1}", words.Plural(len(lanes), "lane"), Itoa(edit.MaxLanes)),
		kids...)
}

func (c *Editor) lane(i int) app.UI {
	h := &c.Fields
	lanes := h.Doc.Scenario.Policies
	info := h.Boot.Policy(lanes[i].ID)
	head := []app.UI{LaneTag(i), h.picker(i)}
	if i+1 < len(lanes) {
		head = append(head, h.tool("|data-kind=quiet|data-test=editor-move-lane", "swap",
			words.F("Change places with lane {0}", edit.LaneLetter(i+1)), "mv"+Itoa(i),
			state.Do{Edit: edit.MoveLane{Lane: i}}))
	}
	if len(lanes) > 1 {
		head = append(head, h.tool("|data-kind=quiet|data-test=editor-remove-lane", "trash",
			words.F("Remove lane {0}", edit.LaneLetter(i)), "rm"+Itoa(i), state.Do{Edit: edit.RemoveLane{Lane: i}}))
	}
	kids := []app.UI{El("div.line", head...)}
	if info != nil && !info.Recorded { // else it says below what it takes again
		kids = append(kids, Say("p.mute", info.Summary))
	}
	if names, lacks := h.needs(i, false); names != "" {
		kids = append(kids, Txt("p.mute", words.F("Needs {0}.", names)))
		for _, lack := range lacks {
			kids = append(kids, lack.Render())
		}
	}
	if brief := h.recorded(i); brief != nil {
		kids = append(kids, brief)
	} else if info != nil {
		if h.Doc.Scenario.Fusion != nil {
			kids = append(kids, c.param(i, &edit.Fusing))
		}
		if len(info.Params) == 0 {
			return El("div.lanecard", kids...)
		}
		brief := words.T("all defaults")
		if n := len(lanes[i].Params); n > 0 {
			brief = words.F("{0} changed", Itoa(n))
		}
		fields := []app.UI{El("summary", Say("b", "Parameters"), Txt("span.mute", brief))}
		src, written := h.written(i)
		shares := h.Doc.Scenario.SharesHosts()
		var takes app.UI
		for k := range info.Params {
			p := &info.Params[k]
			switch {
			case p.Kind == "formula": // it is what the policy is
				if src == "" {
					kids = append(kids, c.formula(i, p))
				}
			case p.Kind == "program", p.Kind == "text", p.Kind == "record":
			case p.Name == model.HostSplit && !shares && lanes[i].Params[p.Name] == nil: // it would change nothing
			case p.Name == "preempt" && written != nil && (src == "" || program.Mentions(src, "def key")):
				takes = c.param(i, p) // an order is another one with it: shortest remaining time first needs it
			default:
				fields = append(fields, c.param(i, p))
			}
		}
		// A program stays where it is while it is typed, whatever that makes of the line before it: else the page
		// would draw another field, and who types would have left it.
		kids = append(kids, El("div", takes), c.program(i), El("details", fields...))
	}
	return El("div.lanecard", kids...)
}

// param is the field of one parameter, by its kind.
func (c *Editor) param(lane int, p *edit.Param) app.UI {
	h := &c.Fields
	policy := &h.Doc.Scenario.Policies[lane]
	value, changed := p.Of(policy)
	id, path := "param-"+Itoa(lane)+"-"+p.Name, "/scenario/policies/"+Itoa(lane)+"/params/"+p.Name
	scope := policy.ID + id
	to := func(v any) state.Action { return state.Do{Edit: edit.SetParam{Lane: lane, Param: p, Value: v}} }
	var field app.UI
	switch p.Kind {
	case "bool":
		yes, _ := value.(bool)
		field = Checked(El("input|type=checkbox"), yes, func(on bool) state.Action { return to(on) })
	case "choice":
		now, _ := value.(string)
		field = Given(El("select.field", Each(len(p.Choices), func(k int) app.UI {
			return Option(p.Choices[k], message.ChoiceName(words.Now(), p.Choices[k]), p.Choices[k] == now)
		})...), "change", func(s string) state.Action { return to(s) }, scope)
	default:
		v, _ := value.(float64)
		field = h.input(number{state.Typed{Field: scope, Name: words.T(p.Title), Range: p.Range(),
			Edit: edit.SetParam{Lane: lane, Param: p}}, v, "", path})
	}
	field = h.locked(Set(field, "id", id, "data-test", "editor-param", "data-param", p.Name, "data-lane",
		edit.LaneLetter(lane), "data-path", path), path)
	return Set(El("div.line param", Set(Say("label", p.Title), "for", id),
		El("span.unit", field, Say("span.mute", p.Unit)), Say("span.mute help", p.Help)), "data-set", Flag(changed))
}

// expression is the field of a parameter that is a formula, and beneath it what is wrong there or help. place tells
// apart where it stands.
func (h *Fields) expression(lane int, p *edit.Param, place, help string) app.UI {
	value, _ := p.Of(&h.Doc.Scenario.Policies[lane])
	now, _ := value.(string)
	field, path := "param-"+Itoa(lane)+"-"+p.Name, "/scenario/policies/"+Itoa(lane)+"/params/"+p.Name
	id := place + field
	in := Set(El("input.field|type=text|autocomplete=off|autocapitalize=off|spellcheck=false"), "id", id,
		"data-test", place+"formula", "data-param", p.Name, "data-lane", edit.LaneLetter(lane), "data-field", field,
		"data-code", hints(p), "aria-describedby", id+"-says", "value", h.FieldHeld(field, now))
	in = Given(h.faulty(in, field, path), "input", func(text string) state.Action {
		return state.TypedFormula{Field: field, Lane: lane, Param: p.Name, Now: h.FieldText(field, now), Text: text}
	}, field)
	in = elm.On(in, "blur", Act(state.Left{Field: field}), field)
	says := Say("span.mute", help)
	if d, bad := h.Drafts[field]; bad {
		says = Txt("span.fault", d.Message)
	}
	return El("div.written", Set(Say("label", p.Title), "for", id), in,
		Set(El("p", says), "id", id+"-says", "aria-live", "polite"), fitting(id))
}

// fitting is where the names are listed that fit what is being typed in a field.
func fitting(id string) app.UI {
	return Set(El("div.hints|role=group|aria-label=Names that fit|data-test=hints"), "id", id+"-hints")
}

// formulas are the fields of what a lane's policy is: its expression, or its program in brief.
func (h *Fields) formulas(lane int, place string) (fields []app.UI) {
	if record := h.recorded(lane); record != nil {
		return []app.UI{record}
	}
	if brief := h.brief(lane, place); brief != nil {
		return []app.UI{El("div.written", brief...)}
	}
	params := h.Boot.Params(h.Doc.Scenario.Policies[lane].ID)
	for i := range params {
		if params[i].Kind == "formula" {
			fields = append(fields, h.expression(lane, &params[i], place,
				words.T("The least goes first; “job.” lists what there is.")))
		}
	}
	if _, p := h.written(lane); p != nil {
		fields = append(fields, Set(Button(".btn|data-kind=quiet", "Write a program", place+"program"+Itoa(lane),
			state.ShowPlace{Path: h.programPath(lane, p), Form: true}), "data-test", place+"program"))
	}
	return fields
}

// ways are how a lane does what lanes of its scenario may do in several ways: share hosts, ask for nodes, fuse jobs.
func (h *Fields) ways(lane int, place string) (fields []app.UI) {
	s, policy := &h.Doc.Scenario, &h.Doc.Scenario.Policies[lane]
	way := func(name, label string, field app.UI) {
		id := place + name + Itoa(lane)
		fields = append(fields, El("div.way", Set(Txt("label", label), "for", id),
			Set(field, "id", id, "data-test", place+name, "data-lane", edit.LaneLetter(lane))))
	}
	params := h.Boot.Params(policy.ID)
	at := slices.IndexFunc(params, func(p edit.Param) bool { return p.Name == model.HostSplit })
	if at >= 0 && s.SharesHosts() {
		way("hosts", words.T("CPUs and memory"), h.hostSplit(lane, &params[at]))
	}
	if s.Cloud != nil {
		way("autoscaler", words.T("Autoscaler"), h.autoscaler(lane))
	}
	if s.Fusion != nil {
		fused := policy.Params[edit.Fusing.Name] != false
		way("fusion", words.T("Jobs of a sweep"), Given(El("select.field", Option("fused", words.T("fused"), fused),
			Option("", words.T("not fused"), !fused)), "change", func(v string) state.Action {
			return state.Do{Edit: edit.SetParam{Lane: lane, Param: &edit.Fusing, Value: v != ""}}
		}, Itoa(lane)))
	}
	return fields
}

// hostSplit is the list of how a lane's jobs share hosts.
func (h *Fields) hostSplit(lane int, p *edit.Param) app.UI {
	now, _ := p.Of(&h.Doc.Scenario.Policies[lane])
	titles, w := []string{words.T("as in the scenario")}, edit.HostSplitForm()
	for i := range w.Titles {
		titles = append(titles, words.T(w.Titles[i]))
	}
	return Given(El("select.field", Each(len(p.Choices), func(k int) app.UI {
		return Option(p.Choices[k], titles[k], p.Choices[k] == now)
	})...), "change", func(v string) state.Action {
		return state.Do{Edit: edit.SetParam{Lane: lane, Param: p, Value: v}}
	}, Itoa(lane))
}

// recorded says whose decisions a lane takes again, nil = it decides.
func (h *Fields) recorded(lane int) app.UI {
	p := &h.Doc.Scenario.Policies[lane]
	if info := h.Boot.Policy(p.ID); info == nil || !info.Recorded {
		return nil
	}
	of, _ := p.Params["of"].(string)
	return El("div|data-test=lane-recorded", Txt("b", edit.RecordTitle(h.Boot.PolicyTitle(of))),
		Txt("p.mute", edit.RecordSize(p)))
}

// formula is the whole of a parameter that is a formula, with the names that it may use.
func (c *Editor) formula(lane int, p *edit.Param) app.UI {
	return El("div", c.expression(lane, p, "editor-", p.Help), c.names(p))
}
