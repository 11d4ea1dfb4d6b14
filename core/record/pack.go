package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"

	"hadarlab/core/words"
)

// MostPacked is how many characters a packed record may have.
const MostPacked = 2 << 20

// Looks says whether a file is a record, told from its beginning.
func Looks(data []byte) bool {
	data = bytes.TrimLeft(data[:min(len(data), 4096)], "\ufeff \t\r\n")
	return bytes.HasPrefix(data, []byte("{")) && (bytes.Contains(data, []byte(`"kind":"`+Kind+`"`)) ||
		bytes.Contains(data, []byte(`"kind": "`+Kind+`"`)))
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
	rec, rest, err := begin(data, InPage)
	if err != nil {
		return nil, "", err
	}
	bare := rec.Head
	bare.Document = nil
	first, _ := json.Marshal(&bare) // numbers are finite
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	for _, part := range [][]byte{first, []byte("\n"), rest} {
		_, _ = z.Write(part) // a buffer takes everything
	}
	_ = z.Close()
	packed = base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(packed) > MostPacked {
		return nil, "", &Error{0, words.Say("The record has {0} bytes when it is packed; a scenario holds {1}. The command line takes longer ones: --policy replay:FILE.",
			len(packed), MostPacked)}
	}
	return &rec.Head, packed, nil
}

var errPacked = &Error{0, words.Say("This is no packed record.")}

// Unpack reads what Pack has packed. An error is an *Error.
func Unpack(text string) (*Record, error) {
	data, err := unpack(text)
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(data), InPage)
}

// UnpackHead reads the first line of what Pack has packed. An error is an *Error.
func UnpackHead(text string) (*Head, error) {
	data, err := unpack(text)
	if err != nil {
		return nil, err
	}
	rec, _, err := begin(data, InPage)
	if err != nil {
		return nil, err
	}
	return &rec.Head, nil
}

func unpack(text string) ([]byte, error) {
	if len(text) > MostPacked {
		return nil, &Error{0, words.Say("The record has {0} bytes when it is packed; a scenario holds {1}.", len(text),
			MostPacked)}
	}
	if text == "" {
		return nil, &Error{0, words.Say("There is no record in it: open one as a file.")}
	}
	packed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errPacked
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(InPage.Bytes)+1))
	if err != nil {
		return nil, errPacked
	}
	return data, nil
}
