package board

import (
	"bytes"
	"cmp"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hardEntries are entries of one score with times and arrivals at their extremes, in order of (time, arrival).
func hardEntries() []entry {
	micros := []int64{math.MinInt64, math.MinInt64 + 1, time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
		-1 << 32, -256, -1, 0, 1, 255, 256, noon.UnixMicro(), 1 << 31 * 1_000_000, math.MaxInt64 - 1, math.MaxInt64}
	arrivals := []uint64{0, 1, 255, 256, math.MaxInt64, 1 << 63, math.MaxUint64}
	var entries []entry
	for _, reached := range micros {
		for _, arrival := range arrivals {
			entries = append(entries, entry{1, reached, arrival})
		}
	}
	return entries
}

func TestTieRoundTrip(t *testing.T) {
	scores := []float64{0, 1, -1, 1 << 33, 1 << 53, -1 << 63, 5e-324, math.MaxFloat64, -math.MaxFloat64}
	everySpec(func(spec Spec) {
		for _, e := range hardEntries() {
			for _, e.score = range scores {
				var buf [16]byte
				got := spec.read(spec.stored(e.score), spec.tie(&buf, e))
				want := e
				if spec.Ties == ByMember {
					want = entry{score: e.score}
				}
				require.Equal(t, want, got, spec.Name)
			}
		}
	})
}

// TestReadHasNoNegativeZero: descending boards negate, and the negation of 0 is -0.
func TestReadHasNoNegativeZero(t *testing.T) {
	everySpec(func(spec Spec) {
		for _, stored := range []float64{0, math.Copysign(0, -1)} {
			assert.False(t, math.Signbit(spec.read(stored, nil).score), spec.Name)
		}
	})
}

func TestTieOrder(t *testing.T) {
	entries := hardEntries()
	for i, a := range entries {
		for j, b := range entries {
			want := cmp.Compare(i, j)
			first, last := Spec{Ties: FirstToReach}, Spec{Ties: LastToReach}
			require.Equal(t, want, compareTies(first, a, b), "%v %v", a, b)
			require.Equal(t, -want, compareTies(last, a, b), "%v %v", a, b)
		}
	}
	require.Zero(t, compareTies(Spec{Ties: ByMember}, entries[0], entries[1]))
}

func compareTies(spec Spec, a, b entry) int {
	var x, y [16]byte
	return bytes.Compare(spec.tie(&x, a), spec.tie(&y, b))
}

// TestTiesOnBoard puts equals from year 0 to 9999 on a board, with steps of a microsecond, and arrivals to tell apart those
// within one.
func TestTiesOnBoard(t *testing.T) {
	times := []time.Time{
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999_998_999, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC), // a microsecond before 1970, rounded down
		time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC), // the same microsecond: arrival
		time.Unix(0, 0),
		time.Unix(1<<31, 0), // 2038
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
	}
	first, last := mustOpen(t, newMemory(t), Spec{Name: "x"}), mustOpen(t, newMemory(t), Spec{Name: "x", Ties: LastToReach})
	members := []string{"g", "f", "e", "d", "c", "b", "a"}
	for _, i := range []int{4, 6, 2, 0, 3, 5, 1} {
		mustSubmit(t, first, members[i], 1, times[i])
		mustSubmit(t, last, members[i], 1, times[i])
	}
	assert.Equal(t, "g1 f1 e1 d1 c1 b1 a1", top(t, all(t, first), 9))
	assert.Equal(t, "a1 b1 c1 d1 e1 f1 g1", top(t, all(t, last), 9))
}
