package resp

import (
	"fmt"
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// errReply is the answer in the place of one that would be longer than Options.MaxReply.
func errReply(limit int) refusal {
	return refusal(fmt.Sprintf("ERR reply is larger than the limit of %d bytes", limit))
}

// shape is how entries are answered.
type shape uint8

const (
	onlyMembers  shape = iota // members only
	withScores                // with scores: one after the other in RESP2, in pairs in RESP3
	flatScores                // one after the other in both
	pairedScores              // in pairs in both
)

// leastReply is how many bytes an entry takes at least: "$0\r\n\r\n".
const leastReply = 6

// entries answers with the n entries of a walk.
func (t *txn) entries(walk iter.Seq2[[]byte, float64], n int, as shape) error {
	return writeEntries(t.w, t.w.Len()-t.mark, t.c.s.o.MaxReply, walk, n, as)
}

// interval answers with the entries of an interval of ranks that exist, or of reverse ranks.
func (t *txn) interval(v sorted, lo, hi int, reverse bool, as shape) error {
	if reverse {
		return t.entries(v.RevRange(lo, hi), hi-lo, as)
	}
	return t.entries(v.Range(lo, hi), hi-lo, as)
}

// writeEntries writes the n entries of a walk, to a reply of which so many bytes are there. If it would have more than most, what has
// been written is no reply.
func writeEntries(w *wire.Writer, there, most int, walk iter.Seq2[[]byte, float64], n int, as shape) error {
	begin := w.Len() - there
	pairs := as == pairedScores || as == withScores && w.Protocol == 3
	if n > most/leastReply {
		return errReply(most)
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
		if w.Len()-begin > most {
			return errReply(most)
		}
	}
	return nil
}

// scoreOrNull answers with a score, or that there is none.
func (t *txn) scoreOrNull(score float64, ok bool) {
	if !ok {
		t.w.Null()
		return
	}
	t.w.Double(score)
}
