package events

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

// firstTimes maps the first time of an input to the time that is read, or to a part of the error.
var firstTimes = map[string]string{
	"2010-07-11T20:45:00Z":           "2010-07-11T20:45:00Z",
	"2010-07-11T20:45:00.25+02:00":   "2010-07-11T18:45:00.25Z",
	"2126-07-11T20:45:00Z":           "2126-07-11T20:45:00Z",
	"0":                              "1970-01-01T00:00:00Z",
	"-0":                             "1970-01-01T00:00:00Z",
	"1500000000":                     "2017-07-14T02:40:00Z",
	"1500000000.000000001":           "2017-07-14T02:40:00.000000001Z",
	"1500000000.0000000019":          "2017-07-14T02:40:00.000000001Z",
	"1500000000123":                  "2017-07-14T02:40:00.123Z",
	"1500000000123.5":                "2017-07-14T02:40:00.1235Z",
	"1500000000123456":               "2017-07-14T02:40:00.123456Z",
	"1500000000123456789.9":          "2017-07-14T02:40:00.123456789Z",
	"-1.5":                           "1969-12-31T23:59:58.5Z",
	"-1500000000":                    "1922-06-20T21:20:00Z",
	"-1500000000001":                 "1922-06-20T21:19:59.999Z",
	"-4102444800":                    "1840-01-01T00:00:00Z",
	"-4102444801":                    "--time-unit s (1839-12-31) or ms (1969-11-14)",
	"4102444799.9":                   "2099-12-31T23:59:59.9Z",
	"4102444800":                     "--time-unit s (2100-01-01) or ms (1970-02-17)",
	"76204800000":                    "--time-unit s (4384-11-01) or ms (1972-06-01)",
	"-89856000000":                   "1967-02-26T00:00:00Z",
	"100000000000":                   "--time-unit s (5138-11-16) or ms (1973-03-03)",
	"253402300799":                   "--time-unit s (9999-12-31) or ms (1978-01-11)",
	"253402300800":                   "1978-01-11T21:31:40.8Z",
	"-62167219200":                   "--time-unit s (0000-01-01) or ms (1968-01-12)",
	"-62167219200.5":                 "1968-01-12T11:19:40.7995Z",
	"253402300799999":                "--time-unit ms (9999-12-31) or us (1978-01-11)",
	"253402300800000":                "1978-01-11T21:31:40.8Z",
	"9223372036854775807":            "--time-unit ns (2262-04-11)",
	"0000-01-01T00:00:00+01:00":      "outside",
	"0001-01-01T00:00:00Z":           "zero time",
	"":                               "missing",
	"-":                              "neither",
	"+5":                             "neither",
	".5":                             "neither",
	"5.":                             "neither",
	"1e9":                            "neither",
	" 5":                             "neither",
	"99999999999999999999":           "neither",
	"2010-07-11":                     "neither",
	"2010-07-11 20:45:00":            "2010-07-11T20:45:00Z",
	"2010-07-11 20:45:00.25":         "2010-07-11T20:45:00.25Z",
	"2010-07-11 20:45:00+02:00":      "2010-07-11T18:45:00Z",
	"2010-07-11 20:45":               "neither",
	"2010-07-11  20:45:00":           "neither",
	"2010-02-30T20:45:00Z":           "neither",
	"2010-07-11T20:45:00":            "neither",
	"٥":                              "neither",
	"2010-07-11T20:45:00Z and so on": "neither",
}

// TestParseTime reads each of firstTimes with unit Auto.
func TestParseTime(t *testing.T) {
	for text, want := range firstTimes {
		t.Run(text, func(t *testing.T) {
			var ts times
			got, err := ts.parse(text)
			if err != nil {
				require.Contains(t, err.reason, want)
				require.Equal(t, Auto == ts.unit, err.ends || err.fault == FaultTime && ts.unit == Auto)
				return
			}
			require.Equal(t, want, got.Format(time.RFC3339Nano))
			require.Equal(t, time.UTC, got.Location())
		})
	}
}

// TestParseTimeIn reads times in a unit that is known.
func TestParseTimeIn(t *testing.T) {
	for _, c := range []struct {
		unit       Unit
		text, want string
	}{
		{Seconds, "-62167219200", "0000-01-01T00:00:00Z"},
		{Seconds, "253402300799.999999999", "9999-12-31T23:59:59.999999999Z"},
		{Seconds, "-62167219200.000000001", "is outside the years 0 to 9999 in seconds; if the file is in another unit, give --time-unit ms (1968-01-12) or us (1969-12-31)"},
		{Seconds, "1500000000000", "give --time-unit ms (2017-07-14) or us (1970-01-18)"},
		{Milliseconds, "86400000", "1970-01-02T00:00:00Z"},
		{Milliseconds, "-89856000000", "1967-02-26T00:00:00Z"},
		{Microseconds, "86400000000.5", "1970-01-02T00:00:00.0000005Z"},
		{Nanoseconds, "-1", "1969-12-31T23:59:59.999999999Z"},
		{Nanoseconds, "9223372036854775807", "2262-04-11T23:47:16.854775807Z"},
		{Seconds, "2010-07-11T20:45:00Z", "is RFC 3339, and --time-unit is s"},
		{RFC3339, "1500000000", "is a number, and --time-unit is rfc3339"},
		{Seconds, "-62135596800", "zero time"},
	} {
		ts := times{c.unit, true}
		got, err := ts.parse(c.text)
		if err != nil {
			require.Contains(t, err.reason, c.want)
			continue
		}
		require.Equal(t, c.want, got.Format(time.RFC3339Nano))
	}
}

