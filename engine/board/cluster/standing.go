package cluster

import (
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
)

// standing is what operators have said of a member. It is stored under the name, and the ban of an erased member under its hash.
type standing struct {
	banned bool // the partition takes no submissions of the member
	hidden bool // the entries of the member are in no sorted set

	fields [2]string // of the hash: that of the name, and that of its hash
	stored [2]string
}

// The letters of a stored standing.
const (
	bannedLetter = "b"
	hiddenLetter = "h"
)

// hashOf returns what stands for the name of an erased member. The id of the board is the salt.
func (b *Board) hashOf(member string) string { return auditlog.HashWith([]byte(b.id), member) }

// standingFields returns where the standing of a member is stored.
func (b *Board) standingFields(member string) [2]string {
	return [2]string{"m" + member, "e" + b.hashOf(member)}
}

// newStanding returns the standing that the values of two fields say. A missing value is nil.
func newStanding(fields [2]string, values []any) standing {
	s := standing{fields: fields}
	for i := range s.stored {
		s.stored[i], _ = values[i].(string)
		s.banned = s.banned || strings.Contains(s.stored[i], bannedLetter)
	}
	s.hidden = strings.Contains(s.stored[0], hiddenLetter)
	return s
}

// with returns the standing after an operator has said something else of the member.
func (s standing) with(banned, hidden bool) standing {
	s.banned, s.hidden, s.stored = banned, hidden, [2]string{}
	if banned {
		s.stored[0] += bannedLetter
	}
	if hidden {
		s.stored[0] += hiddenLetter
	}
	return s
}

// erased returns the standing after the member was erased: it is not hidden any more, and a ban stays by the hash.
func (s standing) erased() standing {
	s.hidden, s.stored = false, [2]string{}
	if s.banned {
		s.stored[1] = bannedLetter
	}
	return s
}
