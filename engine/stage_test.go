package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// testStage is the size of one commit of a staged set in most tests, in bytes.
const testStage = 16 << 10

// bigSet makes a set of n members of size bytes.
func bigSet(t testing.TB, n, size int) *zset.Set {
	t.Helper()
	b := must(zset.NewBuilder(zset.Options{}))
	for i := range n {
		require.NoError(t, b.Add(append(make([]byte, size-6), fmt.Sprintf("%06d", i)...), float64(i)))
	}
	z := b.Set()
	require.Greater(t, z.View().Size(), n*size)
	return z
}

// onlyWhole checks that a key has a whole set of n members, or its entries from before.
func onlyWhole(e *Engine, key string, n int, before string) (whole bool, err error) {
	err = e.View(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		if s.Len() == n {
			if last, ok := s.Rank(s.Append(nil, n-1, n)[0].Member); !ok || last != n-1 {
				return fmt.Errorf("the last member has rank %d, %v", last, ok)
			}
			whole = true
			return nil
		}
		if got := entriesOf(s); got != before {
			return fmt.Errorf("%d members: %.200s", s.Len(), got)
		}
		return nil
	}, key)
	return whole, err
}

// sound checks that the store has exactly the engine's sets, and no set without a key.
func sound(e *Engine, sets int) error {
	rep, err := e.Check(context.Background(), nil)
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	n, counted := e.Count()
	if n != sets {
		counted = fmt.Errorf("%d sets, want %d", n, sets)
	}
	if err := errors.Join(err, counted, e.Snapshot(), inOrderInside(e)); err != nil {
		return err
	}
	records := 0
	for r, err := range e.store.Sets() {
		if err != nil {
			return err
		}
		if f, err := facts.DecodeFacts(r.Key, r.Meta); err != nil || f.Hidden {
			return fmt.Errorf("%q in the store: %+v, %w", r.Key, f, err)
		}
		records++
	}
	if records != sets {
		return fmt.Errorf("%d records of %d sets", records, sets)
	}
	return nil
}

// gateSyncs calls f before each flush of the log.
type gateSyncs struct{ f atomic.Pointer[func()] }

func (g *gateSyncs) String() string { return "gateSyncs" }

func (g *gateSyncs) MaybeError(op errorfs.Op) error {
	if f := g.f.Load(); f != nil && op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") {
		(*f)()
	}
	return nil
}

// twoWays runs a test with sets staged as pages, and again with sets staged in the log. follow makes an engine do the one or the other.
func twoWays(t *testing.T, test func(t *testing.T, follow func(*Engine), logged bool)) {
	for _, logged := range []bool{false, true} {
		t.Run(fmt.Sprintf("logged=%t", logged), func(t *testing.T) {
			test(t, func(e *Engine) {
				if logged {
					e.store.KeepTail()
				}
			}, logged)
		})
	}
}

// TestInstallIsInvisible: while a set is staged, no call sees any of it, nor do lists, counts and figures. Then the whole set is there, and the old set
// of the key is gone with its expiry; also with snapshots, checks and a memory limit.
func TestInstallIsInvisible(t *testing.T) {
	for _, o := range []Options{{SnapshotBytes: -1}, {SnapshotBytes: 1}, {MemoryLimit: 64 << 10, SnapshotBytes: 64 << 10}} {
		t.Run(fmt.Sprintf("snapshots=%d/limit=%d", o.SnapshotBytes, o.MemoryLimit), func(t *testing.T) {
			twoWays(t, func(t *testing.T, follow func(*Engine), logged bool) {
				const n = 1200
				mem, g := memfs.New(), &gateSyncs{}
				e := mustOpen(t, errorfs.Wrap(mem, g), o)
				e.ops.stageBytes = testStage
				follow(e)
				someSets(t, e, "k", 20)
				expireIn(t, e, "k00003", 1<<40)
				z := bigSet(t, n, 200)
				var mu sync.Mutex
				looks, failed := 0, error(nil)
				look := func() {
					mu.Lock()
					defer mu.Unlock()
					if m := e.keys.Find("k00003").Mu.Get(); m.TryRLock() {
						m.RUnlock()
					} else { // it is being published
						return
					}
					looks++
					failed = errors.Join(failed, noneStaged(e, 20, n))
				}
				g.f.Store(&look)
				e.checkpoints.Paged = func(page []byte) []byte { look(); return page }
				require.NoError(t, install(e, t.Context(), "k00003", z))
				g.f.Store(nil)
				mu.Lock()
				require.NoError(t, failed)
				require.Greater(t, looks, 3)
				mu.Unlock()
				whole, err := onlyWhole(e, "k00003", n, "")
				require.NoError(t, err)
				require.True(t, whole)
				at, ok, err := e.Expiry("k00003")
				require.NoError(t, err)
				require.True(t, ok && at.IsZero(), at)
				require.NoError(t, sound(e, 20))
				require.NoError(t, install(e, t.Context(), "k00003", must(newSet())))
				require.NoError(t, sound(e, 19))
				counted(t, e)
				require.NoError(t, e.Close())
				t.Logf("%d looks at %d members on their way", looks, n)
			})
		})
	}
}

