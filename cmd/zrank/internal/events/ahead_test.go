package events

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

// yearsFile returns an input with a row for each year, at the same moment of it. Year 0 stands for a malformed row.
func yearsFile(years []int) string {
	var b strings.Builder
	b.WriteString("time,member,delta\n")
	for _, y := range years {
		if y == 0 {
			b.WriteString("nonsense\n")
			continue
		}
		fmt.Fprintf(&b, "%04d-07-01T00:00:00Z,a,1\n", y)
	}
	return b.String()
}

// refused returns the indexes of rows that are too far ahead.
func refused(t testing.TB, in *Input) (indexes []int) {
	for i := 0; ; i++ {
		_, err := in.Next()
		var bad *BadRowError
		switch {
		case err == io.EOF:
			return indexes
		case errors.As(err, &bad):
			if bad.Fault == FaultAhead {
				indexes = append(indexes, i)
			}
			in.Skip()
		default:
			require.NoError(t, err)
		}
	}
}

// repeat returns a year n times.
func repeat(year, n int) []int {
	years := make([]int, n)
	for i := range years {
		years[i] = year
	}
	return years
}

func years(parts ...[]int) (all []int) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// TestTooFarAhead: of rows with these years exactly the rows at the indexes in want are refused.
func TestTooFarAhead(t *testing.T) {
	one := func(y int) []int { return []int{y} }
	for name, c := range map[string]struct {
		years []int
		want  []int
	}{
		"none":                   {years(repeat(2025, 5), repeat(2026, 5)), nil},
		"alone":                  {one(2126), nil},
		"first":                  {years(one(2126), repeat(2026, 5)), []int{0}},
		"first of two":           {[]int{2126, 2026}, []int{0}},
		"second of two":          {[]int{2026, 2126}, []int{1}},
		"middle":                 {[]int{2026, 2126, 2026}, []int{1}},
		"last":                   {years(repeat(2026, 5), one(2126)), []int{5}},
		"last within the bound":  {years(repeat(2026, 5), one(2035)), nil},
		"three together":         {years(repeat(2026, 5), repeat(2126, 3), repeat(2026, 5)), []int{5, 6, 7}},
		"three at the start":     {years(repeat(2126, 3), repeat(2026, 10)), []int{0, 1, 2}},
		"later and later":        {years(repeat(2026, 5), []int{2126, 3000, 9999}, repeat(2026, 10)), []int{5, 6, 7}},
		"pause":                  {years(repeat(1938, 5), repeat(1950, 5)), nil},
		"pause at the start":     {years(one(1938), repeat(1950, 5)), nil},
		"late rows after pause":  {years(repeat(1938, 5), repeat(1950, 2), one(1938), repeat(1950, 5)), nil},
		"outlier after pause":    {years(repeat(1938, 5), one(2050), repeat(1950, 9)), []int{5}},
		"outlier at pause":       {years(repeat(1938, 5), one(1950), one(2050), repeat(1950, 9)), []int{6}},
		"pauses only":            {[]int{1900, 1920, 1940, 1960, 1980, 2000}, []int{5}}, // no row confirms the last
		"stray rows of 1970":     {years(repeat(2026, 5), one(2126), repeat(2026, 3), one(1970), repeat(2026, 30)), []int{5}},
		"malformed rows between": {years(repeat(2026, 5), []int{0, 2126, 0}, repeat(2026, 9)), []int{6}},
		"backwards":              {[]int{2020, 2000, 1980, 1960}, nil},
		"backwards by years":     {[]int{2020, 2019, 2018, 2017, 2016, 2015, 2014, 2013, 2012, 2011, 2010, 2009, 2008, 2007, 2006, 2005, 2004, 2003, 2002, 2001}, nil},
		"no order, three":        {[]int{2026, 1970, 2017}, nil},
		"two, the later first":   {years(repeat(2026, 5), []int{9999, 2126}, repeat(2026, 3)), []int{5, 6}},
		"every year":             {[]int{1980, 1981, 1982, 2126, 1983, 1984, 1985, 1986, 1987, 1988, 1989, 1990, 1991, 1992}, []int{3}},
		"no order":               {[]int{1975, 2011, 1990, 1930, 2024, 1950, 1988, 1952, 1999, 1931, 2023}, nil},
		"many too far ahead":     {years(repeat(2026, 5), repeat(2126, lead)), nil}, // they confirm each other
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, refused(t, stream(t, yearsFile(c.years))), "stream")
			require.Equal(t, c.want, refused(t, open(t, file(t, "in.csv", yearsFile(c.years)))), "file")
		})
	}
}

// TestMaxAhead sets the bound.
func TestMaxAhead(t *testing.T) {
	text := "time,member,delta\n100,a,1\n160,a,1\n100,a,1\n100,a,1\n"
	for bound, want := range map[time.Duration][]int{time.Minute: nil, 59 * time.Second: {1}, 0: nil, Forever: nil} {
		in, err := OpenStream(t.Context(), strings.NewReader(text), Options{MaxAhead: bound})
		require.NoError(t, err)
		require.Equal(t, want, refused(t, in), "%v", bound)
	}
	in, err := OpenStream(t.Context(), strings.NewReader(yearsFile([]int{1, 2026, 9999, 2026})), Options{MaxAhead: Forever})
	require.NoError(t, err)
	require.Empty(t, refused(t, in))
	_, err = OpenStream(t.Context(), strings.NewReader(text), Options{MaxAhead: -1})
	require.ErrorContains(t, err, "MaxAhead is -1ns")
}

