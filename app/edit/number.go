package edit

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/formula"
	"hadarlab/core/jsondoc"
	"hadarlab/core/program"
	"hadarlab/core/scenario"
)

// Limits of a field.
type Range struct {
	Min, Max float64
	Whole    bool // whole numbers only
	Open     bool // Min itself is not allowed
	Unit     string
}

// AnyNumber is as wide as a number that nothing is known of.
var AnyNumber = Range{Min: -1e15, Max: 1e15}

// ParseNumber reads what a person writes: 21600, 21,600, 21 600, 1e4, 0.5. The message names the limit.
func ParseNumber(typed string, r Range) (float64, string) {
	clean := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "_", "", "−", "-").Replace(typed)
	whole, fraction, _ := strings.Cut(clean, ".")
	comma := strings.Contains(fraction, ",") // that of a decimal number, as some languages write it: 0,5 is no 5
	for i, group := range strings.Split(whole, ",") {
		comma = comma || i > 0 && len(group) != 3
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(clean, ",", ""), 64)
	if err != nil || comma || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(clean, "xXpPiInN") {
		if strings.TrimSpace(typed) == "" {
			return 0, words.F("is empty; it must be {0}", r.Describe())
		}
		return 0, words.F("must be {0}; it says “{1}”", r.Describe(), jsondoc.ClipTo(typed, 24))
	}
	if v < r.Min || v > r.Max || r.Open && v == r.Min || r.Whole && v != math.Floor(v) {
		return 0, words.F("must be {0}; it says {1}", r.Describe(), FormatNumber(v))
	}
	return v, ""
}

// Say is a value with its unit.
func (r Range) Say(v float64) string {
	if r.Unit == "" {
		return FormatNumber(v)
	}
	return FormatNumber(v) + " " + words.T(r.Unit)
}

// Describe is the range in words.
func (r Range) Describe() string {
	s := words.T("a number")
	if r.Whole {
		s = words.T("a whole number")
	}
	unit := ""
	if r.Unit != "" {
		unit = " " + words.T(r.Unit)
	}
	if r.Open {
		return words.F("{0} above {1} and at most {2}", s, FormatNumber(r.Min), FormatNumber(r.Max)+unit)
	}
	return words.F("{0} from {1} to {2}", s, FormatNumber(r.Min), FormatNumber(r.Max)+unit)
}

// FormatNumber writes v in full, thousands separated, as it stands in a field.
func FormatNumber(v float64) string {
	if math.Abs(v) >= 1e15 || v != 0 && math.Abs(v) < 1e-6 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	whole, frac, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + words.T(",") + whole[i:] // a thin space in German, where a comma is the decimal point
	}
	if frac != "" {
		frac = "." + frac
	}
	return sign + whole + frac
}

func itoa(n int) string { return strconv.Itoa(n) }

// ValueText is a parameter's value in words.
func ValueText(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return words.T("on")
		}
		return words.T("off")
	case float64:
		return FormatNumber(v)
	case string:
		return v
	}
	return words.T("something else")
}

// Param describes one parameter. Default is a bool, float64 or string.
type Param struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Kind    string   `json:"type"` // bool, int, float, choice, formula, program, text, record
	Unit    string   `json:"unit"`
	Default any      `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Choices []string `json:"choices"`
	Facts   []Fact   `json:"facts"` // that a formula or program may use
	Help    string   `json:"help"`
}

// Fact is what a formula may use, by its name.
type Fact struct {
	As    string `json:"as"`
	Unit  string `json:"unit"`
	Means string `json:"means"`
	Eg    string `json:"eg"` // an expression in which it stands
}

// Of is the value that a policy has, and whether it is another than the default.
func (p *Param) Of(policy *scenario.Policy) (value any, set bool) {
	if value, set = policy.Params[p.Name]; !set {
		value = p.Default
	}
	return value, set
}

// Range is what a number may be.
func (p *Param) Range() Range {
	return Range{Min: p.Min, Max: p.Max, Whole: p.Kind == "int", Unit: p.Unit}
}

// Problem says what is wrong with a value, "" = nothing.
func (p *Param) Problem(v any) string {
	switch p.Kind {
	case "bool":
		if _, ok := v.(bool); !ok {
			return words.F("{0} must be on or off", words.T(p.Title))
		}
	case "choice":
		w, ok := v.(string)
		for _, c := range p.Choices {
			if ok && c == w {
				return ""
			}
		}
		return words.F("{0} is not one of its choices", words.T(p.Title))
	case "formula":
		src, ok := v.(string)
		if !ok {
			return words.F("{0} must be a text", words.T(p.Title))
		}
		names := make([]string, len(p.Facts))
		for i := range p.Facts {
			names[i] = p.Facts[i].As
		}
		var at *formula.Error
		if _, err := formula.Read(src, names); errors.As(err, &at) {
			return words.F("{0}, character {1}: {2}", words.T(p.Title), itoa(at.Col), at.Reason.In(words.Now()))
		}
	case "text", "record":
		if _, ok := v.(string); !ok {
			return words.F("{0} must be a text", words.T(p.Title))
		}
	case "program":
		src, ok := v.(string)
		if !ok {
			return words.F("{0} must be a text", words.T(p.Title))
		}
		var at *program.Error
		if errors.As(program.Check(src), &at) {
			return at.Told().In(words.Now())
		}
	default:
		r := p.Range()
		r.Unit = ""
		n, ok := v.(float64)
		if !ok || math.IsNaN(n) || n < r.Min || n > r.Max || r.Whole && n != math.Floor(n) {
			return words.F("{0} must be {1}", words.T(p.Title), r.Describe())
		}
	}
	return ""
}
