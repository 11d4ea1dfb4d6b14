package formula

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Read reads a formula over names. An error is an *Error at the first place that is wrong.
//
//	choice     = either [ "if" either "else" choice ]
//	either     = both { "or" both }
//	both       = negation { "and" negation }
//	negation   = "not" negation | comparison
//	comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//	sum        = product { ("+" | "-") product }
//	product    = signed { ("*" | "/" | "//" | "%") signed }
//	signed     = ("+" | "-") signed | operand
//	operand    = number | name | function "(" choice { "," choice } ")" | "(" choice ")"
func Read(src string, names []string) (f *Formula, err error) {
	if len(src) > Longest {
		return nil, &Error{Longest + 1, words.Say("The formula has {0} bytes; it may have {1}.", len(src), Longest)}
	}
	p := &parser{src: src, names: names, f: &Formula{}}
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			f, err = nil, e
		}
	}()
	p.next()
	root := p.choice()
	if p.word != "" {
		p.fail(words.Say("The formula should end here, or go on with an operator."))
	}
	if root.yes {
		p.at = 0
		p.fail(words.Say("The formula gives a yes or no; it has to give a number. Write for example 0 if … else 1."))
	}
	p.f.root = root
	p.f.pieces = append(p.f.pieces, Piece{src[p.told:], -1})
	return p.f, nil
}

// parser reads by descent: a method a line of the grammar.
type parser struct {
	src   string
	names []string
	f     *Formula
	at    int    // where the present word begins
	end   int    // and where it ends
	word  string // "" = the end
	deep  int
	told  int // up to where the text is among the pieces
}

func (p *parser) fail(reason words.Text) { panic(&Error{p.at + 1, reason}) }

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	signs   = "+-*/%<>=!(),"
)

// next goes to the next word: a number, a name with its points, a sign.
func (p *parser) next() {
	p.at = p.end
	for p.at < len(p.src) && strings.IndexByte(" \t\n\r", p.src[p.at]) >= 0 {
		p.at++
	}
	rest := p.src[p.at:]
	n := 0
	switch {
	case rest == "":
	case isOf(rest[0], digits+"."):
		n = numberLength(rest)
	case isOf(rest[0], letters):
		n = len(rest) - len(strings.TrimLeft(rest, letters+digits+"."))
	case isOf(rest[0], signs):
		n = 1
		if len(rest) > 1 && slices.Contains([]string{"//", "<=", ">=", "==", "!="}, rest[:2]) {
			n = 2
		}
	default:
		p.fail(words.Say("This sign means nothing in a formula."))
	}
	p.word, p.end = rest[:n], p.at+n
}

func isOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

// numberLength is how long the number is with which s begins: digits, a point, an exponent.
func numberLength(s string) int {
	end := func(n int) int {
		for n < len(s) && isOf(s[n], digits) {
			n++
		}
		return n
	}
	n := end(0)
	if n < len(s) && s[n] == '.' {
		n = end(n + 1)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		sign := n + 1
		if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
			sign++
		}
		n = end(sign)
	}
	return n
}

