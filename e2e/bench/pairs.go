//go:build linux || darwin

package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tool is the go command.
var tool = cmp.Or(os.Getenv("GO"), "go")

// pairs times whole runs of the command line of this tree and of a commit in turns, since figures of different machines
// or days do not compare.
func pairs(f *flag.FlagSet, args []string) error {
	base := f.String("base", "", "`COMMIT` to compare with (default the last, or the one before the program's last change)")
	times := f.Int("n", 7, "`PAIRS` of runs; as many again where one seems slower")
	f.Parse(args)
	if args = f.Args(); len(args) == 0 {
		args = []string{"480x60=gavel-fifo,gavel-las,gavel-ftf,gavel-makespan,hadar,hadare",
			"5000x108=gavel-fifo,gavel-las,tiresias"}
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := works(dir, args)
	if err != nil {
		return err
	}
	if *base == "" {
		if *base, err = last(); err != nil {
			return err
		}
	}
	was, is := filepath.Join(dir, "was"), filepath.Join(dir, "is")
	if err := unpack(*base, filepath.Join(dir, "src")); err != nil {
		return err
	}
	if err := errors.Join(build(filepath.Join(dir, "src"), was), build("", is)); err != nil {
		return err
	}
	fmt.Printf("| work | policy | %s, s | now, s | ratio | |\n|---|---|---:|---:|---:|---|\n", *base)
	var slower []string
	for _, w := range all {
		for _, id := range w.policies {
			run := []string{"run", "--format", "json", "--policy", id, w.scenario}
			p := pair{program: [2]program{{args: append([]string{was}, run...)}, {args: append([]string{is}, run...)}}}
			if err := p.judge(max(1, *times)); err != nil {
				return err
			}
			fmt.Printf("| %s | %s | %s\n", w.name, id, p.said())
			if p.slower() {
				slower = append(slower, w.name+"="+id)
			}
		}
	}
	if slower != nil {
		return fmt.Errorf("a tenth slower than %s: %s", *base, strings.Join(slower, " "))
	}
	return nil
}

// judge measures, and where the second seems slower, as often again: it was a busy moment, perhaps.
func (p *pair) judge(times int) error {
	err := p.measure(times)
	if err == nil && p.slower() {
		err = p.measure(times)
	}
	return err
}

// last is the last commit, if what the program is made of has changed since, or else the one before the last that
// changed it.
func last() (string, error) {
	made := []string{"--", "core", "worker", "scenarios", "go.mod", ":!*_test.go"}
	changed, err := command("", append([]string{"git", "status", "--porcelain"}, made...)...)
	if err != nil || changed != "" {
		return "HEAD", err
	}
	commit, err := command("", append([]string{"git", "log", "-1", "--format=%h"}, made...)...)
	return commit + "^", err
}

// unpack lays the files of a commit into a new folder. The checkout and its index stay as they are.
func unpack(commit, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if _, err := command("", "git", "archive", "--format=tar", "-o", dir+".tar", commit); err != nil {
		return err
	}
	_, err := command("", "tar", "-xf", dir+".tar", "-C", dir)
	return err
}

// build makes the program of the module in a folder.
func build(dir, file string) error {
	_, err := command(dir, tool, "build", "-o", file, "./worker/cmd/hadarlab")
	return err
}

// command gives what a command prints, run in a folder, "" = this one.
func command(dir string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// cores times a sweep of 32 seeds on one core and on two by the clock, in turns, on a machine that should have nothing
// else to do.
func cores(f *flag.FlagSet, args []string) error {
	times := f.Int("n", 3, "`PAIRS` of sweeps")
	f.Parse(args)
	if args = f.Args(); len(args) == 0 {
		args = []string{"5000x108=gavel-las"}
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := works(dir, args)
	if err != nil {
		return err
	}
	is := filepath.Join(dir, "is")
	if err := build("", is); err != nil {
		return err
	}
	fmt.Println("| 32 seeds of | policy | one core, s | two cores, s | ratio | |\n|---|---|---:|---:|---:|---|")
	for _, w := range all {
		for _, id := range w.policies {
			sweep := []string{is, "run", "--format", "json", "--replicates", "32", "--policy", id, w.scenario}
			p := pair{clock: true, program: [2]program{{sweep, []string{"GOMAXPROCS=1"}},
				{sweep, []string{"GOMAXPROCS=2"}}}}
			if err := p.measure(max(1, *times)); err != nil {
				return err
			}
			fmt.Printf("| %s | %s | %s\n", w.name, id, p.said())
		}
	}
	return nil
}
