package facts

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"github.com/zrankdb/zrank/zset"
)

// A set with int64 scores that is made under a reserved key has a digest: the sum, modulo 2^64, of a hash of each of its entries. The
// order of the entries does not matter, so a commit brings it up to date from the entries that it changes, and it is known at any time
// without reading the set. It is one of the facts of the set, in the log and in snapshots, so it is known of a cold set too.
//
// So the commit that closes a period can store the digest of the period in O(1). If the stored entries change later, or batch are lost,
// their digest differs.
//
//   - D1: the digest of a set is that of the entries it holds after the last commit that changed it.
//
// The digest finds damage and mistakes. It does not stop an attacker who forges entries: the hash is fast and has no key.

// Digest is the digest of a set. The zero value means that the set has none: its key is not reserved, or an older version made it.
type Digest struct {
	Sum   uint64
	Known bool
}

// EntryHash returns the hash of an entry: XXH64 of the score, 8 bytes big endian, the tie and the member.
func EntryHash[T, M ~string | ~[]byte](score int64, tie T, member M) uint64 {
	var buf [128]byte // most entries are shorter
	b := binary.BigEndian.AppendUint64(buf[:0], uint64(score))
	return xxhash.Sum64(append(append(b, tie...), member...))
}

// DigestOf reads a set and returns the sum of the hashes of its entries. O(n).
func DigestOf(v *zset.IntView) (sum uint64) {
	var batch []zset.IntEntry
	for lo := 0; lo < v.Len(); lo += len(batch) {
		batch = v.Append(batch[:0], lo, lo+digestStep)
		for _, e := range batch {
			sum += EntryHash(e.Score, e.Tie, e.Member)
		}
	}
	return sum
}

// digestStep is the number of entries that are copied out of a set at a time.
const digestStep = 1024

// Add adds the hash of an entry that the set has gained.
func (d *Digest) Add(score int64, tie []byte, member string) { d.Sum += EntryHash(score, tie, member) }

// Remove subtracts the hash of an entry that the set has lost.
func (d *Digest) Remove(score int64, tie, member string) { d.Sum -= EntryHash(score, tie, member) }
