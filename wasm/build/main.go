//go:build !js

// Command build makes the page: the program for the browser, the page with the first preset's result drawn into it,
// pictures, the manual and the static files, compressed beside them. It needs the Go tool and nothing else.
//
//	go run ./wasm/build          quickly, to work with
//	go run ./wasm/build -best    compressed as small as it gets, and held to its budget
//	go run ./wasm/build -site ADDRESS -o build/site   for a host of files alone, at that address
//	go run ./wasm/build -join FILE   only make another program, that of the edge, smaller when it is compressed
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"hadarlab/app/room"
	"hadarlab/scenarios"
	"hadarlab/wasm/webdir"
	"hadarlab/wasm/webdir/compress"
	"hadarlab/worker/licences"
)

// The page's program may be this large in bytes at brotli's best, and 4.3 MB by plain `gzip -9`, which `make size`
// measures; scripts and style sheets are 80 kB beside it. Brotli goes up and down by 25 kB with a few bytes of the
// program, which gzip does not.
const brotliBudget = 2_880_000

// inlined are the packages whose functions are inlined: linear programs, Hadar's and Pollux's searches, the arithmetic
// that all go through, and Go's runtime, without which a run takes twice as long. All else is left as it is written,
// which makes the program 0.5 MB of gzip smaller; policies, kernel and shares inlined as well were hardly faster. The
// Makefile has the same list for the tests.
var inlined = []string{"runtime", "hadarlab/core/goodput", "hadarlab/core/lp", "hadarlab/core/primaldual",
	"hadarlab/core/unit"}

// Where things are below the project's folder; build holds what is made on the way.
const (
	module  = "build/app.wasm"
	second  = "build/programs.wasm"
	manual  = "build/manual"
	cache   = "build/variants"
	shell   = "index.html"
	statics = "app/web"
)

