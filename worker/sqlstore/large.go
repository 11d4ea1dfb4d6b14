package sqlstore

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"time"

	"hadarlab/worker/vault"
)

const (
	// mostDoc is the longest document that is kept or read, deflated or not.
	mostDoc = 32 << 20
	hour    = int64(time.Hour / time.Millisecond)
)

// putLarge keeps a document that is stored deflated, in one statement, so that no half of it is ever there. Who stores
// it pays for it, and all of them together have a part of the database: large ones leave room for others.
func (s *Store) putLarge(ctx context.Context, kind vault.Kind, c vault.Content) (created bool, err error) {
	packed := deflate(c.Doc)
	if size := int64(len(packed)); size > s.Largest || len(c.Doc) > mostDoc {
		return false, &vault.LimitError{Err: vault.ErrTooLarge, Bytes: s.Largest}
	}
	if there, err := s.there(ctx, kind, c.ID); there || err != nil {
		return false, err
	}
	if err := s.pay(ctx, c.Owner, len(packed), c.CreatedMS); err != nil {
		return false, err
	}
	n, err := s.exec(ctx, `INSERT INTO `+string(kind)+` (id, sum, doc, created_ms, read_ms, size)
		SELECT ?1, ?2, ?3, ?4, ?4, ?5 WHERE ?5 + (SELECT coalesce(sum(size), 0) FROM scenarios WHERE size > 0)
			+ (SELECT coalesce(sum(size), 0) FROM texts WHERE size > 0) <= ?6 ON CONFLICT (id) DO NOTHING`,
		c.ID, c.Sum, packed, c.CreatedMS, len(packed), s.LargeBytes)
	if err != nil || n > 0 {
		return n > 0, wrap("put large", c.ID, err)
	}
	if there, err := s.there(ctx, kind, c.ID); there || err != nil { // it came in between
		return false, err
	}
	return false, &vault.LimitError{Err: vault.ErrLargeFull, Bytes: s.LargeBytes}
}

func (s *Store) there(ctx context.Context, kind vault.Kind, id string) (is bool, err error) {
	err = s.row(ctx, `SELECT count(*) > 0 FROM `+string(kind)+` WHERE id = ?`, id)(&is)
	return is, wrap("look for", id, err)
}

// pay counts bytes against a client's share of the hour. An hour that ends too late was begun by a clock that was
// ahead.
func (s *Store) pay(ctx context.Context, who string, size int, nowMS int64) error {
	if _, err := s.exec(ctx, `DELETE FROM shares WHERE ends_ms <= ?1 OR ends_ms > ?1 + ?2`, nowMS, hour+apart); err != nil {
		return wrap("count what is stored", "", err)
	}
	n, err := s.exec(ctx, `INSERT INTO shares (who, bytes, ends_ms) VALUES (?1, ?2, ?3)
		ON CONFLICT (who) DO UPDATE SET bytes = bytes + ?2 WHERE bytes + ?2 <= ?4`, who, size, nowMS+hour, s.LargeEach)
	if err != nil || n > 0 {
		return wrap("count what is stored", "", err)
	}
	var ends int64
	err = s.row(ctx, `SELECT coalesce(max(ends_ms), ?2) FROM shares WHERE who = ?1`, who, nowMS)(&ends)
	if err != nil {
		return wrap("count what is stored", "", err)
	}
	return &vault.LimitError{Err: vault.ErrShare, Bytes: s.LargeEach,
		Wait: time.Duration(ends-nowMS) * time.Millisecond}
}

func deflate(doc []byte) []byte {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.DefaultCompression) // there is such a level
	_, _ = z.Write(doc)                                   // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// inflate is what deflate was given. What is damaged comes out as something that its checksum does not fit.
func inflate(packed []byte) []byte {
	doc, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), mostDoc+1))
	return doc
}
