package lab_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// interval is what a printed number may stand for.
type interval struct{ lo, hi float64 }

func span(values ...float64) interval { return interval{slices.Min(values), slices.Max(values)} }

// pencil works printed sums out again, in one language.
type pencil struct {
	in     words.Catalogue
	left   string
	strict bool // a number stands for what is printed, no more
}

var (
	figures = regexp.MustCompile(`^\d[\d.]*(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?`)
	word    = regexp.MustCompile(`^[\pL_][\pL\pN_/’'.-]*`)
	lowered = strings.NewReplacer("⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷",
		"7", "⁸", "8", "⁹", "9")
	// simple is a sum, a difference or a product of numbers: its result has the digits that come out of those shown.
	simple    = regexp.MustCompile(`^[^÷^()=]*\d[^÷^()=]* [×+−] [^÷^()=]*$`)
	digit     = regexp.MustCompile(`(^|[^\pL\pN_])\d`)
	thousands = regexp.MustCompile(`(\d)[,  \x{202f}\x{2009}](\d{3})`)
)

// plain is a text with a decimal point and without marks of thousands.
func (p *pencil) plain(s string) string {
	for range 4 {
		s = thousands.ReplaceAllStringFunc(s, func(m string) string {
			if mark := strings.Trim(m, "0123456789"); mark == p.in.T(",") {
				return strings.Replace(m, mark, "", 1)
			}
			return m
		})
	}
	if p.in != nil {
		s = regexp.MustCompile(`(\d),(\d)`).ReplaceAllString(s, "$1.$2")
	}
	return s
}

// read is a printed number with so many digits that count at least: zeros at the end are not printed.
func read(s string, digits int) (v interval) {
	m, e, power := strings.Cut(s, " × 10")
	x, err := strconv.ParseFloat(m, 64)
	if err != nil {
		panic(err)
	}
	_, frac, point := strings.Cut(m, ".")
	places := len(frac)
	if x != 0 {
		places = max(places, digits-1-figure.Exponent(x))
	}
	half := 0.5 * math.Pow10(-places)
	if x == 0 && !point {
		half = 0
	}
	scale := 1.0
	if power {
		n, _ := strconv.Atoi(lowered.Replace(e))
		scale = math.Pow10(n)
	}
	return interval{(x - half) * scale, (x + half) * scale}
}

// next skips words and blanks.
func (p *pencil) next() string {
	for p.left = strings.TrimSpace(p.left); word.MatchString(p.left); p.left = strings.TrimSpace(p.left) {
		if strings.HasPrefix(p.left, "max(") || strings.HasPrefix(p.left, "min(") {
			break
		}
		p.left = p.left[len(word.FindString(p.left)):]
	}
	return p.left
}

func (p *pencil) take(op string) bool {
	if !strings.HasPrefix(p.next(), op) {
		return false
	}
	p.left = p.left[len(op):]
	return true
}

func (p *pencil) sum() interval {
	v := p.product()
	for {
		switch {
		case p.take("+"):
			w := p.product()
			v = interval{v.lo + w.lo, v.hi + w.hi}
		case p.take("−"), p.take("-"):
			w := p.product()
			v = interval{v.lo - w.hi, v.hi - w.lo}
		default:
			return v
		}
	}
}

func (p *pencil) product() interval {
	v := p.power()
	for {
		switch {
		case p.take("×"), p.take("*"):
			w := p.power()
			v = span(v.lo*w.lo, v.lo*w.hi, v.hi*w.lo, v.hi*w.hi)
		case p.take("÷"), p.take("/"):
			w := p.power()
			v = span(v.lo/w.lo, v.lo/w.hi, v.hi/w.lo, v.hi/w.hi)
		default:
			return v
		}
	}
}

func (p *pencil) power() interval {
	v := p.atom()
	if p.take("^") {
		w := p.power()
		v = span(math.Pow(v.lo, w.lo), math.Pow(v.lo, w.hi), math.Pow(v.hi, w.lo), math.Pow(v.hi, w.hi))
	}
	return v
}

