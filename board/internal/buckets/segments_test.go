package buckets

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// world is a tail, and all of its entries in the buckets that they are in.
type world struct {
	*testing.T
	rng     *rand.Rand
	tail    *Tail
	entries map[string]Key // by member
	head    int
}

func newWorld(t *testing.T, seed uint64, segments int) *world {
	return &world{T: t, rng: rand.New(rand.NewPCG(seed, 5)), tail: New(segments, func(n uint32) string { return fmt.Sprint(n) }), entries: map[string]Key{}}
}

// key returns a random place for a member: at the front, at the back, in the middle, or one of few.
func (w *world) key(member string) Key {
	var tie [8]byte
	binary.BigEndian.PutUint64(tie[:], uint64(w.rng.IntN(4)))
	score := []int64{w.rng.Int64N(1000), -int64(len(w.entries)) - 1, 1000 + int64(len(w.entries)), w.rng.Int64N(3)}[w.rng.IntN(4)]
	return Key{Score: score, Tie: tie[:], Member: []byte(member)}
}

// change gives a member another entry, or none.
func (w *world) change(member string) {
	number, ok := w.tail.Find(Hash([]byte(member)))
	require.True(w, ok)
	var changes []Change
	if old, had := w.entries[member]; had {
		changes = append(changes, Change{Key: old, Bucket: number, Leaves: true})
		delete(w.entries, member)
	}
	if w.rng.IntN(4) > 0 {
		k := w.key(member)
		w.entries[member] = k
		changes = append(changes, Change{Key: k, Bucket: number})
	}
	w.head = w.rng.IntN(100)
	w.tail.Commit(changes, w.head)
}

// split splits the bucket of a member.
func (w *world) split(member string) {
	number, _ := w.tail.Find(Hash([]byte(member)))
	if _, _, ok := w.tail.Child(number); !ok || w.tail.dir.count > 200 {
		return
	}
	w.tail.BeginSplit(number)
	w.tail.EndSplit(number, w.rng.IntN(4) > 0)
}

// step makes a step of a count, if one is due.
func (w *world) step() (more bool) {
	if !w.tail.CountDue() {
		return false
	}
	if bucket, ok := w.tail.CountNext(); ok {
		var inside []Key
		for member, k := range w.entries {
			if number, _ := w.tail.Find(Hash([]byte(member))); number == bucket {
				inside = append(inside, k)
			}
		}
		w.tail.Count(slices.Values(inside))
	}
	return true
}

// sorted returns the entries in order.
func (w *world) sorted() (all []Entry) {
	for _, k := range w.entries {
		all = append(all, k.entry())
	}
	slices.SortFunc(all, Entry.Compare)
	return all
}

// check checks SG1 to SG3, and the bounds of all entries and some other places.
func (w *world) check() {
	all := w.sorted()
	if g := w.tail.segments; g != nil {
		require.Equal(w, len(all), g.total)
		least, most := 0, 0
		for i, from := range g.from {
			before, _ := slices.BinarySearchFunc(all, from, Entry.Compare)
			require.LessOrEqual(w, least, before, "segment %d", i)
			require.GreaterOrEqual(w, most, before, "segment %d", i)
			require.True(w, i == 0 || g.from[i-1].Compare(from) < 0)
			require.GreaterOrEqual(w, g.least.values[i], 0)
			require.GreaterOrEqual(w, g.most.values[i], 0)
			least, most = least+g.least.values[i], most+g.most.values[i]
		}
		require.Equal(w, []int{g.total, g.total}, []int{least, most})
		if len(all) > 0 {
			require.LessOrEqual(w, g.low.Compare(all[0]), 0)
			require.GreaterOrEqual(w, g.high.Compare(all[len(all)-1]), 0)
		}
	}
	for _, k := range w.entries {
		place, _ := slices.BinarySearchFunc(all, k.entry(), Entry.Compare)
		w.requireAt(&k, &k, place)
		prefix := Key{Score: k.Score, Tie: k.Tie[:w.rng.IntN(2)*8], After: w.rng.IntN(2) == 0}
		place = slices.IndexFunc(all, func(e Entry) bool { return prefix.compare(e) < 0 })
		if place < 0 {
			place = len(all)
		}
		w.requireAt(&prefix, nil, place)
	}
}

// requireAt requires that a number of entries before a place is within the bounds.
func (w *world) requireAt(k, without *Key, before int) {
	b, head, ok := w.tail.Before(k, without)
	if !ok {
		return
	}
	require.Equal(w, w.head, head)
	require.LessOrEqual(w, b.Least, before)
	require.GreaterOrEqual(w, b.Most, before)
}

// TestBounds checks that what a tail says of places is true at any time, while entries come and leave, segments and buckets are split and counts go on. After
// a count it is as close as the segments are wide.
func TestBounds(t *testing.T) {
	SetFull(16)
	t.Cleanup(func() { SetFull(0) })
	for seed := range uint64(matrix.Pick(20, 200)) {
		w := newWorld(t, seed, 1+int(seed%7)*2)
		if seed%3 == 0 {
			w.tail.Found(1)
		}
		for i := range 400 {
			for range w.rng.IntN(4) {
				w.change(fmt.Sprint("m", w.rng.IntN(150)))
			}
			if w.rng.IntN(10) == 0 {
				w.split(fmt.Sprint("m", w.rng.IntN(150)))
			}
			for range w.rng.IntN(3) {
				w.step()
			}
			if i%5 == 0 {
				w.check()
			}
		}
		w.tail.SetHead(w.head)
		w.check()
		w.tail.segments = nil
		for w.step() {
		}
		w.check()
		w.requireClose()
	}
}

// requireClose requires that every rank is known as closely as it is after a count.
func (w *world) requireClose() {
	g := w.tail.segments
	require.NotNil(w, g)
	require.Equal(w, g.least.values, g.most.values)
	for _, n := range g.least.values {
		require.LessOrEqual(w, n, 3*max(len(w.entries)/w.tail.wanted, minShare(w.tail.wanted))+sampleSize)
	}
}

// TestAppendsStayClose: entries that come behind all others, or before all, are counted exactly without a count.
func TestAppendsStayClose(t *testing.T) {
	for name, sign := range map[string]int64{"behind": 1, "before": -1} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1, 200)
			for i := range int64(1200) { // so that no count is due
				k := Key{Score: sign * i, Member: fmt.Append(nil, i)}
				w.tail.Commit([]Change{{Key: k}}, 0)
				b, _, ok := w.tail.Before(&k, &k)
				require.True(t, ok)
				require.LessOrEqual(t, b.Most-b.Least, 2*max(1200/200, minShare(w.tail.wanted)))
			}
			require.Less(t, len(w.tail.segments.from), 400)
		})
	}
}
