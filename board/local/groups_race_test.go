package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestGroupsRace: while members submit, go from guild to guild, are hidden and shown, and periods close, every View sees the guilds' points as those of the members.
func TestGroupsRace(t *testing.T) {
	for _, spec := range []board.Spec{{Op: board.Sum}, {Op: board.Sum, Parts: 2}, {Op: board.Best, Top: &board.Top{N: 5, Reserve: 3}}} {
		spec.Name, spec.Windows = "arena", []board.Window{board.All, {Kind: window.Hour}}
		t.Run(fmt.Sprintf("%s parts %d top %t", spec.Op, spec.Parts, spec.Top != nil), func(t *testing.T) { raceOfGroups(t, spec) })
	}
}

const racers = 20

func raceOfGroups(t *testing.T, spec board.Spec) {
	g := newGame(t, false)
	arena := g.define(spec)
	guilds, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for i := range 4 {
		require.NoError(t, guilds.Create(t.Context(), fmt.Sprint("guild", i), nil))
	}
	for i := range racers {
		require.NoError(t, guilds.Join(t.Context(), fmt.Sprint("m", i), fmt.Sprint("guild", i%4)))
	}
	sum := g.define(board.Spec{Name: "sum", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	stay := g.define(board.Spec{Name: "stay", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.Stay}})
	stop := g.raceGroups(arena, guilds)
	for range 200 {
		require.NoError(t, g.compareInView(arena, sum, stay))
	}
	stop()
	for _, b := range []board.Board{sum, stay} {
		corrected, err := b.Rebuild(context.Background())
		require.NoError(t, err)
		require.Zero(t, corrected, b.Name())
	}
}

// raceGroups begins goroutines that submit, go from guild to guild, hide and show members and close periods. stop ends them.
func (g *game) raceGroups(arena board.Board, guilds board.Groups) (stop func()) {
	ctx := context.Background()
	var done atomic.Bool
	var wg sync.WaitGroup
	run := func(seed uint64, do func(rng *rand.Rand) error) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for !done.Load() {
				if err := do(rng); err != nil {
					g.t.Error(err)
					return
				}
			}
		})
	}
	for i := range 3 {
		run(uint64(i), func(rng *rand.Rand) error {
			_, err := arena.Submit(ctx, board.Submission{Member: fmt.Sprint("m", rng.IntN(racers)), Score: board.Ints(int64(rng.IntN(50) - 10))})
			return err
		})
	}
	run(10, func(rng *rand.Rand) error {
		err := guilds.Move(ctx, fmt.Sprint("m", rng.IntN(racers)), fmt.Sprint("guild", rng.IntN(4)))
		if errors.Is(err, board.ErrInGroup) {
			return nil
		}
		return err
	})
	run(11, func(rng *rand.Rand) error {
		member := fmt.Sprint("m", rng.IntN(racers))
		if _, err := arena.Hide(ctx, member, ops); err != nil {
			return err
		}
		_, err := arena.Show(ctx, member, ops)
		return err
	})
	run(12, func(rng *rand.Rand) error {
		g.clock.Add(time.Duration(rng.IntN(20)) * time.Minute)
		_, err := g.bs.CloseDue(ctx)
		return err
	})
	return func() {
		done.Store(true)
		wg.Wait()
	}
}

// compareInView compares the sums of the scores of all members and of all guilds at one moment. Every member is in a guild.
func (g *game) compareInView(arena board.Board, boards ...board.Board) error {
	return g.e.View(context.Background(), func(tx *engine.Tx) error { return sameInTx(tx, arena, boards) })
}

// sameInTx returns an error if the sums of members and of guilds differ in a transaction.
func sameInTx(tx *engine.Tx, arena board.Board, boards []board.Board) error {
	total, members := int64(0), int64(0)
	r, err := in(arena, tx).Live("all")
	if err != nil {
		return err
	}
	for i := range racers {
		row, ok, err := r.Rank(context.Background(), fmt.Sprint("m", i))
		if err != nil {
			return err
		}
		if ok {
			total, members = total+row.Score.Int(0), members+1
		}
	}
	for _, b := range boards {
		sum, counted := int64(0), int64(0)
		r, err := in(b, tx).Live("all")
		if err != nil {
			return err
		}
		rows, err := r.Top(context.Background(), 100)
		if err != nil {
			return err
		}
		for _, row := range rows {
			sum, counted = sum+row.Score.Int(0), counted+row.Score.Int(1)
		}
		if b.Spec().Derived.Points == board.Follow && (sum != total || counted != members) {
			return fmt.Errorf("%s: the guilds have %d points of %d members, the members %d, of %d", b.Name(), sum, counted, total, members)
		}
	}
	return nil
}
