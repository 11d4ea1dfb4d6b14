//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// program is a command and what its environment has besides this one's, as NAME=VALUE.
type program struct{ args, env []string }

// pair is two programs at the same work.
type pair struct {
	program [2]program
	clock   bool               // what counts is the time by the clock, not that of the processor
	took    [2][]time.Duration // by each of their runs
	differs bool               // they have printed different things
}

// measure runs both so many times more. Every other time the second goes first.
func (p *pair) measure(times int) error {
	for range times {
		var printed [2][]byte
		first := len(p.took[0]) % 2
		for _, k := range [...]int{first, 1 - first} {
			var took time.Duration
			var err error
			if printed[k], took, err = p.program[k].run(p.clock); err != nil {
				return err
			}
			p.took[k] = append(p.took[k], took)
		}
		p.differs = p.differs || !bytes.Equal(printed[0], printed[1])
	}
	return nil
}

// run gives what the program prints, and its time.
func (p program) run(clock bool) (printed []byte, took time.Duration, err error) {
	var out, faults bytes.Buffer
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), p.env...), &out, &faults
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w\n%s", strings.Join(p.args, " "), err, faults.Bytes())
	}
	if clock {
		return out.Bytes(), time.Since(began), nil
	}
	return out.Bytes(), cmd.ProcessState.UserTime(), nil
}

// ratio is how many times as long as the first the second takes.
func (p *pair) ratio() float64 { return median(p.took[1]).Seconds() / median(p.took[0]).Seconds() }

// slower tells whether the second takes a tenth longer, and by more than the ticks in which the system counts.
func (p *pair) slower() bool {
	return p.ratio() > 1.1 && median(p.took[1])-median(p.took[0]) > 10*time.Millisecond
}

// said is the rest of the table's row that begins with the work.
func (p *pair) said() string {
	var notes []string
	if p.slower() {
		notes = append(notes, "slower")
	}
	if p.differs {
		notes = append(notes, "other results")
	}
	return fmt.Sprintf("%.3f | %.3f | %.2f | %s |", median(p.took[0]).Seconds(), median(p.took[1]).Seconds(), p.ratio(),
		strings.Join(notes, ", "))
}

// median of an even number is the upper of the two in the middle.
func median[T ~int64 | ~float64](of []T) T {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}