func (p *pencil) atom() interval {
	switch {
	case p.take("−"), p.take("-"):
		v := p.power()
		return interval{-v.hi, -v.lo}
	case p.take("("):
		v := p.sum()
		if !p.take(")") {
			panic("no ) before " + p.left)
		}
		return v
	}
	s := figures.FindString(p.next())
	if s == "" {
		panic("no number before " + p.left)
	}
	p.left = p.left[len(s):]
	v := read(s, 4)
	if p.strict {
		v = span((v.lo + v.hi) / 2)
	}
	if p.take("%") {
		return interval{v.lo / 100, v.hi / 100}
	}
	return v
}

// worked is a line's part worked out.
func (p *pencil) worked(s string) (v interval, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p.left = s
	v = p.sum()
	if p.next() != "" {
		return v, fmt.Errorf("%q is left", p.left)
	}
	return v, nil
}

// precise are the numbers of a line that are not whole, and the powers of ten that they are times.
var precise = regexp.MustCompile(`(?:^|[ (−])(\d+\.\d+)( × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?`)

// counted is how many digits of a number count.
func counted(n string) int { return len(strings.TrimLeft(strings.Replace(n, ".", "", 1), "0")) }

// twice are results of a section's lines, of four digits that count or more, that a later line goes on with in other
// digits: fewer or more.
func (p *pencil) twice(lines []string) (found []string) {
	var results [][]string
	for _, line := range lines {
		at := strings.LastIndex(line, " = ")
		for _, m := range precise.FindAllStringSubmatch(p.plain(line[:max(at, 0)]), -1) {
			for _, r := range results {
				a, b := r[1], m[1]
				if len(a) > len(b) {
					a, b = b, a
				}
				_, frac, _ := strings.Cut(a, ".")
				if v, err := strconv.ParseFloat(b, 64); err == nil && a != b && r[2] == m[2] && counted(a) >= 4 &&
					strconv.FormatFloat(v, 'f', len(frac), 64) == a {
					found = append(found, r[1]+" and "+m[1])
				}
			}
		}
		if at < 0 {
			continue
		}
		results = append(results, precise.FindAllStringSubmatch(p.plain(line[at+3:]), 1)...)
	}
	return found
}

// TestOneNumberInTwoWays: results that go on with other digits are found, and those of other powers of ten are others.
func TestOneNumberInTwoWays(t *testing.T) {
	for _, c := range []struct {
		first, then string
		found       int
	}{
		{"rounds = 9,575 ÷ 3,771 = 2.539", "cost = 4 × 2.5393 = 10.157", 1},
		{"U_min = 0.1546 ÷ 6,088 = 2.539 × 10⁻⁵", "price of a round = 4 × 2.5393 × 10⁻⁵ = 0.00010157", 1},
		{"rounds = 9,575 ÷ 3,771 = 2.539", "price of a round = 4 × 2.5393 × 10⁻⁵ = 0.00010157", 0},
		{"rounds = 9,575 ÷ 3,771 = 2.539", "cost = 4 × 2.539 = 10.156", 0},
	} {
		if found := (&pencil{}).twice([]string{c.first, c.then}); len(found) != c.found {
			t.Errorf("%q, %q: %q", c.first, c.then, found)
		}
	}
}

// alike says whether two printed numbers may be the same one.
func alike(a, b interval) bool {
	eps := 1e-9 * max(math.Abs(a.hi), math.Abs(b.hi))
	return a.lo <= b.hi+eps && b.lo <= a.hi+eps
}

