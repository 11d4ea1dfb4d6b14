package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What HTML has, as far as the page uses it: attributes by tag, and those that stand on every element.
var (
	attributes = map[string]string{
		"a": "href hreflang target rel download", "article": "", "aside": "", "b": "",
		"button": "type disabled value", "canvas": "width height", "code": "",
		"dd": "", "details": "open", "div": "", "dl": "", "dt": "", "em": "", "fieldset": "disabled", "figcaption": "",
		"figure": "", "footer": "", "form": "", "h1": "", "h2": "", "h3": "", "h4": "", "header": "", "i": "",
		"iframe": "src", "img": "src alt width height loading",
		"input": "type value checked disabled min max step name placeholder required readonly autocomplete spellcheck " +
			"inputmode accept list maxlength pattern size",
		"kbd": "", "label": "for", "legend": "", "li": "", "main": "", "nav": "", "ol": "start",
		"optgroup": "label", "option": "value selected disabled", "output": "for", "p": "", "pre": "",
		"progress": "max value", "section": "", "select": "disabled value size", "small": "", "span": "", "strong": "",
		"summary": "", "table": "", "caption": "", "tbody": "", "td": "colspan rowspan headers",
		"textarea": "rows cols wrap spellcheck readonly disabled placeholder value autocomplete maxlength", "tfoot": "",
		"th": "scope colspan rowspan abbr", "thead": "", "time": "datetime", "tr": "", "ul": "", "dialog": "open",
	}
	global = strings.Fields("id hidden title tabindex lang dir role draggable inert popover contenteditable spellcheck " +
		"autofocus autocapitalize")
	aria = strings.Fields("activedescendant atomic autocomplete busy checked colcount controls current describedby " +
		"details disabled errormessage expanded haspopup hidden invalid keyshortcuts label labelledby level live modal " +
		"multiline multiselectable orientation owns placeholder posinset pressed readonly relevant required " +
		"roledescription rowcount selected setsize sort valuemax valuemin valuenow valuetext")
	values = map[string]string{ // of attributes whose values are a list of words
		"button type": "button submit", "th scope": "col row colgroup rowgroup", "aria-live": "polite assertive off",
		"input type": "text number range checkbox radio search file hidden url datetime-local", "dir": "ltr rtl auto",
		"role": "group status alert dialog tablist tab tabpanel radiogroup radio toolbar img presentation none list " +
			"listitem slider switch grid row gridcell menu menuitem region application log note progressbar " +
			"columnheader rowheader cell option tooltip listbox combobox search figure meter separator table math",
	}
	word = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// wrong says what is wrong with an attribute of an element, and "" if nothing is.
func wrong(tag, name, value string) string {
	own, known := attributes[tag]
	label, isARIA := strings.CutPrefix(name, "aria-")
	switch {
	case tag != "" && !known:
		return "there is no element " + tag
	case strings.HasPrefix(name, "data-"):
		if !word.MatchString(name) {
			return "a name in small letters is needed for " + name
		}
		return ""
	case isARIA && !slices.Contains(aria, label):
		return "there is no attribute " + name
	case isARIA || slices.Contains(global, name):
	case tag == "" && !slices.ContainsFunc(slices.Sorted(keysOf(attributes)), func(t string) bool {
		return slices.Contains(strings.Fields(attributes[t]), name)
	}):
		return "no element has " + name
	case tag != "" && !slices.Contains(strings.Fields(own), name):
		return tag + " has no attribute " + name
	}
	for _, key := range []string{tag + " " + name, name} {
		if list, ok := values[key]; ok && value != "" && !slices.Contains(strings.Fields(list), value) {
			return name + " cannot be " + value
		}
	}
	return ""
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestSpecsAreHTML reads every element's spec in the sources: its tag and attributes are HTML's, the words among its
// values too, and its classes are of the page's style sheets or are looked for by its scripts.
func TestSpecsAreHTML(t *testing.T) {
	styles := ""
	for _, pattern := range []string{"../web/*.css", "../web/*.js", "../platform/*.go"} {
		for _, name := range glob(t, pattern) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			styles += string(b)
		}
	}
	specs := 0
	check := func(at token.Position, spec string) {
		specs++
		head, attrs, _ := strings.Cut(spec, "|")
		tag, classes, _ := strings.Cut(head, ".")
		if why := wrong(tag, "id", ""); why != "" {
			t.Errorf("%s: %q: %s", at, spec, why)
		}
		for _, class := range strings.Fields(classes) {
			if !word.MatchString(class) || !regexp.MustCompile(`\.`+class+`\b`).MatchString(styles) {
				t.Errorf("%s: %q: no style sheet and no script knows the class %s", at, spec, class)
			}
		}
		for one := range strings.SplitSeq(attrs, "|") {
			name, value, _ := strings.Cut(one, "=")
			if why := wrong(tag, name, value); attrs != "" && why != "" {
				t.Errorf("%s: %q: %s", at, spec, why)
			}
		}
	}
	set := token.NewFileSet()
	for _, name := range drawing(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr: // the fields' own buttons
				called = strings.ToLower(f.Sel.Name[:1]) + f.Sel.Name[1:]
			}
			switch at := set.Position(call.Pos()); called {
			case "El", "Txt", "Say":
				if spec, ok := literal(call.Args[0]); ok {
					check(at, spec)
				}
			case "Button", "Tool", "button", "tool":
				if spec, ok := literal(call.Args[0]); ok {
					check(at, "button"+spec)
				}
			case "Set":
				for i := 1; i < len(call.Args); i += 2 {
					if name, ok := literal(call.Args[i]); ok {
						value := ""
						if i+1 < len(call.Args) {
							value, _ = literal(call.Args[i+1])
						}
						if why := wrong("", name, value); why != "" {
							t.Errorf("%s: %s", at, why)
						}
					}
				}
			}
			return true
		})
	}
	if specs < 500 {
		t.Errorf("only %d specs were found", specs)
	}
}

// drawing are the sources that draw: of this package and of its rooms.
func drawing(t *testing.T) []string {
	t.Helper()
	return append(glob(t, "*.go"), glob(t, "*/*.go")...)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(names), err)
	}
	return names
}

// literal is the value of a string literal.
func literal(e ast.Expr) (string, bool) {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, err := strconv.Unquote(lit.Value)
		return s, err == nil
	}
	return "", false
}
