package mapping

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/window"
)

func TestFormulas(t *testing.T) {
	for text, want := range map[string]Formula{
		"":                                  {Times: 1, Over: 1},
		"points":                            {Times: 1, Over: 1},
		"points * 100":                      {Times: 100, Over: 1},
		"points*2^32+time":                  {Times: 1 << 32, Over: 1, Sign: 1},
		"points * 2^32 + (2^32 - 1 - time)": {Times: 1 << 32, Over: 1, Sign: -1, Const: 1<<32 - 1},
		"points * 2^32 + 2^32 - 1 - time":   {Times: 1 << 32, Over: 1, Sign: -1, Const: 1<<32 - 1},
		"points * 10_000_000 + (time - 1_700_000_000)": {Times: 10_000_000, Over: 1, Sign: 1, Const: -1_700_000_000},
		"POINTS + TIME / 10^10":                        {Times: 1, Over: 10_000_000_000, Sign: 1},
		"points + (10^10 - time) / 10^10":              {Times: 1, Over: 10_000_000_000, Sign: -1, Const: 10_000_000_000},
	} {
		f, err := ParseFormula(text)
		require.NoError(t, err, text)
		want.text = text
		require.Equal(t, want, f, text)
	}
	for text, why := range map[string]string{
		"time": "want points first", "points + time": "below a factor", "points * 2 + 3": "no time", "points * 0": "1 to 2^53", "points * 2^60 + time": "1 to 2^53",
		"points * 2^99": "too large", "points + 1 - time / 5": "parentheses", "points * 2 + time / 3": "and not both", "points * 5 + time + time": "twice", "points * 5 + (time": "open",
		"points * 5 x": "want + or -", "points * 5 + (time) x": `"x" is not understood`, "points * time": "whole number", "points time": "want + or -", "points * 5 + 99999999999999999999 - time": "whole number",
	} {
		_, err := ParseFormula(text)
		require.ErrorContains(t, err, why, text)
	}
}

// TestUnpackIsPack packs random points and times as programs do, and unpacks them. Whatever is unpacked from another score packs to that score.
func TestUnpackIsPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 26))
	for _, row := range []struct {
		formula string
		points  int64 // most
		millis  bool
		pack    func(points, at float64) float64
	}{
		{"points * 2^31 + time", 1 << 21, false, func(p, at float64) float64 { return p*(1<<31) + at }},
		{"points * 2^32 + (2^32 - 1 - time)", 1 << 20, false, func(p, at float64) float64 { return p*(1<<32) + (1<<32 - 1 - at) }},
		{"points * 10^10 + time", 500_000, false, func(p, at float64) float64 { return p*1e10 + at }},
		{"points * 2^28 + (time - 1_600_000_000)", 1 << 24, false, func(p, at float64) float64 { return p*(1<<28) + (at - 1_600_000_000) }},
		{"points + time / 10^10", 30_000, false, func(p, at float64) float64 { return p + at/1e10 }},
		{"points + (10^10 - time) / 10^10", 30_000, false, func(p, at float64) float64 { return p + 1 - at/1e10 }},
		{"points + (2^31 - time) / 2^31", 30_000, false, func(p, at float64) float64 { return p + (1<<31-at)/(1<<31) }},
		{"points * 10^12 + (time - 1_600_000_000_000)", 8000, true, func(p, at float64) float64 { return p*1e12 + (at - 1_600_000_000_000) }},
	} {
		f, err := ParseFormula(row.formula)
		require.NoError(t, err)
		f.Millis = row.millis
		for range 20_000 {
			points, seconds := rng.Int64N(row.points), 1_700_000_000+rng.Int64N(100_000_000)
			at, n := time.Unix(seconds, 0), float64(seconds)
			if row.millis {
				at = at.Add(time.Duration(rng.IntN(1000)) * time.Millisecond)
				n = float64(at.UnixMilli())
			}
			score := row.pack(float64(points), n)
			got, when, err := f.Unpack(score)
			require.NoError(t, err, "%s: %d at %d is %v", row.formula, points, seconds, score)
			require.Equal(t, points, got, row.formula)
			require.Equal(t, at, when, row.formula)
		}
	}
}

