package layout

import (
	"strconv"
	"strings"
	"time"
)

// Standing is what operators have said of a member. It is stored under the name, and the ban of an erased member under its hash.
type Standing struct {
	Banned bool // the partition takes no submissions of the member
	Hidden bool // the entries of the member are in no sorted set
	// held is the time, in milliseconds after 1970, up to which others wait before they change the member: an operator's call, which had to begin again and again, holds
	// it. 0: none does.
	held int64

	Fields [2]string // of the hash: that of the name, and that of its hash
	Stored [2]string // their values
}

const (
	memberLetter = "m" // begins the field of a name
	erasedLetter = "e" // begins the field of the hash of an erased one

	bannedLetter = "b"
	hiddenLetter = "h"
	heldLetter   = "w" // behind it is the time
)

// StandingFields returns where the standing of a member is stored.
func (all Keys) StandingFields(member string) [2]string {
	return [2]string{MemberField(member), erasedLetter + all.HashOf(member)}
}

// MemberField returns the field of the standing of a member.
func MemberField(member string) string { return memberLetter + member }

// MemberOf returns the member that a field of the standings is of; ok is false for one of an erased member.
func MemberOf(field string) (member string, ok bool) { return strings.CutPrefix(field, memberLetter) }

// DecodeStanding returns the standing that the values of two fields say. A missing value is nil.
func DecodeStanding(fields [2]string, values []any) Standing {
	s := Standing{Fields: fields}
	for i := range s.Stored {
		s.Stored[i], _ = values[i].(string)
		s.Banned = s.Banned || strings.Contains(s.Stored[i], bannedLetter)
	}
	s.Hidden = strings.Contains(s.Stored[0], hiddenLetter)
	_, held, _ := strings.Cut(s.Stored[0], heldLetter)
	s.held, _ = strconv.ParseInt(held, 10, 64) // it is not held: 0
	return s
}

// IsHeld reports whether an operator's call holds the member at a time.
func (s *Standing) IsHeld(now time.Time) bool { return s.held != 0 && now.UnixMilli() < s.held }

// Released returns the standing when the member is not held any more.
func (s Standing) Released() Standing {
	s.Stored[0], _, _ = strings.Cut(s.Stored[0], heldLetter)
	s.held = 0
	return s
}

// With returns the standing after an operator has said something else of the member, which is not held any more.
func (s Standing) With(banned, hidden bool) Standing {
	s.Banned, s.Hidden, s.held, s.Stored = banned, hidden, 0, [2]string{}
	if banned {
		s.Stored[0] += bannedLetter
	}
	if hidden {
		s.Stored[0] += hiddenLetter
	}
	return s
}

// Erased returns the standing after the member was erased: it is not hidden any more, and a ban stays by the hash.
func (s Standing) Erased() Standing {
	s.Hidden, s.held, s.Stored = false, 0, [2]string{}
	if s.Banned {
		s.Stored[1] = bannedLetter
	}
	return s
}
