package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/engine"
)

const weekSpec = `{"name": "x", "op": "sum", "windows": ["all", "week@Asia/Shanghai+1h"]}`

// TestClock replays two weeks in three parts. The week closes one hour after its end in Shanghai, when the time of the data reaches that
// moment, whatever the real time is. Late rows count within that hour and are bad rows after it.
func TestClock(t *testing.T) {
	tmp := t.TempDir()
	dir, spec := filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "spec.json"), weekSpec)
	replay := func(name, rows string, more ...string) result {
		path := write(t, filepath.Join(tmp, name), "time,member,delta\n"+rows)
		return zrank(nil, append([]string{"replay", "--dir", dir, "--spec", spec, "--top", "0", path}, more...)...)
	}
	state := func(week string) string {
		for line := range strings.Lines(must(t, "periods", "--dir", dir, "--window", "week", "--format", "csv", "x")) {
			if strings.HasPrefix(line, "week,"+week+",") {
				return line
			}
		}
		return ""
	}
	require.Zero(t, replay("1.csv", "2026-11-16T00:00:00+08:00,ada,1\n2026-11-22T23:59:59+08:00,bea,2\n").code)
	require.Contains(t, state("2026-W47"), "week,2026-W47,2026-11-16T00:00:00+08:00,2026-11-23T00:00:00+08:00,live,2,")
	require.Contains(t, state("2026-W47"), ",2026-11-23T00:00:00+08:00\n", "the next reset")
	require.Equal(t, "period,start,end,members,rank,member,score,best\n", must(t, "history", "--dir", dir, "--format", "csv", "x"))

	require.Zero(t, replay("2.csv", "2026-11-23T00:30:00+08:00,ada,4\n2026-11-22T12:00:00+08:00,ada,8\n").code)
	require.Contains(t, state("2026-W47"), "late results until 2026-11-23T01:00:00+08:00,2,")
	require.Contains(t, state("2026-W48"), "live,1,")

	r := replay("3.csv", "2026-11-23T01:00:00+08:00,bea,16\n2026-11-22T12:00:00+08:00,ada,32\n2026-11-23T02:00:00+08:00,ada,64\n")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, "3.csv:3: board: period is closed: 2026-W47")
	require.Contains(t, r.errs, "2026-W48 is live")
	require.Contains(t, state("2026-W47"), "closed,2,")
	require.Equal(t, "period,start,end,members,rank,member,score,best\n"+
		"2026-W47,2026-11-16T00:00:00+08:00,2026-11-23T00:00:00+08:00,2,1,ada,9,\n", must(t, "history", "--dir", dir, "--format", "csv", "x"))
	require.Contains(t, replay("3.csv", "2026-11-23T01:00:00+08:00,bea,16\n2026-11-22T12:00:00+08:00,ada,32\n2026-11-23T02:00:00+08:00,ada,64\n", "--skip-bad").errs,
		"1 bad rows skipped")
	require.Equal(t, "77\n", must(t, "score", "--dir", dir, "x", "ada"), "the late row counts nowhere")
	require.Contains(t, must(t, "close", "--dir", dir, "--window", "week", "--yes", "x"), "x · week · 2026-W48 is closed")
	require.Contains(t, replay("4.csv", "2026-11-23T03:00:00+08:00,ada,1\n").errs, "none is live")
}

// TestBatches replays random rows, some of them late, into periods that close. Each round uses several batch sizes and gives the file to
// replay in growing parts. Each result equals that of lateRows: a row counts if none of its periods has closed by the latest time so far.
func TestBatches(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	rounds, compared, late := 6, 0, 0
	for range rounds {
		rows, want, refused := lateRows(rng, 300)
		for _, batch := range []int{1, 2, 7, 1000} {
			tmp := t.TempDir()
			spec := write(t, filepath.Join(tmp, "spec.json"), lateSpec)
			dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
			out := ""
			for n := 0; n < len(rows); {
				n = min(n+1+rng.IntN(len(rows)), len(rows))
				write(t, path, "time,member,delta\n"+strings.Join(rows[:n], ""))
				out = must(t, "replay", "--dir", dir, "--spec", spec, "--skip-bad", "--resume-edited", "--durability", "none",
					"--batch", fmt.Sprint(batch), "--top", "1000", "--format", "json", path)
			}
			got := map[string]int{}
			for name, table := range rowsOf(t, out) {
				for _, row := range table {
					member, score, _ := strings.Cut(row, " ")
					v := 0
					fmt.Sscan(score, &v)
					got[name+"/"+member] = v
				}
			}
			require.Equal(t, want, got, "seed %d, batch %d", seed, batch)
			compared += len(want)
		}
		late += refused
	}
	require.Positive(t, late)
	t.Logf("seed %d: %d scores compared; %d of %d rows refused", seed, compared, late, 300*rounds)
}

