//go:build !js

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	course "hadarlab/core/class"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/class"
	"hadarlab/worker/front"
	"hadarlab/worker/picture"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// serve runs the server until it is interrupted.
func serve(c command, std streams, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serveUntil(ctx, c, std, args)
}

// serveOptions is what the flags of serve say.
type serveOptions struct {
	addr, data, web, metrics *string
	class, base              *string
	opens, closes            *string
	hours                    course.Hours // of a homework
	hosts                    list
	proxies                  front.Proxies
	joins                    *int
	access                   *bool
	limits                   limits
	page                     fs.FS
}

// classPort is where a class is served that no address was given for.
const classPort = 8080

// serveFlags reads them. ok is false when there is nothing to serve, code then says why.
func serveFlags(c command, std streams, args []string) (s serveOptions, code int, ok bool) {
	f := c.flags()
	s.addr = f.String("addr", "127.0.0.1:8080",
		"address to listen on as `HOST:PORT`; port 0 takes a free one. With --class the default is all of the machine's")
	s.class = f.String("class", "", "begin a class on an `ASSIGNMENT`, or go on with it: "+
		strings.Join(scenarios.Assignments, ", ")+", a file, or -")
	s.opens = f.String("opens", "", "with --closes: `TIME` at which the homework opens, as --closes (default now)")
	s.closes = f.String("closes", "", "with --class: make the class a homework, at each student's own pace, that closes at a "+
		"`TIME` such as 2026-12-01T14:00, at most 28 days after it opens")
	s.data = f.String("data", "data", "folder `DIR` of the database, made if need be")
	s.web = f.String("web", "", "folder `DIR` of the built page (default the one inside the program, else build/web)")
	f.Var(&s.hosts, "host",
		"`NAME` under which the server is opened, as behind a proxy; may be repeated. Its own addresses need none")
	f.Var(&s.proxies, "proxy", "`ADDRESS` or network of a proxy in front, as 127.0.0.1 or 10.0.0.0/8; may be repeated. Only "+
		"what these say in X-Forwarded-For counts as where a request came from (default none)")
	s.joins = f.Int("class-joins", class.JoinsAMinute, "students that may join a class from one network in a minute, `N`")
	s.base = f.String("base", "",
		"`PATH` below which people open the server, as /lab/ behind a proxy; links and previews name it (default /)")
	s.metrics = f.String("metrics", "",
		"loopback address for metrics in the text format of Prometheus as `HOST:PORT` (default none)")
	s.access = f.Bool("access-log", false,
		"log a line a request: method, route, status, bytes and time, and nothing of who asked")
	s.limits = limitFlags(f)
	rest, code, ok := c.parse(std, f, args)
	if !ok {
		return s, code, false
	}
	if len(rest) > 0 {
		fmt.Fprintf(std.err, "hadarlab serve: unexpected argument %q (see `hadarlab serve --help`)\n", rest[0])
		return s, exitUsage, false
	}
	given := false
	f.Visit(func(one *flag.Flag) { given = given || one.Name == "addr" })
	if *s.class != "" && !given {
		*s.addr = fmt.Sprintf("0.0.0.0:%d", classPort)
	}
	if err := checkBase(s.base); err != nil {
		fmt.Fprintln(std.err, err)
		return s, exitUsage, false
	}
	if err := s.limits.check(); err != nil {
		fmt.Fprintln(std.err, err)
		return s, exitUsage, false
	}
	if *s.joins < 1 || *s.joins > 1000 {
		fmt.Fprintf(std.err, "--class-joins: %d is out of range (choose 1 to 1000)\n", *s.joins)
		return s, exitUsage, false
	}
	var err error
	if s.hours, err = homeworkHours(*s.class, *s.opens, *s.closes, time.Now()); err != nil {
		fmt.Fprintln(std.err, err)
		return s, exitUsage, false
	}
	s.page = carried()
	if *s.web == "" && s.page == nil {
		*s.web = filepath.Join("build", "web")
	}
	if *s.web != "" {
		s.page = front.Folder(*s.web)
		if front.Within(*s.data, *s.web) {
			fmt.Fprintf(std.err, "--data: %s and the page's folder %s lie in one another, and the page's is served to "+
				"everybody (name another with --data)\n", *s.data, *s.web)
			return s, exitUsage, false
		}
	}
	return s, exitOK, true
}

