package local

import (
	"context"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/engine"
)

// checkBoth runs Check on the open boards and CheckDir on a copy of their disk, requires equal results, and returns the report.
func (g *game) checkBoth() Report {
	g.t.Helper()
	rep, err := g.bs.Check(context.Background(), nil)
	require.NoError(g.t, err)
	require.NoError(g.t, g.e.Flush())
	dir, err := CheckDir(context.Background(), "db", engine.Options{FS: g.mem.CrashClone(vfs.CrashCloneCfg{})}, nil)
	require.NoError(g.t, err)
	require.Equal(g.t, rep.Problems, dir.Problems)
	require.Equal(g.t, []int{rep.Closed, rep.Unrecorded}, []int{dir.Closed, dir.Unrecorded})
	return rep
}

// TestCheckSpec: a check finds a stored spec that cannot be read, of a board that has members.
func TestCheckSpec(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena"})
	g.score(b, "ada", 1)
	require.NoError(t, coreOf(b).Owner().Update(t.Context(), nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Spec("arena"), []byte("{")) }))
	g.requireProblem(`board "arena"`, "stored spec: ")
}

// requireSound requires that a check reports no problems, and these numbers of closed and unrecorded periods.
func (g *game) requireSound(closed, unrecorded int) {
	g.t.Helper()
	rep := g.checkBoth()
	require.Empty(g.t, rep.Problems)
	require.Equal(g.t, []int{closed, unrecorded}, []int{rep.Closed, rep.Unrecorded})
}

// requireProblem requires that a check reports one problem, at this place and with this text.
func (g *game) requireProblem(where, text string) {
	g.t.Helper()
	rep := g.checkBoth()
	require.Len(g.t, rep.Problems, 1)
	require.Equal(g.t, where, rep.Problems[0].Where)
	require.Contains(g.t, rep.Problems[0].What, text)
}

// closedDays returns a game with a board that has two closed days and a live one.
func closedDays(t *testing.T, windows ...board.Window) (*game, board.Board) {
	g := newGame(t, true)
	b := g.define(counting("arena", windows...))
	for day := range 3 {
		g.score(b, "ada", int64(5+day))
		g.score(b, "bob", 3)
		if day < 2 {
			g.jump(24 * time.Hour)
			g.closeDue(1)
		}
	}
	return g, b
}

// tamper changes the set of a period without the board's knowledge.
func (g *game) tamper(b board.Board, window, period string, change func(*engine.IntSet) error) {
	g.t.Helper()
	key := Key{Board: b.Name(), Kind: window, Period: period, Version: b.Version()}.String()
	require.NoError(g.t, g.bs.catalog.Owner.Update(context.Background(), []string{key}, func(tx *engine.Tx) error {
		s, err := tx.IntSet(key, coreOf(b).State().Form)
		if err != nil {
			return err
		}
		return change(s)
	}))
}

// days returns the names of the closed periods of the board's first window.
func (g *game) days(b board.Board) (names []string) {
	g.t.Helper()
	for _, r := range coreOf(b).State().Timelines[0].ClosedRecords() {
		names = append(names, r.Period)
	}
	return names
}

