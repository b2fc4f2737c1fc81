package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// operator runs set operations on an engine and on the oracle.
type operator struct {
	e      *Engine
	rng    *rand.Rand
	sets   modelSets
	counts map[string]int
}

var operated = []string{"a", "b", "c", "d", "e"}

// fill replaces the members of a set.
func (o *operator) fill(t *testing.T) {
	key, n := operated[o.rng.IntN(5)], []int{0, 1, 10, 120, 120 + times(200)}[o.rng.IntN(5)]
	s := model.New()
	mustUpdate(t, o.e, []string{key}, func(tx *Tx) {
		_, err := named(t, tx, key).PopMin(math.MaxInt)
		require.NoError(t, err)
		for range n {
			e := model.Entry{Score: float64(o.rng.IntN(20) - 5), Member: fmt.Sprint("m", o.rng.IntN(2*n))}
			switch o.rng.IntN(30) {
			case 0:
				e.Score = math.Inf(o.rng.IntN(2) - 1)
			case 1:
				e.Score = o.rng.Float64() * 1e9 // sums are rounded, and the order shows
			}
			add(t, tx, key, e.Member, e.Score)
			s.Put(e)
		}
	})
	o.sets[key] = s
}

func (o *operator) keys() (keys []string) {
	for range 1 + o.rng.IntN(4) { // may name one twice
		keys = append(keys, operated[o.rng.IntN(5)])
	}
	return keys
}

func (o *operator) how(n int) zset.Combine[float64] {
	how := zset.Combine[float64]{Aggregate: zset.Aggregate(o.rng.IntN(4))}
	if o.rng.IntN(2) == 0 {
		for range n {
			how.Weights = append(how.Weights, []float64{0, 1, -1, 2.5, math.Inf(1)}[o.rng.IntN(5)])
		}
	}
	return how
}

// step runs one random operation on both, which may store its result, and compares.
func (o *operator) step(t *testing.T) {
	o.e.ops.pageWork = []int{0, 3000, pageWork}[o.rng.IntN(3)] // under locks, or of copies
	ctx, keys, dst := context.Background(), o.keys(), operated[o.rng.IntN(5)]
	how := o.how(len(keys))
	var want *model.Set
	var read func() (*zset.Set, error)
	var store func() (int, error)
	kind := []string{"union", "inter", "diff", "range"}[o.rng.IntN(4)]
	switch kind {
	case "union", "inter":
		want = o.sets.combine(how, keys, kind == "inter")
		read = func() (*zset.Set, error) { return o.e.Union(ctx, how, keys...) }
		store = func() (int, error) { return o.e.UnionStore(ctx, dst, how, keys...) }
		if kind == "inter" {
			read = func() (*zset.Set, error) { return o.e.Inter(ctx, how, keys...) }
			store = func() (int, error) { return o.e.InterStore(ctx, dst, how, keys...) }
			o.card(t, keys, want.Len())
		}
	case "diff":
		want = o.sets.diff(keys)
		read = func() (*zset.Set, error) { return o.e.Diff(ctx, keys[0], keys[1:]...) }
		store = func() (int, error) { return o.e.DiffStore(ctx, dst, keys[0], keys[1:]...) }
	case "range":
		want, store = o.ranged(dst, keys[0])
	}
	o.counts[kind]++
	if read != nil && o.rng.IntN(2) == 0 {
		z, err := read()
		require.NoError(t, err)
		require.Equal(t, entriesText(want.All()), zsetText(z.View()), "%s of %q, %v", kind, keys, how)
		return
	}
	n, err := store()
	require.NoError(t, err)
	require.Equal(t, want.Len(), n)
	o.sets[dst] = want
	o.counts["stored"]++
	if slices.Contains(keys, dst) {
		o.counts["in place of an input"]++
	}
}

// card compares the cardinality of an intersection, with and without limit.
func (o *operator) card(t *testing.T, keys []string, want int) {
	limit := o.rng.IntN(4) * 20
	n, err := o.e.InterCard(context.Background(), limit, keys...)
	require.NoError(t, err)
	if limit > 0 {
		want = min(want, limit)
	}
	require.Equal(t, want, n)
}

