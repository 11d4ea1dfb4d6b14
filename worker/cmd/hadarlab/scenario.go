//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/policy/own/replay"
	"hadarlab/core/scenario"
)

// load reads the scenario that an argument names: a file, - for standard input, preset:NAME, a share
// link or a link's payload. Findings below errors are printed too, as they explain what will run.
func load(io_ streams, arg string) (*scenario.Document, int) {
	var doc *scenario.Document
	var diags jsondoc.Diagnostics
	switch name, preset := strings.CutPrefix(arg, "preset:"); {
	case preset:
		data, ok := lab.Preset(name)
		if !ok {
			names := []string{}
			for _, p := range lab.Presets() {
				names = append(names, p.ID)
			}
			fmt.Fprintf(io_.err, "preset:%s: there is no such preset (choose one of %s)\n", name,
				strings.Join(names, ", "))
			return nil, exitUsage
		}
		doc, diags = scenario.Parse(data, scenario.FileLimits)
	case isLink(arg):
		doc, diags = link.Decode(arg)
	default:
		data, err := readAll(io_, arg)
		if err != nil {
			fmt.Fprintf(io_.err,
				"%s: cannot be read: %v (name a file, preset:NAME or a share link; - reads standard input)\n", arg, err)
			return nil, exitUsage
		}
		if text := strings.TrimSpace(string(data[:min(len(data), 4096)])); isLink(text) {
			doc, diags = link.Decode(string(data))
		} else {
			doc, diags = scenario.Parse(data, scenario.FileLimits)
		}
	}
	if report(io_.err, diags, doc == nil || diags.HasErrors()) {
		return nil, exitUsage
	}
	if doc.Recorded() {
		replay.Offer()
	}
	return doc, exitOK
}

// laterLink is a payload of any version and codec, which a later release may have written.
var laterLink = regexp.MustCompile(`^[0-9]{1,6}[a-z]\.[\w-]+\.\w{5}$`)

func isLink(s string) bool {
	if laterLink.MatchString(s) {
		_, err := os.Stat(s)
		return err != nil // a file may be called so
	}
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "#") ||
		strings.HasPrefix(s, "1d.") || strings.HasPrefix(s, "1z.") || strings.HasPrefix(s, "1j.") ||
		strings.HasPrefix(s, "%23")
}

func readAll(io_ streams, arg string) ([]byte, error) {
	if arg == "-" {
		return io.ReadAll(io.LimitReader(io_.in, int64(scenario.FileLimits.Bytes)+1))
	}
	f, err := open(arg)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(scenario.FileLimits.Bytes)+1))
}

// open opens a file to read. Its errors leave out the name, which the caller has said.
func open(name string) (*os.File, error) {
	f, err := os.Open(name)
	var info fs.FileInfo
	if err == nil {
		info, err = f.Stat()
	}
	if err == nil && info.IsDir() {
		f.Close()
		return nil, errors.New("it is a folder, not a file")
	}
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err
	}
	return f, err
}

// report prints findings, one a line, and says whether there were errors. Notes are left out when
// there are none.
func report(w io.Writer, diags jsondoc.Diagnostics, errors bool) bool {
	for _, d := range diags {
		if d.Level == string(jsondoc.LevelNote) || errors && d.Level != string(jsondoc.LevelError) {
			continue
		}
		where := d.Path
		if where == "" {
			where = "document"
		}
		if d.Line > 0 {
			where += fmt.Sprintf(" (line %d)", d.Line)
		}
		said := where + ": " + d.Message.String()
		if d.Level == string(jsondoc.LevelWarning) {
			said = where + ": warning: " + d.Message.String()
		}
		if fix := d.Fix.String(); fix != "" {
			said += " (" + strings.TrimSuffix(fix, ".") + ")"
		}
		fmt.Fprintln(w, line(said))
	}
	return errors
}