// lateSpec has hours with ten minutes of grace and half-days with none.
const lateSpec = `{"name": "x", "op": "sum", "windows": ["hour+10m", "half=every-12h"]}`

// lateRows makes n rows around an advancing time. It returns them, the scores they give by period and member, and the number of refused rows.
func lateRows(rng *rand.Rand, n int) (rows []string, want map[string]int, refused int) {
	want = map[string]int{}
	now, seen := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC), time.Time{}
	for range n {
		now = now.Add(time.Duration(rng.IntN(20)) * time.Minute)
		at := now.Add(-time.Duration(rng.IntN(1+rng.IntN(90))) * time.Minute)
		member, v := string(rune('a'+rng.IntN(5))), rng.IntN(100)
		rows = append(rows, fmt.Sprintf("%s,%s,%d\n", at.Format(time.RFC3339), member, v))
		if at.After(seen) {
			seen = at
		}
		hour, half := at.Truncate(time.Hour), at.Truncate(12*time.Hour)
		if !seen.Before(hour.Add(time.Hour+10*time.Minute)) || !seen.Before(half.Add(12*time.Hour)) {
			refused++
			continue
		}
		want["x/hour/"+hour.Format("2006-01-02T15")+"/"+member] += v
		want["x/half/"+half.Format(time.RFC3339)+"/"+member] += v
	}
	return rows, want, refused
}

// TestRealTime: a directory that a game server has filled has the real time, for commands that read it and for replay.
func TestRealTime(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	e, err := engine.Open(dir, engine.Options{})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	b, err := boards.Define(t.Context(), board.Spec{Name: "x", Op: board.Sum, Windows: []board.Window{board.All, board.Year}})
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(5)})
	require.NoError(t, err)
	require.NoError(t, e.Close())

	year := fmt.Sprint(time.Now().UTC().Year())
	require.Contains(t, must(t, "periods", "--dir", dir, "--format", "csv", "x"), "year,"+year+",")
	old := write(t, filepath.Join(tmp, "old.csv"), "time,member,delta\n2020-01-01T00:00:00Z,ada,1\n")
	args := []string{"replay", "--dir", dir, "--board", "x", "--window", "all,year", "--grace", "0s"}
	fails(t, 1, "period is closed: 2020", append(args, old)...)
	future := write(t, filepath.Join(tmp, "future.csv"), "time,member,delta\n9000-01-01T00:00:00Z,ada,1\n")
	fails(t, 1, "future.csv:2: board: time cannot be counted", append(args, future)...)
	now := write(t, filepath.Join(tmp, "now.csv"), fmt.Sprintf("time,member,delta\n%d,ada,1\n", time.Now().Unix()-1))
	must(t, append(args, now)...)
	require.Equal(t, "6\n", must(t, "score", "--dir", dir, "x", "ada"))
	require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error {
		require.Nil(t, d.Clock.At.Load())
		return nil
	}))
}

// TestClockIsStored: the stored time moves only with the events of a batch, and never back.
func TestClockIsStored(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	at := func() time.Time {
		var now time.Time
		require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error { now = d.Engine.Now(); return nil }))
		return now
	}
	for i, row := range []string{"1916-07-02T00:44:00Z", "2026-11-20T10:00:00.000000001Z", "1970-01-01T00:00:00Z"} {
		must(t, "replay", "--dir", dir, write(t, filepath.Join(tmp, fmt.Sprint(i)), "time,member,delta\n"+row+",a,1\n"))
		if i == 0 {
			require.Equal(t, "1916-07-02T00:44:00Z", at().Format(time.RFC3339Nano))
		}
	}
	require.Equal(t, "2026-11-20T10:00:00.000000001Z", at().Format(time.RFC3339Nano))
	fails(t, 1, "is not a number", "replay", "--dir", dir, write(t, filepath.Join(tmp, "bad"), "time,member,delta\n2027-01-01T00:00:00Z,a,1\n2028-01-01T00:00:00Z,a,9x\n"))
	require.Equal(t, 2027, at().Year(), "what comes before a bad row is in")
	fails(t, 1, "wrong kind", "replay", "--dir", dir, write(t, filepath.Join(tmp, "kind"), "time,member,delta\n2028-01-01T00:00:00Z,a,1\n2029-01-01T00:00:00Z,a,1.5\n2030-01-01T00:00:00Z,a,1\n"))
	require.Equal(t, 2028, at().Year(), "what a board does not take neither")
	require.Equal(t, "5\n", must(t, "score", "--dir", dir, "main", "a"))
}