// ranged is a range of ranks or scores, seen from either end.
func (o *operator) ranged(dst, src string) (want *model.Set, store func() (int, error)) {
	s := o.sets.of([]string{src})[0]
	start, stop := o.rng.IntN(60)-20, o.rng.IntN(400)-100
	rev := o.rng.IntN(2) == 0
	ranks := func(v *zset.View) (lo, hi int) {
		if lo, hi = v.RankInterval(start, stop); rev {
			lo, hi = v.Reverse(lo, hi)
		}
		return lo, hi
	}
	n := s.Len()
	lo, hi := start, stop
	if lo < 0 {
		lo = max(lo+n, 0)
	}
	if hi < 0 {
		hi += n
	}
	hi = min(hi+1, n)
	if rev {
		lo, hi = n-hi, n-lo
	}
	want = model.New()
	for _, e := range s.Range(lo, hi) {
		want.Put(e)
	}
	return want, func() (int, error) { return o.e.RangeStore(context.Background(), dst, src, ranks) }
}

func zsetText(v *zset.View) string {
	var entries []model.Entry
	for member, score := range v.Range(0, v.Len()) {
		entries = append(entries, model.Entry{Score: score, Member: string(member)})
	}
	return entriesText(entries)
}

// compare compares all sets.
func (o *operator) compare(t *testing.T) {
	for _, key := range operated {
		want := o.sets.of([]string{key})[0]
		mustView(t, o.e, []string{key}, func(tx *Tx) {
			require.Equal(t, entriesText(want.All()), zsetText(named(t, tx, key).View), key)
		})
	}
	keys, err := o.e.Keys("")
	require.NoError(t, err)
	require.Equal(t, len(keys), len(slices.DeleteFunc(slices.Collect(maps.Keys(o.sets)), func(key string) bool { return o.sets[key].Len() == 0 })))
}

// TestOperations compares set operations and stored results with the oracle: small ones run under locks, others on copies.
func TestOperations(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		const seed = 5
		o := &operator{e: e, rng: rand.New(rand.NewPCG(seed, 1)), sets: modelSets{}, counts: map[string]int{}}
		for i := range times(matrix.Pick(2000, 50_000)) {
			if i%3 == 0 {
				o.fill(t)
			}
			o.step(t)
			if i%50 == 0 {
				o.compare(t)
			}
		}
		o.compare(t)
		t.Logf("seed %d: %v", seed, o.counts)
	})
}

// TestOperationErrors: set operations return their errors, and a canceled or closed one leaves nothing behind.
func TestOperationErrors(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		ctx, cancel := context.WithCancel(t.Context())
		e.ops.pageWork = 1000
		mustUpdate(t, e, []string{"a", "tied"}, func(tx *Tx) {
			for i := range 300 {
				add(t, tx, "a", wide(i), float64(i))
			}
			s, err := tx.SetTied("tied", 8)
			require.NoError(t, err)
			_, err = s.AddTied([]byte("x"), []byte("12345678"), 1)
			require.NoError(t, err)
		})
		for _, row := range []struct {
			weights []float64
			want    error
		}{{[]float64{1}, zset.ErrWeights}, {[]float64{}, zset.ErrWeights}, {[]float64{1, math.NaN()}, zset.ErrNaN}} {
			for _, key := range []string{"a", "absent"} {
				how := zset.Combine[float64]{Weights: row.weights}
				require.ErrorIs(t, second(e.Union(ctx, how, key, "a")), row.want)
				require.ErrorIs(t, second(e.Inter(ctx, how, key, "a")), row.want)
				require.ErrorIs(t, second(e.UnionStore(ctx, "d", how, key, "a")), row.want)
				require.ErrorIs(t, second(e.InterStore(ctx, "d", how, key, "a")), row.want)
			}
		}
		n, err := e.RangeStore(ctx, "copy", "tied", func(v *zset.View) (int, int) { return 0, v.Len() })
		require.NoError(t, err)
		require.Equal(t, 1, n)
		mustView(t, e, []string{"copy"}, func(tx *Tx) {
			_, tie, ok := named(t, tx, "copy").Get([]byte("x"))
			require.True(t, ok)
			require.Equal(t, "12345678", string(tie), "a range keeps its ties")
		})
		z, err := e.Union(ctx, zset.Combine[float64]{})
		require.NoError(t, err)
		require.Zero(t, z.Len(), "of no sets")
		n, err = e.InterCard(ctx, 0)
		require.NoError(t, err)
		require.Zero(t, n)

		e.ops.copied = cancel
		_, err = e.Union(ctx, zset.Combine[float64]{}, "a", "tied")
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, second(e.Diff(ctx, "tied")), context.Canceled)
		require.ErrorIs(t, second(e.DiffStore(ctx, "d", "tied")), context.Canceled)
		require.Nil(t, e.keys.Find("a").Rare, "nothing is left of it")
		require.Nil(t, e.keys.Find("d"))
		e.ops.copied = func() { require.NoError(t, e.Close()) }
		require.ErrorIs(t, second(e.Union(t.Context(), zset.Combine[float64]{}, "a")), ErrClosed)
		require.ErrorIs(t, second(e.InterCard(t.Context(), 0, "a")), ErrClosed)
		require.ErrorIs(t, second(e.UnionStore(t.Context(), "a", zset.Combine[float64]{}, "a")), ErrClosed)
	})
}

