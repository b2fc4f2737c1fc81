package board

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// sealed is a closed period that a migration has ranked anew.
type sealed struct {
	s      *span // under the new spec
	period string
	was    uint64 // the digest of the entries that were read
	is     uint64 // and of those that were stored
}

// sealsStep is how many records one commit stores.
const sealsStep = 1000

// seal notes what a closed period has become.
func (m *migration) seal(s *span, period string, was uint64) error {
	seal, err := m.b.bs.own.Seal(s.key(period))
	if err == nil {
		m.sealed = append(m.sealed, sealed{s, period, was, seal.Digest})
	}
	return err
}

// storeSeals stores the digests of the new rankings in the records of closed periods, beside those of the old ones, which are right
// until the board changes over. A migration that does not come to its end leaves some that nobody asks for, and the next one
// stores others in their place.
func (m *migration) storeSeals() error {
	for some := range slices.Chunk(m.sealed, sealsStep) {
		err := m.b.bs.own.Update(nil, func(tx *engine.Tx) error {
			for _, x := range some {
				r := x.s.record(x.period)
				m.reseal(r, x)
				text, err := r.encode()
				if err == nil {
					err = tx.Put(recordKey(x.s.board, x.s.Window.Name, x.period), text)
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

// reseal gives the record of a period the digest that its new ranking should have. If the old one is not what was closed, the new one is
// not either, and misses its digest by as much.
func (m *migration) reseal(r *record, x sealed) {
	digests := map[int]uint64{m.next.version: x.is}
	if closed, known := r.Digests[m.old.version]; known {
		digests[m.old.version] = closed
		digests[m.next.version] += closed - x.was
	}
	r.Digests = digests
}
