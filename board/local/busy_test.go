package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/moderation"
	"github.com/zrankdb/zrank/board/window"
)

// newLeft returns a game in which nobody but the test resumes jobs, and a board of four members with three closed days.
func newLeft(t testing.TB, spec board.Spec) (*game, board.Board) {
	g := newGame(t, true, func(g *game) { g.alone = true })
	spec.Name, spec.Windows = "arena", []board.Window{{Kind: window.Day}, board.All}
	b := g.define(spec)
	for day := range 3 {
		g.play(b, int64(4+day), 3, 2, 1)
		g.clock.Add(24 * time.Hour)
	}
	g.play(b, 1, 1, 1, 1)
	return g, b
}

// leave makes a call that changes a member, and ends it when its first commit is done: its job is left.
func (g *game) leave(b board.Board, call func(ctx context.Context) (board.Moderated, error)) {
	g.t.Helper()
	unlock, err := coreOf(b).LockModeration(context.Background())
	require.NoError(g.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- errorOf(call(ctx)) }()
	for jobs := 0; jobs == 0; runtime.Gosched() {
		all, err := b.Jobs(ctx)
		require.NoError(g.t, err)
		jobs = len(all)
	}
	cancel()
	require.ErrorIs(g.t, <-done, context.Canceled)
	unlock()
}

// TestBusy: while a merge is in progress, no other rename or merge of one of the two members, no correction and no revert begins, and nothing changes.
func TestBusy(t *testing.T) {
	ctx := context.Background()
	g, b := newLeft(t, board.Spec{Op: board.Sum, Journal: 50})
	g.leave(b, func(ctx context.Context) (board.Moderated, error) { return b.Merge(ctx, "m0", "m1", ops) })
	jobs, err := b.Jobs(ctx)
	require.NoError(t, err)
	require.Equal(t, []board.Job{{Entry: 1, Kind: "merge", Member: "m0", To: "m1", Total: 3}}, jobs)
	before, err := dump(g.bs)
	require.NoError(t, err)
	dry := board.Action{By: "ops", DryRun: true}
	for _, a := range []board.Action{ops, dry} {
		for name, call := range map[string]func() (board.Moderated, error){
			"circle":         func() (board.Moderated, error) { return b.Merge(ctx, "m1", "m0", a) },
			"the same":       func() (board.Moderated, error) { return b.Merge(ctx, "m0", "m1", a) },
			"into the first": func() (board.Moderated, error) { return b.Merge(ctx, "m2", "m0", a) },
			"chain":          func() (board.Moderated, error) { return b.Merge(ctx, "m2", "m1", a) },
			"rename first":   func() (board.Moderated, error) { return b.Rename(ctx, "m0", "x", a) },
			"rename other":   func() (board.Moderated, error) { return b.Rename(ctx, "m1", "x", a) },
			"rename to it":   func() (board.Moderated, error) { return b.Rename(ctx, "m2", "m0", a) },
			"correct": func() (board.Moderated, error) {
				return b.Correct(ctx, "m1", board.ClosedSubmission{Window: "day", Period: "2026-11-20", Score: board.Ints(1)}, a)
			},
			"revert": func() (board.Moderated, error) {
				return board.Moderated{}, errorOf(b.Revert(ctx, "m0", board.Reversion{}, a))
			},
		} {
			require.ErrorIs(t, errorOf(call()), board.ErrBusy, name)
		}
	}
	after, err := dump(g.bs)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Equal(t, []string{"merge m0 m1 2 false"}, auditTexts(t, b))
	_, err = b.Rename(ctx, "m2", "x", ops) // another member: it ends the merge first
	require.NoError(t, err)
	require.Equal(t, []string{"merge m0 m1 5 true", "rename m2 x 5 true"}, auditTexts(t, b))
	require.Equal(t, "m1 7, x 2, m3 1", g.period(b, "day", "2026-11-20"))
	_, err = b.Merge(ctx, "m1", "m0", ops)
	require.NoError(t, err)
	require.Equal(t, "m0 7, x 2, m3 1", g.period(b, "day", "2026-11-20"))
	g.requireSound(3, 0)
}

