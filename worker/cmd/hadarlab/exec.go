//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"hadarlab/core/policy/own/remote"
)

// outside is what stands before the command of a policy that is a program outside: exec:python3 mine.py.
const outside = "exec"

// programs counts the policies of programs outside in this process. They are known to it alone: no document, link or
// server can name a command.
var programs int

// startOutside makes a policy of a command, which runs once for each run, and gives its id.
func startOutside(command string) (id string) {
	programs++
	if id = outside; programs > 1 {
		id += "-" + strconv.Itoa(programs)
	}
	remote.Register(id, command, func() (io.ReadWriteCloser, error) { return start(strings.Fields(command)) })
	return id
}

// process is a program that runs: its output and its input.
type process struct {
	io.Reader
	io.WriteCloser
	command string
	waits   *time.Timer // until the program is said to be silent
}

// start runs a command until its input ends. What it says on standard error is the user's to read.
func start(command []string) (io.ReadWriteCloser, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("exec: has no command behind it; write for example exec:python3 mine.py")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=1") // else an answer may wait in Python for more
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, said := io.Pipe()
	cmd.Stdout, cmd.Stderr = said, os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	go func() { said.CloseWithError(cmd.Wait()) }()
	return &process{out, in, strings.Join(command, " "), nil}, nil
}

// patience is how long an answer may take before that is said, once.
const patience = 10 * time.Second

// Write tells the program something, and waits for what it says to it.
func (p *process) Write(b []byte) (int, error) {
	if p.waits == nil {
		p.waits = time.AfterFunc(patience, func() {
			fmt.Fprintf(os.Stderr, "%s has not answered for %v. Does it write a line for each that it reads, and flush it?\n",
				p.command, patience)
		})
	} else {
		p.waits.Reset(patience)
	}
	return p.WriteCloser.Write(b)
}

// Read is what it says.
func (p *process) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.waits.Stop()
	return n, err
}
