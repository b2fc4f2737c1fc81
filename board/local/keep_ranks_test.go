package local

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// ranks writes the ranks of a closed day: "m1 2, m2 3". Members of one rank are in the order of their names.
func (g *game) ranks(b board.Board, mode board.Mode) (text string) {
	g.t.Helper()
	r, err := b.Period(context.Background(), "day", "2026-11-20")
	require.NoError(g.t, err)
	rows, err := r.By(mode).Top(context.Background(), 100)
	require.NoError(g.t, err)
	if mode != board.Ordinal {
		slices.SortFunc(rows, func(a, b board.Row) int { return cmp.Or(a.Rank-b.Rank, strings.Compare(a.Member, b.Member)) })
	}
	for _, row := range rows {
		text += fmt.Sprintf("%s %d, ", row.Member, row.Rank)
	}
	return text
}

// keepRanks is an Action that keeps ranks.
var keepRanks = board.Action{By: "ops", KeepRanks: true}

// TestKeepRanks: a ban and an erasure that keep ranks leave each other member the rank that it had, in every mode, after a restart and a migration too; those
// after it that do not keep them move the others up by one.
func TestKeepRanks(t *testing.T) {
	ctx := context.Background()
	for name, spec := range map[string]board.Spec{
		"plain": {}, "byMember": {Ties: board.ByMember}, "last": {Ties: board.LastToReach}, "parts": {Parts: 3}, "top": {Top: &board.Top{N: 8, Reserve: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			plan := daily(awards.Plan{Tiers: medals}, 0)
			spec.Name, spec.Windows, spec.Awards = plan.Name, plan.Windows, plan.Awards
			b := g.define(spec)
			g.play(b, 60, 50, 40, 40, 40, 20, 10)
			g.clock.Add(24 * time.Hour)
			g.score(b, "m0", 1)
			dry, err := b.Ban(ctx, "m0", board.Action{By: "ops", KeepRanks: true, DryRun: true})
			require.NoError(t, err)
			done, err := b.Ban(ctx, "m0", keepRanks)
			require.NoError(t, err)
			require.Equal(t, dry.Places, done.Places)
			require.Equal(t, board.Place{Window: "day", Period: "2026-11-20", Closed: true, Rank: 1, Members: 7, Score: board.Ints(60)}, done.Places[2])
			_, err = b.Erase(ctx, "m3", keepRanks)
			require.NoError(t, err)
			entry := g.lastEntry(b)
			require.True(t, entry.KeepRanks)
			g.requireRanks(b, "m1 2, ", "m5 6, m6 7, ", "m1 2, m2 3, m4 3, m5 6, m6 7, ", "m1 2, m2 5, m4 5, m5 6, m6 7, ", "m1 2, m2 3, m4 3, m5 4, m6 5, ")
			m, err := b.Member(ctx, "m5")
			require.NoError(t, err)
			require.Equal(t, 6, m.Windows[0].Places[0].Rank)
			g.migrateRanks(spec)
			b = g.board("arena")
			g.requireRanks(b, "m1 2, ", "m5 6, m6 7, ", "m1 2, m2 3, m4 3, m5 6, m6 7, ", "m1 2, m2 5, m4 5, m5 6, m6 7, ", "m1 2, m2 3, m4 3, m5 4, m6 5, ")
			g.requireSound(1, 0)
			_, err = b.Ban(ctx, "m1", ops)
			require.NoError(t, err)
			g.requireRanks(b, "m", "m5 5, m6 6, ", "m2 2, m4 2, m5 5, m6 6, ", "m2 4, m4 4, m5 5, m6 6, ", "m2 2, m4 2, m5 3, m6 4, ")
		})
	}
}

// lastEntry returns the last entry of the audit log.
func (g *game) lastEntry(b board.Board) (last audit.Entry) {
	g.t.Helper()
	for e, err := range b.Audit(context.Background(), audit.Filter{}) {
		require.NoError(g.t, err)
		last = e
	}
	return last
}

// requireRanks compares the ranks in all modes; of ordinal ranks, which depend on ties, the first and the last.
func (g *game) requireRanks(b board.Board, first, last, competition, modified, dense string) {
	g.t.Helper()
	ordinal := g.ranks(b, board.Ordinal)
	require.Regexp(g.t, "^"+first+".*"+last+"$", ordinal)
	require.Equal(g.t, competition, g.ranks(b, board.Competition))
	require.Equal(g.t, modified, g.ranks(b, board.Modified))
	require.Equal(g.t, dense, g.ranks(b, board.Dense))
}