// serveUntil runs the server until ctx ends, then stops the runs and lets the requests that are
// being answered finish.
func serveUntil(ctx context.Context, c command, std streams, args []string) int {
	o, code, ok := serveFlags(c, std, args)
	if !ok {
		return code
	}
	var a *course.Assignment
	var assignment []byte
	if *o.class != "" {
		if a, assignment, code = readAssignment(std, *o.class); a == nil {
			return code
		}
	}
	watched, err := listenMetrics(*o.metrics)
	if err != nil {
		fmt.Fprintln(std.err, err)
		return exitUsage
	}
	if watched != nil {
		defer watched.Close()
	}
	listener, err := net.Listen("tcp", *o.addr)
	if err != nil {
		if other := sqlite.Held(ctx, *o.data); other != nil { // which says more than that its port is taken
			return refuseFolder(std, *o.data, other)
		}
		fmt.Fprintf(std.err, "hadarlab serve: %s\n", listenAdvice(*o.addr, err))
		return exitFailed
	}
	defer listener.Close()
	log := slog.New(slog.NewTextHandler(std.err, nil))
	db, store, err := o.limits.open(ctx, *o.data, log)
	if errors.Is(err, sqlite.ErrRunning) {
		return refuseFolder(std, *o.data, err)
	}
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		return exitFailed
	}
	defer db.Close()
	if err := db.Serves(listener.Addr().String()); err != nil {
		log.Warn("the address cannot be noted in the data folder", "error", err)
	}

	o.limits.bindMemory()
	runner := runs.NewPool(o.limits.runner(store, log))
	classes, began := worker.NewClasses(store, runner, time.Now), time.Now()
	classes.Aged = newAged(time.Now, func() time.Duration { return time.Since(began) }).Now
	classes.JoinsAMinute = *o.joins
	classes.Joins = joins(listener.Addr(), o.hosts, *o.base)
	expiring, stopExpiry := context.WithCancel(ctx)
	var expiry sync.WaitGroup
	expiry.Go(func() { expire(expiring, store, classes, log) })
	damaged := &atomic.Bool{}
	expiry.Go(func() { inspect(expiring, store, damaged, log) })
	defer func() { stopExpiry(); expiry.Wait() }() // before the database is closed
	handler := o.handler(listener.Addr(), store, runner, classes, damaged, log)
	if watched != nil {
		defer serveMetrics(watched, handler, log)()
	}
	server := newServer(handler, log)
	failed := make(chan error, 1)
	announce(std.out, listener.Addr(), *o.base)
	if a != nil {
		if err := startClass(context.WithoutCancel(ctx), std, classes, a, assignment, o.hours); err != nil {
			fmt.Fprintf(std.err, "hadarlab serve: the class cannot begin: %v\n", err)
			shutDown(server, runner, log)
			return exitFailed
		}
	}
	go func() { failed <- server.Serve(listener) }()

	select {
	case err := <-failed:
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		code = exitFailed
	case <-ctx.Done():
	}
	shutDown(server, runner, log)
	return code
}

// refuseFolder says whose the data folder is.
func refuseFolder(std streams, dir string, err error) int {
	fmt.Fprintf(std.err, "--data: %s: %v (use that server, stop it, or name another folder with --data)\n", dir, err)
	return exitUsage
}

// handler answers requests: the front before the worker.
func (o *serveOptions) handler(at net.Addr, store *sqlstore.Store, runner *runs.Runner,
	classes *class.Service, damaged *atomic.Bool, log *slog.Logger) *front.Front {
	before := front.Options{Addr: at, Names: o.hosts, Base: *o.base, LargestBody: largest,
		Gauges: gauges(runner, *o.data)}
	if *o.access {
		before.Access = log
	}
	return front.New(worker.New(worker.Options{
		Store: store, Runner: runner, Classes: classes, Web: o.page, RunBytes: largest, Log: log,
		Damaged: damaged,
		Address: o.proxies.Client,
		Base:    *o.base, Pack: front.Pack(), Picture: picture.PNG,
	}), before)
}

// checkBase brings a path to the form that is put before others: without the slash at its end.
func checkBase(base *string) error {
	given := *base
	*base = strings.TrimSuffix(given, "/")
	if *base == "" || regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`).MatchString(*base) {
		return nil
	}
	return fmt.Errorf("--base: %q is no path (give one of letters, digits, - and _ that begins with a slash, as /lab/)",
		given)
}

func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      5 * time.Minute, // a slow line needs long for the module; streams move it forward
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// shutDown stops the runs and lets the requests that are being answered finish.
func shutDown(server *http.Server, runner *runs.Runner, log *slog.Logger) {
	grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// Runs first: with them their listeners end, which Shutdown waits for.
	if err := runner.Close(grace); err != nil {
		log.Warn("stopping", "error", err)
	}
	if err := server.Shutdown(grace); err != nil {
		_ = server.Close() // a stream that outlives the grace is cut; its client sees the end
	}
}