// TestOutliers plants rows of later centuries among rows in order of time, with pauses and late rows: only the planted ones are refused. In
// rows without an order of time none is refused.
func TestOutliers(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 150
	parameters.SetSeed(1) // the vote is a heuristic: other seeds may find rows that it judges wrongly
	properties := gopter.NewProperties(parameters)
	properties.Property("planted", prop.ForAll(func(seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 0))
		now := time.Date(1800+rng.IntN(100), 1, 1, 0, 0, 0, 0, time.UTC)
		var text strings.Builder
		text.WriteString("time,member,delta\n")
		var want []int
		rows := 0
		row := func(at time.Time, member string) {
			fmt.Fprintf(&text, "%s,%s,1\n", at.Format(time.RFC3339), member)
			rows++
		}
		// quiet and clean count the rows since the last pause and since the last planted row.
		for n, quiet, clean := 50+rng.IntN(200), 0, lead; n > 0; n-- {
			now = now.Add(time.Duration(rng.IntN(72)) * time.Hour)
			if rng.IntN(30) == 0 && quiet > lookAhead && n > lookAhead {
				now = now.AddDate(rng.IntN(20), 0, 0)
				quiet = 0
			}
			switch late := rng.IntN(10) == 0; {
			case late:
				row(now.AddDate(0, -rng.IntN(24), 0), "a")
			case n > lead && clean >= lead && rng.IntN(15) == 0:
				clean = 0
				for range 1 + rng.IntN(3) {
					want = append(want, rows)
					row(now.AddDate(40+rng.IntN(1000), 0, 0), "planted")
				}
			}
			row(now, "a")
			quiet++
			clean++
		}
		got := refused(t, stream(t, text.String()))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Logf("seed %d: refused %v, planted %v of %d rows", seed, got, want, rows)
			return false
		}
		return true
	}, gen.UInt64()))
	properties.Property("in no order", prop.ForAll(func(seed uint64, span int) bool {
		rng := rand.New(rand.NewPCG(seed, 0))
		all := make([]int, 400)
		for i := range all {
			all[i] = 1900 + rng.IntN(span)
		}
		got := refused(t, stream(t, yearsFile(all)))
		if got != nil {
			t.Logf("seed %d, span %d: refused %v", seed, span, got)
		}
		return got == nil
	}, gen.UInt64(), gen.IntRange(30, 126)))
	properties.TestingRun(t)
}

// TestAheadResumed: an input that is resumed after any row refuses the same rows.
func TestAheadResumed(t *testing.T) {
	text := yearsFile(years(repeat(2126, 2), repeat(2026, 12), repeat(2126, 2), []int{0}, repeat(2040, 12), []int{2126}))
	all, err := drain(stream(t, text))
	require.NoError(t, err)
	for n := range len(all) + 1 {
		require.True(t, sameRest(t, text, n), "after %d rows", n)
	}
}

// TestAheadOfAStream: Next waits for the rows after one that is far ahead, but not for those after a stream's first row.
func TestAheadOfAStream(t *testing.T) {
	r, w := io.Pipe()
	go io.WriteString(w, yearsFile([]int{2026}))
	in, err := OpenStream(t.Context(), r, Options{})
	require.NoError(t, err)
	_, err = in.Next()
	require.NoError(t, err, "the first row")
	const far, near = "2126-01-01T00:00:00Z,a,1\n", "2026-07-02T00:00:00Z,a,1\n"
	wait := make(chan error)
	go func() { _, err := in.Next(); wait <- err }()
	io.WriteString(w, far)
	io.WriteString(w, strings.Repeat(near, lead))
	require.ErrorContains(t, <-wait, "too far ahead")
	in.Skip()
	for range lead {
		require.True(t, in.Ready())
		_, err = in.Next()
		require.NoError(t, err)
	}
	require.False(t, in.Ready())
	go func() { _, err := in.Next(); wait <- err }()
	io.WriteString(w, far)
	w.Close()
	require.ErrorContains(t, <-wait, "no row after it is as late")
	in.Skip()
	_, err = in.Next()
	require.Equal(t, io.EOF, err)
}

// TestAheadOfABrokenSource: the row before a read error is not consumed if only rows after it could have judged it.
func TestAheadOfABrokenSource(t *testing.T) {
	broken := errors.New("broken")
	in, err := OpenStream(t.Context(), io.MultiReader(strings.NewReader(yearsFile([]int{2026, 2126})), failing{broken}), Options{})
	require.NoError(t, err)
	_, err = in.Next()
	require.NoError(t, err)
	for range 2 {
		_, err = in.Next()
		require.ErrorIs(t, err, broken)
	}
	require.Equal(t, int64(1), in.Position().Rows)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestLookAheadIsBounded: an input reads ahead at most about lookAheadBytes, so it holds only few large rows.
func TestLookAheadIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("time,member,delta\n")
	for range 40 {
		text.WriteString("2026-01-01T00:00:00Z,a,1,\"" + strings.Repeat("x", 1<<19) + "\"\n")
	}
	in := stream(t, strings.Replace(text.String(), ",1,\"", ",1\n2026-01-01T00:00:00Z,a,1,\"", 1))
	_, err := in.Next()
	require.NoError(t, err)
	require.Less(t, len(in.ahead), 10)
}