// migrateRanks restarts, and gives the board a column more.
func (g *game) migrateRanks(spec board.Spec) {
	g.t.Helper()
	before := g.ranks(g.board("arena"), board.Ordinal)
	g.reopen()
	require.Equal(g.t, before, g.ranks(g.board("arena"), board.Ordinal))
	spec.Columns = []board.Column{{Name: "score"}, {Name: "bonus"}}
	g.migrate(spec)
	require.Equal(g.t, before, g.ranks(g.board("arena"), board.Ordinal))
}

// TestKeptRanksAreAwarded: a Resettle after a ban that keeps ranks gives the others what they had, and nobody has the award of the banned.
func TestKeptRanksAreAwarded(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		ctx := context.Background()
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		g.play(b, 50, 40, 30, 20, 10)
		g.settle()
		_, err := b.Ban(ctx, "m0", keepRanks)
		require.NoError(t, err)
		c, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{})
		require.NoError(t, err)
		require.Zero(t, c.Gained)
		require.Equal(t, []string{"m1 2 silver waiting", "m0 0  withheld", "m2 3 silver waiting", "m3 4 played waiting", "m4 5 played waiting"}, g.awards(b, "2026-11-20"))
		_, err = b.Erase(ctx, "m1", ops)
		require.NoError(t, err)
		_, err = b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: []string{"m2"}})
		require.NoError(t, err)
		require.Contains(t, g.awards(b, "2026-11-20"), "m3 2 silver waiting")
	})
}

// TestKeepRanksIsRefused: the other calls know no KeepRanks.
func TestKeepRanksIsRefused(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.All}, Journal: 10})
	g.score(b, "ada", 1)
	for name, call := range map[string]func() error{
		"Hide":   func() error { _, err := b.Hide(ctx, "ada", keepRanks); return err },
		"Show":   func() error { _, err := b.Show(ctx, "ada", keepRanks); return err },
		"Unban":  func() error { _, err := b.Unban(ctx, "ada", keepRanks); return err },
		"Rename": func() error { _, err := b.Rename(ctx, "ada", "eva", keepRanks); return err },
		"Merge":  func() error { _, err := b.Merge(ctx, "ada", "eva", keepRanks); return err },
		"Revert": func() error { _, err := b.Revert(ctx, "ada", board.Reversion{Row: 1}, keepRanks); return err },
	} {
		require.ErrorIs(t, call(), board.ErrAction, name)
	}
	require.Equal(t, "ada 1", g.live(b, "all"))
}

// TestKeptRanksRace: while members are banned, readers of a closed day find for the last member the rank that it had, in every kind of read.
func TestKeptRanksRace(t *testing.T) {
	const members = 60
	ctx := context.Background()
	for name, spec := range map[string]board.Spec{"plain": {}, "parts": {Parts: 3}, "top": {Top: &board.Top{N: members, Reserve: 2}}} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			spec.Name, spec.Windows = "arena", []board.Window{{Kind: window.Day}, board.All}
			b := g.define(spec)
			for i := range members {
				g.score(b, fmt.Sprint("m", i), int64(members-i))
			}
			g.clock.Add(24 * time.Hour)
			g.closeDue(1)
			last := fmt.Sprint("m", members-1)
			stop, read := make(chan struct{}), sync.WaitGroup{}
			for _, fn := range []func(r board.Ranking) (int, error){
				func(r board.Ranking) (int, error) { row, _, err := r.Rank(ctx, last); return row.Rank, err },
				func(r board.Ranking) (int, error) { row, _, err := r.At(ctx, -1); return row.Rank, err },
				func(r board.Ranking) (int, error) { row, _, err := mustPin(t, r).At(ctx, -1); return row.Rank, err },
				func(r board.Ranking) (rank int, err error) {
					err = r.View(ctx, func(r board.Ranking) error {
						rows, err := r.By(board.Dense).Places(ctx, -1, -1)
						rank = rows[0].Rank
						return err
					})
					return rank, err
				},
			} {
				read.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
						}
						r, err := b.Period(ctx, "day", "2026-11-20")
						if !assert.NoError(t, err) {
							return
						}
						rank, err := fn(r)
						if !assert.NoError(t, err) || !assert.Equal(t, members, rank) {
							return
						}
						runtime.Gosched()
					}
				})
			}
			for i := range members - 1 {
				_, err := b.Ban(ctx, fmt.Sprint("m", i), keepRanks)
				require.NoError(t, err)
			}
			close(stop)
			read.Wait()
		})
	}
}