// TestCheckClosed: Check names the board, the window and the period if a closed period was changed in any way: while it is in memory, after a
// restart, and after a migration.
func TestCheckClosed(t *testing.T) {
	for name, row := range map[string]struct {
		change func(s *engine.IntSet) error
		text   string
	}{
		"one less":      {func(s *engine.IntSet) error { _, err := s.Remove([]byte("bob")); return err }, "has 1 members, and had 2 when it was closed"},
		"none left":     {func(s *engine.IntSet) error { _, err := s.RemoveRange(0, 2); return err }, "its ranking is not there"},
		"another score": {func(s *engine.IntSet) error { _, err := s.IncrBy([]byte("bob"), 1); return err }, "is not what it was when it was closed"},
		"another member": {func(s *engine.IntSet) error {
			_, err := s.Remove([]byte("bob"))
			if err == nil {
				_, err = s.AddTied([]byte("bod"), make([]byte, s.TieWidth()), -3)
			}
			return err
		}, "is not what it was when it was closed"},
		"another time": {func(s *engine.IntSet) error {
			score, tie, _ := s.Get([]byte("bob"))
			other := append([]byte{}, tie...)
			other[0] ^= 1
			_, err := s.AddTied([]byte("bob"), other, score)
			return err
		}, "is not what it was when it was closed"},
	} {
		t.Run(name, func(t *testing.T) {
			g, b := closedDays(t, board.Day)
			g.requireSound(2, 0)
			days := g.days(b)
			at := check.Where("arena", "day", days[0])
			g.tamper(b, "day", days[0], row.change)
			g.requireProblem(at, row.text)
			require.NoError(t, g.e.Snapshot())
			g.reopen()
			g.requireProblem(at, row.text)
			if name == "none left" {
				return // a migration treats a closed period without a set as dropped
			}
			spec := b.Spec()
			spec.Ties = board.ByMember
			g.migrate(spec)
			g.requireProblem(at, row.text)
			g.reopen()
			g.requireProblem(at, row.text)
		})
	}
}

// TestCheckClosedEmpty: Check reports members in a period that had none when it was closed.
func TestCheckClosedEmpty(t *testing.T) {
	g, b := closedDays(t, board.Day)
	days := g.days(b)
	empty := coreOf(b).State().Timelines[0].ClosedRecords()[0].Start.AddDate(0, 0, -1).Format(time.DateOnly)
	require.NotContains(t, days, empty)
	g.tamper(b, "day", empty, func(s *engine.IntSet) error { _, err := s.Add([]byte("eve"), 1); return err })
	g.requireProblem(check.Where("arena", "day", empty), "has 1 members, and had none when it was closed")
}

// TestCheckReplaced: Check finds that the set of a closed period was replaced by one with the same number of members.
func TestCheckReplaced(t *testing.T) {
	g, b := closedDays(t, board.Day)
	key := Key{Board: "arena", Kind: "day", Period: g.days(b)[1], Version: 1}.String()
	other, err := coreOf(b).State().Form.Builder()
	require.NoError(t, err)
	z, _, err := g.e.CopyInts(t.Context(), key, coreOf(b).State().Form)
	require.NoError(t, err)
	for _, x := range z.Append(nil, 0, z.Len()) {
		require.NoError(t, other.AddTied(x.Member, x.Tie, x.Score-100))
	}
	require.NoError(t, g.bs.catalog.Owner.StoreInts(t.Context(), key, other.Set()))
	g.requireProblem(check.Where("arena", "day", g.days(b)[1]), "is not what it was when it was closed")
}

