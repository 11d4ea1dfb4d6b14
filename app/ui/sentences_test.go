package ui

import (
	"encoding/json"
	goflag "flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/timeline"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	catalogue "hadarlab/core/words"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

var list = goflag.Bool("sentences", false, "print every pattern of a sentence with an example")

// The marks around what a pattern has said: its number stands between the first two.
const begin, middle, end = '\ue000', '\ue001', '\ue002'

var (
	tags   = regexp.MustCompile(`<[^<>]*>`)
	marked = regexp.MustCompile(string(begin) + `\d+` + string(middle))
	place  = regexp.MustCompile(`\{\d\}`)
	// spoilt is what nobody can read: exponents, what is no number, a place that was not filled, a doubled mark.
	spoilt = regexp.MustCompile(`\d[eE][-−+]?\d|NaN|\bInf\b|\{\d\}|[^.]\.\.[^.]|;;|: \.| ,|  |\( `)
	// technical are words and signs that not everybody knows, and plain what stands in texts besides letters and
	// digits.
	technical = regexp.MustCompile(`payoff|utilit|\bprice|\bowe|priority|throughput|attained|ρ|makespan|preempt|\blease` +
		`|\bbids?\b|Gittins|virtual time|deficit|\bdual\b|primal|competitive|slice of its|level by level|[ΣΠ∝ηαΔ]|JCT`)
	plain = regexp.MustCompile(`[\p{L}\d\s!-/:-@\[\]_“”‘’„…–−·×÷→←↑↓≥≤±ρΣΠ∝ηαΔ½|~\x60{}▲▼\\^›]`)
)

// isSentence says whether a key of the catalogue is more than a label: it has places or several words.
func isSentence(key string) bool {
	return !strings.Contains(key, "|") && !strings.HasPrefix(key, "@") && strings.ContainsAny(key,
		"abcdefghijklmnopqrstuvwxyz") &&
		(place.MatchString(key) && strings.Contains(key, " ") || strings.Count(key, " ") > 2)
}

// TestSentences draws the presets and three hundred random scenarios in a language that is English with a mark around
// every sentence, so that each pattern shows an example of itself. Whatever is met can be read, and so can the others
// as they are written; every sign and term has a definition. With -sentences all are printed, for people to read.
func TestSentences(t *testing.T) {
	file, err := os.ReadFile("../web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, language := map[string]string{}, map[string]string{}
	if err := json.Unmarshal(file, &german); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for key := range german {
		key, _, _ = strings.Cut(key, "@")
		if isSentence(key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for i, key := range keys {
		language[key] = string(begin) + strconv.Itoa(i) + string(middle) + key + string(end)
	}
	words.Use(language)
	defer words.Use(nil)
	examples := make([]string, len(keys))
	look := func(node app.UI) { learnFrom(strings.ReplaceAll(app.HTMLString(node), "\n", ""), examples) }

	d := newDesk(t)
	all := policy.All()
	page := func(text []byte) {
		d.open(text)
		h, v := d.h, &d.h.S.View
		h.turns, v.Tables, v.AllFacts = elm.Turns{}, [3]bool{true, true, true}, true
		look(&elm.Root{})
		r := h.S.Result
		for _, at := range []int{0, r.Diff.First, 3} {
			d.do(state.Go{To: max(at, 0)})
			for lane := range r.Lanes {
				d.do(state.ExplainLane{Lane: lane})
				look(elm.Part(why.Of(&h.S.Lab)))
			}
		}
		for _, tab := range data.Charts() {
			v.Tab = tab.ID
			look(elm.Part(timeline.ChartsOf(&h.S.Lab)))
		}
	}
	for n, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		page(text)
		for k := 0; name != "sixty-measured-jobs" && k < len(all); k += 2 {
			page(withPolicies(t, text, nil, all[k].ID, all[(k+1+n)%len(all)].ID))
		}
	}
	for n := range 300 {
		page(withPolicies(t, simtest.Document(n+2000), func(doc *scenario.Document) { odd(n, doc) }, all[n%len(all)].ID,
			all[(n/len(all)+n+1)%len(all)].ID))
	}

	met := 0
	for i, key := range keys {
		says := examples[i]
		if says != "" {
			met++
		}
		if *list {
			fmt.Printf("%s\n\t%s\n", key, examples[i])
		}
		if bad := spoilt.FindString(says); bad != "" && examples[i] != "" {
			t.Errorf("%q, as in %q, holds %q", key, says, bad)
		}
		if odd := plain.ReplaceAllString(key, ""); odd != "" {
			t.Errorf("%q holds %q", key, odd)
		}
		for _, term := range technical.FindAllString(key, -1) {
			if !slices.ContainsFunc(catalogue.Glossary[:], func(g catalogue.Term) bool {
				return strings.Contains(g.Word+" "+g.Said+" "+strings.Join(g.Named, " "), strings.TrimSuffix(term, "t"))
			}) {
				t.Errorf("%q names %q, which the glossary lacks", key, term)
			}
		}
	}
	if met < 250 {
		t.Errorf("only %d of %d patterns were met", met, len(keys))
	}
}

// learnFrom takes examples of patterns from marked text: of each the first that is not too long to read.
func learnFrom(text string, examples []string) {
	type open struct{ pattern, from int }
	var stack []open
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], string([]rune{begin, end}))
		if next < 0 {
			return
		}
		at += next
		if strings.HasPrefix(text[at:], string(end)) {
			if n := len(stack); n > 0 {
				o := stack[n-1]
				stack = stack[:n-1]
				if examples[o.pattern] == "" && at-o.from < 2000 {
					says := marked.ReplaceAllString(tags.ReplaceAllString(text[o.from:at], ""), "")
					examples[o.pattern] = strings.NewReplacer(string(end), "", "&#34;", `"`, "&#39;", "'", "&amp;",
						"&", "&lt;",
						"<", "&gt;", ">").Replace(says)
				}
			}
			at += len(string(end))
			continue
		}
		head := marked.FindString(text[at:])
		if !strings.HasPrefix(text[at:], head) || head == "" {
			at += len(string(begin))
			continue
		}
		n, _ := strconv.Atoi(strings.Trim(head, string([]rune{begin, middle})))
		at += len(head)
		stack = append(stack, open{n, at})
	}
}