// TestRevertWhileRenamed: the rows of a member that is being renamed have its former name until that is done: a revert of either does not look for them.
func TestRevertWhileRenamed(t *testing.T) {
	ctx := context.Background()
	g, b := newLeft(t, board.Spec{Op: board.Sum, Journal: 50})
	g.leave(b, func(ctx context.Context) (board.Moderated, error) { return b.Rename(ctx, "m0", "x", ops) })
	for _, member := range []string{"m0", "x"} {
		for _, which := range []board.Reversion{{Row: 1}, {Since: g.clock.Now().Add(-time.Hour)}} {
			require.ErrorIs(t, errorOf(b.Revert(ctx, member, which, ops)), board.ErrBusy, member)
		}
	}
	require.NoError(t, moderation.Resume(ctx, coreOf(b)))
	did := must(b.Revert(ctx, "x", board.Reversion{Since: g.clock.Now().Add(-time.Hour)}, ops))
	require.Equal(t, []uint64{13}, did.Rows)
}

// auditTexts returns the entries of the audit log.
func auditTexts(t testing.TB, b board.Board) (list []string) {
	for e, err := range b.Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		list = append(list, fmt.Sprint(e.Kind, " ", e.Member, " ", e.To, " ", e.Places, " ", e.Done))
	}
	return list
}

