package commitlog

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/wal"
)

// EachGroup calls fn with each group of the log from c.Next on, and its bytes. It checks every group, and that the groups form the
// chain c.
func EachGroup(d *pebbledb.DB, fn func(g format.Group, value []byte) error, c *format.Chain) error {
	from, to := format.KeyLog(c.Next), format.KeyAfter([]byte(format.PrefixLog))
	name := func() string { return format.PrefixLog }
	return d.Scan(from, to, name, func(key, value []byte) (bool, error) {
		first, err := format.FirstOf(key)
		if err != nil {
			return false, err
		}
		g, crc, err := format.OpenGroup(value)
		if err == nil && g.First != first {
			err = errs.Corruptf(format.OffFirst, "group starts at %d, its key says %d", g.First, first)
		}
		if err == nil {
			err = c.Step(g, crc)
		}
		if err == nil {
			err = fn(g, value)
		}
		return true, errs.WithKey(err, format.NameLog(first))
	})
}

// Replay calls fn with each effect of the log after the last published snapshot, in order. It skips notes, and commits that wrote only private
// keys. It must be called between Open and the first Append; after an Append it returns an error. Member and Value are valid during
// the call only. Replay stops at fn's first error and returns it. Errors: ErrCorrupt, ErrClosed. O(log).
func (l *Log) Replay(fn func(seq uint64, e wal.Effect) error) error {
	if err := l.DB.Acquire(); err != nil {
		return err
	}
	defer l.DB.Release()
	if last := l.Last.Load(); last != l.Opened {
		return fmt.Errorf("persist: Replay after Append: the log ended at %d, now at %d", l.Opened, last)
	}
	cur := l.Pointer()
	c := format.Chain{Store: l.DB.ID.Hash(), Next: cur.Start, Prev: cur.Chain}
	var dec format.CommitDecoder
	return EachGroup(l.DB, func(g format.Group, value []byte) error {
		if l.DB.IsClosing() {
			return errs.ErrClosed
		}
		if g.Last() <= cur.Upto {
			return nil // it is kept for followers
		}
		return g.EachCommit(value, func(seq uint64, body *format.Reader) error {
			if seq <= cur.Upto {
				body.Rest()
				return nil
			}
			return dec.Decode(body, func(e wal.Effect) error {
				if e.Kind == wal.Note {
					return nil
				}
				return fn(seq, e)
			})
		})
	}, &c)
}

// CutPointOf returns where the log will start after all groups that end at or before upto are deleted. prev is the checksum of the
// last deleted group, which the first remaining group, or the next one written, must name.
func CutPointOf(d *pebbledb.DB, current format.Pointer, upto uint64) (start uint64, prev uint32, err error) {
	start, prev = current.Start, current.Chain
	it, err := d.Pebble.NewIter(&pebble.IterOptions{LowerBound: format.KeyLog(start), UpperBound: format.KeyLog(upto + 1)})
	if err != nil {
		return 0, 0, errs.ReadError(err, format.NameLog(upto))
	}
	if it.Last() {
		var v []byte
		if v, err = it.ValueAndErr(); err == nil {
			start, prev, err = cutAt(v, upto)
		}
	}
	if err = errors.Join(err, it.Close()); err != nil {
		return 0, 0, errs.ReadError(errs.WithKey(err, format.NameLog(upto)), format.NameLog(upto))
	}
	return start, prev, nil
}

// cutAt returns the cut point at the last group that starts at or before upto: after the group if it ends at or before upto, and
// otherwise before it.
func cutAt(value []byte, upto uint64) (start uint64, prev uint32, err error) {
	g, crc, err := format.OpenGroup(value)
	if err == nil && g.Last() <= upto {
		return g.Last() + 1, crc, nil
	}
	return g.First, g.Prev, err
}
