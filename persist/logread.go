package persist

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// eachGroup calls fn with each group of the log and its bytes, checked, and in order after c.
func eachGroup(d *DB, fn func(g group, value []byte) error, c *chain) error {
	from, to := keyLog(c.next), keyAfter([]byte(spaceLog))
	name := func() string { return spaceLog }
	return d.scan(from, to, name, func(key, value []byte) (bool, error) {
		first, err := firstOf(key)
		if err != nil {
			return false, err
		}
		g, crc, err := openGroup(value)
		if err == nil && g.first != first {
			err = corrupt(offFirst, "group starts at %d, its key says %d", g.first, first)
		}
		if err == nil {
			err = c.step(g, crc)
		}
		if err == nil {
			err = fn(g, value)
		}
		return true, named(err, nameLog(first))
	})
}

// Replay calls fn with each effect of the log after the last published snapshot, in order; commits that wrote private keys
// only are silent. It is for the time between Open and the first Append, and refuses after that. Member and Value are
// valid during the call only. It stops at fn's first error and returns it. Errors: ErrCorrupt, ErrClosed. O(log).
func (l *Log) Replay(fn func(seq uint64, e Effect) error) error {
	if err := l.DB.acquire(); err != nil {
		return err
	}
	defer l.DB.release()
	if last := l.last.Load(); last != l.opened {
		return fmt.Errorf("persist: Replay after Append: the log ended at %d, now at %d", l.opened, last)
	}
	cur := l.pointer()
	c := chain{store: l.DB.id.hash(), next: cur.start, prev: cur.chain}
	var dec commitDecoder
	return eachGroup(l.DB, func(g group, value []byte) error {
		if l.DB.isClosing() {
			return ErrClosed
		}
		return g.eachCommit(value, func(seq uint64, body *reader) error {
			return dec.decode(body, func(e Effect) error {
				if seq <= cur.upto {
					return nil
				}
				return fn(seq, e)
			})
		})
	}, &c)
}

// cutPointOf returns where the log starts when the groups that end at or before upto are gone, and the checksum that the
// first group kept, or the next one written, names.
func cutPointOf(d *DB, current pointer, upto uint64) (start uint64, prev uint32, err error) {
	start, prev = current.start, current.chain
	it, err := d.db.NewIter(&pebble.IterOptions{LowerBound: keyLog(start), UpperBound: keyLog(upto + 1)})
	if err != nil {
		return 0, 0, readError(err, nameLog(upto))
	}
	if it.Last() {
		var v []byte
		if v, err = it.ValueAndErr(); err == nil {
			start, prev, err = cutAt(v, upto)
		}
	}
	if err = errors.Join(err, it.Close()); err != nil {
		return 0, 0, readError(named(err, nameLog(upto)), nameLog(upto))
	}
	return start, prev, nil
}

// cutAt decides about the last group that starts at or before upto: it goes if it also ends there.
func cutAt(value []byte, upto uint64) (start uint64, prev uint32, err error) {
	g, crc, err := openGroup(value)
	if err == nil && g.last() <= upto {
		return g.last() + 1, crc, nil
	}
	return g.first, g.prev, err
}
