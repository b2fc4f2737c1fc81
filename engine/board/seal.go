package board

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// sealed is a closed period that a migration has written under the new rules.
type sealed struct {
	t      *timeline // under the new spec
	period string
	was    uint64 // the digest of the entries that were read
	is     uint64 // the digest of the entries that were stored
}

// sealsStep is the number of records that one commit stores.
const sealsStep = 1000

// seal notes the digests of a closed period before and after.
func (m *migration) seal(t *timeline, period string, was uint64) error {
	seal, err := m.b.owner().Seal(t.key(period))
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
		err := m.b.owner().Update(nil, func(tx *engine.Tx) error {
			for _, x := range some {
				r := x.t.recordOf(x.period)
				m.reseal(r, x)
				text, err := r.encode()
				if err == nil {
					err = tx.Put(recordKey(x.t.board, x.t.Window.Name, x.period), text)
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
func (m *migration) reseal(r *record, x sealed) {
	digests := map[int]uint64{m.next.version: x.is}
	if closed, known := r.Digests[m.old.version]; known {
		digests[m.old.version] = closed
		digests[m.next.version] += closed - x.was
	}
	r.Digests = digests
}
