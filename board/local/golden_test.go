package local

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/golden"
	"github.com/zrankdb/zrank/internal/matrix"
)

// The golden directories are stores that earlier versions wrote, one for each layout. Each testdata/golden/<version>.tar.gz has
// want.txt, a dump of the store; closed/, a store after Close; and live/, a copy of the same store after a flush and before Close.
// A version that changes the layout adds an archive, and never changes an older one:
//
//	go test -run TestRow33Golden ./board/local -args -golden v3
//
// The boards of v1 and v2 have a format that was never released: these stores are compared as sets and private keys only.

var newGolden = flag.String("golden", "", "write testdata/golden/<this name>.tar.gz from what this version stores")

// goldenNow is when golden stores are opened: a day after the last result.
var goldenNow = time.Date(2026, 11, 24, 12, 30, 0, 0, time.UTC)

// TestRow33Golden opens a copy of every golden directory and compares everything, then changes it, snapshots, opens it again
// and compares once more.
func TestRow33Golden(t *testing.T) {
	if *newGolden != "" {
		writeGolden(t, filepath.Join("testdata", "golden", *newGolden+".tar.gz"))
	}
	layouts, opened := golden.Each(t, func(name, dir, want string) { goldenOpens(t, name, dir, want) })
	matrix.Row(t, 33, "%d layouts, %d golden directories opened, compared, changed and opened again", layouts, opened)
}

// goldenOpens opens a store of an older version, compares and changes it, and opens it again.
func goldenOpens(t *testing.T, name, dir, want string) {
	t.Helper()
	if old := filepath.Base(name); old == "v1.tar.gz" || old == "v2.tar.gz" {
		lines := slices.DeleteFunc(strings.SplitAfter(want, "\n"), func(line string) bool { return strings.HasPrefix(line, "board ") })
		want = strings.Join(lines, "")
	}
	rep, err := CheckDir(t.Context(), dir, engine.Options{}, nil)
	require.NoError(t, err)
	require.Empty(t, rep.Problems, name)
	if filepath.Base(name) == "v4.tar.gz" { // the first one with digests
		require.Zero(t, rep.Unrecorded, name)
		require.Positive(t, rep.Closed, name)
	} else {
		require.Zero(t, rep.Closed, name)
		require.Equal(t, filepath.Base(name) == "v3.tar.gz", rep.Unrecorded > 0, name) // the boards of v1 and v2 are not read
	}
	e, bs := openGolden(t, dir, true)
	require.Equal(t, want, goldenDump(t, e, bs), name)
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.Set("small")
		if err == nil {
			_, err = s.Add([]byte("new"), 1)
		}
		return err
	}, "small"))
	for _, b := range bs.All() {
		_, err := b.Submit(t.Context(), board.Submission{Member: "new", Score: goldenScore(b, 999)})
		require.NoError(t, err)
	}
	changed := goldenDump(t, e, bs)
	require.NotEqual(t, want, changed)
	require.NoError(t, e.Snapshot())
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
	e, bs = openGolden(t, dir, true)
	require.Equal(t, changed, goldenDump(t, e, bs), name)
	require.NoError(t, problemsError(bs.Check(t.Context(), nil)), name)
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
}

func openGolden(t *testing.T, dir string, exists bool) (*engine.Engine, *Boards) {
	t.Helper()
	e, err := engine.Open(dir, engine.Options{Clock: func() time.Time { return goldenNow }, SnapshotBytes: -1, MustExist: exists})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	return e, bs
}

// writeGolden writes an archive of a store with every kind of data.
func writeGolden(t *testing.T, archive string) {
	root := t.TempDir()
	dir := filepath.Join(root, "closed")
	end := goldenNow
	defer func() { goldenNow = end }()
	var e *engine.Engine
	var bs *Boards
	for part := range 3 { // opening it again moves the data in Pebble's log into tables
		goldenNow = end.Add(time.Duration(24*(part-3)) * time.Hour)
		e, bs = openGolden(t, dir, part > 0)
		fillGolden(t, e, bs, part)
		if part < 2 {
			require.NoError(t, e.Snapshot())
			require.NoError(t, bs.Close())
			require.NoError(t, e.Close())
		}
	}
	goldenNow = end
	_, err := bs.CloseDue(t.Context())
	require.NoError(t, err)
	require.NoError(t, e.Flush())
	require.NoError(t, os.CopyFS(filepath.Join(root, "live"), os.DirFS(dir)))
	require.NoError(t, os.WriteFile(filepath.Join(root, "want.txt"), []byte(goldenDump(t, e, bs)), 0o600))
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
	require.NoError(t, golden.Pack(root, archive))
}