// TestMergeCircle: of two merges at the same time that would make a circle one is refused, or comes after the other: no result is lost.
func TestMergeCircle(t *testing.T) {
	for round := range 20 {
		g, b := newLeft(t, board.Spec{Op: board.Sum})
		var both sync.WaitGroup
		for _, pair := range [][2]string{{"m0", "m1"}, {"m1", "m0"}} {
			both.Go(func() {
				if _, err := b.Merge(context.Background(), pair[0], pair[1], ops); err != nil && !errors.Is(err, board.ErrBusy) {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for day, want := range map[string]int64{"2026-11-20": 7, "2026-11-21": 8, "2026-11-22": 9} {
			r, err := b.Period(t.Context(), "day", day)
			require.NoError(t, err)
			rows, err := r.Top(t.Context(), 9)
			require.NoError(t, err)
			require.Len(t, rows, 3, "round %d", round)
			require.Equal(t, want, whole(rows[0].Score.At(0).Units()), "round %d", round)
		}
		g.requireSound(3, 0)
	}
}

// TestJobOrder: jobs of one member run in the order in which they began: a ban of a member that is being merged into removes what it has got.
func TestJobOrder(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		call func(b board.Board) error
		want string
	}{
		"ban":             {func(b board.Board) error { return errorOf(b.Ban(ctx, "m1", ops)) }, "m2 2, m3 1"},
		"erase":           {func(b board.Board) error { return errorOf(b.Erase(ctx, "m1", ops)) }, "m2 2, m3 1"},
		"hide":            {func(b board.Board) error { return errorOf(b.Hide(ctx, "m1", ops)) }, "m2 2, m3 1"},
		"ban of the from": {func(b board.Board) error { return errorOf(b.Ban(ctx, "m0", ops)) }, "m1 7, m2 2, m3 1"},
	} {
		t.Run(name, func(t *testing.T) {
			g, b := newLeft(t, board.Spec{Op: board.Sum})
			g.leave(b, func(ctx context.Context) (board.Moderated, error) { return b.Merge(ctx, "m0", "m1", ops) })
			require.NoError(t, c.call(b))
			require.Equal(t, c.want, g.period(b, "day", "2026-11-20"))
			require.Empty(t, must(b.Jobs(ctx)))
			require.Len(t, must(b.AuditPlaces(ctx, 1)), 5)
			g.requireSound(3, 0)
		})
	}
}

// TestBanInMigration: a ban that begins while the board is being migrated waits, and a job that is left goes on under the new spec.
func TestBanInMigration(t *testing.T) {
	ctx := context.Background()
	g, b := newLeft(t, board.Spec{Op: board.Sum})
	g.leave(b, func(ctx context.Context) (board.Moderated, error) { return b.Ban(ctx, "m0", ops) })
	spec := b.Spec()
	spec.MaxMeta = 1
	paused := startPaused(b, board.Submission{Member: "m3"}) // the migration waits for it
	meanwhile, wait := startFreezing(b, func() error { return errorOf(g.bs.Migrate(ctx, spec)) })
	require.NoError(t, meanwhile())
	banned := make(chan error, 1)
	go func() { banned <- errorOf(b.Ban(ctx, "m2", ops)) }()
	require.NoError(t, paused.resume())
	require.NoError(t, wait())
	require.NoError(t, <-banned)
	b = g.board("arena")
	require.NoError(t, moderation.Resume(ctx, coreOf(b)))
	require.Equal(t, []string{"ban m0  5 true", "ban m2  5 true"}, auditTexts(t, b))
	require.Equal(t, "m1 3, m3 1", g.period(b, "day", "2026-11-20"))
	require.ErrorIs(t, errorOf(b.Submit(ctx, board.Submission{Member: "m2", Score: board.Ints(1)})), board.ErrBanned)
	g.requireSound(3, 0)
}

// TestBanInClosing: a ban closes the days whose time is up first, and removes the member from them.
func TestBanInClosing(t *testing.T) {
	g, b := newLeft(t, board.Spec{Op: board.Sum})
	g.clock.Add(24 * time.Hour)
	did, err := b.Ban(context.Background(), "m0", ops)
	require.NoError(t, err)
	require.Len(t, did.Places, 5)
	require.False(t, did.Places[0].Closed)
	for _, p := range did.Places[1:] {
		require.True(t, p.Closed, p.Period)
	}
	g.requireSound(4, 0)
	did, err = b.Ban(context.Background(), "nobody", ops)
	require.NoError(t, err)
	require.Empty(t, did.Places)
}

// TestBanInSettlement: a ban that begins before the period is settled, or while it is, waits for it, and the member gets nothing.
func TestBanInSettlement(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, true, func(g *game) { g.alone = true })
	g.bs.settlers[0].Stop()
	b := g.define(daily(awards.Plan{Tiers: medals, Claim: true}, 0))
	g.play(b, 4, 3, 2, 1)
	g.clock.Add(24 * time.Hour)
	g.closeDue(1)
	_, err := b.Ban(ctx, "m0", ops) // the period is closed and not settled
	require.NoError(t, err)
	tl, err := coreOf(b).State().Timeline("day")
	require.NoError(t, err)
	s := tl.SettlementOf("2026-11-20")
	s.Working.Lock()
	done := make(chan error, 1)
	go func() { done <- errorOf(b.Ban(ctx, "m1", ops)) }()
	for jobs := 0; jobs == 0 || must(b.Jobs(ctx))[0].Done < 1; runtime.Gosched() {
		jobs = len(must(b.Jobs(ctx)))
	}
	require.True(t, isBanned(b, "m1"))
	s.Working.Unlock()
	require.NoError(t, <-done)
	g.settleDue()
	require.Equal(t, []string{"m2 1 gold waiting", "m3 2 silver waiting"}, g.awards(b, "2026-11-20"))
	_, err = b.Ban(ctx, "m2", ops) // the awards wait
	require.NoError(t, err)
	require.Equal(t, []string{"m2 1 gold withheld", "m3 2 silver waiting"}, g.awards(b, "2026-11-20"))
	g.requireSound(1, 0)
}

// TestHiddenInSettlement: a member that is hidden when a period is settled has no rank and gets no award; the others have the ranks without it. When it is shown
// nothing changes until the period is settled again. An award that waits when its member is hidden stays.
func TestHiddenInSettlement(t *testing.T) {
	ctx := context.Background()
	for _, closed := range []bool{false, true} { // the period is closed before the member is hidden
		g := newGame(t, true, func(g *game) { g.alone = true })
		g.bs.settlers[0].Stop()
		b := g.define(daily(awards.Plan{Tiers: medals, Claim: true}, 0))
		g.play(b, 4, 3, 2)
		g.clock.Add(24 * time.Hour)
		if closed {
			g.closeDue(1)
		}
		_, err := b.Hide(ctx, "m0", ops)
		require.NoError(t, err)
		g.settleDue()
		want := []string{"m1 1 gold waiting", "m2 2 silver waiting"}
		require.Equal(t, want, g.awards(b, "2026-11-20"))
		_, err = b.Show(ctx, "m0", ops)
		require.NoError(t, err)
		require.Equal(t, want, g.awards(b, "2026-11-20"))
		_, err = b.Hide(ctx, "m1", ops)
		require.NoError(t, err)
		require.Equal(t, want, g.awards(b, "2026-11-20"))
		_, err = b.Show(ctx, "m1", ops)
		require.NoError(t, err)
		_, err = b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{})
		require.NoError(t, err)
		g.settleDue()
		require.Equal(t, "m0 1 gold waiting", g.awards(b, "2026-11-20")[0])
		g.requireSound(1, 0)
	}
}

// TestBanRace: while members are banned and unbanned, submissions, reads and closings are right for all others, and nothing is left of the banned.
func TestBanRace(t *testing.T) {
	for name, spec := range map[string]board.Spec{"one": {}, "parts": {Parts: 2}, "top": {Top: &board.Top{N: 2, Reserve: 1}}, "growing": {PartMembers: 8}, "journal": {Journal: 50}} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			spec.Name, spec.Op, spec.Ties, spec.Windows = "arena", board.Sum, board.ByMember, []board.Window{{Kind: window.Day}, board.All}
			raceOfBans(g, g.define(spec))
		})
	}
}

