package routes

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
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
	submitter = who{rights: access.Submit}
	someone   = who{rights: access.Read, some: true}
	someOwn   = who{rights: access.Read, player: true, some: true}
	admin     = who{rights: access.All}
	everybody = who{rights: access.Read}
	readerOwn = who{rights: access.Read, player: true}
)

// onBoard is arguments of an operation on one board.
type onBoard interface{ BoardName() string }

// about is arguments of an operation about one member.
type about interface{ MemberName() string }

// check returns ErrForbidden unless the caller may use an operation with some arguments.
func (w who) check(ctx context.Context, in ...any) error {
	var name, member string
	isAbout := false
	for _, args := range in {
		if b, ok := args.(onBoard); ok {
			name = b.BoardName()
		}
		if m, ok := args.(about); ok {
			member, isAbout = m.MemberName(), true
		}
	}
	p := access.FromContext(ctx)
	if w.some && p.Rights() != 0 && (w.player || !p.IsPlayer()) {
		return nil
	}
	if !p.IsPlayer() {
		return p.Need(w.rights, name)
	}
	if !w.player || isAbout && !p.Is(member) {
		return fmt.Errorf("%w: players may read about themselves, and claim what is theirs", access.ErrForbidden)
	}
	return p.Need(access.Read, name)
}

// env returns what an operation of a request needs.
func (r *Router) env(ctx context.Context) *ops.Env {
	e := &ops.Env{Boards: r.Boards, MaxRows: r.MaxRows, Now: r.Clock, MayRead: mayRead}
	e.Pinned = func(ctx context.Context, id string) (board.Ranking, error) {
		return r.pins.get(access.FromContext(ctx).ID(), id)
	}
	if p := access.FromContext(ctx); p.IsKey() {
		e.By = p.Name
	}
	return e
}

// mayRead returns an error unless the caller of a request may read a board.
func mayRead(ctx context.Context, board string) error {
	return everybody.check(ctx, ops.OnBoard{Board: board})
}
