package zsetcmd

import (
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// shape is how entries are written.
type shape uint8

const (
	onlyMembers  shape = iota // members only
	withScores                // with scores: one after the other in RESP2, in pairs in RESP3
	flatScores                // one after the other in both
	pairedScores              // in pairs in both
)

// least returns the least number of bytes of an entry.
func (as shape) least() int {
	if as == onlyMembers {
		return wire.LeastBulk
	}
	return wire.LeastBulk + wire.LeastDouble
}

// writeInterval writes the entries of an interval of ranks that exist, or of reverse ranks. It writes those of a *zset.View from its records,
// without an allocation: a walk that an interface returns allocates.
func writeInterval(w *wire.Writer, v keyspace.Sorted, lo, hi int, reverse bool, as shape) {
	e, ok := begin(w, hi-lo, as)
	if !ok {
		return
	}
	set, records := v.(*zset.View)
	switch {
	case records && reverse:
		for member, score := range set.RevRange(lo, hi) {
			if !e.write(member, score) {
				return
			}
		}
	case records:
		for member, score := range set.Range(lo, hi) {
			if !e.write(member, score) {
				return
			}
		}
	case reverse:
		e.writeAll(v.RevRange(lo, hi))
	default:
		e.writeAll(v.Range(lo, hi))
	}
}

// writeEntries writes the n entries of a walk. It stops when the reply is too large, and writes none if n alone makes it too large.
func writeEntries(w *wire.Writer, walk iter.Seq2[[]byte, float64], n int, as shape) {
	if e, ok := begin(w, n, as); ok {
		e.writeAll(walk)
	}
}

// entries writes entries in one shape.
type entries struct {
	w             *wire.Writer
	scores, pairs bool
}

// begin begins the reply of n entries. ok is false if n alone makes it too large.
func begin(w *wire.Writer, n int, as shape) (e entries, ok bool) {
	if !w.Expect(n, as.least()) {
		return e, false
	}
	e = entries{w: w, scores: as != onlyMembers, pairs: as == pairedScores || as == withScores && w.Protocol == 3}
	if e.scores && !e.pairs {
		n *= 2
	}
	w.Array(n)
	return e, true
}

// write writes an entry. It returns false if the reply is too large.
func (e entries) write(member []byte, score float64) bool {
	if e.pairs {
		e.w.Array(2)
	}
	e.w.Bulk(member)
	if e.scores {
		e.w.Double(score)
	}
	return e.w.Over() == nil
}

// writeAll writes the entries of a walk until the reply is too large.
func (e entries) writeAll(walk iter.Seq2[[]byte, float64]) {
	for member, score := range walk {
		if !e.write(member, score) {
			return
		}
	}
}

// writeScoreOrNull writes a score, or null if ok is false.
func writeScoreOrNull(w *wire.Writer, score float64, ok bool) {
	if !ok {
		w.Null()
		return
	}
	w.Double(score)
}
