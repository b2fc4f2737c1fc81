package check

import (
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// layouts notes the stored layouts of rankings in parts.
func (a *audit) layouts() {
	for _, rest := range slices.Sorted(maps.Keys(a.stored)) {
		name, window, period, version, ok := boardkey.ParseLayout(rest)
		st := a.boards[name]
		if !ok || st == nil || st.Version != version {
			continue
		}
		t, err := st.Timeline(window)
		if err != nil {
			continue
		}
		l, err := ranking.ParseLayout(string(a.stored[rest]))
		if err != nil {
			a.problem(Where(name, window, period), "stored layout: %v", err)
			continue
		}
		t.SetLayout(period, l)
	}
}

// notePart counts the members of a part that belong to other parts, and notes those that may be in two. O(members) for a part, else O(1).
func (a *audit) notePart(key string, entries *zset.IntView) {
	if entries == nil {
		return
	}
	p, part := a.partOf(key)
	if p == nil {
		return
	}
	d := p.Now()
	m := moving{key: key}
	for e := range entries.Entries(0, entries.Len()) {
		home, old := d.Homes(e.Member)
		if part != home && part != old {
			a.strays[key]++
		}
		if home != old {
			m.hashes = append(m.hashes, ranking.PartHash(e.Member))
		}
	}
	if len(m.hashes) > 0 {
		slices.Sort(m.hashes)
		a.moving[p] = append(a.moving[p], m)
	}
}

// partOf returns the parts of the ranking that a set belongs to, and the index of the set; nil for sets of other rankings, and of other versions.
func (a *audit) partOf(key string) (*state.Parts, int) {
	k, ok := boardkey.Parse(key)
	st := a.boards[k.Board]
	if !ok || st == nil || st.Version != k.Version || !k.HasEntries() || k.IsHidden() {
		return nil, 0
	}
	t, err := st.Timeline(k.WindowOf())
	if err != nil {
		return nil, 0
	}
	p := t.PartsOf(k.Period)
	if p == nil {
		return nil, 0
	}
	return p, slices.Index(p.Now().Keys, key)
}

// parts reports members that are not in the part of their address, or in two: see L1 in package ranking. Two members with the same hash would be
// reported too.
func (a *audit) parts() {
	for _, key := range slices.Sorted(maps.Keys(a.strays)) {
		k, _ := boardkey.Parse(key)
		if n := a.strays[key]; !a.sets[key].Doubtful && !a.isBeingDeleted(k.Board, k.WindowOf(), k.Period) {
			a.problem(Where(k.Board, k.WindowOf(), k.Period), "part %q has %d members that belong to other parts", key, n)
		}
	}
	for _, m := range a.moving {
		if len(m) == 2 { // a split or a merge is between two parts
			a.twice(m[0], m[1])
		}
	}
}

// twice reports members that are in two parts.
func (a *audit) twice(x, y moving) {
	k, _ := boardkey.Parse(x.key)
	if n := common(x.hashes, y.hashes); n > 0 && !a.sets[x.key].Doubtful && !a.sets[y.key].Doubtful {
		a.problem(Where(k.Board, k.WindowOf(), k.Period), "%d members are in part %q and in part %q", n, min(x.key, y.key), max(x.key, y.key))
	}
}

// common returns the number of values that two sorted lists have in common.
func common(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b, n = a[1:], b[1:], n+1
		}
	}
	return n
}
