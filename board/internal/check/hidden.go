package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// moderationOf returns what is collected of a board.
func (a *audit) moderationOf(board string) *moderated {
	m := a.moderated[board]
	if m == nil {
		m = &moderated{erased: map[string]bool{}}
		a.moderated[board] = m
	}
	return m
}

// noteModeration notes a private key of moderation.
func (a *audit) noteModeration(key string, value []byte) {
	prefix, rest, _ := strings.Cut(key, "\x00")
	board, member, _ := strings.Cut(rest, "\x00")
	switch prefix + "\x00" {
	case boardkey.HidePrefix():
		m := a.moderationOf(board)
		m.hidden = append(m.hidden, member)
	case boardkey.BanPrefix():
		m := a.moderationOf(board)
		m.banned = append(m.banned, member)
	case boardkey.ErasedBanPrefix():
		a.moderationOf(board).erased[member] = true
	case boardkey.JobPrefix():
		a.moderationOf(board).busy = true
	case boardkey.AuditSalt + "\x00":
		a.salt = slices.Clone(value)
	}
}

// noteStrange counts the members of a set that should not be there. The entries are nil if they are not known. O(hidden and banned members); O(members) if a
// member that was erased is banned, and for a set of hidden members.
func (a *audit) noteStrange(key string, entries *zset.IntView) {
	k, ok := boardkey.Parse(key)
	m := a.moderated[k.Board]
	if !ok || entries == nil || !k.HasEntries() || m == nil && !k.IsHidden() {
		return
	}
	var n strange
	hidden := 0
	if m != nil {
		hidden, n.banned = count(entries, m.hidden), count(entries, m.banned)
		for e := range entries.Entries(0, entries.Len()) {
			if len(m.erased) == 0 {
				break
			}
			if m.erased[auditlog.HashWith(a.salt, string(e.Member))] {
				n.banned++
			}
		}
	}
	if n.hidden = hidden; k.IsHidden() && a.isDerived(k.Board) {
		n.hidden = 0
	} else if k.IsHidden() {
		n.hidden, n.shown = 0, entries.Len()-hidden
	}
	if n != (strange{}) {
		a.strange[key] = n
	}
}

// count returns how many of some members a set has.
func count(entries *zset.IntView, members []string) (n int) {
	for _, member := range members {
		if _, has := entries.Score([]byte(member)); has {
			n++
		}
	}
	return n
}

// strangers reports hidden members that are in rankings, members beside rankings that are not hidden, and banned ones. Those of closed periods may be there
// until the job is done.
func (a *audit) strangers() {
	for _, key := range slices.Sorted(maps.Keys(a.strange)) {
		n := a.strange[key]
		k, _ := boardkey.Parse(key)
		st := a.boards[k.Board]
		if st == nil || st.Version != k.Version || a.sets[key].Doubtful {
			continue
		}
		t, slot := st.SlotOf(k)
		if slot == nil || t.IsClosed(slot) && a.moderationOf(k.Board).busy || a.isBeingDeleted(k.Board, t.Window.Name, slot.Name) {
			continue
		}
		at := Where(k.Board, t.Window.Name, slot.Name)
		if n.hidden > 0 {
			a.problem(at, "ranks %d members that are hidden", n.hidden)
		}
		if n.shown > 0 {
			a.problem(at, "has %d members beside the ranking that are not hidden", n.shown)
		}
		if n.banned > 0 {
			a.problem(at, "has %d members that are banned", n.banned)
		}
	}
}

// hiddenOf compares the number of hidden members of a closed period with its record.
func (a *audit) hiddenOf(t *state.Timeline, period string, r *state.Record) {
	if set := a.sets[t.HiddenKey(period)]; !set.Doubtful && set.Members != r.Hidden {
		a.problem(Where(t.Board, t.Window.Name, period), "has %d hidden members, and its record says %d", set.Members, r.Hidden)
	}
}