// noneStaged checks that an engine shows this many sets, of one member each, except that one may have n.
func noneStaged(e *Engine, sets, n int) error {
	keys, err := e.Keys("")
	count, counted := e.Count()
	st, figures := e.Stats()
	if len(keys) != sets && err == nil || count != sets || st.Sets != sets || st.Members > sets && st.Members < n {
		err = fmt.Errorf("%d keys, %d counted, figures %+v", len(keys), count, st)
	}
	return errors.Join(err, counted, figures)
}

// TestStagedUnseen: no call sees a staged set, and nothing is left of it after a power cut.
func TestStagedUnseen(t *testing.T) {
	require.NoError(t, stagedUnseen())
}

// TestInstallCancelled: if the context ends while a set is staged, nothing is left of it: no members, no id, no record. The key still has its old set.
func TestInstallCancelled(t *testing.T) {
	for at := range 4 {
		mem, g := memfs.New(), &gateSyncs{}
		e := mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1})
		e.ops.stageBytes = testStage
		e.store.KeepTail()
		someSets(t, e, "k", 3)
		ctx, cancel := context.WithCancel(t.Context())
		flushes := 0
		count := func() {
			if flushes++; flushes > at {
				cancel()
			}
		}
		if g.f.Store(&count); at == 0 {
			cancel()
		}
		if at == 3 { // the snapshot has some of it
			taken := func() { count(); g.f.Store(nil); go e.Snapshot() }
			g.f.Store(&taken)
			at = 0
		}
		require.ErrorIs(t, install(e, ctx, "k00001", bigSet(t, 1200, 200)), context.Canceled)
		g.f.Store(nil)
		whole, err := onlyWhole(e, "k00001", 1200, "x=1 ")
		require.NoError(t, err)
		require.False(t, whole)
		require.NoError(t, e.Snapshot())
		require.NoError(t, sound(e, 3))
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
		require.NoError(t, sound(e, 3))
		require.NoError(t, e.Close())
	}
}

// TestInstallOfLongMembers: Install never returns ErrTooLarge, however long the members are.
func TestInstallOfLongMembers(t *testing.T) { twoWays(t, installLongMembers) }

func installLongMembers(t *testing.T, follow func(*Engine), _ bool) {
	mem := persist.MemFS()
	e := mustOpen(t, mem, Options{Durability: None})
	follow(e)
	for _, way := range []struct{ n, size int }{{24, 1 << 20}, {3, 7 << 20}, {100, 64 << 10}} {
		require.NoError(t, install(e, t.Context(), "a", bigSet(t, way.n, way.size)), "%+v", way)
		whole, err := onlyWhole(e, "a", way.n, "")
		require.NoError(t, err)
		require.True(t, whole)
	}
	require.NoError(t, e.Close())
	e = mustOpen(t, mem, Options{})
	whole, err := onlyWhole(e, "a", 100, "")
	require.NoError(t, err)
	require.True(t, whole)
	require.NoError(t, e.Close())
}

// TestInstallAndDamage: if the disk fails at any operation while a set is staged, the key has the old set or the whole new one.
func TestInstallAndDamage(t *testing.T) { twoWays(t, installAndDamage) }