// check works a line out: its parts between = have the same value, and a result that is rounded up has that behind a
// comma. sums is how many parts were compared.
func (p *pencil) check(line string) (sums int, err error) {
	parts := strings.Split(line, " = ")
	var last, exact *interval
	for _, s := range parts[1:] {
		s, up, comma := strings.Cut(s, ", ")
		s = p.plain(s)
		if !digit.MatchString(s) {
			continue
		}
		v, err := p.worked(s)
		if err != nil {
			return sums, err
		}
		if last != nil {
			if sums++; !alike(v, *last) {
				return sums, fmt.Errorf("%v is not %v", *last, v)
			}
			if eps := 1e-9 * math.Abs(v.hi); exact != nil && (exact.lo < v.lo-eps || exact.hi > v.hi+eps) {
				return sums, fmt.Errorf("%v is not in %v", exact.lo, v)
			}
		}
		if exact = nil; simple.MatchString(s) {
			x, err := (&pencil{in: p.in, strict: true}).worked(s)
			if err != nil {
				return sums, err
			}
			exact = &x
		}
		if up = p.plain(up); comma && digit.MatchString(up) {
			n, err := p.worked(up)
			if err != nil || math.Round(n.lo) != max(1, math.Ceil((v.lo+v.hi)/2-1e-9)) {
				return sums, fmt.Errorf("%v is not %v rounded up", n, v)
			}
		}
		last = &v
	}
	return sums, nil
}

// rules are what holds between the numbers of a row, by the names of their columns.
var rules = []struct {
	columns []string
	holds   func(v []interval) bool
}{
	{[]string{"Worth", "Cost", "Gain"}, func(v []interval) bool {
		return alike(interval{v[0].lo - v[1].hi, v[0].hi - v[1].lo}, v[2])
	}},
	{[]string{"Gain", "GPUs", "Gain a GPU"}, quotient},
	{[]string{"Target", "Received", "Priority"}, quotient},
}

// ranked are the columns by which tables of jobs are in order, the least or the largest first.
var ranked = map[string]bool{"Arrival": false, "Length": false, "Time left": false, "Attained service": false,
	"In queue": false, "Service per finished job": false, "Fairness ρ": true, "Gain a GPU": true}

// quotient says whether the first divided by the second is the third.
func quotient(v []interval) bool {
	return alike(span(v[0].lo/v[1].lo, v[0].lo/v[1].hi, v[0].hi/v[1].lo, v[0].hi/v[1].hi), v[2])
}

// cell is a number of a table as the panel prints it.
func (p *pencil) cell(e *message.Explanation, t *message.Table, row, k int) (v interval, says string) {
	of, most := t.Columns[k].Unit, e.Most
	if of == unit.Worth {
		of = e.Unit
	} else {
		for r := range t.Rows {
			if n := t.Rows[r].Cells[k].Number; n != nil {
				most = max(most, math.Abs(*n))
			}
		}
	}
	says = figure.ScaleFor(most, of).Cell(p.in, *t.Rows[row].Cells[k].Number, t.Columns[k].Unit)
	if of == unit.Instant { // in a unit of its own
		return interval{*t.Rows[row].Cells[k].Number, *t.Rows[row].Cells[k].Number}, says
	}
	v = read3(p.plain(strings.TrimPrefix(says, "<")))
	if strings.HasPrefix(says, "<") {
		v.lo = 0
	}
	return v, says
}

// table works the rows of a table out; names are its columns in English.
func (p *pencil) table(e *message.Explanation, t *message.Table, names []string) (sums int, err error) {
	for _, rule := range rules {
		var at []int
		for _, name := range rule.columns {
			if k := slices.Index(names, name); k >= 0 {
				at = append(at, k)
			}
		}
		if len(at) < len(rule.columns) {
			continue
		}
		for i := range t.Rows {
			v, says := make([]interval, len(at)), make([]string, len(at))
			if slices.ContainsFunc(at, func(k int) bool { return t.Rows[i].Cells[k].Number == nil }) {
				continue
			}
			for n, k := range at {
				v[n], says[n] = p.cell(e, t, i, k)
			}
			if sums++; !rule.holds(v) {
				return sums, fmt.Errorf("%s of row %d: %s", rule.columns, i, says)
			}
		}
	}
	for k, name := range names {
		falls, by := ranked[name]
		by = by && (k == 0 || names[k-1] != "In queue") // by queue alone
		var last interval
		known := false
		for i := 0; by && names[0] == "Job" && i < len(t.Rows); i++ {
			if t.Rows[i].Cells[k].Number == nil {
				continue
			}
			v, says := p.cell(e, t, i, k)
			if sums++; known && (!falls && v.hi < last.lo || falls && v.lo > last.hi) {
				return sums, fmt.Errorf("%s of row %d is %s behind %v", name, i, says, last)
			}
			last, known = v, true
		}
	}
	return sums, nil
}

