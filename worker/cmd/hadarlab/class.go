//go:build !js

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rsc.io/qr"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/scenarios"
	"hadarlab/worker/class"
	"hadarlab/worker/lesson"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlstore"
)

// readAssignment reads what --class names: a shipped assignment by its id, a file, or - for standard input.
func readAssignment(std streams, arg string) (*course.Assignment, []byte, int) {
	data, shipped := scenarios.Assignment(arg)
	if !shipped {
		var err error
		if data, err = readAll(std, arg); err != nil {
			fmt.Fprintf(std.err, "--class: %s cannot be read: %v (name a file, or one of %s; - reads standard input)\n",
				line(arg), err, strings.Join(scenarios.Assignments, ", "))
			return nil, nil, exitUsage
		}
	}
	a, diags := course.Parse(data)
	if report(std.err, diags, a == nil) {
		return nil, nil, exitUsage
	}
	return a, data, exitOK
}

// homeworkHours are those of a homework that opens and closes at two times as typed, none = no homework is wanted.
func homeworkHours(assignment, opens, closes string, now time.Time) (h course.Hours, err error) {
	switch {
	case opens == "" && closes == "":
		return h, nil
	case closes == "":
		return h, errors.New("--opens: a homework also has to close (say when with --closes)")
	case assignment == "":
		return h, errors.New("--closes: there is no class that could be a homework (name its assignment with --class)")
	}
	h.OpensMS = now.UnixMilli()
	if opens != "" {
		if h.OpensMS, err = moment("opens", opens); err != nil {
			return h, err
		}
	}
	if h.ClosesMS, err = moment("closes", closes); err != nil {
		return h, err
	}
	return h, nil
}

// checkHours says what is wrong with the hours of a homework that begins now, by the flags that name them.
func checkHours(h course.Hours, now time.Time) error {
	if !h.Homework() {
		return nil
	}
	h.OpensMS = max(h.OpensMS, now.UnixMilli())
	errs := h.Check(now.UnixMilli()).Errors()
	if len(errs) == 0 {
		return nil
	}
	flag := strings.TrimSuffix(strings.TrimPrefix(errs[0].Path, "/"), "_ms")
	return fmt.Errorf("--%s: %s (%s)", flag, errs[0].Message, errs[0].Fix)
}

// clockTime is how a time is typed and printed, by the clock of this machine.
const clockTime = "2006-01-02T15:04"

// moment is a time that a flag names, Unix ms: by this machine's clock, or with a zone of its own.
func moment(flag, typed string) (int64, error) {
	t, err := time.ParseInLocation(clockTime, strings.Replace(typed, " ", "T", 1), time.Local)
	if err != nil {
		t, err = time.Parse(time.RFC3339, typed)
	}
	if err != nil {
		return 0, fmt.Errorf("--%s: %s is no time (write it as 2026-12-01T14:00, by this machine's clock, or with a zone, as "+
			"2026-12-01T14:00:00+01:00)", flag, line(typed))
	}
	return t.UnixMilli(), nil
}

