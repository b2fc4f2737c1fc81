package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// vaults are sets between which points and members are moved: "big" and "huge" have many members with points, "pocket" few. Each ball is a
// member that is in exactly one vault at any time.
var vaults = []string{"big", "huge", "pocket"}

// vaultBalls is the number of balls. The number of members that have points at first is the same in each vault, and twice that in "huge".
func vaultBalls() int {
	if invariants.Enabled {
		return 40
	}
	return matrix.Pick(1000, 4000)
}

func fillVaults(t *testing.T, e *Engine) {
	mustUpdate(t, e, vaults, func(tx *Tx) {
		for i := range vaultBalls() {
			add(t, tx, "big", fmt.Sprint("m", i), 1)
			add(t, tx, "big", fmt.Sprint("ball", i), 0)
			add(t, tx, "huge", fmt.Sprint("m", i), 2)
		}
		add(t, tx, "pocket", "m1", 3)
	})
}

var errChanged = errors.New("changed its mind")

// shuffle moves points of members, and balls, from one vault to another. One in four is rolled back.
func shuffle(e *Engine, rng *rand.Rand) error {
	p := rng.Perm(len(vaults))
	from, to := vaults[p[0]], vaults[p[1]]
	err := e.Update(context.Background(), func(tx *Tx) error {
		a, b, err := bothSets(tx, from, to)
		if err != nil {
			return err
		}
		for range 1 + rng.IntN(20) {
			if err := moveOne(a, b, rng); err != nil {
				return err
			}
		}
		if rng.IntN(4) == 0 {
			return errChanged
		}
		return nil
	}, from, to)
	if errors.Is(err, errChanged) {
		return nil
	}
	return err
}

// moveOne moves a ball, or a point of a member; a member without points goes. A pocket is emptied at times.
func moveOne(a, b *Set, rng *rand.Rand) error {
	ball := fmt.Append(nil, "ball", rng.IntN(vaultBalls()))
	if removed, err := a.Remove(ball); err != nil || removed {
		return errors.Join(err, second(b.Add(ball, 0)))
	}
	m := fmt.Append(nil, "m", rng.IntN(vaultBalls()))
	if a.Key() == "pocket" {
		entries, err := a.PopMin(1)
		if err != nil || len(entries) == 0 {
			return err
		}
		return second(b.IncrBy(entries[0].Member, entries[0].Score))
	}
	points, ok := a.Score(m)
	if !ok {
		return nil
	}
	_, err := a.IncrBy(m, -1)
	if points == 1 {
		_, err = a.Remove(m)
	}
	return errors.Join(err, second(b.IncrBy(m, 1)))
}

// sums checks what holds of the vaults at every instant.
func sums(t *testing.T, z *zset.Set, what string) {
	points, balls := 0.0, 0
	for member, score := range z.Range(0, z.Len()) {
		points += score
		if member[0] == 'b' {
			balls++
		}
	}
	require.Equal(t, 3*vaultBalls()+3, int(points), what)
	require.Equal(t, vaultBalls(), balls, what)
}

// look does set operations on the vaults, and checks their results.
func look(t *testing.T, e *Engine) {
	ctx := t.Context()
	z, err := e.Union(ctx, zset.Combine[float64]{}, vaults...)
	require.NoError(t, err)
	sums(t, z, "union")
	_, err = e.UnionStore(ctx, "all", zset.Combine[float64]{}, vaults...)
	require.NoError(t, err)
	z, err = e.Union(ctx, zset.Combine[float64]{}, "all")
	require.NoError(t, err)
	sums(t, z, "stored")
	z, err = e.Inter(ctx, zset.Combine[float64]{}, vaults[0], vaults[1])
	require.NoError(t, err)
	for member := range z.Range(0, z.Len()) {
		require.Equal(t, byte('m'), member[0], "%s is in two vaults", member)
	}
	balls := 0
	for i := range vaults { // members of one vault only, and of the others only: at two different instants
		z, err := e.Diff(ctx, vaults[i], vaults[(i+1)%3], vaults[(i+2)%3])
		require.NoError(t, err)
		balls += z.Len()
	}
	require.Positive(t, balls)
	n, err := e.InterCard(ctx, 0, vaults...)
	require.NoError(t, err)
	require.LessOrEqual(t, n, vaultBalls())
}

