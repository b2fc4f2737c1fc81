package wire

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScoresAsRedis: AppendScore writes scores as recorded from a real Redis.
func TestScoresAsRedis(t *testing.T) {
	rows := recorded(t, "scores-7.0.15.txt")
	for _, row := range rows {
		f, err := strconv.ParseFloat(row[0], 64)
		require.NoError(t, err)
		reply := string(AppendScore(nil, f, Redis70))
		listpack := string(AppendScanScore(nil, f, Redis70, true))
		skiplist := string(AppendScanScore(nil, f, Redis70, false))
		require.Equal(t, row[1], reply+" "+listpack+" "+skiplist, row[0])
	}
	t.Logf("%d scores", len(rows))
	require.Greater(t, len(rows), 300)
}

// TestScoresOf72 has the rows of scores as Redis 7.2 writes them, and scores around each of its limits.
func TestScoresOf72(t *testing.T) {
	for _, row := range []struct {
		score float64
		text  string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {1, "1"}, {-17, "-17"}, {0.1, "0.1"}, {-0.1, "-0.1"}, {3.5, "3.5"},
		{1e17, "100000000000000000"}, {1e18, "1000000000000000000"}, {1 << 62, "4611686018427387904"}, {-1 << 62, "-4611686018427387904"},
		{1<<62 + 1024, "4611686018427389000"}, {1 << 63, "9223372036854776000"}, {4.7e18, "4.7e+18"}, {1e19, "1e+19"}, {1e21, "1e+21"},
		{-1e21, "-1e+21"}, {1.5e19, "1.5e+19"}, {1.234567890123456e21, "1234567890123456000000"}, {1.234567890123456e22, "12345678901234560000000"},
		{1.234567890123456e23, "1.234567890123456e+23"}, {0.00001, "0.00001"}, {0.000001, "0.000001"}, {1e-7, "1e-7"}, {1.5e-7, "1.5e-7"},
		{0.000012, "0.000012"}, {0.0000123, "1.23e-5"}, {1.2345e-4, "1.2345e-4"}, {0.0012345, "0.0012345"}, {1.23e-4, "0.000123"},
		{1234.5, "1234.5"}, {123456.789, "123456.789"}, {12345678.12345678, "1.234567812345678e+7"}, {1234.123456789, "1234.123456789"}, {0.1234567890123456, "0.1234567890123456"},
		{12345.123456789, "1.2345123456789e+4"}, {1e300, "1e+300"}, {5e-324, "5e-324"}, {math.MaxFloat64, "1.7976931348623157e+308"},
		{math.Inf(1), "inf"}, {math.Inf(-1), "-inf"}, {math.NaN(), "nan"},
	} {
		require.Equal(t, row.text, string(AppendScore(nil, row.score, Redis72)))
	}
	require.Equal(t, "4611686018427387904", string(AppendScanScore(nil, 1<<62, Redis72, true)))
	require.Equal(t, "0.1", string(AppendScanScore(nil, 0.1, Redis72, true)))
	require.Equal(t, "0.10000000000000001", string(AppendScanScore(nil, 0.1, Redis72, false)))
}

// TestScoresComeBack: both texts of a score read back as the same number, and Redis72 has the shortest digits.
func TestScoresComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	digits := func(s string) string {
		s, _, _ = strings.Cut(strings.TrimLeft(s, "-0."), "e")
		return strings.TrimRight(strings.ReplaceAll(s, ".", ""), "0")
	}
	for range 5000 {
		f := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			f = math.Round(r.NormFloat64()*1e4) / 100 * math.Pow(10, float64(r.IntN(40)-20))
		}
		if math.IsNaN(f) {
			continue
		}
		for _, text := range []ScoreText{Redis70, Redis72} {
			b := AppendScore(nil, f, text)
			require.LessOrEqual(t, len(b), scoreBytes)
			got, ok := ParseScore(b)
			require.True(t, ok, "%s", b)
			require.Equal(t, f, got, "%s", b)
		}
		if math.Abs(f) > 1<<62 || f != math.Trunc(f) {
			require.Equal(t, digits(strconv.FormatFloat(f, 'e', -1, 64)), digits(string(AppendScore(nil, f, Redis72))))
		}
	}
}

func BenchmarkAppendScore(b *testing.B) {
	buf := make([]byte, 0, scoreBytes)
	for _, row := range []struct {
		name  string
		score float64
	}{{"integer", 123456}, {"short", 1234.5}, {"long", 0.1234567890123456}} {
		b.Run("score="+row.name+"/text=7.0", func(b *testing.B) {
			for b.Loop() {
				AppendScore(buf, row.score, Redis70)
			}
		})
		b.Run("score="+row.name+"/text=7.2", func(b *testing.B) {
			for b.Loop() {
				AppendScore(buf, row.score, Redis72)
			}
		})
	}
}

func BenchmarkParseScore(b *testing.B) {
	for _, text := range []string{"123456", "1234.5", "0.1234567890123456"} {
		word := []byte(text)
		b.Run("text="+text, func(b *testing.B) {
			for b.Loop() {
				ParseScore(word)
			}
		})
	}
}
