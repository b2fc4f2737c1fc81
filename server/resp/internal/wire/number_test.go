package wire

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorded reads "what => words" from a file of testdata.
func recorded(t *testing.T, name string) (rows [][2]string) {
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if what, said, ok := strings.Cut(lines.Text(), " => "); ok && what[0] != '#' {
			rows = append(rows, [2]string{what, said})
		}
	}
	require.NoError(t, lines.Err())
	return rows
}

// TestNumbersAsRedis: ParseScore and ParseBound give the recorded results of a real Redis.
func TestNumbersAsRedis(t *testing.T) {
	scores, bounds, refusals := 0, 0, 0
	for _, row := range recorded(t, "numbers-7.0.15.txt") {
		text, err := strconv.Unquote(row[0])
		require.NoError(t, err)
		score, bound, _ := strings.Cut(row[1], " ")

		f, ok := ParseScore([]byte(text))
		require.Equal(t, score != "-", ok, "score %s", row[0])
		if ok {
			// A stored -0 is 0.
			require.Equal(t, score, string(AppendScore(nil, f+0, Redis70)), "score %s", row[0])
			scores++
		} else {
			refusals++
		}

		f, exclusive, ok := ParseBound([]byte(text))
		require.Equal(t, bound != "-", ok, "bound %s", row[0])
		if ok {
			want, isExclusive := strings.CutPrefix(bound, "(")
			require.Equal(t, isExclusive, exclusive, "bound %s", row[0])
			require.Equal(t, want, string(AppendScore(nil, f, Redis70)), "bound %s", row[0])
			bounds++
		} else {
			refusals++
		}
	}
	t.Logf("%d scores, %d bounds, %d refusals", scores, bounds, refusals)
	require.Greater(t, min(scores, bounds, refusals), 100)
}

// TestParseInt: ParseInt accepts exactly the texts that strconv.FormatInt writes.
func TestParseInt(t *testing.T) {
	for _, text := range []string{"0", "1", "-1", "9", "10", "9223372036854775807", "-9223372036854775808", "999999999999999999"} {
		n, ok := ParseInt([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, text, strconv.FormatInt(n, 10))
	}
	for _, text := range []string{"", "-", "+", "-0", "+1", "00", "01", "-01", " 1", "1 ", "1_0", "0x1", "1.0", "1e3", "1\x00",
		"9223372036854775808", "-9223372036854775809", "10000000000000000000", "99999999999999999999", "18446744073709551617"} {
		_, ok := ParseInt([]byte(text))
		require.False(t, ok, text)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := int64(r.Uint64()) >> r.IntN(64)
		got, ok := ParseInt(strconv.AppendInt(nil, n, 10))
		require.True(t, ok)
		require.Equal(t, n, got)
	}
}

// FuzzParseScore: ParseScore, ParseBound and ParseInt accept any text without a panic, and agree on the number.
func FuzzParseScore(f *testing.F) {
	for _, text := range []string{"1", "-0x1.8p-3", "(1e400", " inf", "nan(", "1e-400", "123456789012345678901234567890"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := string(text)
		score, ok := ParseScore(text)
		bound, exclusive, okBound := ParseBound(text)
		require.Equal(t, before, string(text))
		if ok {
			require.False(t, math.IsNaN(score))
			require.True(t, okBound)
			require.False(t, exclusive)
			require.Equal(t, score, bound)
			again, ok := ParseScore(AppendScore(nil, score, Redis72))
			require.True(t, ok)
			require.Equal(t, score, again)
		}
		if n, ok := ParseInt(text); ok {
			require.Equal(t, float64(n), score)
		}
	})
}
