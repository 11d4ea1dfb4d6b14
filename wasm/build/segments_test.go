//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program makes a module of a code section, a section of data with these segments, and a custom section.
func program(segments ...segment) []byte {
	data := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		data = binary.AppendUvarint(append(data, addressBegin...), s.at)
		if last := len(data) - 1; data[last]&0x40 != 0 {
			data[last] |= 0x80
			data = append(data, 0)
		}
		data = binary.AppendUvarint(append(data, addressEnd), uint64(len(s.data)))
		data = append(data, s.data...)
	}
	out := []byte(wasmHeader + "\x0a\x03abc")
	out = binary.AppendUvarint(append(out, dataSection), uint64(len(data)))
	return append(append(out, data...), "\x00\x04\x03xyz"...)
}

// memory is what a program's segments put where.
func memory(t *testing.T, p []byte) map[uint64]byte {
	t.Helper()
	at := bytes.Index(p, []byte("\x0a\x03abc")) + 5
	if at < 5 || p[at] != dataSection || !bytes.HasSuffix(p, []byte("\x00\x04\x03xyz")) {
		t.Fatalf("the other sections changed: %q", p)
	}
	r := wasmReader{p[at+1:]}
	section, _ := r.bytes()
	segments, err := readSegments(section)
	if err != nil {
		t.Fatal(err)
	}
	m := map[uint64]byte{}
	for _, s := range segments {
		for i, b := range s.data {
			if b != 0 {
				m[s.at+uint64(i)] = b
			}
		}
	}
	return m
}

func TestJoinSegments(t *testing.T) {
	for name, segments := range map[string][]segment{
		"in order":       {{4096, []byte("ab")}, {4100, []byte("c")}, {70000, []byte("\x00d")}},
		"not in order":   {{5000, []byte("later")}, {64, []byte("sooner")}}, // 64 takes a second byte to be no −64
		"side by side":   {{8, []byte("ab")}, {10, []byte("cd")}},
		"one":            {{0, []byte("a")}},
		"none":           {},
		"nothing in one": {{1, nil}, {2, []byte("a")}},
	} {
		before := program(segments...)
		after, err := joinSegments(before)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := memory(t, before), memory(t, after)
		if len(got) != len(want) {
			t.Errorf("%s: %d bytes are set, want %d", name, len(got), len(want))
		}
		for at, b := range want {
			if got[at] != b {
				t.Errorf("%s: byte %d is %q, want %q", name, at, got[at], b)
			}
		}
		again, err := joinSegments(after)
		if err != nil || !bytes.Equal(again, after) {
			t.Errorf("%s: a joined program is not left as it is (%v)", name, err)
		}
	}
}

func TestJoinSegmentsOfBadPrograms(t *testing.T) {
	whole := program(segment{8, []byte("ab")}, segment{16, []byte("cd")})
	for fault, bad := range map[string][]byte{
		"no WebAssembly": []byte("\x7fELF"),
		"ends within":    whole[:len(whole)-2],
		"lie on":         program(segment{8, []byte("ab")}, segment{9, []byte("c")}),
		"no constant":    bytes.Replace(whole, []byte("\x41\x10"), []byte("\x23\x10"), 1),
		"malformed":      []byte(wasmHeader + "\x0b\x08\x01" + addressBegin + "\x08\x0b\x05ab"), // says five bytes
	} {
		if _, err := joinSegments(bad); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// A program of Go's linker does with one segment what it did with many.
func TestJoinedProgramRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node here")
	}
	_, goroot, err := places()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, linked := filepath.Join(dir, "main.go"), filepath.Join(dir, "a.wasm")
	if err := os.WriteFile(source, []byte(`package main
import "fmt"
var table = [4096]int{9: 1, 4000: 2}
func main() { fmt.Println("sum", table[9]+table[4000], len(table)) }`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tool([]string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}, "build", "-o", linked, source); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(linked)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := joinSegments(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(linked, joined, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, filepath.Join(goroot, "lib/wasm/wasm_exec_node.js"), linked).CombinedOutput()
	if err != nil || string(out) != "sum 3 4096\n" {
		t.Errorf("%v: %s", err, out)
	}
}
