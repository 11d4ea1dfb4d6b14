//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"hadarlab/core/csv"
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
	f.IntVar(&s.Rounds, "rounds", s.Rounds, "rounds `N` of the copies, whose steps and time the other lanes get")
	f.Var((*speeds)(&s.Speeds), "speeds", "`X,Y,…` steps/s of a copy, one number a node")
	f.Float64Var(&s.RoundS, "round-s", s.RoundS, "length `S` of a round in s")
	f.Float64Var(&s.StallS, "stall-s", s.StallS, "time `S` in s that a start takes, and a merge of copies in each round")
	f.Float64Var(&s.LearningRate, "learning-rate", s.LearningRate,
		"highest learning `RATE`; in every lane it falls along a cosine to a hundredth at its last step")
	f.IntVar(&s.Points, "points", s.Points, "points `N` to train on")
	sharding := choiceFlag(f, "sharding", "`HOW` points get to nodes: rounds, each its own part, dealt anew each round, "+
		"or none, all to each", train.Shardings...)
	averaging := choiceFlag(f, "averaging", "`WEIGHTS` of the copies: both lanes, by steps as HadarE, or plain", train.Averagings...)
	format := choiceFlag(f, "format", "output `FORMAT`: table, csv with a row a model and instant, or json", "table", "csv", "json")
	if _, code, ok := c.read(std, f, args, ""); !ok {
		return nil, "", code
	}
	s.Seed, s.Averaging, s.Sharding = seed.value, *averaging, *sharding
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
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d steps, seeds done: %d ", strings.Repeat("#", marks),
		strings.Repeat(".", 30-marks), done, of, e.Seeds())
}

func trainCSV(w io.Writer, rows []train.Row) error {
	out := csv.NewWriter(w)
	out.Row("data", "seed", "lane", "time_s", "steps", "accuracy", "loss", "same")
	for _, r := range rows {
		out.Row("synthetic", strconv.FormatUint(r.Seed, 10), r.Lane, message.Number(r.TimeS),
			strconv.Itoa(r.Steps), message.Number(r.Accuracy), message.Number(r.Loss), r.Same)
	}
	return out.Flush()
}

// trainTable prints how the lanes end, with the same steps and with the same time.
func trainTable(w io.Writer, r *train.Result) error {
	fmt.Fprintf(w, "%s\nHadarE's claim in miniature, not its result: mean of %s ± half the 95 %% interval, on points held "+
		"out.\nIn every lane the learning rate falls from %s to %s; a step is on 16 of %d points.\n"+
		"Synchronous: an update is a step a node, divided by speed; what nodes tell each other takes no time.\n", r.Data,
		figure.Plural(nil, r.Seeds, "seed"), message.Number(r.LearningRate), message.Number(r.EndRate), r.Points)
	for _, same := range []string{train.SameSteps, train.SameTime} {
		fmt.Fprintf(w, "\n%s\n", sameOf(r, same))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(t, "\tsteps\tdone at\taccuracy\tloss\taccuracy less one node's\tloss less one node's\t\n")
		for i := range r.Ends {
			e := &r.Ends[i]
			if e.Same != same {
				continue
			}
			fmt.Fprintf(t, "%s\t%d\t%.0f s\t%s\t%s\t", e.Lane, e.Steps, e.TimeS, meanOf(e.Accuracy), meanOf(e.Loss))
			if d := r.Less(e.Lane, same); d != nil {
				fmt.Fprintf(t, "%s\t%s\t", gap(d.Accuracy), gap(d.Loss))
			} else {
				fmt.Fprint(t, "\t\t")
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sameOf says what all lanes of a comparison have had alike: what the copies, the first of them, did or took.
func sameOf(r *train.Result, same string) string {
	if same == train.SameSteps {
		return fmt.Sprintf("Same steps: %d in every lane", r.Ends[0].Steps)
	}
	return fmt.Sprintf("Same time: %.0f s in every lane", r.Ends[0].TimeS)
}
