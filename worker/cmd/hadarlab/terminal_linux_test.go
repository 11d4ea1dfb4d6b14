package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// crowd is a scenario of n jobs that all arrive at once, which makes every decision long.
func crowd(n int) string {
	var jobs []string
	for i := range n {
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","batch":1,"arrival_s":0,"gpus":1,"steps":%d}`, i,
			100_000+i))
	}
	return `{"kind":"scenario","version":1,"scenario":{"round_s":360,"cluster":{"nodes":[{"id":"n","gpus":{"v100":8,"k80":8}}]},
"throughputs":{"rows":[{"model":"m","batch":1,"per_gpu":{"v100":4,"k80":1}}]},"jobs":[` + strings.Join(jobs, ",") + `]}}`
}

// terminal opens a pseudo-terminal: what is written to the second end is read from the first.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lock, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &lock, syscall.TIOCGPTN: &number} {
		if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request,
			uintptr(unsafe.Pointer(value))); failed != 0 {
			t.Fatal(failed)
		}
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close() })
	return ours, theirs
}

// onTerminal runs the program with both outputs on a terminal. interrupt is sent when what it has printed contains at.
func onTerminal(t *testing.T, at string, args ...string) (printed string, code int) {
	t.Helper()
	ours, theirs := terminal(t)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "HADARLAB_AS_PROGRAM=1")
	cmd.Stdout, cmd.Stderr = theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	var all bytes.Buffer
	for buf, sent := make([]byte, 4096), false; ; {
		n, err := ours.Read(buf)
		all.Write(buf[:n])
		if at != "" && !sent && strings.Contains(all.String(), at) {
			sent = true
			_ = cmd.Process.Signal(syscall.SIGINT) // it runs: it has just written
		}
		if err != nil { // the last holder of the other end has gone
			break
		}
	}
	_ = cmd.Wait()
	return all.String(), cmd.ProcessState.ExitCode()
}

// TestInterruptedRun: 20,000 jobs that arrive together show how far they are, and Ctrl C ends the run with what is
// done, under a policy whose decisions are quick but many, since jobs of equal service take turns, and under one whose
// every decision is long.
func TestInterruptedRun(t *testing.T) {
	path := file(t, "crowd.json", crowd(20_000))
	for _, policy := range []string{"las", "hadar"} {
		printed, code := onTerminal(t, "of 20000 jobs, round ", "run", "--policy", policy, path)
		if code != exitFailed || !strings.Contains(printed, "of 20000 jobs, round ") ||
			!strings.Contains(printed, "stopped;") ||
			!strings.Contains(printed, "makespan_s") {
			t.Errorf("%s: exit %d, it printed %.600q", policy, code, printed)
		}
	}
}

// TestTerminalsShowControlCharacters: whatever way a text of somebody else's comes, none of its control characters
// reaches the terminal, and a finding stays in its line.
func TestTerminalsShowControlCharacters(t *testing.T) {
	const evil = "\x1b]0;owned\x07\u009b2J\u202e"
	odd := strings.Replace(crowd(1), `"id":"j0"`, `"id":"j\u001b[2J0\n/forged: finding"`, 1)
	raw := strings.Replace(crowd(1), `"version":1`, `"version":1,"meta":{"notes":"\u009b2J\u202e"}`, 1)
	doc, _ := scenario.Parse([]byte(raw), scenario.FileLimits)
	plain := file(t, "plain.json", crowd(1))
	for name, args := range map[string][]string{
		"an id": {"run", "--policy", "fifo", file(t, "odd.json", odd)},
		"a member": {"run", "--policy", "fifo", file(t, "member.json",
			strings.Replace(crowd(1), `"version"`, `"\u001b]0;x":{"\n/forged: x":1},"version"`, 1))},
		"no JSON":       {"run", file(t, "x.json", evil)},
		"a file's name": {"run", evil},
		"a preset":      {"run", "preset:" + evil},
		"a policy":      {"run", "--policy", evil, plain},
		"a parameter":   {"run", "--policy", "fifo", "--set", "fifo." + evil + "=1", plain},
		"a flag":        {"run", "--" + evil, plain},
		"a value":       {"run", "--seed", evil, plain},
		"a command":     {evil},
		"a trace": {"import", "--from", "csv", "--template", plain,
			file(t, "t.csv", "id,model,gpus,steps\n"+evil+",m,1,1\nx,"+evil+",1,1\n")},
		"a result": {"verify", file(t, "r.json", `{"engine":"\u001b[2J","scenario_id":"\u009b","runs":[]}`)},
		"a link":   {"link", "decode", link.Encode(doc, nil)},
	} {
		printed, code := onTerminal(t, "", args...)
		if bad := strings.IndexFunc(strings.ReplaceAll(printed, "\r\n", "\n"), func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e'
		}); bad >= 0 || printed == "" || strings.Contains(printed, "\n/forged") {
			t.Errorf("%s: exit %d, %q", name, code, printed)
		}
	}
}
