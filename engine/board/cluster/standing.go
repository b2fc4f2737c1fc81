package cluster

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
)

// standing is what operators have said of a member. It is stored under the name, and the ban of an erased member under its hash.
type standing struct {
	banned bool // the partition takes no submissions of the member
	hidden bool // the entries of the member are in no sorted set
	// held is the time, in milliseconds after 1970, up to which others wait before they change the member: an operator's call, which had to begin again and again, holds
	// it. 0: none does.
	held int64

	fields [2]string // of the hash: that of the name, and that of its hash
	stored [2]string
}

// The letters of a stored standing.
const (
	bannedLetter = "b"
	hiddenLetter = "h"
	heldLetter   = "w" // behind it is the time
)

const (
	// holdFor is how long an operator's call that has taken so long may hold a member.
	holdFor = time.Second
	// heldPause is the time after which a submission looks again whether its member is held.
	heldPause = 5 * time.Millisecond
	// holdTries is how often it does, since clocks differ.
	holdTries = int(holdFor / heldPause)
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
	_, held, _ := strings.Cut(s.stored[0], heldLetter)
	s.held, _ = strconv.ParseInt(held, 10, 64) // it is not held: 0
	return s
}

// isHeld reports whether an operator's call holds the member at a time.
func (s *standing) isHeld(now time.Time) bool { return s.held != 0 && now.UnixMilli() < s.held }

// released returns the standing when the member is not held any more.
func (s standing) released() standing {
	s.stored[0], _, _ = strings.Cut(s.stored[0], heldLetter)
	s.held = 0
	return s
}

// pauseHeld waits before a submission looks again whether its member is held. Error: that of ctx.
func pauseHeld(ctx context.Context) error {
	select {
	case <-time.After(heldPause):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// hold holds a member.
func (b *Board) hold(ctx context.Context, member []byte) error {
	k, fields := partitionOf(member, b.partitions()), b.standingFields(string(member))
	_, err := b.servers.Run(ctx, hold, []string{b.keys.standings(k), b.keys.fence(k)}, fields[0], b.now().Add(holdFor).UnixMilli())
	return err
}

// with returns the standing after an operator has said something else of the member, which is not held any more.
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
