package season

import (
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

func must(t testing.TB, c Config) *Season {
	t.Helper()
	s, err := New(c)
	require.NoError(t, err)
	return s
}

// defaultSeason is the demo's, generated once for all tests.
var defaultSeason = sync.OnceValue(func() []Result {
	s, err := New(Config{Seed: 1})
	if err != nil {
		panic(err)
	}
	return slices.Collect(s.All())
})

// TestDeterminism: a seed always gives the same season, and another seed another season.
func TestDeterminism(t *testing.T) {
	digest := func(s *Season) string {
		sum := sha256.New()
		for r := range s.All() {
			fmt.Fprintln(sum, r)
		}
		return string(sum.Sum(nil))
	}
	small := func(seed uint64) *Season { return must(t, Config{Seed: seed, Players: 200, Results: 5000, Weeks: 2}) }
	s := small(7)
	first := digest(s)
	require.Equal(t, first, digest(s), "ranging twice")
	require.Equal(t, first, digest(small(7)), "made twice")
	require.NotEqual(t, first, digest(small(8)))
	for range s.All() {
		break
	}
	require.Equal(t, first, digest(s), "after a range that stopped early")
}

// TestAnySize: a season of any size has exactly Config.Results results, in order of time, within the season, of at most Config.Players
// players.
func TestAnySize(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("shape", prop.ForAll(func(seed uint64, maxPlayers, results, weeks int, minutes int64) bool {
		start := DefaultStart.Add(time.Duration(minutes) * time.Minute).In(time.FixedZone("east", 3*3600))
		s := must(t, Config{seed, maxPlayers, results, start, weeks})
		n, before, end := 0, start, start.Add(time.Duration(weeks)*7*24*time.Hour)
		players := map[string]bool{}
		for r := range s.All() {
			n++
			players[r.Player] = true
			if r.Time.Before(before) || !r.Time.Before(end) || r.Time.Location() != time.UTC || !sane(r) {
				t.Logf("result %d: %v", n, r)
				return false
			}
			before = r.Time
		}
		return n == results && len(players) <= maxPlayers
	}, gen.UInt64(), gen.IntRange(1, 50), gen.IntRange(1, 2000), gen.IntRange(1, 8), gen.Int64Range(-1e6, 1e6)))
	properties.TestingRun(t)
}

// sane reports whether the score is possible on its board and exact to three decimals.
func sane(r Result) bool {
	if math.Round(r.Score*1000)/1000 != r.Score {
		return false
	}
	switch r.Board {
	case Arena:
		return r.Score == math.Trunc(r.Score) && r.Score >= 1 && r.Score <= 99
	case Speedrun:
		return r.Score >= 84 && r.Score < 3600
	case Ladder:
		return r.Score == math.Trunc(r.Score) && r.Score >= 100 && r.Score < 4000
	}
	return false
}

func TestDefault(t *testing.T) {
	all := defaultSeason()
	require.Len(t, all, DefaultResults)
	require.False(t, all[0].Time.Before(DefaultStart))
	require.True(t, all[len(all)-1].Time.Before(time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)))
	for _, r := range all {
		if !sane(r) {
			t.Fatalf("impossible: %v", r)
		}
	}
}

// TestPlausible: players differ in activity, prefer evenings and weekends, and use every board.
func TestPlausible(t *testing.T) {
	all := defaultSeason()
	matches, boards, hours, weekend := map[string]int{}, map[string]int{}, [24]int{}, 0
	for _, r := range all {
		matches[r.Player]++
		boards[r.Board]++
		hours[r.Time.Hour()]++
		if day := r.Time.Weekday(); day == time.Saturday || day == time.Sunday {
			weekend++
		}
	}
	require.Greater(t, len(matches), DefaultPlayers*8/10, "most players play")
	counts := []int{}
	for _, n := range matches {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	require.Greater(t, counts[len(counts)-1], 500, "somebody plays all day")
	require.Less(t, counts[len(counts)-1], 6*7*100, "and sleeps")
	require.Less(t, counts[len(counts)/2], 15, "most play seldom")
	require.Greater(t, hours[20], 3*hours[7], "evenings are busier than mornings")
	require.InDelta(t, 0.35, float64(weekend)/float64(len(all)), 0.1, "weekends are busy")
	require.Greater(t, boards[Arena], boards[Ladder])
	for _, n := range boards {
		require.Greater(t, n, len(all)/20)
	}
}

// TestProgress: players get better: from the first to the last week the average arena result rises and the average run gets shorter.
func TestProgress(t *testing.T) {
	all := defaultSeason()
	var sum, n [DefaultWeeks]map[string]float64
	for i := range sum {
		sum[i], n[i] = map[string]float64{}, map[string]float64{}
	}
	for _, r := range all {
		week := int(r.Time.Sub(DefaultStart) / (7 * 24 * time.Hour))
		sum[week][r.Board] += r.Score
		n[week][r.Board]++
	}
	mean := func(week int, board string) float64 { return sum[week][board] / n[week][board] }
	last := DefaultWeeks - 1
	require.Greater(t, mean(last, Arena), 1.05*mean(0, Arena))
	require.Less(t, mean(last, Speedrun), 0.98*mean(0, Speedrun))
	require.Greater(t, mean(last, Ladder), 20+mean(0, Ladder))
}

func TestNames(t *testing.T) {
	require.Len(t, adjectives, words)
	require.Len(t, nouns, words)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(adjectives))), words)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(nouns))), words)
	s := must(t, Config{Seed: 3, Players: 100_000, Weeks: 1})
	seen, form := map[string]bool{}, regexp.MustCompile(`^[a-z]+-[a-z]+-\d{4}$`)
	for _, name := range s.names {
		if seen[name] || !form.MatchString(name) {
			t.Fatalf("%s is not a name, or one twice", name)
		}
		seen[name] = true
	}
}

func TestValidate(t *testing.T) {
	_, err := New(Config{Players: -1, Results: -2, Weeks: 1000})
	require.EqualError(t, err, fmt.Sprintf("season: Players is -1, must be 0 to 40960000\n"+
		"season: Results is -2, must be 0 to %d\nseason: Weeks is 1000, must be 0 to 520", math.MaxInt))
}

// BenchmarkSeason makes the demo's season.
func BenchmarkSeason(b *testing.B) {
	for b.Loop() {
		n := 0
		for range must(b, Config{Seed: 1}).All() {
			n++
		}
		require.Equal(b, DefaultResults, n)
	}
}