// got goes on if the present word is that one.
func (p *parser) got(word string) bool {
	if p.word != word {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(word string) {
	if !p.got(word) {
		p.fail(words.Say("“{0}” is missing here.", word))
	}
}

// inner reads what may stand in itself, not too deep.
func (p *parser) inner(read func() *node) *node {
	if p.deep++; p.deep > Nested {
		p.fail(words.Say("More than {0} brackets, signs or conditions stand in one another here.", Nested))
	}
	defer func() { p.deep-- }()
	return read()
}

func (p *parser) choice() *node {
	at := p.at
	x := p.either()
	if !p.got("if") {
		return x
	}
	from := p.at
	y := p.either()
	p.condition(y, from)
	p.expect("else")
	z := p.inner(p.choice)
	if x.yes != z.yes {
		p.at = at
		p.fail(words.Say("Before “if” and after “else” there must be numbers, or a yes or no both times."))
	}
	return &node{op: choose, x: x, y: y, z: z, yes: x.yes}
}

func (p *parser) either() *node { return p.joined("or", or, p.both) }
func (p *parser) both() *node   { return p.joined("and", and, p.negation) }

// joined reads conditions with a word between them.
func (p *parser) joined(word string, o op, read func() *node) *node {
	at := p.at
	x := read()
	for p.word == word {
		p.condition(x, at)
		p.next()
		at = p.at
		y := read()
		p.condition(y, at)
		x = &node{op: o, x: x, y: y, yes: true}
	}
	return x
}

// condition makes sure that x, which began at a place, is a yes or no.
func (p *parser) condition(x *node, at int) {
	if !x.yes {
		p.at = at
		p.fail(words.Say("There must be a comparison here, as in job.gpus > 1."))
	}
}

// quantity makes sure that x, which began at a place, is a number.
func (p *parser) quantity(x *node, at int) {
	if x.yes {
		p.at = at
		p.fail(words.Say("There must be a number here, and this is a yes or no. Write for example 1 if … else 0."))
	}
}

func (p *parser) negation() *node {
	if !p.got("not") {
		return p.comparison()
	}
	at := p.at
	x := p.inner(p.negation)
	p.condition(x, at)
	return &node{op: not, x: x, yes: true}
}

var comparisons = map[string]op{"<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual, "==": equal,
	"!=": notEqual}

func (p *parser) comparison() *node {
	at := p.at
	x := p.sum()
	o, compares := comparisons[p.word]
	if !compares {
		return x
	}
	p.quantity(x, at)
	p.next()
	at = p.at
	y := p.sum()
	p.quantity(y, at)
	if _, again := comparisons[p.word]; again {
		p.fail(words.Say("One comparison may not follow another; join two with “and”."))
	}
	return &node{op: o, x: x, y: y, yes: true}
}

func (p *parser) sum() *node { return p.chain(map[string]op{"+": add, "-": subtract}, p.product) }

func (p *parser) product() *node {
	return p.chain(map[string]op{"*": multiply, "/": divide, "//": floorDivide, "%": modulo}, p.signed)
}

// chain reads numbers with operators between them, from the left.
func (p *parser) chain(ops map[string]op, read func() *node) *node {
	at := p.at
	x := read()
	for {
		o, goesOn := ops[p.word]
		if !goesOn {
			return x
		}
		p.quantity(x, at)
		p.next()
		at = p.at
		y := read()
		p.quantity(y, at)
		x = &node{op: o, x: x, y: y}
	}
}

func (p *parser) signed() *node {
	minus := p.word == "-"
	if !minus && p.word != "+" {
		return p.operand()
	}
	p.next()
	at := p.at
	x := p.inner(p.signed)
	p.quantity(x, at)
	if !minus {
		return x
	}
	return &node{op: negate, x: x}
}

// function is how many arguments one takes, and what it does with them; of more than two it does it from the left.
type function struct {
	op          op
	least, most int
}

var functions = map[string]function{"abs": {absolute, 1, 1}, "max": {largest, 2, 20}, "min": {smallest, 2, 20},
	"math.ceil": {ceil, 1, 1}, "math.exp": {exp, 1, 1}, "math.floor": {floor, 1, 1}, "math.log": {log, 1, 1},
	"math.sqrt": {sqrt, 1, 1}}

func (p *parser) operand() *node {
	word := p.word
	switch {
	case word == "":
		p.fail(words.Say("The formula ends here, and something is missing: a number, a name, or a bracket."))
	case word == "(":
		p.next()
		x := p.inner(p.choice)
		p.expect(")")
		return x
	case isOf(word[0], digits+"."):
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			p.fail(words.Say("{0} is not a number.", word))
		}
		p.next()
		return &node{op: number, value: v}
	}
	if fn, is := functions[word]; is {
		p.next()
		return p.call(word, fn)
	}
	i := slices.Index(p.names, word)
	switch {
	case i >= 0:
		p.f.pieces = append(p.f.pieces, Piece{p.src[p.told:p.at], i})
		p.told = p.end
		p.next()
		if !slices.Contains(p.f.uses, i) {
			p.f.uses = append(p.f.uses, i)
		}
		return &node{op: name, name: i}
	case isOf(word[0], letters):
		p.fail(words.Say("There is no {0}. {1}", word,
			jsondoc.Meant(word, p.names, words.Say("There are {0}.", strings.Join(p.names, ", ")))))
	}
	p.fail(words.Say("A number, a name or a bracket is missing here."))
	return nil
}

// call reads the arguments of a function.
func (p *parser) call(name string, fn function) *node {
	p.expect("(")
	var x *node
	n := 0
	for {
		at := p.at
		y := p.inner(p.choice)
		p.quantity(y, at)
		if n++; n > fn.most {
			p.at = at
			p.fail(words.Say("{0} takes at most {1} numbers.", name, fn.most))
		}
		switch {
		case fn.most == 1:
			x = &node{op: fn.op, x: y}
		case x == nil:
			x = y
		default:
			x = &node{op: fn.op, x: x, y: y}
		}
		if !p.got(",") {
			break
		}
	}
	if n < fn.least {
		p.fail(words.Say("{0} takes at least {1} numbers.", name, fn.least))
	}
	p.expect(")")
	return x
}
