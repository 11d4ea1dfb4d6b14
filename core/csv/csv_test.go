package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCellsAreSafeForSpreadsheets(t *testing.T) {
	for in, want := range map[string]string{
		"=1+1": "'=1+1", "+1+2": "'+1+2", "-x": "'-x", "@a": "'@a", "|a": "'|a", "%a": "'%a", "\tx": "\"'\tx\"",
		"\rx": "\"'\rx\"", "\n=1": "\"'\n=1\"", " =1": "' =1", "\ufeff=1": "'\ufeff=1", "\u200b=1": "'\u200b=1",
		"\u00a0=1": "'\u00a0=1", "\u3000=1": "'\u3000=1", "\x00=1": "'=1", "\u202e=1": "'\u202e=1",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a", "｜a": "'｜a", " ＝1": "' ＝1", "﹦1": "'﹦1",
		"−1": "'−1", "a=b": "a=b", "": "", " ": `" "`, "0-3 5": "0-3 5", "＃": "＃",
		"-1": "-1", "+1.5e-3": "+1.5e-3", "-Inf": "'-Inf", "-0x1": "'-0x1", "--1": "'--1",
		"a,b": `"a,b"`, `a"b`: `"a""b"`, "a;b": `"a;b"`, " a": `" a"`, "a ": `"a "`, "a b": "a b",
	} {
		if got := Cell(in); got != want {
			t.Errorf("Cell(%q) is %q, want %q", in, got, want)
		}
	}
}

// FuzzCell: a reader gets the text back, with an apostrophe or without, and no NUL.
func FuzzCell(f *testing.F) {
	for _, s := range []string{"", "=1", "a,b", "\"", "\u3000＝", "a\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rows, err := stdcsv.NewReader(bytes.NewReader(Row(nil, "x", s))).ReadAll()
		if err != nil || len(rows) != 1 || len(rows[0]) != 2 {
			t.Fatalf("%q: %v %q", s, err, rows)
		}
		want := strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), "\r\n", "\n") // the reader's
		if got := rows[0][1]; got != want && got != "'"+want {
			t.Errorf("%q reads as %q", s, got)
		}
	})
}

type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after -= len(p); b.after < 0 {
		return 0, errors.New("gone")
	}
	return len(p), nil
}

// TestWriterStops: after an error no more is written, and Flush tells.
func TestWriterStops(t *testing.T) {
	w, n := NewWriter(&broken{100_000}), 0
	for w.Row("some", "cells", "of a row") && n < 1_000_000 {
		n++
	}
	if n > 20_000 || w.Flush() == nil {
		t.Errorf("%d rows were written to what takes 100,000 bytes: %v", n, w.Flush())
	}
}

// TestOneWriter: no other file of the program writes tables by itself.
func TestOneWriter(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			if d != nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "build") {
				return filepath.SkipDir
			}
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"encoding/csv"` && !slices.Contains(strings.Split(path, "/"), "imports") {
				t.Errorf("%s imports encoding/csv: write tables with core/csv, which keeps formulas out", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
