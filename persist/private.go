package persist

import (
	"iter"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// KV is one private key and its value.
type KV struct {
	Key   []byte // as given to Batch.PutPrivate
	Value []byte // of the last commit that wrote it
}

// Private returns a copy of a private key's value, as of AppliedSeq. ok is false if there is no such key. Errors: ErrClosed,
// ErrCorrupt. O(log n).
func (s *Store) Private(key []byte) (value []byte, ok bool, err error) {
	d := s.log.DB
	if err := d.Acquire(); err != nil {
		return nil, false, err
	}
	defer d.Release()
	return d.Get(format.KeyPrivate(key), format.NamePrivate(key))
}

// ScanPrivate iterates over the private keys that start with prefix, in order, as they were when the iteration started.
// Key and Value are valid until the next step. An error ends it: ErrClosed, ErrCorrupt. O(log n + visited).
func (s *Store) ScanPrivate(prefix []byte) iter.Seq2[KV, error] {
	d, from := s.log.DB, format.KeyPrivate(prefix)
	return pebbledb.Seq2(d, func(yield func(KV) (bool, error)) error {
		return d.ScanAhead(from, format.KeyAfter(from), format.NamePrivate(prefix), func(key, value []byte) (bool, error) {
			return yield(KV{key[len(format.PrefixPrivate):], value})
		})
	})
}
