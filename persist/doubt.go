package persist

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// This file finds out which sets of a copy may differ from the state after its last commit, where the damage itself does not name them.

// written says when a set was written last: by which snapshot, as its how-manieth set, and from which commit on.
type written struct{ snapshot, id, base uint64 }

func (w written) compare(o written) int {
	return cmp.Or(cmp.Compare(w.snapshot, o.snapshot), cmp.Compare(w.id, o.id))
}

// lastWritten returns when a set was written last.
func lastWritten(r *format.SetRecord) written {
	w := written{base: r.Base}
	for at := range format.PageKeys(r) {
		if at := (written{at.Snapshot, at.ID, r.Base}); at.compare(w) > 0 {
			w = at
		}
	}
	return w
}

// writeOrder is when each set was written last, in the order in which they were written.
type writeOrder []written

// sort brings the sets into order, and gives each the lowest base of those behind it.
func (o writeOrder) sort() {
	slices.SortFunc(o, written.compare)
	for i, next := len(o)-1, ^uint64(0); i >= 0; i-- {
		o[i].base, next = next, min(next, o[i].base)
	}
}

// mayHold reports whether the pages of a set may hold effects of commit seq, or of a later one, although their base is lower. A snapshot
// writes one set after the other, and notes the base of a set before it encodes the first page. So the pages hold at most the
// commits up to the base of any set that was written later.
func (o writeOrder) mayHold(r *format.SetRecord, seq uint64) bool {
	if r.Pages == 0 {
		return false
	}
	i, found := slices.BinarySearchFunc(o, lastWritten(r), written.compare)
	return !found || o[i].base >= seq
}

// gapSets are the gaps among the set records, and what the log of the copy says about the sets there.
type gapSets struct {
	gaps    []keyRange
	partial map[string]bool // sets that the log creates; false if it has dropped the set before, so that nothing of it is missing
}

// keyRange is a range of keys without its end; to is nil for the end of the key space, and from for that one key.
type keyRange struct{ from, to []byte }

func (g *gapSets) add(from, to []byte) {
	g.gaps = append(g.gaps, keyRange{bytes.Clone(from), bytes.Clone(to)})
}

// has reports whether the record of a set is in a gap.
func (g *gapSets) has(set string) bool {
	key := format.KeySet(set)
	return slices.ContainsFunc(g.gaps, func(r keyRange) bool {
		return bytes.Equal(key, r.from) || bytes.Compare(key, r.from) > 0 && (r.to == nil || bytes.Compare(key, r.to) < 0)
	})
}

// note learns from an effect of the log.
func (g *gapSets) note(e wal.Effect) {
	if len(g.gaps) == 0 || e.Kind != wal.Create && e.Kind != wal.Drop {
		return
	}
	if _, known := g.partial[e.Set]; !known && g.has(e.Set) {
		if g.partial == nil {
			g.partial = map[string]bool{}
		}
		g.partial[e.Set] = e.Kind == wal.Create
	}
}

// named returns the keys of the sets that are in the copy only as far as the log creates them, sorted.
func (g *gapSets) named() (sets []string) {
	for set, partial := range g.partial {
		if partial {
			sets = append(sets, set)
		}
	}
	slices.Sort(sets)
	return sets
}
