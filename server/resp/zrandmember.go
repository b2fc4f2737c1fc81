package resp

import (
	"math"
	"math/rand/v2"

	"github.com/zrankdb/zrank/zset"
)

const errLongRange = refusal("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")

// drawAtATime is how many entries are drawn before they are written: a client may ask for any number.
const drawAtATime = 1024

func zrandmember(t *txn, a [][]byte) error {
	count, as, err := parseDraw(a[2:])
	if err != nil {
		return err
	}
	v, err := t.read(a[1])
	switch {
	case err != nil:
		return err
	case len(a) > 2:
		return drawMembers(t, v, count, as)
	case v.Len() == 0:
		t.w.Null()
	default:
		t.w.Bulk(v.AppendRandom(nil, t.c.host.rand.fork(), -1)[0].Member)
	}
	return nil
}

// drawMembers answers with so many different entries, or, of a negative count, with as many that are each drawn anew.
func drawMembers(t *txn, v sorted, count int, as shape) error {
	n := v.Len()
	switch {
	case count >= n:
		writeInterval(t.w, v, 0, n, false, as)
	case count >= 0:
		if err := t.c.borrow(count, entryBytes); err != nil {
			return err
		}
		writeEntries(t.w, walked(v.AppendRandom(nil, t.c.host.rand.fork(), count)), count, as)
	case n == 0:
		t.w.Array(0)
	default:
		r := t.c.host.rand.fork()
		writeEntries(t.w, func(yield func([]byte, float64) bool) { drawn(v, r, -count, yield) }, -count, as)
	}
	return nil
}

// drawn yields so many entries of a set that has some, each drawn anew.
func drawn(v sorted, r *rand.Rand, n int, yield func([]byte, float64) bool) {
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

// walked walks entries.
func walked(list []zset.Entry) func(func([]byte, float64) bool) {
	return func(yield func([]byte, float64) bool) {
		for _, e := range list {
			if !yield(e.Member, e.Score) {
				return
			}
		}
	}
}

// parseDraw reads what may follow the key of ZRANDMEMBER.
func parseDraw(words [][]byte) (count int, as shape, err error) {
	if len(words) == 0 {
		return 0, onlyMembers, nil
	}
	wide, err := parseInt[int64](words[0])
	if err != nil {
		return 0, as, err
	}
	count, _ = parseInt[int](words[0])
	scored := len(words) == 2 && is(words[1], "withscores")
	switch {
	case wide == math.MinInt64:
		return 0, as, errLongRange
	case len(words) > 1 && !scored:
		return 0, as, errSyntax
	case scored && (wide < -math.MaxInt64/2 || wide > math.MaxInt64/2):
		return 0, as, errRange
	case scored:
		as = withScores
	}
	return count, as, nil
}
