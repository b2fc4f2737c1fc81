package local

import (
	"bytes"
	"errors"
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
	"github.com/zrankdb/zrank/board/awards"
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
// v0.2 is what the last version whose boards were in engine/board wrote, with every kind of board. The boards of v1 and v2 have a format that was never released: these stores are compared as sets and private keys only.

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
	switch filepath.Base(name) {
	case "v1.tar.gz", "v2.tar.gz": // their boards are not read
		require.Zero(t, rep.Closed, name)
		require.Zero(t, rep.Unrecorded, name)
	case "v3.tar.gz": // without digests
		require.Zero(t, rep.Closed, name)
		require.Positive(t, rep.Unrecorded, name)
	default:
		require.Positive(t, rep.Closed, name)
		require.Zero(t, rep.Unrecorded, name)
	}
	e, bs := openGolden(t, dir, true)
	require.Equal(t, want, withoutMarks(goldenDump(t, e, bs)), name)
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.Set("small")
		if err == nil {
			_, err = s.Add([]byte("new"), 1)
		}
		return err
	}, "small"))
	for _, b := range bs.All() {
		if b.Spec().Derived != nil {
			continue
		}
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

// withoutMarks returns a dump without what Open adds to a store of an earlier version: from when on
// it is known who was in which group (board.since), and that groups are followed (board.followers).
func withoutMarks(dump string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(dump, "\n"), func(line string) bool {
		return strings.HasPrefix(line, `private "board.since`) || strings.HasPrefix(line, `private "board.followers`)
	}), "")
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
	_, err := bs.SettleDue(t.Context())
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
	{Name: "sum", Op: board.Sum, Windows: []board.Window{board.All, board.Week, {Kind: board.Day.Kind, TimeZone: "Asia/Kathmandu", Grace: 7200e9, Keep: 1}}, BestRanks: true},
	{Name: "best/low", Columns: []board.Column{{Order: board.Asc, Kind: board.Float64}, {Name: "tries"}}, Ties: board.LastToReach, Windows: []board.Window{board.Month, board.Hour}, MaxMeta: 9},
	{Name: "last", Op: board.Last, Ties: board.ByMember},
	{Name: "wide", Op: board.Sum, Columns: []board.Column{{Name: "a"}, {Name: "b", Op: board.Max}, {Name: "c", Order: board.Asc, Op: board.Min}, {Name: "d", Kind: board.Float64}}},
}

// goldenFeatures are boards of the golden store with what boards can be beside that: in parts, of the best n, with cohorts, awards, a journal and a feed, of the
// groups of another one, and with a window that moves along.
var goldenFeatures = []board.Spec{
	{Name: "parts", Op: board.Sum, PartMembers: 50, Windows: []board.Window{board.All, board.Day}},
	{Name: "top", Op: board.Sum, Top: &board.Top{N: 20, Reserve: 10, Segments: 4}, Windows: []board.Window{board.All, board.Day}},
	{Name: "moving", Op: board.Sum, Windows: []board.Window{board.Rolling("week", 7*24*time.Hour)}},
	{Name: "leagues", Op: board.Sum, Windows: []board.Window{board.Day}, Leagues: &board.Leagues{Window: "day", Tiers: []string{"bronze", "silver"}, Size: 20, Up: 3, Down: 3}},
	{Name: "paid", Op: board.Best, Journal: 1000, OnceFor: 48 * 3600e9, BestRanks: true, MaxMeta: 9, Windows: []board.Window{board.All, {Kind: board.Day.Kind, Keep: 9}},
		Awards: []awards.Plan{{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, To: 3}, {Name: "silver", Percent: 20}}}}},
	{Name: "bestof", Op: board.BestOf, K: 3, Feed: &board.Feed{}, Windows: []board.Window{board.Day}},
	{Name: "guilds", Derived: &board.Derived{From: "paid", Groups: "guild", Op: board.GroupSum}, Windows: nil},
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
	fillFeatures(t, bs, day)
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

// fillFeatures makes the changes of one day to the boards of goldenFeatures, and moderates members of theirs.
func fillFeatures(t *testing.T, bs *Boards, day int) {
	t.Helper()
	ctx, by := t.Context(), board.Action{By: "ada", Reason: "test"}
	guilds, err := bs.DefineGroups(ctx, "guild")
	require.NoError(t, err)
	if day == 0 {
		for _, name := range []string{"bears", "owls", "wolves"} {
			require.NoError(t, guilds.Create(ctx, name, []byte(name)))
		}
	}
	for i := day * 30; i < day*30+30; i++ {
		require.NoError(t, guilds.Join(ctx, fmt.Sprintf("p%d", i), []string{"bears", "owls", "wolves"}[i%3]))
	}
	for _, spec := range goldenFeatures {
		b, err := bs.Define(ctx, spec)
		require.NoError(t, err)
		if spec.Derived != nil {
			continue
		}
		for i := range 60 {
			sub := board.Submission{Member: fmt.Sprintf("p%d", i*7%53), Score: board.Ints(int64(1 + i*i%97 + day)), At: goldenNow.Add(-time.Duration(i) * time.Second)}
			if spec.OnceFor > 0 && i%10 == 0 {
				sub.Once, sub.Meta = fmt.Sprintf("once %d %d", day, i), fmt.Appendf(nil, "m%d", i)
			}
			if _, err := b.Submit(ctx, sub); !errors.Is(err, board.ErrBanned) {
				require.NoError(t, err)
			}
		}
	}
	paid, err := bs.Board(ctx, "paid")
	require.NoError(t, err)
	switch day {
	case 1:
		_, err = bs.SettleDue(ctx)
		require.NoError(t, err)
		_, err = paid.Ban(ctx, "p7", by)
		require.NoError(t, err)
		_, err = paid.Hide(ctx, "p14", by)
		require.NoError(t, err)
		_, err = paid.Rename(ctx, "p21", "renamed", by)
		require.NoError(t, err)
	case 2:
		_, err = paid.Merge(ctx, "p28", "p35", by)
		require.NoError(t, err)
		require.NoError(t, bs.StoreUnion(ctx, "days", board.UnionSpec{Sources: []board.UnionSource{{Board: "paid", Window: "day", Period: goldenNow.AddDate(0, 0, -1).Format(time.DateOnly)}}}))
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