func TestUnitNames(t *testing.T) {
	for u := Auto; u <= Nanoseconds; u++ {
		got, err := ParseUnit(u.String())
		require.NoError(t, err)
		require.Equal(t, u, got)
	}
	_, err := ParseUnit("h")
	require.ErrorContains(t, err, `"h", want auto, rfc3339, s, ms, us or ns`)
	require.Equal(t, "Unit(9)", Unit(9).String())
}

// inUnit writes a moment in a unit. ok is false if the unit cannot express it.
func inUnit(at time.Time, u Unit) (text string, ok bool) {
	if u == RFC3339 {
		return at.Format(time.RFC3339Nano), true
	}
	sec, perSecond := at.Unix(), int64(time.Second)/nanoseconds[u]
	if sec > math.MaxInt64/perSecond-1 || sec < math.MinInt64/perSecond+1 {
		return "", false
	}
	return strconv.FormatInt(sec*perSecond, 10), true
}

// unitFile returns an input with events of these times in one unit. It leaves out times that the unit cannot express.
func unitFile(moments []time.Time, u Unit) (text string, written []time.Time) {
	var b strings.Builder
	b.WriteString("time,member,delta\n")
	for _, at := range moments {
		if s, ok := inUnit(at, u); ok && !at.IsZero() {
			fmt.Fprintf(&b, "%s,a,1\n", s)
			written = append(written, at)
		}
	}
	return b.String(), written
}

// ambiguous reports whether Auto takes the first time for one of a coarser unit: it is within 48 days of 1970-01-01, in a unit finer than
// seconds.
func ambiguous(first time.Time, u Unit) bool {
	days := first.Sub(time.Unix(0, 0)).Hours() / 24
	return u > Seconds && first.Year() > 1960 && first.Year() < 1980 && days > -48 && days < 48
}

// checkUnitFile reads an input whose times are all in unit u. Each row must give the time that was written. If the unit is not given, the
// input may also refuse a row, or all rows, with a message that names --time-unit.
func checkUnitFile(t testing.TB, moments []time.Time, u Unit, given bool) {
	t.Helper()
	text, written := unitFile(moments, u)
	o := Options{MaxAhead: Forever}
	if given {
		o.Unit = u
	}
	in, err := OpenStream(t.Context(), strings.NewReader(text), o)
	require.NoError(t, err)
	for _, want := range written {
		e, err := in.Next()
		var bad *BadRowError
		switch {
		case err == nil:
			if given || !ambiguous(written[0], u) || !ambiguous(want, u) {
				require.True(t, want.Equal(e.Time), "%v: %v, want %v, in\n%s", u, e.Time, want, text)
			}
		case errors.As(err, &bad):
			require.False(t, given, "%v", err)
			require.Equal(t, FaultUnit, bad.Fault)
			require.Contains(t, bad.Reason, "give --time-unit")
			in.Skip()
		default:
			require.ErrorAs(t, err, new(*UnitError))
			require.Contains(t, err.Error(), "give --time-unit")
			require.False(t, given)
			return
		}
	}
	_, err = in.Next()
	require.Equal(t, io.EOF, err)
}

