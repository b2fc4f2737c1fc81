package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
)

// renamedLife is the history of one member under many names, on boards that keep names wherever a name can stand.
type renamedLife struct {
	*game
	rng    *rand.Rand
	seed   uint64
	guilds board.Groups
	names  []string // all that the member and those that were merged into it have had; the last is the present one
}

func (l *renamedLife) name() string { return l.names[len(l.names)-1] }

func (l *renamedLife) newName() string { return traces.Name(1000*l.seed+uint64(len(l.names)), 40) }

// submit submits a result of a member to all boards, with its name in the Once key and the metadata.
func (l *renamedLife) submit(member string) {
	for _, b := range l.bs.All() {
		sub := board.Submission{Member: member, Score: board.Ints(int64(l.rng.IntN(100))), Once: fmt.Sprint(member, " ", l.rng.Uint64())}
		if b.Spec().MaxMeta > 0 {
			sub.Meta = []byte(member)
		}
		_, err := b.Submit(context.Background(), sub)
		require.NoError(l.t, err)
	}
}

// rename gives the member another name on all boards, and perhaps in its group.
func (l *renamedLife) rename() {
	ctx := context.Background()
	was, next := l.name(), l.newName()
	for _, b := range l.bs.All() {
		_, err := b.Rename(ctx, was, next, board.Action{By: "ops", Reason: was + " is " + next})
		require.NoError(l.t, err)
	}
	_, in, err := l.guilds.Of(ctx, was)
	require.NoError(l.t, err)
	if in && l.rng.IntN(2) == 0 {
		require.NoError(l.t, l.guilds.Rename(ctx, was, next))
	}
	l.names = append(l.names, next)
}

// merge merges another account into the member on all boards.
func (l *renamedLife) merge() {
	other := l.newName()
	l.submit(other)
	for _, b := range l.bs.All() {
		_, err := b.Merge(context.Background(), other, l.name(), board.Action{By: "ops " + other})
		require.NoError(l.t, err)
	}
	l.names = append(l.names[:len(l.names)-1:len(l.names)-1], other, l.name())
}

// resettle lets a day pass, and settles it again without the member; an award of another one is withheld because of it.
func (l *renamedLife) resettle() {
	ctx := context.Background()
	l.submit("bob")
	l.settle()
	for _, name := range []string{"arena", "cup"} {
		b := l.board(name)
		list, err := b.Settlements(ctx, "day")
		require.NoError(l.t, err)
		period := list[len(list)-1].Period
		_, err = b.Resettle(ctx, "day", period, awards.Resettlement{Without: []string{l.name()}, Reason: "not " + l.name()})
		require.NoError(l.t, err)
		if err := b.Withhold(ctx, fmt.Sprintf("%s/day/%s/1/bob", name, period), "knows "+l.name()); !errors.Is(err, awards.ErrWithheld) {
			require.NoError(l.t, err)
		}
	}
}

func (l *renamedLife) step(i int) {
	ctx := context.Background()
	switch l.rng.IntN(8) {
	case 0, 1:
		l.submit(l.name())
	case 2:
		l.rename()
	case 3:
		l.merge()
	case 4:
		require.NoError(l.t, l.bs.StoreUnion(ctx, fmt.Sprint("u", i), board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "all"}, {Board: "top", Window: "all"}}}))
	case 5:
		for _, b := range l.bs.All() {
			require.NoError(l.t, b.SaveBaseline(ctx, "all", fmt.Sprint(i)))
		}
	case 6:
		_, in, err := l.guilds.Of(ctx, l.name())
		require.NoError(l.t, err)
		if !in {
			require.NoError(l.t, l.guilds.Join(ctx, l.name(), "red"))
		}
	case 7:
		l.resettle()
	}
	l.clock.Add(time.Second)
}

// TestEraseFollowsRenames: after Boards.Erase and a compaction no file has any name that the member had, whatever it and its names have been through.
func TestEraseFollowsRenames(t *testing.T) {
	ctx := context.Background()
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			g := newGame(t, true, func(g *game) { g.mem = memfs.NewCrashable() })
			for i, spec := range eraseSpecs() {
				if i == 0 {
					spec.Feed = &board.Feed{}
				}
				g.define(spec)
			}
			l := &renamedLife{game: g, rng: rand.New(rand.NewPCG(17, seed)), seed: seed + 1}
			l.names = []string{l.newName()}
			var err error
			l.guilds, err = g.bs.DefineGroups(t.Context(), "guild")
			require.NoError(t, err)
			require.NoError(t, l.guilds.Create(t.Context(), "red", nil))
			l.submit(l.name())
			for i := range 25 {
				l.step(i)
			}
			l.rename()
			first, err := traces.Find(g.mem, "db", l.names[0])
			require.NoError(t, err)
			require.NotEmpty(t, first)
			_, err = g.bs.Erase(ctx, l.name(), board.Action{By: "privacy", Reason: "request 12"})
			require.NoError(t, err)
			check, err := g.bs.Check(ctx, nil)
			require.NoError(t, err)
			require.Empty(t, check.Problems)
			require.NoError(t, g.e.Snapshot())
			_, err = g.e.Compact(ctx, nil)
			require.NoError(t, err)
			for _, name := range l.names {
				g.erased(name)
			}
		})
	}
}

// TestEraseLeavesTheNextOfTheName: a member that has taken a name which the erased one had before stays: its places, and what was written of it since.
func TestEraseLeavesTheNextOfTheName(t *testing.T) {
	g := newGame(t, true)
	ctx := context.Background()
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.All}})
	union := func(name string) {
		require.NoError(t, g.bs.StoreUnion(ctx, name, board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "all"}}}))
		g.clock.Add(time.Second)
	}
	g.score(b, "ada", 5)
	union("before")
	_, err := b.Rename(ctx, "ada", "bea", board.Action{By: "ops", Reason: "ada says so"})
	require.NoError(t, err)
	g.clock.Add(time.Second)
	g.score(b, "ada", 7) // another one
	union("after")
	_, err = b.Hide(ctx, "ada", ops)
	require.NoError(t, err)
	_, err = b.Show(ctx, "ada", ops)
	require.NoError(t, err)
	receipt, err := g.bs.Erase(ctx, "bea", ops)
	require.NoError(t, err)
	require.Equal(t, []string{"after", "before"}, receipt.Unions) // the rename has reached it
	for name, members := range map[string]int{"before": 0, "after": 1} {
		r, err := g.bs.StoredUnion(ctx, name)
		require.NoError(t, err)
		n, err := r.Len(ctx)
		require.NoError(t, err)
		require.Equal(t, members, n, name)
	}
	m, err := b.Member(ctx, "ada")
	require.NoError(t, err)
	require.Len(t, m.Windows[0].Places, 1)
	var kinds []string
	for e, err := range b.Audit(ctx, audit.Filter{}) {
		require.NoError(t, err)
		kinds = append(kinds, string(e.Kind)+" "+e.Member)
		if e.Kind == "rename" {
			require.NotContains(t, e.Reason, "ada")
		}
	}
	require.Equal(t, []string{"rename ", "hide ada", "show ada", "erase "}, kinds)
}
