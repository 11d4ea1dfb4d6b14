package ui

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// board is the board, or the page that begins a class, in place of the lab.
func (h *Host) board() app.UI { return el("main|id=main") }
