package audit

import (
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/membership"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/totals"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// The scores of groups are computed again from the entries of their members, and compared with those that the derived board has: see package following.

// isDerived reports whether a board is derived.
func (a *audit) isDerived(board string) bool {
	st := a.boards[board]
	return st != nil && st.Spec.Derived != nil
}

// kind returns a kind of groups.
func (a *audit) kind(name string) *membership.Kind {
	k := a.kinds[name]
	if k == nil {
		k, _ = membership.New(name) // never fails
		a.kinds[name] = k
	}
	return k
}

// noteMembership notes a private key of groups.
func (a *audit) noteMembership(key string, value []byte) {
	prefix, rest, _ := strings.Cut(key, "\x00")
	kind, name, _ := strings.Cut(rest, "\x00")
	switch prefix + "\x00" {
	case boardkey.AllGroups:
		g, err := catalog.DecodeGroup(name, value)
		if err != nil {
			a.problem("groups of the kind "+kind, "%v", err)
			return
		}
		a.kind(kind).Add(&g.Group)
	case boardkey.JoinedPrefix("")[:len("board.joined\x00")]:
		number, err := catalog.DecodeJoined(value)
		if err != nil {
			a.problem("groups of the kind "+kind, "member %q: %v", name, err)
			return
		}
		a.kind(kind).Note(name, number)
	case boardkey.PointsPrefix():
		a.points[strings.TrimPrefix(key, boardkey.PointsPrefix())] = slices.Clone(value)
	}
}

// followedBy returns a period of a derived board, by the window and the period.
func (a *audit) followedBy(st *state.State, window string, slot *state.Slot) *followed {
	t, err := st.Timeline(window)
	if err != nil {
		return nil // it does not follow this window
	}
	key := t.Key(slot.Name)
	x := a.derived[key]
	if x == nil {
		x = &followed{st: st, t: t, slot: t.SlotOf(slot.Period), has: map[string]rules.Score{}, ranked: map[string]bool{}}
		if source := a.boards[st.Spec.Derived.From]; source != nil {
			if rules, err := totals.New(*st.Spec.Derived, source.Rules, st.Rules); err == nil {
				x.tallies = rules.Tallies()
			}
		}
		a.derived[key] = x
	}
	return x
}

// noteGroups notes the entries of groups, and adds those of members to the scores of their groups. The entries are nil if they are not known.
func (a *audit) noteGroups(key string, entries *zset.IntView) {
	k, ok := boardkey.Parse(key)
	st := a.boards[k.Board]
	if !ok || st == nil || st.Version != k.Version || !k.IsOfPeriod() {
		return
	}
	t, slot := st.SlotOf(k)
	if slot == nil {
		return
	}
	if a.isDerived(k.Board) && (k.IsRanking() || k.IsHidden()) {
		if x := a.followedBy(st, t.Window.Name, slot); entries == nil {
			x.unknown = true
		} else {
			x.note(entries, !k.IsHidden())
		}
	}
	if !k.IsRanking() {
		return
	}
	for _, d := range a.boards {
		if d.Spec.Derived == nil || d.Spec.Derived.From != k.Board {
			continue
		}
		if x := a.followedBy(d, t.Window.Name, slot); x != nil {
			x.unknown = x.unknown || entries == nil || x.tallies == nil
			if !x.unknown {
				a.addMembers(x, st, entries)
			}
		}
	}
}

// isFinal reports whether a period changes no more, or that of the members does not.
func (a *audit) isFinal(x *followed) bool {
	of, err := a.boards[x.st.Spec.Derived.From].Timeline(x.t.Window.Name)
	return x.t.IsClosed(x.slot) || err == nil && of.IsClosed(x.slot)
}

// note notes the entries of groups.
func (x *followed) note(entries *zset.IntView, ranked bool) {
	for e := range entries.Entries(0, entries.Len()) {
		var s rules.Score
		x.st.Rules.DecodeScore(&s, e.Score, e.Tie)
		x.has[string(e.Member)] = s
		x.ranked[string(e.Member)] = ranked
	}
}

// addMembers adds entries of members to the scores of their groups.
func (a *audit) addMembers(x *followed, of *state.State, entries *zset.IntView) {
	kind := a.kind(x.st.Spec.Derived.Groups)
	for e := range entries.Entries(0, entries.Len()) {
		g, _ := kind.Of(e.Member)
		if g == nil {
			continue
		}
		var s rules.Score
		of.Rules.DecodeScore(&s, e.Score, e.Tie)
		x.tallies.Add(g.Name, s, 0)
		if stored := a.points[boardkey.Join([]string{x.st.Name, x.t.Window.Name, x.slot.Name})+string(e.Member)]; stored != nil {
			points, err := totals.DecodePoints(stored)
			if base, ok := points.BaseOf(g.Number); ok && err == nil {
				x.tallies.Of(g.Name).SubtractPart(base)
			}
		}
	}
}

// addLeft adds what members who have left groups have left there.
func (a *audit) addLeft() {
	for rest, stored := range a.points {
		parts := strings.SplitN(rest, "\x00", 4)
		st := a.boards[parts[0]]
		if len(parts) < 4 || st == nil || st.Spec.Derived == nil {
			continue
		}
		x := a.derived[boardkey.Key{Board: parts[0], Kind: parts[1], Period: parts[2], Version: st.Version}.String()]
		points, err := totals.DecodePoints(stored)
		if err != nil {
			a.problem(Where(parts[0], parts[1], parts[2]), "points of %q: %v", parts[3], err)
		}
		if x == nil || x.tallies == nil {
			continue
		}
		kind := a.kind(st.Spec.Derived.Groups)
		for _, l := range points.Left {
			if g := kind.Numbered(l.Number); g != nil {
				x.tallies.Of(g.Name).AddPart(l.Score, 1)
			}
		}
	}
}

// compareGroups compares the scores of groups in open periods with those that follow from their members.
func (a *audit) compareGroups() {
	a.addLeft()
	for _, key := range slices.Sorted(maps.Keys(a.derived)) {
		x := a.derived[key]
		if x.unknown || x.tallies == nil || a.isFinal(x) || a.isBeingDeleted(x.st.Name, x.t.Window.Name, x.slot.Name) {
			continue
		}
		at := Where(x.st.Name, x.t.Window.Name, x.slot.Name)
		wants, err := x.tallies.Scores()
		if err != nil {
			a.problem(at, "%v", err)
			continue
		}
		n, example := 0, ""
		differs := func(name string) {
			if n++; example == "" || name < example {
				example = name
			}
		}
		for name, c := range wants {
			if x.has[name] != c.Score || x.ranked[name] != (c.Members >= int64(max(1, x.st.Spec.Derived.Least))) {
				differs(name)
			}
		}
		for name := range x.has {
			if _, ok := wants[name]; !ok {
				differs(name)
			}
		}
		if n > 0 {
			a.problem(at, "has %d groups whose scores are not those of their members, among them %q, which has %v and not %v: Rebuild corrects them", n, example, x.has[example], wants[example].Score)
		}
	}
}