// startClass begins a class, a homework where there are hours, or goes on with the one of its kind on the same
// assignment that can still be joined, and says how to get there.
func startClass(ctx context.Context, std streams, classes *class.Service, a *course.Assignment, doc []byte,
	hours course.Hours) error {
	board, w := "", std.out
	row, err := classes.Living(ctx, a.ContentID(), hours.Homework())
	switch {
	case errors.Is(err, class.ErrNone):
		if err := checkHours(hours, classes.Now()); err != nil {
			return err
		}
		truth := runs.Truth(2000, 2000, runtime.Gosched)
		c, err := lesson.Begin(ctx, classes, a, doc,
			func(ctx context.Context, a *course.Assignment) ([]message.Lane, error) {
				lanes, err := truth(ctx, a)
				report(std.err, a.Near(course.LanesOf(lanes)), false)
				return lanes, err
			}, hours)
		if err != nil {
			return err
		}
		row.Code, row.Hours, board = c.Code, hours, c.Code+"."+c.Key
	case err != nil:
		return err
	}
	classes.Home = row.Code
	join := classes.Joins[0] + "/join"
	fmt.Fprintf(w, "\nClass: %s\nCode:  %s\nStudents open %s and type the code, or scan this:\n\n%s\n",
		line(a.Title), strings.ToUpper(row.Code), join, terminalQR(join+"#"+strings.ToUpper(row.Code)))
	if row.Homework() {
		fmt.Fprintf(w, "A homework, at each student's own pace. It opens %s and closes %s, by this machine's clock.\n",
			time.UnixMilli(row.OpensMS).Format(clockTime), time.UnixMilli(row.ClosesMS).Format(clockTime))
	}
	fmt.Fprintf(w, "The wall, what the class sees, on any screen:\n  %s/#wall=%s\n", here(classes.Joins), row.Code)
	if board == "" {
		fmt.Fprintf(w, "It goes on where it was. The board is where it was opened before, or after\n"+
			"  hadarlab data class --new-key %s\nat the address that this prints.\n", row.Code)
		return nil
	}
	fmt.Fprintf(w, "The board, for the teacher alone. This address holds the class's key and is shown once:\n  %s/#board=%s\n",
		here(classes.Joins), board)
	return nil
}

// here is the address by which this machine itself opens the server.
func here(joins []string) string {
	host, base, _ := strings.Cut(strings.TrimPrefix(joins[0], "http://"), "/")
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		return joins[0]
	}
	return strings.TrimSuffix("http://localhost:"+port+"/"+base, "/")
}

// joins are the addresses at which students reach a server: what other machines can open, then the names that it was
// given.
func joins(at net.Addr, names []string, base string) (homes []string) {
	own, _ := net.InterfaceAddrs() // the machine's own name for itself has to do
	hosts, open := reachable(at, own)
	_, port, _ := net.SplitHostPort(at.String())
	var named []string
	for _, n := range names {
		named = append(named, net.JoinHostPort(n, port))
	}
	if open {
		hosts = slices.Concat(hosts, named)
	} else {
		hosts = slices.Concat(named, hosts)
	}
	for _, h := range hosts {
		homes = append(homes, "http://"+h+base)
	}
	return homes
}

// terminalQR is a text as a QR code in blocks, two rows a line. The light modules are drawn: terminals are dark.
func terminalQR(text string) string {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return text
	}
	const quiet = 2 // modules around it, of which readers want a few
	var b strings.Builder
	light := func(x, y int) int {
		if code.Black(x-quiet, y-quiet) {
			return 0
		}
		return 1
	}
	for y := 0; y < code.Size+2*quiet; y += 2 {
		b.WriteString("  ")
		for x := range code.Size + 2*quiet {
			b.WriteString([]string{" ", "▄", "▀", "█"}[2*light(x, y)+light(x, y+1)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// classData lists the classes of a server, or gives one of them a new key.
func classData(ctx context.Context, std streams, db *sql.DB, newKey string) error {
	store := sqlstore.New(db)
	if newKey != "" {
		c, err := class.New(store, lab.Engine, lab.Defaults(), time.Now, false).NewKey(ctx, newKey)
		if errors.Is(err, class.ErrNone) {
			return fmt.Errorf("there is no class with the code %s (see `hadarlab data class`)", line(newKey))
		}
		if err == nil {
			fmt.Fprintf(std.out, "The class's earlier key opens nothing any more. Behind the server's address open\n  /#board=%s.%s\n",
				c.Code, c.Key)
		}
		return err
	}
	all, err := store.Classes(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "CODE\tSTUDENTS\tPHASE\tAGE\tDELETED IN\tASSIGNMENT\n")
	for _, r := range all {
		counts, err := store.Counts(ctx, r.Code)
		if err != nil {
			return err
		}
		passed := time.Since(time.UnixMilli(r.CreatedMS))
		left := class.Kept - passed
		if counts.Joined == 0 { // it goes when nobody can join it any more
			left = min(left, class.Joinable-time.Since(time.UnixMilli(max(r.CreatedMS, r.ClosesMS))))
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", r.Code, counts.Joined, r.Phase, age(passed), age(left),
			line(r.Title))
	}
	return t.Flush()
}
