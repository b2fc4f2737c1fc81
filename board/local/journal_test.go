package local

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// journalOf returns the numbers of the rows of a member, or of all, oldest first.
func journalOf(t *testing.T, b board.Board, member string) (numbers []uint64) {
	t.Helper()
	for row, err := range b.Journal(t.Context(), board.JournalQuery{Member: member}) {
		require.NoError(t, err)
		numbers = append([]uint64{row.Number}, numbers...)
	}
	return numbers
}

// inJournal calls a function that changes the rows of a journal a few at a time until it is done, and returns how many it has changed.
func (g *game) inJournal(b board.Board, limit int, change func(tx *engine.Tx, st *state.State, from uint64, limit int) (uint64, int, error)) (changed int) {
	g.t.Helper()
	st := coreOf(b).State()
	from, steps := uint64(0), 0
	for more := true; more; more = from > 0 {
		next, n := uint64(0), 0
		require.NoError(g.t, g.bs.catalog.Owner.Update(context.Background(), []string{st.JournalKey}, func(tx *engine.Tx) (err error) {
			next, n, err = change(tx, st, from, limit)
			return err
		}))
		from, changed, steps = next, changed+n, steps+1
		require.Less(g.t, steps, 100)
	}
	return changed
}

// TestJournalForgetsMembers: Erase and Rename change the rows of one member only, few in a transaction, and numbers are never used again.
func TestJournalForgetsMembers(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Journal: 100})
	for i := range 10 {
		g.score(b, []string{"ada", "bob"}[i%2], int64(i))
	}
	_, err := b.Remove(t.Context(), "bob")
	require.NoError(t, err)
	require.Equal(t, 5, g.inJournal(b, 3, func(tx *engine.Tx, st *state.State, from uint64, limit int) (uint64, int, error) {
		return journal.Rename(tx, st, journal.Renaming{Member: "ada", To: "eve", Last: 10}, from, limit)
	}))
	require.Empty(t, journalOf(t, b, "ada"))
	require.Equal(t, []uint64{1, 3, 5, 7, 9}, journalOf(t, b, "eve"))
	require.Equal(t, 5, g.inJournal(b, 3, func(tx *engine.Tx, st *state.State, from uint64, limit int) (uint64, int, error) { // a removal is none
		return journal.Erase(tx, st, "bob", from, limit)
	}))
	require.Equal(t, []uint64{1, 3, 5, 7, 9}, journalOf(t, b, ""))
	g.reopen()
	b = g.board("arena")
	g.score(b, "cy", 1)
	require.Equal(t, []uint64{12}, journalOf(t, b, "cy"), "the erased row 11 was the newest")
	g.requireSound(0, 0)
}

// TestLongJournal: a journal of more rows than one transaction reads, shortened by a migration, keeps the newest rows, and loses the others step by step.
func TestLongJournal(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Journal: 3000})
	for i := range 3500 {
		_, err := b.Apply(t.Context(), board.Submission{Member: fmt.Sprint("m", i%7), Score: board.Ints(int64(i))})
		require.NoError(t, err)
	}
	rows := journalOf(t, b, "")
	require.Len(t, rows, 3000)
	require.EqualValues(t, 501, rows[0])
	require.Len(t, journalOf(t, b, "m3"), (3500-501)/7+1)
	g.migrate(board.Spec{Name: "arena", Journal: 100})
	require.Equal(t, 1, b.Version())
	for range 200 {
		g.score(b, "ada", 1)
	}
	rows = journalOf(t, b, "")
	require.Len(t, rows, 100)
	require.EqualValues(t, 3700, rows[99])
}

// TestRevertAfterBan: the removal from open and closed periods by a ban counts as a removal for a revert: an earlier submission does not come back.
func TestRevertAfterBan(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, Journal: 100})
	g.score(b, "ada", 5)
	g.score(b, "ada", 7)
	g.score(b, "bob", 1)
	g.jump(24 * time.Hour)
	g.closeDue(1)
	_, err := b.Ban(t.Context(), "ada", ops)
	require.NoError(t, err)
	_, err = b.Unban(t.Context(), "ada", ops)
	require.NoError(t, err)
	got, err := b.Revert(t.Context(), "ada", board.Reversion{Row: 2}, ops)
	require.NoError(t, err)
	require.Empty(t, got.Places)
	require.Equal(t, []uint64{2}, got.Rows)
	g.requireSound(1, 0)
}

// TestRevertWhileSubmitting: submissions of the member at the same time are reverted or count, and each counts in every window or in none.
func TestRevertWhileSubmitting(t *testing.T) {
	for _, top := range []*board.Top{nil, {N: 2, Reserve: 1}} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, Journal: 10_000, Top: top})
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for n := range 60 {
					member := "ada"
					if n%3 == 0 {
						member = fmt.Sprint("m", i)
					}
					if _, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(int64(1 + n))}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		reverted := 0
		for range 10 {
			got, err := b.Revert(t.Context(), "ada", board.Reversion{}, ops)
			require.NoError(t, err)
			reverted += len(got.Rows)
		}
		wg.Wait()
		want := int64(0)
		for row, err := range b.Journal(t.Context(), board.JournalQuery{Member: "ada"}) {
			require.NoError(t, err)
			if row.Reverted == 0 {
				want += whole(row.Score.At(0).Units())
			} else {
				reverted--
			}
		}
		require.Zero(t, reverted, "rows that a revert has told")
		for _, window := range []string{"all", "day"} {
			live, err := b.Live(t.Context(), window)
			require.NoError(t, err)
			score, ok, err := live.Score(t.Context(), "ada")
			require.NoError(t, err)
			require.Equal(t, want > 0, ok)
			require.Equal(t, want, whole(score.At(0).Units()))
		}
		g.requireSound(0, 0)
	}
}
