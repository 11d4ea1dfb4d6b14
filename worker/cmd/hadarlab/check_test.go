//go:build !js

package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hadarlab/worker/sqlite"
)

// TestDataTellsDamage: a row that is not what was stored is named by check and by backup, which fail, and the copy is
// there all the same.
func TestDataTellsDamage(t *testing.T) {
	data, copied := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "copy.db")
	url, stop := servingIn(t, data)
	var ids []string
	for i := range 4 {
		id, err := store(url, i)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if got := stop(); got != exitOK {
		t.Fatalf("the server ended with %d", got)
	}
	if code, out, errs := try("data", "check", "--data", data); code != exitOK || errs != "" ||
		!strings.Contains(out, "as they were stored") {
		t.Errorf("whole: exit %d %s%s", code, out, errs)
	}
	db, err := sqlite.Open(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`UPDATE scenarios SET sum = 'x' WHERE id = ?`, ids[2]); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"data", "check", "--data", data}, {"data", "backup", "--data", data, copied}} {
		code, out, errs := try(args...)
		if code != exitFailed || !strings.Contains(errs, "scenario "+ids[2]+" is damaged") ||
			strings.Count(errs, "is damaged") != 1 || strings.Contains(out, "holds the data") != (args[1] == "backup") {
			t.Errorf("%v: exit %d %s%s", args, code, out, errs)
		}
	}
	// a server that begins on it says so before anybody has asked for the row
	url, stop = servingIn(t, data)
	for deadline, said := time.Now().Add(time.Minute), ""; !strings.Contains(said, `"status":"damaged"`); {
		if time.Now().After(deadline) {
			t.Fatalf("the server says %s", said)
		}
		time.Sleep(10 * time.Millisecond)
		res, err := http.Get(url + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		if said = string(b); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s %s %v", res.Status, said, err)
		}
		res.Body.Close()
	}
	if got := stop(); got != exitOK {
		t.Fatalf("the server ended with %d", got)
	}
	if code, _, errs := try("data", "check", "--data", data, "extra"); code != exitUsage {
		t.Errorf("with an argument: %d %s", code, errs)
	}
}