// TestUnpackOrAmbiguous: a score that was packed with one or two roundings unpacks to its points and time, or is refused because another second really gives the same score.
func TestUnpackOrAmbiguous(t *testing.T) {
	const seed = 30
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	ways := []func(p, rest, over int64) float64{
		func(p, rest, over int64) float64 { return float64(p) + float64(rest)/float64(over) },
		func(p, rest, over int64) float64 { return float64(p+1) - float64(over-rest)/float64(over) },
		func(p, rest, over int64) float64 {
			sum := new(big.Int).Mul(big.NewInt(p), big.NewInt(over))
			score, _ := new(big.Rat).SetFrac(sum.Add(sum, big.NewInt(rest)), big.NewInt(over)).Float64()
			return score
		},
	}
	taken, ambiguous := 0, 0
	for range 100_000 {
		over := int64(math.Pow(10, float64(1+rng.IntN(15))))
		if rng.IntN(2) == 0 {
			over = 1 << (1 + rng.IntN(50))
		}
		f := Formula{Times: 1, Over: over, Sign: 1}
		points, rest := rng.Int64N(1<<rng.IntN(53)+1), rng.Int64N(over)
		if rng.IntN(4) == 0 {
			points = -points
		}
		score := ways[rng.IntN(len(ways))](points, rest, over)
		what := fmt.Sprintf("%d + %d / %d = %v", points, rest, over, score)
		got, at, err := f.Unpack(score)
		if errors.Is(err, ErrTime) {
			continue // after the year 9999
		}
		if err == nil {
			taken++
			require.Equal(t, []int64{points, rest}, []int64{got, at.Unix()}, what)
			continue
		}
		ambiguous++
		require.ErrorIs(t, err, ErrAmbiguous, what)
		same := 0 // solutions that give this score
		for _, other := range []int64{-2, -1, 0, 1, 2} {
			x := carry(points, rest+other, over)
			if slices.ContainsFunc(ways, func(way func(p, rest, over int64) float64) bool { return way(x.points, x.rest, over) == score }) {
				same++
			}
		}
		require.Greater(t, same, 1, what)
	}
	t.Logf("%d taken, %d ambiguous", taken, ambiguous)
	require.Greater(t, taken, 40_000)
	require.Greater(t, ambiguous, 5_000)
}

// TestUnpack16Digits: so are scores of 16 digits, as an article packs them.
func TestUnpack16Digits(t *testing.T) {
	f, err := ParseFormula("points + (10^6 - time) / 10^6")
	require.NoError(t, err)
	points, at, err := f.Unpack(1073741823.777603)
	require.NoError(t, err)
	require.Equal(t, int64(1073741823), points)
	require.Equal(t, int64(222397), at.Unix())
	f, err = ParseFormula("points + time / 10^10")
	require.NoError(t, err)
	_, _, err = f.Unpack(1073741823.17)
	require.ErrorContains(t, err, "1073741823 points at ")
}

// TestUnpackWithoutTime: without the time, a score beyond 2^53 gives its points, unless other points give the same score.
func TestUnpackWithoutTime(t *testing.T) {
	const seed = 31
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	for text, pack := range map[string]func(points, at float64) float64{
		"points * 2^32 + (2^32 - 1 - time)": func(p, at float64) float64 { return p*(1<<32) + (1<<32 - 1 - at) },
		"points * 10^13 + time":             func(p, at float64) float64 { return p*1e13 + at },
		"points + time / 10^10":             func(p, at float64) float64 { return p + at/1e10 },
	} {
		f, err := ParseFormula(text)
		require.NoError(t, err)
		f.WithoutTime = true
		for range 20_000 {
			points := rng.Int64N(1<<rng.IntN(38) + 1)
			got, at, err := f.Unpack(pack(float64(points), float64(1_600_000_000+rng.Int64N(100_000_000))))
			require.NoError(t, err, "%s: %d", text, points)
			require.Equal(t, points, got, text)
			require.True(t, at.IsZero())
		}
	}
	f, err := ParseFormula("points * 2^32 + time")
	require.NoError(t, err)
	f.WithoutTime = true
	_, _, err = f.Unpack(5<<80 + 1<<31)
	require.NoError(t, err)
	_, _, err = f.Unpack(1 << 54)
	require.ErrorIs(t, err, ErrPoints) // 2^22 points at 0, or 2^22 - 1 at the end
	_, _, err = f.Unpack(1 << 90)
	require.ErrorIs(t, err, ErrTooLarge)
}

