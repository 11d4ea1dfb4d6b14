// Package release says which release of the server this is, and of which sources.
package release

import (
	"runtime/debug"

	"hadarlab/core/lab"
)

// Version is the release that this program belongs to.
const Version = lab.Engine

// commit is set by the linker (see the Makefile). The Go tool could stamp it by itself, but that would give every
// commit its own copy of all cached builds, and fails where git distrusts the owner of a folder.
var commit string

// Commit names the sources that this program was built from, with "-dirty" behind it when they were changed since;
// "unknown" when they were in no repository.
func Commit() string {
	if commit != "" {
		return commit
	}
	name, changed := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				name = s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "-dirty"
			}
		}
	}
	return name + changed
}