// TestStoreInPlaceOfInput: dst is an input, and a writer changes it after the inputs were read and before the result is stored. Its write is never
// lost.
func TestStoreInPlaceOfInput(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		e.ops.pageWork = 1000
		mustUpdate(t, e, []string{"total", "day"}, func(tx *Tx) {
			for i := range 300 {
				add(t, tx, "total", wide(i), 1)
				add(t, tx, "day", wide(i), 10)
			}
		})
		n, writes := 0, 0
		between := func() error { // as a writer between two locks
			writes++
			return e.Update(t.Context(), func(tx *Tx) error {
				_, err := named(t, tx, "total").IncrBy([]byte(wide(0)), 100)
				return err
			}, "total")
		}
		op := union(zset.Combine[float64]{}, []string{"total", "day"})
		make := op.Make
		op.Make = func(in []input) (*zset.IntSet, error) {
			z, err := make(in)
			if n++; n < storeAttempts {
				err = errors.Join(err, between())
			}
			return z, err
		}
		stored, err := e.ops.operateInto(t.Context(), "total", op)
		require.NoError(t, err)
		require.Equal(t, 300, stored)
		require.Equal(t, storeAttempts, n)
		require.Equal(t, storeAttempts-1, writes)
		mustView(t, e, []string{"total"}, func(tx *Tx) {
			score, _ := named(t, tx, "total").Score([]byte(wide(0)))
			require.Equal(t, 211.0, score)
		})
	})
}

// TestInterOrder: scores are added in the order of the sizes of the whole sets, also if only parts of the sets are copied.
func TestInterOrder(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	keys := []string{"far", "few", "near"}
	mustUpdate(t, e, keys, func(tx *Tx) {
		for i := range 300 {
			for key, from := range map[string]int{"far": 15, "near": 150, "few": 280} {
				if i >= from {
					add(t, tx, key, wide(300-i), map[string]float64{"few": 1e16, "near": 1, "far": -1e16}[key])
				}
			}
			add(t, tx, "near", fmt.Sprint("no other has", i%10), 1)
		}
		for i := range 10 {
			_, err := named(t, tx, "far").Remove([]byte(wide(i + 1)))
			require.NoError(t, err)
		}
	})
	for _, weights := range [][]float64{nil, {1, 1, 1}, {2, 3, 2}, {1, 0, math.Inf(1)}} {
		how := zset.Combine[float64]{Weights: weights}
		var want *zset.Set
		mustView(t, e, keys, func(tx *Tx) {
			want, err = zset.Inter(zset.Options{}, how, named(t, tx, "far").View, named(t, tx, "few").View, named(t, tx, "near").View)
			require.NoError(t, err)
		})
		require.Equal(t, 10, want.Len())
		for _, e.ops.pageWork = range []int{0, pageWork} {
			got, err := e.Inter(t.Context(), how, keys...)
			require.NoError(t, err)
			require.Equal(t, zsetText(want.View()), zsetText(got.View()), weights)
		}
	}
}

// TestStoreAnything: a result replaces dst even if it is too big for one commit, and even if it has other ties.
func TestStoreAnything(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	for i, key := range []string{"a", "b"} {
		mustUpdate(t, e, []string{key, "dst", "tied"}, func(tx *Tx) {
			for j := range 9 {
				add(t, tx, key, fmt.Sprintf("%01000000d", 9*i+j), 1)
			}
			add(t, tx, "dst", "x", 1)
			s, err := tx.SetTied("tied", 8)
			require.NoError(t, err)
			_, err = s.AddTied([]byte("x"), []byte("12345678"), 1)
			require.NoError(t, err)
		})
	}
	how := zset.Combine[float64]{}
	n, err := e.UnionStore(t.Context(), "dst", how, "a", "b")
	require.NoError(t, err)
	require.Equal(t, 18, n)
	n, err = e.UnionStore(t.Context(), "tied", how, "a")
	require.NoError(t, err)
	require.Equal(t, 9, n)
	mustView(t, e, []string{"tied"}, func(tx *Tx) { require.Zero(t, named(t, tx, "tied").TieWidth()) })
	n, err = e.UnionStore(t.Context(), "tied", how, "none")
	require.NoError(t, err)
	require.Zero(t, n)
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "dst"}, keys, "an empty result deletes it, whatever its ties")
	require.NoError(t, e.Close())
}
