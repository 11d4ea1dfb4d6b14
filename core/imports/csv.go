package imports

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// maxLine is the length of the longest row of a trace, in bytes: the window that an import holds.
const maxLine = 64 << 10

// Faults of one row; reading goes on behind it.
var (
	errQuote = broken(words.Say("its quotes do not match"))
	errLong  = broken(words.Say("it is longer than {0} bytes", maxLine))
	errMore  = errors.New("the window ends inside the row")
)

// broken is a row that cannot be read at all.
func broken(says words.Text) error { return &fault{says, says} }

// input is a trace as it arrives.
type input struct {
	*bufio.Reader
	limit *io.LimitedReader
}

// newInput bounds a trace and leaves out a byte-order mark.
func newInput(trace io.Reader) *input {
	limit := &io.LimitedReader{R: trace, N: int64(scenario.FileLimits.Bytes) + 1}
	in := &input{bufio.NewReaderSize(limit, maxLine), limit}
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	return in
}

// start is how the trace begins.
func (in *input) start() []byte {
	b, _ := in.Peek(4096)
	return b
}

// over says whether the trace went on beyond the limit of bytes.
func (in *input) over() bool { return in.limit.N <= 0 }

// separator guesses what stands between the cells of a row: spreadsheets of some countries write semicolons.
func separator(line []byte) byte {
	for _, sep := range []byte("\t;") {
		if bytes.IndexByte(line, ',') < 0 && bytes.IndexByte(line, sep) >= 0 ||
			bytes.Count(line, []byte{sep}) >= 6 && sep == '\t' {
			return sep
		}
	}
	return ','
}

// rows splits an input into rows of cells as RFC 4180 does, with any separator. Empty lines count for
// nothing.
type rows struct {
	in     *input
	sep    byte
	quotes bool     // cells may be quoted
	line   int      // where the row begins, 1-based
	passed int      // line ends before what comes next
	used   int      // bytes of the row, still in the window
	cells  [][]byte // of the row, until the next call
	text   []byte   // of quoted cells
}

// next reads a row: io.EOF after the last, errQuote or errLong for one that cannot be split.
func (r *rows) next() error {
	for {
		_, _ = r.in.Discard(r.used)
		r.used = 0
		b, _ := r.in.Peek(r.in.Buffered())
		n, err := r.scan(b, false)
		if err == errMore {
			var end error
			if b, end = r.in.Peek(maxLine); end != nil && end != io.EOF {
				return end
			}
			if len(b) == 0 {
				return io.EOF
			}
			n, err = r.scan(b, end == io.EOF)
		}
		r.line = r.passed + 1
		if err != nil { // the fault ends with its line, so that one quote cannot swallow the file
			if n = bytes.IndexByte(b, '\n') + 1; n == 0 {
				n = len(b)
				if err == errMore {
					return r.skip()
				}
			}
			if err == errMore {
				err = errQuote
			}
		}
		r.used = n
		r.passed += bytes.Count(b[:n], []byte("\n"))
		if err != nil || len(r.cells) > 1 || len(bytes.TrimSpace(r.cells[0])) > 0 {
			return err
		}
	}
}

// skip leaves out the rest of a line that is too long.
func (r *rows) skip() error {
	for {
		_, err := r.in.ReadSlice('\n')
		switch err {
		case nil:
			r.passed++
			return errLong
		case io.EOF:
			return errLong
		case bufio.ErrBufferFull:
		default:
			return err
		}
	}
}

// scan splits the row at the start of b and gives its length; last says that nothing follows b.
func (r *rows) scan(b []byte, last bool) (n int, err error) {
	r.cells, r.text = r.cells[:0], r.text[:0]
	for {
		for n < len(b) && b[n] == ' ' {
			n++
		}
		var cell []byte
		if r.quotes && n < len(b) && b[n] == '"' {
			if cell, n, err = r.quoted(b, n+1, last); err != nil {
				return 0, err
			}
		} else {
			from := n
			for n < len(b) && b[n] != r.sep && b[n] != '\n' {
				if b[n] == '"' && r.quotes {
					return 0, errQuote
				}
				n++
			}
			cell = b[from:n]
		}
		if n == len(b) && !last {
			return 0, errMore
		}
		r.cells = append(r.cells, bytes.TrimRight(cell, "\r"))
		if n == len(b) {
			return n, nil
		}
		if n++; b[n-1] == '\n' {
			return n, nil
		}
	}
}

// quoted reads a cell behind its opening quote, up to the separator or the end of the line.
func (r *rows) quoted(b []byte, n int, last bool) (cell []byte, end int, err error) {
	from := len(r.text)
	for {
		q := bytes.IndexByte(b[n:], '"')
		switch {
		case q < 0 && last:
			return nil, 0, errQuote
		case q < 0 || n+q+1 == len(b) && !last:
			return nil, 0, errMore
		}
		r.text = append(r.text, b[n:n+q]...)
		if n += q + 1; n == len(b) || b[n] != '"' {
			break
		}
		r.text = append(r.text, '"')
		n++
	}
	for n < len(b) && (b[n] == ' ' || b[n] == '\r') {
		n++
	}
	if n < len(b) && b[n] != r.sep && b[n] != '\n' {
		return nil, 0, errQuote
	}
	return r.text[from:], n, nil
}
