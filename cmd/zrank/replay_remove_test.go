package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
)

// removalRows returns random rows of results and removals, and the sums that remain by member.
func removalRows(rng *rand.Rand, n int) (text string, sums map[string]int) {
	var b strings.Builder
	b.WriteString("time,member,delta,op\n")
	sums = map[string]int{}
	for i := range n {
		at, member := 3600*i, fmt.Sprint("m", rng.IntN(9))
		if rng.IntN(5) == 0 {
			delete(sums, member)
			fmt.Fprintf(&b, "%d,%s,,remove\n", at, member)
			continue
		}
		delta := rng.IntN(100)
		sums[member] += delta
		fmt.Fprintf(&b, "%d,%s,%d,submit\n", at, member, delta)
	}
	return b.String(), sums
}

// removalSpec has days that close while the rows go on, and an hour of grace in which a removal still changes yesterday.
const removalSpec = `{"name": "x", "op": "sum", "windows": ["all", "day+1h"]}`

// TestRemovals: a removal takes out what came before it, and what comes after it counts, however the rows are cut into commits.
func TestRemovals(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	text, sums := removalRows(rand.New(rand.NewPCG(seed, 0)), 200)
	tmp := t.TempDir()
	in, spec := write(t, filepath.Join(tmp, "in.csv"), text), write(t, filepath.Join(tmp, "spec.json"), removalSpec)
	var tables []string
	for _, batch := range []string{"1", "7", "1000"} {
		dir := filepath.Join(tmp, batch)
		tables = append(tables, must(t, "replay", "--dir", dir, "--batch", batch, "--spec", spec, "--format", "csv", in))
		got := map[string]int{}
		for _, line := range strings.Split(must(t, "top", "--dir", dir, "--format", "csv", "x"), "\n")[1:] {
			if cells := strings.Split(line, ","); len(cells) == 6 {
				n := 0
				_, err := fmt.Sscan(cells[5], &n)
				require.NoError(t, err)
				got[cells[4]] = n
			}
		}
		require.Equal(t, sums, got)
	}
	require.Len(t, slices.Compact(tables), 1)
}

// TestRemovalAndPeriods: a removal leaves closed periods as they are, and those whose time is up by then.
func TestRemovalAndPeriods(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), removalSpec)
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,delta,op\n2026-11-19T12:00:00Z,ada,1,\n2026-11-20T12:00:00Z,ada,2,\n2026-11-21T00:30:00Z,ada,,remove\n"+
		"2026-11-21T00:40:00Z,ada,4,\n2026-11-22T01:00:00Z,ada,,remove\n2026-11-22T02:00:00Z,bea,8,\n")
	require.Equal(t, "board,window,period,rank,member,score\nx,all,all,1,bea,8\nx,day,2026-11-19,1,ada,1\nx,day,2026-11-21,1,ada,4\nx,day,2026-11-22,1,bea,8\n",
		must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--spec", spec, "--format", "csv", in), "the second removal comes when 21 November is over")
}

// TestStoppedRemoval: a removal whose position cannot be stored has removed nothing, and a replay that goes on ends as one that did not stop.
func TestStoppedRemoval(t *testing.T) {
	text, _ := removalRows(rand.New(rand.NewPCG(1, 0)), 60)
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), removalSpec)
	whole, stopped, in := filepath.Join(tmp, "whole"), filepath.Join(tmp, "stopped"), filepath.Join(tmp, "in.csv")
	lines := strings.SplitAfter(text, "\n")
	args := func(dir string) []string {
		return []string{"replay", "--dir", dir, "--spec", spec, "--format", "csv", in}
	}
	for i, line := range lines[:len(lines)-1] {
		if strings.HasSuffix(line, ",remove\n") {
			write(t, in, strings.Join(lines[:i], ""))
			must(t, args(stopped)...)
			var hour int
			_, err := fmt.Sscanf(line, "%d,", &hour)
			require.NoError(t, err)
			stopRemoval(t, stopped, spec, events.Event{Board: "x", Member: strings.Split(line, ",")[1], Remove: true, Time: time.Unix(int64(hour), 0).UTC()})
		}
	}
	write(t, in, text)
	require.Equal(t, must(t, args(whole)...), must(t, args(stopped)...))
}

// stopRemoval runs the commit of a removal, which fails. It requires that nothing has changed.
func stopRemoval(t *testing.T, dir, spec string, ev events.Event) {
	t.Helper()
	all, _, err := specs.ReadFile(spec)
	require.NoError(t, err)
	stop := errors.New("stopped")
	require.ErrorIs(t, datadir.Open(dir, engine.Options{}, func(d *datadir.Data) error {
		f := feed.New(d, func(string) (board.Spec, error) { return all[0], nil })
		it, err := f.Item(t.Context(), ev, events.Position{})
		if err != nil {
			return err
		}
		before := topOf(t, d)
		err = f.Commit(t.Context(), []feed.Item{it}, false, func(*engine.Tx) error { return stop })
		require.Equal(t, before, topOf(t, d))
		return err
	}), stop)
}

// topOf returns the ranking of all time.
func topOf(t *testing.T, d *datadir.Data) []board.Row {
	t.Helper()
	b, err := d.Boards.Board(t.Context(), "x")
	require.NoError(t, err)
	all, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	rows, err := all.Top(t.Context(), 1000)
	require.NoError(t, err)
	return rows
}

// TestReplayFalls: a commit of many rows may take more members from the best n than the reserve has.
func TestReplayFalls(t *testing.T) {
	tmp := t.TempDir()
	var text strings.Builder
	text.WriteString("time,member,score\n")
	for i := range 300 {
		fmt.Fprintf(&text, "%d,m%d,%d\n", i, i, 1000+i)
	}
	for i := range 297 {
		fmt.Fprintf(&text, "%d,m%d,%d\n", 1000+i, 299-i, i)
	}
	in := write(t, filepath.Join(tmp, "in.csv"), text.String())
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "x", "op": "last", "top": {"n": 3, "reserve": 1}}`)
	require.Contains(t, must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--spec", spec, "--format", "csv", in), "1,m2,1002\n")
	require.Contains(t, must(t, "check", "--dir", filepath.Join(tmp, "data")), "problems      none")
}