// goldenSpecs are the boards of the golden store.
var goldenSpecs = []board.Spec{
	{Name: "sum", Op: board.Sum, Windows: []board.Window{board.All, board.Week, {Kind: board.Day.Kind, Zone: "Asia/Kathmandu", Grace: 7200e9, Keep: 1}}, BestRanks: true},
	{Name: "best/low", Columns: []board.Column{{Order: board.Asc, Kind: board.Float64}, {Name: "tries"}}, Ties: board.LastToReach, Windows: []board.Window{board.Month, board.Hour}, MaxMeta: 9},
	{Name: "last", Op: board.Last, Ties: board.ByMember},
	{Name: "wide", Op: board.Sum, Columns: []board.Column{{Name: "a"}, {Name: "b", Op: board.Max}, {Name: "c", Order: board.Asc, Op: board.Min}, {Name: "d", Kind: board.Float64}}},
}

// goldenScore returns score number i of a board, with a value for each of its columns.
func goldenScore(b board.Board, i int) board.Score {
	values := make([]board.Value, len(b.Spec().Columns))
	for c, column := range b.Spec().Columns {
		if values[c] = board.Int(int64(i*i%17) - 3); column.Kind == board.Float64 {
			values[c] = board.Float(float64(i*i%17) - 2.75)
		}
	}
	return board.Values(values...)
}

// fillGolden makes the changes of one day, 0 to 2. writeGolden takes a snapshot after each of the first two days.
func fillGolden(t *testing.T, e *engine.Engine, bs *Boards, day int) {
	t.Helper()
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.Set("small")
		if err == nil {
			_, err = s.IncrBy([]byte("x"), 1.5)
		}
		return err
	}, "small"))
	for _, spec := range goldenSpecs {
		b, err := bs.Define(t.Context(), spec)
		require.NoError(t, err)
		for i := range 150 + 50*day {
			sub := board.Submission{Member: fmt.Sprintf("p%d", i%141), Score: goldenScore(b, i+day), At: goldenNow.Add(-time.Duration(i) * time.Second)}
			if i%10 == 0 {
				sub.Once = fmt.Sprintf("once %d %d", day, i)
			}
			if spec.MaxMeta > 0 && i%3 == 0 {
				sub.Meta = fmt.Appendf(nil, "m%d", i)
			}
			_, err := b.Submit(t.Context(), sub)
			require.NoError(t, err)
		}
	}
	low, err := bs.Board(t.Context(), "best/low")
	require.NoError(t, err)
	require.NoError(t, low.SaveBaseline(t.Context(), "month", "yesterday"))
	if day == 1 {
		spec := goldenSpecs[2]
		spec.Ties = board.FirstToReach
		_, err := bs.Migrate(t.Context(), spec)
		require.NoError(t, err)
		goldenSpecs[2] = spec
	}
}

// goldenDump writes all sets and private keys of an engine, and the rankings of its boards.
func goldenDump(t *testing.T, e *engine.Engine, bs *Boards) string {
	t.Helper()
	var b strings.Builder
	keys, err := e.Keys("")
	require.NoError(t, err)
	for _, key := range keys {
		goldenSet(t, e, key, &b)
	}
	require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			if strings.HasPrefix(string(kv.Key), boardkey.PlacePrefix()) { // the index of members is made after Open
				continue
			}
			fmt.Fprintf(&b, "private %q %q\n", kv.Key, bytes.Replace(kv.Value, []byte(`,"indexed":true`), nil, 1))
		}
		return nil
	}))
	for _, arena := range bs.All() {
		usage, err := usageOf(arena)
		require.NoError(t, err)
		for _, u := range usage {
			r, err := arena.Period(t.Context(), u.Window, u.Period)
			require.NoError(t, err)
			rows, err := r.By(board.Competition).Top(t.Context(), 20)
			require.NoError(t, err)
			fmt.Fprintf(&b, "board %q %s %s closed %v, %d members: %v\n", u.Board, u.Window, u.Period, u.Closed, u.Members, goldenRows(rows))
		}
	}
	return b.String()
}

// goldenRows returns rows with the fields that they had when the golden files were written.
func goldenRows(rows []board.Row) (list []any) {
	for _, row := range rows {
		list = append(list, struct {
			Rank    int
			Member  string
			Score   board.Score
			Reached time.Time
			Meta    []byte
		}{row.Rank, row.Member, row.Score, row.Reached, row.Meta})
	}
	return list
}

// goldenSet writes a set to b.
func goldenSet(t *testing.T, e *engine.Engine, key string, b *strings.Builder) {
	t.Helper()
	u, ok, err := e.Usage(key)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
		if u.Ints {
			s, err := tx.IntSet(key, u.Form)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "ints %q %+v version %d\n", key, u.Form, s.Version())
			for _, x := range s.Append(nil, 0, s.Len()) {
				fmt.Fprintf(b, "  %q %v %x\n", x.Member, x.Score, x.Tie)
			}
			return nil
		}
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "set %q tie %d version %d\n", key, s.TieWidth(), s.Version())
		for _, x := range s.Append(nil, 0, s.Len()) {
			fmt.Fprintf(b, "  %q %v %x\n", x.Member, x.Score, x.Tie)
		}
		return nil
	}, key))
}
