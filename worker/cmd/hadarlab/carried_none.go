//go:build !js && !page

package main

import "io/fs"

// carried is the page inside this program, nil = it has none: built with the tag page it would.
func carried() fs.FS { return nil }
