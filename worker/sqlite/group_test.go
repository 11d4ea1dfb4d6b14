//go:build !js

package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"

	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

func openFresh(t testing.TB, most int64) *DB {
	t.Helper()
	db, err := OpenServer(t.Context(), t.TempDir(), most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestChangesAreWrittenTogether: many at once are all made, and each hears of its own only.
func TestChangesAreWrittenTogether(t *testing.T) {
	db := openFresh(t, 1<<30)
	var mode int
	if err := db.writer.QueryRow(`PRAGMA synchronous`).Scan(&mode); err != nil || mode != 2 {
		t.Errorf("synchronous is %d, %v: what is acknowledged would not outlive a power cut", mode, err)
	}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			id := fmt.Sprint("id", i)
			const insert = `INSERT INTO texts (id, sum, doc, created_ms) VALUES (?, '', '', ?)`
			switch i % 4 {
			case 0:
				if _, err := db.Change(t.Context(), nil, `INSERT INTO nowhere VALUES (1)`); err == nil {
					t.Error("a faulty statement is made")
				}
			case 1: // twice the same
				if n, err := db.Change(t.Context(), nil, insert, id, i); n != 1 || err != nil {
					t.Error(n, err)
				}
				if _, err := db.Change(t.Context(), nil, insert, id, i); err == nil {
					t.Error("an id is taken twice")
				}
			case 2:
				var got string
				if _, err := db.Change(t.Context(), []any{&got}, insert+` RETURNING id`, id, i); got != id ||
					err != nil {
					t.Error(got, err)
				}
			case 3:
				if _, err := db.Change(t.Context(), []any{new(string)},
					`DELETE FROM texts WHERE id = 'none' RETURNING id`); !errors.Is(err, sql.ErrNoRows) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM texts`).Scan(&n); err != nil || n != 100 {
		t.Errorf("%d rows, %v", n, err)
	}
	if _, err := db.ExecContext(t.Context(), `DELETE FROM texts`); err == nil {
		t.Error("a reader can write")
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := db.Change(gone, nil, `DELETE FROM texts`); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := db.Change(t.Context(), nil, `DELETE FROM texts`); err == nil {
		t.Error("written after it was closed")
	}
}

// TestOneThatDoesNotFitGoesAlone: at the bound a large change fails, and the small ones beside it do not.
func TestOneThatDoesNotFitGoesAlone(t *testing.T) {
	db := openFresh(t, 512<<10)
	store := sqlstore.On(db, slog.New(slog.NewTextHandler(io.Discard, nil)))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			size := 100
			if i%10 == 0 {
				size = 600 << 10
			}
			doc := make([]byte, size)
			_, _ = rand.NewChaCha8([32]byte{byte(i)}).Read(doc) // which nothing makes smaller
			_, err := store.Put(t.Context(), vault.Texts, vault.Content{ID: fmt.Sprint(i), Doc: doc})
			if errors.Is(err, vault.ErrFull) != (i%10 == 0) {
				t.Errorf("%d bytes: %v", size, err)
			}
		})
	}
	wg.Wait()
}

// TestRowsCostTheirSize: a scenario of 1 KB takes little more of the disk.
func TestRowsCostTheirSize(t *testing.T) {
	db := openFresh(t, 1<<30)
	store := sqlstore.On(db, slog.New(slog.NewTextHandler(io.Discard, nil)))
	pages := func() (n int) {
		if err := db.QueryRow(
			`SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)`).Scan(
			&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := pages()
	const rows, size = 1000, 1000
	var wg sync.WaitGroup
	for i := range rows {
		wg.Go(func() {
			c := vault.Content{ID: fmt.Sprintf("%012x", i*7919%100_003), Sum: string(bytes.Repeat([]byte("s"), 64)),
				Doc: bytes.Repeat([]byte("x"), size), CreatedMS: 1.7e12}
			if _, err := store.Put(t.Context(), vault.Scenarios, c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if each := (pages() - before) / rows; each > 1500 {
		t.Errorf("a row of %d bytes takes %d", size, each)
	} else {
		t.Logf("a row of %d bytes takes %d", size, each)
	}
}

// BenchmarkStores is how many scenarios of 1 KB are stored in a second, durably.
func BenchmarkStores(b *testing.B) {
	for _, clients := range []int{1, 64} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			store := sqlstore.On(openFresh(b, 1<<32), slog.New(slog.NewTextHandler(io.Discard, nil)))
			next := make(chan int)
			var wg sync.WaitGroup
			for range clients {
				wg.Go(func() {
					for i := range next {
						if _, err := store.Put(b.Context(), vault.Scenarios,
							vault.Content{ID: fmt.Sprintf("%012x", i),
								Doc: bytes.Repeat([]byte("x"), 1000)}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			for i := range b.N {
				next <- i
			}
			close(next)
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "stores/s")
		})
	}
}