func installAndDamage(t *testing.T, follow func(*Engine), _ bool) {
	failed := 0
	for n := int64(0); n < 40; n += 8 {
		mem, f := memfs.NewCrashable(), &faulty{}
		f.left.Store(1 << 40)
		e := mustOpen(t, errorfs.Wrap(mem, f), Options{SnapshotBytes: 64 << 10})
		e.ops.stageBytes = testStage
		follow(e)
		someSets(t, e, "k", 3)
		z := bigSet(t, 1200, 200)
		f.left.Store(n)
		if err := install(e, t.Context(), "k00001", z); err != nil {
			require.ErrorIs(t, err, ErrPersistence)
			failed++
		}
		_ = e.Close()
		e = mustOpen(t, powercut.Clone(mem, int(n), uint64(n)), Options{})
		_, err := onlyWhole(e, "k00001", 1200, "x=1 ")
		require.NoError(t, err)
		require.NoError(t, sound(e, 3))
		require.NoError(t, e.Close())
	}
	require.Positive(t, failed)
	t.Logf("%d disks failed", failed)
}

// cutter simulates a power cut before every every-th operation that changes the disk.
type cutter struct {
	mem    *memfs.FS
	every  uint64
	points atomic.Uint64
	look   func(e *Engine) error
	mu     sync.Mutex
	cuts   int
	bad    error
}

func (c *cutter) String() string { return "cutter" }

func (c *cutter) MaybeError(op errorfs.Op) error {
	n := c.points.Add(1)
	if !powercut.Changes(op) || n%c.every != 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, percent := range []int{0, 50, 100} {
		if c.look == nil {
			break
		}
		e, err := Open("db", Options{FS: powercut.Clone(c.mem, percent, n), SnapshotBytes: -1})
		if err == nil {
			err = errors.Join(c.look(e), e.Close())
		}
		if err != nil && c.bad == nil {
			c.bad = fmt.Errorf("point %d, before %v of %s, %d%%: %w", n, op.Kind, op.Path, percent, err)
		}
		c.cuts++
	}
	return nil
}

// watch sets the function that checks the disks after power cuts; nil ends the checks. It returns the first problem so far.
func (c *cutter) watch(look func(e *Engine) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.look = look
	return c.bad
}

// TestInstallPowerCut cuts the power at many points while a set is staged and replaces another, with snapshots. Each time the key has the old set or
// the new one, whole; there is no other set, and the store is sound.
func TestInstallPowerCut(t *testing.T) { twoWays(t, installPowerCut) }

func installPowerCut(t *testing.T, follow func(*Engine), logged bool) {
	every := uint64(1) // pages take few operations
	if logged {
		every = uint64(matrix.Pick(5, 1))
	}
	cuts, whole, leftovers := 0, 0, 0
	for _, o := range []Options{{SnapshotBytes: -1}, {SnapshotBytes: 4 << 10}} {
		o.StallTimeout = time.Hour // the disk waits for the looks
		c := &cutter{mem: memfs.NewCrashable(), every: every}
		e := mustOpen(t, errorfs.Wrap(c.mem, c), o)
		e.ops.stageBytes = 512 // Pebble looks for flipped bits in what is torn: that takes as long as the square of it
		follow(e)
		someSets(t, e, "k", 3)
		z := bigSet(t, 60, 200)
		require.NoError(t, c.watch(func(e *Engine) error {
			if len(e.checkpoints.Dropped) > 0 {
				leftovers++
			}
			now, err := onlyWhole(e, "k00001", 60, "x=1 ")
			if now {
				whole++
			}
			return errors.Join(err, sound(e, 3))
		}))
		require.NoError(t, install(e, t.Context(), "k00001", z))
		require.NoError(t, e.Snapshot())
		require.NoError(t, c.watch(nil))
		require.NoError(t, e.Close())
		cuts += c.cuts
	}
	require.Positive(t, whole)
	require.Less(t, whole, cuts)
	t.Logf("%d cuts: after %d the new set was there, whole; in %d a snapshot had what is to be dropped", cuts, whole, leftovers)
}