// TestUnitsOfCenturies reads inputs whose times are of one century and in one unit, for each century and each unit.
func TestUnitsOfCenturies(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 500
	properties := gopter.NewProperties(parameters)
	properties.Property("century", prop.ForAll(func(century int, offsets []int64, unit int, given bool) bool {
		from := time.Date(century*100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		var moments []time.Time
		for _, s := range offsets {
			moments = append(moments, time.Unix(from+s, 0).UTC())
		}
		checkUnitFile(t, moments, Unit(unit), given)
		return true
	}, gen.IntRange(0, 99), gen.SliceOfN(20, gen.Int64Range(0, 36524*86400)), gen.IntRange(int(RFC3339), int(Nanoseconds)), gen.Bool()))
	properties.TestingRun(t)
}

// TestUnitsNear1970 reads times within months or years of 1970, whose numbers may be in several units.
func TestUnitsNear1970(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("near 1970", prop.ForAll(func(days int64, offsets []float64, unit int, given bool) bool {
		var moments []time.Time
		for _, x := range offsets {
			moments = append(moments, time.Unix(int64(x*float64(days)*86400), 0).UTC())
		}
		checkUnitFile(t, moments, Unit(unit), given)
		return true
	}, gen.Int64Range(1, 4000), gen.SliceOfN(20, gen.Float64Range(-1, 1)), gen.IntRange(int(RFC3339), int(Nanoseconds)), gen.Bool()))
	properties.TestingRun(t)
}

// FuzzUnits reads inputs of any two times, the second one many times, in any one unit.
func FuzzUnits(f *testing.F) {
	for _, s := range []int64{0, 86_400, -89_856_000, 76_204_800, 1_500_000_000, -62_167_219_200, 253_402_300_799, 4_102_444_800} {
		for u := RFC3339; u <= Nanoseconds; u++ {
			f.Add(s, s+86_400, uint8(u), uint8(1), true)
			f.Add(s, s+86_400*365, uint8(u), uint8(70), false)
		}
	}
	f.Fuzz(func(t *testing.T, first, second int64, unit, n uint8, given bool) {
		u := Unit(unit)
		if u < RFC3339 || u > Nanoseconds || first < minTime || first > maxTime || second < minTime || second > maxTime {
			return
		}
		moments := []time.Time{time.Unix(first, 0).UTC()}
		for i := range int64(n) {
			if s := second + i; s <= maxTime {
				moments = append(moments, time.Unix(s, 0).UTC())
			}
		}
		checkUnitFile(t, moments, u, given)
	})
}

// TestMostRowsInAnotherUnit: an input is refused if most rows after the first are not in the first row's unit. Otherwise only rows in another
// unit are bad rows.
func TestMostRowsInAnotherUnit(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"86400000,a,1\n1500000000000,a,1\n1500000000001,a,1\n1500000000002,a,1\n", ":3: time \"1500000000000\""},
		{"86400000,a,1\n1500000000000,a,x\n1500000000001,a,1\n1500000000002,a,1\n", ":3: time \"1500000000000\""},
		{"1500000000,a,1\n2010-07-11T20:45:00Z,a,1\n2010-07-11T20:45:00Z,a,1\n", ":3: time \"2010-07-11T20:45:00Z\" is RFC 3339, and the first row's is in seconds"},
	} {
		path := file(t, "in.csv", "time,member,delta\n"+c.text)
		in := open(t, path)
		for range 2 {
			_, err := in.Next()
			require.ErrorAs(t, err, new(*UnitError))
			require.ErrorContains(t, err, path+c.want)
			require.ErrorContains(t, err, "of the first")
			in.Skip()
		}
		require.Zero(t, in.Position().Rows)
	}
	for text, want := range map[string]string{
		"1500000000,a,1\n1500000000000,a,1\n1500000001,a,1\n":        "is not of the years 1840 to 2099 in seconds, the unit of the first row; if the file is in another unit, give --time-unit ms (2017-07-14)",
		"1500000000000,a,1\n1500000000,a,1\n1500000001000,a,1\n":     "looks as if it was not in milliseconds, the unit of the first row; if the file is in another unit, give --time-unit s (2017-07-14)",
		"1500000000000000,a,1\n1500000000000,a,1\n1500000001000,a,1": "looks as if it was not in microseconds",
	} {
		all, err := drain(stream(t, "time,member,delta\n"+text))
		require.NoError(t, err)
		require.Empty(t, all[0].bad)
		require.Contains(t, all[1].bad, want)
	}
	in, err := OpenStream(t.Context(), strings.NewReader("time,member,delta\n1500000000000,a,1\n0,a,1\n0.0,a,1\n76204800000,a,1\n"), Options{MaxAhead: Forever})
	require.NoError(t, err)
	all, err := drain(in)
	require.NoError(t, err)
	require.Equal(t, []string{"", "", "", ""}, []string{all[0].bad, all[1].bad, all[2].bad, all[3].bad}, "zero fits any unit, and milliseconds of 1972 read as seconds are after 2099")
}

// TestResumeUnits: a resumed input reads times in the unit of the rows before, whether it was given or guessed.
func TestResumeUnits(t *testing.T) {
	const text = "time,member,delta\n-3000000000000,a,1\n76204800000,a,2\n-3000000000000000,a,3\n"
	open := func(u Unit) *Input {
		in, err := OpenStream(t.Context(), strings.NewReader(text), Options{Unit: u, MaxAhead: Forever})
		require.NoError(t, err)
		return in
	}
	auto, given := at(t, open(Auto), 1), at(t, open(Milliseconds), 1)
	require.Equal(t, []any{Milliseconds, false, true}, []any{auto.Unit, auto.Given, given.Given})
	for _, p := range []Position{auto, given} {
		for _, u := range []Unit{Auto, Milliseconds} {
			in := open(u)
			require.NoError(t, in.Resume(p, false))
			e, err := in.Next()
			require.NoError(t, err)
			require.Equal(t, "1972-06-01", e.Time.Format(time.DateOnly))
			_, err = in.Next()
			var bad *BadRowError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, p.Given || u == Milliseconds, strings.Contains(bad.Reason, "outside the years 0 to 9999"), bad.Reason)
		}
		err := open(Seconds).Resume(p, false)
		require.ErrorAs(t, err, new(*UnitError))
		require.ErrorContains(t, err, "was replayed with --time-unit ms, not s")
	}
}
