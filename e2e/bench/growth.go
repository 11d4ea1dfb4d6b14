//go:build linux || darwin

package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gonum.org/v1/gonum/stat"

	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
)

// busy is the part of what the cluster can serve that arrives: with more the queue grows, and every decision with it.
const busy = 0.85

type size struct{ jobs, gpus int }

// kinds of growth: the same cluster for longer, and a larger one for about as long. Pollux, whose jobs have profiles
// and may hold any number of GPUs, has the 160 jobs on 64 GPUs of a preset as its unit, at their own load.
var kinds = []struct {
	name, title string
	pollux      bool
	sizes       []size
}{
	{"jobs", "jobs alone", false, []size{{1000, 128}, {3000, 128}, {10000, 128}, {30000, 128}, {100000, 128}}},
	{"both", "jobs and GPUs", false, []size{{1000, 128}, {2500, 256}, {10000, 1024}, {40000, 4096}, {100000, 10000}}},
	{"jobs", "jobs alone, Pollux's", true, []size{{160, 64}, {320, 64}, {640, 64}, {1280, 64}, {2560, 64}}},
	{"both", "jobs and GPUs, Pollux's", true, []size{{160, 64}, {320, 128}, {640, 256}, {1280, 512}, {2560, 1024}}},
}

// figures are what a process has measured of itself.
type figures struct {
	Simulation float64 // s of the processor in user mode, from the compiled scenario to the whole trace
	Process    float64 // s of it from the process's start to the result with its figures and hash
	Peak       float64 // MB resident at most until then
}

// row is one figure at each size.
type row []float64

// growth prints a table a kind of growth: at each size what the process has measured, and of each figure the power of
// the number of jobs with which it grows.
func growth(f *flag.FlagSet, args []string) error {
	ids := f.String("policy", "fifo,sjf,tiresias,gavel-las,hadar,hadare,pollux", "`IDS` of the policies")
	runs := f.Int("n", 3, "`RUNS` of which the median counts; one where it takes 20 s")
	largest := f.Int("jobs", 100000, "`JOBS` of the largest size")
	limit := f.Duration("limit", 5*time.Minute, "`TIME` of the processor that a run may take; larger ones are left out, too")
	f.Parse(args)
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, kind := range kinds {
		policies := slices.DeleteFunc(strings.Split(*ids, ","),
			func(id string) bool { return (id == "pollux") != kind.pollux })
		if f.NArg() > 0 && !slices.Contains(f.Args(), kind.name) || len(policies) == 0 {
			continue
		}
		sizes := slices.DeleteFunc(slices.Clone(kind.sizes), func(s size) bool { return s.jobs > *largest })
		head, last, files := "| "+kind.title+" |", "| last arrival after |", make([]string, len(sizes))
		for i, s := range sizes {
			files[i] = filepath.Join(dir, fmt.Sprintf("%dx%d.json", s.jobs, s.gpus))
			hours, err := s.write(files[i], kind.pollux)
			if err != nil {
				return err
			}
			head += fmt.Sprintf(" %d × %d |", s.jobs, s.gpus)
			last += fmt.Sprintf(" %.0f h |", hours)
		}
		fmt.Printf("\n%s exponents |\n|---|%s\n%s |\n", head, strings.Repeat("---:|", len(sizes)+1), last)
		for _, id := range policies {
			done, err := grow(id, files, sizes, max(1, *runs), *limit)
			if err != nil {
				return err
			}
			if !kind.pollux {
				continue
			}
			fmt.Print("| the genetic search's share |")
			for _, file := range files[:done] {
				share, err := searching(file, filepath.Join(dir, "profile"))
				if err != nil {
					return err
				}
				fmt.Printf(" %s |", share)
			}
			fmt.Printf("%s |\n", strings.Repeat(" – |", len(files)-done))
		}
	}
	return nil
}

// grow prints the row of a policy and tells how many sizes are done.
func grow(id string, files []string, sizes []size, runs int, limit time.Duration) (done int, err error) {
	fmt.Printf("| %s |", id)
	var jobs, simulation, process, peak row
	for i, file := range files {
		m, err := repeated(id, file, runs, limit)
		if err == errLong {
			fmt.Printf(" over %s |%s", limit, strings.Repeat(" – |", len(files)-i-1))
			break
		} else if err != nil {
			return 0, err
		}
		fmt.Printf(" %s / %s / %.0f |", figure.Sig(nil, m.Simulation, 2), figure.Sig(nil, m.Process, 2), m.Peak)
		jobs, simulation = append(jobs, float64(sizes[i].jobs)), append(simulation, m.Simulation)
		process, peak = append(process, m.Process), append(peak, m.Peak)
	}
	fmt.Printf(" %s / %s / %s |\n", exponent(jobs, simulation), exponent(jobs, process), exponent(jobs, peak))
	return len(jobs), nil
}

