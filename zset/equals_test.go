package zset

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// columns returns a tie that consists of the given numbers.
func columns(numbers ...uint64) (tie []byte) {
	for _, n := range numbers {
		tie = binary.BigEndian.AppendUint64(tie, n)
	}
	return tie
}

// TestColumns ranks a contest. The score is the number of solved problems and a column with the penalty; the time of the last solution
// only orders equals.
func TestColumns(t *testing.T) {
	rows := []struct {
		member           string
		solved           int64
		tie              []byte
		forward, reverse [4]int
	}{
		{"a", 3, columns(math.MaxUint64, 9), [4]int{0, 0, 0, 0}, [4]int{6, 6, 6, 4}},
		{"b", 4, columns(7, 1), [4]int{1, 1, 3, 1}, [4]int{5, 3, 5, 3}},
		{"d", 4, columns(7, 2), [4]int{2, 1, 3, 1}, [4]int{4, 3, 5, 3}},
		{"c", 4, columns(7, math.MaxUint64), [4]int{3, 1, 3, 1}, [4]int{3, 3, 5, 3}},
		{"e", 4, columns(8, 0), [4]int{4, 4, 4, 2}, [4]int{2, 2, 2, 2}},
		{"f", 4, columns(math.MaxUint64, 3), [4]int{5, 5, 5, 3}, [4]int{1, 1, 1, 1}},
		{"g", math.MaxInt64, columns(math.MaxUint64, math.MaxUint64), [4]int{6, 6, 6, 4}, [4]int{0, 0, 0, 0}},
	}
	for _, o := range []Options{{}, {DenseRanks: true}, {MaxListpackEntries: -1}, {MaxListpackEntries: -1, DenseRanks: true}} {
		o.TieWidth, o.ScoreTie = 16, 8
		s, err := NewInt(o)
		require.NoError(t, err)
		for i := range rows {
			row := rows[i*3%len(rows)]
			_, err := s.AddTied([]byte(row.member), row.tie, row.solved)
			require.NoError(t, err)
		}
		for how := Ordinal; how <= Dense; how++ {
			for _, row := range rows {
				forward, _ := s.RankBy(how, []byte(row.member))
				reverse, _ := s.RevRankBy(how, []byte(row.member))
				require.Equal(t, [2]int{row.forward[how], row.reverse[how]}, [2]int{forward, reverse}, "%+v: %d of %s", o, how, row.member)
			}
		}
		for rank, want := range []int{0, 1, 2, 2, 2, 3, 4, 5, 5} {
			require.Equal(t, want, s.Distinct(rank))
		}
		require.Equal(t, []int{1, 5, 3, 1}, []int{s.ScoreRank(Competition, 4), s.ScoreRank(Modified, 4), s.RevScoreRank(Dense, 3) - 1, s.ScoreRank(Dense, 4)},
			"a score stands for all its columns")
		require.Equal(t, []int{0, 1, 4, 6, 7}, []int{s.Seek(-1, columns(9)), s.Seek(4, nil), s.Seek(4, columns(7, math.MaxUint64, 1<<63)),
			s.Seek(5, nil), s.Seek(math.MaxInt64, columns(math.MaxUint64, math.MaxUint64, 1<<63))})
		require.Equal(t, 7, s.SeekAfter(math.MaxInt64, nil), "there is no greater score")
		percent, ok := s.Percentile([]byte("c"))
		require.True(t, ok)
		require.Equal(t, 100*1.0/6, percent, "nobody passes equals")
	}
}

// TestColumnsCarry ranks entries whose columns differ in one byte each, before bytes 0xff. Computing the end of equals then carries from
// byte to byte.
func TestColumnsCarry(t *testing.T) {
	for _, o := range []Options{{}, {DenseRanks: true}, {MaxListpackEntries: -1}, {MaxListpackEntries: -1, DenseRanks: true}} {
		o.TieWidth, o.ScoreTie = 16, 16
		s, err := NewInt(o)
		require.NoError(t, err)
		for i := range 16 {
			tie := make([]byte, 16)
			for j := range tie {
				if tie[j] = 0xff; j < i {
					tie[j] = 7
				}
			}
			if tie[i] = 1; i == 0 {
				_, err = s.AddTied([]byte("last"), columns(math.MaxUint64, math.MaxUint64), 5)
				require.NoError(t, err)
			}
			_, err = s.AddTied([]byte{byte('a' + i)}, tie, 5)
			require.NoError(t, err)
		}
		for place := range 17 {
			for member := range s.Range(place, place+1) {
				for how := Ordinal; how <= Dense; how++ {
					rank, ok := s.RankBy(how, member)
					require.True(t, ok)
					require.Equal(t, place, rank, "%+v: %d of %s", o, how, member)
				}
			}
		}
	}
}

// TestSeekNaN: Seek and SeekAfter must return 0 for NaN.
func TestSeekNaN(t *testing.T) {
	for _, v := range plain {
		require.Zero(t, alphabet(v).Seek(math.NaN(), []byte("z")))
		require.Zero(t, alphabet(v).SeekAfter(math.NaN(), nil))
	}
}
