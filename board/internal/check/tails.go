package check

import (
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// noteEdge notes the edge of a set, which is nil if its entries are not known. O(members) for a bucket, else O(log members).
func (a *audit) noteEdge(key string, entries *zset.IntView) {
	if entries == nil || entries.Len() == 0 {
		return
	}
	var e edge
	k, _ := boardkey.Parse(key)
	_, _, isBucket := k.Bucket()
	if !isBucket {
		for last := range entries.Entries(entries.Len()-1, entries.Len()) {
			e.entry = buckets.NewEntry(last.Score, last.Tie, last.Member)
		}
		a.edges[key] = e
		return
	}
	e.all = ^uint64(0)
	first := true
	for x := range entries.Entries(0, entries.Len()) {
		if first {
			e.entry, first = buckets.NewEntry(x.Score, x.Tie, x.Member), false
		}
		hash := buckets.Hash(x.Member)
		e.all, e.any = e.all&hash, e.any|hash
	}
	a.edges[key] = e
}

// buckets notes the buckets that exist, so that the sums over a ranking include them.
func (a *audit) buckets() {
	for key := range a.sets {
		if t, period, number := a.bucketOf(key); t != nil {
			t.NoteBucket(period, number)
		}
	}
}

// bucketOf returns the window, the period and the number of a bucket, and a nil window for other sets, and for buckets of boards of another version.
func (a *audit) bucketOf(key string) (t *state.Timeline, period string, number uint32) {
	k, _ := boardkey.Parse(key)
	number, window, ok := k.Bucket()
	st := a.boards[k.Board]
	if !ok || st == nil || st.Version != k.Version {
		return nil, "", 0
	}
	if t, err := st.Timeline(window); err == nil && t.Top != nil {
		return t, k.Period, number
	}
	return nil, "", 0
}

// tails compares the buckets of each tail with its head and with their numbers: see TL1 to TL3 in package tail. It does not find a member that is in
// the head and in its bucket.
func (a *audit) tails() {
	for _, key := range slices.Sorted(maps.Keys(a.sets)) {
		t, period, number := a.bucketOf(key)
		if set := a.sets[key]; t == nil || set.Doubtful || set.Members == 0 || a.isBeingDeleted(t.Board, t.Window.Name, period) {
			continue
		}
		at, bucket := Where(t.Board, t.Window.Name, period), a.edges[key]
		if _, bit, _ := t.TailOf(period).Child(number); bucket.all&(bit-1) != uint64(number) || bucket.any&(bit-1) != uint64(number) {
			a.problem(at, "bucket %q has a member that belongs to another bucket", key)
		}
		a.behindHead(t, period, key)
	}
}

// behindHead checks that the head of a ranking is not too small for a tail, and that it comes before a bucket, which has members.
func (a *audit) behindHead(t *state.Timeline, period, bucket string) {
	head, at := a.sets[t.Key(period)], Where(t.Board, t.Window.Name, period)
	switch {
	case head.Doubtful: // the engine's report has the reason
	case head.Members < t.Top.N:
		a.problem(at, "has %d of the best %d members in order, and bucket %q has %d others", head.Members, t.Top.N, bucket, a.sets[bucket].Members)
	case a.edges[t.Key(period)].entry.Compare(a.edges[bucket].entry) >= 0:
		a.problem(at, "the last of the best %d members comes behind the first of bucket %q", head.Members, bucket)
	}
}
