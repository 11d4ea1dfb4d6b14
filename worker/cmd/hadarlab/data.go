//go:build !js

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"hadarlab/core/figure"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

func dataCommand(c command, std streams, args []string) int {
	f := c.flags()
	dir := f.String("data", "data", "folder `DIR` of the server's database")
	format := choiceFlag(f, "format", "output `FORMAT` of list: table or json", "table", "json")
	force := f.Bool("force", false, "let restore replace a database that is not empty, and keep that as "+sqlite.Old)
	newKey := f.String("new-key", "", "give the class with a `CODE` another key")
	rest, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	if len(rest) == 0 {
		rest = []string{""}
	}
	ctx, names := context.Background(), rest[1:]
	refuse := func(format string, args ...any) int {
		fmt.Fprintf(std.err, format+"\n", args...)
		return exitUsage
	}
	switch what := rest[0]; {
	case (what == "list" || what == "class" || what == "check") && len(names) > 0:
		return refuse("hadarlab data %s: takes no arguments (leave %q out)", what, names[0])
	case what == "delete" && len(names) == 0:
		return refuse("hadarlab data delete: an id is needed (see `hadarlab data list`)")
	case (what == "backup" || what == "restore") && len(names) != 1:
		return refuse("hadarlab data %s: one file is needed, %d are given (see `hadarlab data --help`)", what,
			len(names))
	case what == "restore":
		return restoreData(std, names[0], *dir, *force)
	case what != "list" && what != "delete" && what != "backup" && what != "class" &&
		what != "check":
		return refuse("hadarlab data: %q is not known (choose list, delete, check, backup, restore or class)", what)
	}
	db, err := sqlite.OpenExisting(ctx, *dir)
	if err != nil {
		return refuse("--data: %v", err)
	}
	defer db.Close()
	switch rest[0] {
	case "list":
		err = listData(ctx, std, db, *format)
	case "class":
		err = classData(ctx, std, db, *newKey)
	case "delete":
		return deleteData(ctx, std, db, names)
	case "backup":
		err = sqlite.Backup(ctx, db, names[0])
		if errors.Is(err, os.ErrExist) {
			return refuse("%s: is there already, and nothing is written over (name another file)", names[0])
		}
		if err == nil {
			fmt.Fprintf(std.out, "%s holds the data of %s\n", names[0], *dir)
			return checkData(ctx, std, db)
		}
	case "check":
		return checkData(ctx, std, db)
	}
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab data %s: %v\n", rest[0], err)
		return exitFailed
	}
	return exitOK
}

// dataItem is an item as `data list --format json` prints it.
type dataItem struct {
	sqlite.Item
	Time string `json:"time"`
}

func listData(ctx context.Context, std streams, db *sql.DB, format string) error {
	if format == "json" {
		list := []dataItem{}
		if err := sqlite.List(ctx, db, func(it sqlite.Item) error {
			list = append(list, dataItem{it, time.UnixMilli(it.TimeMS).UTC().Format(time.RFC3339)})
			return nil
		}); err != nil {
			return err
		}
		return printJSON(std.out, list)
	}
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "KIND\tID\tBYTES\tAGE\n")
	var count, size int64
	now := time.Now()
	err := sqlite.List(ctx, db, func(it sqlite.Item) error {
		count, size = count+1, size+it.Bytes
		_, err := fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", it.Kind, it.ID, it.Bytes, age(now.Sub(time.UnixMilli(it.TimeMS))))
		return err
	})
	fmt.Fprintf(t, "\t%s\t%d\t\n", figure.Plural(nil, int(count), "row"), size)
	return errors.Join(err, t.Flush())
}

// age is a time in its largest unit, as nobody needs it closer.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d d", d/(24*time.Hour))
}

// deleteData removes by id, and says of each what it was. An id that is not there makes the exit code 2, after the
// others.
func deleteData(ctx context.Context, std streams, db *sql.DB, ids []string) (code int) {
	for _, id := range ids {
		removed, err := sqlite.Delete(ctx, db, strings.ToLower(id))
		if err != nil {
			fmt.Fprintf(std.err, "hadarlab data delete: %v\n", err)
			return exitFailed
		}
		if len(removed) == 0 {
			fmt.Fprintf(std.err, "%s: there is nothing with this id (see `hadarlab data list`)\n", line(id))
			code = exitUsage
			continue
		}
		fmt.Fprintf(std.out, "%s: %s removed\n", id, strings.Join(removed, ", "))
	}
	if err := sqlite.Fold(ctx, db); err != nil {
		fmt.Fprintf(std.err, "what was removed can be read no more, but still stands in the file: %v (run it again)\n", err)
		return exitFailed
	}
	return code
}

// checkData reads every scenario and text, and says which are not what was stored.
func checkData(ctx context.Context, std streams, db *sql.DB) int {
	bad := 0
	rows, err := sqlstore.New(db).Check(ctx, func(context.Context) {}, func(kind vault.Kind, id string) {
		bad++
		fmt.Fprintf(std.err, "%s %s is damaged: it is not what was stored (share it again, or remove it: "+
			"hadarlab data delete %s)\n", strings.TrimSuffix(string(kind), "s"), line(id), line(id))
	})
	switch {
	case err != nil:
		fmt.Fprintf(std.err, "hadarlab data check: %v\n", err)
		return exitFailed
	case bad > 0:
		fmt.Fprintf(std.err, "%d of %d scenarios and texts are damaged; all others can be read\n", bad, rows)
		return exitFailed
	}
	fmt.Fprintf(std.out, "scenarios and texts that are as they were stored: %d\n", rows)
	return exitOK
}

func restoreData(std streams, from, dir string, force bool) int {
	switch err := sqlite.Restore(context.Background(), from, dir, force); {
	case errors.Is(err, sqlite.ErrRunning):
		fmt.Fprintf(std.err, "--data: %s: %v (stop the server first)\n", dir, err)
		return exitUsage
	case errors.Is(err, sqlite.ErrNotEmpty):
		fmt.Fprintf(std.err, "--data: %v (name another folder, or add --force, which keeps it as %s)\n", err,
			filepath.Join(dir, sqlite.Old))
		return exitUsage
	case err != nil:
		fmt.Fprintf(std.err, "hadarlab data restore: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(std.out, "%s holds the data of %s\n", dir, from)
	return exitOK
}
