package rdbfile

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

const (
	batchKeys  = 256
	batchBytes = 1 << 20
	// most is how many bytes a plain value may have: less than a transaction may change.
	most = engine.MaxTransaction - 1<<20
)

// store stores a value, alone or in a batch, or counts why not.
func (m *importer) store(ctx context.Context, v value) error {
	size := len(v.plain.Body) + len(v.name)
	if len(v.plain.Body) > most {
		count(m.report.Refused, fmt.Sprintf("a %s of more than %d bytes", v.kind, most), v.key, v.members)
		return nil
	}
	if v.members == 0 && v.plain.Kind != keyspace.String { // Redis drops keys without members too
		count(m.report.Refused, "no members", v.key, 0)
		return nil
	}
	if v.set != nil && v.set.Size() > bigBytes {
		if err := m.flush(ctx, m.seen-1); err != nil {
			return err
		}
		return m.storeBig(ctx, v)
	}
	if v.set != nil {
		size += v.set.Size()
	}
	m.batch = append(m.batch, v)
	m.weight += size
	if len(m.batch) < batchKeys && m.weight < batchBytes {
		return nil
	}
	return m.flush(ctx, m.seen)
}

// flush stores the batch, and that the import has come to the key of this number. If the transaction fails, nothing of it is counted.
func (m *importer) flush(ctx context.Context, to int64) error {
	batch := m.batch
	m.batch, m.weight = nil, 0
	if m.o.DryRun {
		outcomes, err := m.view(ctx, batch)
		if err == nil {
			m.report.Keys = to
			m.report.tally(batch, outcomes)
		}
		return err
	}
	names := make([]string, len(batch))
	for i := range batch {
		names[i] = batch[i].name
	}
	cache := m.space.NewNames()
	t := m.space.NewTx(&cache, 0)
	var next *ImportReport
	_, err := m.space.Engine.UpdateLater(ctx, func(tx *engine.Tx) error {
		t.Begin(tx)
		outcomes := make([]outcome, len(batch))
		for i := range batch {
			var err error
			if outcomes[i], err = m.put(&t, &batch[i]); err != nil {
				return err
			}
		}
		next = m.report.clone()
		next.Keys = to
		next.tally(batch, outcomes)
		return m.note(tx, next)
	}, names...)
	t.CleanUp(ctx)
	if err == nil {
		m.report = next
	}
	return err
}

// view finds out what would become of values.
func (m *importer) view(ctx context.Context, batch []value) (outcomes []outcome, err error) {
	names := make([]string, len(batch))
	for i := range batch {
		names[i] = batch[i].name
	}
	cache := m.space.NewNames()
	t := m.space.NewTx(&cache, 0)
	outcomes = make([]outcome, len(batch))
	err = m.space.Engine.View(ctx, func(tx *engine.Tx) error {
		t.Begin(tx)
		for i := range batch {
			if outcomes[i], err = m.may(&t, batch[i].name); err != nil {
				return err
			}
		}
		return nil
	}, names...)
	return outcomes, err
}

// may says whether a key may get a value.
func (m *importer) may(t *keyspace.Tx, name string) (o outcome, err error) {
	if err := t.Changeable(name); err != nil {
		if errors.Is(err, command.ErrReadOnly) {
			return outcome{refused: "a key of a board, or of a set with int64 scores"}, nil
		}
		return o, err
	}
	if !m.o.Replace {
		if o.existing, err = t.Exists(name); err != nil {
			return o, err
		}
	}
	o.stored = !o.existing
	return o, nil
}

// put stores a small value.
func (m *importer) put(t *keyspace.Tx, v *value) (outcome, error) {
	o, err := m.may(t, v.name)
	if err != nil || !o.stored {
		return o, err
	}
	if v.plain.Kind != keyspace.None {
		v.plain.Expires = v.expires
		return o, t.Replace(v.name, v.plain)
	}
	if err := t.PutSet(v.name, v.set); err != nil || v.expires.IsZero() {
		return o, err
	}
	return o, t.Expire(v.name, v.expires)
}

// storeBig stores a big sorted set.
func (m *importer) storeBig(ctx context.Context, v value) error {
	outcomes, err := m.view(ctx, []value{v})
	if err != nil {
		return err
	}
	if o := &outcomes[0]; o.stored && !m.o.DryRun {
		if o.stored, err = m.space.Engine.StoreSet(m.ctx, v.name, v.set, engine.SetStore{Expires: v.expires, Absent: !m.o.Replace}); err != nil {
			return err
		}
		o.existing = !o.stored
		if err := m.dropPlain(ctx, v.name); err != nil {
			return err
		}
	}
	m.report.tally([]value{v}, outcomes)
	return m.flush(ctx, m.seen)
}

// dropPlain drops the plain value that a sorted set has replaced.
func (m *importer) dropPlain(ctx context.Context, name string) error {
	if !m.space.MayBePlain(name) {
		return nil
	}
	cache := m.space.NewNames()
	t := m.space.NewTx(&cache, 0)
	_, err := m.space.Engine.UpdateLater(ctx, func(tx *engine.Tx) error {
		t.Begin(tx)
		_, err := t.DropPlain(name)
		return err
	}, name)
	t.CleanUp(ctx)
	return err
}

// tally counts what has become of values.
func (r *ImportReport) tally(batch []value, outcomes []outcome) {
	for i, o := range outcomes {
		v := &batch[i]
		switch {
		case o.refused != "":
			count(r.Refused, o.refused, v.key, v.members)
		case o.existing:
			r.Existing.add(v.key, v.members)
		case o.stored:
			count(r.Stored, v.kind, v.key, v.members)
			r.Databases[v.db]++
		}
	}
}
