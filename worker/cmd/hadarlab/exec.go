//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

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
}

// start runs a command until its input ends. What it says on standard error is the user's to read.
func start(command []string) (io.ReadWriteCloser, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("exec: has no command behind it; write for example exec:python3 mine.py")
	}
	cmd := exec.Command(command[0], command[1:]...)
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
	return process{out, in}, nil
}
