package rdbfile

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
)

// positionPrefix is the prefix of the private keys that have how far imports have come; a hash of the name of the file and of the options follows.
const positionPrefix = "rdb.import\x00"

// position is how far an import has come.
type position struct {
	Report *ImportReport `json:"report"`
	Done   bool          `json:"done"`
}

// positionKey returns the private key of an import.
func (o ImportOptions) positionKey() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %t", o.Resume, o.Match, o.DB, o.Replace))
	return positionPrefix + string(sum[:])
}

// load reads how far an earlier import of the same file has come.
func (m *importer) load(ctx context.Context) error {
	if m.o.Resume == "" || m.o.DryRun {
		return nil
	}
	return m.space.Engine.View(ctx, func(tx *engine.Tx) error {
		b, ok, err := tx.Get(m.o.positionKey())
		if err != nil || !ok {
			return err
		}
		p := position{Report: newReport()}
		if err := json.Unmarshal(b, &p); err != nil {
			return fmt.Errorf("rdbfile: stored position of an import: %w", err)
		}
		m.report, m.done, m.seen = p.Report, p.Done, p.Report.Keys
		m.report.Resumed = p.Report.Keys
		return nil
	})
}

// note stores how far the import has come.
func (m *importer) note(tx *engine.Tx, r *ImportReport) error {
	if m.o.Resume == "" {
		return nil
	}
	b, err := json.Marshal(position{Report: r, Done: m.done})
	if err != nil {
		return err
	}
	return tx.Put(m.o.positionKey(), b)
}

// Damaged reports whether an error of Import says that the file is damaged, and not only cut off: then any key before the place may have been stored with a wrong value.
func Damaged(err error) bool {
	return errors.Is(err, rdb.ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF)
}

// forget deletes what is stored of how far the import has come.
func (m *importer) forget(ctx context.Context) error {
	if m.o.Resume == "" || m.o.DryRun {
		return nil
	}
	_, err := m.space.Engine.UpdateLater(ctx, func(tx *engine.Tx) error { return tx.Delete(m.o.positionKey()) })
	return err
}
