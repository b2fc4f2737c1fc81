package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// feedRows are rows a day apart, in order of time.
func feedRows(n int) []string {
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("%s,m%d,1\n", start.AddDate(0, 0, i).Format(time.RFC3339), i%5)
	}
	return rows
}

const rowsHead = "time,member,delta\n"

// TestTooFarAhead plants a row of 2126 among rows of 2026, at the start, in between and at the end: it is refused, and no other row.
func TestTooFarAhead(t *testing.T) {
	rows := feedRows(40)
	_, want := replayText(t, rowsHead+strings.Join(rows, ""), "--window", "all,week", "--grace", "0s")
	require.Zero(t, want.code, want.errs)
	for _, at := range []int{0, 1, 20, 39, 40} {
		text := rowsHead + strings.Join(slices.Insert(slices.Clone(rows), at, "2126-01-01T00:00:00Z,bad,1\n"), "")
		line := fmt.Sprintf("in.csv:%d", at+2)
		_, r := replayText(t, text, "--window", "all,week", "--grace", "0s", "--skip-bad")
		require.Zero(t, r.code, r.errs)
		require.Equal(t, want.out, r.out, "at %d: %s", at, r.errs)
		require.Contains(t, r.errs, "1 row refused: 1 too far ahead (")
		require.Contains(t, r.errs, line)
		dir, r := replayText(t, text, "--window", "all,week", "--grace", "0s")
		require.Equal(t, 1, r.code)
		require.Contains(t, r.errs, line+": time 2126-01-01T00:00:00Z is too far ahead")
		require.Contains(t, r.errs, "--max-ahead")
		if at == 0 {
			require.NoDirExists(t, dir)
		}
	}
}

// TestOutliersInGoals plants rows of later centuries among 46,934 real goals, which have pauses of years. Replay refuses every planted row
// and no goal.
func TestOutliersInGoals(t *testing.T) {
	lines := slices.Collect(strings.Lines(unzip(t, sharedData(t, "goals/goals.csv.gz"))))
	lines = lines[:matrix.Pick(10_000, len(lines))]
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	flags := []string{"--window", "all,year", "--grace", "0s", "--top", "100000", "--durability", "none", "--max-ahead"}
	_, want := replayText(t, strings.Join(lines, ""), append(flags, "forever")...)
	require.Zero(t, want.code, want.errs)
	planted, text := 0, strings.Builder{}
	for i, line := range lines {
		text.WriteString(line)
		n := 0
		switch last := len(lines) - 1; {
		case i == 0 || i < last-20 && rng.IntN(500) == 0:
			n = 1 + rng.IntN(3)
		case i == last: // a second one would confirm the first, as rows do after a long pause
			n = 1
		}
		for range n {
			fmt.Fprintf(&text, "%d-05-06T07:08:09Z,Copa América,outlier,1\n", 2040+rng.IntN(7960))
			planted++
		}
	}
	_, r := replayText(t, text.String(), append(flags, "87600h", "--skip-bad")...)
	require.Contains(t, r.errs, fmt.Sprintf("%d rows refused: %[1]d too far ahead", planted))
	require.Equal(t, want.out, r.out)
}

// TestGoalsInAnyOrder replays real goals sorted by member, sorted by board, reversed and shuffled: no row is refused, and the tables are those
// of the original order.
func TestGoalsInAnyOrder(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(unzip(t, sharedData(t, "goals/goals.csv.gz")))).ReadAll()
	require.NoError(t, err)
	names, rows := rows[0], rows[1:matrix.Pick(10_000, len(rows))]
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	by := func(column int) func() {
		return func() {
			slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[column], b[column]) })
		}
	}
	replay := func() result {
		var text strings.Builder
		w := csv.NewWriter(&text)
		w.Write(names)
		w.WriteAll(rows)
		_, r := replayText(t, text.String(), "--window", "year", "--ties", "member", "--top", "100000", "--durability", "none")
		return r
	}
	want := replay().out
	for name, order := range map[string]func(){"member": by(2), "board": by(1), "backwards": func() { slices.Reverse(rows) },
		"none": func() { rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] }) }} {
		order()
		r := replay()
		require.Zero(t, r.code, "%s, seed %d: %s", name, seed, r.errs)
		require.Equal(t, want, r.out)
	}
}