func TestUnpackRefuses(t *testing.T) {
	for _, row := range []struct {
		formula string
		score   float64
		err     error
	}{
		{"points", 1.5, ErrNotInteger}, {"points", 1 << 54, ErrTooLarge}, {"points", math.Inf(1), ErrTooLarge}, {"points * 100", 250, ErrRemainder},
		{"points * 2^32 + time", 1<<33 + 0.5, ErrNotInteger}, {"points * 2^32 + (time - 2^40)", 5, ErrTime}, {"points * 2^32 + (5 - time)", 7, ErrTime},
		{"points + time / 10^3", 5.1234567, ErrFraction}, {"points + time / 10^10", 1e9, ErrAmbiguous}, {"points + time / 10^10", math.Inf(-1), ErrTooLarge},
		{"points * 10^15 + time", 999_999_999_999_999, ErrTime},
	} {
		f, err := ParseFormula(row.formula)
		require.NoError(t, err)
		_, _, err = f.Unpack(row.score)
		require.ErrorIs(t, err, row.err, "%s of %v", row.formula, row.score)
	}
	f, err := ParseFormula("points * 100 + time")
	require.NoError(t, err)
	tenth, err := ParseFormula("points + time / 10")
	require.NoError(t, err)
	whole, at0, err := tenth.Unpack(math.Nextafter(5, 0)) // 4 + 10/10, rounded
	require.NoError(t, err)
	require.Equal(t, int64(5), whole)
	require.Equal(t, time.Unix(0, 0), at0)
	points, at, err := f.Unpack(-150)
	require.NoError(t, err)
	require.Equal(t, int64(-2), points)
	require.Equal(t, time.Unix(50, 0), at)
}

func TestKeys(t *testing.T) {
	rules, err := Parse([]byte(`[{"key": "lb:daily:{period}", "board": "a", "window": "day"}, {"key": "lb:{any}:w:{week}", "board": "a"}, {"key": "d:{date:20060102}", "board": "a"},
		{"key": "u:{unix}", "board": "a"}, {"key": "m:{unixms}", "board": "a"}, {"key": "lb:all", "board": "a", "score": "points * 2^32 + time", "unit": "ms"}]`))
	require.NoError(t, err)
	require.True(t, rules[5].Formula().Millis)
	windows := map[string]window.Window{"day": {Kind: window.Day, TimeZone: "Asia/Shanghai"}, "week": {Kind: window.Week}, "all": {Kind: window.All}}
	for _, row := range []struct {
		key    string
		rule   int
		window string
		period string
	}{
		{"lb:daily:2026-11-25", 0, "day", "2026-11-25"}, {"lb:x:y:w:2026-47", 1, "week", "2026-W47"}, {"lb::w:202605", 1, "week", "2026-W05"}, {"lb:z:w:2026W7", 1, "week", "2026-W07"},
		{"d:20261125", 2, "day", "2026-11-25"}, {"d:20261125", 2, "week", "2026-W48"}, {"u:1795536000", 3, "day", "2026-11-25"}, {"m:1795536000123", 4, "day", "2026-11-25"}, {"lb:all", 5, "all", "all"},
		{"lb:daily:2026-13-25", 0, "day", ""}, {"lb:daily:2026-11-25:extra", 0, "day", ""}, {"d:2026", 2, "day", ""}, {"u:99999999999999999999", 3, "day", ""}, {"lb:z:w:202699", 1, "week", ""},
	} {
		r, m := Find(rules, row.key)
		require.Same(t, rules[row.rule], r, row.key)
		c, err := windows[row.window].Calendar()
		require.NoError(t, err)
		p, err := r.Period(c, m.Period)
		if row.period == "" {
			require.Error(t, err, row.key)
			continue
		}
		require.NoError(t, err, row.key)
		require.Equal(t, row.period, p.Name, row.key)
	}
	for _, key := range []string{"lb:daily:", "xlb:all", "lb:all\n", "lb:daily:2026/11", "other"} {
		r, _ := Find(rules, key)
		require.Nil(t, r, key)
	}
}

