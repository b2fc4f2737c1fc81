package zset

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// conditionRows has the outcomes under each condition: for a new member, and for a member that
// would get a lower, an equal or a higher score. A: added, U: updated, -: unchanged.
var conditionRows = map[Condition]string{
	0: "AU-U", NX: "A---", XX: "-U-U", GT: "A--U", LT: "AU--", XX | GT: "---U", XX | LT: "-U--",
}

// incrementRows says for the same cases whether an increment happens ('+'). With INCR an equal score alone does not prevent it.
var incrementRows = map[Condition]string{
	0: "++++", NX: "+---", XX: "-+++", GT: "+--+", LT: "++--", XX | GT: "---+", XX | LT: "-+--",
}

// TestConditions tries all 16 combinations of flags, with AddIf and IncrByIf. Those without a row must be refused.
func TestConditions(t *testing.T) {
	for _, v := range plain {
		for c := Condition(0); c < 16; c++ {
			s := v.fresh(8)
			s.Add([]byte("old"), 5)
			if wantErr := c.Validate(); conditionRows[c] == "" {
				want := ErrGTLTNX // ZADD errors: XX and NX is the first that Redis looks for
				if c&NX != 0 && c&XX != 0 {
					want = ErrXXAndNX
				}
				require.ErrorIs(t, wantErr, want, "%s: %b", v.name, c)
				_, err := s.AddIf([]byte("old"), 6, c)
				require.ErrorIs(t, err, want)
				_, ok, err := s.IncrByIf([]byte("old"), 1, c)
				require.ErrorIs(t, err, want)
				require.False(t, ok)
				continue
			}
			for i, score := range []float64{4, 4, 5, 6} {
				member := []byte("old")
				if i == 0 {
					member = []byte("new")
				}
				copied := s.Copy()
				outcome, err := copied.AddIf(member, score, c)
				require.NoError(t, err)
				require.Equal(t, string(conditionRows[c][i]), string("-AU"[outcome]), "%s: %b, %s %v", v.name, c, member, score)
				copied = s.Copy()
				old, had := copied.Score(member)
				got, ok, err := copied.IncrByIf(member, score-old, c)
				require.NoError(t, err)
				require.Equal(t, incrementRows[c][i] == '+', ok, "%s: %b, %s to %v", v.name, c, member, score)
				if ok {
					require.Equal(t, score, got)
				} else {
					require.Equal(t, old, got)
				}
				_, has := copied.Score(member)
				require.Equal(t, had || ok, has)
			}
		}
	}
}

// TestIncrements increments extreme scores of both kinds.
func TestIncrements(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	testIncrements(t, []increment[float64]{
		{inf, -inf, 0, ErrNaN}, {-inf, inf, 0, ErrNaN}, {5, nan, 0, ErrNaN}, {inf, inf, inf, nil}, {inf, -1e308, inf, nil},
		{1e308, 1e308, inf, nil}, {-1e308, -1e308, -inf, nil}, {1 << 53, 1, 1 << 53, nil}, {5e-324, -5e-324, 0, nil}, {3, 0, 3, nil},
	})
	const most, least = math.MaxInt64, math.MinInt64
	testIncrements(t, []increment[int64]{
		{most, 1, 0, ErrOverflow}, {least, -1, 0, ErrOverflow}, {most, most, 0, ErrOverflow}, {least, least, 0, ErrOverflow},
		{1, most, 0, ErrOverflow}, {-1, least, 0, ErrOverflow}, {most, least, -1, nil}, {least, most, -1, nil}, {0, least, least, nil},
		{0, most, most, nil}, {most, -most, 0, nil}, {least, 0, least, nil}, {1 << 53, 1, 1<<53 + 1, nil},
	})
}

// increment is a row: a score, a delta, and the result.
type increment[S Score] struct {
	score, delta, want S
	err                error
}

func testIncrements[S Score](t *testing.T, rows []increment[S]) {
	for _, v := range plain {
		for _, row := range rows {
			about := fmt.Sprint(v.name, row)
			s := freshOf[S](v, 0)
			s.Add([]byte("m"), row.score)
			s.Add([]byte("other"), 1)
			got, err := s.IncrBy([]byte("m"), row.delta)
			require.Equal(t, row.err, err, about)
			want := row.want
			if err != nil {
				want = row.score // nothing changes
			}
			require.Equal(t, want, got, about)
			score, _ := s.Score([]byte("m"))
			require.Equal(t, want, score, about)
		}
		s := freshOf[S](v, 0)
		score, err := s.IncrBy([]byte("new"), rows[0].score)
		require.NoError(t, err)
		require.Equal(t, rows[0].score, score)
	}
}

// TestNaN passes NaN to every method that takes a score. Methods that change a set must return ErrNaN before they check a condition, as
// Redis parses scores first (1.4, ZADD errors).
func TestNaN(t *testing.T) {
	nan := math.NaN()
	for _, v := range allVariants() {
		s := v.fresh(8)
		s.Add([]byte("m"), 1)
		for c := range conditionRows {
			for _, member := range []string{"m", "new"} {
				_, err := s.AddIf([]byte(member), nan, c)
				require.ErrorIs(t, err, ErrNaN, "%s: %b", v.name, c)
				_, ok, err := s.IncrByIf([]byte(member), nan, c)
				require.ErrorIs(t, err, ErrNaN)
				require.False(t, ok)
			}
		}
		_, err := s.AddTied([]byte("m"), make([]byte, 8), nan)
		require.ErrorIs(t, err, ErrNaN)
		require.ErrorIs(t, builderLike(s.View()).Add([]byte("m"), nan), ErrNaN)
		require.Equal(t, 1, s.Len())
		lo, hi := s.ScoreInterval(Bound{Score: nan}, Bound{Score: 9})
		require.Equal(t, lo, hi)
		lo, hi = s.ScoreInterval(Bound{Score: 0}, Bound{Score: nan})
		require.Equal(t, lo, hi)
		for how := Ordinal; how <= Dense; how++ {
			require.Zero(t, s.ScoreRank(how, nan)+s.RevScoreRank(how, nan)+s.Below(nan)+s.Above(nan))
		}
	}
}