// TestRefusedSummary: the last line of replay counts refused rows by reason, and names the first line of each.
func TestRefusedSummary(t *testing.T) {
	rows := feedRows(12)
	_, r := replayText(t, rowsHead+strings.Join(rows[:10], "")+"2026-01-01T12:00:00Z,late,1\nnonsense\n2026-01-02T12:00:00Z,late,1\n2126-01-01T00:00:00Z,a,1\n"+
		strings.Join(rows[10:], ""), "--window", "day", "--grace", "0s", "--skip-bad")
	require.Zero(t, r.code, r.errs)
	_, summary, _ := strings.Cut(r.errs, "a second), 4 bad rows skipped\n")
	require.Regexp(t, `^4 rows refused: 2 period is closed \(first .*in\.csv:12\), 1 wrong number of fields \(.*in\.csv:13\), 1 too far ahead \(.*in\.csv:15\)\n$`, summary)
}

// TestAllLaterRowsRefused: a replay that refused all rows from some line on, or all rows, does not exit with 0.
func TestAllLaterRowsRefused(t *testing.T) {
	flags := []string{"--window", "day", "--grace", "0s", "--skip-bad"}
	late := strings.Repeat("2026-01-01T12:00:00Z,late,1\n", 12)
	dir, r := replayText(t, rowsHead+strings.Join(feedRows(10), "")+late, flags...)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, "12 rows refused: 12 period is closed (first ")
	require.Regexp(t, `(?m)^zrank: .*in.csv: all 12 rows after line 11 were refused$`, r.errs)
	require.Contains(t, r.out, "main,day,2026-01-10,1,m4,1\n", "what got in is shown")
	require.Contains(t, must(t, "top", "--dir", dir, "main"), "m4")

	dir, r = replayText(t, rowsHead+"x,ada,1\ny,ada,1\n", flags...)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, "in.csv: all 2 rows were refused")
	require.NoDirExists(t, dir)

	_, r = replayText(t, rowsHead+strings.Join(feedRows(3), "")+"2026-01-0", flags...)
	require.Zero(t, r.code, "a line that is cut short at the end: %s", r.errs)
}

// TestMaxAheadFlag accepts any duration, and refuses other texts.
func TestMaxAheadFlag(t *testing.T) {
	text := rowsHead + "2026-01-01T00:00:00Z,a,1\n2026-01-03T00:00:00Z,b,1\n2026-01-01T01:00:00Z,a,1\n2026-01-01T02:00:00Z,a,1\n"
	_, r := replayText(t, text, "--skip-bad", "--max-ahead", "24h")
	require.Contains(t, r.errs, "in.csv:3: time 2026-01-03T00:00:00Z is too far ahead")
	_, r = replayText(t, text)
	require.Zero(t, r.code, r.errs)
	_, r = replayText(t, rowsHead+"2026-01-01T00:00:00Z,a,1\n9000-01-03T00:00:00Z,b,1\n", "--max-ahead", "forever")
	require.Zero(t, r.code, r.errs)
	for _, flag := range []string{"soon", "0s", "-1h"} {
		_, r = replayText(t, text, "--max-ahead", flag)
		require.Equal(t, 2, r.code)
		require.Contains(t, r.errs, "--max-ahead")
		require.NotContains(t, r.errs, "--batch")
	}
}

// TestAheadAcrossRuns: a resumed replay knows the latest time of the file so far.
func TestAheadAcrossRuns(t *testing.T) {
	tmp := t.TempDir()
	dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
	text := rowsHead + strings.Join(feedRows(5), "")
	must(t, "replay", "--dir", dir, write(t, path, text))
	text += "2126-01-01T00:00:00Z,bad,1\n"
	fails(t, 1, "too far ahead", "replay", "--dir", dir, write(t, path, text))
	text += "2126-01-02T00:00:00Z,m1,1\n2126-01-02T01:00:00Z,m1,1\n"
	must(t, "replay", "--dir", dir, write(t, path, text)) // the rows after it confirm that there was a pause
}
