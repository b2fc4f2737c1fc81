package zsetcmd

import (
	"math"
	"math/rand/v2"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

const errLongRange = command.Refusal("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")

// drawAtATime is the number of entries that are drawn before they are written. It bounds the memory, as a client may ask for any number.
const drawAtATime = 1024

func zrandmember(t *session.Txn, a [][]byte) error {
	count, as, err := parseDraw(a[2:])
	if err != nil {
		return err
	}
	v, err := t.Read(a[1])
	switch {
	case err != nil:
		return err
	case len(a) > 2:
		return drawMembers(t, v, count, as)
	case v.Len() == 0:
		t.Out.Null()
	default:
		t.Out.Bulk(v.AppendRandom(nil, t.Client.Host.Rand.Fork(), -1)[0].Member)
	}
	return nil
}

// drawMembers answers with count different entries, or, of a negative count, with -count entries that are drawn independently.
func drawMembers(t *session.Txn, v keyspace.Sorted, count int, as shape) error {
	n := v.Len()
	switch {
	case count >= n:
		writeInterval(t.Out, v, 0, n, false, as)
	case count >= 0:
		if err := t.Client.Borrow(count, session.EntryBytes); err != nil {
			return err
		}
		writeEntries(t.Out, walked(v.AppendRandom(nil, t.Client.Host.Rand.Fork(), count)), count, as)
	case n == 0:
		t.Out.Array(0)
	default:
		r := t.Client.Host.Rand.Fork()
		writeEntries(t.Out, func(yield func([]byte, float64) bool) { drawn(v, r, -count, yield) }, -count, as)
	}
	return nil
}

// drawn yields n entries of a set that is not empty, drawn independently.
func drawn(v keyspace.Sorted, r *rand.Rand, n int, yield func([]byte, float64) bool) {
	var list []zset.Entry
	for n > 0 {
		list = v.AppendRandom(list[:0], r, -min(n, drawAtATime))
		n -= len(list)
		for _, e := range list {
			if !yield(e.Member, e.Score) {
				return
			}
		}
	}
}

// walked walks entries of a list.
func walked(list []zset.Entry) func(func([]byte, float64) bool) {
	return func(yield func([]byte, float64) bool) {
		for _, e := range list {
			if !yield(e.Member, e.Score) {
				return
			}
		}
	}
}

// parseDraw reads the words after the key of ZRANDMEMBER. Errors: a refusal.
func parseDraw(words [][]byte) (count int, as shape, err error) {
	if len(words) == 0 {
		return 0, onlyMembers, nil
	}
	wide, err := command.ParseInt[int64](words[0])
	if err != nil {
		return 0, as, err
	}
	count, _ = command.ParseInt[int](words[0])
	scored := len(words) == 2 && command.Is(words[1], "withscores")
	switch {
	case wide == math.MinInt64:
		return 0, as, errLongRange
	case len(words) > 1 && !scored:
		return 0, as, command.ErrSyntax
	case scored && (wide < -math.MaxInt64/2 || wide > math.MaxInt64/2):
		return 0, as, errRange
	case scored:
		as = withScores
	}
	return count, as, nil
}