// TestCheckThroughLife: Check reports no problem after anything that a board does to closed periods: late results before they close, closing
// by hand, removal of members, retention, migrations that add and drop columns and windows, and Drop.
func TestCheckThroughLife(t *testing.T) {
	day, hour := board.Window{Kind: board.Day.Kind, Grace: 7200e9, Keep: 3}, board.Window{Kind: board.Hour.Kind, Keep: 30}
	g := newGame(t, true)
	spec := counting("arena", day, board.All)
	spec.MaxMeta, spec.BestRanks = 9, true
	b := g.define(spec)
	for i := range 8 {
		for n := range 200 {
			_, err := b.Submit(t.Context(), board.Submission{Member: string(rune('a' + n%40)), Score: board.Ints(int64(n * n % 17)), Meta: []byte("m")})
			require.NoError(t, err)
		}
		_, err := b.Remove(t.Context(), "c")
		require.NoError(t, err)
		if i == 3 {
			_, err := b.CloseNow(t.Context(), "day")
			require.NoError(t, err)
		}
		g.jump(12*time.Hour + 30*time.Minute) // half past midnight
		if _, err := b.Submit(t.Context(), board.Submission{Member: "late", Score: board.Ints(1), At: g.e.Now().Add(-time.Hour)}); i != 3 {
			require.NoError(t, err)
		}
		require.Empty(t, g.checkBoth().Problems)
		g.jump(11*time.Hour + 30*time.Minute)
		_, err = g.bs.CloseDue(t.Context())
		require.NoError(t, err)
		require.Empty(t, g.checkBoth().Problems)
		switch i {
		case 2, 4:
			spec.Columns = append(spec.Columns, board.Column{Name: string(rune('p' + i)), Op: board.Max})
			g.migrate(spec)
			b = g.board("arena")
			spec = b.Spec()
			spec.Windows = []board.Window{day, board.All, hour}
			g.migrate(spec)
			require.Empty(t, g.checkBoth().Problems)
			spec.Windows = []board.Window{day, board.All}
			g.migrate(spec)
			spec.Columns = spec.Columns[:1]
			g.migrate(spec)
		case 5:
			g.reopen()
			b = g.board("arena")
		}
		rep := g.checkBoth()
		require.Empty(t, rep.Problems)
		require.Zero(t, rep.Unrecorded)
		require.Positive(t, rep.Closed+boolInt(i == 0))
	}
	require.NoError(t, g.bs.Drop(t.Context(), "arena"))
	g.requireSound(0, 0)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestCheckCold: closing a period that is not in memory does not load it, and still stores a digest.
func TestCheckCold(t *testing.T) {
	g, b := closedDays(t, board.Day)
	g.index()
	require.NoError(t, g.e.Snapshot())
	g.reopen()
	g.bs.moderator.Stop() // which reads a closed period once, to index it
	g.jump(24 * time.Hour)
	g.closeDue(1)
	u, err := g.board("arena").Periods(t.Context(), "day")
	require.NoError(t, err)
	require.Len(t, u, 3)
	require.Zero(t, g.e.Recovery().Loaded)
	st, err := g.e.Stats()
	require.NoError(t, err)
	require.Zero(t, st.Loads)
	g.requireSound(3, 0)
	_ = b
}

// TestCheckUnrecorded: a period that a version without digests closed is counted as unrecorded until the board is migrated. From then on Check
// finds changes of it.
func TestCheckUnrecorded(t *testing.T) {
	g, b := closedDays(t, board.Day)
	g.index()
	days := g.days(b)
	require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), nil, func(tx *engine.Tx) error {
		r := *coreOf(b).State().Timelines[0].RecordOf(days[0])
		r.Digests = nil
		text, err := r.Encode()
		require.NoError(t, err)
		require.NotContains(t, string(text), "format")
		return tx.Put(boardkey.Record("arena", "day", days[0]), text)
	}))
	g.reopen()
	g.requireSound(1, 1)
	b = g.board("arena")
	spec := b.Spec()
	spec.Ties = board.ByMember
	g.migrate(spec)
	g.requireSound(2, 0)
	g.tamper(g.board("arena"), "day", days[0], func(s *engine.IntSet) error { _, err := s.IncrBy([]byte("ada"), 1); return err })
	g.requireProblem(check.Where("arena", "day", days[0]), "is not what it was when it was closed")
}

// TestCheckWhileClosing: Check reports no problem with periods that are made, changed, closed and dropped while it runs.
func TestCheckWhileClosing(t *testing.T) {
	g := newGame(t, true)
	hour := board.Window{Kind: board.Hour.Kind, Keep: 5}
	b := g.define(counting("arena", hour))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 300 {
			for range 5 {
				_, _ = b.Submit(t.Context(), board.Submission{Member: string(rune('a' + i%20)), Score: board.Ints(int64(i))})
			}
			g.jump(time.Hour)
			_, _ = g.bs.CloseDue(t.Context())
			if i%50 == 0 {
				_ = g.e.Snapshot()
			}
		}
	}()
	for n := 0; ; n++ {
		rep, err := g.bs.Check(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		select {
		case <-done:
			t.Logf("%d checks", n)
			g.requireSound(5, 0)
			return
		default:
		}
	}
}

// TestCheckMemory: an engine in memory has nothing to check.
func TestCheckMemory(t *testing.T) {
	g := newGame(t, false)
	_, err := g.bs.Check(t.Context(), nil)
	require.ErrorIs(t, err, engine.ErrMemory)
	require.NoError(t, g.bs.Close())
	_, err = g.bs.Check(t.Context(), nil)
	require.ErrorIs(t, err, board.ErrClosed)
}