func raceOfBans(g *game, b board.Board) {
	ctx := context.Background()
	const rounds, each = 10, 60
	var all sync.WaitGroup
	again := func(times int, call func(i int) error) {
		all.Go(func() {
			for i := range times {
				if err := call(i); err != nil && !errors.Is(err, board.ErrBanned) && !errors.Is(err, board.ErrNoPeriod) {
					g.t.Error(err)
				}
			}
		})
	}
	for _, member := range []string{"eve", "eve", "mal", "ada", "bob"} {
		again(each, func(int) error {
			return errorOf(b.Submit(ctx, board.Submission{Member: member, Score: board.Ints(1)}))
		})
	}
	for _, member := range []string{"eve", "mal"} {
		again(rounds, func(int) error {
			if _, err := b.Ban(ctx, member, ops); err != nil {
				return err
			}
			r, err := b.Live(ctx, "all")
			if err != nil {
				return err
			}
			if _, ok, err := r.Rank(ctx, member); err != nil || ok {
				return fmt.Errorf("%s is banned and ranked: %v, %w", member, ok, err)
			}
			return errorOf(b.Unban(ctx, member, ops))
		})
	}
	again(rounds, func(int) error {
		g.clock.Add(8 * time.Hour)
		return errorOf(g.bs.CloseDue(ctx))
	})
	again(each, func(int) error { return errorOf(b.Member(ctx, "eve")) })
	again(each, func(int) error {
		r, err := b.Live(ctx, "day")
		if err == nil {
			_, err = r.Top(ctx, 5)
		}
		return err
	})
	all.Wait()
	for _, member := range []string{"eve", "mal"} {
		_, err := b.Ban(ctx, member, ops)
		require.NoError(g.t, err)
		for _, h := range must(b.Member(ctx, member)).Windows {
			require.Empty(g.t, h.Places)
		}
	}
	require.Equal(g.t, fmt.Sprintf("ada %d, bob %d", each, each), g.live(b, "all"))
	report, err := g.bs.Check(ctx, nil)
	require.NoError(g.t, err)
	require.Empty(g.t, report.Problems)
}
