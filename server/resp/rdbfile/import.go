package rdbfile

import (
	"context"
	"errors"
	"io"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// Import stores the keys of a file. After an error the report says what has been done before it, and is stored. O(n log n) for n members of a set. Errors: those of package rdb,
// ErrTwice, those of the engine and of ctx. A string or listpack of more than engine.MaxTransaction is rdb.ErrTooLarge. After an error of which Damaged is true, a later
// call does not go on there, and a whole file needs Replace.
func Import(ctx context.Context, e *engine.Engine, r io.Reader, o ImportOptions) (*ImportReport, error) {
	if err := o.Validate(); err != nil {
		return newReport(), err
	}
	space, err := keyspace.New(ctx, e, nil)
	if err != nil {
		return newReport(), err
	}
	m := newImporter(ctx, space, o)
	if err := m.load(ctx); err != nil || m.done {
		m.report.Before = m.done
		return m.report, err
	}
	f, err := m.run(ctx, r)
	m.done = err == nil
	if !errors.Is(err, errStoring) {
		err = errors.Join(err, m.flush(ctx, m.seen))
	}
	behind := err == nil && o.Behind != nil
	if behind {
		err = o.Behind(f.Offset(), f.Rest())
	}
	if behind && err != nil || Damaged(err) { // a whole file must not go on behind what this one has stored
		err = errors.Join(err, m.forget(ctx))
	}
	if !o.DryRun {
		err = errors.Join(err, e.Barrier(context.WithoutCancel(ctx)))
	}
	return m.report, err
}

// run reads the file to its end, and returns the reader that stands there.
func (m *importer) run(ctx context.Context, r io.Reader) (*rdb.Reader, error) {
	aux := map[string]string{}
	f, err := rdb.NewReader(r, rdb.ReadOptions{AnyVersion: m.o.AnyVersion, MaxString: engine.MaxTransaction, Aux: func(name, value []byte) {
		if len(aux) < 100 {
			aux[string(name)] = string(value)
		}
	}})
	if err != nil {
		return nil, err
	}
	m.report.Version, m.report.Aux = f.Version(), aux
	for n := int64(1); ; n++ {
		key, err := f.Next()
		m.report.Unkeyed = f.Unkeyed()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err == nil {
			err = m.ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if n <= m.report.Resumed {
			continue
		}
		if err := m.key(ctx, key, n); err != nil {
			return nil, err
		}
		if m.o.Progress != nil && n%64 == 0 {
			m.o.Progress(m.report)
		}
	}
}
