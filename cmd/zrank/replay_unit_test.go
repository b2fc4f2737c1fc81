package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
)

// replayText replays a file with this text into a new directory, and returns the directory and the result.
func replayText(t *testing.T, text string, flags ...string) (dir string, r result) {
	t.Helper()
	tmp := t.TempDir()
	dir = filepath.Join(tmp, "data")
	return dir, zrank(strings.NewReader(""), append([]string{"replay", "--dir", dir, "--format", "csv",
		write(t, filepath.Join(tmp, "in.csv"), text)}, flags...)...)
}

// TestMillisecondsNear1970: around 1970 Unix milliseconds look like seconds. Replay reads them as milliseconds with --time-unit ms. Without
// the flag it refuses the file where seconds are possible too.
func TestMillisecondsNear1970(t *testing.T) {
	day := func(year, month, day int) int64 {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	for _, year := range []int{1967, 1968, 1969, 1970, 1971, 1972, 1973, 1975} {
		var rows strings.Builder
		for month := 1; month <= 12; month++ {
			fmt.Fprintf(&rows, "%d,ada,1\n", day(year, month, 2))
		}
		text := "time,member,delta\n" + rows.String()
		dir, r := replayText(t, text, "--window", "year", "--time-unit", "ms")
		require.Zero(t, r.code, r.errs)
		require.Equal(t, fmt.Sprintf("board,window,period,rank,member,score\nmain,year,%d,1,ada,12\n", year), r.out)
		require.Contains(t, must(t, "periods", "--dir", dir, "main"), fmt.Sprint(year))

		want := r.out
		for _, more := range [][]string{nil, {"--skip-bad"}} {
			_, r = replayText(t, text, append([]string{"--window", "year"}, more...)...)
			if year < 1969 { // in seconds it would be before the year 0
				require.Equal(t, want, r.out)
				continue
			}
			require.Equal(t, 1, r.code, "%d: %s", year, r.out)
			require.Contains(t, r.errs, "--time-unit")
			require.Contains(t, r.errs, "ms")
			require.Empty(t, r.out)
		}
	}
}

// TestOneUnitAFile: the unit of the first row's time holds for the whole file. A row in another unit is a bad row.
func TestOneUnitAFile(t *testing.T) {
	const rfc, s, ms = "2017-07-14T02:40:00Z", "1500000000", "1500000000000"
	for _, c := range []struct{ first, then, why string }{
		{s, ms, "give --time-unit ms"},
		{s, rfc, "is RFC 3339"},
		{ms, s, "give --time-unit s"},
		{ms, rfc, "is RFC 3339"},
		{rfc, s, "is a number"},
		{rfc, ms, "is a number"},
	} {
		text := "time,member,delta\n" + c.first + ",ada,1\n" + c.first + ",ada,1\n" + c.then + ",bea,1\n" + c.first + ",ada,1\n"
		_, r := replayText(t, text)
		require.Equal(t, 1, r.code)
		require.Contains(t, r.errs, "in.csv:4: time")
		require.Contains(t, r.errs, c.why)
		_, r = replayText(t, text, "--skip-bad", "--window", "year")
		require.Zero(t, r.code, r.errs)
		require.Equal(t, "board,window,period,rank,member,score\nmain,year,2017,1,ada,3\n", r.out)
		require.Contains(t, r.errs, "1 row refused: 1 time in another unit (")
	}
}

// TestTimeUnits reads one moment in each unit.
func TestTimeUnits(t *testing.T) {
	for unit, text := range map[string]string{"rfc3339": "1916-07-02T00:44:00Z", "s": "-1688339760", "ms": "-1688339760000", "us": "-1688339760000000",
		"ns": "-1688339760000000000"} {
		for _, given := range []string{unit, "auto"} {
			dir, r := replayText(t, "time,member,delta\n"+text+",ada,1\n", "--time-unit", given)
			require.Zero(t, r.code, r.errs)
			require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error {
				require.Equal(t, "1916-07-02T00:44:00Z", d.Engine.Now().Format(time.RFC3339Nano), unit)
				return nil
			}))
		}
	}
	_, r := replayText(t, "time,member,delta\n1,ada,1\n", "--time-unit", "minutes")
	require.Equal(t, 2, r.code)
	require.Equal(t, "zrank: --time-unit is \"minutes\", want auto, rfc3339, s, ms, us or ns\n", r.errs)
}

// TestResumeUnit: a resumed replay reads times in the unit in which the file was begun, whatever the next row looks like. It refuses another
// --time-unit.
func TestResumeUnit(t *testing.T) {
	tmp := t.TempDir()
	dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
	replay := func(rows string, flags ...string) result {
		write(t, path, "time,member,delta\n"+rows)
		return zrank(nil, append([]string{"replay", "--dir", dir, "--window", "year", "--format", "csv", "--max-ahead", "forever", path}, flags...)...)
	}
	require.Zero(t, replay("-3000000000000,ada,1\n", "--time-unit", "ms").code)
	r := replay("-3000000000000,ada,1\n76204800000,ada,2\n")
	require.Zero(t, r.code, r.errs)
	require.Equal(t, "board,window,period,rank,member,score\nmain,year,1874,1,ada,1\nmain,year,1972,1,ada,2\n", r.out)
	r = replay("-3000000000000,ada,1\n76204800000,ada,2\n86400000,ada,4\n", "--time-unit", "s")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, "was replayed with --time-unit ms, not s")
	r = replay("-3000000000000,ada,1\n76204800000,ada,2\n86400000,ada,4\n", "--time-unit", "ms")
	require.Contains(t, r.out, "main,year,1970,1,ada,4\n")
}
