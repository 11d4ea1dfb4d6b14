//go:build !js

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"hadarlab/core/claims"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// trying is what of the paper board is to be run.
type trying struct {
	claims []*claims.Claim
	seeds  int
	small  bool
	movers bool
	keep   string // folder of runs that are done, "" = none is kept
	record string // file of results that the new ones go into, "" = none
}

func claimsCommand(c command, std streams, args []string) int {
	f := c.flags()
	all := f.Bool("all", false, "run every row")
	var x trying
	f.BoolVar(&x.small, "small", false, "run cut-down forms only")
	f.BoolVar(&x.movers, "movers", false, "run the choices that may move the figures, too")
	wholeFlag(f, &x.seeds, "seeds", claims.Seeds, 2, "seeds `N` of each row")
	f.StringVar(&x.keep, "keep", "", "`DIR` in which runs are kept, so that a run that was interrupted goes on")
	f.StringVar(&x.record, "record", "", "results `FILE` that the figures are written into")
	ranks := f.String("ranks", "", "rank all policies over the suite gavel, and write what they came to into `FILE`")
	format := choiceFlag(f, "format", "output `FORMAT`: table, csv with a row a scenario and seed, json, or markdown",
		"table", "csv", "json", "markdown")
	ids, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	for _, id := range ids {
		row, err := claims.Find(id)
		if err != nil {
			fmt.Fprintf(std.err, "hadarlab claims: %v\n", err)
			return exitUsage
		}
		x.claims = append(x.claims, row)
	}
	if *all {
		x.claims = claims.All()
	}
	if x.seeds > 1000 {
		fmt.Fprintf(std.err, "--seeds: %d is too many (choose 2 to 1000)\n", x.seeds)
		return exitUsage
	}
	if x.record != "" && (x.seeds != claims.Seeds || x.small) {
		fmt.Fprintf(std.err, "--record: verdicts come from full forms of %d seeds (leave --seeds and --small out)\n",
			claims.Seeds)
		return exitUsage
	}
	if *ranks != "" {
		if err := x.rank(std, *ranks); err != nil {
			fmt.Fprintf(std.err, "hadarlab claims: %v\n", err)
			return exitFailed
		}
		return exitOK
	}
	board, err := claims.Board()
	code = exitOK
	if x.claims != nil && err == nil {
		board, code, err = x.run(std)
	}
	if err == nil {
		err = printBoard(std.out, board, *format)
	}
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab claims: %v\n", err)
		return exitFailed
	}
	return code
}

// part is a form of a row whose runs belong together.
type part struct {
	of    *claims.Claim
	world *claims.World
	seeds int
	put   func(*claims.Record, *claims.Series)
}

func (x *trying) parts() (out []part) {
	for _, c := range x.claims {
		if c.World == nil {
			continue
		}
		full := func(r *claims.Record, s *claims.Series) { r.Full = s }
		small := func(r *claims.Record, s *claims.Series) { r.Small = s }
		if x.small {
			out = append(out, part{c, c.Browser(), x.seeds, full})
			continue
		}
		out = append(out, part{c, c.World, x.seeds, full})
		if x.record != "" {
			out = append(out, part{c, c.Browser(), claims.SmallSeeds, small})
		}
		for _, m := range c.Movers {
			if x.movers {
				move := func(r *claims.Record, s *claims.Series) {
					r.Moves = append(r.Moves, claims.Move{Choice: m.Choice, Value: m.Value, Series: *s})
				}
				out = append(out, part{c, m.World, min(x.seeds, claims.MoverSeeds), move})
			}
		}
	}
	return out
}

