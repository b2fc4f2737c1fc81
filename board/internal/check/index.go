package check

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// The index of members has a key for each member of a closed period, in the order of members, and the rankings have them in the order of periods. The audit
// compares the two without keeping either: it adds up hashes of what the index has of each period, and of what its sets have.

// indexOf returns what is compared of a period.
func (a *audit) indexOf(path string) *indexed {
	x := a.index[path]
	if x == nil {
		x = new(indexed)
		a.index[path] = x
	}
	return x
}

// hash returns a hash of a member's id and numbers, or of the tie.
func (a *audit) hash(id string, tie []byte, numbers ...int64) uint64 {
	var h maphash.Hash
	h.SetSeed(a.seed)
	_, _ = h.WriteString(id)
	for _, n := range numbers {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], uint64(n))
		_, _ = h.Write(b[:])
	}
	_, _ = h.Write(tie)
	return h.Sum64()
}

// placesOf returns a function that returns the places of the index, from the first on, that are still in the ranking.
func placesOf(r *state.Record) (next func() int) {
	place, gone := -1, r.Removed
	return func() int {
		for place++; len(gone) > 0 && gone[0] == place; gone = gone[1:] {
			place++
		}
		return place
	}
}

// tally adds an entry.
func (a *audit) tally(t *tally, id string, place int, score int64, tie []byte) {
	t.members++
	t.names += a.hash(id, nil)
	t.entries += a.hash(id, tie, score)
	t.places += a.hash(id, nil, int64(place))
}

// notePlace adds a key of the index, without its prefix. A key that cannot be read counts as one that is not there.
func (a *audit) notePlace(rest string, value []byte) {
	board, id, p, err := places.Parse(rest, value)
	if err != nil {
		return
	}
	x := a.indexOf(pathOf(board, p.Window, p.Period))
	if p.Hidden {
		a.tally(&x.hidden, id, 0, p.Score, p.Tie)
		if p.Place >= 0 {
			x.formerly = append(x.formerly, p.Place)
		}
		return
	}
	a.tally(&x.ranked, id, p.Place, p.Score, p.Tie)
	x.order += a.hash("", nil, int64(p.Place))
}

// noteIndexed adds the entries of a set of a closed period that is indexed. They are nil if they
// are not known. O(members).
func (a *audit) noteIndexed(s *set, entries *zset.IntView) {
	r, err := a.recordOf(s.path)
	if err != nil || r == nil || !r.Indexed || !s.k.HasEntries() {
		return
	}
	x := a.indexOf(s.path)
	if entries == nil {
		x.unknown = true
		return
	}
	into := &x.sets
	if s.k.IsHidden() {
		into = &x.beside
	} else {
		x.isInOneSet = s.t.Top == nil && s.t.PartsOf(s.k.Period) == nil
	}
	next := placesOf(r)
	for e := range entries.Entries(0, entries.Len()) {
		place := 0 // of a hidden member
		if !s.k.IsHidden() {
			place = next()
		}
		a.tally(into, boardkey.MemberID(string(e.Member)), place, e.Score, e.Tie)
	}
}

// compareIndex compares the index with the ranking of a closed period, which has the entries that
// its record says.
func (a *audit) compareIndex(path string, r *state.Record) {
	x := a.indexOf(path)
	if !r.Indexed || x.unknown {
		return
	}
	a.compareTallies(path, "ranked", x.ranked, x.sets)
	a.compareTallies(path, "hidden", x.hidden, x.beside)
	a.comparePlaces(path, x, r)
}

// compareTallies compares what the index has with what sets have.
func (a *audit) compareTallies(path, what string, index, sets tally) {
	switch {
	case index.members < sets.members:
		missing := sets.members - index.members
		a.fault(path, "the index of members lacks %d of %d %s members", missing, sets.members, what)
	case index.members > sets.members:
		a.fault(path, "the index of members has %d %s members, and there are %d", index.members, what, sets.members)
	case index.names != sets.names:
		a.fault(path, "the index of members has other %s members", what)
	case index.entries != sets.entries:
		a.fault(path, "the index of members has another score or tie of a %s member", what)
	}
}

// comparePlaces compares the places in the index with those that members of the ranking have, unless there are other members. Where the ranking is more than
// one set, it does not find that members have one another's places.
func (a *audit) comparePlaces(path string, x *indexed, r *state.Record) {
	for _, place := range x.formerly {
		if _, ok := slices.BinarySearch(r.Removed, place); !ok {
			const problem = "the index of members has a hidden member at place %d, which has not left the ranking"
			a.fault(path, problem, place)
		}
	}
	if x.ranked.names != x.sets.names {
		return
	}
	order, next := uint64(0), placesOf(r)
	for range x.sets.members {
		order += a.hash("", nil, int64(next()))
	}
	if order != x.order || x.isInOneSet && x.ranked.places != x.sets.places {
		a.fault(path, "the index of members has another place of a ranked member")
	}
}
