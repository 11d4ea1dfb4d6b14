package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"hadarlab/core/words"
)

// MostPacked is how many characters a packed record may have.
const MostPacked = 2 << 20

// Looks says whether a file is a record, told from its beginning.
func Looks(data []byte) bool {
	data = bytes.TrimLeft(data[:min(len(data), 4096)], "\ufeff \t\r\n")
	line, _, _ := bytes.Cut(data, []byte("\n"))
	flat := bytes.ReplaceAll(line, []byte(" "), nil)
	return bytes.HasPrefix(data, []byte("{")) && bytes.Contains(flat, []byte(`"kind":"`+Kind+`"`))
}

// Pack gives a record's first line and the text that a document holds of it: packed, and without the scenario, which
// the document is. Only the first line is read: a fault in another is told where the record is run. An error is an
// *Error.
func Pack(data []byte) (h *Head, packed string, err error) {
	if len(data) > InPage.Bytes {
		return nil, "", &Error{0, words.Say("The record has {0} bytes; a page takes {1}. The command line takes longer ones: --policy replay:FILE.",
			len(data), InPage.Bytes)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if h, err = ReadHead(bytes.NewReader(data), InPage); err != nil {
		return nil, "", err
	}
	bare := *h
	bare.Document = nil
	first, _ := json.Marshal(&bare) // numbers are finite
	var b strings.Builder
	text := base64.NewEncoder(base64.RawStdEncoding, &b)
	z, _ := flate.NewWriter(text, flate.BestCompression)
	for _, part := range [][]byte{first, rest(data)} {
		_, _ = z.Write(part) // a builder takes everything
	}
	_, _ = z.Close(), text.Close()
	if b.Len() > MostPacked {
		return nil, "", &Error{0, words.Say("The record has {0} bytes when it is packed; a scenario holds {1}. The command line takes longer ones: --policy replay:FILE.",
			b.Len(), MostPacked)}
	}
	return h, b.String(), nil
}

// rest is a text from the end of its first line on.
func rest(data []byte) []byte {
	if at := bytes.IndexByte(data, '\n'); at >= 0 {
		return data[at:]
	}
	return nil
}

var errPacked = &Error{0, words.Say("This is no packed record.")}

// CheckPacked says what is wrong with a text as a packed record that can be told without unpacking it.
func CheckPacked(text string) error {
	if len(text) > MostPacked {
		return &Error{0, words.Say("The record has {0} bytes when it is packed; a scenario holds {1}.", len(text), MostPacked)}
	}
	return nil
}

// CheckOf says what is wrong with a text as what decided.
func CheckOf(text string) error {
	if len(text) > longestOf {
		return &Error{0, words.Say("policy: a name may have {0} characters, and this has {1}", longestOf, len(text))}
	}
	return nil
}

// Unpack reads what Pack has packed, ReadPackedHead its first line alone. An error is an *Error.
func Unpack(text string) (*Record, error) { return unpack(text, false) }

// ReadPackedHead reads the first line of a packed record.
func ReadPackedHead(text string) (*Head, error) {
	rec, err := unpack(text, true)
	if err != nil {
		return nil, err
	}
	return &rec.Head, nil
}

func unpack(text string, head bool) (*Record, error) {
	if err := CheckPacked(text); err != nil {
		return nil, err
	}
	if text == "" {
		return nil, &Error{0, words.Say("There is no record in it: open one as a file.")}
	}
	from := &sound{r: flate.NewReader(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(text)))}
	rec, err := read(from, InPage, head)
	if from.broken {
		return nil, errPacked
	}
	return rec, err
}

// sound is a reader that remembers whether what it reads from was damaged.
type sound struct {
	r      io.Reader
	broken bool
}

func (s *sound) Read(b []byte) (n int, err error) {
	n, err = s.r.Read(b)
	s.broken = s.broken || err != nil && !errors.Is(err, io.EOF)
	return n, err
}