// run works the parts off on all cores. What is done when Ctrl C comes is kept, and recorded row by row.
func (x *trying) run(std streams) (board []*claims.Standing, code int, err error) {
	interrupted, off := interrupts()
	defer off()
	type piece struct {
		claims.Piece
		part, at int
		alone    uint64 // the seed, where no scenario is run
	}
	parts := x.parts()
	var pieces []piece
	outcomes := make([][]*claims.Outcome, len(parts))
	alone := make([][]float64, len(parts))
	for i, p := range parts {
		if p.world.Alone != nil {
			for seed := range uint64(p.seeds) {
				pieces = append(pieces, piece{part: i, alone: seed + 1})
			}
			continue
		}
		for at, one := range p.world.Pieces(p.seeds) {
			pieces = append(pieces, piece{Piece: one, part: i, at: at})
		}
	}
	type done struct {
		outcome *claims.Outcome
		figure  float64
		err     error
	}
	var over atomic.Bool
	bar, n := newProgress(std.err), 0
	look := func() {
		bar.sweep(message.SweepProgress{Done: n, Runs: len(pieces)})
		if interrupted() {
			over.Store(true)
		}
	}
	inOrder(len(pieces), func(i int) (d done) {
		p := &pieces[i]
		if over.Load() {
			return d
		}
		if p.alone > 0 {
			d.figure, d.err = parts[p.part].world.Alone(p.alone)
			d.outcome = &claims.Outcome{}
			return d
		}
		d.outcome, d.err = x.kept(&p.Piece, over.Load)
		return d
	}, func(d done) bool {
		p := &pieces[n]
		switch {
		case d.err != nil:
			err = errors.Join(err, fmt.Errorf("%s: %w", parts[p.part].of.ID, d.err))
		case d.outcome == nil:
			return false
		case p.alone > 0:
			alone[p.part] = append(alone[p.part], d.figure)
		default:
			outcomes[p.part] = append(outcomes[p.part], d.outcome)
		}
		n++
		look()
		return true
	}, look)
	bar.clear()
	if n < len(pieces) {
		fmt.Fprintf(std.err, "stopped after %d of %d runs", n, len(pieces))
		if x.keep != "" {
			fmt.Fprint(std.err, "; the same command goes on from there")
		}
		fmt.Fprintln(std.err)
		return nil, exitFailed, err
	}
	if err != nil {
		return nil, exitFailed, err
	}
	records := map[*claims.Claim]*claims.Record{}
	for i, p := range parts {
		r := records[p.of]
		if r == nil {
			r = &claims.Record{ID: p.of.ID, Date: time.Now().UTC().Format(time.DateOnly), Engine: lab.Engine}
			records[p.of] = r
		}
		if s := alone[i]; s != nil {
			series := &claims.Series{}
			for _, v := range s {
				series.Of = append(series.Of, []float64{v})
			}
			p.put(r, series)
			continue
		}
		p.put(r, p.world.Collect(p.seeds, outcomes[i]))
	}
	for _, c := range x.claims {
		s := c.Stand(records[c])
		if x.small { // groups and published points are those of the full form
			cut := *c
			cut.Form = claims.Form{}
			s.Claim = &cut
		}
		board = append(board, s)
	}
	if x.record != "" {
		return board, exitOK, merge(x.record, board)
	}
	return board, exitOK, nil
}