// TestBoardWithoutEvents: a replay that was killed after it made its first board and before any event leaves a directory with the time of
// its data.
func TestBoardWithoutEvents(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	require.NoError(t, datadir.Open(dir, engine.Options{}, func(d *datadir.Data) error {
		f := feed.New(d, func(name string) (board.Spec, error) {
			return board.Spec{Name: name, Op: board.Sum, Windows: []board.Window{board.Year}}, nil
		})
		_, err := f.Item(t.Context(), events.Event{Board: "x"}, events.Position{})
		return err
	}))
	must(t, "replay", "--dir", dir, "--board", "x", "--window", "year", "--grace", "0s", write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,a,1\n"))
	require.Equal(t, "1\n", must(t, "score", "--dir", dir, "x", "a"))
}

// TestPeriodsOfSeasons lists seasons before, between and after them.
func TestPeriodsOfSeasons(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "x", "windows": [{"kind": "seasons", "zone": "America/Sao_Paulo", "seasons": [
		{"name": "s1", "start": "2026-01-01", "end": "2026-02-01"}, {"name": "s2", "start": "2026-03-01", "end": "2026-04-01"}]}]}`)
	dir := filepath.Join(tmp, "data")
	periods := func() []string {
		out := must(t, "periods", "--dir", dir, "--format", "json", "x")
		var lines []string
		for line := range strings.Lines(out) {
			line, _, _ = strings.Cut(line, `,"members"`)
			lines = append(lines, strings.TrimPrefix(line, `{"board":"x","window":"seasons","period":`))
		}
		return lines
	}
	require.Contains(t, zrank(nil, "replay", "--dir", dir, "--skip-bad", "--spec", spec, write(t, filepath.Join(tmp, "1"), "time,member,score\n"+
		"2025-12-31T23:00:00-03:00,a,1\n2026-01-01T00:00:00-03:00,a,2\n")).errs, "1 bad rows")
	require.Equal(t, []string{`"s1","start":"2026-01-01T00:00:00-03:00","end":"2026-02-01T00:00:00-03:00","state":"live"`}, periods())
	zrank(nil, "replay", "--dir", dir, "--skip-bad", "--spec", spec, write(t, filepath.Join(tmp, "2"), "time,member,score\n2026-02-02T00:00:00Z,a,9\n"))
	require.Equal(t, []string{`"s1","start":"2026-01-01T00:00:00-03:00","end":"2026-02-01T00:00:00-03:00","state":"closed"`,
		`"","state":"none is live"`}, periods())
	require.Contains(t, must(t, "periods", "--dir", dir, "x"), "2026-03-01T00:00:00-03:00")
	fails(t, 1, "no such window", "periods", "--dir", dir, "--window", "week", "x")
	fails(t, 1, "no such window", "history", "--dir", dir, "--window", "week", "x")
	fails(t, 1, "no such window", "close", "--dir", dir, "--window", "week", "--yes", "x")
	fails(t, 1, "no season", "close", "--dir", dir, "--window", "seasons", "--yes", "x")
}

// TestStopped interrupts a replay between batches: the commits so far stay.
func TestStopped(t *testing.T) {
	tmp := t.TempDir()
	path := write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,a,1\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	code := run(ctx, []string{"replay", "--dir", filepath.Join(tmp, "data"), "--batch", "1", path}, os.Stdin, &out, &errs)
	require.Equal(t, 1, code)
	require.Contains(t, errs.String(), "the same command goes on from there")
	require.Equal(t, []string{"a 1"}, slices.Concat(slices.Collect(maps.Values(rowsOf(t, must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--format", "json", path))))...))
}