// read3 is a number of a table.
func read3(s string) interval {
	s, share := strings.CutSuffix(s, " %")
	minus := strings.HasPrefix(s, "−")
	digits := 3
	if share {
		digits = 1 // whole percents
	}
	v := read(strings.TrimPrefix(s, "−"), digits)
	if share {
		v = interval{v.lo / 100, v.hi / 100}
	}
	if minus {
		v = interval{-v.hi, -v.lo}
	}
	return v
}

// otherwise are settings under which other sums are shown.
var otherwise = map[string][]map[string]any{
	"hadar": {{"cost": "round"}, {"dp_value": "lifetime"}, {"dp_value": "lifetime", "cost": "round"},
		{"utility": "effective"}, {"utility": "avg_jct"}, {"utility": "makespan"}, {"utility": "ftf"}},
	"hadare": {{"copy": "node"}, {"utility": "effective"}},
	"own":    {{"key": "job.steps_left / job.speed", "preempt": true}, {"key": "job.age - job.service / job.gpus"}}}

// TestTheCheckWithAPencil: of every preset and policy, in some of the first rounds, each sum that the panel shows comes
// out again from the numbers in it as they are printed, in both languages.
func TestTheCheckWithAPencil(t *testing.T) {
	file, err := os.ReadFile("../../app/web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := words.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	sums, wrong := map[string]int{}, map[string]int{}
	for n, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		refs := allPolicies(doc)
		if n < 4 {
			for _, id := range slices.Sorted(maps.Keys(otherwise)) { // so that a round is asked of the same each time
				for _, params := range otherwise[id] {
					refs = append(refs, message.PolicyRef{ID: id, Params: params})
				}
			}
		}
		for at, ref := range refs {
			if _, known := sums[ref.ID]; !known {
				sums[ref.ID] = 0
			}
			s := lab.NewSession()
			rounds := []int{0, 1, 3 + (n+at)%5, 12}
			if len(doc) > 20000 {
				rounds = []int{2, 9}
			}
			for _, round := range rounds {
				var names [][]string
				for _, in := range []words.Catalogue{nil, german} {
					p := &pencil{in: in}
					s.In = in
					e, diags := s.Explain(&message.ExplainRequest{Scenario: doc, Policy: ref, Round: round})
					if e == nil && round == 0 {
						t.Fatal(ref, diags)
					} else if e == nil {
						break
					}
					says := func(job string, what string, k int, err error) {
						sums[ref.ID] += k
						if err != nil {
							if wrong[ref.ID]++; wrong[ref.ID] < 6 {
								t.Errorf("%s, %s, round %d, %s: %q: %v", name, ref.ID, round, job, what, err)
							}
						}
					}
					tables := 0
					sections := func(job string, list []message.Section) {
						for i := range list {
							for _, line := range list[i].Formula {
								k, err := p.check(line)
								says(job, line, k, err)
							}
							for _, twice := range p.twice(list[i].Formula) {
								says(job, twice, 0, errors.New("one number is written in two ways"))
							}
							if tab := list[i].Table; tab != nil {
								if in == nil {
									var row []string
									for _, c := range tab.Columns {
										row = append(row, c.Name)
									}
									names = append(names, row)
								}
								k, err := p.table(e, tab, names[tables])
								says(job, tab.Title, k, err)
								tables++
							}
						}
					}
					sections("", e.Sections)
					for i := range e.Jobs {
						sections(e.Jobs[i].ID, e.Jobs[i].Sections)
					}
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sums)) {
		if t.Logf("%s: %d sums", id, sums[id]); sums[id] == 0 {
			t.Errorf("%s shows no sum", id)
		}
	}
}

// sum is one in a text: numbers with signs between them, and what they are said to make.
var sum = regexp.MustCompile(`(\(?−?\d[\d.]*(?: ?%)?\)?(?: [×÷+−] \(?−?\d[\d.]*(?: ?%)?\)?)+) = (−?\d+(?:\.\d+)?(?: ?%)?)`)

// TestSumsInTextsComeOut: what texts of the interface, lessons and gallery among them, work out for their reader comes
// out of the digits that stand there, in both languages.
func TestSumsInTextsComeOut(t *testing.T) {
	file, err := os.ReadFile("../../app/web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := words.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	sums := 0
	for english, said := range german {
		for _, text := range []struct {
			in   words.Catalogue
			says string
		}{{nil, english}, {german, said}} {
			p := &pencil{in: text.in, strict: true}
			for _, m := range sum.FindAllStringSubmatch(strings.ReplaceAll(p.plain(text.says), "\u00a0", " "), -1) {
				sums++
				of, share := strings.CutSuffix(m[2], " %")
				want := read(of, 1)
				if share {
					want = interval{want.lo / 100, want.hi / 100}
				}
				got, err := p.worked(m[1])
				if eps := 1e-9 * math.Abs(got.hi); err != nil || got.lo < want.lo-eps || got.hi > want.hi+eps {
					t.Errorf("%q: %v, %v", m[0], got.lo, err)
				}
			}
		}
	}
	if sums < 4 {
		t.Errorf("only %d sums", sums)
	}
}

// TestThePencilIsSharp: it finds what is wrong, and takes what follows from the digits that are printed.
func TestThePencilIsSharp(t *testing.T) {
	german := words.Catalogue{"@lang": "de", ".": ",", ",": "\u202f"}
	for _, c := range []struct {
		in    words.Catalogue
		line  string
		right bool
	}{{nil, "worth = 0.5 ÷ 5 rounds = 0.1", true}, {nil, "worth = 0.5 ÷ 5 rounds = 0.11", false},
		{nil, "p = U_min × (U_max ÷ U_min)^(taken ÷ all) = 0.000185 × (0.5 ÷ 0.000185)^(2 ÷ 3) = 0.03589", true},
		{nil, "p = 0.000185 × (0.5 ÷ 0.000185)^(1 ÷ 3) = 0.03589", false},
		{nil, "rounds = 21,600 steps ÷ 12 steps/s ÷ 360 s = 5, rounded up 5", true},
		{nil, "rounds = 21,600 steps ÷ 12 steps/s ÷ 360 s = 5, rounded up 6", false},
		{nil, "gain = 2 × 10⁻⁵ − 3 × 10⁻⁵ = −1 × 10⁻⁵", true}, {nil, "gain = 2 × 10⁻⁵ − 3 × 10⁻⁵ = 1 × 10⁻⁵", false},
		{nil, "price = 2 × 0.03591 = 0.07181", false}, {nil, "price = 2 × 0.035907 = 0.07181", true},
		{german, "Gewinn = 0,15 − 0,0718 = 0,0781", false},
		{nil, "priority on a V100 = 25 % ÷ 50 % = 0.5", true}, {nil, "x = 1 ÷ = 3", false},
		{german, "Größe = 21\u202f600 Schritte ÷ 20 Schritte/s × 2 ÷ 6 = 360 s", true},
		{german, "Preis = 2 × 0,25 = 0,5", true}, {german, "Preis = 2 × 0,25 = 0,51", false}} {
		p := &pencil{in: c.in}
		if sums, err := p.check(c.line); (err == nil && sums > 0) != c.right {
			t.Errorf("%q: %d sums, %v", c.line, sums, err)
		}
	}
}