// TestNamedKeys: {name} of a key stands in the board.
func TestNamedKeys(t *testing.T) {
	rules, err := Parse([]byte(`[{"key": "star:{name}:daily:{period}", "board": "stars/{name}"}, {"key": "{name}", "board": "all {name} {name}"}]`))
	require.NoError(t, err)
	for key, want := range map[string]string{"star:a:daily:2026-11-25": "stars/a 2026-11-25", "star:a:daily:b:daily:2026-11-25": "stars/a:daily:b 2026-11-25", "x": "all x x "} {
		r, m := Find(rules, key)
		require.NotNil(t, r, key)
		require.Equal(t, want, r.BoardOf(m)+" "+m.Period)
	}
}

// TestOnlyPeriod: a key without a period becomes that of a window that has one only.
func TestOnlyPeriod(t *testing.T) {
	day := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	season := func(name string, i int) window.Season {
		return window.Season{Name: name, Start: day.AddDate(0, i, 0), End: day.AddDate(0, i, 5)}
	}
	for _, row := range []struct {
		w    window.Window
		want string
	}{
		{window.Window{Kind: window.All}, "all"}, {window.Window{Kind: window.Event, Seasons: []window.Season{season("", 0)}}, "event"},
		{window.Window{Kind: window.Seasons, Seasons: []window.Season{season("all", 0)}}, "all"},
		{window.Window{Kind: window.Seasons, Seasons: []window.Season{season("all", 0), season("b", 1)}}, ""},
		{window.Window{Kind: window.Day}, ""}, {window.Window{Kind: window.Every, Every: window.Duration(time.Hour)}, ""},
	} {
		c, err := row.w.Calendar()
		require.NoError(t, err)
		p, ok := Only(c)
		require.Equal(t, row.want != "", ok)
		if ok {
			require.Equal(t, row.want, p.Name)
		}
	}
}

func TestBadMaps(t *testing.T) {
	for text, why := range map[string]string{
		"": "the file is empty", "[": "ends within it", "{}": "no JSON array of rules: byte 1: a JSON object", `[{"key": 5}]`: "key is a JSON number", "[] x": "byte 3", `[{"key": "a", "board": "b"}]]`: "more behind",
		"[]": "no rules", "[null]": "null", `[{"key": "a", "bord": "x"}]`: "bord", `[{"key": "a"}]`: "board is missing", `[{"board": "b"}]`: "key is missing",
		`[{"key": "{period}{unix}", "board": "b"}]`: "more than one", `[{"key": "{when}", "board": "b"}]`: "{when} is unknown", `[{"key": "{date}", "board": "b"}]`: "no layout",
		`[{"key": "a", "board": "b", "unit": "m"}]`: "unit is", `[{"key": "{name}", "board": "b"}]`: "board does not", `[{"key": "a", "board": "{name}"}]`: "key does not",
		`[{"key": "{name}{name}", "board": "{name}"}]`: "twice", `[{"key": "a", "board": "b", "withoutTime": true}]`: "score has no time", `[{"key": "a", "board": "b", "score": "x"}]`: "rule 1: mapping: formula",
	} {
		_, err := Parse([]byte(text))
		require.ErrorContains(t, err, why, text)
	}
}
