package migration

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// sealed is a closed period that a migration has written under the new rules.
type sealed struct {
	t      *state.Timeline // under the new spec
	period string
	was    uint64 // the digest of the entries that were read
	is     uint64 // the digest of the entries that were stored
}

// sealsStep is the number of records that one commit stores.
const sealsStep = 1000

// seal notes the digests of a closed period before and after.
func (m *migration) seal(t *state.Timeline, period string, was uint64) error {
	seal, err := m.b.Owner().Seal(t.Key(period))
	if err == nil {
		m.sealed = append(m.sealed, sealed{t, period, was, seal.Digest})
	}
	return err
}

// storeSeals stores the digests of the new rankings in the records of closed periods, beside those of the old rankings, which are valid
// until the new spec is committed. A failed migration leaves digests of a version that the board does not have; the next migration
// replaces them.
func (m *migration) storeSeals() error {
	for some := range slices.Chunk(m.sealed, sealsStep) {
		err := m.b.Owner().Update(nil, func(tx *engine.Tx) error {
			for _, x := range some {
				r := x.t.RecordOf(x.period)
				m.reseal(r, x)
				text, err := r.Encode()
				if err == nil {
					err = tx.Put(boardkey.Record(x.t.Board, x.t.Window.Name, x.period), text)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reseal sets the digest that the new ranking of a period should have. If the old ranking differs from what was closed, the new one does
// too, and its digest differs by as much.
func (m *migration) reseal(r *state.Record, x sealed) {
	digests := map[int]uint64{m.next.Version: x.is}
	if closed, known := r.Digests[m.old.Version]; known {
		digests[m.old.Version] = closed
		digests[m.next.Version] += closed - x.was
	}
	r.Digests = digests
}
