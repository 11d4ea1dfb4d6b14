package platform

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Reveal scrolls the first match to the top of the window when it is not wholly in sight.
func Reveal(selector string) { js().Call("reveal", selector) }

// DownloadPNG paints an SVG file at twice its size and hands it to the reader as PNG.
func DownloadPNG(name, svg string) { js().Call("downloadPNG", name, svg) }

// Print opens the browser's print dialog.
func Print() { js().Call("print") }

// OnPrint has f say the scenario's link, lines about the scenario and its document whenever the page is about to be
// printed, from whatever menu.
func OnPrint(f func() string) {
	js().Call("onPrint", callback(func([]app.Value) any { return f() }))
}

// OnSight calls f whenever the first match of one of two selectors comes into sight, with some of what is below it, or
// goes.
func OnSight(one, other string, f func(one, other bool)) {
	js().Call("onSight", one, other, callback(func(args []app.Value) any {
		f(args[0].Bool(), args[1].Bool())
		return nil
	}))
}