// exponent is that of the power of the jobs that fits best, by least squares of the logarithms; of two sizes it would
// say little.
func exponent(jobs, of row) string {
	if len(jobs) < 3 {
		return "–"
	}
	logs := func(of row) (out []float64) {
		for _, v := range of {
			out = append(out, math.Log(v))
		}
		return out
	}
	_, slope := stat.LinearRegression(logs(jobs), logs(of), nil, false)
	return fmt.Sprintf("%.2f", slope)
}

// errLong is that of a process that the system has ended, since it took more time than it may.
var errLong = errors.New("it takes too long")

// repeated are the medians of several processes, each of which may take so much time of the processor.
func repeated(id, file string, runs int, limit time.Duration) (m figures, err error) {
	var simulation, process, peak row
	for len(peak) < runs && m.Process < 20 {
		cmd := exec.Command(os.Args[0], "one", "-limit", limit.String(), id, file)
		out, err := cmd.Output()
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			if s := cmd.ProcessState; s.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL &&
				s.UserTime()+s.SystemTime() >= limit.Truncate(time.Second) {
				return m, errLong
			}
			return m, fmt.Errorf("%s: %w: %s", id, err, exit.Stderr)
		}
		if err := errors.Join(err, json.Unmarshal(out, &m)); err != nil {
			return m, err
		}
		simulation, process, peak = append(simulation, m.Simulation), append(process, m.Process), append(peak, m.Peak)
	}
	return figures{median(simulation), median(process), median(peak)}, nil
}

// one is what each of those processes does.
func one(f *flag.FlagSet, args []string) error {
	profile := f.String("profile", "", "`FILE` that takes a profile of the simulation, in place of figures")
	limit := f.Duration("limit", time.Hour, "`TIME` of the processor after which the system ends it, in whole s")
	f.Parse(args)
	s := uint64(*limit / time.Second)
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: s, Max: s}); err != nil {
		return err
	}
	doc, err := os.ReadFile(f.Arg(1))
	if err != nil {
		return err
	}
	if *profile != "" {
		s, err := start(doc, f.Arg(0))
		if err != nil {
			return err
		}
		file, err := os.Create(*profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		s.Trace(0)
		pprof.StopCPUProfile()
		return file.Close()
	}
	m, err := measured(doc, f.Arg(0))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// measured does the work of hadarlab run, in the same steps. A simulation too short to be timed is done again then.
func measured(doc []byte, id string) (m figures, err error) {
	runs := 0.0
	for total := 0.0; total < 0.1; {
		s, err := start(doc, id)
		if err != nil {
			return m, err
		}
		before := used()
		s.Trace(0)
		total += used() - before
		if runs++; runs == 1 {
			if err := finish(s); err != nil {
				return m, err
			}
			m.Process, m.Peak = used(), peak()
		}
		m.Simulation = total / runs
	}
	return m, nil
}

// start is a session whose run is ready to begin.
func start(doc []byte, id string) (*lab.Session, error) {
	s := lab.NewBatch()
	s.Bare = true
	diags := s.Start(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: id}}})
	return s, refused(diags)
}

// finish has the session answer with the figures of its run, which must have come to its end.
func finish(s *lab.Session) error {
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1)
		for _, m := range out {
			if m.Failure != nil {
				return fmt.Errorf("it cannot run: %s", m.Failure.Message)
			}
			if m.Lane != nil && m.Lane.Outcome != "done" {
				return fmt.Errorf("the run ends %s", m.Lane.Outcome)
			}
		}
	}
	return nil
}

// used is the processor time in s that the process has spent in user mode.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // there is no other reason than a wrong call
	}
	return float64(u.Utime.Nano()) / 1e9
}

// peak is how many MB of the process were resident at most; 0 where there is no /proc. Getrusage would not do: on Linux
// its figure begins with what the process that started this one had.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
			return kb * 1024 / 1e6
		}
	}
	return 0
}

