package commitlog

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// TestTailBounded appends commits of random size. The tail must never exceed its limit, unless it consists of one piece only.
func TestTailBounded(t *testing.T) {
	for _, limit := range []int{1, 1000, 64 << 10} {
		l := NewMemLog(limit)
		l.Keep()
		rng := rand.New(rand.NewPCG(1, uint64(limit)))
		most, largest := 0, 0
		for i := range 5000 {
			var b format.Batch
			b.Put("a", []byte("x"), make([]byte, rng.IntN(400)))
			if i%1000 == 999 {
				b.Put("a", []byte("y"), make([]byte, 3*limit))
			}
			largest = max(largest, len(format.CommitBody(&b))+10)
			require.EqualValues(t, i+1, l.Append(&b))
			sum := 0
			for _, p := range l.tail.pieces {
				sum += cap(p.body) + pieceOverhead
			}
			require.Equal(t, sum, l.tail.bytes)
			if n := len(l.tail.pieces); n > 1 {
				require.LessOrEqual(t, sum, limit)
			}
			most = max(most, sum)
		}
		t.Logf("limit %d: at most %d bytes, the largest commit had %d", limit, most, largest)
	}
}