// TestUnionConserves: while goroutines move points and members between sets, or are rolled back, snapshots run and sets leave memory, a union
// of all sets shows every point and every member exactly once.
func TestUnionConserves(t *testing.T) {
	var looks, moves atomic.Int64
	rows := map[string]Options{"memory": {}, "stored": {Durability: None, SnapshotBytes: 64 << 10}, "limit": {Durability: None, MemoryLimit: 1}}
	for name, o := range rows {
		t.Run(name, func(t *testing.T) {
			e, err := New(o)
			if name != "memory" {
				e, err = mustOpen(t, memfs.New(), o), nil
			}
			require.NoError(t, err)
			e.ops.pageWork = vaultBalls() * 10
			fillVaults(t, e)
			stop := moving(3, &moves, func(rng *rand.Rand) error { return shuffle(e, rng) })
			for range max(2, times(matrix.Pick(3, 1000))) {
				look(t, e)
				looks.Add(1)
			}
			stop()
			look(t, e)
			require.NoError(t, e.Close())
		})
	}
	t.Logf("%d unions, as many stored, of 3 sets with %d points and %d members that are moved, %d moves meanwhile: every one there once",
		looks.Load(), 3*vaultBalls()+3, vaultBalls(), moves.Load())
}

// moving calls move in two goroutines, and counts the calls, until the function returned is called. An error is a panic.
func moving(stream uint64, moves *atomic.Int64, move func(rng *rand.Rand) error) (stop func()) {
	var wg sync.WaitGroup
	var stopped atomic.Bool
	for seed := range uint64(2) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, stream))
			for ; !stopped.Load(); moves.Add(1) {
				if err := move(rng); err != nil {
					panic(err)
				}
			}
		})
	}
	return func() { stopped.Store(true); wg.Wait() }
}

// TestStoreLosesNoWrite: one goroutine stores a set in place of itself again and again, while others add points to it. At the end the set has
// every point.
func TestStoreLosesNoWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		e.ops.pageWork = 300
		mustUpdate(t, e, []string{"total"}, func(tx *Tx) {
			for i := range 100 {
				add(t, tx, "total", fmt.Sprint("m", i), 0)
			}
		})
		var writes atomic.Int64
		stop := moving(4, &writes, func(rng *rand.Rand) error {
			return e.Update(t.Context(), func(tx *Tx) error {
				s, err := tx.Set("total")
				if err != nil {
					return err
				}
				return second(s.IncrBy(fmt.Append(nil, "m", rng.IntN(100)), 1))
			}, "total")
		})
		stores := times(matrix.Pick(50, 1000))
		for range stores {
			_, err := e.UnionStore(t.Context(), "total", zset.Combine[float64]{}, "total", "none")
			require.NoError(t, err)
		}
		stop()
		sum := 0.0
		mustView(t, e, []string{"total"}, func(tx *Tx) {
			s := named(t, tx, "total")
			for _, score := range s.Range(0, s.Len()) {
				sum += score
			}
		})
		require.Equal(t, int(writes.Load()), int(sum))
		t.Logf("%d stores in place of an input, %d writes to it meanwhile: all there", stores, writes.Load())
	})
}

// TestCaptureBehindWriters: if writers always change more than a page while a page is read, a capture ends after CaptureRounds rounds.
func TestCaptureBehindWriters(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		const n = 100
		score, pages := 0.0, 0
		write := func() {
			pages++
			score++
			mustUpdate(t, e, []string{"a", "b"}, func(tx *Tx) {
				for i := range n {
					add(t, tx, "a", wide(i), score)
					add(t, tx, "b", wide(i), -score)
				}
			})
		}
		write()
		e.ops.copied, e.ops.pageWork = write, 20_000
		z, err := e.Union(t.Context(), zset.Combine[float64]{}, "a", "b")
		require.NoError(t, err)
		require.Equal(t, n, z.Len())
		for member, sum := range z.Range(0, n) {
			require.Zero(t, sum, string(member))
		}
		require.Greater(t, pages, captureRounds)
		t.Logf("%d times %d members changed between the pages of a union", pages, 2*n)
	})
}