// searching is the share of the simulation's processor time that Pollux's search takes, by a profile.
func searching(file, profile string) (string, error) {
	if _, err := command("", os.Args[0], "one", "-profile", profile, "pollux", file); err != nil {
		return "", err
	}
	top, err := command("", tool, "tool", "pprof", "-top", "-cum", "-nodecount=100", os.Args[0], profile)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(top) {
		if f := strings.Fields(line); len(f) > 5 && strings.HasSuffix(f[5], "goodput.(*Search).Run") {
			percent, err := strconv.ParseFloat(strings.TrimSuffix(f[4], "%"), 64)
			return fmt.Sprintf("%.0f %%", percent), err
		}
	}
	return "", errors.New("the search is not in the profile")
}

// write makes the scenario of a size and tells when the last job arrives, in h.
func (s size) write(file string, pollux bool) (hours float64, err error) {
	draw := loaded
	if pollux {
		draw = copied
	}
	doc, err := draw(s)
	if err != nil {
		return 0, err
	}
	p, err := compiled(doc)
	if err != nil {
		return 0, err
	}
	return p.Jobs[len(p.Jobs)-1].Arrive.Seconds() / 3600, os.WriteFile(file, doc, 0o644)
}

// loaded is a scenario of drawn jobs that arrive at so high a rate that the cluster is as busy as it shall be.
func loaded(s size) ([]byte, error) {
	p, err := compiled(drawn(s.jobs, s.gpus, float64(s.gpus))) // when they arrive changes nothing else of the jobs
	if err != nil {
		return nil, err
	}
	seconds := 0.0 // of a GPU
	for i := range p.Jobs {
		j := &p.Jobs[i]
		seconds += float64(j.Shape.Size) * float64(j.Work) / speed(p, j)
	}
	return drawn(s.jobs, s.gpus, busy*float64(s.gpus)*float64(s.jobs)/(seconds/3600)), nil
}

// speed is the mean of a job's over the types, of which each has as many GPUs: it spends as much time on each.
func speed(p *model.Problem, j *model.Job) float64 {
	sum := 0.0
	for t := range p.Cluster.Types {
		table := &p.Tables[j.Phases[0].Tables[0]]
		sum += float64(max(table.Rate(model.TypeID(t), j.Shape.Size, model.OneNode),
			table.Rate(model.TypeID(t), j.Shape.Size, model.Network)))
	}
	return sum / float64(len(p.Cluster.Types))
}

// copied is the preset of Pollux's 160 jobs, side by side on as many of its clusters as there are GPUs for, and then
// again until there are so many jobs.
func copied(s size) ([]byte, error) {
	const hours = 8 // in which the preset's jobs arrive
	preset, _ := lab.Preset("pollux-world")
	doc, diags := scenario.Parse(preset, scenario.FileLimits)
	if err := refused(diags); err != nil {
		return nil, err
	}
	jobs, nodes := doc.Scenario.Jobs, doc.Scenario.Cluster.Nodes
	side := s.gpus / (4 * len(nodes))
	doc.Scenario.Jobs, doc.Scenario.Cluster.Nodes = nil, nil
	for c := range side {
		for _, n := range nodes {
			n.ID += "-" + strconv.Itoa(c)
			doc.Scenario.Cluster.Nodes = append(doc.Scenario.Cluster.Nodes, n)
		}
	}
	for c := range s.jobs / len(jobs) {
		for _, j := range jobs {
			j.ID += "-" + strconv.Itoa(c)
			j.ArrivalS += float64(c/side) * hours * 3600
			doc.Scenario.Jobs = append(doc.Scenario.Jobs, j)
		}
	}
	return doc.Marshal(false), nil
}

// compiled is the problem of a scenario.
func compiled(document []byte) (*model.Problem, error) {
	doc, diags := scenario.Parse(document, scenario.FileLimits)
	if err := refused(diags); err != nil {
		return nil, err
	}
	p, diags := scenario.Compile(doc, lab.Defaults())
	return p, refused(diags)
}

// refused is the first error of a scenario.
func refused(all jsondoc.Diagnostics) error {
	for _, d := range all {
		if d.Level == string(jsondoc.LevelError) {
			return fmt.Errorf("%s: %s", d.Path, d.Message)
		}
	}
	return nil
}
