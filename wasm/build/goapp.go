//go:build !js

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// goApp is the library of the page, as Go's tool knows it.
const goApp = "github.com/maxence-charriere/go-app/v9"

// Where the page's module file and its go-app are made.
const (
	pageMod     = "build/page.mod"
	pageSum     = "build/page.sum"
	pageApp     = "build/goapp"
	pageID      = "build/uuid"
	pageOverlay = "build/overlay.json"
)

// served are go-app's files for programs that serve a page, and for pages that are not ours: its HTTP handler, where
// that finds its files, the encryption of what is stored, routes by patterns, and states that parts of a page observe.
// Our page never calls them, but what they import (net/http, TLS, ciphers, regular expressions) is in every program
// that they are in, and is an eighth of it.
var served = []string{"pkg/app/http.go", "pkg/app/resource.go", "pkg/app/crypto.go", "pkg/app/route.go",
	"pkg/app/state.go"}

// instead is what go-app's other files name of those.
const instead = `package app

import (
	"errors"
	"reflect"
	"strings"
)

type Handler struct{}

// router has one component, which is at every path.
type router struct{ routes map[string]func() Composer }

var routes router

// RouteWithRegexp takes the pattern of every path, and no other.
func RouteWithRegexp(pattern string, c Composer) {
	if pattern != "^/.*" {
		panic("the page's program is built without routes by patterns: " + pattern)
	}
	typ := reflect.TypeOf(c).Elem()
	routes.routes = map[string]func() Composer{"/": func() Composer { return reflect.New(typ).Interface().(Composer) }}
}

func (r *router) createComponent(string) (Composer, bool) {
	newComponent := r.routes["/"]
	if newComponent == nil {
		return nil, false
	}
	return newComponent(), true
}

var errLeftOut = errors.New("the page's program is built without go-app's encryption and states")

func encrypt(string, []byte) ([]byte, error) { return nil, errLeftOut }
func decrypt(string, []byte) ([]byte, error) { return nil, errLeftOut }

type State struct{}

type StateOption func(*State)

type Observer interface {
	While(condition func() bool) Observer
	OnChange(fn func()) Observer
	Value(recv any)
}

// store has no states: there is nothing to clean up or to close.
type store struct{}

func newStore(Dispatcher) *store { return &store{} }

func (*store) Set(string, any, ...StateOption)  { panic(errLeftOut) }
func (*store) Get(string, any)                  { panic(errLeftOut) }
func (*store) Del(string)                       { panic(errLeftOut) }
func (*store) Observe(string, UI) Observer      { panic(errLeftOut) }
func (*store) Cleanup()                         {}
func (*store) Close()                           {}

func isRemoteLocation(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

func isStaticResourcePath(path string) bool { return strings.HasPrefix(strings.TrimPrefix(path, "/"), "web/") }
`

// uuid is the library by which go-app would number devices, which our page never asks for; it brings random numbers
// from ciphers, hashes, addresses of networks and drivers of databases.
const uuid = "github.com/google/uuid"

const insteadOfUUID = `package uuid

func NewString() string { panic("the page's program is built without numbers of devices") }
`

// replaced is a file of Go's own that the page's programs are built without, and what stands in its place.
type replaced struct{ file, to, instead string }

// goFiles are Go's: of html the 2,231 names of characters, which only reading HTML asks for (go-app, which writes it,
// brings them all, 1 % of the program); of crypto/sha256 the way to another library that there is on some servers
// alone, by which ciphers, random generators and their tests of themselves come in; and the settings of Go by GODEBUG,
// which no browser has, with what counts them.
var goFiles = []replaced{
	{"src/html/entity.go", "build/_go/entity.go", `package html

const longestEntityWithoutSemicolon = 0

func entityMaps() (entity map[string]rune, entity2 map[string][2]rune) {
	panic("the page's program is built without reading HTML")
}
`},
	{"src/crypto/internal/boring/notboring.go", "build/_go/notboring.go", `package boring

import "hash"

const available = false

const without = "the page's program is built without BoringCrypto"

func NewSHA224() hash.Hash   { panic(without) }
func NewSHA256() hash.Hash   { panic(without) }
func SHA224([]byte) [28]byte { panic(without) }
func SHA256([]byte) [32]byte { panic(without) }
`},
	{"src/internal/godebug/godebug.go", "build/_go/godebug.go", `package godebug

type Setting struct{ name string }

func New(name string) *Setting { return &Setting{name} }

func (s *Setting) Name() string       { return s.name }
func (s *Setting) Undocumented() bool { return false }
func (s *Setting) String() string     { return s.name + "=" }
func (s *Setting) IncNonDefault()     {}
func (s *Setting) Value() string      { return "" }
`},
}

// replaceGoFiles writes what the Go tool takes in the place of those, and the list that says so.
func replaceGoFiles(goroot string) error {
	list, faults := map[string]string{}, []error{os.MkdirAll("build/_go", 0o755)} // a folder that ./... passes by
	for _, f := range goFiles {
		list[filepath.Join(goroot, f.file)] = f.to
		faults = append(faults, os.WriteFile(f.to, []byte(f.instead), 0o644))
	}
	b, err := json.Marshal(map[string]any{"Replace": list})
	return errors.Join(append(faults, err, os.WriteFile(pageOverlay, b, 0o644))...)
}

// withoutServer makes go-app as published but for the files that serve, and a module file beside the project's that
// says so, for the page's program alone.
func withoutServer() error {
	out, err := tool(nil, "mod", "download", "-json", goApp)
	if err != nil {
		return err
	}
	var published struct{ Dir string }
	if err := json.Unmarshal(out, &published); err != nil {
		return err
	}
	if err := os.RemoveAll(pageApp); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(pageApp, "pkg"), os.DirFS(filepath.Join(published.Dir, "pkg"))); err != nil {
		return err
	}
	for _, name := range served {
		if err := os.Remove(filepath.Join(pageApp, name)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(pageApp, served[0]), []byte(instead), 0o644); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(published.Dir, "go.mod"), filepath.Join(pageApp, "go.mod")); err != nil {
		return err
	}
	if err := copyFile("go.sum", pageSum); err != nil {
		return err
	}
	if err := copyFile("go.mod", pageMod); err != nil {
		return err
	}
	if err := os.MkdirAll(pageID, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(pageID, "uuid.go"), []byte(insteadOfUUID), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(pageID, "go.mod"), []byte("module "+uuid+"\n"), 0o644); err != nil {
		return err
	}
	_, err = tool(nil, "mod", "edit", "-replace="+goApp+"=./"+pageApp, "-replace="+uuid+"=./"+pageID, pageMod)
	return err
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
