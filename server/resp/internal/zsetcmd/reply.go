package zsetcmd

import (
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
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

// writeInterval writes the entries of an interval of ranks that exist, or of reverse ranks.
func writeInterval(w *wire.Writer, v keyspace.Sorted, lo, hi int, reverse bool, as shape) {
	if reverse {
		writeEntries(w, v.RevRange(lo, hi), hi-lo, as)
		return
	}
	writeEntries(w, v.Range(lo, hi), hi-lo, as)
}

// writeEntries writes the n entries of a walk. It stops when the reply is too large, and writes none if n alone makes it too large.
func writeEntries(w *wire.Writer, walk iter.Seq2[[]byte, float64], n int, as shape) {
	pairs := as == pairedScores || as == withScores && w.Protocol == 3
	if !w.Expect(n, as.least()) {
		return
	}
	switch {
	case as == onlyMembers || pairs:
		w.Array(n)
	default:
		w.Array(2 * n)
	}
	for member, score := range walk {
		if pairs {
			w.Array(2)
		}
		w.Bulk(member)
		if as != onlyMembers {
			w.Double(score)
		}
		if w.Over() != nil {
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
