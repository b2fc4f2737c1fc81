package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// The scores of groups are computed again from the entries of their members, and compared with those that the derived board has: see package groups.

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
				x.tallies = rules.In(t.Window).Tallies()
			}
		}
		a.derived[key] = x
	}
	return x
}

// noteGroups notes the entries of groups, and adds those of members to the scores of their groups.
// The entries are nil if they are not known.
func (a *audit) noteGroups(s *set, entries *zset.IntView) {
	if !s.k.HasEntries() {
		return
	}
	if s.st.Spec.Derived != nil {
		if x := a.followedBy(s.st, s.t.Window.Name, s.slot); entries == nil {
			x.unknown = true
		} else {
			x.note(entries, !s.k.IsHidden())
		}
	}
	if s.k.IsHidden() {
		return
	}
	for _, d := range a.boards {
		if d.Spec.Derived == nil || d.Spec.Derived.From != s.k.Board {
			continue
		}
		if x := a.followedBy(d, s.t.Window.Name, s.slot); x != nil {
			x.unknown = x.unknown || entries == nil || x.tallies == nil
			if !x.unknown {
				a.addMembers(x, s.st, entries)
			}
		}
	}
}

// closed returns the record of a period of a derived board, and nil for an open one. ok is false if it cannot be compared: there is no record of it, or none of that of the members, or only
// that is closed, or its time is up, so that members may have joined or left since.
func (a *audit) closed(x *followed) (r *state.Record, ok bool) {
	from := x.st.Spec.Derived.From
	if !x.t.IsClosed(x.slot) {
		of, err := a.boards[from].Timeline(x.t.Window.Name)
		return nil, err != nil || !of.IsClosed(x.slot) && a.now.UnixMicro() < x.slot.Closes
	}
	r, err := a.recordOf(x.path())
	_, members := a.values[boardkey.RecordPrefix()][pathOf(from, x.t.Window.Name, x.slot.Name)]
	return r, err == nil && r != nil && members
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
	for e := range entries.Entries(0, entries.Len()) {
		number, name, ok := a.groupOf(x, string(e.Member))
		if !ok {
			continue
		}
		var s rules.Score
		of.Rules.DecodeScore(&s, e.Score, e.Tie)
		x.tallies.Add(name, s, 0)
		path := boardkey.Join([]string{x.path()}) + string(e.Member)
		if stored := a.values[boardkey.PointsPrefix()][path]; stored != nil {
			points, err := totals.DecodePoints(stored)
			if base, ok := points.BaseOf(number); ok && err == nil {
				x.tallies.Of(name).SubtractPart(base)
			}
		}
	}
}

// addLeft adds what members who have left groups have left there.
func (a *audit) addLeft() {
	for path, stored := range a.each(boardkey.PointsPrefix()) {
		t, period := a.at(path)
		parts := strings.SplitN(path, "\x00", 4)
		if t == nil || len(parts) < 4 || a.boards[t.Board].Spec.Derived == nil {
			continue
		}
		x := a.derived[t.Key(period)]
		points, err := totals.DecodePoints(stored)
		if err != nil {
			a.problem(where(path), "points of %q: %v", parts[3], err)
		}
		if x == nil || x.tallies == nil {
			continue
		}
		for _, l := range points.Left {
			if name, ok := a.numbered(x, l.Number); ok {
				x.tallies.Of(name).AddPart(l.Score, 1)
			}
		}
	}
}

// differences is what compareGroups has found of groups in a period, or in the closed periods of a window.
type differences struct {
	groups  int
	example string
	text    string // what the example has, and what it should have
	periods int    // closed ones
	last    string // of these
}

// compareGroups compares the scores of groups with those that follow from their members. Whether those of a closed period are wrong nobody can tell if nobody knows who was in which group
// then: members may have joined or left since.
func (a *audit) compareGroups() {
	a.addLeft()
	closed := map[string]*differences{} // by board and window
	for _, key := range slices.Sorted(maps.Keys(a.derived)) {
		x := a.derived[key]
		if x.unknown || x.tallies == nil || a.isBeingDeleted(x.path()) {
			continue
		}
		r, ok := a.closed(x)
		if !ok {
			continue
		}
		wants, err := x.tallies.Scores()
		if err != nil && r == nil {
			a.problem(where(x.path()), "%v", err)
		}
		if err != nil {
			continue
		}
		_, past := a.past(x)
		present := r
		if past {
			present = nil
		}
		d := a.differ(x, wants, present)
		switch {
		case d.groups == 0:
		case past:
			a.problem(where(x.path()), "has %d groups whose scores are not those of the members that they had, among them %q, which has %s: "+
				"RebuildPeriod (zrank groups rebuild --window --period) corrects them", d.groups, d.example, d.text)
		case r == nil:
			a.rep.Rebuilds++
			const problem = "has %d groups whose scores are not those of their members, among them %q, which has %s: " +
				"Rebuild corrects them"
			a.problem(where(x.path()), problem, d.groups, d.example, d.text)
		default:
			at := fmt.Sprintf("board %q, window %q", x.st.Name, x.t.Window.Name)
			if was := closed[at]; was != nil {
				d.periods = was.periods
			}
			d.periods, d.last = d.periods+1, x.slot.Name
			closed[at] = &d
		}
	}
	for _, at := range slices.Sorted(maps.Keys(closed)) {
		d := closed[at]
		a.rep.Notes = append(a.rep.Notes, persist.Problem{Where: at, What: fmt.Sprintf("in %d closed periods groups have other scores than their present members make, the last of them %q, where %q has %s. "+
			"That is right if members have joined or left since, or one was banned, say; else RebuildPeriod (zrank groups rebuild --window --period) corrects them", d.periods, d.last, d.example, d.text)})
	}
}

// differ compares the scores of the groups of a period with those that they should have. With the record of a closed one, whose wants are by the present members, it leaves out groups that
// have been dissolved or made since.
func (a *audit) differ(x *followed, wants map[string]totals.Computed, present *state.Record) (d differences) {
	kind := a.kind(x.st.Spec.Derived.Groups)
	differs := func(name string) {
		if present != nil {
			if g, err := kind.Group(nil, name); err != nil || g.Created > present.ClosedAt.UnixMicro() {
				return
			}
		}
		if d.groups++; d.example == "" || name < d.example {
			d.example, d.text = name, fmt.Sprintf("%v and not %v", x.has[name], wants[name].Score)
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
	return d
}
