// Package logs is how a server tells its operator what went wrong.
package logs

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Logger takes a message, and keys each followed by its value. *slog.Logger is one.
type Logger interface {
	Info(message string, args ...any)
	Warn(message string, args ...any)
	Error(message string, args ...any)
}

// Default writes to standard error, which is the console at the edge.
var Default Logger = lines{os.Stderr}

// lines writes a message a line as slog does by default. It stands in for slog where nobody gives another one, since
// in the edge's modules it takes 28 kB of 2.3 and 2.8 MB.
type lines struct{ to io.Writer }

func (l lines) Info(message string, args ...any)  { l.write("INFO", message, args) }
func (l lines) Warn(message string, args ...any)  { l.write("WARN", message, args) }
func (l lines) Error(message string, args ...any) { l.write("ERROR", message, args) }

func (l lines) write(level, message string, args []any) {
	var b strings.Builder
	b.WriteString(level + " " + message)
	for i := 0; i+1 < len(args); i += 2 {
		fmt.Fprintf(&b, " %v=%q", args[i], fmt.Sprint(args[i+1]))
	}
	io.WriteString(l.to, b.String()+"\n") // there is nobody left to tell that it failed
}