// rank runs all policies over the suite on all cores, and writes their figures. A policy that refuses is left out, with
// what it says.
func (x *trying) rank(std streams, file string) error {
	interrupted, off := interrupts()
	defer off()
	type done struct {
		*claims.Outcome
		err error
	}
	pieces := claims.RankPieces()
	var over atomic.Bool
	bar, outcomes := newProgress(std.err), []done(nil)
	look := func() {
		bar.sweep(message.SweepProgress{Done: len(outcomes), Runs: len(pieces)})
		if interrupted() {
			over.Store(true)
		}
	}
	inOrder(len(pieces), func(i int) (d done) {
		d.Outcome, d.err = x.kept(&pieces[i], over.Load)
		return d
	}, func(d done) bool {
		if over.Load() {
			return false
		}
		outcomes = append(outcomes, d)
		look()
		return true
	}, look)
	bar.clear()
	if len(outcomes) < len(pieces) {
		return fmt.Errorf("stopped after %d of %d runs", len(outcomes), len(pieces))
	}
	r := &claims.Ranks{Date: time.Now().UTC().Format(time.DateOnly), Engine: lab.Engine}
	for i := 0; pieces[i].Lane.ID == pieces[0].Lane.ID; i++ {
		r.Scenarios = append(r.Scenarios, pieces[i].Doc.Meta.Title)
	}
	for from := 0; from < len(pieces); {
		id, end := pieces[from].Lane.ID, from
		p := claims.RankedPolicy{ID: id, Values: map[string][]float64{}}
		var refused error
		for ; end < len(pieces) && pieces[end].Lane.ID == id; end++ {
			if outcomes[end].err != nil {
				refused = cmp.Or(refused, outcomes[end].err)
				continue
			}
			for _, name := range claims.RankMetrics {
				v := message.FindMetric(name).Of(&outcomes[end].Metrics)
				p.Values[name] = append(p.Values[name], v)
			}
		}
		if refused != nil {
			r.Refused = append(r.Refused, claims.Refusal{ID: id, Says: refused.Error()})
		} else {
			r.Policies = append(r.Policies, p)
		}
		from = end
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}

// kept is the outcome of a run, from the folder where it is there already.
func (x *trying) kept(p *claims.Piece, stop func() bool) (*claims.Outcome, error) {
	if x.keep == "" {
		return p.Run(stop)
	}
	name := filepath.Join(x.keep, p.Key()+".json")
	if b, err := os.ReadFile(name); err == nil {
		o := &claims.Outcome{}
		if json.Unmarshal(b, o) == nil {
			return o, nil
		}
	}
	o, err := p.Run(stop)
	if o == nil {
		return nil, err
	}
	b, err := json.Marshal(o)
	if err == nil {
		err = os.MkdirAll(x.keep, 0o755)
	}
	if err == nil {
		err = os.WriteFile(name+".new", b, 0o644)
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	return o, err
}

// merge puts what was measured into the file of results, in the order of the board, beside what it has of other rows.
func merge(file string, board []*claims.Standing) error {
	var list []*claims.Record
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err == nil {
		if err := json.Unmarshal(b, &list); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	var out []*claims.Record
	for _, c := range claims.All() {
		of := func(id string) func(*claims.Record) bool {
			return func(r *claims.Record) bool { return r != nil && r.ID == id }
		}
		var r *claims.Record
		if i := slices.IndexFunc(list, of(c.ID)); i >= 0 {
			r = list[i]
		}
		for _, s := range board {
			if s.Claim == c && s.Record != nil {
				r = s.Record
			}
		}
		if r != nil && c.World != nil {
			out = append(out, r)
		}
	}
	var text strings.Builder
	text.WriteString("[\n")
	for i, r := range out {
		b, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(b)
		if i < len(out)-1 {
			text.WriteString(",")
		}
		text.WriteString("\n")
	}
	text.WriteString("]\n")
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

// printBoard prints rows as they stand.
func printBoard(w io.Writer, board []*claims.Standing, format string) error {
	switch format {
	case "csv":
		claims.CSV(w, board)
	case "json":
		return printJSON(w, claimRows(board))
	case "markdown":
		_, err := io.WriteString(w, claims.Markdown(board))
		return err
	default:
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "claim\tpublished\tours\t95 % interval\tseeds\tverdict\n")
		for _, s := range board {
			ours, spread, seeds := "–", "", "–"
			if s.Ours.N > 0 {
				ours, spread, seeds = s.Unit.Say(s.Ours.Mean), s.Unit.Spread(s.Ours), figure.Int(s.Ours.N)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Claim.ID, s.PublishedText(), ours, spread, seeds, s.Verdict)
		}
		t.Flush()
		for _, s := range board {
			for i, m := range s.Moved {
				if i == 0 {
					fmt.Fprintf(w, "\n%s moves by\n", s.Claim.ID)
				}
				fmt.Fprintf(w, "  %-40s to %s (%s)\n", m.Choice+": "+m.Value, s.Unit.Say(m.To.Mean),
					s.Unit.Spread(m.To))
			}
		}
	}
	return nil
}
