package facts

import (
	"encoding/binary"
	"math"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// What the engine's effects mean:
//
//	Create   the set exists, with these facts; the first effect on a set in every commit that leaves it with members,
//	         and right before its Puts and Removes
//	Put      the member has this score and tie
//	Remove   the member is gone
//	Drop     the set is gone; a Create before it gives its key if that is not its id
//
// The value of a Put is the score, 8 bytes big endian, followed by the tie. A float64 is stored as its IEEE 754 bits, an int64 in two's
// complement.

// AppendValue appends the value of a Put to dst. The score is as zset.As shows it; ints says whether the set has int64 scores.
func AppendValue(dst []byte, ints bool, score int64, tie []byte) []byte {
	bits := uint64(score)
	if !ints {
		bits = math.Float64bits(zset.FloatOf(score))
	}
	return append(binary.BigEndian.AppendUint64(dst, bits), tie...)
}

// PutAll appends a Put for every member of a set to a batch. O(n).
func PutAll(b *persist.Batch, id string, v *zset.IntView) {
	var value [8 + zset.MaxTieWidth]byte
	var entries []zset.IntEntry
	for lo := 0; lo < v.Len(); lo += len(entries) {
		entries = v.Append(entries[:0], lo, lo+digestStep)
		for _, e := range entries {
			b.Put(id, e.Member, AppendValue(value[:0], v.Integers(), e.Score, e.Tie))
		}
	}
}
