package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// root is the project's folder.
var root, _ = filepath.Abs("..")

// scratch holds the databases, logs and browser profile of this run.
var scratch string

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("e2e: left out by -short")
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hadarlab-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	scratch = dir
	defer os.RemoveAll(dir)
	defer stopServers()
	defer stopBrowser()
	// After -timeout the test binary ends without any defer, and servers and browser would live on.
	if limit := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > time.Minute {
		time.AfterFunc(limit-30*time.Second, func() {
			fmt.Fprintln(os.Stderr, "e2e: out of time; servers and browser are stopped")
			stopServers()
			stopBrowser()
		})
	}
	code := m.Run()
	if said := edgeServer.log.String(); code != 0 && said != "" {
		fmt.Fprintf(os.Stderr, "e2e: the last words of the edge runtime:\n%s\n", said[max(0, len(said)-8000):])
	}
	return code
}
