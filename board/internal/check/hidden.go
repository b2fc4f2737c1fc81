package check

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
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

// noteStrange counts the members of a set that should not be there. O(hidden and banned members);
// O(members) if a member that was erased is banned, and for a set of hidden members.
func (a *audit) noteStrange(s *set, entries *zset.IntView) {
	m := a.moderationOf(s.k.Board)
	hidden := count(entries, m.hidden)
	s.strange = strange{hidden: hidden, banned: count(entries, m.banned)}
	if len(m.erased) > 0 {
		for e := range entries.Entries(0, entries.Len()) {
			if m.erased[auditlog.HashWith(a.salt, string(e.Member))] {
				s.banned++
			}
		}
	}
	if s.k.IsHidden() {
		s.hidden = 0
		if s.st.Spec.Derived == nil {
			s.shown = entries.Len() - hidden
		}
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

// strangers reports hidden members that are in a ranking, members beside it that are not hidden,
// and banned ones. Those of closed periods may be there until the job is done.
func (a *audit) strangers(s *set) {
	if s.Doubtful || s.t.IsClosed(s.slot) && a.moderationOf(s.k.Board).busy {
		return
	}
	if s.hidden > 0 {
		a.fault(s.path, "ranks %d members that are hidden", s.hidden)
	}
	if s.shown > 0 {
		a.fault(s.path, "has %d members beside the ranking that are not hidden", s.shown)
	}
	if s.banned > 0 {
		a.fault(s.path, "has %d members that are banned", s.banned)
	}
}
