//go:build !js

package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/train"
)

func trainCommand(c command, std streams, args []string) int {
	set, format, code := trainFlags(c, std, args)
	if set == nil {
		return code
	}
	e, err := train.New(*set)
	if fault := (*train.Fault)(nil); errors.As(err, &fault) {
		fmt.Fprintf(std.err, "--%s: %s (%s)\n", strings.ReplaceAll(fault.Field, "_", "-"), fault.Wrong, fault.Fix)
		return exitUsage
	}
	interrupted, off := interrupts()
	defer off()
	if code = trainAll(std, e, interrupted); e.Seeds() == 0 {
		return code
	}
	switch format {
	case "json":
		err = printJSON(std.out, e.Result())
	case "csv":
		err = trainCSV(std.out, e.Rows())
	default:
		err = trainTable(std.out, e.Result())
	}
	if err != nil {
		return c.broken(std, err)
	}
	return code
}

// trainFlags reads what is trained, and the form of the output; nil, with the exit code, when nothing is to be done.
func trainFlags(c command, std streams, args []string) (set *train.Settings, form string, code int) {
	f, s := c.flags(), train.Defaults()
	seed := seedFlag(f, s.Seed, "seed `N` of the first model, counted up for the next (default 1)")
	f.IntVar(&s.Seeds, "seeds", s.Seeds, "models `N` that each lane trains")
	f.IntVar(&s.Rounds, "rounds", s.Rounds, "rounds `N` of the copies; every lane does as many steps")
	f.Var((*speeds)(&s.Speeds), "speeds", "`X,Y,…` steps/s of a copy, one number a node")
	f.Float64Var(&s.RoundS, "round-s", s.RoundS, "length `S` of a round in s")
	f.Float64Var(&s.StallS, "stall-s", s.StallS, "time `S` in s that a start takes, and a merge in each round")
	f.Float64Var(&s.LearningRate, "learning-rate", s.LearningRate, "learning `RATE` of every step")
	averaging := choiceFlag(f, "averaging", "`WEIGHTS` of the copies: both lanes, by steps as HadarE, or plain", train.Averagings...)
	format := choiceFlag(f, "format", "output `FORMAT`: table, csv with a row a model and instant, or json", "table", "csv", "json")
	if _, code, ok := c.read(std, f, args, ""); !ok {
		return nil, "", code
	}
	s.Seed, s.Averaging = seed.value, *averaging
	return &s, *format, exitOK
}

// speeds is a list of numbers.
type speeds []float64

func (s *speeds) String() string {
	var list []string
	for _, v := range *s {
		list = append(list, message.Number(v))
	}
	return strings.Join(list, ",")
}

func (s *speeds) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) {
			return fmt.Errorf("has %q, which is not a number (write steps/s, as 6,5,3,2,1)", part)
		}
		*s = append(*s, v)
	}
	return nil
}

// trainAll works an experiment off, with a progress line on a terminal, until stop says so: what is done then counts.
func trainAll(std streams, e *train.Experiment, stop func() bool) int {
	bar := newProgress(std.err)
	halted := false
	step := func() (more bool) {
		halted = stop()
		return !halted && e.Spend()
	}
	for workFor(lookUp, step) {
		bar.train(e)
	}
	bar.clear()
	if !halted {
		return exitOK
	}
	if e.Seeds() == 0 {
		fmt.Fprintln(std.err, "stopped before the models of a seed were done; there is no result")
	} else {
		fmt.Fprintf(std.err, "stopped after %s; the result holds what was done by then\n",
			figure.Plural(nil, e.Seeds(), "seed"))
	}
	return exitFailed
}

func (p *progress) train(e *train.Experiment) {
	if !p.on {
		return
	}
	p.last = time.Now()
	done, of := e.Progress()
	marks := 30 * done / of
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d rounds, seeds done: %d ", strings.Repeat("#", marks),
		strings.Repeat(".", 30-marks), done, of, e.Seeds())
}

func trainCSV(w io.Writer, rows []train.Row) error {
	out := csv.NewWriter(w)
	out.Write([]string{"data", "seed", "lane", "time_s", "steps", "accuracy", "loss"})
	for _, r := range rows {
		out.Write([]string{"synthetic", strconv.FormatUint(r.Seed, 10), r.Lane, message.Number(r.TimeS),
			strconv.Itoa(r.Steps), message.Number(r.Accuracy), message.Number(r.Loss)})
	}
	out.Flush()
	return out.Error()
}

// trainTable prints accuracy and loss at each merge, then how the copies end against one node.
func trainTable(w io.Writer, r *train.Result) error {
	fmt.Fprintf(w, "%s\nHadarE's claim in miniature, not its result: mean of %s ± half the 95 %% interval, "+
		"on points held out\n\n", r.Data, figure.Plural(nil, r.Seeds, "seed"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, l := range r.Lanes {
		fmt.Fprintf(t, "\t%s\t\t", l.Lane)
	}
	fmt.Fprint(t, "\ntime_s\t"+strings.Repeat("steps\taccuracy\tloss\t", len(r.Lanes)))
	for i := range r.Lanes[0].TimeS {
		fmt.Fprintf(t, "\n%.0f\t", r.Lanes[0].TimeS[i])
		for _, l := range r.Lanes {
			accuracy := train.Figure{Mean: l.Accuracy[i], Half: l.AccuracyHalf[i]}
			fmt.Fprintf(t, "%d\t%s\t%s\t", l.Steps[i], meanOf(accuracy),
				meanOf(train.Figure{Mean: l.Loss[i], Half: l.LossHalf[i]}))
		}
	}
	fmt.Fprintln(t)
	t.Flush()
	for _, e := range r.Ends {
		fmt.Fprintf(w, "\n%s, %d steps, done at %.0f s: accuracy %s, loss %s", e.Lane, e.Steps, e.TimeS,
			meanOf(e.Accuracy), meanOf(e.Loss))
	}
	fmt.Fprintln(w)
	for _, d := range r.Differences {
		fmt.Fprintf(w, "\n%s less one node, same %s: accuracy %s, higher in %d of %d; loss %s", d.Lane, d.Same,
			gap(d.Accuracy), d.Better, r.Seeds, gap(d.Loss))
	}
	_, err := fmt.Fprintln(w)
	return err
}
