package routes

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/server/access"
)

// who says which callers may use an operation.
type who struct {
	rights access.Rights
	player bool // a player may use it, about itself if the operation is about a member
	some   bool // rights on some board are enough: the operation looks at which
}

// Operations for everybody who may read, and so on; with Own also for players.
var (
	reader    = who{rights: access.Read}
	readerOwn = who{rights: access.Read, player: true}
	submitter = who{rights: access.Submit}
	submitOwn = who{rights: access.Submit, player: true}
	someone   = who{rights: access.Read, some: true}
	someOwn   = who{rights: access.Read, player: true, some: true}
	moderator = who{rights: access.Moderate}
	admin     = who{rights: access.All}
)

// onBoard is the input of an operation on one board.
type onBoard interface{ boardName() string }

// about is the input of an operation about one member.
type about interface{ memberName() string }

// check returns ErrForbidden unless the caller may use an operation with an input.
func (w who) check(ctx context.Context, in any) error {
	name := ""
	if b, ok := in.(onBoard); ok {
		name = b.boardName()
	}
	p := access.FromContext(ctx)
	if w.some && p.Rights() != 0 && (w.player || !p.IsPlayer()) {
		return nil
	}
	if !p.IsPlayer() {
		return p.Need(w.rights, name)
	}
	if m, ok := in.(about); !w.player || ok && !p.Is(m.memberName()) {
		return fmt.Errorf("%w: players may read about themselves, and claim what is theirs", access.ErrForbidden)
	}
	return p.Need(access.Read, name)
}