func main() {
	out := flag.String("o", "build/web", "`DIR` to fill, below the project's folder")
	join := flag.String("join", "", "only join the data of the WebAssembly program `FILE`, which is built already")
	site := flag.String("site", "", "lay the files out for a host without a server, whose `ADDRESS` the cards of links name; - leaves it open")
	best := flag.Bool("best", false, "compress as small as it gets (a minute or two), and fail over the budget")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./wasm/build [-best | -site ADDRESS] [-o DIR] | -join FILE")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if *join != "" {
		err = joinFile(*join)
	} else {
		err = build(*out, *site, *best)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build(out, site string, best bool) error {
	if site != "" && site != "-" && !webdir.CheckAddress(site) {
		return fmt.Errorf("-site: %q is no address (give one as https://lab.example/hadarlab/, or -)", site)
	}
	root, goroot, err := places()
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	say("compiling the page's programs")
	if err := errors.Join(withoutServer(), replaceGoFiles(goroot)); err != nil {
		return err
	}
	if err := errors.Join(compile("./wasm", module), compile("./wasm/programs", second)); err != nil {
		return err
	}
	say("writing the manual")
	if err := os.RemoveAll(manual); err != nil {
		return err
	}
	if _, err := tool(nil, "run", "./worker/cmd/hadarlab", "docs", "--dir", manual); err != nil {
		return err
	}
	say("drawing the first paint")
	files, err := collect(goroot)
	if err != nil {
		return err
	}
	if site != "" {
		files = webdir.Site(files, strings.TrimPrefix(site, "-"))
	}
	say("compressing")
	variants := compress.Compressor{Cache: cache, Best: best}.All
	if site != "" {
		variants = nil
	}
	if err := webdir.Fill(out, files, variants); err != nil {
		return err
	}
	return weigh(os.Stdout, out, files, best)
}

func say(what string) { fmt.Println("page:", what) }

// places are the project's folder and that of the Go tool that runs this: `go run` puts its own first in the path.
func places() (root, goroot string, err error) {
	out, err := tool(nil, "env", "-json", "GOMOD", "GOROOT")
	if err != nil {
		return "", "", err
	}
	var env struct{ GOMOD, GOROOT string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", "", err
	}
	return filepath.Dir(env.GOMOD), env.GOROOT, nil
}

// tool runs the Go tool and returns what it prints. A workspace of a folder above is another project's.
func tool(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(append(os.Environ(), "GOWORK=off"), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// compile makes one of two programs: the one that is both the page and its engine, or the engine that also runs
// programs of others. Names of folders stay out of it, so that equal sources give equal bytes.
func compile(source, to string) error {
	args := []string{"build", "-modfile=" + pageMod, "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=",
		"-gcflags=all=-l"}
	for _, packages := range inlined {
		args = append(args, "-gcflags="+packages+"=")
	}
	args = append(args, "-o", to, source)
	env := []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}
	_, err := tool(env, slices.Insert(slices.Clone(args), 1, "-overlay="+pageOverlay)...)
	if err != nil { // a later Go may need what stands in those files, see goFiles
		say("compiling again, with all of Go's own files")
		_, err = tool(env, args...)
	}
	if err != nil {
		return err
	}
	return joinFile(to)
}

// joinFile makes one segment of the data of a program in a file.
func joinFile(name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if b, err = joinSegments(b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, b, 0o755)
}

// collect reads or makes every file of the page.
func collect(goroot string) (webdir.Files, error) {
	files := webdir.Files{}
	if err := files.Add(statics, "web"); err != nil {
		return nil, err
	}
	files[webdir.ServiceWorker] = files["web/"+webdir.ServiceWorker]
	delete(files, "web/"+webdir.ServiceWorker)
	if err := files.Add(manual, "."); err != nil {
		return nil, err
	}
	for to, from := range map[string]string{
		"web/app.wasm":      module,
		"web/programs.wasm": second,
		"web/wasm_exec.js":  filepath.Join(goroot, "lib/wasm/wasm_exec.js"),
		"index.html":        shell,
	} {
		b, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		files[to] = b
	}
	if err := addLicences(files); err != nil {
		return nil, err
	}
	if err := addThumbs(files); err != nil {
		return nil, err
	}
	if err := addJoin(files); err != nil {
		return nil, err
	}
	teaching, err := scenarios.Teaching()
	if err != nil {
		return nil, err
	}
	files[strings.TrimPrefix(room.TeachingFile, "/")] = teaching
	if err := addCard(files); err != nil {
		return nil, err
	}
	page, err := paint(files["index.html"], len(files["web/app.wasm"]))
	files["index.html"] = page
	return files, err
}

// addLicences puts the licence texts of what the page's program is compiled of where its readers find them: who is
// sent the page is sent nothing else.
func addLicences(files webdir.Files) error {
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	list, err := licences.Of(".", licences.Page()...)
	if err != nil {
		return err
	}
	ours := licences.Module{Path: "hadarlab", Texts: []licences.Text{{Name: "LICENSE", Data: own}}}
	files["web/licences.txt"] = licences.Joined(
		"The licences of this page: Hadarlab's own, and those of all that its programs are compiled of.",
		append([]licences.Module{ours}, list...))
	return nil
}

// weigh prints the size of the page's program, which is nearly all that a first visit loads, and holds it to the
// budget.
func weigh(w io.Writer, out string, files webdir.Files, best bool) error {
	const program, programs = "web/app.wasm", "web/programs.wasm"
	plain := len(files[program])
	gzip, brotli := size(out, program, ".gz", plain), size(out, program, ".br", plain)
	fmt.Fprintf(w, "page: its program has %d bytes, gzip %d, brotli %d\n", plain, gzip, brotli)
	plain = len(files[programs])
	fmt.Fprintf(w, "page: the engine for programs has %d bytes, gzip %d, brotli %d\n", plain,
		size(out, programs, ".gz", plain), size(out, programs, ".br", plain))
	if best && brotli > brotliBudget {
		return fmt.Errorf("the page's program is over its budget of %d bytes brotli", brotliBudget)
	}
	return nil
}

// size is that of a variant, or of the file itself where it is too small to have one.
func size(out, name, suffix string, plain int) int64 {
	info, err := os.Stat(filepath.Join(out, filepath.FromSlash(name+suffix)))
	if err != nil {
		return int64(plain)
	}
	return info.Size()
}
